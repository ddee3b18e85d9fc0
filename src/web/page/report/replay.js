// The board with the chosen game, its curve, and the list of games.

import { copyField, make } from "../dom.js";
import { allLetters, linkHash, splitMoves } from "../points.js";
import { createGoban } from "../render/goban.js";
import { gameRow } from "../render/games.js";
import { colorOf } from "../tree.js";
import { createCurve } from "./curve.js";
import { integer, section } from "./parts.js";

// The keys that step through a game, and the buttons that do the same.
const STEP_KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };
const STEP_SIGNS = { first: "«", back: "‹", forward: "›", last: "»" };

// Scrolls a list until a row of it is visible, and nothing else.
function reveal(list, row) {
  const isAbove = row.offsetTop < list.scrollTop;
  const isBelow = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (isAbove || isBelow) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

const isOutOfView = (node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom < 0 || top > innerHeight;
};

// The number of moves that each step shows.
const stepsOf = (shown, last) => ({ first: 0, back: shown - 1, forward: shown + 1, last });

const resultText = ({ winner, detail }, t) => (winner === "draw" ? t("draw") : `${t("win", t(winner))}: ${detail}`);

// The position for other programs: a link to the board, and the moves as text.
function createExits(board, t) {
  const moves = make("input", { class: "code", readonly: true, "aria-label": t("moves") });
  const copy = make("button", { class: "copy" }, t("copyMoves"));
  copy.addEventListener("click", async () => {
    await copyField(moves);
    // The arrow keys step through the game again.
    copy.focus();
    copy.textContent = t("copied");
  });
  const link = make("a", { class: "button", target: "_blank", rel: "noopener" }, t("openBoard"));
  const note = make("p", { class: "note" }, t("openBoardHelp", board));
  return {
    host: make("div", { class: "exits" }, moves, copy, link, note),
    draw(game, points) {
      moves.value = allLetters(points, game.size);
      copy.textContent = t("copyMoves");
      link.href = board + linkHash(game, points);
    },
  };
}

// Shows games. `board` is the address of the local board. Returns the section, `show(game, moves)` by the place of the
// game in the list, and `shown()`, that place and the number of moves.
export function createReplay(games, board, t) {
  let current = { at: 0, shown: 0, last: 0 };
  const host = make("div", { class: "board" });
  const goban = createGoban(host, "replay");
  const caption = make("p", { role: "status" });
  const place = make("output", {}, "0");
  const rows = games.map((game, at) => gameRow(game, at, false, t, () => choose(at)));
  const list = make("div", { class: "list", tabindex: "0", role: "group", "aria-label": t("games") }, rows);
  const curve = createCurve(t, (ply) => show(current.at, ply));
  const exits = createExits(board, t);

  function markRow(at) {
    rows[current.at].removeAttribute("aria-current");
    rows[at].setAttribute("aria-current", "true");
    if (at !== current.at) reveal(list, rows[at]);
  }
  function show(at, count) {
    const game = games[at];
    const points = splitMoves(game.moves);
    const shown = Math.max(0, Math.min(points.length, count));
    markRow(at);
    current = { at, shown, last: points.length };
    const stones = points.slice(0, shown).map((point, ply) => ({ at: point, color: colorOf(ply), number: ply + 1 }));
    const row = shown === points.length ? game.row : [];
    goban.draw({ size: game.size, stones, row, last: points[shown - 1] });
    const [black, white] = game.players;
    caption.textContent = `${game.name}: ${t("black")} ${black}, ${t("white")} ${white}. ${resultText(game, t)}`;
    const time = shown > 0 ? ` · ${integer(game.times[shown - 1] ?? 0, t)} ms` : "";
    place.textContent = `${shown} / ${points.length}${time}`;
    curve.draw(game, shown);
    exits.draw(game, points.slice(0, shown));
  }
  const step = (name) => show(current.at, stepsOf(current.shown, current.last)[name]);
  // On a phone the list is below the board.
  function choose(at) {
    show(at, Infinity);
    if (isOutOfView(host)) host.scrollIntoView();
  }

  const buttons = Object.entries(STEP_SIGNS).map(([name, sign]) => {
    const label = { class: "icon", "aria-label": t(name), title: t(name) };
    return make("button", { ...label, onclick: () => step(name) }, sign);
  });
  document.onkeydown = (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    // In the field of the moves these keys move the cursor; with Alt they are the browser's.
    if (!STEP_KEYS[key] || target.matches("input") || altKey || ctrlKey || metaKey) return;
    event.preventDefault();
    step(STEP_KEYS[key]);
  };
  const [first, back, forward, last] = buttons;
  const steps = make("div", { class: "row" }, first, back, place, forward, last);
  const left = make("div", { class: "stack" }, host, steps, caption, curve.host, exits.host);
  const node = section(t("replay"), make("div", { class: "duo" }, left, list));
  return { section: node, show, shown: () => current };
}
