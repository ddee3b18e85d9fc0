// The panel of analysis: the lines of a search, a forced win move by move, the reason of a move.

import { byId, make } from "../dom.js";
import { seconds } from "../format.js";
import { allLetters, letters, splitMoves } from "../points.js";
import { nodeOf, otherColor } from "../tree.js";
import { lineTable, tableHead, tableRow } from "./table.js";

// Good, bad or even for the side to move.
const gradeOf = (value, even) => (value > even ? "good" : value < -even ? "bad" : "even");

function searchLines({ info, settings, hello }, t) {
  if (!info) return [make("p", { class: "note" }, t("noLines"))];
  const facts = [
    [t("depth"), `${info.depth}–${info.seldepth}`],
    [t("nodesShort"), t.number(info.nodes)],
    [t("speed"), t.number(info.nps)],
    [t("time"), seconds(info.time)],
  ];
  const fact = ([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
  const line = ({ score, value, moves }) => {
    const shown = make("b", { class: `score ${gradeOf(value, hello.scales.even)}` }, score);
    const pv = make("span", { class: "pv" }, allLetters(splitMoves(moves), settings.size));
    return make("li", {}, make("button", { class: "line" }, shown, pv));
  };
  return [make("dl", { class: "facts" }, facts.map(fact)), make("ol", { class: "lines" }, info.lines.map(line))];
}

// Drawn only with a new report: the pointer or the focus may rest on a line, and that line must stay. The focus goes to
// the line at the same place.
export const search = {
  select: (state) => [state.info, state.settings.size, state.language],
  draw(state, t) {
    const host = byId("search");
    const place = [...host.querySelectorAll(".line")].indexOf(document.activeElement);
    host.replaceChildren(...searchLines(state, t));
    if (place >= 0) host.querySelectorAll(".line")[place]?.focus();
  },
};

function proofParts({ proof, settings }, t, actions) {
  if (!proof) return [];
  const { kind, side, moves, shown, result } = proof;
  const name = kind.toUpperCase();
  if (!result) return [make("p", { class: "note busy" }, t("proving", name))];
  const win = settings.continuous ? "proofFive" : "proofWin";
  const key = { win, none: "proofNone", unknown: "proofUnknown" }[result];
  const heading = make("p", { class: `verdict ${result}` }, t(key, name, t(side), Math.ceil(moves.length / 2)));
  const other = make("button", { onclick: () => actions.prove(kind, otherColor(side)) }, t("otherSide"));
  if (result !== "win") return [make("div", { class: "row" }, heading, other)];
  const show = (count) => () => actions.showProof(Math.min(moves.length, Math.max(0, count)));
  const step = (key, count) => make("button", { onclick: show(count) }, t(key));
  const chip = (move, place) =>
    make(
      "button",
      {
        class: `chip ${place % 2 === 0 ? side : otherColor(side)}`,
        "aria-pressed": String(place < shown),
        onclick: show(place + 1),
      },
      letters(move, settings.size),
    );
  return [
    make("div", { class: "row" }, heading, other),
    make(
      "div",
      { class: "row" },
      step("stepBack", shown - 1),
      step("stepForward", shown + 1),
      make("output", {}, `${shown}/${moves.length}`),
    ),
    make("div", { class: "chips" }, moves.map(chip)),
  ];
}

export const proof = {
  select: (state) => [state.proof, state.settings, state.language],
  draw: (state, t, actions) => byId("proof").replaceChildren(...proofParts(state, t, actions)),
};

// The reason of a move of Tengen: in words, the greatest weights, the lines through the point.
function whyParts({ why, score: searched, text }, size, t) {
  if (!why) return [];
  const { choice, greatest, lines, turn, weights } = why;
  const score = searched ?? choice.score;
  const reasons = {
    centre: () => t("reasonCentre"),
    rule: () => t("reasonRule"),
    unfinished: () => t("reasonUnfinished"),
    weights: () => t("reasonWeights", t.number(choice.total)),
    proof: () => t("reasonProof", score, t.number(choice.nodes)),
    search: () => t("reasonSearch", score, choice.depth, t.number(choice.nodes)),
  };
  const row = ({ point, attack, defence, total }) => {
    const cells = [attack, defence, total].map((weight) => t.number(weight));
    const attributes = { class: point === choice.point ? "here" : null, "data-point": point };
    return tableRow([letters(point, size), ...cells], attributes);
  };
  const head = tableHead([t("point"), t("attack"), t("defence"), t("total")]);
  const table = make("table", {}, make("caption", {}, weights), head, make("tbody", {}, greatest.map(row)));
  return [
    make("h2", {}, t("why", letters(choice.point, size))),
    make("p", {}, reasons[choice.reason]()),
    make("div", { class: "pair", tabindex: "0" }, table, lineTable(lines, turn, t)),
    make("details", {}, make("summary", {}, t("asText")), make("pre", { tabindex: "0" }, text)),
  ];
}

export const why = {
  select: (state) => [nodeOf(state.tree).why, nodeOf(state.tree).score, state.settings.size, state.language],
  draw: (state, t) => byId("why").replaceChildren(...whyParts(nodeOf(state.tree), state.settings.size, t)),
};
