// Numbers and times as the page shows them.

// Shortens a number to fit a point of the board: 12400 → 12k.
export function shortNumber(number) {
  const size = Math.abs(number);
  if (size < 10000) return String(number);
  const [unit, sign] = size < 1e6 ? [1e3, "k"] : size < 1e9 ? [1e6, "M"] : size < 1e12 ? [1e9, "G"] : [1e12, "T"];
  const value = number / unit;
  return (Math.abs(value) < 10 ? value.toFixed(1) : Math.round(value)) + sign;
}

export const seconds = (ms) =>
  ms < 10000 ? `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s` : `${Math.round(ms / 1000)} s`;

// Minutes and seconds; tenths in the last twenty seconds.
export function clockTime(ms) {
  const left = Math.max(0, ms) / 1000;
  const rest = left % 60;
  const shown = left < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0");
  return `${Math.floor(left / 60)}:${shown}`;
}
