// The curve of a game: the chances that each engine stated, by the number of moves.

import { make } from "../dom.js";
import { splitMoves } from "../points.js";
import { line } from "./parts.js";
import { chanceText, chancesOf, disagreementsOf, engineAt, moveText, statedOn } from "./statements.js";

// The plot in its own units. The style sheet stretches it, so points are drawn as lines without length: their width does
// not stretch.
const PLOT = { width: 600, height: 100 };

// Distances of the numbers below the plot, and how many of them there may be.
const TICK_STEPS = [1, 2, 5, 10, 20, 50, 100];
const MOST_TICKS = 9;

const dot = (kind, at) => line(`dot ${kind}`, at, at);

function ticksOf(last) {
  const step = TICK_STEPS.find((step) => last / step <= MOST_TICKS) ?? last;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, place) => place * step);
}

// The statements of one color as a line with dots; nothing if there are none.
function drawLine(color, places, at) {
  const points = places.map((ply) => at(ply).join(","));
  const dots = places.flatMap((ply) => [dot(color, at(ply)), color === "white" && dot("hollow", at(ply))]);
  return points.length > 0 && [make("polyline", { class: color, points: points.join(" ") }), dots];
}

function drawPlot(game, last, shown, peeked, t) {
  const chances = chancesOf(game);
  const x = (ply) => Number(((ply / last) * PLOT.width).toFixed(2));
  const at = (ply) => [x(ply), PLOT.height * (1 - chances[ply])];
  const down = (kind, ply) => line(kind, [x(ply), 0], [x(ply), PLOT.height]);
  const across = (kind, chance) => line(kind, [0, PLOT.height * chance], [PLOT.width, PLOT.height * chance]);
  const stated = chances.map((_, ply) => ply).filter((ply) => chances[ply] !== null);
  const lines = ["black", "white"].map((color, place) =>
    drawLine(
      color,
      stated.filter((ply) => ply % 2 === place),
      at,
    ),
  );
  const gaps = disagreementsOf(game).map(({ ply }) => [
    line("gap", at(ply - 1), at(ply)),
    dot("disagreement", at(ply)),
    dot("hollow", at(ply)),
  ]);
  const attributes = {
    viewBox: `0 0 ${PLOT.width} ${PLOT.height}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("chanceCurve"),
  };
  return make(
    "svg",
    attributes,
    ticksOf(last).map((ply) => down("tick", ply)),
    [0, 1].map((chance) => across("bound", chance)),
    across("even", 0.5),
    down("now", shown),
    peeked !== null && down("peek", peeked),
    lines,
    gaps,
  );
}

// The names of the engines beside a piece of their lines.
function drawLegend(game, t) {
  const chances = chancesOf(game);
  const sample = (parts) => make("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" }, parts);
  const lineOf = (color) => [
    line(color, [1, 6], [35, 6]),
    dot(color, [18, 6]),
    color === "white" && dot("hollow", [18, 6]),
  ];
  const isStated = (place) => chances.some((chance, ply) => chance !== null && ply % 2 === place);
  const entries = ["black", "white"].map((color, place) => [
    lineOf(color),
    `${game.players[place]} (${t(color)}${isStated(place) ? "" : `, ${t("noScores")}`})`,
  ]);
  const ring = [dot("disagreement", [18, 6]), dot("hollow", [18, 6])];
  const all = disagreementsOf(game).length > 0 ? [...entries, [ring, t("disagreement")]] : entries;
  return all.map(([parts, text]) => make("span", {}, sample(parts), text));
}

// "12. h8 — alpha: Black 81 % · beta: Black 34 %": what both engines stated of the position after a move.
function readout(game, ply, t) {
  const statements = statedOn(game, ply).map((place) => `${engineAt(game, place)}: ${chanceText(game, place, t)}`);
  const move = ply > 0 ? moveText(game, splitMoves(game.moves), ply) : t("emptyBoard");
  return [move, statements.join(" · ") || t("nothingStated")].join(" — ");
}

// The curve with its axes. `go` receives the number of moves at which it is clicked.
export function createCurve(t, go) {
  const plot = make("div", { class: "plot" });
  const ticks = make("div", { class: "ticks" });
  const legend = make("div", { class: "legend" });
  const text = make("p", { class: "readout" });
  const axis = make(
    "div",
    { class: "sides" },
    [t("black"), "50 %", t("white")].map((name) => make("span", {}, name)),
  );
  const figure = make("div", { class: "chances" }, axis, plot, ticks, text, legend);
  const none = make("p", { class: "note" }, t("noStatements"));
  const host = make("div", {});
  let drawn = null; // { game, last, shown }, of the curve that is drawn.

  function drawPointer(peeked) {
    const { game, last, shown } = drawn;
    plot.replaceChildren(drawPlot(game, last, shown, peeked, t));
    text.textContent = readout(game, peeked ?? shown, t);
  }
  function plyUnder({ clientX }) {
    const { left, width } = plot.getBoundingClientRect();
    const ply = Math.round(((clientX - left) / width) * drawn.last);
    return Math.max(0, Math.min(drawn.last, ply));
  }
  plot.addEventListener("pointermove", (event) => drawPointer(plyUnder(event)));
  plot.addEventListener("pointerleave", () => drawPointer(null));
  plot.addEventListener("click", (event) => go(plyUnder(event)));

  return {
    host,
    draw(game, shown) {
      if (chancesOf(game).every((chance) => chance === null)) return host.replaceChildren(none);
      const last = Math.max(1, splitMoves(game.moves).length);
      drawn = { game, last, shown };
      drawPointer(null);
      const tick = (ply) => {
        const node = make("span", {}, String(ply));
        node.style.left = `${(100 * ply) / last}%`;
        return node;
      };
      ticks.replaceChildren(...ticksOf(last).map(tick));
      legend.replaceChildren(...drawLegend(game, t));
      host.replaceChildren(figure);
    },
  };
}
