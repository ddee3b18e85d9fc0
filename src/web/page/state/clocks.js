// The time that both sides have.

import * as Tree from "../tree.js";
import { isEngine, isOver, turnOf } from "./read.js";

// Seconds that the side to move has for its move; 0 without a limit.
const moveTimeOf = (state) => (isEngine(state.seats[turnOf(state)]) ? 0 : state.settings.moveTime);

// Whether the game goes on.
export const isRunning = (state) => state.playing && state.paused === null;

export const clocksRun = (state) =>
  (state.settings.clock > 0 || moveTimeOf(state) > 0) && isRunning(state) && !isOver(state) && !state.opening;

// Whether the side to move is an engine without a connection. It cannot move, and its clock is stopped.
const isCutOff = (state) => state.disconnectedAt !== null && isEngine(state.seats[turnOf(state)]);

// Milliseconds that the clock of the side to move has run since its position was shown.
export function runTime(state, now = state.now) {
  if (state.paused !== null || !clocksRun(state)) return state.paused ?? 0;
  return Math.max(0, (isCutOff(state) ? Math.min(now, state.disconnectedAt) : now) - state.since);
}

// The connection was lost.
export const connectionLost = (state, now) => ({ ...state, disconnectedAt: state.disconnectedAt ?? now });

// The connection was made, for the first time or again. A stopped clock of an engine runs on.
export function connectionMade(state, now) {
  const since = isCutOff(state) ? now - Math.max(0, state.disconnectedAt - state.since) : state.since;
  return { ...state, since, now, disconnectedAt: null };
}

// Milliseconds that the side to move has used for its move.
const usedTime = (state, now) => (Tree.nodeOf(state.tree).used ?? 0) + runTime(state, now);

// Stops the game and its clocks at the shown position, which keeps the time that was used.
export function stopGame(state, now) {
  const used = Math.round(usedTime(state, now));
  const tree = used > 0 ? Tree.patchNode(state.tree, state.tree.here, { used }) : state.tree;
  return { ...state, tree, playing: false, paused: null };
}

// Lets the side to move play on from the shown position.
export const resumeGame = (state, now) => ({ ...stopGame(state, now), playing: true, since: now, now });

// The clocks after a move of the side to move at a position: [black, white].
export function clocksAfter(state, now) {
  const own = turnOf(state) === "black" ? 0 : 1;
  const gained = state.settings.increment * 1000 - usedTime(state, now);
  return clocksAt(state, state.tree.here).map((left, side) => (side === own ? left + gained : left));
}

// Milliseconds left of both sides, as the moves up to a node left them.
export function clocksAt(state, id) {
  const start = state.settings.clock * 60000;
  const timed = Tree.pathOf(state.tree, id).findLast(({ left }) => left);
  return timed?.left ?? [start, start];
}

// Milliseconds left of a side at a time.
export function clockLeft(state, color, now = state.now) {
  const left = clocksAt(state, state.tree.here)[color === "black" ? 0 : 1];
  return color === turnOf(state) ? left - usedTime(state, now) : left;
}

// Milliseconds left of a person's move; null without a limit.
export function moveTimeLeft(state) {
  const limit = moveTimeOf(state);
  const isCounted = limit > 0 && state.playing && !isOver(state) && !state.opening;
  return isCounted ? limit * 1000 - usedTime(state) : null;
}

// Milliseconds until the side to move loses on time.
export const timeLeft = (state) =>
  Math.min(moveTimeLeft(state) ?? Infinity, state.settings.clock > 0 ? clockLeft(state, turnOf(state)) : Infinity);

// Pauses the clocks and the engines, or resumes them.
export const togglePause = (state, now) =>
  state.paused === null
    ? { ...state, paused: now - state.since, hovered: null }
    : { ...state, paused: null, since: now - state.paused, now };
