// The panel of games: those of a file. The reports of matches list theirs in the same way.

import { byId, make } from "../dom.js";

const RESULTS = { black: "1–0", white: "0–1", draw: "½–½" };

export function gameRow(game, place, isCurrent, t, choose) {
  const [black, white] = game.players ?? ["", ""];
  const stone = (color) => make("i", { class: `stone ${color}`, "aria-hidden": "true" });
  return make(
    "button",
    { class: "game", "aria-current": isCurrent ? "true" : null, onclick: choose },
    make("small", {}, game.name || String(place + 1)),
    make("span", {}, stone("black"), black || t("black")),
    make("span", {}, stone("white"), white || t("white")),
    make("b", {}, RESULTS[game.winner] ?? ""),
    make("small", {}, game.detail ?? ""),
  );
}

export const games = {
  select: (state) => [state.games, state.chosenGame, state.language],
  draw(state, t, actions) {
    const row = (game, place) => gameRow(game, place, place === state.chosenGame, t, () => actions.loadGame(place));
    byId("games").replaceChildren(make("div", { class: "list" }, state.games.map(row)));
  },
};
