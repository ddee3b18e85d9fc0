// The report of a match: tables and games from the data in the page.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const number = (value, digits = 0) => (value ?? Infinity).toLocaleString(Texts.code(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
const signed = (value) => (Number.isFinite(value) ? (value > 0 ? "+" : "") + number(value) : "∞");
const head = (names) => make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name))));
const table = (names, rows) => make("table", {}, head(names), make("tbody", {}, rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), cells.map((cell) => make("td", {}, cell))))));
const part = (title, ...children) => make("section", {}, make("h2", {}, title), children);

const Report = {
  // The ratings with bars as wide as their 95 % intervals.
  ratings() {
    const { engines } = data.report;
    const reach = Math.max(50, ...engines.map(({ elo, error }) => Math.abs(elo) + Math.min(error, 400)));
    const x = (elo) => 110 + (Math.max(-reach, Math.min(reach, elo)) / reach) * 104;
    const bar = ({ elo, error }) => make("svg", { class: "elo", viewBox: "0 0 220 22", "aria-hidden": "true" }, make("line", { class: "zero", x1: 110, x2: 110, y1: 0, y2: 22 }), make("line", { x1: x(elo - error), x2: x(elo + error), y1: 11, y2: 11 }), make("circle", { cx: x(elo), cy: 11, r: 5 }));
    const row = (engine) => [engine.name, `${signed(engine.elo)} ± ${number(engine.error)}`, bar(engine), number(engine.games), engine.tally.join(" – "), `${number(100 * engine.share, 1)} %`, Object.entries(engine.lost_by).map(([end, count]) => `${end} ${count}`).join(", ")];
    return part(t("table"), table([t("engine"), t("elo"), "", t("played"), "+ = −", t("share"), t("lost")], engines.map(row)));
  },

  cross() {
    const names = data.report.engines.map(({ name }) => name);
    const cell = (row, column) => {
      const found = data.report.pairings.find(({ first, second }) => (first === row && second === column) || (first === column && second === row));
      if (!found) return "";
      const [wins, draws, losses] = found.first === row ? found.tally : [...found.tally].reverse();
      return `${wins} – ${draws} – ${losses}`;
    };
    return part(t("crossTable"), make("p", { class: "note" }, t("wdl")), table(["", ...names], names.map((row) => [row, ...names.map((column) => (row === column ? "·" : cell(row, column)))])));
  },

  // The log-likelihood ratio after each pair, between its bounds.
  sprt() {
    const { sprt } = data.report;
    if (!sprt || data.llr.length === 0) return null;
    const low = Math.min(sprt.lower, ...data.llr) - 0.3;
    const high = Math.max(sprt.upper, ...data.llr) + 0.3;
    const y = (value) => 150 - ((value - low) / (high - low)) * 150;
    const step = 600 / Math.max(1, data.llr.length);
    const points = [0, ...data.llr].map((value, place) => `${(place * step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const line = (kind, value) => make("line", { class: kind, x1: 0, x2: 600, y1: y(value), y2: y(value) });
    const verdict = `${number(sprt.llr, 2)} [${number(sprt.lower, 2)}, ${number(sprt.upper, 2)}] ${sprt.decision ?? ""}`;
    return part(t("sprt"), make("p", {}, verdict), make("div", { class: "graphbox" }, make("svg", { viewBox: "0 0 600 150", preserveAspectRatio: "none", role: "img", "aria-label": t("sprt") }, line("zero", 0), line("bound", sprt.lower), line("bound", sprt.upper), make("polyline", { class: "llr", points }))));
  },

  openings() {
    const rows = new Map();
    for (const game of data.games) {
      const stones = Letters.writeAll(game.moves.split(" ").slice(0, game.opening), game.size) || "–";
      const row = rows.get(stones) ?? [0, 0, 0];
      row[{ black: 0, draw: 1, white: 2 }[game.winner]]++;
      rows.set(stones, row);
    }
    const bar = (row) => make("div", { class: "bars", "aria-hidden": "true" }, ["black", "draw", "white"].map((kind, place) => {
      const piece = make("i", { class: kind });
      piece.style.flexGrow = row[place];
      return piece;
    }));
    const sorted = [...rows].sort((a, b) => b[1][0] + b[1][1] + b[1][2] - (a[1][0] + a[1][1] + a[1][2]));
    return part(t("byOpening"), make("p", { class: "note" }, t("openingGames")), make("div", { class: "scroll", tabindex: "0" }, table([t("procedure"), "", t("black"), t("draw"), t("white")], sorted.map(([stones, row]) => [stones, bar(row), ...row.map((count) => number(count))]))));
  },

  times() {
    const used = new Map(data.report.engines.map(({ name }) => [name, { games: 0, moves: 0, sum: 0, longest: 0 }]));
    for (const game of data.games) {
      game.players.forEach((name) => used.get(name) && used.get(name).games++);
      game.times.forEach((time, place) => {
        const row = place >= game.opening ? used.get(game.players[place % 2]) : null;
        if (!row) return;
        row.moves++;
        row.sum += time;
        row.longest = Math.max(row.longest, time);
      });
    }
    const ms = (value) => `${number(value)} ms`;
    return part(t("timeUsed"), table([t("engine"), t("mean"), t("longest"), t("perGame")], [...used].map(([name, row]) => [name, ms(row.sum / Math.max(1, row.moves)), ms(row.longest), ms(row.sum / Math.max(1, row.games))])));
  },

  // The board with the chosen game, and the list of games.
  replay() {
    const host = make("div", { class: "board" });
    const board = new BoardView(host);
    const caption = make("p", { role: "status" });
    const place = make("output", {}, "0");
    const list = make("div", { class: "list scroll", tabindex: "0" });
    let [game, shown] = [0, Infinity];
    const draw = () => {
      const { moves, size, players, detail, name, winner, times } = data.games[game];
      const all = moves.split(" ").filter(Boolean);
      shown = Math.max(0, Math.min(all.length, shown));
      board.draw({ size, stones: all.slice(0, shown).map((at, ply) => ({ at, color: ply % 2 ? "white" : "black", number: ply + 1 })), last: all[shown - 1] });
      caption.textContent = `${name}: ${t("black")} ${players[0]}, ${t("white")} ${players[1]}. ${winner === "draw" ? t("draw") : t("win", t(winner))}: ${detail}`;
      place.textContent = `${shown} / ${all.length}${shown > 0 ? ` · ${number(times[shown - 1] ?? 0)} ms` : ""}`;
      [...list.children].forEach((row, at) => (at === game ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    };
    const step = (label, sign, to) => make("button", { class: "icon", "aria-label": t(label), title: t(label), onclick: () => ((shown = to()), draw()) }, sign);
    list.append(...data.games.map((one, at) => make("button", { class: "game", onclick: () => (([game, shown] = [at, Infinity]), draw()) }, make("small", {}, one.name), make("span", {}, make("i", { class: "stone black" }), one.players[0]), make("span", {}, make("i", { class: "stone white" }), one.players[1]), make("b", {}, one.winner === "draw" ? "½–½" : one.winner === "black" ? "1–0" : "0–1"), make("small", {}, one.detail))));
    const steps = make("div", { class: "row" }, step("first", "«", () => 0), step("back", "‹", () => shown - 1), place, step("forward", "›", () => shown + 1), step("last", "»", () => Infinity));
    document.onkeydown = ({ key }) => {
      const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: Infinity }[key];
      if (to === undefined) return;
      shown = to;
      draw();
    };
    if (data.games.length) draw();
    return part(t("replay"), make("div", { class: "duo" }, make("div", {}, host, steps, caption), list));
  },

  draw() {
    Texts.fill(document);
    document.title = t("report");
    const header = make("header", {}, make("h1", {}, t("report")), make("button", { class: "quiet", onclick: () => ((Texts.language = 1 - Texts.language), Report.draw()) }, t("otherLanguage")));
    const heading = data.report.heading.map((line) => make("p", { class: "note" }, line));
    const notes = data.report.notes.length ? part(t("notes"), data.report.notes.map((note) => make("p", {}, note))) : null;
    const parts = [Report.ratings(), Report.cross(), Report.sprt(), data.games.length ? Report.replay() : null, Report.openings(), Report.times(), notes];
    document.body.replaceChildren(make("main", { class: "plain" }, header, heading, parts.filter(Boolean)));
  },
};

Texts.begin(null);
Report.draw();
