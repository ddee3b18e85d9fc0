// The review of a game: how accurate each side was, and the moves that lost something, with the better ones.

import { byId, make } from "../dom.js";
import { reviewOf, sideOfView } from "../state/index.js";
import { depthOf } from "../tree.js";
import { accuracyOf, verdictText } from "../verdict.js";
import { plyButtons } from "./table.js";

// The content of the panel as a value that can be compared.
function contentOf(state) {
  const losses = reviewOf(state);
  const accuracy = ["black", "white"].map((side) => accuracyOf(losses, side));
  const faults = losses
    .filter(({ kind }) => kind)
    .map(({ node, before, mover, loss, kind }) => ({
      id: node.id,
      move: node.move,
      number: depthOf(state.tree, node.id),
      from: before.id,
      best: before.best,
      // The line of a missed win already shows what was lost.
      reply: kind === "missed" ? null : node.best,
      canSolve: kind === "missed" && Boolean(before.best) && !state.settings.continuous && !state.puzzle,
      view: sideOfView(state, before.id),
      mover,
      loss,
      kind,
    }));
  return { accuracy, faults, isKnown: losses.some(({ before }) => before.best) };
}

function faultItem({ id, move, number, from, best, reply, canSolve, view, mover, loss, kind }, size, t, actions) {
  const go = { class: `chip ${mover}`, "aria-pressed": "true", onclick: () => actions.go(id) };
  const cost = kind === "missed" ? "" : ` ${t("lostShare", Math.round(100 * loss))}`;
  const keep = { class: "quiet", onclick: () => actions.keepLine(from, best.moves) };
  const lineOf = ({ verdict, moves }) => [
    make("span", { class: "score" }, verdictText(verdict, view, t)),
    make("span", { class: "pv" }, plyButtons(moves, size, t)),
  ];
  const better = best && [lineOf(best), make("button", keep, t("keepLine"))];
  return make(
    "li",
    { class: `fault ${kind}`, "data-before": best && from },
    make(
      "div",
      { class: "row" },
      make("button", go, `${number}. ${t.point(move, size)}`),
      make("b", {}, t(kind) + cost),
      canSolve && make("button", { onclick: () => actions.solveMissed(from) }, t("solveIt")),
    ),
    reply && make("div", { class: "row", "data-before": id }, make("span", {}, t("afterIt")), lineOf(reply)),
    better && make("div", { class: "row" }, make("span", {}, t(kind === "missed" ? "missedWin" : "better")), better),
  );
}

export const review = {
  select: (state) => [JSON.stringify(contentOf(state)), state.settings.size, state.language],
  draw(state, t, actions) {
    const { accuracy, faults, isKnown } = contentOf(state);
    const percent = (share) => (share === null ? "–" : `${t.number(100 * share, 0)} %`);
    const sides = ["black", "white"].map((side, place) => `${t(side)} ${percent(accuracy[place])}`);
    byId("accuracy").textContent = isKnown ? `${t("accuracy")}: ${sides.join(", ")}` : t("noReview");
    byId("accuracy").title = t("accuracyHelp");
    const items = faults.map((fault) => faultItem(fault, state.settings.size, t, actions));
    const none = isKnown && items.length === 0 ? [make("li", { class: "note" }, t("noFaults"))] : [];
    byId("faults").replaceChildren(...items, ...none);
  },
};
