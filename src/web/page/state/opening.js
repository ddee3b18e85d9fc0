// How an opening procedure goes on.

import * as Tree from "../tree.js";
import { withChosen } from "../procedure.js";
import { isEngine } from "./read.js";

// Fields of an opening procedure that are reset with every answer.
const OF_ANSWER = { pending: [], number: 1, isHinted: false, named: null };

// An opening procedure before its next question.
export const createOpening = (answers = [], undo = []) => ({ answers, undo, said: null, verdicts: {}, ...OF_ANSWER });

// The opening has reached another state: its stones are on the board, and somebody is asked, or the colors are settled.
// Stones of answers that were taken back are removed.
export function setOpening(state, opening, now) {
  const tree = Tree.pathAlone(opening.stones.reduce(Tree.playMove, Tree.goTo(state.tree, state.tree.root)));
  if (opening.asked) return { ...state, tree, opening: { ...state.opening, state: opening } };
  const { one, two } = state.settings;
  const seats = opening.black === "opener" ? { black: one, white: two } : { black: two, white: one };
  return { ...state, tree, seats, opening: null, since: now, now };
}

export const setPending = (state, pending) => ({ ...state, opening: { ...state.opening, pending, named: null } });

const patchOpening = (state, fields) => ({ ...state, opening: { ...state.opening, ...fields } });

// The number of fifth moves that the answer announces.
export const setFifths = (state, number) => patchOpening(state, { number });

// The named opening of the stones on the board and those chosen.
export const setNamed = (state, named) => patchOpening(state, { named });

// A person who must decide asks how fair the position is.
export const showFairness = (state) => patchOpening(state, { isHinted: true });

// Keeps the verdict on a position that the procedure may reach.
export const setFairness = (state, key, verdict) =>
  patchOpening(state, { verdicts: { ...state.opening.verdicts, [key]: verdict } });

// A player has answered. What a person answers can be taken back.
export function setAnswers(state, answers, text, seat) {
  const { opening } = state;
  const undo = isEngine(seat) ? opening.undo : [...opening.undo, opening.answers];
  const said = isEngine(seat) ? { seat, text, isOffer: opening.state.asked.offer } : null;
  return { ...state, opening: { ...opening, answers, undo, said, ...OF_ANSWER } };
}

// Takes back the last answer of a person with what engines answered to it.
export function takeBackAnswer(state) {
  const undo = state.opening.undo.slice(0, -1);
  const answers = state.opening.undo.at(-1);
  return { ...state, tree: Tree.goTo(state.tree, state.tree.root), opening: createOpening(answers, undo) };
}

// Chooses a point for an answer of the opening, or takes it back.
export function togglePending(state, point) {
  const { pending, state: opening } = state.opening;
  return setPending(state, withChosen(opening.asked, pending, point));
}
