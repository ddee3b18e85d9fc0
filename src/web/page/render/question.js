// What a person is asked: by the opening procedure, and before a forbidden move.

import { byId, make, replaceParts } from "../dom.js";
import { coordinates } from "../points.js";
import {
  allowedPoints,
  askedOf,
  asksNamed,
  awaitsConfirmation,
  colorAsked,
  fifthsOf,
  mayShowFairness,
  precedesFifths,
  swapFollows,
} from "../procedure.js";
import { askedSeat, foulOf, isEngine } from "../state/index.js";
import { otherColor } from "../tree.js";
import { countText, foulText } from "../words.js";

function questionKey(state) {
  const { counts, offered, offer, swap, announce } = askedOf(state);
  const most = Math.max(0, ...counts);
  if (asksNamed(state)) return announce ? "askNamedFifths" : "askNamed";
  if (most === 0) return "askSwap";
  if (swap && offer) return "askFifthOrOffer";
  if (swap) return most === 1 ? "askSwapOrStone" : "askChoose";
  if (offered.length > 0) return "askPick";
  if (offer) return most === 1 ? "askStone" : "askOffer";
  if (announce) return "askFourthFifths";
  if (most > 1) return state.settings.procedure === "swap2" ? "askStonesSwap2" : "askStones";
  if (allowedPoints(state)?.length === 1) return "askCentre";
  return swapFollows(state) ? "askStoneSwap" : "askStone";
}

// The side of the square that points lie in.
function sideOf(points) {
  const files = points.map((point) => coordinates(point)[0]);
  return 1 + Math.max(...files) - Math.min(...files);
}

// What a procedure asks in one sentence. The color of whoever opens is open.
function askedText(state, t) {
  const asked = askedOf(state);
  const color = colorAsked(state.opening.state);
  const player = t(asked.player === "opener" ? "opener" : "other");
  const count = state.opening.state.stones.length;
  const who = count > 0 ? t("askedPlayer", player, t(color)) : player;
  const side = sideOf(asked.allowed ?? []);
  const where = side > 1 && side < state.settings.size ? t("inSquare", side) : "";
  const [own, opposite] = [color, otherColor(color)].map((side) => t(`side ${side}`));
  const stone = t(`stone ${count + 1}`);
  const sentence = t(questionKey(state), who, asked.counts.join(" / "), where, opposite, own, stone);
  const isTold = count > 0 && !asked.announce && precedesFifths(state, count) && fifthsOf(state) !== null;
  return isTold ? `${sentence} ${countText(fifthsOf(state), "askedFifth", "askedFifths", t)}` : sentence;
}

// The number of fifth moves that the answer announces.
function numberField({ announce }, { number }, t, actions) {
  if (!announce) return null;
  const change = ({ target }) => target.checkValidity() && actions.announceFifths(Number(target.value));
  const field = make("input", {
    type: "number",
    min: 1,
    max: announce,
    value: number,
    required: true,
    oninput: change,
  });
  return make("label", {}, `${t("fifths")} `, field);
}

// The switch of the fairness, where chosen stones have one.
function fairnessSwitch(state, t, actions) {
  if (!mayShowFairness(state)) return [];
  const pressed = { class: "quiet", "aria-pressed": String(state.fairness), title: t("fairnessHelp") };
  const key = { id: "fairness-switch", "data-key": "fairness" };
  const button = make("button", { ...key, ...pressed, onclick: actions.fairness }, t("fairness"));
  return [make("span", { class: "space" }), button];
}

function answerButtons(state, t, actions) {
  const { opening } = state;
  const asked = askedOf(state);
  const most = Math.max(0, ...asked.counts);
  const color = colorAsked(opening.state);
  // A change of the number alone does not draw the question again.
  const send = ({ target }) => {
    const field = target.closest("#asked").querySelector("input");
    if (!field || field.reportValidity())
      actions.answer([...opening.pending, ...(field ? [field.value] : [])].join(" "));
  };
  const isComplete = asked.counts.includes(opening.pending.length);
  const confirm = { class: "primary", disabled: !isComplete, onclick: send };
  return [
    asked.swap && make("button", { onclick: () => actions.answer("swap") }, t("swap", t(`side ${otherColor(color)}`))),
    asked.keep && make("button", { onclick: () => actions.answer("keep") }, t("keep", t(`side ${color}`))),
    numberField(asked, opening, t, actions),
    most > 0 && awaitsConfirmation(state) && make("button", confirm, t("confirm")),
    most > 1 && make("button", { class: "quiet", "data-key": "clear", onclick: actions.clearPending }, t("clear")),
  ];
}

function questionOf(state, t, actions) {
  const asked = askedOf(state);
  if (!asked || isEngine(askedSeat(state))) return [];
  const isSeveral = Math.max(0, ...asked.counts) > 1;
  const count = t("chosen", state.opening.pending.length, asked.counts.join(" / "));
  const row = [answerButtons(state, t, actions), fairnessSwitch(state, t, actions)];
  return [
    make("p", {}, askedText(state, t), isSeveral && make("small", {}, ` ${count}`)),
    make("div", { class: "row" }, row),
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
  // The verdicts on fairness are left out: a redraw when one arrives would replace a button that is pressed.
  select: (state) => [
    state.opening?.state,
    state.opening?.answers,
    state.opening?.pending,
    state.fairness,
    foulOf(state),
    state.offer,
    state.settings,
    state.language,
  ],
  draw(state, t, actions) {
    const ask = foulOf(state) ? foulQuestion : state.offer ? drawQuestion : questionOf;
    const parts = ask(state, t, actions);
    byId("question").hidden = parts.length === 0;
    replaceParts(byId("asked"), ...parts);
  },
};
