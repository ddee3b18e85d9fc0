// Who plays, the clocks, and the sentence that says what happens next.

import { byId } from "../dom.js";
import { clockTime } from "../format.js";
import { askedOf, settledColors } from "../procedure.js";
import {
  clockLeft,
  isOver,
  isThinking,
  moveTimeLeft,
  namedOpening,
  resultOf,
  seatToMove,
  turnOf,
} from "../state/index.js";
import { fivesOf, nodeOf } from "../tree.js";
import { playerName, resultText, saidText, scoreText, seatName } from "../words.js";

// A clock with less than this is red.
const LOW_CLOCK = 20000;

// A move with less than this is red.
const LOW_MOVE = 5000;

function drawCard(state, color, t) {
  const { opening, settings, tree } = state;
  const card = byId(`player-${color}`);
  const asked = askedOf(state);
  // While somebody may swap, nobody has a color: the cards are those of the opener and the other player.
  const settled = settledColors(state);
  const byColor = settled ?? { black: "opener", white: "other" };
  const toMove = asked ? (byColor.black === asked.player ? "black" : "white") : (opening?.state?.turn ?? turnOf(state));
  const isOn = !isOver(state) && toMove === color;
  card.classList.toggle("on", isOn);
  card.classList.toggle("busy", isOn && isThinking(state));
  const player = byColor[color];
  const name = opening ? seatName(player === "opener" ? settings.one : settings.two, t) : playerName(state, color, t);
  const side = [settled || !opening ? t(color) : null, opening && t(player)].filter(Boolean).join(" · ");
  card.classList.toggle("undecided", Boolean(opening) && !settled);
  card.querySelector("b").textContent = name;
  const fives = settings.continuous ? ` · ${t("fives", fivesOf(tree, color))}` : "";
  card.querySelector("span").textContent = side + fives;
}

function stateText(state, t) {
  const result = resultOf(state);
  if (result) return resultText(state, result, t);
  if (state.paused !== null) return t("paused");
  if (state.tapped) return t("tapAgain", t.point(state.tapped, state.settings.size));
  if (isThinking(state)) return t("thinking", seatName(state.job.seat, t));
  const turn = t(state.opening?.state?.turn ?? turnOf(state));
  if (state.opening) return seatToMove(state) === "human" ? t("yourTurn") : t("toMove", turn);
  return seatToMove(state) === "human" && state.playing ? `${t("yourTurn")} (${turn})` : t("toMove", turn);
}

// A name without its explanation.
const shortName = (text) => text.split(/[:：]/)[0];

function statusText(state, t) {
  const opening = namedOpening(state);
  const parts = [
    saidText(state, state.opening?.said, t),
    nodeOf(state.tree).scored && scoreText(state, t),
    stateText(state, t),
  ];
  if (state.opening) parts.push(shortName(t(`procedure ${state.settings.procedure}`)));
  if (!resultOf(state)) parts.push(shortName(t(state.settings.rule)));
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
    state.paused,
    state.tapped,
  ],
  draw(state, t) {
    for (const color of ["black", "white"]) drawCard(state, color, t);
    byId("status").textContent = statusText(state, t);
  },
};

// The times that the card of a color shows: that of the game, and that of the move. Milliseconds.
function timesOf(state, color) {
  const ofMove = color === turnOf(state) ? moveTimeLeft(state) : null;
  const ofGame = state.settings.clock > 0 ? clockLeft(state, color) : null;
  return [ofGame, ofMove].filter((time) => time !== null);
}

const timesText = (state, color) => timesOf(state, color).map(clockTime).join(" · ");

const isLow = (state, color) =>
  timesOf(state, color).some((left, place) => left < (place === 0 && state.settings.clock > 0 ? LOW_CLOCK : LOW_MOVE));

export const clocks = {
  select: (state) => ["black", "white"].flatMap((color) => [timesText(state, color), isLow(state, color)]),
  draw(state) {
    for (const color of ["black", "white"]) {
      const node = byId(`player-${color}`).querySelector("time");
      node.textContent = timesText(state, color);
      node.classList.toggle("low", isLow(state, color));
    }
  },
};
