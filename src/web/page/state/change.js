// How the game on the board changes.

import * as Tree from "../tree.js";
import { afterMove } from "../verdict.js";
import { setReport, setVerdict } from "./answers.js";
import { clocksAfter, stopGame } from "./clocks.js";
import { gamePosition, handicapMove, isEngine, notedNode, turnOf } from "./read.js";

export const set = (state, fields) => ({ ...state, ...fields });

// Sets the seconds that Tengen thinks about a move, also in the game behind a puzzle.
export function setTurnTime(state, turn) {
  const withTime = (own) => ({ ...own, settings: { ...own.settings, turn } });
  const { puzzle } = state;
  return { ...withTime(state), puzzle: puzzle && { ...puzzle, kept: withTime(puzzle.kept) } };
}

// Fields that are reset with every change of the position.
export const OF_POSITION = {
  shownLine: null,
  shownFact: null,
  shownBest: null,
  peeked: null,
  marked: null,
  proof: null,
  threat: null,
  foul: null,
  offer: null,
  removing: null,
  tapped: null,
  paused: null,
};

// Ends the job. A win or a threat that it has not found yet is not shown.
export const dropJob = (state) => ({
  ...state,
  job: null,
  proof: state.proof?.result ? state.proof : null,
  threat: state.threat?.holds ? state.threat : null,
});

export const positionChanged = (state, now) => ({
  ...state,
  ...OF_POSITION,
  trouble: state.trouble?.isLasting ? state.trouble : null,
  since: now,
  now,
});

// Shows the last position of the shown line that is part of the game, and makes the game the current line.
export function backToGame(open, now) {
  const state = stopGame(open, now);
  const game = Tree.gameOf(state.tree);
  const steps = game
    .slice(1)
    .reduce((tree, { id, parent }) => Tree.patchNode(tree, parent, { visited: id }), state.tree);
  return { ...state, tree: { ...steps, here: gamePosition(state) }, labelled: null };
}

// Shows another position of the tree. Engines wait there.
export function go(open, id, now) {
  const state = stopGame(open, now);
  // A field that has the focus follows the person, and not an engine.
  return { ...state, tree: Tree.goTo(state.tree, id), noting: state.noting === null ? null : id, labelled: null };
}

// Goes to the position after these moves from a node. They are added to the tree. Engines wait there.
export function follow(open, moves, now, id = open.tree.here) {
  const state = stopGame(open, now);
  return { ...state, tree: Tree.explore(state.tree, moves, id), labelled: null };
}

export const setComment = (state, comment) => ({
  ...state,
  tree: Tree.patchNode(state.tree, notedNode(state), { comment }),
});

// Marks a point of the shown position with a text, by default the next letter; takes the mark back if it is there.
export function toggleMark(state, point, text) {
  const { tree } = state;
  const own = Tree.nodeOf(tree).marks.find(([at]) => at === point)?.[1];
  const isTaken = own !== undefined && (text === "" || text === own);
  const next = text || Tree.nextMark(tree, tree.here);
  return { ...state, tree: Tree.setMark(tree, tree.here, point, isTaken ? "" : next) };
}

// Adds these moves from a node as a variation. The shown position and the line that it is on stay.
export function keepLine(state, moves, id) {
  const grown = Tree.goTo(Tree.explore(state.tree, moves, id), state.tree.here);
  return { ...state, tree: Tree.withVisitsOf(grown, state.tree) };
}

// A typed comment was saved. The next one may have begun.
export const endDraft = (state, draft) => (state.draft === draft ? { ...state, draft: null } : state);

// Whether a move in the shown position goes on with the game: in its last position, and where moves were taken back.
const goesOn = ({ tree }) => Tree.gameOf(tree).at(-1).id === tree.here || Tree.nodeOf(tree).resumes;

// Goes back to the last position with a person to move, or in a puzzle the winning side; between two engines, one move.
export function takeBack(state) {
  const isPersonsTurn = (id) => !isEngine(state.seats[turnOf(state, id)]) && handicapMove(state, id) === null;
  const isPerson = ({ id }) => (state.puzzle ? turnOf(state, id) === state.puzzle.side : isPersonsTurn(id));
  const { nodes, here } = state.tree;
  let node = nodes[nodes[here].parent];
  if (!isPerson(node) && node.parent !== null && isPerson(nodes[node.parent])) node = nodes[node.parent];
  // The game goes on from here: claimed results are void, and the server reports those of the stones again.
  const lost = Tree.pathOf(state.tree).filter(({ result }) => result);
  const ends = lost.reduce((changed, { id }) => Tree.patchNode(changed, id, { result: null }), state.tree);
  // A move that is taken back from a variation leaves the game as it is.
  const left = Tree.patchNode(ends, here, { resumes: false });
  const tree = Tree.patchNode(left, node.id, { used: null, resumes: goesOn(state) });
  return { ...state, tree: Tree.goTo(tree, node.id), playing: isPerson(node) };
}

// Plays a move and keeps the clocks and these facts with it. Facts that the tree already has stay where `isKept`.
export function play(state, move, now, facts, isKept = false) {
  const { here } = state.tree;
  const isInGame = Tree.gameOf(state.tree).some(({ id }) => id === here);
  // Another move in the middle of the game begins a variation. A game that is played on there goes on there.
  const isOfGame = goesOn(state) || (state.playing && !isInGame);
  const played = Tree.playMove(Tree.patchNode(state.tree, here, { resumes: false }), move);
  const known = Tree.nodeOf(played);
  const given = Object.entries(facts).filter(([key]) => !isKept || known[key] === null);
  const fields = Object.fromEntries(given);
  // A move that is only shown again keeps its time.
  if (state.settings.clock > 0 && (state.playing || !known.left)) fields.left = clocksAfter(state, now);
  // A move of the game that goes on comes before variations that were looked at meanwhile.
  const grown = isOfGame ? Tree.makeFirst(played, played.here) : played;
  if (isOfGame) Object.assign(fields, { explored: false, used: null });
  return { ...state, tree: Tree.patchNode(grown, grown.here, fields) };
}

// Plays the answer of an engine to a position.
export function playAnswer(state, id, answer, now) {
  const { why = null, text = null, verdict = null, said = null, info = null } = answer;
  const time = answer.time ?? Math.round(info?.time ?? 0);
  const judged = { why, text, judged: verdict, said, time };
  const played = play(setVerdict(state, id, verdict), answer.point, now, judged);
  const { here, nodes } = played.tree;
  const isOpen = verdict && nodes[here].verdict === null && !nodes[here].scored;
  const after = isOpen ? setVerdict(played, here, afterMove(verdict, turnOf(state, id))) : played;
  return info ? setReport(after, id, info) : after;
}

// Ends the game without a stone: the winner's opponent ran out of time or resigned, or both agreed on a draw.
export function endGame(state, winner, end) {
  const tree = Tree.patchNode(state.tree, state.tree.here, { result: { winner, end } });
  return { ...state, tree, playing: false, offer: null };
}

export const removeNode = (state, id) => ({ ...state, tree: Tree.removeNode(state.tree, id) });

export const showTrouble = (state, text, isLasting = false) => ({
  ...state,
  trouble: text ? { text, isLasting } : null,
});

// A message that says what happened.
export const showNote = (state, text) => ({
  ...state,
  trouble: { text, isLasting: false, isNote: true },
  spoken: { text },
});

export const speak = (state, text) => ({ ...state, spoken: { text } });
