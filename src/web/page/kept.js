// The game as it is kept in the browser, so that a reload goes on with it. Each tab has its own; a new tab goes on with a
// copy of the one that was kept last.
"use strict";

const Kept = {
  KEY: "tengen-board",
  // 1, which has no number: points are letters, ranks from the top. 2: points are "x,y".
  VERSION: 2,

  write(state) {
    const text = JSON.stringify({ version: Kept.VERSION, ...state });
    for (const name of ["sessionStorage", "localStorage"]) {
      try {
        window[name].setItem(Kept.KEY, text);
      } catch {
        // A browser that keeps nothing plays all the same.
      }
    }
  },

  // What was kept; null where there is nothing, or nothing that this version can read.
  read() {
    for (const name of ["sessionStorage", "localStorage"]) {
      try {
        const kept = JSON.parse(window[name].getItem(Kept.KEY));
        if (kept) return Kept.upgrade(kept);
      } catch {
        // What is damaged is passed over.
      }
    }
    return null;
  },

  upgrade(kept) {
    if (kept.version === Kept.VERSION) return kept;
    if (kept.version !== undefined) return null;
    const { size } = kept.settings;
    const point = (text) => Letters.read(text, size, "top");
    const node = ({ move, scored, ...others }) => ({
      ...others,
      move: move && point(move),
      scored: scored && { ...scored, walls: scored.walls.map(point) },
      // The reason of the move has the old letters in its text.
      why: null,
      text: null,
    });
    const words = (answer) => answer.split(" ").map((word) => point(word) ?? word).join(" ");
    const opening = kept.opening && { ...kept.opening, answers: kept.opening.answers.map(words) };
    return { ...kept, version: Kept.VERSION, opening, tree: { ...kept.tree, nodes: kept.tree.nodes.map(node) } };
  },
};
