// The state of the page: one value, replaced by plain functions. Nothing here knows the document or the server.

import * as Tree from "./tree.js";
import { splitMoves } from "./points.js";

// Holds the state. `update` replaces it by what a function makes of it and tells the subscribers.
export function createStore(state) {
  const subscribers = [];
  return {
    get: () => state,
    subscribe: (subscriber) => subscribers.push(subscriber),
    update(change, ...values) {
      const next = change(state, ...values);
      if (next === state) return;
      state = next;
      for (const subscriber of subscribers) subscriber(state);
    },
  };
}

// The state of a first visit.
export const initialState = (language) => ({
  // Saved in the browser.
  settings: {
    size: 15,
    rule: "freestyle",
    continuous: false,
    procedure: "plain",
    one: "human",
    two: "search",
    turn: 2, // Seconds per move.
    nodes: 0,
    clock: 0, // Minutes per game.
    increment: 0, // Seconds per move.
  },
  seats: { black: "human", white: "search" },
  names: null, // The players of a game that was opened, by color.
  tree: Tree.createTree(),
  opening: null, // While a procedure runs: { answers, pending: stones chosen so far, state: what is asked }.
  playing: true, // Whether engines move by themselves.
  overlay: "none",
  weighting: "shapes",
  numbers: false,
  language,
  contrast: "normal",

  // Of this visit.
  hello: null, // What the server offers.
  job: null, // What the server works at: { kind: "play", "analyse", "keep", "whole" or "prove" }.
  view: null, // The server's view of the position `view.node`.
  info: null, // The last report of a search of the position `info.node`.
  shownLine: null, // The place of the search line that the board shows.
  point: null, // The point that is looked at.
  proof: null,
  marked: null, // The point of a table row under the pointer.
  draft: null, // A comment that is being typed: { node, text }.
  labelling: false, // Whether a click on the board labels the point.
  labelled: null, // The point whose label is being typed.
  libraryNote: null, // What became of the last change of the library: { text, isError }.
  games: [],
  chosenGame: null,
  analysing: false,
  looking: false,
  lines: 3, // Lines of an analysis.
  tab: "analysis",
  progress: null, // Of the job "whole": { share, text }
  trouble: null, // { text, isLasting }: a lasting one stays until the server answers again.
  spoken: { text: "" }, // Spoken again where it is set again.
  hovered: null, // The point under the pointer.
  cursor: null, // The point under the cursor of the keyboard.
  isDropping: null, // What a dragged file would become: "game" or "library".
  since: 0, // When the side to move began to think, and what time it is: milliseconds of performance.now().
  now: 0,
});

// What is saved.

export const savedValues = (state) => [
  state.settings,
  state.seats,
  state.names,
  state.tree,
  state.opening?.answers,
  state.playing,
  state.overlay,
  state.weighting,
  state.numbers,
  state.language,
  state.contrast,
];

export const packState = (state) => ({
  settings: state.settings,
  seats: state.seats,
  names: state.names,
  playing: state.playing,
  overlay: state.overlay,
  weighting: state.weighting,
  numbers: state.numbers,
  opening: state.opening && { answers: state.opening.answers, pending: [] },
  tree: Tree.packTree(state.tree),
  language: state.language,
  contrast: state.contrast,
});

// The state with a saved one in it; the same state if the saved one is damaged.
export function restoreState(state, saved) {
  try {
    const { version: _, tree, ...values } = saved;
    const given = Object.entries(values).filter(
      ([key, value]) => key in state && value !== undefined && value !== null,
    );
    return { ...state, ...Object.fromEntries(given), tree: Tree.unpackTree(tree) };
  } catch {
    return state;
  }
}

// What can be read from a state.

export const turnOf = (state, id = state.tree.here) => Tree.colorOf(Tree.depthOf(state.tree, id));

// A position as messages hold it.
export function gameOf(state, id = state.tree.here) {
  const { size, rule, continuous } = state.settings;
  return { size, rule, continuous, moves: Tree.movesOf(state.tree, id).join(" ") };
}

// The opening as messages hold it.
export function openingOf(state, answers = state.opening.answers) {
  const { size, rule, continuous, procedure } = state.settings;
  return { size, rule, continuous, procedure, answers };
}

// The server's view of a position, if it is known.
export const viewOf = (state, id = state.tree.here) => (state.view?.node === id ? state.view : null);

// Whether there is a library for the game. It holds no continuous ones.
export const hasLibrary = ({ hello, settings }) => Boolean(hello?.library) && !settings.continuous;

// What the library knows of the shown position, if the server has told it.
export function libraryOf(state) {
  const library = viewOf(state)?.library;
  return library && !library.error ? library : null;
}

// Whether the server has not yet answered for the shown position. During an opening its questions stand for that.
export const isWaiting = (state) => viewOf(state) === null && !state.opening?.state;

export const resultOf = (state) => Tree.nodeOf(state.tree).result ?? viewOf(state)?.outcome ?? null;
export const isOver = (state) => resultOf(state) !== null;
export const isThinking = (state) => state.job?.kind === "play";
export const isEngine = (seat) => seat !== "human";

// The player whom the opening procedure asks.
export const askedSeat = (state) =>
  state.opening.state.asked.player === "opener" ? state.settings.one : state.settings.two;

// The player to move; undefined while the opening procedure has not said whom it asks.
export const seatToMove = (state) =>
  state.opening?.state?.asked ? askedSeat(state) : state.seats[state.opening?.state?.turn ?? turnOf(state)];

// The stones of a search line or a proof that the board shows on a position; null if there are none. `shift` is 1 where
// the other side begins.
export function previewOf(state) {
  const line = state.shownLine === null ? null : state.info?.lines[state.shownLine];
  if (line) return { node: state.info.node, moves: splitMoves(line.moves), shift: 0 };
  const { proof } = state;
  if (!proof?.moves.length) return null;
  const shift = proof.side === turnOf(state, proof.node) ? 0 : 1;
  return { node: proof.node, moves: proof.moves.slice(0, proof.shown), shift };
}

export const clocksRun = (state) => state.settings.clock > 0 && state.playing && !isOver(state) && !state.opening;

// Milliseconds left of both sides, as the moves up to a node left them.
function clocksAt(state, id) {
  const start = state.settings.clock * 60000;
  const timed = Tree.pathOf(state.tree, id).findLast(({ left }) => left);
  return timed?.left ?? [start, start];
}

// Milliseconds left of a side at a time.
export function clockLeft(state, color, now = state.now) {
  const left = clocksAt(state, state.tree.here)[color === "black" ? 0 : 1];
  return clocksRun(state) && color === turnOf(state) ? left - (now - state.since) : left;
}

// Whether a button of the page can be used.
export function isEnabled(state, button) {
  const { tree, opening } = state;
  switch (button) {
    case "first":
    case "back":
    case "takeback":
      return Tree.nodeOf(tree).parent !== null && !opening;
    case "last":
    case "forward":
      return Tree.nextOf(tree) !== undefined && !opening;
    case "move":
      return !isOver(state) && (!opening || isEngine(seatToMove(state)));
    case "analyse":
    case "vcf":
    case "vct":
      return !isOver(state) && !opening;
    case "addline":
      return hasLibrary(state) && !opening;
    case "keep":
      return hasLibrary(state) && !isOver(state) && !opening;
    case "undo":
      return libraryOf(state)?.undo > 0;
    case "forget":
      return Boolean(libraryOf(state)?.position);
    case "whole":
      return Tree.nextOf(tree, tree.root) !== undefined && !opening;
    default:
      return true;
  }
}

// How a state changes.

export const set = (state, fields) => ({ ...state, ...fields });

// Another position is shown: what was found about the one before is gone.
export const positionChanged = (state, now) => ({
  ...state,
  shownLine: null,
  marked: null,
  labelled: null,
  proof: null,
  trouble: state.trouble?.isLasting ? state.trouble : null,
  since: now,
  now,
});

export function begin(state, settings) {
  return {
    ...state,
    settings,
    seats: { black: settings.one, white: settings.two },
    tree: Tree.createTree(state.tree.next),
    opening: settings.procedure === "plain" ? null : { answers: [], pending: [] },
    playing: true,
    names: null,
    info: null,
    point: null,
    looking: false,
    view: null,
    chosenGame: null,
    trouble: null,
  };
}

// Shows a game of a file, as the server has read it.
export function loadGame(state, place) {
  const game = state.games[place];
  const { size, rule, continuous } = game;
  const moves = splitMoves(game.moves);
  let tree = moves.reduce(Tree.playMove, Tree.createTree(state.tree.next));
  const line = Tree.lineOf(tree);
  moves.forEach((_, ply) => (tree = Tree.patchNode(tree, line[ply + 1].id, { time: game.times?.[ply] ?? null })));
  for (const { ply, text, chance } of game.said ?? []) {
    const { id } = line[Math.min(ply + 1, line.length - 1)];
    tree = Tree.patchNode(tree, id, { said: [...(tree.nodes[id].said ?? []), text] });
    // The engine's chance of the move that it has just played.
    tree = addChance(tree, id, Tree.otherColor(Tree.colorOf(Tree.depthOf(tree, id))), chance);
  }
  const isClaimed = game.end === "time" || (game.winner && !["row", "foul", "draw"].includes(game.end));
  if (isClaimed) {
    const result = { winner: game.winner === "draw" ? null : game.winner, end: game.end, text: game.detail };
    tree = Tree.patchNode(tree, tree.here, { result });
  }
  return {
    ...state,
    settings: { ...state.settings, size, rule, continuous, procedure: "plain", clock: 0 },
    seats: { black: "human", white: "human" },
    names: game.players?.some(Boolean) ? { black: game.players[0], white: game.players[1] } : null,
    tree,
    opening: null,
    playing: false,
    analysing: false,
    info: null,
    point: null,
    view: null,
    chosenGame: place,
    trouble: null,
  };
}

// Shows another position of the tree. Engines wait there.
export const go = (state, id) => ({ ...state, tree: Tree.goTo(state.tree, id), playing: false, info: null });

// Goes to the position after a move, which is added to the tree. Engines wait there.
export const follow = (state, move) => ({
  ...state,
  tree: Tree.playMove(state.tree, move),
  playing: false,
  info: null,
});

// A typed comment was saved. The next one may have begun.
export const endDraft = (state, draft) => (state.draft === draft ? { ...state, draft: null } : state);

// Goes back to the last position in which a person who plays an engine had the move; between two engines one move back.
export function takeBack(state) {
  const isPerson = ({ id }) => !isEngine(state.seats[turnOf(state, id)]);
  const { nodes, here } = state.tree;
  let node = nodes[nodes[here].parent];
  if (!isPerson(node) && node.parent !== null && isPerson(nodes[node.parent])) node = nodes[node.parent];
  const lost = Tree.pathOf(state.tree).filter(({ result }) => result?.end === "time");
  const tree = lost.reduce((changed, { id }) => Tree.patchNode(changed, id, { result: null }), state.tree);
  return { ...state, tree: Tree.goTo(tree, node.id), playing: isPerson(node), info: null };
}

// Plays a move and keeps the clocks and these facts with it. Facts that the tree already has stay where `isKept`.
export function play(state, move, now, facts, isKept = false) {
  const color = turnOf(state);
  const before = clocksAt(state, state.tree.here);
  const played = Tree.playMove(state.tree, move);
  const known = Tree.nodeOf(played);
  const given = Object.entries(facts).filter(([key]) => !isKept || known[key] === null);
  const fields = Object.fromEntries(given);
  if (state.settings.clock > 0) {
    const spent = state.playing ? now - state.since : 0;
    const own = color === "black" ? 0 : 1;
    fields.left = before.map((left, side) => (side === own ? left + state.settings.increment * 1000 - spent : left));
  }
  return { ...state, tree: Tree.patchNode(played, played.here, fields) };
}

// Plays the answer of an engine to a position.
export function playAnswer(state, id, answer, now) {
  const { why = null, text = null, score = null, said = null } = answer;
  const time = answer.time ?? Math.round(answer.info?.time ?? 0);
  const played = play(setChance(state, id, answer.chance), answer.point, now, { why, text, score, said, time });
  const { here, nodes } = played.tree;
  const isOpen = nodes[here].chance === null && !nodes[here].scored;
  const tree = isOpen ? Tree.patchNode(played.tree, here, { chance: nodes[id].chance }) : played.tree;
  return { ...played, tree, info: answer.info ? { ...answer.info, node: id } : played.info };
}

// The clock of a side has run out.
export function loseOnTime(state, color) {
  const result = { winner: Tree.otherColor(color), end: "time" };
  return { ...state, tree: Tree.patchNode(state.tree, state.tree.here, { result }), playing: false };
}

// Keeps what the server knows about a position.
export function setView(state, id, view) {
  let { tree } = state;
  if (view.scored) {
    const known = Tree.addScores(tree, id, view.scored);
    // The chance was that of the five.
    if (isNewScore(tree, known, id)) tree = Tree.patchNode(known, id, { chance: null });
    else tree = known;
  }
  if (view.outcome && !tree.nodes[id].result) {
    const { winner } = view.outcome;
    tree = Tree.patchNode(tree, id, { result: view.outcome, ...(winner && { chance: winner === "black" ? 1 : 0 }) });
  }
  return { ...state, tree, view: { ...view, node: id } };
}

// Whether a tree knows the score of a stone that another did not.
export const isNewScore = (before, after, id) => Boolean(after.nodes[id].scored && !before.nodes[id].scored);

// Keeps the chance that a side has in a position.
function addChance(tree, id, color, chance) {
  if (chance === undefined || chance === null) return tree;
  return Tree.patchNode(tree, id, { chance: color === "black" ? chance : 1 - chance });
}

// Keeps the chance that the side to move has in a position.
export const setChance = (state, id, chance) => ({
  ...state,
  tree: addChance(state.tree, id, turnOf(state, id), chance),
});

// Keeps a report of a search. Without nodes there was no search: the centre of an empty board has no score.
export function setInfo(state, id, info) {
  const isScored = info.lines.length > 0 && info.nodes > 0;
  return { ...(isScored ? setChance(state, id, info.lines[0].chance) : state), info: { ...info, node: id } };
}

// A position whose game has ended is worth its result.
export function setResultChance(state, id) {
  const winner = state.tree.nodes[id].result?.winner;
  return winner ? setChance(state, id, winner === turnOf(state, id) ? 1 : 0) : state;
}

export const removeNode = (state, id) => ({ ...state, tree: Tree.removeNode(state.tree, id) });

// The opening has reached another state: its stones are on the board, and somebody is asked, or the colors are settled.
export function setOpening(state, opening, now) {
  const tree = opening.stones.reduce(Tree.playMove, Tree.goTo(state.tree, state.tree.root));
  if (opening.asked) return { ...state, tree, opening: { ...state.opening, state: opening } };
  const { one, two } = state.settings;
  const seats = opening.black === "opener" ? { black: one, white: two } : { black: two, white: one };
  return { ...state, tree, seats, opening: null, since: now, now };
}

export const setPending = (state, pending) => ({ ...state, opening: { ...state.opening, pending } });
export const setAnswers = (state, answers) => ({ ...state, opening: { ...state.opening, answers, pending: [] } });

// Chooses a point for an answer of the opening, or takes it back.
export function togglePending(state, point) {
  const { pending, state: opening } = state.opening;
  if (pending.includes(point))
    return setPending(
      state,
      pending.filter((other) => other !== point),
    );
  const isFull = pending.length >= Math.max(0, ...opening.asked.counts);
  return isFull ? state : setPending(state, [...pending, point]);
}

export const showTrouble = (state, text, isLasting = false) => ({
  ...state,
  trouble: text ? { text, isLasting } : null,
});
export const speak = (state, text) => ({ ...state, spoken: { text } });
