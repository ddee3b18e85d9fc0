// The recent games in the dialog that opens one.

import { byId } from "../dom.js";
import { gameRow } from "./games.js";
import { countText, playerName } from "../words.js";

function rowOf({ key, date, moves, result, game }, state, t) {
  const { rule, size } = game.settings;
  const row = gameRow(
    {
      name: new Date(date).toLocaleString(state.language, { dateStyle: "short", timeStyle: "short" }),
      players: ["black", "white"].map((color) => playerName(game, color, t)),
      winner: result && (result.winner ?? "draw"),
      detail: `${t(rule).split(/[:：]/)[0]} ${size}, ${countText(moves, "oneMove", "moveCount", t)}`,
    },
    0,
    false,
    t,
    null,
  );
  row.type = "button";
  row.dataset.key = key;
  return row;
}

export const recent = {
  select: (state) => [state.recent, state.language],
  draw(state, t) {
    byId("recent-games").hidden = state.recent.length === 0;
    byId("recent").replaceChildren(...state.recent.map((entry) => rowOf(entry, state, t)));
  },
};
