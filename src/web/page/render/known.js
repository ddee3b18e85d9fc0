// What a library knows of a position, in words and as a grade.

// Chances of the side to move that are neither good nor bad.
const EVEN = [0.45, 0.55];

const percent = (chance) => Math.round(100 * chance);

// The result, or the chance of black; empty if neither is known.
export function knownText({ contradictory, result, chance }, t) {
  if (contradictory) return t("contradictory");
  if (result) return result.moves === null ? t("won", t(result.winner)) : t("winsIn", t(result.winner), result.moves);
  return chance === null ? "" : t("blackChance", percent(chance));
}

// The same in at most four characters, for a point of the board.
export function shortKnownText({ contradictory, result, chance }, t) {
  if (contradictory) return "?";
  if (result) return t(`short ${result.winner}`) + (result.moves ?? "");
  return chance === null ? "" : String(percent(chance));
}

// The chance of a side, from 0 to 1; null if nothing is known.
function chanceOf({ contradictory, result, chance }, side) {
  if (contradictory) return null;
  if (result) return result.winner === side ? 1 : 0;
  if (chance === null) return null;
  return side === "black" ? chance : 1 - chance;
}

// How good a known move is for the side that plays it: good, bad, even, plain if nothing is known of it, or unclear if
// that contradicts itself.
export function gradeOf(known, side) {
  if (known.contradictory) return "unclear";
  const chance = chanceOf(known, side);
  if (chance === null) return "plain";
  const [least, most] = EVEN;
  return chance > most ? "good" : chance < least ? "bad" : "even";
}

// Known moves, the best for a side first: near wins, chances, what is unknown, far losses. Of equals, the most played.
export function ranked(moves, side) {
  const value = (known) => {
    const chance = chanceOf(known, side) ?? 0.5;
    const nearness = known.result ? 1 / (1 + (known.result.moves ?? Infinity)) : 0;
    return chance === 1 ? 1 + nearness : chance === 0 ? -nearness : chance;
  };
  const played = ({ games }) => (games ?? []).reduce((sum, count) => sum + count, 0);
  return [...moves].sort((one, other) => value(other) - value(one) || played(other) - played(one));
}
