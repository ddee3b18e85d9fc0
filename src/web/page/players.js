// The players that a person can choose, as the server takes them. A seat is "human", "search", "mcts", "level:1",
// "greedy:shapes" or "engine:NAME".

import * as State from "./state/index.js";

// The levels below full strength, from the weakest, with their Elo above the first in the round robin of
// docs/lab/weights.md.
const LEVELS = [
  { picker: ["greedy", "runs"], elo: 0 },
  { picker: ["greedy", "counts"], elo: 260 },
  { picker: ["greedy", "shapes"], elo: 450 },
  { picker: ["search", "shapes"], nodes: 400, elo: 1120 },
  { picker: ["search", "shapes"], nodes: 1500, elo: 1490 },
  { picker: ["search", "shapes"], nodes: 6000, elo: 1810 },
];

export const LEVEL_SEATS = LEVELS.map((_, place) => `level:${place + 1}`);

// The Elo of a level; undefined for other players.
export const eloOf = (seat) => levelOf(seat)?.elo;

const levelOf = (seat) => LEVELS[LEVEL_SEATS.indexOf(seat)];

// A player as the server names it.
export function playerOf(seat, weighting) {
  const level = levelOf(seat);
  if (level) return { picker: level.picker };
  const [kind, name] = seat.split(/:(.*)/);
  return kind === "engine" ? { engine: name } : { picker: [kind, name ?? weighting] };
}

// The threads and the memory of a search, within what the server allows.
export const powerOf = ({ threads, memory, hello }) => ({
  threads: Math.min(threads, hello.limits.threads),
  memory: Math.min(memory, hello.limits.memory),
});

// The limits of a player's answer as the server takes them. A level plays only as well as it should with one line.
export function effortOf(state, color, seat) {
  const { turn, nodes, clock, increment } = state.settings;
  const left = clock > 0 ? Math.max(1, Math.round(State.clockLeft(state, color, performance.now()))) : 0;
  const limits = { time: Math.round(turn * 1000), nodes, left, increment: increment * 1000, lines: state.lines };
  const effort = { ...limits, ...powerOf(state) };
  const most = levelOf(seat)?.nodes;
  return most ? { ...effort, nodes: nodes > 0 ? Math.min(nodes, most) : most, lines: 1, threads: 1 } : effort;
}
