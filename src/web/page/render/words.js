// Sentences that several parts of the page show.

import { colorOf, depthOf, fivesOf, nodeOf } from "../tree.js";

export const seatName = (seat, t) => {
  if (seat.startsWith("engine:")) return seat.slice("engine:".length);
  return seat.startsWith("greedy:") ? t("greedy", seat.slice("greedy:".length)) : t(seat);
};

export const playerName = (state, color, t) => state.names?.[color] ?? seatName(state.seats[color], t);

export const fivesText = ({ tree }, t) => t("fivesOfBoth", fivesOf(tree, "black"), fivesOf(tree, "white"));

// A number of things, by the keys of one and of several.
export const countText = (count, one, many, t) => t(count === 1 ? one : many, t.number(count));

export const positionsText = (count, t) => countText(count, "onePosition", "positionCount", t);

// What the last stone of a continuous game scored.
export function scoreText({ tree }, t) {
  const { winner } = nodeOf(tree).scored;
  const isFive = winner === colorOf(depthOf(tree) - 1);
  return t(isFive ? "madeFive" : "madeFoul", t(winner));
}

export function resultText({ tree }, result, t) {
  if (!result.winner) return t("draw");
  const byEnd = {
    row: () => t("byRow"),
    foul: () => t("byFoul", result.text?.split(": ").pop() ?? ""),
    time: () => t("byTime"),
    fives: () => t("byFives", ...["black", "white"].map((color) => fivesOf(tree, color)).sort((a, b) => b - a)),
  };
  return `${t("won", t(result.winner))} ${byEnd[result.end]?.() ?? result.text ?? ""}`;
}
