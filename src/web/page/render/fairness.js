// How fair the stones of an opening procedure are: one sentence below the question.

import { byId } from "../dom.js";
import { askedOf, fifthsOf, isDeciding, isOffering, judgedOf, mayShowFairness, precedesFifths } from "../procedure.js";
import { askedSeat, isEngine, namedOpening } from "../state/index.js";
import { chanceOf, gradeOf, verdictText } from "../verdict.js";
import { fifthsOfAll, verdictWithFifths } from "./openings.js";

// Offered fifth moves that the sentence lists; of more only the one that stays. The board shows all.
const MOST_LISTED = 4;

const said = (verdict, t) => verdictText(verdict, "black", t);

// "Black 63 %", or that the search found nothing.
const chanceText = (verdict, t) => said(verdict, t) || t("fairUnknown");

// The offered fifth moves, and the one that is worst for black.
function offeredText(judged, { settings }, t) {
  const known = judged.filter(({ verdict }) => verdict && said(verdict, t));
  const words = ({ at, verdict }) => `${t.point(at, settings.size)} ${said(verdict, t)}`;
  const listed = judged.length <= MOST_LISTED ? known.map(words).join(t("listComma")) : "";
  if (known.length < judged.length) return [listed, t("fairSearched")].filter(Boolean).join(" ");
  if (known.length < 2) return listed;
  const [worst] = known.toSorted((one, other) => chanceOf(one.verdict, "black") - chanceOf(other.verdict, "black"));
  return t("fairKeeps", listed || words(worst), t.point(worst.at, settings.size));
}

// Who is ahead; after chosen stones, which color the player who chooses would take.
function consequenceText(text, { moves, verdict }, state, t) {
  const { asked, stones } = state.opening.state;
  const grade = gradeOf(verdict, "black", state.hello.scales.even);
  if (grade === "plain") return text;
  if (grade === "even") return t("fairEven", text);
  const better = t(grade === "good" ? "side black" : "side white");
  if (moves.length === stones.length) return verdict.result ? text : t("fairBetter", text, better);
  return t(`fairTakes ${asked.player === "opener" ? "other" : "opener"}`, text, better);
}

// What the table of the named openings says about the number of fifth moves.
function tableText(state, t) {
  const { code } = namedOpening(state) ?? {};
  const row = state.openings.find((opening) => opening.code === code);
  if (!row) return "";
  const number = fifthsOf(state);
  if (number === null) return t("fairTable", fifthsOfAll(row, t).join(t("listComma")));
  const key = number === 1 ? "fairTableOfOne" : "fairTableOf";
  return t(key, number, t(`fifths ${verdictWithFifths(row, number)}`));
}

function positionText(judged, state, t) {
  const { moves, lines, verdict } = judged;
  const { asked, stones } = state.opening.state;
  const chosen = moves.length - stones.length;
  if (!verdict) return t("fairSearched");
  const text = chanceText(verdict, t);
  if (chosen > 0 && !asked.counts.includes(chosen)) return t("fairSoFar", text);
  if (precedesFifths(state, moves.length) && moves.length === 3)
    return [t("fairFree", text), tableText(state, t)].join(" ").trim();
  const consequence = consequenceText(text, judged, state, t);
  return lines > 1 ? t("fairFifths", lines, consequence) : consequence;
}

// How a person gets the sentence.
function waitText(state, t) {
  const isShown = state.fairness && askedOf(state) && !isEngine(askedSeat(state)) && mayShowFairness(state);
  if (!isShown) return "";
  return t(isDeciding(state) ? "fairWaitHint" : "fairWait");
}

// The sentence; empty where the page shows no fairness.
function fairnessText(state, t) {
  const judged = judgedOf(state);
  const asked = askedOf(state);
  if (judged.length === 0) return waitText(state, t);
  const areOffered = asked.offered.length > 0 || isOffering(asked, state.opening.pending);
  return areOffered ? offeredText(judged, state, t) : positionText(judged[0], state, t);
}

export const fairness = {
  select: (state) => [state.opening, state.fairness, state.openings, state.view, state.hello, state.language],
  draw(state, t) {
    byId("fairness").textContent = state.hello ? fairnessText(state, t) : "";
  },
};
