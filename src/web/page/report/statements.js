// What the engines stated of the positions of a game, as black's chances from 0 to 1.

import { letters } from "../points.js";
import { colorOf } from "../tree.js";

// Two statements on a position that differ by less than this are usual between different engines.
export const LEAST_DIFFERENCE = 0.3;

// A long disagreement counts again with each move, so one game could fill the list.
export const MOST_OF_GAME = 2;

// The ends of games that were played out. An engine that crashed may have been right about the position.
const PLAYED_OUT = new Set(["row", "foul"]);

// The chances by the number of stones; null where the engine to move stated none. What an engine states during an opening
// procedure counts for neither color: both colors are still open.
export const chancesOf = ({ chances, opening }) => chances.map((chance, ply) => (ply < opening ? null : chance));

// The engine to move after this number of stones.
export const engineAt = ({ players }, ply) => players[colorOf(ply) === "black" ? 0 : 1];

// A move with its number: "12. h8".
export const moveText = ({ size }, points, ply) => `${ply}. ${letters(points[ply - 1], size)}`;

// "Black 81 %": the statement of the engine to move.
export const chanceText = (game, ply, t) => t("chanceOf", t("black"), Math.round(100 * chancesOf(game)[ply]));

// The places of the statements on the position after a move: that of the engine which chose the move, made before it, and
// that of the engine to move.
export const statedOn = (game, ply) => [ply - 1, ply].filter((place) => (chancesOf(game)[place] ?? null) !== null);

// The largest differences between the two statements on a position, the largest first: [{ ply, difference }].
export function disagreementsOf(game) {
  const chances = chancesOf(game);
  const isStated = (chance) => (chance ?? null) !== null;
  return chances
    .map((chance, ply) => ({ ply, before: chances[ply - 1], after: chance }))
    .filter(({ before, after }) => isStated(before) && isStated(after))
    .map(({ ply, before, after }) => ({ ply, difference: Math.abs(after - before) }))
    .filter(({ difference }) => difference >= LEAST_DIFFERENCE)
    .sort((one, other) => other.difference - one.difference)
    .slice(0, MOST_OF_GAME);
}

// The engine whose statement on the position after a move was nearer to the result of the game; null if the result does
// not tell.
export function rightOn(game, ply) {
  if (!PLAYED_OUT.has(game.end)) return null;
  const [before, after] = chancesOf(game).slice(ply - 1, ply + 1);
  const isHigherRight = game.winner === "black";
  return engineAt(game, before > after === isHigherRight ? ply - 1 : ply);
}
