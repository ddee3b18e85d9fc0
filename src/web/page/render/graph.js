// The chances along the current line: black's, or those of the side whose view the page takes.

import { byId, make } from "../dom.js";
import { reviewOf, sideOfView, verdictOf } from "../state/index.js";
import { lineOf, otherColor } from "../tree.js";
import { chanceOf } from "../verdict.js";

const WIDTH = 600;
const HEIGHT = 96;
const MARGIN = 6; // On both sides.

// A short game does not fill the width.
const LEAST_MOVES = 10;

const stepOf = (line) => WIDTH / Math.max(LEAST_MOVES, line.length - 1);

// The node of the current line below a pointer event on the graph.
export function nodeUnder({ tree }, event) {
  const line = lineOf(tree);
  const box = byId("graph").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * (WIDTH + 2 * MARGIN) - MARGIN;
  return line[Math.min(line.length - 1, Math.max(0, Math.round(x / stepOf(line))))].id;
}

// In a game against an engine only every other move has a verdict. The curve breaks at a longer gap.
const LONGEST_GAP = 2;

// The parts of the curve.
function runsOf(known, step) {
  const runs = [];
  known.forEach((point, place) => {
    const isNear = place > 0 && point.x - known[place - 1].x < (LONGEST_GAP + 0.5) * step;
    if (isNear) runs.at(-1).push(point);
    else runs.push([point]);
  });
  return runs;
}

export const graph = {
  select: (state) => [state.tree, state.peeked, state.perspective, state.language],
  draw(state, t) {
    const { tree, peeked } = state;
    const line = lineOf(tree);
    const side = sideOfView(state);
    const kinds = new Map(reviewOf(state).map(({ node, kind }) => [node.id, kind]));
    const step = stepOf(line);
    const y = (chance) => HEIGHT - 4 - chance * (HEIGHT - 8);
    const rule = (kind, x1, y1, x2, y2) => make("line", { class: kind, x1, y1, x2, y2 });
    const parts = [rule("even", 0, HEIGHT / 2, WIDTH, HEIGHT / 2)];
    const known = line
      .map(({ id }, place) => ({ id, x: place * step, chance: chanceOf(verdictOf(state, id), side) }))
      .filter(({ chance }) => chance !== null);
    for (const run of runsOf(known, step)) {
      const points = run.map(({ chance, x }) => `${x.toFixed(1)},${y(chance).toFixed(1)}`);
      const outline = `M${run[0].x} ${HEIGHT / 2}L${points.join("L")}L${run.at(-1).x} ${HEIGHT / 2}Z`;
      parts.push(make("path", { class: "area", d: outline }));
      parts.push(make("polyline", { class: "curve", points: points.join(" ") }));
    }
    for (const { id, chance, x } of known) {
      const kind = kinds.get(id);
      parts.push(make("circle", { class: kind ? `dot ${kind}` : "dot", cx: x, cy: y(chance), r: kind ? 5 : 2.5 }));
    }
    const at = (node) => line.findIndex(({ id }) => id === node) * step;
    parts.push(rule("now", at(tree.here), 0, at(tree.here), HEIGHT));
    if (tree.nodes[peeked]) parts.push(rule("peek", at(peeked), 0, at(peeked), HEIGHT));
    const attributes = {
      class: "curve",
      viewBox: `-${MARGIN} 0 ${WIDTH + 2 * MARGIN} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("graph"),
    };
    byId("graph").replaceChildren(make("svg", attributes, parts));
    byId("graph-top").textContent = t(side);
    byId("graph-bottom").textContent = t(otherColor(side));
  },
};
