// The board of the page: the picture that the state describes.

import { byId } from "../dom.js";
import { coordinates, letterLabels, numberLabels } from "../points.js";
import { allowedPoints, askedOf, isOrdered, judgedPoints } from "../procedure.js";
import {
  askedSeat,
  awaitsEngine,
  candidatesOf,
  factShown,
  foulOf,
  isEngine,
  isOver,
  isWaiting,
  previewOf,
  resultOf,
  sideOfView,
  threatOf,
  turnOf,
  viewOf,
} from "../state/index.js";
import { colorOf, depthOf, movesOf, nodeOf, wallsOf } from "../tree.js";
import { gradeOf, shortVerdictText } from "../verdict.js";
import { createGoban } from "./goban.js";
import { overlayOf } from "./overlays/index.js";
import { candidateText, fivesText, foulText, resultText } from "../words.js";

// Opening procedures allow stones in a square in the middle. A larger one needs no drawing: it is the whole board.
const LARGEST_SQUARE = 9 * 9;
const OPENING_COLOR = "#0b7a52";

function stonesOf(state, preview, threat, node) {
  const moves = movesOf(state.tree, node);
  const walls = wallsOf(state.tree, node);
  const stones = moves.map((at, place) => ({
    at,
    color: colorOf(place),
    number: state.numbers ? place + 1 : null,
    wall: walls.has(at),
  }));
  const addGhost = (at, place, color) => stones.push({ at, color, number: place + 1, ghost: true });
  const asked = askedOf(state);
  state.opening?.pending.forEach((at, place) => {
    const color = colorOf(moves.length + (asked?.offer ? 0 : place));
    // Offered fifth moves have no order, and their notes need the room.
    stones.push({ at, color, number: asked?.offer ? null : place + 1, ghost: true });
  });
  // The side not to move begins its threat.
  threat?.moves.forEach((at, place) => addGhost(at, place, colorOf(moves.length + place + 1)));
  preview?.moves.forEach((at, place) => {
    if (!moves.includes(at)) addGhost(at, place, colorOf(moves.length + place + preview.shift));
  });
  return stones;
}

// The points that an opening procedure offers, and those that it allows.
function openingHeat(state) {
  const asked = askedOf(state);
  if (!asked || isEngine(askedSeat(state))) return [];
  const allowed = allowedPoints(state) ?? [];
  if (asked.offered.length > 0) return allowed.map((at) => ({ at, share: 0.7, text: "5", color: OPENING_COLOR }));
  if (allowed.length > LARGEST_SQUARE) return [];
  return allowed.map((at) => ({ at, share: 0.1, text: "", color: OPENING_COLOR }));
}

// The fairness of offered fifth moves: black's chance after each.
const fairnessNotes = (state, t) =>
  judgedPoints(state).map(([at, verdict]) => ({
    at,
    text: shortVerdictText(verdict, "black", t),
    grade: gradeOf(verdict, "black", state.hello.scales.even),
  }));

// Grades of candidates by their loss of chance: the first one whose bound exceeds the loss.
const GRADES = [
  [0.03, "good"],
  [0.08, "fair"],
  [0.2, "poor"],
  [Infinity, "bad"],
];

function gradeOfCandidate({ verdict, loss }, place, side) {
  if (verdict.result && verdict.result.winner !== side) return "bad";
  return place === 0 ? "best" : GRADES.find(([bound]) => loss < bound)[1];
}

// The candidates, unless something else lies on the board. Those of the last move are drawn fainter.
function candidatesToDraw(state, t) {
  const isHidden = threatOf(state) || foulOf(state) || state.opening || overlayOf(state).name !== "none";
  const found = state.candidates && !isHidden ? candidatesOf(state) : null;
  if (!found) return [];
  const view = sideOfView(state, found.node);
  const mover = turnOf(state, found.node);
  return found.moves.map((move, place) => ({
    at: move.point,
    rank: place + 1,
    text: shortVerdictText(move.verdict, view, t),
    grade: gradeOfCandidate(move, place, mover),
    isPast: found.isPast,
  }));
}

// Arrows between the stones of the attacker, in their order. The first begins at its nearest stone on the board.
function arrowsOf({ moves, side }, stones) {
  const own = moves.filter((_, place) => place % 2 === 0);
  if (own.length === 0) return [];
  const distance = (one, other) => {
    const [[x1, y1], [x2, y2]] = [coordinates(one), coordinates(other)];
    return Math.hypot(x1 - x2, y1 - y2);
  };
  const placed = stones.filter(({ color, ghost, wall }) => color === side && !ghost && !wall).map(({ at }) => at);
  const [nearest] = placed.sort((one, other) => distance(one, own[0]) - distance(other, own[0]));
  const path = nearest ? [nearest, ...own] : own;
  return path.slice(1).map((to, place) => ({ from: path[place], to, number: place + 1 }));
}

// The notes of the overlay on points, else the marks of the tree.
function notesToDraw(state, view, t) {
  const { notes } = overlayOf(state);
  if (notes) return view ? notes(view, t, state.hello, sideOfView(state)) : [];
  return nodeOf(state.tree).marks.map(([at, text]) => ({ at, text, grade: null }));
}

function pictureOf(state, t) {
  const preview = previewOf(state);
  const peeked = state.tree.nodes[state.peeked] ? state.peeked : null;
  const node = preview?.node ?? peeked ?? state.tree.here;
  const view = viewOf(state, node);
  const isPlain = !preview && peeked === null;
  const threat = isPlain ? threatOf(state) : null;
  const stones = stonesOf(state, preview, threat, node);
  const heat = !isPlain || !view ? [] : overlayOf(state).heat(view, t, state.hello);
  const looked = state.looking && state.point?.node === node ? state.point : null;
  const { size } = state.settings;
  return {
    size,
    isFlipped: state.flipped,
    labels: state.coordinates === "numbers" ? numberLabels(size) : letterLabels(size),
    stones,
    notes: isPlain ? [...notesToDraw(state, view, t), ...fairnessNotes(state, t)] : [],
    candidates: isPlain ? candidatesToDraw(state, t) : [],
    heat: [...(threat ? [] : heat), ...openingHeat(state)],
    holding: threat?.holds,
    arrows: threat ? arrowsOf(threat, stones) : [],
    foul: foulOf(state)?.parts ?? looked?.foul,
    last: movesOf(state.tree, node).at(-1),
    row: view?.row,
    forbidden: view?.forbidden,
    windows: looked?.lines.map(({ cells }) => cells),
    marked: state.marked ? [state.marked] : (factShown(state)?.fact.points ?? (looked ? [looked.point] : [])),
  };
}

// What follows the pointer and the cursor of the keyboard.
function pointerOf(state) {
  const canPlay =
    !state.looking && !previewOf(state) && !isOver(state) && !awaitsEngine(state) && state.paused === null;
  const at = state.tapped ?? state.hovered;
  // Stones of a procedure that are chosen already take colors in turn.
  const chosen = state.opening && isOrdered(askedOf(state) ?? {}) ? state.opening.pending.length : 0;
  const next = canPlay && at ? { at, color: colorOf(depthOf(state.tree) + chosen) } : null;
  return { next, cursor: state.showsCursor ? state.cursor : null };
}

// The tooltip of the point under the pointer: a foul, or a candidate.
function pointTitle(state, t) {
  const point = state.hovered;
  if (!point) return "";
  const reason = viewOf(state)?.forbidden?.find(([other]) => other === point)?.[1];
  return reason ? t("forbiddenPoint", foulText(reason, t)) : candidateText(state, point, t);
}

function labelOf(state, t) {
  const { size, rule, continuous } = state.settings;
  const fives = continuous ? `, ${t("continuousGame")}, ${fivesText(state, t)}` : "";
  const result = resultOf(state);
  const outcome = result ? resultText(state, result, t) : t("toMove", t(turnOf(state)));
  return `${t("boardHelp")}. ${size} × ${size}, ${t(rule)}${fives}. ${outcome}`;
}

const boardValues = (state) => [
  state.tree,
  state.settings,
  state.opening,
  state.fairness,
  state.view,
  state.reports,
  state.shownLine,
  state.shownFact,
  state.shownBest,
  state.peeked,
  state.threat,
  state.foul,
  state.candidates,
  state.perspective,
  state.proof,
  overlayOf(state),
  state.numbers,
  state.flipped,
  state.looking,
  state.point,
  state.marked,
  state.job,
  state.hello,
  state.language,
];

export function createBoard() {
  const host = byId("board");
  const goban = createGoban(host, "board");
  let picture = null;
  const board = {
    select: boardValues,
    draw(state, t) {
      picture = pictureOf(state, t);
      goban.draw({ ...picture, ...pointerOf(state) });
      host.setAttribute("aria-label", labelOf(state, t));
      host.setAttribute("aria-busy", isWaiting(state));
    },
  };
  const pointer = {
    select: (state) => [state.hovered, state.tapped, state.cursor, state.showsCursor],
    draw(state, t) {
      goban.drawPointer({ ...picture, ...pointerOf(state) });
      host.title = pointTitle(state, t);
    },
  };
  return { goban, parts: [board, pointer] };
}
