// The board of the page: the picture that the state describes.

import { byId } from "../dom.js";
import { isOver, isThinking, isWaiting, previewOf, resultOf, turnOf, viewOf } from "../state.js";
import { colorOf, movesOf, wallsOf } from "../tree.js";
import { createGoban } from "./goban.js";
import { overlayOf } from "./overlays/index.js";
import { fivesText, resultText } from "./words.js";

// Opening procedures allow stones in a square in the middle. A larger one needs no drawing: it is the whole board.
const LARGEST_SQUARE = 9 * 9;
const OPENING_COLOR = "#0b7a52";

function stonesOf(state, preview, node) {
  const moves = movesOf(state.tree, node);
  const walls = wallsOf(state.tree, node);
  const stones = moves.map((at, place) => ({
    at,
    color: colorOf(place),
    number: state.numbers ? place + 1 : null,
    wall: walls.has(at),
  }));
  const addGhost = (at, place, color) => stones.push({ at, color, number: place + 1, ghost: true });
  const isOffer = state.opening?.state?.asked?.offer;
  state.opening?.pending.forEach((at, place) => addGhost(at, place, colorOf(moves.length + (isOffer ? 0 : place))));
  preview?.moves.forEach((at, place) => {
    if (!moves.includes(at)) addGhost(at, place, colorOf(moves.length + place + preview.shift));
  });
  return stones;
}

// The points that an opening procedure offers or allows.
function openingHeat(asked) {
  const offered = (asked?.offered ?? []).map((at) => ({ at, share: 0.7, text: "5", color: OPENING_COLOR }));
  const allowed = asked?.allowed ?? [];
  if (allowed.length > LARGEST_SQUARE) return offered;
  return [...offered, ...allowed.map((at) => ({ at, share: 0.1, text: "", color: OPENING_COLOR }))];
}

function pictureOf(state, t) {
  const preview = previewOf(state);
  const node = preview?.node ?? state.tree.here;
  const view = viewOf(state, node);
  const stones = stonesOf(state, preview, node);
  const heat = preview || !view ? [] : overlayOf(state).heat(view, t, state.hello);
  const looked = state.looking ? state.point : null;
  return {
    size: state.settings.size,
    stones,
    notes: preview || !view ? [] : overlayOf(state).notes?.(view, t),
    heat: [...heat, ...openingHeat(state.opening?.state?.asked)],
    last: movesOf(state.tree, node).at(-1),
    row: view?.row,
    forbidden: view?.forbidden,
    windows: looked?.lines.map(({ cells }) => cells),
    marked: state.marked ?? looked?.point,
  };
}

// What follows the pointer and the cursor of the keyboard.
function pointerOf(state) {
  const canPlay = !state.looking && !previewOf(state) && !isOver(state) && !isThinking(state);
  const next = canPlay && state.hovered ? { at: state.hovered, color: turnOf(state) } : null;
  return { next, cursor: state.cursor };
}

function labelOf(state, t) {
  const { size, rule, continuous } = state.settings;
  const fives = continuous ? `, ${t("continuousGame")}, ${fivesText(state, t)}` : "";
  const outcome = viewOf(state)?.outcome ? resultText(state, resultOf(state), t) : t("toMove", t(turnOf(state)));
  return `${t("boardHelp")}. ${size} × ${size}, ${t(rule)}${fives}. ${outcome}`;
}

const boardValues = (state) => [
  state.tree,
  state.settings,
  state.opening,
  state.view,
  state.info,
  state.shownLine,
  state.proof,
  overlayOf(state),
  state.numbers,
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
    select: (state) => [state.hovered, state.cursor],
    draw: (state) => goban.drawPointer({ ...picture, ...pointerOf(state) }),
  };
  return { goban, parts: [board, pointer] };
}
