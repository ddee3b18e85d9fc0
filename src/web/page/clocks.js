// Actions of the clocks: their ticks, the end of a side's time, and pauses.

import { playTick, playTimeUp } from "./sound.js";
import * as State from "./state/index.js";
import { otherColor } from "./tree.js";

// Seconds at the end of a person's time that sound a warning.
const WARNED = 5;

export function clockActions(store, server, actions) {
  // The second of the last warning.
  let warned = Infinity;

  // Plays a sound once for each of the last seconds of a person's time, and another one when it is over.
  function playWarning(state, left) {
    const second = Math.ceil(left / 1000);
    const isNew = second <= WARNED && second !== warned;
    warned = second;
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
      playWarning(state, left);
      // The last move may have ended the game.
      if (left > 0 || State.isUncertain(state)) return;
      actions.giveUp();
      store.update(State.endGame, otherColor(State.turnOf(state)), "time");
      actions.changed();
    },

    // One key does both.
    pause: togglePause,
    resume: togglePause,
  };
}
