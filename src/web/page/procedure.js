// What a running opening procedure means for the page: the points of a stone, who has which color, and the positions whose
// fairness matters. Plain functions of the state.

import { pointAt } from "./points.js";

// Procedures whose three stones are one of the 26 openings, and in which black offers fifth moves.
const NAMED = ["rif", "yamaguchi", "soosorv-4", "soosorv-8"];

// The number of answers after which nobody may swap any more. In Taraguchi-10 that depends on the eighth answer.
const SETTLED = { rif: 2, yamaguchi: 2, "soosorv-4": 4, "soosorv-8": 4 };

// Fifth moves of the rule of 1996.
const RIF_FIFTHS = 2;

export const asksNamed = ({ settings, opening }) =>
  NAMED.includes(settings.procedure) && opening.state.stones.length === 0;

// What a procedure asks: null while it has not said so.
export const askedOf = ({ opening }) => opening?.state?.asked ?? null;

// Whether the chosen stones are fifth moves of which the other player keeps one. A single stone may be a fifth move that is
// played.
export const isOffering = ({ counts, offer }, pending) => offer && (!counts.includes(1) || pending.length > 1);

// Whether the stones of an answer have an order, and colors in turn.
export const isOrdered = ({ offer }) => !offer;

// The points that the next stone of a person may take; null for any point. The three stones of a named opening lie in the
// central 1 × 1, 3 × 3 and 5 × 5.
export function allowedPoints(state) {
  const { allowed, offered, counts } = askedOf(state);
  const { pending } = state.opening;
  if (offered.length > 0) return offered;
  if (asksNamed(state)) return squareOf(state.settings.size, Math.min(pending.length, 2));
  if (!allowed) return null;
  // Several fifth moves may lie anywhere.
  return counts.length > 1 && pending.length > 0 ? null : allowed;
}

// The points at most so far from the centre, which on a board of even size is the lower right one of the four.
function squareOf(size, reach) {
  const centre = Math.floor(size / 2);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, place) => place - reach);
  return steps.flatMap((dy) => steps.map((dx) => pointAt(centre + dx, centre + dy)));
}

// The stones of an answer after a person has chosen a point. A chosen stone is taken back, with those after it if they have
// an order; a single stone moves.
export function withChosen({ counts, ...asked }, pending, point) {
  const place = pending.indexOf(point);
  if (place >= 0 && isOrdered(asked)) return pending.slice(0, place);
  if (place >= 0) return pending.filter((other) => other !== point);
  const most = Math.max(0, ...counts);
  if (most === 1) return [point];
  return pending.length >= most ? pending : [...pending, point];
}

// The number of fifth moves that the procedure or a player has fixed; null if none is.
export function fifthsOf({ settings, opening }) {
  if (settings.procedure === "rif") return RIF_FIFTHS;
  const announced = opening.answers.flatMap((answer) => answer.split(" ")).find((word) => /^\d+$/.test(word));
  if (announced) return Number(announced);
  return opening.state?.asked?.announce ? opening.number : null;
}

// Whether white has put the stone before the fifth moves.
const isBeforeFifth = ({ settings }, count) => NAMED.includes(settings.procedure) && count === 4;

// Whether these stones are followed by fifth moves whose number decides how good they are.
export const precedesFifths = ({ settings }, count) => NAMED.includes(settings.procedure) && count <= 3;

// The color of the player who is asked. White chooses among the fifth moves although black has the move.
export const colorAsked = ({ asked, turn }) => (asked.offered.length > 0 ? "white" : turn);

// The players by color once nobody may swap any more, { black: "opener", white: "other" }; else null.
export function settledColors(state) {
  const asked = askedOf(state);
  if (!asked) return null;
  const least = SETTLED[state.settings.procedure] ?? Infinity;
  if (state.opening.answers.length < least && asked.offered.length === 0) return null;
  const isOpenerBlack = (asked.player === "opener") === (colorAsked(state.opening.state) === "black");
  return isOpenerBlack ? { black: "opener", white: "other" } : { black: "other", white: "opener" };
}

// Whether the answer is one stone and nothing else.
const isSingle = ({ counts, announce }) => counts.length === 1 && counts[0] === 1 && !announce;

// Whether the other player may swap after a stone of a procedure that asks for one stone at a time.
export function swapFollows({ settings, opening }) {
  const { asked, stones } = opening.state;
  // The first stone must be on the centre.
  if (!isSingle(asked) || asked.swap || asked.allowed?.length === 1) return false;
  return settings.procedure === "taraguchi-10" || (settings.procedure === "three-swap" && stones.length === 2);
}

// Whether the other player chooses a color after these stones of an answer.
function leavesColors(state, pending) {
  const { counts, announce, swap, offer } = askedOf(state);
  if (counts.includes(3) || announce || swapFollows(state)) return true;
  // Swap2 with two more stones, and the single fifth move of Taraguchi-10.
  return swap && (offer ? pending.length === 1 : pending.length === 2);
}

// Whether the answer needs a button. A single stone is an answer by itself, unless its fairness is to be seen before.
export const awaitsConfirmation = (state) => !isSingle(askedOf(state)) || (state.fairness && swapFollows(state));

// Whether the page may show the fairness of chosen stones: the other player chooses among what they leave.
export function mayShowFairness(state) {
  const asked = askedOf(state);
  const { counts, announce, offer, swap } = asked;
  return (
    (offer && !isSingle(asked)) || announce || counts.includes(3) || (swap && counts.includes(2)) || swapFollows(state)
  );
}

// Whether a person has to decide about what is on the board, and a hint may help.
export function isDeciding(state) {
  const asked = askedOf(state);
  return Boolean(asked) && (asked.swap || asked.offered.length > 0);
}

// The positions whose fairness the page shows: [{ at, moves, lines }], each after an offered fifth move `at`, or one without.
// Of several `lines` the last one counts: white leaves the worst of the fifth moves.
export function positionsToJudge(state) {
  const asked = askedOf(state);
  if (!asked) return [];
  const { pending, isHinted } = state.opening;
  const { stones } = state.opening.state;
  const after = (at) => ({ at, moves: [...stones, at], lines: 1 });
  if (asked.offered.length > 0) return isHinted ? asked.offered.map(after) : [];
  const isJudged = state.fairness && pending.length > 0;
  if (isJudged && isOffering(asked, pending)) return pending.map(after);
  const moves = isJudged && leavesColors(state, pending) ? [...stones, ...pending] : isHinted ? stones : [];
  if (moves.length === 0) return [];
  return [{ at: null, moves, lines: isBeforeFifth(state, moves.length) ? (fifthsOf(state) ?? 1) : 1 }];
}

// Names a position among those that were judged.
export const judgedKey = ({ moves, lines }) => `${moves.join(" ")}/${lines}`;

// The verdicts that are known of these positions: [{ at, moves, lines, verdict }], verdict null while the search runs.
export const judgedOf = (state) =>
  positionsToJudge(state).map((position) => ({
    ...position,
    verdict: state.opening.verdicts[judgedKey(position)] ?? null,
  }));

// The fairness of offered fifth moves on the board: [[point, verdict]].
export const judgedPoints = (state) =>
  judgedOf(state).flatMap(({ at, verdict }) => (at && verdict ? [[at, verdict]] : []));

// The stones that an answer of a person will have put: those on the board and those chosen.
export const stonesAhead = ({ opening }) => [...(opening.state?.stones ?? []), ...opening.pending];
