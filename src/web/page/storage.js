// Keeps the game in the browser, so that a reload goes on with it. Each tab has its own copy in sessionStorage; a new tab
// starts from the last one saved in localStorage.

import { parseLetters } from "./points.js";

const KEY = "tengen-board";

// The form of a saved game. Saved games without a number are of version 1: points in letters, ranks from the top. In
// version 2 points are "x,y".
const VERSION = 2;

// Changes within this time are saved together.
const SAVE_DELAY = 200;

function write(kept) {
  const text = JSON.stringify({ version: VERSION, ...kept });
  for (const name of ["sessionStorage", "localStorage"]) {
    try {
      window[name].setItem(KEY, text);
    } catch {
      // The page also works in a browser that stores nothing.
    }
  }
}

// The saved game; null if there is none that this version can read.
export function readSaved() {
  for (const name of ["sessionStorage", "localStorage"]) {
    try {
      const kept = JSON.parse(window[name].getItem(KEY));
      if (kept) return upgrade(kept);
    } catch {
      // Damaged text counts as none.
    }
  }
  return null;
}

function upgrade(kept) {
  if (kept.version === VERSION) return kept;
  if (kept.version !== undefined) return null;
  const { size } = kept.settings;
  const point = (text) => parseLetters(text, size, "top");
  const node = ({ move, scored, ...others }) => ({
    ...others,
    move: move && point(move),
    scored: scored && { ...scored, walls: scored.walls.map(point) },
    // The reason of the move has points in its text, in the old letters.
    why: null,
    text: null,
  });
  const words = (answer) =>
    answer
      .split(" ")
      .map((word) => point(word) ?? word)
      .join(" ");
  const opening = kept.opening && { ...kept.opening, answers: kept.opening.answers.map(words) };
  return { ...kept, version: VERSION, opening, tree: { ...kept.tree, nodes: kept.tree.nodes.map(node) } };
}

// Saves what `pack` takes from the state: at once, then whenever one of the values of `watched` changes.
export function saveChanges(store, watched, pack) {
  let saved = null;
  let timer = null;
  const save = () => {
    clearTimeout(timer);
    timer = null;
    saved = watched(store.get());
    write(pack(store.get()));
  };
  save();
  store.subscribe((state) => {
    if (timer === null && watched(state).some((value, place) => value !== saved[place])) {
      timer = setTimeout(save, SAVE_DELAY);
    }
  });
  // A page that is left in between saves what it has.
  window.addEventListener("pagehide", () => timer !== null && save());
}
