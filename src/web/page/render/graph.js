// Black's share of the points along the current line.

import { byId, make } from "../dom.js";
import { lineOf, turningMoves } from "../tree.js";

const WIDTH = 600;
const HEIGHT = 96;
const MARGIN = 6; // On both sides.

// A short game does not fill the width.
const LEAST_MOVES = 10;

export const graph = {
  select: (state) => [state.tree, state.language],
  draw(state, t, actions) {
    const { tree } = state;
    const line = lineOf(tree);
    const turns = turningMoves(line);
    const step = WIDTH / Math.max(LEAST_MOVES, line.length - 1);
    const y = (chance) => HEIGHT - 4 - chance * (HEIGHT - 8);
    const rule = (kind, x1, y1, x2, y2) => make("line", { class: kind, x1, y1, x2, y2 });
    const parts = [rule("even", 0, HEIGHT / 2, WIDTH, HEIGHT / 2)];
    const known = line.map((node, place) => ({ ...node, x: place * step })).filter(({ chance }) => chance !== null);
    if (known.length > 0) {
      const points = known.map(({ chance, x }) => `${x.toFixed(1)},${y(chance).toFixed(1)}`);
      const [first, last] = [known[0], known[known.length - 1]];
      const outline = `M${first.x} ${HEIGHT / 2}L${points.join("L")}L${last.x} ${HEIGHT / 2}Z`;
      parts.push(make("path", { class: "area", d: outline }));
      parts.push(make("polyline", { class: "curve", points: points.join(" ") }));
      for (const { id, chance, x } of known) {
        const [kind, r] = turns.has(id) ? ["turned", 5] : ["dot", 2.5];
        parts.push(make("circle", { class: kind, cx: x, cy: y(chance), r }));
      }
    }
    const here = line.findIndex(({ id }) => id === tree.here) * step;
    parts.push(rule("now", here, 0, here, HEIGHT));
    const choose = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * (WIDTH + 2 * MARGIN) - MARGIN;
      actions.go(line[Math.min(line.length - 1, Math.max(0, Math.round(x / step)))].id);
    };
    const attributes = {
      class: "curve",
      viewBox: `-${MARGIN} 0 ${WIDTH + 2 * MARGIN} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("graph"),
      onclick: choose,
    };
    byId("graph").replaceChildren(make("svg", attributes, parts));
  },
};
