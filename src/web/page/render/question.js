// What a person is asked: by the opening procedure, and before a forbidden move.

import { byId, make } from "../dom.js";
import { askedSeat, foulOf, isEngine } from "../state.js";
import { otherColor } from "../tree.js";
import { foulText } from "../words.js";

function questionKey({ counts, offered, offer, swap }) {
  const most = Math.max(0, ...counts);
  if (most === 0) return "askSwap";
  if (swap && offer) return "askFifthOrOffer";
  if (swap) return most === 1 ? "askSwapOrStone" : "askChoose";
  if (offered.length > 0) return "askPick";
  if (offer) return "askOffer";
  return most === 1 ? "askStone" : "askStones";
}

function questionOf(state, t, actions) {
  const { opening } = state;
  const asked = opening?.state?.asked;
  if (!asked || isEngine(askedSeat(state))) return [];
  const most = Math.max(0, ...asked.counts);
  const counts = asked.counts.join(" / ");
  const who = `${t(opening.state.turn)}, ${asked.player === "opener" ? t("opener") : t("other")}`;
  const number = asked.announce
    ? make("input", { type: "number", min: 1, max: asked.announce, value: 1, "aria-label": t("fifths") })
    : null;
  const send = () => actions.answer([...opening.pending, ...(number ? [number.value] : [])].join(" "));
  const isComplete = asked.counts.includes(opening.pending.length);
  const chosen = most > 1 && make("small", {}, ` ${t("chosen", opening.pending.length, counts)}`);
  return [
    make("p", {}, t(questionKey(asked), who, counts), chosen),
    make(
      "div",
      { class: "row" },
      asked.swap && make("button", { onclick: () => actions.answer("swap") }, t("swap")),
      asked.keep && make("button", { onclick: () => actions.answer("keep") }, t("keep")),
      number && make("label", {}, `${t("fifths")} `, number),
      (most > 1 || number) && make("button", { class: "primary", disabled: !isComplete, onclick: send }, t("confirm")),
      most > 1 && make("button", { class: "quiet", onclick: actions.clearPending }, t("clear")),
    ),
  ];
}

// Before a person plays a forbidden move.
function foulQuestion(state, t, actions) {
  return [
    make("p", {}, t("askFoul", foulText(foulOf(state).reason, t))),
    make(
      "div",
      { class: "row" },
      make("button", { onclick: actions.playFoul }, t("playFoul")),
      make("button", { class: "primary", onclick: actions.leaveFoul }, t("leaveFoul")),
    ),
  ];
}

// To the person who is offered a draw.
function drawQuestion({ offer }, t, actions) {
  const answer = (key, isTaken) => make("button", { onclick: () => actions.answerDraw(isTaken) }, t(key));
  const [by, other] = [t(offer.by), t(otherColor(offer.by))];
  return [
    make("p", {}, t("askDraw", by, other)),
    make("div", { class: "row" }, answer("takeDraw", true), answer("declineDraw", false)),
  ];
}

export const question = {
  select: (state) => [state.opening, foulOf(state), state.offer, state.settings, state.language],
  draw(state, t, actions) {
    const ask = foulOf(state) ? foulQuestion : state.offer ? drawQuestion : questionOf;
    const parts = ask(state, t, actions);
    byId("question").hidden = parts.length === 0;
    byId("question").replaceChildren(...parts);
  },
};
