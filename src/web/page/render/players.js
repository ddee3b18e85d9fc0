// Who plays, the clocks, and the sentence that says what happens next.

import { byId } from "../dom.js";
import { clockTime } from "../format.js";
import { clockLeft, isOver, isThinking, resultOf, seatToMove, turnOf, viewOf } from "../state.js";
import { fivesOf, nodeOf } from "../tree.js";
import { playerName, resultText, saidText, scoreText, seatName } from "../words.js";

// A clock with less than this is red.
const LOW_CLOCK = 20000;

function drawCard(state, color, t) {
  const { opening, settings, tree } = state;
  const card = byId(`player-${color}`);
  const asked = opening?.state?.asked;
  // During an opening nobody has a color: the cards are those of the opener and the other player.
  const toMove = asked ? (asked.player === "opener" ? "black" : "white") : (opening?.state?.turn ?? turnOf(state));
  const isOn = !isOver(state) && toMove === color;
  card.classList.toggle("on", isOn);
  card.classList.toggle("busy", isOn && isThinking(state));
  const ofOpening = color === "black" ? [settings.one, t("opener")] : [settings.two, t("other")];
  const [name, side] = opening ? [seatName(ofOpening[0], t), ofOpening[1]] : [playerName(state, color, t), t(color)];
  card.classList.toggle("undecided", Boolean(opening));
  card.querySelector("b").textContent = name;
  const fives = settings.continuous ? ` · ${t("fives", fivesOf(tree, color))}` : "";
  card.querySelector("span").textContent = side + fives;
}

function stateText(state, t) {
  const result = resultOf(state);
  if (result) return resultText(state, result, t);
  if (isThinking(state)) return t("thinking", seatName(state.job.seat, t));
  const turn = t(state.opening?.state?.turn ?? turnOf(state));
  if (state.opening) return seatToMove(state) === "human" ? t("yourTurn") : t("toMove", turn);
  return seatToMove(state) === "human" && state.playing ? `${t("yourTurn")} (${turn})` : t("toMove", turn);
}

function statusText(state, t) {
  const opening = viewOf(state)?.opening;
  const parts = [
    saidText(state, state.opening?.said, t),
    nodeOf(state.tree).scored && scoreText(state, t),
    stateText(state, t),
  ];
  if (!resultOf(state)) parts.push(t(state.settings.rule).split(/[:：]/)[0]);
  if (opening) parts.push(t("openingName", opening.code, state.language === "zh" ? opening.zh : opening.name));
  return parts.filter(Boolean).join(" · ");
}

export const players = {
  select: (state) => [
    state.tree,
    state.settings,
    state.seats,
    state.names,
    state.opening,
    state.playing,
    state.view,
    state.job,
    state.language,
  ],
  draw(state, t) {
    for (const color of ["black", "white"]) drawCard(state, color, t);
    byId("status").textContent = statusText(state, t);
  },
};

export const clocks = {
  select(state) {
    const shown = (color) => (state.settings.clock > 0 ? clockTime(clockLeft(state, color)) : "");
    return [shown("black"), shown("white")];
  },
  draw(state) {
    for (const color of ["black", "white"]) {
      const node = byId(`player-${color}`).querySelector("time");
      const left = clockLeft(state, color);
      node.textContent = state.settings.clock > 0 ? clockTime(left) : "";
      node.classList.toggle("low", state.settings.clock > 0 && left < LOW_CLOCK);
    }
  },
};
