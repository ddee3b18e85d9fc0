// What can be read from a state.

import * as Tree from "../tree.js";
import { pointAt, splitMoves } from "../points.js";
import { isDeciding } from "../procedure.js";
import { chanceOf, lossesOf, ofResult } from "../verdict.js";

// Maximum number of draw offers in a game.
const MOST_OFFERS = 2;

export const turnOf = (state, id = state.tree.here) => Tree.colorOf(Tree.depthOf(state.tree, id));

// The position whose comment the field holds: the one where a person began to type, else the shown one.
export const notedNode = ({ tree, noting }) => (tree.nodes[noting] ? noting : tree.here);

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

// Whether the server's view of the shown position is missing. During an opening the state of the procedure replaces it.
export const isWaiting = (state) => viewOf(state) === null && !state.opening?.state;

// Whether the game may be over, or a point forbidden, before the server has answered for the position. Either needs at least eight stones.
export const isUncertain = (state) => isWaiting(state) && Tree.depthOf(state.tree) >= 8;

export const resultOf = (state) => Tree.nodeOf(state.tree).result ?? viewOf(state)?.outcome ?? null;

export const isOver = (state) => resultOf(state) !== null;

export const isThinking = (state) => state.job?.kind === "play";

export const isEngine = (seat) => seat !== "human";

// Whether an engine is thinking or is to move in a running game. Without a connection it is only to move.
export const awaitsEngine = (state) =>
  isThinking(state) || (state.playing && state.paused === null && isEngine(seatToMove(state)));

// Whether an external engine is thinking. It cannot be told to move now.
const isProcessThinking = (state) => isThinking(state) && state.job.seat.startsWith("engine:");

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

// The player to move: the one whom the opening procedure asks, else the player of the color to move.
export const seatToMove = (state) =>
  state.opening?.state?.asked ? askedSeat(state) : state.seats[state.opening?.state?.turn ?? turnOf(state)];

// The side whose chances are stated for a position.
export const sideOfView = (state, id = state.tree.here) => (state.perspective === "turn" ? turnOf(state, id) : "black");

// The last position of the shown line that is part of the game.
export function gamePosition({ tree }) {
  const ids = new Set(Tree.gameOf(tree).map(({ id }) => id));
  return [tree.nodes[tree.root], ...Tree.pathOf(tree)].findLast(({ id }) => ids.has(id)).id;
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
// position before the last move. Null before any search, while an engine thinks about its move, and after the end of
// the game.
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

// The fact about the last move that the pointer rests on, with its line. If the move stops a threat, the line begins
// with a pass in place of the move; if it makes a threat, with a pass after the move.
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

// The moves of the game with what they lost.
export const reviewOf = ({ tree }) => lossesOf(Tree.gameOf(tree));

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

// Whether a person can end the game without a stone: in its last position, or where it is played on.
function canEnd(state) {
  const isLast = state.playing || Tree.gameOf(state.tree).at(-1).id === state.tree.here;
  return isLast && !isOver(state) && !state.opening && personOf(state) !== null;
}

// Whether a button of the page can be used.
export function isEnabled(state, button) {
  const { tree, opening, puzzle } = state;
  if (puzzle && NOT_IN_PUZZLES.includes(button)) return false;
  switch (button) {
    case "takeback":
      if (opening) return opening.undo.length > 0;
      if (puzzle) return depthOfPuzzle(state) > 0;
      return Tree.nodeOf(tree).parent !== null;
    case "first":
    case "back":
      return Tree.nodeOf(tree).parent !== null && !opening;
    case "last":
    case "forward":
      return Tree.nextOf(tree) !== undefined && !opening;
    case "move":
      return !isOver(state) && (!opening || isEngine(seatToMove(state))) && !isProcessThinking(state);
    case "analyse":
    case "vcf":
    case "vct":
    case "threats":
      return !isOver(state) && !opening;
    case "hint":
      if (opening) return isDeciding(state) && !isEngine(askedSeat(state));
      return !isOver(state) && !isThinking(state);
    case "resign":
      return canEnd(state);
    case "offerdraw":
      return canEnd(state) && state.offers < MOST_OFFERS;
    case "rematch":
      return isOver(state) && !opening && !puzzle && state.names === null;
    case "reviewgame":
      return isOver(state) && !opening && !puzzle && reviewOf(state).every(({ before }) => !before.best);
    case "new":
      return state.hello !== null;
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
