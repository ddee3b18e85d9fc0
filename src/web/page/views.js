// What stands beside the board: analysis, points, moves, games, the graph. Each function makes the nodes of one part.
"use strict";

const Format = {
  // 12400 → 12k: a number of at most four signs for a point of the board.
  short(number) {
    const size = Math.abs(number);
    if (size < 10000) return String(number);
    const [unit, sign] = size < 1e6 ? [1e3, "k"] : size < 1e9 ? [1e6, "M"] : size < 1e12 ? [1e9, "G"] : [1e12, "T"];
    const value = number / unit;
    return (Math.abs(value) < 10 ? value.toFixed(1) : Math.round(value)) + sign;
  },
  count(number) {
    return number.toLocaleString(Texts.code());
  },
  seconds(ms) {
    return ms < 10000 ? `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s` : `${Math.round(ms / 1000)} s`;
  },
  clock(ms) {
    const seconds = Math.max(0, ms) / 1000;
    const rest = seconds % 60;
    return `${Math.floor(seconds / 60)}:${seconds < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
  },
};

const colorOf = (number) => (number % 2 === 0 ? "black" : "white");

const Views = {
  // The lines of a search: score and moves.
  search(info, size) {
    if (!info) return [make("p", { class: "note" }, t("noLines"))];
    const facts = [[t("depth"), `${info.depth}–${info.seldepth}`], [t("nodesShort"), Format.count(info.nodes)], [t("speed"), Format.count(info.nps)], [t("time"), Format.seconds(info.time)]];
    const list = make("ol", { class: "lines" }, info.lines.map((line) => {
      const kind = line.value > 30 ? "good" : line.value < -30 ? "bad" : "even";
      return make("li", {}, make("button", { class: "line" }, make("b", { class: `score ${kind}` }, line.score), make("span", { class: "pv" }, Letters.writeAll(line.moves.split(" ").filter(Boolean), size))));
    }));
    return [make("dl", { class: "facts" }, facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))), list];
  },

  // A forced win, move by move. `show(count)` draws its first moves.
  proof(proof, size, show) {
    if (!proof) return [];
    const { kind, side, moves, shown } = proof;
    const name = kind.toUpperCase();
    if (!proof.result) return [make("p", { class: "note busy" }, t("proving", name))];
    const key = { win: proof.continuous ? "proofFive" : "proofWin", none: "proofNone", unknown: "proofUnknown" }[proof.result];
    const heading = make("p", { class: `verdict ${proof.result}` }, t(key, name, t(side), Math.ceil(moves.length / 2)));
    const other = make("button", { onclick: proof.other }, t("otherSide"));
    if (proof.result !== "win") return [make("div", { class: "row" }, heading, other)];
    const step = (count) => () => show(Math.min(moves.length, Math.max(0, count)));
    const list = moves.map((move, place) => make("button", { class: `chip ${place % 2 === 0 ? side : side === "black" ? "white" : "black"}`, "aria-pressed": String(place < shown), onclick: step(place + 1) }, Letters.write(move, size)));
    return [
      make("div", { class: "row" }, heading, other),
      make("div", { class: "row" }, make("button", { onclick: step(shown - 1) }, t("stepBack")), make("button", { onclick: step(shown + 1) }, t("stepForward")), make("output", {}, `${shown}/${moves.length}`)),
      make("div", { class: "chips" }, list),
    ];
  },

  // Why Tengen played a move: the reason, the greatest weights, the lines through it. A row names its point.
  why(node, size) {
    const why = node.why;
    if (!why) return [];
    const { choice } = why;
    const score = node.score ?? choice.score;
    const reasons = {
      centre: () => t("reasonCentre"), rule: () => t("reasonRule"), unfinished: () => t("reasonUnfinished"),
      weights: () => t("reasonWeights", Format.count(choice.total)), proof: () => t("reasonProof", score, Format.count(choice.nodes)),
      search: () => t("reasonSearch", score, choice.depth, Format.count(choice.nodes)),
    };
    const cells = (row) => ["attack", "defence", "total"].map((key) => make("td", {}, Format.count(row[key])));
    const rows = why.greatest.map((row) => make("tr", { class: row.point === choice.point ? "here" : null, "data-point": row.point }, make("th", { scope: "row" }, Letters.write(row.point, size)), cells(row)));
    return [
      make("h2", {}, t("why", Letters.write(choice.point, size))),
      make("p", {}, reasons[choice.reason]()),
      make("div", { class: "pair", tabindex: "0" },
        make("table", {}, make("caption", {}, why.weights), Views.head([t("point"), t("attack"), t("defence"), t("total")]), make("tbody", {}, rows)),
        Views.lineTable(why.lines, why.turn)),
      make("details", {}, make("summary", {}, t("asText")), make("pre", { tabindex: "0" }, node.text)),
    ];
  },

  head: (names) => make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name)))),

  lineTable(lines, turn) {
    const other = turn === "black" ? "white" : "black";
    const row = (line) => make("tr", {}, make("th", { scope: "row" }, t(line.direction)), make("td", { class: "code" }, line.window), make("td", {}, t(line.own)), make("td", {}, t(line.their)));
    return make("table", { class: "linetable" }, make("caption", {}, t("ifPlays")), Views.head([t("line"), t("windowOf"), t(turn), t(other)]), make("tbody", {}, lines.map(row)));
  },

  // One point in full.
  point(point, size) {
    if (!point) return [make("p", { class: "note" }, t("pointHelp"))];
    const other = point.turn === "black" ? "white" : "black";
    const made = (color, shape) => shape && make("span", { class: `tag ${color}` }, `${t(color)}: ${t(shape)}`);
    const row = (weights) => make("tr", {}, make("th", { scope: "row" }, weights.name), ["attack", "defence", "total", "rank"].map((key) => make("td", {}, Format.count(weights[key]))));
    return [
      make("h2", {}, Letters.write(point.point, size), " ", make("small", {}, point.point), " ", made(point.turn, point.own), made(other, point.their), point.forbidden && make("span", { class: "tag bad" }, t("forbiddenPoint", point.forbidden))),
      make("div", { class: "pair", tabindex: "0" },
        make("table", {}, Views.head([t("weights"), t("attack"), t("defence"), t("total"), t("rank")]), make("tbody", {}, point.weights.map(row))),
        Views.lineTable(point.lines, point.turn)),
    ];
  },

  // The moves of the tree: the line of the first children, variations in boxes below the move that they replace.
  moves(tree, size, marks, handlers) {
    if (!tree.root.children.length) return [make("p", { class: "note" }, t("noMoves"))];
    const onPath = new Set(tree.path());
    const chip = (node) => {
      const depth = Tree.depth(node);
      const mark = marks.get(node);
      return make("button", {
        class: `move ${colorOf(depth - 1)}${onPath.has(node) ? " on" : ""}${mark ? " turned" : ""}`, "aria-current": node === tree.here ? "step" : null,
        title: mark ? t("turned") : null, onclick: () => handlers.go(node),
      }, make("small", {}, String(depth)), Letters.write(node.move, size), mark && make("sup", {}, "?"), node.time ? make("time", {}, Format.seconds(node.time)) : null);
    };
    const line = (node) => {
      const parts = [];
      while (node) {
        const [first, ...others] = node.children;
        if (!first) break;
        parts.push(chip(first));
        for (const other of others) {
          parts.push(make("div", { class: "variation" }, chip(other), ...line(other), make("button", { class: "quiet icon", "aria-label": t("removeLine"), title: t("removeLine"), onclick: () => handlers.remove(other) }, "×")));
        }
        node = first;
      }
      return parts;
    };
    const said = tree.here.said?.length ? make("details", {}, make("summary", {}, t("engineSaid")), make("pre", { tabindex: "0" }, tree.here.said.join("\n"))) : null;
    return [make("div", { class: "tree" }, line(tree.root)), ...(said ? [said] : [])];
  },

  // The games of a file.
  games(games, current, choose) {
    const row = (game, place) => {
      const [black, white] = game.players ?? ["", ""];
      const result = game.winner === "draw" ? "½–½" : game.winner === "black" ? "1–0" : game.winner === "white" ? "0–1" : "";
      return make("button", { class: "game", "aria-current": place === current ? "true" : null, onclick: () => choose(place) },
        make("small", {}, game.name ?? String(place + 1)), make("span", {}, make("i", { class: "stone black", "aria-hidden": "true" }), black || t("black")), make("span", {}, make("i", { class: "stone white", "aria-hidden": "true" }), white || t("white")),
        make("b", {}, result), make("small", {}, game.detail ?? ""));
    };
    return [make("div", { class: "list" }, games.map(row))];
  },

  // Black's share of the points along a line of nodes.
  graph(line, here, marks, go) {
    const [width, height] = [600, 96];
    const step = width / Math.max(10, line.length - 1);
    const y = (chance) => height - 4 - chance * (height - 8);
    const known = line.map((node, place) => ({ node, place, x: place * step })).filter(({ node }) => node.chance !== null);
    const parts = [make("line", { class: "even", x1: 0, x2: width, y1: height / 2, y2: height / 2 })];
    if (known.length) {
      const points = known.map(({ node, x }) => `${x.toFixed(1)},${y(node.chance).toFixed(1)}`).join(" ");
      const [first, last] = [known[0], known[known.length - 1]];
      parts.push(make("path", { class: "area", d: `M${first.x} ${height / 2}L${points.replaceAll(" ", "L")}L${last.x} ${height / 2}Z` }), make("polyline", { class: "curve", points }));
      for (const { node, x } of known) parts.push(make("circle", { class: marks.get(node) ? "turned" : "dot", cx: x, cy: y(node.chance), r: marks.get(node) ? 5 : 2.5 }));
    }
    const at = line.indexOf(here);
    if (at >= 0) parts.push(make("line", { class: "now", x1: at * step, x2: at * step, y1: 0, y2: height }));
    return make("svg", { class: "curve", viewBox: `-6 0 ${width + 12} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph"), onclick: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const place = Math.round((((event.clientX - box.left) / box.width) * (width + 12) - 6) / step);
      go(line[Math.min(line.length - 1, Math.max(0, place))]);
    } }, parts);
  },
};

// The moves after which the side that moved lost a fifth of the points or more. A stone that makes a five of a continuous
// game loses what it has just won.
const TURN = 0.2;
function turns(line) {
  const marks = new Map();
  for (let place = 1; place < line.length; place++) {
    const [before, after] = [line[place - 1].chance, line[place].chance];
    if (before === null || after === null || line[place].scored?.winner === colorOf(place - 1)) continue;
    const lost = place % 2 === 1 ? before - after : after - before;
    if (lost >= TURN) marks.set(line[place], lost);
  }
  return marks;
}
