// A board drawn as SVG. The page and the reports of matches show games with it.

import { make } from "../dom.js";
import { coordinates, letterLabels, pointAt } from "../points.js";

const CELL = 40; // The distance of two points in units of the picture.
const EDGE = 42; // From the left and upper border to the first point.
const MARGIN = 24; // From the last point to the other borders.

const centerAt = (x, y) => [EDGE + x * CELL, EDGE + y * CELL];

// Converts coordinates on the board into those in the picture, which may be turned round, and back.
const turned = ([x, y], size, isFlipped) => (isFlipped ? [size - 1 - x, size - 1 - y] : [x, y]);

const lastCenter = (size) => EDGE + (size - 1) * CELL;
const sideOf = (size) => lastCenter(size) + MARGIN;

const disc = (cx, cy, r, attributes) => make("circle", { cx, cy, r, ...attributes });
const square = (x, y, attributes) => make("rect", { x: x - 18, y: y - 18, width: 36, height: 36, ...attributes });

// What lies on the grid, from the lowest layer to the highest. Each layer makes its elements from a picture:
//
// size; stones: [{ at, color, number, ghost, wall }] in the order of the moves; last: the point of the last move;
// row: winning points; forbidden: [[point, reason]]; heat: [{ at, share, text, color }], share from 0 to 1;
// notes: [{ at, text, grade }]: known moves with their grade, good, bad, even, plain or unclear, and labels without one;
// candidates: [{ at, rank, text, grade, isPast }], grade best, good, fair, poor or bad; foul: the rows of a foul,
// [{ kind, stones, makes }]; holding: points; arrows: [{ from, to, number }]; windows: lists of points; marked: points;
// next: { at, color }, the stone that a click would play; cursor: a point; isFlipped: whether the board is turned round;
// labels: the names of the columns from the left and of the rows from the top.
// All but `size` and `stones` may be missing. `draw` adds `centerOf`, which gives the place of a point.
const LAYERS = [
  drawWindows,
  drawHeat,
  drawForbidden,
  drawCandidates,
  drawFoul,
  drawHolding,
  drawStones,
  drawArrows,
  drawNotes,
  drawMark,
];

// What the pictures of saved files leave out.
const POINTER_LAYERS = [drawNext, drawCursor];

function drawWindows({ windows = [], centerOf }) {
  const shown = windows.filter((cells) => cells.length >= 2);
  const line = (cells, kind) => {
    const [[x1, y1], [x2, y2]] = [centerOf(cells[0]), centerOf(cells[cells.length - 1])];
    return make("line", { class: kind, x1, y1, x2, y2 });
  };
  return ["window", "spine"].flatMap((kind) => shown.map((cells) => line(cells, kind)));
}

function drawHeat({ heat = [], stones, centerOf }) {
  const taken = new Set(stones.map(({ at }) => at));
  return heat
    .filter(({ at }) => !taken.has(at))
    .flatMap(({ at, share, text, color }) => {
      const [x, y] = centerOf(at);
      const size = text.length > 4 ? " tiny" : text.length > 3 ? " small" : "";
      const opacity = (0.12 + 0.83 * share).toFixed(2);
      return [
        square(x, y, { class: "heat", rx: 8, fill: color, "fill-opacity": opacity }),
        make("text", { class: `value${size}${share > 0.55 ? " strong" : ""}`, x, y: y + 4.5 }, text),
      ];
    });
}

function drawForbidden({ forbidden = [], stones, centerOf }) {
  const taken = new Set(stones.map(({ at }) => at));
  return forbidden
    .filter(([at]) => !taken.has(at))
    .map(([at]) => {
      const [x, y] = centerOf(at);
      return make("path", { class: "forbidden", d: `M${x - 8} ${y - 8}l16 16m0-16l-16 16` });
    });
}

// The rows of a foul, with rings where they make a four or a five.
function drawFoul({ foul, centerOf }) {
  return (foul ?? []).flatMap(({ kind, stones, makes }) => {
    const [[x1, y1], [x2, y2]] = [centerOf(stones[0]), centerOf(stones.at(-1))];
    const rings = makes.map((at) => disc(...centerOf(at), 9, { class: "foul-point" }));
    return [make("line", { class: `foul-row ${kind}`, x1, y1, x2, y2 }), ...rings];
  });
}

// Marks the points that stop a threat, even below the stones of the threat itself.
function drawHolding({ holding, centerOf }) {
  return (holding ?? []).map((at) => square(...centerOf(at), { class: "holding", rx: 8 }));
}

// From border to border of two stones.
function drawArrows({ arrows = [], centerOf }) {
  return arrows.map(({ from, to, number }) => {
    const [[x1, y1], [x2, y2]] = [centerOf(from), centerOf(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [tip, neck] = [length - 19, length - 30];
    const at = (along, across) =>
      `${(x1 + dx * along - dy * across).toFixed(1)} ${(y1 + dy * along + dx * across).toFixed(1)}`;
    const d = `M${at(12, 0)}L${at(neck, 0)}M${at(neck, -7)}L${at(tip, 0)}L${at(neck, 7)}Z`;
    return make("path", { class: "arrow", d, "data-number": number });
  });
}

function drawCandidates({ candidates = [], stones, centerOf }) {
  const taken = new Set(stones.map(({ at }) => at));
  return candidates
    .filter(({ at }) => !taken.has(at))
    .map(({ at, rank, text, grade, isPast }) => {
      const [x, y] = centerOf(at);
      const small = text.length > 2 ? " small" : "";
      return make(
        "g",
        { class: `candidate ${grade}${isPast ? " past" : ""}`, "data-point": at },
        disc(x, y, 16, { class: "plate" }),
        make("text", { class: `value${small}`, x, y: y + 5 }, text),
        make("text", { class: "rank", x: x - 15, y: y - 10 }, String(rank)),
      );
    });
}

function drawStones({ stones, row = [], last, centerOf }, id) {
  const rows = new Set(row);
  return stones.map((stone) => drawStone(stone, centerOf(stone.at), id, rows.has(stone.at), stone.at === last));
}

// A wall shows the color of its stone in its middle.
function drawStone({ color, number, ghost, wall }, [x, y], id, isInRow, isLast) {
  const fill = { class: "disc", fill: `url(#${id}-${color})` };
  const body = wall
    ? [square(x, y, { class: "wall", rx: 5 }), disc(x, y, number ? 15 : 9, fill)]
    : [!ghost && disc(x + 1.5, y + 2.5, 17.5, { class: "shadow" }), disc(x, y, 17.5, fill)];
  const ring = wall ? square(x, y, { class: "ring", rx: 5 }) : disc(x, y, 17.5, { class: "ring" });
  const digits = { class: `number${String(number).length > 2 ? " long" : ""}`, x, y: y + 5 };
  return make(
    "g",
    { class: `stone ${color}${ghost ? " ghost" : ""}${isInRow ? " row" : ""}` },
    body,
    isInRow && ring,
    number && make("text", digits, String(number)),
    isLast && (number ? disc(x, y, 15.5, { class: "lastring" }) : disc(x, y, 5, { class: "last" })),
  );
}

// Number of characters of a note that fit on a point.
const NOTE_SIGNS = 5;

function drawNotes({ notes = [], stones, centerOf }) {
  const taken = new Map(stones.map((stone) => [stone.at, stone]));
  const place = ({ at, text, grade }) => {
    const [x, y] = centerOf(at);
    const stone = taken.get(at);
    // A number on a stone leaves no room.
    if (stone) return stone.number ? [] : make("text", noteText(text, `on ${stone.color}`, x, y), cut(text));
    const kind = grade ?? "label";
    const size = text === "" ? 7 : 14.5;
    return [disc(x, y, size, { class: `note ${kind}` }), make("text", noteText(text, kind, x, y), cut(text))];
  };
  return notes.flatMap(place);
}

const cut = (text) => (text.length > NOTE_SIGNS ? `${text.slice(0, NOTE_SIGNS - 1)}…` : text);

// A Chinese character is twice as wide as a letter.
function noteText(text, kind, x, y) {
  const width = [...cut(text)].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 2 : 1), 0);
  const size = width > 4 ? " tiny" : width > 2 ? " small" : "";
  return { class: `value note-text ${kind}${size}`, x, y: y + (size ? 4 : 4.5) };
}

function drawMark({ marked = [], centerOf }) {
  return marked.map((point) => disc(...centerOf(point), 19, { class: "marked" }));
}

function drawNext({ next, stones, centerOf }) {
  if (!next || stones.some(({ at }) => at === next.at)) return [];
  return disc(...centerOf(next.at), 16, { class: `next ${next.color}` });
}

// The style sheet shows the cursor while the board has the focus.
function drawCursor({ cursor, centerOf }) {
  if (!cursor) return [];
  const [x, y] = centerOf(cursor);
  return make("rect", { class: "cursor", x: x - 19, y: y - 19, width: 38, height: 38, rx: 7 });
}

// Star points as on go boards; from 17 lines on also in the middle of the sides.
function starPoints(size) {
  const middle = (size - 1) / 2;
  const inner = size >= 13 ? 3 : size >= 9 ? 2 : null;
  const hasMiddle = Number.isInteger(middle);
  const stars = hasMiddle ? [[middle, middle]] : [];
  if (inner === null) return stars;
  const sides = [inner, size - 1 - inner];
  for (const x of sides) for (const y of sides) stars.push([x, y]);
  if (hasMiddle && size >= 17) for (const side of sides) stars.push([side, middle], [middle, side]);
  return stars;
}

function drawDefinitions(id) {
  const stop = (offset, attributes) => make("stop", { offset, ...attributes });
  const stone = (color, inner, outer) => {
    const stops = [stop("0", { "stop-color": inner }), stop("1", { "stop-color": outer })];
    return make("radialGradient", { id: `${id}-${color}`, cx: "36%", cy: "32%", r: "72%" }, stops);
  };
  const woods = [stop("0", { class: "wood-one" }), stop("1", { class: "wood-two" })];
  const wood = make("linearGradient", { id: `${id}-wood`, x1: 0, y1: 0, x2: 1, y2: 1 }, woods);
  return make("defs", {}, stone("black", "#6a6762", "#141312"), stone("white", "#ffffff", "#d9d3c6"), wood);
}

// The labels are turned with the board.
function drawGrid({ size, labels: [columns, rows], isFlipped }, id) {
  const side = sideOf(size);
  const end = lastCenter(size);
  const lines = make("g", { class: "lines" });
  const labels = make("g", { class: "labels" });
  for (let place = 0; place < size; place++) {
    const at = EDGE + place * CELL;
    const edge = { class: place === 0 || place === size - 1 ? "edge" : null };
    lines.append(make("line", { ...edge, x1: EDGE, y1: at, x2: end, y2: at }));
    lines.append(make("line", { ...edge, x1: at, y1: EDGE, x2: at, y2: end }));
    const [column, row] = turned([place, place], size, isFlipped);
    labels.append(make("text", { x: at, y: 18 }, columns[column]));
    labels.append(make("text", { x: 14, y: at + 4.5 }, rows[row]));
  }
  for (const [x, y] of starPoints(size)) lines.append(disc(...centerAt(x, y), 4));
  const wood = make("rect", { class: "wood", width: side, height: side, rx: 14, fill: `url(#${id}-wood)` });
  return [drawDefinitions(id), wood, lines, labels];
}

// Puts a board into an element. `id` is part of the ids of its gradients.
export function createGoban(host, id) {
  const svg = make("svg", { class: "goban", "aria-hidden": "true" });
  const [layers, pointer] = [make("g"), make("g", { class: "over" })];
  let [frame, size, isFlipped] = ["", 0, false];
  const centerOf = (point) => centerAt(...turned(coordinates(point), size, isFlipped));
  host.replaceChildren(svg);

  return {
    draw(given) {
      ({ size, isFlipped = false } = given);
      const picture = { labels: letterLabels(size), isFlipped, ...given };
      const newFrame = [size, isFlipped, ...picture.labels].join(" ");
      if (newFrame !== frame) {
        frame = newFrame;
        svg.setAttribute("viewBox", `0 0 ${sideOf(size)} ${sideOf(size)}`);
        svg.replaceChildren(...drawGrid(picture, id), layers, pointer);
      }
      layers.replaceChildren(...LAYERS.flatMap((draw) => draw({ ...picture, centerOf }, id)));
      this.drawPointer(picture);
    },

    // Draws only what follows the pointer and the cursor.
    drawPointer(picture) {
      pointer.replaceChildren(...POINTER_LAYERS.flatMap((draw) => draw({ ...picture, centerOf })));
    },

    // The point under a pointer event; null beside the board.
    pointUnder(event) {
      const box = svg.getBoundingClientRect();
      const unit = sideOf(size) / box.width;
      const place = (pixel) => Math.round((pixel * unit - EDGE) / CELL);
      const [x, y] = [place(event.clientX - box.left), place(event.clientY - box.top)];
      const isInside = x >= 0 && y >= 0 && x < size && y < size;
      return isInside ? pointAt(...turned([x, y], size, isFlipped)) : null;
    },

    // Pixels between two points.
    cell: () => (svg.getBoundingClientRect().width / sideOf(size)) * CELL,

    // The picture as the text of a file, with the styles that apply here written into it.
    file: () => fileOf(svg),
  };
}

const FILE_PROPERTIES = (
  "fill fill-opacity stroke stroke-width stroke-opacity stroke-linecap opacity font-size font-weight font-family " +
  "text-anchor stop-color paint-order stroke-linejoin"
).split(" ");

function fileOf(svg) {
  const copy = svg.cloneNode(true);
  copy.querySelector(".over")?.remove();
  copy.removeAttribute("aria-hidden");
  const shown = svg.querySelectorAll("*:not(.over):not(.over *)");
  copy.querySelectorAll("*").forEach((node, place) => {
    const style = getComputedStyle(shown[place]);
    for (const property of FILE_PROPERTIES) {
      const value = style.getPropertyValue(property);
      const isGradient = property === "fill" && value.startsWith("url");
      if (value && !isGradient) node.setAttribute(property, value);
    }
    node.removeAttribute("class");
  });
  copy.removeAttribute("class");
  const side = copy.getAttribute("viewBox").split(" ")[2];
  copy.setAttribute("width", side);
  copy.setAttribute("height", side);
  return new XMLSerializer().serializeToString(copy);
}
