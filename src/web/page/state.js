// The state of the page: one value, replaced by plain functions. Nothing here knows the document or the server.

import * as Tree from "./tree.js";
import { pointAt, splitMoves } from "./points.js";
import { isDeciding, withChosen } from "./procedure.js";
import { afterMove, chanceOf, lossesOf, ofResult } from "./verdict.js";

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
    moveTime: 0, // Seconds that a person has for a move.
    handicap: 0, // White's first moves that go to the corners.
    lot: false, // Whether the colors were drawn by lot.
    strict: false, // Whether a forbidden move of a person is played without asking.
  },
  seats: { black: "human", white: "search" },
  names: null, // The players of a game that was opened, by color.
  tree: Tree.createTree(),
  // While a procedure runs: { answers, pending: stones chosen so far, state: what is asked, undo: the answers before each
  // of a person, said: the last answer of an engine, { seat, text, isOffer }, number: of fifth moves in the answer,
  // verdicts: on positions by their key in procedure.js, isHinted: whether a person who decides asked for them, named: the
  // named opening of the chosen stones }.
  opening: null,
  playing: true, // Whether engines move by themselves.
  overlay: "none",
  weighting: "shapes",
  numbers: false,
  candidates: true, // Whether the board shows the moves that a search weighs.
  fairness: true, // Whether a procedure shows how fair the chosen stones are.
  perspective: "black", // Whose chances are stated: "black", or "turn" for the side to move.
  language,
  contrast: "normal",
  theme: "auto", // "light", "dark", or that of the system.
  flipped: false, // Whether the board is turned round.
  coordinates: "letters", // or "numbers", as the protocol and Piskvork count.
  taps: "small", // When a tap must be repeated to play: "always", "never", or on a board with small cells.
  sound: false, // Whether the end of a person's time can be heard.
  threads: 0, // Of a search; 0 for those of the server.
  memory: 0, // MiB of a search; 0 for the usual size.

  // Of this visit.
  hello: null, // What the server offers.
  job: null, // What the server works at: { kind }: "play", "analyse", "hint", "review", "keep", "prove", "threats",
  //            "why", "draw", "puzzle" or "fairness".
  view: null, // The server's view of the position `view.node`.
  reports: {}, // The last report of a search of each position, by its node.
  // Lines that the board shows up to `plies` moves, or whole if that is null.
  shownLine: null, // Of the search: { place, plies }.
  shownBest: null, // The better line of a review: { node, plies }.
  shownFact: null, // Of a fact about the last move: { place, plies }.
  tapped: null, // The point that a second tap plays.
  paused: null, // While the game is paused: the milliseconds that the side to move has used.
  peeked: null, // The node that the board shows while the pointer rests on the graph.
  point: null, // The point that is looked at.
  proof: null,
  threat: null, // Of the side not to move at `threat.node`: { side, result, how, moves, holds, open }.
  foul: null, // The forbidden point that a person has chosen: { node, point, reason, parts }.
  marked: null, // The point of a table row under the pointer.
  offer: null, // An offered draw that a person answers: { by }.
  offers: 0, // Draws that were offered in this game.
  draft: null, // A comment that is being typed: { node, text }.
  marking: false, // Whether a click on the board marks the point.
  markText: "", // The text of its mark; empty for the next letter.
  recent: [], // Games that were on the board before, the newest first.
  original: null, // The packed tree of the game as its file holds it, if the file has several games.
  labelling: false, // Whether a click on the board labels the point.
  labelled: null, // The point whose label is being typed.
  libraryNote: null, // What became of the last change of the library: { text, isError }.
  games: [],
  chosenGame: null,
  analysing: false,
  looking: false,
  lines: 3, // Lines of an analysis.
  tab: "analysis",
  puzzle: null, // The open puzzle, its `side`, and the game that waits: `kept`.
  puzzles: {}, // The built-in puzzles by rule, once the server has told them.
  puzzleRule: "freestyle",
  puzzleGrade: 0, // Moves of the winner; 0 stands for all.
  solved: [], // Ids of solved puzzles, which the browser keeps beside the game.
  openings: [], // The named openings of renju, once the server has told them.
  progress: null, // Of the job "review": { share, text }
  trouble: null, // { text, isLasting, isNote }: a lasting one stays until the server answers again, a note is no error.
  spoken: { text: "" }, // Spoken again where it is set again.
  hovered: null, // The point under the pointer.
  cursor: null, // The point under the cursor of the keyboard.
  isDropping: null, // What a dragged file would become: "game" or "library".
  since: 0, // When the side to move began to think, and what time it is: milliseconds of performance.now().
  now: 0,
});

// What is saved.

// The fields that the browser keeps as they are.
const KEPT_FIELDS = (
  "settings seats names playing overlay weighting numbers candidates perspective fairness language contrast theme flipped " +
  "coordinates taps sound threads memory"
).split(" ");

const fieldsOf = (state, keys) => Object.fromEntries(keys.map((key) => [key, state[key]]));

export const savedValues = (state) => [...KEPT_FIELDS.map((key) => state[key]), state.tree, state.opening?.answers];

export const packState = (open) => packSaved(gameBehind(open));

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

// Draws that may be offered in a game.
const MOST_OFFERS = 2;

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

// The foul that a stone of the side to move would make on a point; undefined for an allowed point.
export const foulAt = (state, point) =>
  turnOf(state) === "black" ? viewOf(state)?.forbidden?.find(([other]) => other === point)?.[1] : undefined;

// The forbidden point of the shown position that a person has chosen.
export const foulOf = ({ foul, tree }) => (foul?.node === tree.here ? foul : null);

// The threat that the page shows with the position.
export const threatOf = ({ threat, tree }) => (threat?.node === tree.here ? threat : null);

// Whether the facts about the last move have not been requested yet.
export function lacksFacts({ tree }) {
  const { move, facts } = Tree.nodeOf(tree);
  return move !== null && facts === null;
}

// The player whom the opening procedure asks.
export const askedSeat = (state) =>
  state.opening.state.asked.player === "opener" ? state.settings.one : state.settings.two;

// The player to move; undefined while the opening procedure has not said whom it asks.
export const seatToMove = (state) =>
  state.opening?.state?.asked ? askedSeat(state) : state.seats[state.opening?.state?.turn ?? turnOf(state)];

// The side whose chances are stated for a position.
export const sideOfView = (state, id = state.tree.here) => (state.perspective === "turn" ? turnOf(state, id) : "black");

// The last position of the shown line that is part of the game.
export function gamePosition({ tree }) {
  const ids = new Set(Tree.gameOf(tree).map(({ id }) => id));
  return [tree.nodes[tree.root], ...Tree.pathOf(tree)].findLast(({ id }) => ids.has(id)).id;
}

// Shows that position, and the game after it as the current line.
export function backToGame(state) {
  const game = Tree.gameOf(state.tree);
  const steps = game
    .slice(1)
    .reduce((tree, { id, parent }) => Tree.patchNode(tree, parent, { visited: id }), state.tree);
  return { ...state, tree: { ...steps, here: gamePosition(state) }, playing: false };
}

// The side of a person who resigns or offers a draw: the side to move, or the only person; null between two
// engines.
export function personOf(state) {
  const persons = ["black", "white"].filter((color) => !isEngine(state.seats[color]));
  return persons.includes(turnOf(state)) ? turnOf(state) : (persons[0] ?? null);
}

// The verdict on a position: the result of the game, else the last one found.
export function verdictOf(state, id = state.tree.here) {
  const { result, verdict } = state.tree.nodes[id];
  return result ? ofResult(result) : verdict;
}

// The named opening of renju on the board, or the one that the chosen stones of a procedure make: { code, name, zh }.
export const namedOpening = (state) => state.opening?.named ?? viewOf(state)?.opening ?? null;

// The report that the page shows: of the shown position, else of the search that chose the last move.
export function reportOf({ tree, reports }) {
  const { id, parent } = Tree.nodeOf(tree);
  return reports[id] ?? reports[parent] ?? null;
}

// The candidate moves of the last search, the best first: { point, verdict, loss }. With `isPast` they belong to the
// position before the last move. Null before any search, and while an engine thinks about its move.
export function candidatesOf(state) {
  const report = reportOf(state);
  if (!report || report.lines.length === 0 || isThinking(state) || isOver(state)) return null;
  const side = turnOf(state, report.node);
  const best = chanceOf(report.lines[0].verdict, side);
  const moves = report.lines.map(({ moves: line, verdict }) => ({
    point: splitMoves(line)[0],
    verdict,
    loss: Math.max(0, best - chanceOf(verdict, side)),
  }));
  return { node: report.node, isPast: report.node !== state.tree.here, moves };
}

// The fact about the last move that the pointer rests on, with its line. A line of what is stopped begins with a pass
// instead of the move, one of what is threatened with a pass after it.
export function factShown({ tree, shownFact }) {
  const { id, parent, facts } = Tree.nodeOf(tree);
  const fact = shownFact && facts?.[shownFact.place];
  if (!fact) return null;
  const moves = (fact.line ?? []).slice(0, shownFact.plies ?? undefined);
  const isAfter = fact.fact === "threatens";
  return { fact, node: isAfter ? id : parent, moves, shift: isAfter || fact.fact === "stops" ? 1 : 0 };
}

// The stones of a search line, a fact or a proof that the board shows on a position; null if there are none. `shift` is
// 1 where the other side begins.
export function previewOf(state) {
  const { shownLine } = state;
  const report = reportOf(state);
  const line = shownLine && report?.lines[shownLine.place];
  if (line)
    return { node: report.node, moves: splitMoves(line.moves).slice(0, shownLine.plies ?? undefined), shift: 0 };
  const { shownBest } = state;
  const best = shownBest && state.tree.nodes[shownBest.node]?.best;
  if (best) return { node: shownBest.node, moves: best.moves.slice(0, shownBest.plies ?? undefined), shift: 0 };
  const shown = factShown(state);
  if (shown?.fact.line) return shown;
  const { proof } = state;
  if (!proof?.shown || proof.moves.length === 0) return null;
  const shift = proof.side === turnOf(state, proof.node) ? 0 : 1;
  return { node: proof.node, moves: proof.moves.slice(0, proof.shown), shift };
}

// Seconds that the side to move has for its move; 0 without a limit.
const moveTimeOf = (state) => (isEngine(state.seats[turnOf(state)]) ? 0 : state.settings.moveTime);

// Whether the game goes on.
export const isRunning = (state) => state.playing && state.paused === null;

export const clocksRun = (state) =>
  (state.settings.clock > 0 || moveTimeOf(state) > 0) && isRunning(state) && !isOver(state) && !state.opening;

// Milliseconds that the side to move has used for its move.
const usedTime = (state, now = state.now) => state.paused ?? (clocksRun(state) ? now - state.since : 0);

// Milliseconds left of both sides, as the moves up to a node left them.
function clocksAt(state, id) {
  const start = state.settings.clock * 60000;
  const timed = Tree.pathOf(state.tree, id).findLast(({ left }) => left);
  return timed?.left ?? [start, start];
}

// Milliseconds left of a side at a time.
export function clockLeft(state, color, now = state.now) {
  const left = clocksAt(state, state.tree.here)[color === "black" ? 0 : 1];
  return color === turnOf(state) ? left - usedTime(state, now) : left;
}

// Milliseconds left of a person's move; null without a limit.
export function moveTimeLeft(state) {
  const limit = moveTimeOf(state);
  const isCounted = limit > 0 && state.playing && !isOver(state) && !state.opening;
  return isCounted ? limit * 1000 - usedTime(state) : null;
}

// Milliseconds until the side to move loses on time.
export const timeLeft = (state) =>
  Math.min(moveTimeLeft(state) ?? Infinity, state.settings.clock > 0 ? clockLeft(state, turnOf(state)) : Infinity);

// The corner where a handicap puts White's stone; null if White moves as it wants.
export function handicapMove(state, id = state.tree.here) {
  const { settings, tree } = state;
  const depth = Tree.depthOf(tree, id);
  if (settings.procedure !== "plain" || depth % 2 === 0 || depth > 2 * settings.handicap) return null;
  const end = settings.size - 1;
  const corners = [pointAt(0, 0), pointAt(end, end), pointAt(end, 0), pointAt(0, end)];
  const taken = Tree.movesOf(tree, id);
  return corners.find((corner) => !taken.includes(corner)) ?? null;
}

// Fields of the game that an open puzzle puts aside.
const PUT_ASIDE =
  "settings seats names tree opening playing reports analysing looking offers chosenGame original".split(" ");

// The state with the game that waits behind a puzzle.
export const gameBehind = (state) => (state.puzzle ? { ...state, ...state.puzzle.kept } : state);

// Whether a puzzle of this length belongs to a grade. The last grade includes all longer puzzles.
export const isOfGrade = (length, grade, grades) => grade === 0 || Math.min(grades.at(-1), length) === grade;

// The number of moves that were played since the puzzle began.
export const depthOfPuzzle = ({ tree, puzzle }) => Tree.depthOf(tree) - puzzle.moves.length;

// Whether a person may play in the open puzzle.
export const awaitsMove = (state) =>
  !state.puzzle.isSolved && !state.puzzle.isShown && depthOfPuzzle(state) >= 0 && turnOf(state) === state.puzzle.side;

// Buttons that would tell or play the solution, or belong to the game that waits.
const NOT_IN_PUZZLES = "move hint analyse vcf vct threats keep addline review deeper resign offerdraw pause".split(" ");

// Whether a button of the page can be used.
export function isEnabled(state, button) {
  const { tree, opening, puzzle } = state;
  if (puzzle && NOT_IN_PUZZLES.includes(button)) return false;
  switch (button) {
    case "takeback":
      if (opening) return opening.undo.length > 0;
      return Tree.nodeOf(tree).parent !== null;
    case "first":
    case "back":
      return Tree.nodeOf(tree).parent !== null && !opening;
    case "last":
    case "forward":
      return Tree.nextOf(tree) !== undefined && !opening;
    case "move":
      return !isOver(state) && (!opening || isEngine(seatToMove(state)));
    case "analyse":
    case "vcf":
    case "vct":
    case "threats":
      return !isOver(state) && !opening;
    case "hint":
      if (opening) return isDeciding(state) && !isEngine(askedSeat(state));
      return !isOver(state) && !isThinking(state);
    case "resign":
      return !isOver(state) && !opening && personOf(state) !== null;
    case "offerdraw":
      return !isOver(state) && !opening && personOf(state) !== null && state.offers < MOST_OFFERS;
    case "rematch":
      return isOver(state) && !opening && !puzzle && state.names === null;
    case "again":
      return !puzzle;
    case "pause":
      return state.playing && !isOver(state) && !opening;
    case "addline":
      return hasLibrary(state) && !opening;
    case "keep":
      return hasLibrary(state) && !isOver(state) && !opening;
    case "undo":
      return libraryOf(state)?.undo > 0;
    case "forget":
      return Boolean(libraryOf(state)?.position);
    case "review":
    case "deeper":
      return Tree.nextOf(tree, tree.root) !== undefined && !opening;
    default:
      return true;
  }
}

// How a state changes.

export const set = (state, fields) => ({ ...state, ...fields });

// Fields that are reset with every change of the position.
const OF_POSITION = {
  shownLine: null,
  shownFact: null,
  shownBest: null,
  peeked: null,
  marked: null,
  labelled: null,
  proof: null,
  threat: null,
  foul: null,
  offer: null,
  tapped: null,
  paused: null,
};

export const positionChanged = (state, now) => ({
  ...state,
  ...OF_POSITION,
  trouble: state.trouble?.isLasting ? state.trouble : null,
  since: now,
  now,
});

// The state without its game and its puzzle. Engines wait.
const withoutGame = (state) => ({
  ...state,
  ...OF_POSITION,
  names: null,
  opening: null,
  playing: false,
  analysing: false,
  looking: false,
  offers: 0,
  reports: {},
  point: null,
  view: null,
  chosenGame: null,
  original: null,
  puzzle: null,
  trouble: null,
});

// Fields of an opening procedure that are reset with every answer.
const OF_ANSWER = { pending: [], number: 1, isHinted: false, named: null };

// An opening procedure before its next question.
const createOpening = (answers = [], undo = []) => ({ answers, undo, said: null, verdicts: {}, ...OF_ANSWER });

// The settings with the players changed.
export const changeSides = (settings) => ({ ...settings, one: settings.two, two: settings.one });

// The settings of the game on the board, with its colors as they were settled.
export const settingsOfGame = ({ settings, seats }) =>
  settings.procedure === "plain" ? { ...settings, one: seats.black, two: seats.white } : settings;

export const begin = (state, settings) => ({
  ...withoutGame(state),
  settings,
  seats: { black: settings.one, white: settings.two },
  tree: Tree.createTree(state.tree.next),
  opening: settings.procedure === "plain" ? null : createOpening(),
  playing: true,
  analysing: state.analysing,
});

// The settings of a game that is only replayed.
const PLAIN = { procedure: "plain", clock: 0, moveTime: 0, handicap: 0 };

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
export function packGame(state) {
  const { settings, seats, names, opening, tree } = gameBehind(state);
  const packed = Tree.packTree(tree);
  const isKept = ([key]) => !["why", "text", "said", "facts"].includes(key);
  const nodes = packed.nodes.map((node) => Object.fromEntries(Object.entries(node).filter(isKept)));
  return { settings, seats, names, opening: opening && { answers: opening.answers }, tree: { ...packed, nodes } };
}

// Shows a game that was packed.
export const unpackGame = (state, { settings, seats, names, opening, tree }) => ({
  ...withoutGame(state),
  settings: { ...state.settings, ...settings },
  seats,
  names,
  opening: opening && createOpening(opening.answers),
  tree: Tree.unpackTree(tree, state.tree.next),
});

// Whether the game can be dropped: it has no moves, or its file has all of them.
export function isUntouched(state) {
  const { tree, original } = gameBehind(state);
  const { children, comment, marks } = tree.nodes[tree.root];
  const isEmpty = children.length === 0 && comment === "" && marks.length === 0;
  return isEmpty || (original !== null && Tree.holdsTree(original, Tree.packTree(tree)));
}

// Opens a puzzle. The game waits behind it.
export function beginPuzzle(state, puzzle) {
  const kept = state.puzzle?.kept ?? fieldsOf(state, PUT_ASIDE);
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
export function endPuzzle(state) {
  const { kept } = state.puzzle;
  const next = state.tree.next;
  return { ...withoutGame(state), ...kept, tree: { ...kept.tree, next } };
}

// Begins to show the solution of the puzzle, with its position.
export function showSolution(state) {
  const { puzzle, tree } = state;
  const start = Tree.lineOf(tree)[puzzle.moves.length].id;
  const solved = puzzle.solution.reduce(Tree.playMove, Tree.goTo(tree, start));
  return { ...state, tree: Tree.goTo(solved, start), puzzle: { ...puzzle, isShown: true } };
}

// Shows another position of the tree. Engines wait there.
export const go = (state, id) => ({ ...state, tree: Tree.goTo(state.tree, id), playing: false });

// Goes to the position after these moves from a node. They are added to the tree. Engines wait there.
export const follow = (state, moves, id = state.tree.here) => ({
  ...state,
  tree: Tree.explore(state.tree, moves, id),
  playing: false,
});

export const setComment = (state, comment) => ({
  ...state,
  tree: Tree.patchNode(state.tree, state.tree.here, { comment }),
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

// Ends of a game without a last stone.
const CLAIMED_ENDS = ["time", "resigned", "agreed"];

// Goes back to the last position in which a person who plays an engine had the move; between two engines one move back.
export function takeBack(state) {
  const isPerson = ({ id }) => !isEngine(state.seats[turnOf(state, id)]) && handicapMove(state, id) === null;
  const { nodes, here } = state.tree;
  let node = nodes[nodes[here].parent];
  if (!isPerson(node) && node.parent !== null && isPerson(nodes[node.parent])) node = nodes[node.parent];
  const lost = Tree.pathOf(state.tree).filter(({ result }) => CLAIMED_ENDS.includes(result?.end));
  const tree = lost.reduce((changed, { id }) => Tree.patchNode(changed, id, { result: null }), state.tree);
  return { ...state, tree: Tree.goTo(tree, node.id), playing: isPerson(node) };
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
    const spent = state.playing ? usedTime(state, now) : 0;
    const own = color === "black" ? 0 : 1;
    fields.left = before.map((left, side) => (side === own ? left + state.settings.increment * 1000 - spent : left));
  }
  // A move of the game that goes on comes before variations that were looked at meanwhile.
  const grown = state.playing ? Tree.makeFirst(played, played.here) : played;
  if (state.playing) fields.explored = false;
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

// Stops the clocks and the engines, or lets them go on.
export const togglePause = (state, now) =>
  state.paused === null
    ? { ...state, paused: now - state.since, hovered: null }
    : { ...state, paused: null, since: now - state.paused, now };

// Ends the game without a stone: the winner's opponent ran out of time or resigned, or both agreed on a draw.
export function endGame(state, winner, end) {
  const tree = Tree.patchNode(state.tree, state.tree.here, { result: { winner, end } });
  return { ...state, tree, playing: false, offer: null };
}

// Keeps what the server knows about a position.
export function setView(state, id, view) {
  let { tree } = state;
  if (view.scored) {
    const known = Tree.addScores(tree, id, view.scored);
    // The verdict was that of the five.
    if (isNewScore(tree, known, id)) tree = Tree.patchNode(known, id, { verdict: null });
    else tree = known;
  }
  if (view.outcome && !tree.nodes[id].result) {
    tree = Tree.patchNode(tree, id, { result: view.outcome, verdict: ofResult(view.outcome) });
  }
  return { ...state, tree, view: { ...view, node: id } };
}

// Whether a tree knows the score of a stone that another did not.
export const isNewScore = (before, after, id) => Boolean(after.nodes[id].scored && !before.nodes[id].scored);

// Sets the verdict on a position; a null verdict changes nothing.
export const setVerdict = (state, id, verdict) =>
  verdict ? { ...state, tree: Tree.patchNode(state.tree, id, { verdict }) } : state;

const keepReport = (state, id, report) => ({ ...state, reports: { ...state.reports, [id]: { ...report, node: id } } });

// Sets the best line of a position in a review.
export function setBest(state, id, line) {
  const best = { moves: splitMoves(line.moves), verdict: line.verdict };
  return { ...state, tree: Tree.patchNode(state.tree, id, { best, verdict: line.verdict }) };
}

// The moves of the game with what they lost.
export const reviewOf = ({ tree }) => lossesOf(Tree.gameOf(tree));

export const setFacts = (state, id, facts) => ({ ...state, tree: Tree.patchNode(state.tree, id, { facts }) });

// Keeps a report of a search. Without nodes there was no search: the centre of an empty board has no score.
export function setReport(state, id, report) {
  const isScored = report.lines.length > 0 && report.nodes > 0;
  if (!isScored) return keepReport(state, id, report);
  const [line] = report.lines;
  const isReviewed = state.tree.nodes[id].best !== null;
  return keepReport(isReviewed ? setBest(state, id, line) : setVerdict(state, id, line.verdict), id, report);
}

// Keeps how far a search is since its last report.
export function tick(state, id, { nodes, nps, time }) {
  const report = state.reports[id] ?? { depth: 0, seldepth: 0, lines: [] };
  return keepReport(state, id, { ...report, nodes, nps, time });
}

// Removes the report of a position before a new search.
export function beginSearch(state, id) {
  const { [id]: _, ...reports } = state.reports;
  return { ...state, reports };
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

export const setPending = (state, pending) => ({ ...state, opening: { ...state.opening, pending, named: null } });

const patchOpening = (state, fields) => ({ ...state, opening: { ...state.opening, ...fields } });

// The number of fifth moves that the answer announces.
export const setFifths = (state, number) => patchOpening(state, { number });

// The named opening of the stones on the board and those chosen.
export const setNamed = (state, named) => patchOpening(state, { named });

// A person who decides asks how fair the position is.
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
  return { ...state, tree: Tree.createTree(state.tree.next), opening: createOpening(answers, undo) };
}

// Chooses a point for an answer of the opening, or takes it back.
export function togglePending(state, point) {
  const { pending, state: opening } = state.opening;
  return setPending(state, withChosen(opening.asked, pending, point));
}

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
