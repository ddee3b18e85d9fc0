// Whole games: begun, opened, saved, and put aside for a puzzle.

import * as Tree from "../tree.js";
import { splitMoves } from "../points.js";
import { afterMove } from "../verdict.js";
import { OF_POSITION } from "./change.js";
import { runTime, stopGame } from "./clocks.js";
import { createOpening } from "./opening.js";
import { gameBehind } from "./read.js";

// The settings of a game that is only replayed.
const PLAIN = { procedure: "plain", clock: 0, moveTime: 0, handicap: 0 };

// Fields of the game that an open puzzle puts aside.
const PUT_ASIDE =
  "settings seats names header tree opening playing paused reports analysing looking offers chosenGame original".split(
    " ",
  );

const fieldsOf = (state, keys) => Object.fromEntries(keys.map((key) => [key, state[key]]));

// The state without its game and its puzzle. Engines wait.
const withoutGame = (state) => ({
  ...state,
  ...OF_POSITION,
  names: null,
  header: null,
  opening: null,
  playing: false,
  analysing: false,
  looking: false,
  marking: false,
  labelling: false,
  labelled: null,
  draft: null,
  noting: null,
  offers: 0,
  reports: {},
  // The next board may be smaller.
  hovered: null,
  cursor: null,
  point: null,
  view: null,
  chosenGame: null,
  original: null,
  puzzle: null,
  trouble: null,
});

// The settings with the players changed.
export const changeSides = (settings) => ({ ...settings, one: settings.two, two: settings.one });

// The settings for another game like the one on the board. Without an opening procedure they name the players by color.
export const settingsOfGame = ({ settings, seats }) =>
  settings.procedure === "plain" ? { ...settings, one: seats.black, two: seats.white } : settings;

// The settings that the dialog of a new game offers: those of the game on the board, with the procedure, clocks and handicap
// of the last game that was begun, because a game from a file has its own replaced.
export function settingsOfNext(state) {
  const { settings } = gameBehind(state);
  return { ...settings, ...fieldsOf(state.fresh ?? settings, Object.keys(PLAIN)) };
}

export const begin = (state, settings) => ({
  ...withoutGame(state),
  settings,
  fresh: settings,
  seats: { black: settings.one, white: settings.two },
  tree: Tree.createTree(state.tree.next),
  opening: settings.procedure === "plain" ? null : createOpening(),
  playing: true,
  analysing: state.analysing,
});

// Shows one of the named openings of renju. Engines wait. It can be dropped: the panel shows it again.
export function beginOpening(state, moves) {
  const settings = { ...state.settings, size: 15, rule: "renju", continuous: false, ...PLAIN };
  const tree = moves.reduce(Tree.playMove, Tree.createTree(state.tree.next));
  return {
    ...withoutGame(state),
    settings,
    seats: { black: settings.one, white: settings.two },
    tree,
    analysing: state.analysing,
    original: Tree.packTree(tree),
  };
}

// Shows a game of a file, as the server has read it.
export function loadGame(state, place) {
  const game = state.games[place];
  const { size, rule, continuous } = game;
  const moves = splitMoves(game.moves);
  let tree = treeOf(game, state.tree.next);
  const line = Tree.lineOf(tree);
  const end = line[moves.length];
  // Moves after the end of the game: taken back, or a variation.
  for (const child of end.children) tree = Tree.patchNode(tree, child, { explored: true });
  tree = Tree.goTo(tree, end.id);
  moves.forEach((_, ply) => (tree = Tree.patchNode(tree, line[ply + 1].id, { time: game.times?.[ply] ?? null })));
  for (const { ply, text, verdict } of game.said ?? []) {
    const { id } = line[Math.min(ply + 1, line.length - 1)];
    tree = Tree.patchNode(tree, id, { said: [...(tree.nodes[id].said ?? []), text] });
    // What the engine thought of the move that it has just played.
    if (verdict) tree = Tree.patchNode(tree, id, { verdict: afterMove(verdict, Tree.colorOf(ply)) });
  }
  const isClaimed = game.end === "time" || (game.winner && !["row", "foul", "draw"].includes(game.end));
  if (isClaimed) {
    const result = { winner: game.winner === "draw" ? null : game.winner, end: game.end, text: game.detail };
    tree = Tree.patchNode(tree, tree.here, { result });
  }
  return {
    ...withoutGame(state),
    settings: { ...state.settings, size, rule, continuous, ...PLAIN },
    seats: { black: "human", white: "human" },
    names: game.players?.some(Boolean) ? { black: game.players[0], white: game.players[1] } : null,
    header: game.tree ? { date: game.date, event: game.name } : null,
    tree,
    chosenGame: place,
    original: state.games.length > 1 ? Tree.packTree(tree) : null,
  };
}

// The tree of a game of a file, as the server has read it, at the end of its first line.
function treeOf(game, root) {
  if (!game.tree) return splitMoves(game.moves).reduce(Tree.playMove, Tree.createTree(root));
  const tree = Tree.unpackTree(game.tree, root);
  return Tree.goTo(tree, Tree.tipOf(tree));
}

// A game as the list of recent games stores it, without what the server can tell again.
export function packGame(state, now) {
  const { settings, seats, names, header, opening, tree } = gameBehind(stopGame(state, now));
  const packed = Tree.packTree(tree);
  const isKept = ([key]) => !["why", "text", "said", "facts"].includes(key);
  const nodes = packed.nodes.map((node) => Object.fromEntries(Object.entries(node).filter(isKept)));
  const answers = opening && { answers: opening.answers };
  return { settings, seats, names, header, opening: answers, tree: { ...packed, nodes } };
}

// Shows a game that was packed.
export const unpackGame = (state, { settings, seats, names, header = null, opening, tree }) => ({
  ...withoutGame(state),
  settings: { ...state.settings, ...settings },
  seats,
  names,
  header,
  opening: opening && createOpening(opening.answers),
  tree: Tree.unpackTree(tree, state.tree.next),
});

// Whether the game can be dropped: it is empty, or its file or the panel of the named openings holds all of it.
export function isUntouched(state) {
  const { tree, original } = gameBehind(state);
  const { children, comment, marks } = tree.nodes[tree.root];
  const isEmpty = children.length === 0 && comment === "" && marks.length === 0;
  return isEmpty || (original !== null && Tree.holdsTree(original, Tree.packTree(tree)));
}

// Opens a puzzle. The game waits behind it.
export function beginPuzzle(state, puzzle) {
  const kept = state.puzzle?.kept ?? { ...fieldsOf(state, PUT_ASIDE), used: runTime(state) };
  const { rule, size, moves } = puzzle;
  const settings = { ...kept.settings, rule, size, continuous: false, ...PLAIN };
  const tree = moves.reduce(Tree.playMove, Tree.createTree(state.tree.next));
  const fresh = { note: null, hinted: null, isSolved: false, isShown: false };
  return {
    ...withoutGame(state),
    settings,
    seats: { black: "human", white: "human" },
    tree,
    playing: true,
    puzzle: { ...puzzle, ...fresh, side: Tree.colorOf(moves.length), kept },
  };
}

// Goes back to the game. Ids of positions are never used again.
export function endPuzzle(state, now) {
  const { used, tree, ...kept } = state.puzzle.kept;
  const { next } = state.tree;
  return { ...withoutGame(state), ...kept, tree: { ...tree, next }, since: now - used, now };
}

// Begins to show the solution of the puzzle, with its position.
export function showSolution(state) {
  const { puzzle, tree } = state;
  const start = Tree.lineOf(tree)[puzzle.moves.length].id;
  const solved = puzzle.solution.reduce(Tree.playMove, Tree.goTo(tree, start));
  return { ...state, tree: Tree.goTo(solved, start), puzzle: { ...puzzle, isShown: true } };
}

// The fields that the browser keeps as they are.
const KEPT_FIELDS = (
  "settings fresh seats names header playing paused overlay weighting numbers candidates perspective fairness language " +
  "contrast theme flipped coordinates taps sound threads memory"
).split(" ");

export const savedValues = (state) => [...KEPT_FIELDS.map((key) => state[key]), state.tree, state.opening?.answers];

// `since` is minus the time used for the move, because performance.now() starts at 0 after a reload.
export const packState = (open, now) => ({
  ...packSaved(gameBehind(open)),
  since: -Math.round(open.puzzle?.kept.used ?? runTime(open, now)),
});

const packSaved = (state) => ({
  ...fieldsOf(state, KEPT_FIELDS),
  opening: state.opening && createOpening(state.opening.answers, state.opening.undo),
  tree: Tree.packTree(state.tree),
});

// The state with a saved one in it; the same state if the saved one is damaged.
export function restoreState(state, saved) {
  try {
    const { version: _, tree, settings, ...values } = saved;
    const given = Object.entries(values).filter(
      ([key, value]) => key in state && value !== undefined && value !== null,
    );
    const known = { ...state, ...Object.fromEntries(given), tree: Tree.unpackTree(tree) };
    return { ...known, settings: { ...state.settings, ...settings } };
  } catch {
    return state;
  }
}
