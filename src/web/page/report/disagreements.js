// The list of positions on which the engines disagreed most.

import { make } from "../dom.js";
import { splitMoves } from "../points.js";
import { section, table } from "./parts.js";
import {
  LEAST_DIFFERENCE,
  MOST_OF_GAME,
  chanceText,
  chancesOf,
  disagreementsOf,
  engineAt,
  moveText,
  rightOn,
} from "./statements.js";

// Rows of the list.
const MOST_ROWS = 20;

// The engine that the result confirms, or the reason for which it confirms neither.
function rightText(game, ply, t) {
  if (game.winner === "draw") return t("draw");
  return rightOn(game, ply) ?? `– (${game.end})`;
}

// The section; null if the engines stated nothing. `look` receives the place of a game and the number of its moves.
export function drawDisagreements(games, t, look) {
  if (games.every((game) => chancesOf(game).every((chance) => chance === null))) return null;
  const found = games
    .flatMap((game, at) => disagreementsOf(game).map((disagreement) => ({ game, at, ...disagreement })))
    .sort((one, other) => other.difference - one.difference)
    .slice(0, MOST_ROWS);
  const percent = Math.round(100 * LEAST_DIFFERENCE);
  if (found.length === 0) {
    return section(t("disagreements"), make("p", { class: "note" }, t("noDisagreements", percent)));
  }
  // On a phone a span has its own line, which a long name may break.
  const position = (game, at, ply) => {
    const move = moveText(game, splitMoves(game.moves), ply);
    return [make("span", {}, `${game.name} `), make("button", { class: "ply", onclick: () => look(at, ply) }, move)];
  };
  const statement = (game, ply) => [make("span", {}, `${engineAt(game, ply)}: `), chanceText(game, ply, t)];
  const cells = ({ game, at, ply }) => [
    position(game, at, ply),
    statement(game, ply - 1),
    statement(game, ply),
    make("span", {}, rightText(game, ply, t)),
  ];
  const names = [t("afterMove"), t("statedByMover"), t("statedByAnswerer"), t("rightEngine")];
  const help = make("p", { class: "note" }, t("disagreementsHelp", percent, MOST_OF_GAME));
  const list = table(t("disagreements"), names, found.map(cells));
  return section(t("disagreements"), help, make("div", { class: "disagreements" }, list));
}
