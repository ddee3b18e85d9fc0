// Keeps the game in the browser, so that a reload goes on with it. Each tab has its own copy in sessionStorage; a new tab
// starts from the last one saved in localStorage.

import { parseLetters } from "./points.js";

const KEY = "tengen-board";

// The form of a saved game. Saved games without a number are of version 1: points in letters, ranks from the top. In
// version 2 points are "x,y". In version 3 positions have verdicts instead of black's chance.
export const VERSION = 3;

// Changes within this time are saved together.
const SAVE_DELAY = 200;

// Returns whether the browser has room for the game. One that stores nothing at all, by its settings, counts as having it.
function write(kept) {
  const text = JSON.stringify({ version: VERSION, ...kept });
  const isWritten = ["sessionStorage", "localStorage"].map((name) => {
    try {
      window[name].setItem(KEY, text);
      return true;
    } catch (error) {
      return error.name !== "QuotaExceededError";
    }
  });
  return isWritten.every(Boolean);
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

// Brings a saved game to this version, one version at a time; null if a newer one wrote it.
export function upgrade(kept) {
  switch (kept.version) {
    case undefined:
      return upgrade(withCoordinates(kept));
    case 2:
      return upgrade(withVerdicts(kept));
    default:
      return kept.version === VERSION ? kept : null;
  }
}

function withVerdicts(kept) {
  // The scores of moves, which were texts, are gone.
  const node = ({ chance = null, ...others }) => {
    delete others.score;
    return { ...others, verdict: chance === null ? null : { result: null, chance } };
  };
  const opening = kept.opening && { ...kept.opening, undo: [], said: null };
  return { ...kept, version: 3, opening, tree: { ...kept.tree, nodes: kept.tree.nodes.map(node) } };
}

function withCoordinates(kept) {
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
  return { ...kept, version: 2, opening, tree: { ...kept.tree, nodes: kept.tree.nodes.map(node) } };
}

const SOLVED_KEY = "tengen-puzzles";

// The ids of the puzzles that were solved in this browser.
export function readSolved() {
  try {
    const solved = JSON.parse(localStorage.getItem(SOLVED_KEY));
    return Array.isArray(solved) ? solved.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

// Saves the solved puzzles whenever there is another one.
export function saveSolved(store) {
  let { solved } = store.get();
  store.subscribe((state) => {
    if (state.solved === solved) return;
    solved = state.solved;
    try {
      // Another tab may have saved others.
      localStorage.setItem(SOLVED_KEY, JSON.stringify([...new Set([...readSolved(), ...solved])]));
    } catch {
      // The page also works in a browser that stores nothing.
    }
  });
}

// Saves what `pack` takes from the state: at once, then whenever one of the values of `watched` changes, and when the page
// is hidden or left while `isTimed`. `leave` is called whenever the page is hidden or left, and `warn` when the browser
// has no room any more, or has room again.
export function saveChanges(store, watched, pack, isTimed, leave, warn) {
  let saved = null;
  let timer = null;
  let hasRoom = true;
  const save = () => {
    clearTimeout(timer);
    timer = null;
    saved = watched(store.get());
    const hadRoom = hasRoom;
    hasRoom = write(pack(store.get(), performance.now()));
    if (hasRoom !== hadRoom) warn(!hasRoom);
  };
  save();
  store.subscribe((state) => {
    if (timer === null && watched(state).some((value, place) => value !== saved[place])) {
      timer = setTimeout(save, SAVE_DELAY);
    }
  });
  // A page that is left in between saves what it has.
  const saveRest = ({ type }) => {
    if (timer !== null || isTimed(store.get())) save();
    if (type === "pagehide" || document.visibilityState === "hidden") leave();
  };
  window.addEventListener("pagehide", saveRest);
  document.addEventListener("visibilitychange", saveRest);
}
