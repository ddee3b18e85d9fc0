// Actions that ask the server for proofs: forced wins, threats, facts about a move, and the rows of a foul.

import { foulText, threatText } from "./words.js";
import * as State from "./state/index.js";

export function proofActions(store, server, actions) {
  const isCurrent = (job) => store.get().job === job;

  // Looks for a forced win of a side; in a continuous game, for its next five.
  async function prove(kind, side) {
    const state = store.get();
    const job = { kind: "prove" };
    const proof = { kind, side, node: state.tree.here, moves: [], shown: 0 };
    actions.set({ job, proof, threat: null });
    try {
      const {
        result,
        moves = [],
        wins_in: winsIn,
      } = await server.ask("prove", { game: State.gameOf(state), how: kind, side });
      if (!isCurrent(job)) return;
      actions.set({ proof: { ...proof, result, moves, winsIn, shown: moves.length } });
    } catch (error) {
      if (!isCurrent(job)) return;
      actions.set({ proof: null });
      actions.refused(error);
    }
    actions.set({ job: null });
    actions.step();
  }

  // Shows the threat of the side not to move and the points that stop it. A second call hides both.
  async function threats() {
    const { threat, job: running } = store.get();
    if (threat) {
      if (running?.kind === "threats") actions.giveUp();
      actions.set({ threat: null });
      actions.step();
      return;
    }
    if (running) actions.giveUp();
    const id = store.get().tree.here;
    const job = { kind: "threats" };
    const show = ({ side, result, how, moves, holds = null, open = [] }) => {
      if (isCurrent(job)) actions.set({ threat: { node: id, side, result, how, moves, holds, open } });
    };
    actions.set({ job, proof: null, threat: { node: id, result: null, moves: [], holds: null, open: [] } });
    try {
      const found = await server.ask("threats", { game: State.gameOf(store.get()) }, show);
      if (!isCurrent(job)) return;
      show(found);
      const t = actions.translator();
      store.update(State.speak, threatText(store.get(), t));
    } catch (error) {
      if (!isCurrent(job)) return;
      actions.set({ threat: null });
      actions.refused(error);
    }
    actions.set({ job: null });
    actions.step();
  }

  // Asks for the facts about the last move.
  async function explainMove() {
    const state = store.get();
    const { id, parent, move } = state.tree.nodes[state.tree.here];
    const job = { kind: "why" };
    actions.set({ job });
    try {
      const { facts } = await server.ask("why", { game: State.gameOf(state, parent), point: move });
      if (!isCurrent(job)) return;
      store.update(State.setFacts, id, facts);
    } catch (error) {
      if (!isCurrent(job)) return;
      // Without a connection the move is explained when it is looked at again.
      if (!error.kind) {
        actions.set({ job: null });
        return;
      }
      store.update(State.setFacts, id, []);
    }
    actions.set({ job: null });
    actions.step();
  }

  // Shows why a point is forbidden, and asks whether to play there and lose.
  async function explainFoul(point) {
    const node = store.get().tree.here;
    try {
      const { forbidden, foul } = await server.ask("point", { game: State.gameOf(store.get()), point });
      actions.set({ foul: { node, point, reason: forbidden, parts: foul } });
      const t = actions.translator();
      if (State.foulOf(store.get())) store.update(State.speak, t("askFoul", foulText(forbidden, t)));
    } catch (error) {
      actions.refused(error);
    }
  }

  return {
    prove,
    threats,
    explainFoul,
    explainMove,
    vcf: () => prove("vcf", State.turnOf(store.get())),
    vct: () => prove("vct", State.turnOf(store.get())),
    playFoul: () => actions.playStone(store.get().foul.point),
    leaveFoul: () => actions.set({ foul: null }),
  };
}
