// Actions of fairness: while a person places the stones of an opening, short searches tell whether a side would be ahead.
// The server works at one job at a time, so any other job ends them, and they wait for none.

import { playerOf } from "./players.js";
import { awaitsConfirmation, judgedKey, judgedOf, stonesAhead } from "./procedure.js";
import * as State from "./state/index.js";

// Milliseconds of a search, and of a second one where a busy machine has not finished the first depth in the first.
const SEARCH_TIMES = [500, 2000];

// Milliseconds for each line of a search with several.
const LINE_TIME = 250;

// The verdict of a search that has found none.
const UNKNOWN = { result: null, chance: null };

export function fairnessActions(store, server, actions) {
  const isRunning = () => store.get().job?.kind === "fairness";

  // Ends the search for a position that is no longer wanted.
  function dropFairness() {
    if (isRunning()) actions.giveUp();
  }

  // Searches the positions that the chosen stones would make, one after the other, unless they are known.
  async function judgeFairness() {
    dropFairness();
    const openPosition = () => judgedOf(store.get()).find(({ verdict }) => verdict === null);
    if (store.get().job || !openPosition()) return;
    const job = { kind: "fairness" };
    const isCurrent = () => store.get().job === job;
    actions.set({ job });
    for (let next = openPosition(); next; next = openPosition()) {
      try {
        let verdict = null;
        for (const time of SEARCH_TIMES) {
          verdict ??= await search(store.get(), next, time);
          if (!isCurrent()) return;
        }
        store.update(State.setFairness, judgedKey(next), verdict ?? UNKNOWN);
      } catch (error) {
        if (!isCurrent()) return;
        actions.set({ job: null });
        actions.refused(error);
        return;
      }
    }
    actions.set({ job: null });
  }

  // The verdict on a position; null if the search finds none.
  async function search(state, { moves, lines }, time) {
    const { size, rule, continuous } = state.settings;
    const game = { size, rule, continuous, moves: moves.join(" ") };
    const effort = { time: Math.max(time, LINE_TIME * lines), lines };
    const answer = await server.ask("think", { game, who: playerOf("search", state.weighting), effort });
    const verdict = lines > 1 ? answer.info?.lines[lines - 1]?.verdict : answer.verdict;
    return verdict ?? null;
  }

  // Names the opening that three or more stones make.
  async function nameOpening() {
    const state = store.get();
    const stones = stonesAhead(state);
    if (stones.length < 3) return;
    const { size, rule, continuous } = state.settings;
    const { pending } = state.opening;
    try {
      const { opening } = await server.ask("view", { game: { size, rule, continuous, moves: stones.join(" ") } });
      if (store.get().opening?.pending === pending) store.update(State.setNamed, opening);
    } catch (error) {
      actions.refused(error);
    }
  }

  return {
    dropFairness,
    judgeFairness,
    nameOpening,

    fairness() {
      actions.toggle("fairness");
      // A single stone has no button to confirm it any more.
      if (store.get().opening.pending.length > 0 && !awaitsConfirmation(store.get())) actions.clearPending();
      judgeFairness();
    },

    // A person who must decide asks how fair the position is.
    hintFairness() {
      store.update(State.showFairness);
      judgeFairness();
    },
  };
}
