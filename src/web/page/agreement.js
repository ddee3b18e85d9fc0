// Draw offers and resignations.

import { playerOf } from "./players.js";
import * as State from "./state/index.js";
import { otherColor } from "./tree.js";
import { chanceOf } from "./verdict.js";

// An engine accepts a draw up to this chance of its own.
const DRAW_CHANCE = 0.5;

// Milliseconds of the search that decides about a draw offer.
const JUDGING_TIME = 1000;

export function agreementActions(store, server, actions) {
  const speak = (key, ...fill) => actions.announce(actions.text(key, ...fill));

  function end(winner, how) {
    if (store.get().job) actions.giveUp();
    store.update(State.endGame, winner, how);
    actions.changed();
  }

  function resign() {
    const person = State.personOf(store.get());
    if (State.isEnabled(store.get(), "resign")) end(otherColor(person), "resigned");
  }

  // Offers a draw to the other player. A person answers on the page, an engine by its search.
  async function offerdraw() {
    const state = store.get();
    if (!State.isEnabled(state, "offerdraw")) return;
    const by = State.personOf(state);
    const seat = state.seats[otherColor(by)];
    actions.set({ offers: state.offers + 1 });
    if (!State.isEngine(seat)) {
      actions.set({ offer: { by } });
      store.update(State.speak, actions.text("askDraw", actions.text(by), actions.text(otherColor(by))));
      return;
    }
    if (state.job) actions.giveUp();
    const job = { kind: "draw" };
    actions.set({ job });
    const isCurrent = () => store.get().job === job;
    try {
      const who = playerOf("search", state.weighting);
      const effort = { time: JUDGING_TIME, lines: 1 };
      const { verdict = null } = await server.ask("think", { game: State.gameOf(state), who, effort });
      if (!isCurrent()) return;
      actions.set({ job: null });
      const chance = chanceOf(verdict, otherColor(by));
      if (chance !== null && chance <= DRAW_CHANCE) end(null, "agreed");
      else {
        speak("drawDeclined", actions.text(otherColor(by)));
        actions.step();
      }
    } catch (error) {
      if (!isCurrent()) return;
      actions.set({ job: null });
      actions.refused(error);
      actions.step();
    }
  }

  function answerDraw(isTaken) {
    const { by } = store.get().offer;
    actions.set({ offer: null });
    if (isTaken) end(null, "agreed");
    else speak("drawDeclined", actions.text(otherColor(by)));
  }

  return { resign, offerdraw, answerDraw };
}
