// Parts of tables and lines.

import { make } from "../dom.js";

// Moves of a line that have buttons. The rest of a longer line is seldom more than a guess.
export const LINE_MOVES = 14;

// The buttons of a line's moves. A click plays the line up to there where it `isPlayed`.
export const plyButtons = (moves, size, t, isPlayed = true) =>
  moves.slice(0, LINE_MOVES).map((point, place) => {
    const name = t.point(point, size);
    const title = isPlayed ? t("playUpTo", name) : null;
    // The space separates the moves where the line is copied.
    return make("button", { class: "ply", "data-plies": place + 1, title }, `${name} `);
  });

export const tableHead = (names) =>
  make(
    "thead",
    {},
    make(
      "tr",
      {},
      names.map((name) => make("th", { scope: "col" }, name)),
    ),
  );

// A row whose first cell names it.
export const tableRow = ([name, ...cells], attributes = {}) =>
  make(
    "tr",
    attributes,
    make("th", { scope: "row" }, name),
    cells.map((cell) => make("td", {}, cell)),
  );

// What a stone would make of the four lines through a point.
export function lineTable(lines, turn, t) {
  const other = turn === "black" ? "white" : "black";
  const row = ({ direction, window, own, their }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, t(direction)),
      make("td", { class: "code" }, window),
      make("td", {}, t(own)),
      make("td", {}, t(their)),
    );
  const head = tableHead([t("line"), t("windowOf"), t(turn), t(other)]);
  return make(
    "table",
    { class: "linetable" },
    make("caption", {}, t("ifPlays")),
    head,
    make("tbody", {}, lines.map(row)),
  );
}
