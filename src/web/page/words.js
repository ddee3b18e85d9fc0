// Sentences that several parts of the page show.

import { candidatesOf, sideOfView, threatOf } from "./state/index.js";
import { colorOf, depthOf, fivesOf, nodeOf, otherColor } from "./tree.js";
import { translator } from "./texts.js";
import { verdictText } from "./verdict.js";

// The texts of a state's language, game and coordinates.
export const translatorOf = ({ language, settings, coordinates }) =>
  translator(language, settings.continuous, coordinates);

export const seatName = (seat, t) => {
  if (seat.startsWith("level:")) return t("level", seat.slice("level:".length));
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

// The rank and verdict of a candidate, such as "1. h8: Black 63 % −4 %"; empty for other points.
export function candidateText(state, point, t) {
  const found = state.candidates ? candidatesOf(state) : null;
  const place = found?.moves.findIndex((move) => move.point === point) ?? -1;
  if (place < 0) return "";
  const { verdict, loss } = found.moves[place];
  const said = verdictText(verdict, sideOfView(state, found.node), t);
  const cost = loss >= 0.005 ? ` ${t("lostShare", Math.round(100 * loss))}` : "";
  return `${place + 1}. ${t.point(point, state.settings.size)}: ${said}${cost}`;
}

const FOULS = ["33", "44", "6"];

// The reasons of a foul, such as "33+44", in words. A record of another program may have a sentence of its own.
export const foulText = (reason, t) =>
  reason
    .split("+")
    .map((kind) => (FOULS.includes(kind) ? t(`foul ${kind}`) : kind))
    .join(t("and"));

// Points that a sentence lists by name; more are only shaded.
const LISTED = 8;

// The threat of the side not to move, and the points that stop it.
export function threatText(state, t) {
  const { settings } = state;
  const { side, result, how, moves, holds, open } = threatOf(state);
  if (result === null) return t("threatSearched");
  const other = t(otherColor(side));
  if (result !== "win") return t(result === "none" ? "threatNone" : "threatUnknown", t(side));
  const names = (points) => points.map((point) => t.point(point, settings.size)).join(", ");
  const threat = t(`threat ${how}`, t(side), names(moves.slice(0, 1)));
  if (holds === null) return `${threat}. ${t("holdsSearched")}`;
  const named = holds.length <= LISTED ? names(holds) : t("points number", t.number(holds.length));
  const undecided = open.length > 0 ? countText(open.length, "holdsOneOpen", "holdsOpen", t) : "";
  const answer = holds.length > 0 ? t("holdsAt", other, named) : undecided ? "" : t("holdsNowhere", other);
  return [`${threat}.`, answer, undecided].filter(Boolean).join(" ");
}

// The answer of an engine in the opening: "Tengen, search swaps colors".
export function saidText({ settings }, said, t) {
  if (!said) return "";
  const { seat, text, isOffer } = said;
  const words = text.split(" ");
  const points = words.filter((word) => word.includes(","));
  const stones = points.map((point) => t.point(point, settings.size)).join(" ");
  const number = words.find((word) => /^\d+$/.test(word));
  const name = seatName(seat, t);
  if (points.length === 0) return t(text === "swap" ? "saidSwap" : "saidKeep", name);
  const isOffered = isOffer && points.length > 1;
  return t(isOffered ? "saidOffer" : number ? "saidAnnounce" : "saidStones", name, stones, number);
}

export function resultText({ tree }, result, t) {
  if (!result.winner) return result.end === "agreed" ? t("drawAgreed") : t("draw");
  const byEnd = {
    row: () => t("byRow"),
    foul: () => t("byFoul", foulText(result.text?.split(": ").pop() ?? "", t)),
    time: () => t("byTime"),
    resigned: () => t("byResignation"),
    fives: () => t("byFives", ...["black", "white"].map((color) => fivesOf(tree, color)).sort((a, b) => b - a)),
  };
  return `${t("won", t(result.winner))} ${byEnd[result.end]?.() ?? result.text ?? ""}`;
}
