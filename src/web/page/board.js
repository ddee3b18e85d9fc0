// The drawing of a board as SVG: the page and the reports show games with it.
"use strict";

// Points as messages and saved games hold them: "x,y", both from zero, y from the top.
const Points = {
  name: (x, y) => `${x},${y}`,
  parse: (point) => point.split(",").map(Number),
};

// Points as people write them: files from the left, ranks from the bottom, so that a1 is the bottom left. This is the only
// place that reads or writes letters.
const Letters = {
  // a … z, aa … af.
  file: (x) => (x < 26 ? String.fromCharCode(97 + x) : "a" + String.fromCharCode(97 + x - 26)),
  rank: (y, size) => String(size - y),
  write(point, size) {
    const [x, y] = Points.parse(point);
    return Letters.file(x) + Letters.rank(y, size);
  },
  writeAll: (points, size) => points.map((point) => Letters.write(point, size)).join(" "),
  // The point of a text, null where it is none; `ranks` is "bottom" or "top".
  read(text, size, ranks) {
    const [, file, number] = /^(a?[a-z])([1-9]\d?)$/.exec(text) ?? [];
    if (!file) return null;
    const x = file.charCodeAt(file.length - 1) - 97 + (file.length === 2 ? 26 : 0);
    const y = ranks === "top" ? number - 1 : size - number;
    return x < size && y >= 0 && y < size ? Points.name(x, y) : null;
  },
};

// A node of HTML or SVG with attributes and children; a text child becomes text, never markup.
const SVG = "http://www.w3.org/2000/svg";
function make(tag, attributes = {}, ...children) {
  const isSvg = make.svg.has(tag);
  const node = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
make.svg = new Set(["svg", "g", "rect", "circle", "line", "path", "text", "defs", "radialGradient", "linearGradient", "stop", "polyline", "title"]);

const CELL = 40; // The distance of two points in units of the picture.
const EDGE = 42; // From the first point to the border.

class BoardView {
  // `handlers`: play(point), speak(point).
  constructor(host, handlers = {}) {
    this.host = host;
    this.handlers = handlers;
    this.size = 0;
    this.cursor = null;
    this.state = { stones: [] };
    this.svg = make("svg", { class: "goban", "aria-hidden": "true" });
    host.replaceChildren(this.svg);
    if (handlers.play) this.listen();
  }

  at([x, y]) {
    return [EDGE + x * CELL, EDGE + y * CELL];
  }

  center(point) {
    return this.at(Points.parse(point));
  }

  // Draws a state: size, stones [{at, color, number, ghost, wall}], last, row, forbidden [[at, why]], heat [{at, share, text,
  // kind}], windows [[points]], marked. All points are "x,y".
  draw(state) {
    this.state = state;
    if (state.size !== this.size) this.grid(state.size);
    const [shown, spines] = [[], []];
    const taken = new Set(state.stones.map((stone) => stone.at));
    for (const cells of state.windows ?? []) {
      if (cells.length < 2) continue;
      const [[x1, y1], [x2, y2]] = [this.center(cells[0]), this.center(cells[cells.length - 1])];
      shown.push(make("line", { class: "window", x1, y1, x2, y2 }));
      spines.push(make("line", { class: "spine", x1, y1, x2, y2 }));
    }
    shown.push(...spines);
    for (const { at, share, text, kind } of state.heat ?? []) {
      if (taken.has(at)) continue;
      const [x, y] = this.center(at);
      const long = text.length > 3 ? (text.length > 4 ? " tiny" : " small") : "";
      shown.push(make("rect", { class: `heat ${kind}`, x: x - 18, y: y - 18, width: 36, height: 36, rx: 8, "fill-opacity": (0.12 + 0.83 * share).toFixed(2) }));
      shown.push(make("text", { class: `value${long}${share > 0.55 ? " strong" : ""}`, x, y: y + 4.5 }, text));
    }
    for (const [at, why] of state.forbidden ?? []) {
      if (taken.has(at)) continue;
      const [x, y] = this.center(at);
      shown.push(make("path", { class: "forbidden", d: `M${x - 8} ${y - 8}l16 16m0-16l-16 16` }, make("title", {}, `${Letters.write(at, state.size)}: ${why}`)));
    }
    const row = new Set(state.row ?? []);
    for (const stone of state.stones) shown.push(this.stone(stone, row.has(stone.at), stone.at === state.last));
    if (state.marked) {
      const [x, y] = this.center(state.marked);
      shown.push(make("circle", { class: "marked", cx: x, cy: y, r: 19 }));
    }
    this.layer.replaceChildren(...shown);
    this.drawCursor();
  }

  // A wall shows in its middle the color of the stone that it was.
  stone({ at, color, number, ghost, wall }, inRow, isLast) {
    const [x, y] = this.center(at);
    const group = make("g", { class: `stone ${color}${ghost ? " ghost" : ""}${inRow ? " row" : ""}` });
    const square = (kind) => make("rect", { class: kind, x: x - 18, y: y - 18, width: 36, height: 36, rx: 5 });
    const disc = { class: "disc", cx: x, cy: y, fill: `url(#${this.id}-${color})` };
    if (wall) group.append(square("wall"), make("circle", { ...disc, r: number ? 15 : 9 }));
    else group.append(...(ghost ? [] : [make("circle", { class: "shadow", cx: x + 1.5, cy: y + 2.5, r: 17.5 })]), make("circle", { ...disc, r: 17.5 }));
    if (inRow) group.append(wall ? square("ring") : make("circle", { class: "ring", cx: x, cy: y, r: 17.5 }));
    if (number) group.append(make("text", { class: `number${String(number).length > 2 ? " long" : ""}`, x, y: y + 5 }, String(number)));
    else if (isLast) group.append(make("circle", { class: "last", cx: x, cy: y, r: 5 }));
    if (number && isLast) group.append(make("circle", { class: "lastring", cx: x, cy: y, r: 15.5 }));
    return group;
  }

  // The lines, the labels and the layers above them.
  grid(size) {
    this.size = size;
    this.id ??= `board${(BoardView.count = (BoardView.count ?? 0) + 1)}`;
    const side = EDGE + 24 + (size - 1) * CELL;
    const end = EDGE + (size - 1) * CELL;
    this.svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
    const gradient = (color, inner, outer) =>
      make("radialGradient", { id: `${this.id}-${color}`, cx: "36%", cy: "32%", r: "72%" }, make("stop", { offset: "0", "stop-color": inner }), make("stop", { offset: "1", "stop-color": outer }));
    const wood = make("linearGradient", { id: `${this.id}-wood`, x1: 0, y1: 0, x2: 1, y2: 1 }, make("stop", { offset: "0", class: "wood-one" }), make("stop", { offset: "1", class: "wood-two" }));
    const lines = make("g", { class: "lines" });
    const labels = make("g", { class: "labels" });
    for (let place = 0; place < size; place++) {
      const at = EDGE + place * CELL;
      const edge = place === 0 || place === size - 1 ? "edge" : null;
      lines.append(make("line", { class: edge, x1: EDGE, y1: at, x2: end, y2: at }), make("line", { class: edge, x1: at, y1: EDGE, x2: at, y2: end }));
      labels.append(make("text", { x: at, y: 18 }, Letters.file(place)), make("text", { x: 14, y: at + 4.5 }, Letters.rank(place, size)));
    }
    for (const [x, y] of BoardView.dots(size)) lines.append(make("circle", { cx: EDGE + x * CELL, cy: EDGE + y * CELL, r: 4 }));
    this.layer = make("g", {});
    this.over = make("g", { class: "over" });
    this.svg.replaceChildren(
      make("defs", {}, gradient("black", "#6a6762", "#141312"), gradient("white", "#ffffff", "#d9d3c6"), wood),
      make("rect", { class: "wood", width: side, height: side, rx: 14, fill: `url(#${this.id}-wood)` }),
      lines, labels, this.layer, this.over,
    );
  }

  // Star points as go boards have them: from 17 lines on also in the middle of the sides.
  static dots(size) {
    const middle = (size - 1) / 2;
    const inner = size >= 13 ? 3 : size >= 9 ? 2 : null;
    const hasMiddle = Number.isInteger(middle);
    const dots = hasMiddle ? [[middle, middle]] : [];
    if (inner === null) return dots;
    const outer = size - 1 - inner;
    for (const x of [inner, outer]) for (const y of [inner, outer]) dots.push([x, y]);
    if (hasMiddle && size >= 17) for (const side of [inner, outer]) dots.push([side, middle], [middle, side]);
    return dots;
  }

  listen() {
    const host = this.host;
    host.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.hover(this.under(event)));
    host.addEventListener("pointerleave", () => this.hover(null));
    host.addEventListener("click", (event) => {
      const point = this.under(event);
      if (point) {
        this.cursor = Points.parse(point);
        this.handlers.play(point);
      }
    });
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focus", () => this.drawCursor());
    host.addEventListener("blur", () => this.drawCursor());
  }

  under(event) {
    const box = this.svg.getBoundingClientRect();
    const unit = (EDGE + 24 + (this.size - 1) * CELL) / box.width;
    const place = (pixel) => Math.round((pixel * unit - EDGE) / CELL);
    const [x, y] = [place(event.clientX - box.left), place(event.clientY - box.top)];
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? Points.name(x, y) : null;
  }

  hover(point) {
    if (point === this.hovered) return;
    this.hovered = point;
    this.drawCursor();
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step) {
      const middle = Math.floor(this.size / 2);
      const [x, y] = this.cursor ?? [middle - step[0], middle - step[1]];
      const inside = (value) => Math.min(this.size - 1, Math.max(0, value));
      this.cursor = [inside(x + step[0]), inside(y + step[1])];
      this.drawCursor();
      this.handlers.speak?.(Points.name(...this.cursor));
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      this.handlers.play(Points.name(...this.cursor));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The stone that would be played, and the cursor of the keyboard.
  drawCursor() {
    if (!this.over) return;
    const shown = [];
    const taken = (point) => this.state.stones.some((stone) => stone.at === point);
    if (this.hovered && this.state.next && !taken(this.hovered)) {
      const [cx, cy] = this.center(this.hovered);
      shown.push(make("circle", { class: `next ${this.state.next}`, cx, cy, r: 16 }));
    }
    if (this.cursor && document.activeElement === this.host && this.host.matches(":focus-visible")) {
      const [x, y] = this.at(this.cursor);
      shown.push(make("rect", { class: "cursor", x: x - 19, y: y - 19, width: 38, height: 38, rx: 7 }));
    }
    this.over.replaceChildren(...shown);
  }

  // The picture as a file: the styles that apply here are written into it.
  file() {
    const copy = this.svg.cloneNode(true);
    copy.querySelector(".over")?.remove();
    copy.removeAttribute("aria-hidden");
    const properties = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "stop-color"];
    const [from, to] = [this.svg.querySelectorAll("*:not(.over):not(.over *)"), copy.querySelectorAll("*")];
    to.forEach((node, place) => {
      const style = getComputedStyle(from[place]);
      for (const property of properties) {
        const value = style.getPropertyValue(property);
        if (value && !(property === "fill" && value.startsWith("url"))) node.setAttribute(property, value);
      }
      node.removeAttribute("class");
    });
    copy.removeAttribute("class");
    const side = copy.getAttribute("viewBox").split(" ")[2];
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("width", side);
    copy.setAttribute("height", side);
    return new XMLSerializer().serializeToString(copy);
  }
}
