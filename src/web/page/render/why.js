// The reasons of a move: proved facts in sentences, the result of the search, and the weights of the greedy player.

import { byId, make } from "../dom.js";
import { splitMoves } from "../points.js";
import { reviewOf, sideOfView, turnOf } from "../state/index.js";
import { nodeOf, otherColor } from "../tree.js";
import { chanceOf, lossOf, verdictText } from "../verdict.js";
import { LINE_MOVES, lineTable, plyButtons, tableHead, tableRow } from "./table.js";
import { foulText } from "../words.js";

// A row as its ends: "i7–k7".
const rowText = (row, size, t) => [row[0], row.at(-1)].map((point) => t.point(point, size)).join("–");

// A fact as a sentence. `side` played the move.
function factText(fact, side, size, t) {
  const other = t(otherColor(side));
  const names = (points) => points.map((point) => t.point(point, size)).join(", ");
  const { moves, points, row, what } = fact;
  const how = moves === 1 ? "five" : fact.how;
  switch (fact.fact) {
    case "forbidden":
      return t("why forbidden", foulText(fact.foul, t));
    case "wins":
      return t(`why wins ${how}`, moves);
    case "loses":
      return t(`why loses ${how}`, other, moves, t.point(fact.line.at(-1), size));
    case "only":
      return t(`why only ${fact.refuted}`, other);
    case "stops":
      if (what === "five") return t("why stops five", names(points));
      if (what === "open four" && row.length > 0) return t("why stops three", rowText(row, size, t));
      return t(`why stops ${what}`, other, names(points));
    case "threatens":
      return t(`why threatens ${how}`, names(points), moves, other);
    case "makes":
      return t("why makes", t(fact.shape));
    default:
      return t(`why ${fact.fact}`);
  }
}

// Minimum loss of chance from which another move is called better.
const LEAST_LOSS = 0.01;

// The comparison with the other candidates of the search: the lead over the next one, or the better move.
function searchText({ tree, reports, settings, perspective }, t) {
  const node = nodeOf(tree);
  const report = reports[node.parent];
  if (!report || report.lines.length === 0) return "";
  const state = { tree, perspective };
  const side = turnOf(state, node.parent);
  const [best, next] = report.lines;
  const [first] = splitMoves(best.moves);
  const percent = (share) => Math.round(100 * share);
  if (first !== node.move) {
    const own = report.lines.find(({ moves }) => splitMoves(moves)[0] === node.move)?.verdict ?? node.verdict;
    const loss = lossOf(best.verdict, own, side);
    if (loss === null || loss < LEAST_LOSS) return "";
    const said = verdictText(best.verdict, sideOfView(state, node.parent), t);
    return t("whyBetter", t.point(first, settings.size), said);
  }
  const ahead = next ? percent(chanceOf(best.verdict, side) - chanceOf(next.verdict, side)) : 0;
  return ahead > 0 ? t("whyAhead", ahead, t.point(splitMoves(next.moves)[0], settings.size)) : "";
}

// What the other side has after a move that lost something, once a review has searched that position.
function replyItem(state, t) {
  const { id, best, facts } = nodeOf(state.tree);
  const isFault = best && reviewOf(state).some(({ node, kind }) => node.id === id && kind);
  // A proved loss has the same line.
  if (!isFault || facts?.some(({ fact }) => fact === "loses")) return null;
  const said = t("whyReply", verdictText(best.verdict, sideOfView(state, id), t));
  const line = make("span", { class: "pv" }, plyButtons(best.moves, state.settings.size, t));
  return make("li", { "data-before": id }, said, " ", line);
}

// The moves of a fact's line. Those of a line that begins with the move itself are played by a click.
function lineOfFact({ line, fact }, size, t) {
  if (!line || line.length < 2) return [];
  const isPlayed = fact === "wins" || fact === "loses";
  const rest = line.length > LINE_MOVES && "…";
  return [make("span", { class: "pv" }, plyButtons(line, size, t, isPlayed), rest)];
}

// How the engine chose the move.
function reasonText({ why, judged }, side, t) {
  const { choice } = why;
  const found = verdictText(judged, side, t);
  const reasons = {
    centre: () => t("reasonCentre"),
    rule: () => t("reasonRule"),
    book: () => t("reasonBook"),
    unfinished: () => t("reasonUnfinished"),
    weights: () => t("reasonWeights", t.number(choice.total)),
    proof: () => t("reasonProof", found, t.number(choice.nodes)),
    search: () => t("reasonSearch", found, choice.depth, t.number(choice.nodes)),
  };
  return reasons[choice.reason]?.() ?? "";
}

function whyParts(state, t) {
  const { tree, settings } = state;
  const node = nodeOf(tree);
  if (node.move === null) return [];
  const side = turnOf(state, node.parent);
  const sentence = (fact, place) =>
    make(
      "li",
      { "data-fact": place, tabindex: fact.line ? null : "0" },
      factText(fact, side, settings.size, t),
      " ",
      lineOfFact(fact, settings.size, t),
    );
  const facts = [...(node.facts ?? []).map(sentence), replyItem(state, t)].filter(Boolean);
  const searched = searchText(state, t);
  const isTold = node.why && (node.judged || !["proof", "search"].includes(node.why.choice.reason));
  const chosen = isTold && reasonText(node, sideOfView(state, node.parent), t);
  if (facts.length === 0 && !searched && !chosen) return [];
  return [
    make("h2", {}, t("why", t.point(node.move, settings.size))),
    make("ul", { class: "reasons" }, facts, searched && make("li", {}, searched)),
    chosen && make("p", { class: "note" }, `${t("engineChose")} ${chosen}`),
  ];
}

export const why = {
  select(state) {
    const { id, parent, facts, why: chosen, judged, verdict, best } = nodeOf(state.tree);
    // Whether the move was a fault depends on the review of the position before it.
    const before = state.tree.nodes[parent];
    const lines = state.reports[parent]?.lines;
    const { settings, perspective } = state;
    return [id, facts, chosen, judged, verdict, best, before?.verdict, before?.best, lines, settings, perspective];
  },
  draw: (state, t) => byId("why").replaceChildren(...whyParts(state, t).filter(Boolean)),
};

// The greatest weights before a move of Tengen, and the lines through its point.
function weightsParts({ why: reason, text }, size, t) {
  if (!reason) return [];
  const { choice, greatest, lines, turn, weights } = reason;
  const row = ({ point, attack, defence, total }) => {
    const cells = [attack, defence, total].map((weight) => t.number(weight));
    const attributes = { class: point === choice.point ? "here" : null, "data-point": point };
    return tableRow([t.point(point, size), ...cells], attributes);
  };
  const head = tableHead([t("point"), t("attack"), t("defence"), t("total")]);
  const table = make("table", {}, make("caption", {}, weights), head, make("tbody", {}, greatest.map(row)));
  return [
    make("h2", {}, t("weightsBefore", t.point(choice.point, size))),
    make("div", { class: "pair", tabindex: "0" }, table, lineTable(lines, turn, t)),
    make("details", {}, make("summary", {}, t("asText")), make("pre", { tabindex: "0" }, text)),
  ];
}

export const moveWeights = {
  select: (state) => [nodeOf(state.tree).why, state.settings.size, state.language],
  draw: (state, t) => byId("move-weights").replaceChildren(...weightsParts(nodeOf(state.tree), state.settings.size, t)),
};
