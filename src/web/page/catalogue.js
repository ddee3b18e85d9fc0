// Actions of the 26 named openings of renju.

import * as State from "./state/index.js";

export function catalogueActions(store, server, actions) {
  return {
    // Asks the server once, when the panel or a procedure needs them.
    async listOpenings() {
      if (store.get().openings.length > 0) return;
      try {
        actions.set({ openings: (await server.ask("openings")).openings });
      } catch (error) {
        actions.refused(error);
      }
    },

    // Shows an opening. The game before stays in the list of recent games.
    showOpening: ({ moves }) => actions.replaceGame(State.beginOpening, moves),
  };
}
