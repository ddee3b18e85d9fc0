// The panel of analysis: the lines of a search, a threat, a forced win move by move.

import { byId, fitChildren, make } from "../dom.js";
import { seconds } from "../format.js";
import { splitMoves } from "../points.js";
import { reportOf, sideOfView, threatOf, turnOf } from "../state/index.js";
import { colorOf, depthOf, nodeOf, otherColor } from "../tree.js";
import { gradeOf, verdictText } from "../verdict.js";
import { LINE_MOVES } from "./table.js";
import { threatText } from "../words.js";

// How far the search is.
export const searchFacts = {
  select: (state) => [reportOf(state), state.tree.here, state.settings.size, state.language],
  draw(state, t) {
    const report = reportOf(state);
    byId("no-lines").hidden = report !== null;
    const fact = ([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
    const facts = report && [
      [t("depth"), `${report.depth}–${report.seldepth}`],
      [t("nodesShort"), t.number(report.nodes)],
      [t("speed"), t.number(report.nps)],
      [t("time"), seconds(report.time)],
    ];
    byId("facts").replaceChildren(...(facts ?? []).map(fact));
    const { tree, settings } = state;
    const isPast = report !== null && report.node !== tree.here;
    const before = isPast ? t("linesBefore", t.point(nodeOf(tree).move, settings.size)) : "";
    byId("lines-before").textContent = before;
  },
};

const createPly = () => make("button", { class: "ply" });

function createLine() {
  const keep = make("button", { class: "quiet icon keep" }, "+");
  return make("li", { class: "line" }, make("b", { class: "score" }), make("span", { class: "pv" }), keep);
}

// Writes the moves of a line into its buttons, and what a click on one does into their names.
function drawPlies(host, moves, size, t) {
  const buttons = fitChildren(host, Math.min(moves.length, LINE_MOVES), createPly);
  buttons.forEach((button, place) => {
    const name = t.point(moves[place], size);
    // The space separates the moves where the line is copied.
    button.textContent = `${name} `;
    button.dataset.plies = place + 1;
    button.title = t("playUpTo", name);
  });
}

// The lines of the last report. Their elements stay from report to report.
export const searchLines = {
  select: (state) => [reportOf(state)?.lines, state.tree.here, state.settings.size, state.perspective, state.language],
  draw(state, t) {
    const report = reportOf(state);
    const { settings, hello } = state;
    const found = report?.lines ?? [];
    const items = fitChildren(byId("lines-found"), found.length, createLine);
    found.forEach(({ score, verdict, moves }, place) => {
      const item = items[place];
      const side = turnOf(state, report.node);
      const shown = item.querySelector(".score");
      shown.textContent = verdictText(verdict, sideOfView(state, report.node), t);
      shown.className = `score ${gradeOf(verdict, side, hello.scales.even)}`;
      shown.title = t("rawScore", score, t(side));
      drawPlies(item.querySelector(".pv"), splitMoves(moves), settings.size, t);
      const keep = item.querySelector(".keep");
      keep.title = t("keepLine");
      keep.setAttribute("aria-label", t("keepLine"));
    });
  },
};

function proofParts({ proof, settings, tree }, t, actions) {
  if (!proof) return [];
  const { kind, side, moves, winsIn, result } = proof;
  const name = kind.toUpperCase();
  if (!result) return [make("p", { class: "note busy" }, t("proving", name))];
  const [counted, uncounted] = settings.continuous ? ["proofFiveIn", "proofFive"] : ["proofWinIn", "proofWin"];
  const win = winsIn ? counted : uncounted;
  const key = { win, none: "proofNone", unknown: "proofUnknown" }[result];
  const heading = make("p", { class: `verdict ${result}` }, t(key, name, t(side), winsIn));
  const other = make("button", { onclick: () => actions.prove(kind, otherColor(side)) }, t("otherSide"));
  if (result !== "win") return [make("div", { class: "row" }, heading, other)];
  const step = (key, by) => make("button", { onclick: () => actions.stepProof(by) }, t(key));
  // Only the side to move can begin on the board.
  const isPlayable = colorOf(depthOf(tree, proof.node)) === side;
  const chip = (move, place) =>
    make(
      "button",
      {
        class: `chip ${place % 2 === 0 ? side : otherColor(side)}`,
        "data-plies": place + 1,
        title: isPlayable ? t("playUpTo", t.point(move, settings.size)) : null,
      },
      t.point(move, settings.size),
    );
  const keep = { onclick: () => actions.keepLine(proof.node, moves) };
  return [
    make("div", { class: "row" }, heading, other),
    make(
      "div",
      { class: "row" },
      step("stepBack", -1),
      step("stepForward", 1),
      make("output"),
      isPlayable && make("button", keep, t("keepLine")),
    ),
    make("div", { class: "chips" }, moves.map(chip)),
  ];
}

const proofValues = ({ proof, settings, language }) => [
  proof?.node,
  proof?.kind,
  proof?.side,
  proof?.result,
  proof?.moves,
  settings,
  language,
];

export const proof = {
  select: proofValues,
  draw: (state, t, actions) => byId("proof").replaceChildren(...proofParts(state, t, actions)),
};

// The moves that the board shows. Their elements stay: the focus or the pointer is on one.
export const proofShown = {
  select: (state) => [...proofValues(state), state.proof?.shown],
  draw({ proof }) {
    const output = byId("proof").querySelector("output");
    if (output) output.textContent = `${proof.shown}/${proof.moves.length}`;
    byId("proof")
      .querySelectorAll(".chip")
      .forEach((chip, place) => chip.setAttribute("aria-pressed", place < proof.shown));
  },
};

export const threat = {
  select: (state) => [threatOf(state), state.settings.size, state.language],
  draw: (state, t) => (byId("threat").textContent = threatOf(state) ? threatText(state, t) : ""),
};
