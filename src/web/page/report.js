// The report of a match: tables and games from the data in the page. The program puts this file and the modules that it
// imports into the page as one script.

import { make } from "./dom.js";
import { allLetters, splitMoves } from "./points.js";
import { drawDisagreements } from "./report/disagreements.js";
import { integer, line, section, table } from "./report/parts.js";
import { createReplay } from "./report/replay.js";
import { browserLanguage, fillTexts, otherLanguage, translator } from "./texts.js";

// The width and the middle of the bars of ratings, and the longest arm from the middle.
const BAR = { width: 220, height: 22, middle: 110, arm: 104 };

// Elo that the bars show at least, and the most of an interval that counts for their scale.
const LEAST_REACH = 50;
const MOST_ERROR = 400;

// The size of the chart of the SPRT.
const CHART = { width: 600, height: 150 };

const signed = (value, t) => (Number.isFinite(value) ? (value > 0 ? "+" : "") + t.number(value, 0) : "∞");

// The ratings with bars as wide as their 95 % intervals.
function ratings({ engines }, t) {
  const reach = Math.max(LEAST_REACH, ...engines.map(({ elo, error }) => Math.abs(elo) + Math.min(error, MOST_ERROR)));
  const x = (elo) => BAR.middle + (Math.max(-reach, Math.min(reach, elo)) / reach) * BAR.arm;
  const y = BAR.height / 2;
  const bar = ({ elo, error }) =>
    make(
      "svg",
      { class: "elo", viewBox: `0 0 ${BAR.width} ${BAR.height}`, "aria-hidden": "true" },
      line("zero", [BAR.middle, 0], [BAR.middle, BAR.height]),
      line(null, [x(elo - error), y], [x(elo + error), y]),
      make("circle", { cx: x(elo), cy: y, r: 5 }),
    );
  const row = (engine) => [
    engine.name,
    `${signed(engine.elo, t)} ± ${integer(engine.error, t)}`,
    bar(engine),
    integer(engine.games, t),
    engine.tally.join(" – "),
    `${t.number(100 * engine.share, 1)} %`,
    Object.entries(engine.lost_by)
      .map(([end, count]) => `${end} ${count}`)
      .join(", "),
  ];
  const names = [t("engine"), t("elo"), "", t("played"), "+ = −", t("share"), t("lost")];
  return section(t("table"), table(t("table"), names, engines.map(row)));
}

function crossTable({ engines, pairings }, t) {
  const names = engines.map(({ name }) => name);
  const cell = (row, column) => {
    if (row === column) return "·";
    const found = pairings.find(
      ({ first, second }) => [first, second].includes(row) && [first, second].includes(column),
    );
    if (!found) return "";
    return (found.first === row ? found.tally : [...found.tally].reverse()).join(" – ");
  };
  const rows = names.map((row) => [row, ...names.map((column) => cell(row, column))]);
  return section(t("crossTable"), make("p", { class: "note" }, t("wdl")), table(t("crossTable"), ["", ...names], rows));
}

// The log-likelihood ratio after each pair of games, between its bounds.
function sprt({ sprt: test }, ratios, t) {
  if (!test || ratios.length === 0) return null;
  const low = Math.min(test.lower, ...ratios) - 0.3;
  const high = Math.max(test.upper, ...ratios) + 0.3;
  const y = (value) => CHART.height - ((value - low) / (high - low)) * CHART.height;
  const step = CHART.width / Math.max(1, ratios.length);
  const points = [0, ...ratios].map((value, place) => `${(place * step).toFixed(1)},${y(value).toFixed(1)}`);
  const across = (kind, value) => line(kind, [0, y(value)], [CHART.width, y(value)]);
  const bounds = `[${t.number(test.lower, 2)}, ${t.number(test.upper, 2)}]`;
  const attributes = {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("sprt"),
  };
  const chart = make(
    "svg",
    attributes,
    across("zero", 0),
    across("bound", test.lower),
    across("bound", test.upper),
    make("polyline", { class: "llr", points: points.join(" ") }),
  );
  const verdict = make("p", {}, `${t.number(test.llr, 2)} ${bounds} ${test.decision ?? ""}`);
  return section(t("sprt"), verdict, make("div", { class: "graphbox" }, chart));
}

function openings(games, t) {
  const rows = new Map();
  for (const game of games) {
    const stones = allLetters(splitMoves(game.moves).slice(0, game.opening), game.size) || "–";
    const row = rows.get(stones) ?? { black: 0, draw: 0, white: 0 };
    row[game.winner]++;
    rows.set(stones, row);
  }
  const sum = ({ black, draw, white }) => black + draw + white;
  const bar = (row) => {
    const pieces = Object.entries(row).map(([kind, count]) => {
      const piece = make("i", { class: kind });
      piece.style.flexGrow = count;
      return piece;
    });
    return make("div", { class: "bars", "aria-hidden": "true" }, pieces);
  };
  const sorted = [...rows].sort(([, one], [, other]) => sum(other) - sum(one));
  const cells = ([stones, row]) => [stones, bar(row), ...Object.values(row).map((count) => integer(count, t))];
  const names = [t("procedure"), "", t("black"), t("draw"), t("white")];
  const note = make("p", { class: "note" }, t("openingGames"));
  return section(t("byOpening"), note, table(t("byOpening"), names, sorted.map(cells)));
}

function times({ engines }, games, t) {
  const used = new Map(engines.map(({ name }) => [name, { games: 0, moves: 0, sum: 0, longest: 0 }]));
  for (const game of games) {
    for (const name of game.players) if (used.has(name)) used.get(name).games++;
    game.times.forEach((time, place) => {
      const row = place >= game.opening ? used.get(game.players[place % 2]) : null;
      if (!row) return;
      row.moves++;
      row.sum += time;
      row.longest = Math.max(row.longest, time);
    });
  }
  const mean = (sum, count) => `${integer(sum / Math.max(1, count), t)} ms`;
  const row = ([name, { games: played, moves, sum, longest }]) => [
    name,
    mean(sum, moves),
    mean(longest, 1),
    mean(sum, played),
  ];
  const names = [t("engine"), t("mean"), t("longest"), t("perGame")];
  return section(t("timeUsed"), table(t("timeUsed"), names, [...used].map(row)));
}

// Draws the report in a language. `place` is what the replay shows first: { at, shown }.
function draw(data, language, place = { at: 0, shown: Infinity }) {
  const { report, games, llr, board } = data;
  const t = translator(language);
  fillTexts(t, language);
  document.title = t("report");
  const replay = games.length > 0 ? createReplay(games, board, t) : null;
  const look = (at, ply) => {
    replay.show(at, ply);
    replay.section.scrollIntoView();
  };
  const turn = () => draw(data, otherLanguage(language), replay?.shown());
  const other = make("button", { class: "quiet", onclick: turn }, t("otherLanguage"));
  const header = make("header", {}, make("h1", {}, t("report")), other);
  const paragraphs = (lines, kind) => lines.map((text) => make("p", { class: kind }, text));
  const parts = [
    header,
    paragraphs(report.heading, "note"),
    ratings(report, t),
    crossTable(report, t),
    sprt(report, llr, t),
    replay?.section,
    drawDisagreements(games, t, look),
    openings(games, t),
    times(report, games, t),
    report.notes.length > 0 && section(t("notes"), paragraphs(report.notes, null)),
  ];
  document.body.replaceChildren(make("main", { class: "plain" }, parts));
  replay?.show(place.at, place.shown);
}

draw(JSON.parse(document.getElementById("data").textContent), browserLanguage());
