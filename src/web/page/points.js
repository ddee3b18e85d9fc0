// Points in their two forms: "x,y" in messages and saved games, letters for people.

// "x,y", both from zero, y from the top.
export const pointAt = (x, y) => `${x},${y}`;
export const coordinates = (point) => point.split(",").map(Number);

// Files from the left: a … z, aa … af.
export const fileName = (x) => (x < 26 ? String.fromCharCode(97 + x) : "a" + String.fromCharCode(97 + x - 26));

// Ranks from the bottom, so that a1 is the bottom left.
export const rankName = (y, size) => String(size - y);

const places = (size) => Array.from({ length: size }, (_, place) => place);

// The names of the columns from the left and of the rows from the top: in letters, and as numbers.
export const letterLabels = (size) => [places(size).map(fileName), places(size).map((y) => rankName(y, size))];
export const numberLabels = (size) => [places(size).map(String), places(size).map(String)];

export function letters(point, size) {
  const [x, y] = coordinates(point);
  return fileName(x) + rankName(y, size);
}

// Moves separated by spaces, in letters.
export const allLetters = (points, size) => points.map((point) => letters(point, size)).join(" ");

// The fragment of a link to the position after these points: `#/renju/15/h8i9j10`.
export function linkHash({ rule, size, continuous }, points) {
  const name = continuous ? `${rule}-continuous` : rule;
  return `#/${name}/${size}/${points.map((point) => letters(point, size)).join("")}`;
}

// Splits a list of moves as messages hold it.
export const splitMoves = (moves) => moves.split(" ").filter(Boolean);

// Reads a point in letters; null if it is not a point of the board. `ranks` is "bottom" or "top".
export function parseLetters(text, size, ranks) {
  const [, file, number] = /^(a?[a-z])([1-9]\d?)$/.exec(text) ?? [];
  if (!file) return null;
  const x = file.charCodeAt(file.length - 1) - 97 + (file.length === 2 ? 26 : 0);
  const y = ranks === "top" ? number - 1 : size - number;
  return x < size && y >= 0 && y < size ? pointAt(x, y) : null;
}
