// Draws the state. Each part of the page has `select`, the values that it shows, and `draw`, which makes its elements
// from the state and does nothing else. A part is drawn when one of its values has changed.

import { proof, proofShown, searchFacts, searchLines, threat } from "./analysis.js";
import { createBoard } from "./board.js";
import { buttons, drop, progress, spoken, tabs, trouble } from "./controls.js";
import { evaluation } from "./evaluation.js";
import { fairness } from "./fairness.js";
import { games } from "./games.js";
import { graph } from "./graph.js";
import { claimFields, comment, known, labelField, library, libraryNote, saveFormats } from "./library.js";
import { dialogLists, panelLists, settingsFields, texts } from "./lists.js";
import { moves, notes } from "./moves.js";
import { currentOpening, openingCards } from "./openings.js";
import { clocks, players } from "./players.js";
import { legend, point } from "./point.js";
import { puzzle, puzzleChoice } from "./puzzles.js";
import { question } from "./question.js";
import { recent } from "./recent.js";
import { review } from "./review.js";
import { moveWeights, why } from "./why.js";
import { translatorOf } from "../words.js";

const PARTS = [
  texts,
  panelLists,
  dialogLists,
  settingsFields,
  tabs,
  players,
  clocks,
  question,
  fairness,
  buttons,
  trouble,
  progress,
  spoken,
  drop,
  evaluation,
  graph,
  searchFacts,
  searchLines,
  proof,
  proofShown,
  threat,
  why,
  moveWeights,
  review,
  puzzle,
  puzzleChoice,
  openingCards,
  currentOpening,
  point,
  legend,
  moves,
  notes,
  library,
  known,
  comment,
  labelField,
  claimFields,
  libraryNote,
  saveFormats,
  games,
  recent,
];

// Draws the state now and after each change. Returns the board, which also knows the point under the pointer and its
// own picture.
export function startDrawing(store, actions) {
  const { goban, parts } = createBoard();
  const drawn = new Map();
  let wording = "";
  const draw = (state) => {
    const t = translatorOf(state);
    // Every part has texts.
    const words = [state.language, state.settings.continuous, state.coordinates].join(" ");
    if (words !== wording) drawn.clear();
    wording = words;
    for (const part of [...PARTS, ...parts]) {
      // If one part fails, the others are still drawn and the page still starts.
      try {
        const values = part.select(state);
        const before = drawn.get(part);
        if (before && values.length === before.length && values.every((value, place) => value === before[place]))
          continue;
        drawn.set(part, values);
        part.draw(state, t, actions);
      } catch (error) {
        reportError(error);
      }
    }
  };
  store.subscribe(draw);
  draw(store.get());
  return goban;
}
