// Verdicts on positions: who wins, or what chance black has. Both name colors, whoever is to move:
//
// { result: { winner, moves }, chance: null }   moves of the winner up to its five; null if unknown
// { result: null, chance }                      black's chance from 0 to 1; a draw counts 0.5
//
// A library adds `contradictory`. The verdict on an unknown position is null or has neither.

// The verdict on a game that has ended.
export const ofResult = ({ winner }) =>
  winner ? { result: { winner, moves: null }, chance: null } : { result: null, chance: 0.5 };

// The chance of a side from 0 to 1; null if it is unknown or contradictory.
export function chanceOf(verdict, side) {
  if (!verdict || verdict.contradictory) return null;
  const { result, chance } = verdict;
  if (result) return result.winner === side ? 1 : 0;
  if (chance === null) return null;
  return side === "black" ? chance : 1 - chance;
}

// Files hold chances to four decimals. Rounded to these first, a chance reads the same before and after it is saved.
const percent = (chance) => Math.round(Math.round(10_000 * chance) / 100);

// The verdict in words: the winner, or the chance of a side; empty if neither is known.
export function verdictText(verdict, side, t) {
  if (verdict?.contradictory) return t("contradictory");
  if (verdict?.result) {
    const { winner, moves } = verdict.result;
    return moves ? t("winsIn", t(winner), moves) : t("wins", t(winner));
  }
  const chance = chanceOf(verdict, side);
  return chance === null ? "" : t("chanceOf", t(side), percent(chance));
}

// The same in at most four characters, for a point of the board.
export function shortVerdictText(verdict, side, t) {
  if (verdict?.contradictory) return "?";
  if (verdict?.result) return t(`short ${verdict.result.winner}`) + (verdict.result.moves ?? "");
  const chance = chanceOf(verdict, side);
  return chance === null ? "" : String(percent(chance));
}

// How good a position is for a side: good, bad, even, plain if nothing is known of it, or unclear if that contradicts
// itself. Chances between the two of `even` are even.
export function gradeOf(verdict, side, [least, most]) {
  if (verdict?.contradictory) return "unclear";
  const chance = chanceOf(verdict, side);
  if (chance === null) return "plain";
  return chance > most ? "good" : chance < least ? "bad" : "even";
}

// The verdict after a move of `side` that follows the verdict: the winner's own move shortens its way to the five.
export function afterMove(verdict, side) {
  const { result } = verdict ?? {};
  if (!result?.moves || result.winner !== side) return verdict;
  return { ...verdict, result: { ...result, moves: result.moves - 1 || null } };
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

// The loss of chance by a move, from 0 to 1, from the verdicts before and after it; null if either is unknown.
export function lossOf(before, after, side) {
  const [had, kept] = [chanceOf(before, side), chanceOf(after, side)];
  return had === null || kept === null ? null : Math.max(0, had - kept);
}

// How much a move lost, in classes that people know: null below an inaccuracy.
const CLASSES = [
  [0.2, "blunder"],
  [0.1, "mistake"],
  [0.05, "inaccuracy"],
];

export const classOf = (loss) => CLASSES.find(([least]) => loss !== null && loss >= least)?.[1] ?? null;

// Chances outside of these are decided: there only a change of the winner and a missed forced win count.
const DECIDED = [0.05, 0.95];

// Whether a chance is decided and stays with the same side.
function staysDecided(had, kept) {
  const [lost, won] = DECIDED;
  return (had <= lost && kept < 0.5) || (had >= won && kept > 0.5);
}

// What a move between two nodes lost: { loss, kind }. A move that the review liked best loses nothing. Moves of a decided
// game do not count, and neither does a stone that makes a five of a continuous game: it cashes in its chance. `kind` is
// null, "inaccuracy", "mistake", "blunder", or "missed" for a forced win that is gone.
function lossOfMove(before, node, mover) {
  const isFive = node.scored?.winner === mover;
  const loss = lossOf(before.verdict, node.verdict, mover);
  if (isFive || loss === null) return { loss: null, kind: null };
  if (before.best?.moves[0] === node.move) return { loss: 0, kind: null };
  const isWin = ({ verdict }) => verdict.result?.winner === mover;
  if (isWin(before) && !isWin(node)) return { loss, kind: "missed" };
  const isDecided = staysDecided(chanceOf(before.verdict, mover), chanceOf(node.verdict, mover));
  return isDecided ? { loss: null, kind: null } : { loss, kind: classOf(loss) };
}

// The losses of the moves in a line of nodes, from the first move: [{ node, before, mover, loss, kind }].
export function lossesOf(line) {
  return line.slice(1).map((node, place) => {
    const mover = place % 2 === 0 ? "black" : "white";
    const before = line[place];
    return { node, before, mover, ...lossOfMove(before, node, mover) };
  });
}

// The mean share of its chances that a side kept with its reviewed moves, from 0 to 1; null without such moves.
export function accuracyOf(losses, side) {
  const own = losses.filter(({ before, mover, loss }) => before.best && mover === side && loss !== null);
  return own.length === 0 ? null : 1 - own.reduce((sum, { loss }) => sum + loss, 0) / own.length;
}
