// Actions of the clocks: their ticks, the end of a side's time, and pauses.

import { playTick, playTimeUp } from "./sound.js";
import * as State from "./state/index.js";
import { otherColor } from "./tree.js";

// Seconds at the end of a person's time that can be heard.
const HEARD = 5;

export function clockActions(store, server, actions) {
  // The last second that was heard.
  let heard = Infinity;

  // Lets a person hear the last seconds of its time, each once.
  function hear(state, left) {
    const second = Math.ceil(left / 1000);
    const isNew = second <= HEARD && second !== heard;
    heard = second;
    if (!isNew || !state.sound || State.isEngine(State.seatToMove(state))) return;
    if (second > 0) playTick();
    else playTimeUp();
  }

  function togglePause() {
    if (store.get().job) actions.giveUp();
    store.update(State.togglePause, performance.now());
    actions.step();
  }

  return {
    // The clocks go on. The side whose time runs out loses.
    tick() {
      if (!State.clocksRun(store.get())) return;
      actions.set({ now: performance.now() });
      const state = store.get();
      const left = State.timeLeft(state);
      hear(state, left);
      if (left > 0) return;
      actions.giveUp();
      store.update(State.endGame, otherColor(State.turnOf(state)), "time");
      actions.changed();
    },

    // The key pauses the game and lets it go on.
    pause: togglePause,
    resume: togglePause,
  };
}
