// The players that a person can choose, as the server takes them. A seat is "human", "search", "mcts", "level:1",
// "greedy:shapes" or "engine:NAME".

import * as State from "./state/index.js";

// The Elo of the levels below full strength above the first, from the ladder of docs/lab/levels.md.
const ELO = [0, 140, 260, 360, 470, 670, 890, 1070, 1230];

export const LEVEL_SEATS = ELO.map((_, place) => `level:${place + 1}`);

// The Elo of a level; undefined for other players.
export const eloOf = (seat) => ELO[LEVEL_SEATS.indexOf(seat)];

// The number of a level; 0 for other players.
const levelOf = (seat) => LEVEL_SEATS.indexOf(seat) + 1;

// A player as the server names it.
export function playerOf(seat, weighting) {
  if (levelOf(seat) > 0) return { picker: ["search", weighting] };
  const [kind, name] = seat.split(/:(.*)/);
  return kind === "engine" ? { engine: name } : { picker: [kind, name ?? weighting] };
}

// The threads and the memory of a search, within what the server allows.
export const powerOf = ({ threads, memory, hello }) => ({
  threads: Math.min(threads, hello.limits.threads),
  memory: Math.min(memory, hello.limits.memory),
});

// Milliseconds for an answer that nothing else limits: a game may have only a clock, and an opened game has none.
const FALLBACK_TIME = 2000;

// An effort with at least one limit.
export const limited = (effort) =>
  effort.time || effort.nodes || effort.left ? effort : { ...effort, time: FALLBACK_TIME };

// The limits of a player's answer as the server takes them. A level plays only as well as it should with one line.
export function effortOf(state, color, seat) {
  const { turn, nodes, clock, increment } = state.settings;
  // An increment can raise the clock above the server's limit.
  const mostLeft = () => Math.min(state.hello.limits.time, State.clockLeft(state, color, performance.now()));
  const left = clock > 0 ? Math.max(1, Math.round(mostLeft())) : 0;
  const limits = { time: Math.round(turn * 1000), nodes, left, increment: increment * 1000, lines: state.lines };
  const effort = limited({ ...limits, ...powerOf(state) });
  const level = levelOf(seat);
  const seed = Math.floor(Math.random() * 2 ** 32);
  return level > 0 ? { ...effort, level, seed, lines: 1, threads: 1 } : effort;
}
