// The evaluation of the shown position: a bar beside the board, and a sentence.

import { byId } from "../dom.js";
import { reviewOf, sideOfView, verdictOf } from "../state/index.js";
import { depthOf, nodeOf } from "../tree.js";
import { chanceOf, verdictText } from "../verdict.js";

const shownNode = ({ tree, peeked }) => nodeOf(tree, tree.nodes[peeked] ? peeked : tree.here);

// What the move to a node cost, if that is worth saying.
function lossText(state, node, t) {
  const { loss, kind } = reviewOf(state).find((move) => move.node.id === node.id) ?? {};
  if (kind === "missed") return ` (${t("missed")})`;
  return kind ? ` (${t("moveLost", Math.round(100 * loss))})` : "";
}

// "Black 63 %"; while the pointer rests on the graph also the move: "12. h8: Black 63 %".
function sentenceOf(state, node, t) {
  // The status states the result of the shown position.
  const isTold = node.id === state.tree.here && node.result;
  const text = isTold ? "" : verdictText(verdictOf(state, node.id), sideOfView(state, node.id), t);
  const sentence = text && text + lossText(state, node, t);
  if (node.id === state.tree.here || node.move === null) return sentence;
  const move = `${depthOf(state.tree, node.id)}. ${t.point(node.move, state.settings.size)}`;
  return sentence ? `${move}: ${sentence}` : move;
}

export const evaluation = {
  select: (state) => [state.tree, state.peeked, state.perspective, state.settings.size, state.language],
  draw(state, t) {
    const node = shownNode(state);
    byId("evaluation").textContent = sentenceOf(state, node, t);
    const verdict = verdictOf(state, node.id);
    const bar = byId("evaluation-bar");
    const chance = chanceOf(verdict, "black");
    bar.classList.toggle("known", chance !== null);
    bar.style.setProperty("--black", `${100 * (chance ?? 0.5)}%`);
    // The bar turns with the view: the side whose chances are stated is at the bottom.
    bar.classList.toggle("white", sideOfView(state, node.id) === "white");
    bar.setAttribute("aria-label", verdictText(verdict, sideOfView(state, node.id), t) || t("noVerdict"));
  },
};
