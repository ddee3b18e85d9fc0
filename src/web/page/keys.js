// The keys of the page.

import { isEnabled } from "./state/index.js";

// The rows of the help: keys, and the text that explains them.
export const HELP = [
  [["←", "↑", "↓", "→"], "keyArrows"],
  [["Enter"], "keyEnter"],
  [[",", "."], "keyStep"],
  [["Home", "End"], "keyEnds"],
  [["[", "]"], "keyFaults"],
  [["t"], "keyTakeback"],
  [["m"], "keyMove"],
  [["h"], "keyHint"],
  [["x"], "keyThreats"],
  [["a"], "keyAnalyse"],
  [["c"], "keyCandidates"],
  [["l"], "keyLook"],
  [["o"], "keyOverlay"],
  [["n"], "keyNumbers"],
  [["f"], "keyFlip"],
  [["p"], "keyPause"],
  [["g"], "keyNew"],
];

// The action of each key.
const ACTIONS = {
  ",": "back",
  ".": "forward",
  "[": "lastFault",
  "]": "nextFault",
  Home: "first",
  End: "last",
  t: "takeback",
  m: "move",
  h: "hint",
  x: "threats",
  a: "analyse",
  c: "candidates",
  l: "look",
  o: "nextOverlay",
  n: "numbers",
  f: "flip",
  p: "pause",
  g: "new",
  "?": "help",
};

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const hasModifier = (event) => event.ctrlKey || event.altKey || event.metaKey;

// Keys of the page. They do nothing in fields and dialogs.
export function listenToKeys(store, actions) {
  document.addEventListener("keydown", (event) => {
    if (hasModifier(event) || event.target.closest("input, select, textarea, dialog")) return;
    const name = ACTIONS[event.key];
    if (!name || !isEnabled(store.get(), name)) return;
    actions[name]();
    event.preventDefault();
  });
}

// Keys of the board: its cursor.
export function listenToBoardKeys(store, actions, host) {
  host.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return;
    const { cursor } = store.get();
    const isPlay = (event.key === "Enter" || event.key === " ") && cursor;
    if (STEPS[event.key]) actions.moveCursor(...STEPS[event.key]);
    else if (isPlay) actions.choose(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
