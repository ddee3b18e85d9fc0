// The recent games: the last trees that another game replaced, in localStorage. Each has a key of its own, so that tabs
// that add games at the same time do not overwrite each other's.

import * as State from "./state/index.js";
import { VERSION, upgrade } from "./storage.js";
import { gameOf, holdsTree } from "./tree.js";

const KEY = "tengen-recent:";

// The most games of the list, and the most characters that they take in all. A browser gives a page five million.
const MOST_GAMES = 20;
const MOST_CHARACTERS = 2_000_000;

// The games with their keys, the newest first: [{ key, length, date, moves, result, game }]. Damaged ones are left out.
function listGames() {
  const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place));
  const entries = keys.filter((key) => key?.startsWith(KEY)).map(readEntry);
  return entries.filter(Boolean).sort((one, other) => other.date - one.date || (other.key > one.key ? 1 : -1));
}

function readEntry(key) {
  try {
    const text = localStorage.getItem(key);
    const { date, moves, result, game } = JSON.parse(text);
    const upgraded = upgrade(game);
    return upgraded && { key, length: text.length, date, moves, result, game: upgraded };
  } catch {
    return null;
  }
}

const isSameBoard = (one, other) => ["size", "rule", "continuous"].every((key) => one[key] === other[key]);

// Whether a game holds all of another.
const holds = (game, other) => isSameBoard(game.settings, other.settings) && holdsTree(game.tree, other.tree);

// Removes the oldest games beyond the bounds. `room` is the number of characters that a new game needs.
function prune(room) {
  let [count, characters] = [1, room];
  for (const { key, length } of listGames()) {
    count++;
    characters += length;
    if (count > MOST_GAMES || characters > MOST_CHARACTERS) localStorage.removeItem(key);
  }
}

// Adds a game, and removes those that it holds and its former entry. Returns whether the list has the game, and the key of
// its entry if it has one: { isKept, key }.
function addGame(entry, former) {
  const text = JSON.stringify(entry);
  // It would push out all others.
  if (text.length > MOST_CHARACTERS) return { isKept: false, key: former };
  try {
    const others = listGames();
    if (others.some(({ key, game }) => key !== former && holds(game, entry.game))) return { isKept: true, key: former };
    for (const { key, game } of others) {
      if (key === former || holds(entry.game, game)) localStorage.removeItem(key);
    }
    prune(text.length);
    // The random part distinguishes games of the same millisecond.
    const key = `${KEY}${entry.date}-${Math.random().toString(36).slice(2)}`;
    return { isKept: store(key, text), key };
  } catch {
    return { isKept: false, key: former };
  }
}

// Stores a text, and makes room for it if the browser has none.
function store(key, text) {
  for (;;) {
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      const oldest = listGames().at(-1);
      if (!oldest) return false;
      localStorage.removeItem(oldest.key);
    }
  }
}

export function recentActions(store, server, actions) {
  // The entry of the game on the board, if it has one of its own, with the tree and the answers of a procedure that were
  // kept last.
  let own = { key: null, tree: null, answers: null };

  const answersOf = (state) => State.gameBehind(state).opening?.answers ?? null;

  // Adds the game on the board to the list, instead of what it was when it was added before. Returns false if the browser
  // could not store it.
  function keepGame() {
    const state = store.get();
    if (State.isUntouched(state)) return true;
    const { tree } = State.gameBehind(state);
    const line = gameOf(tree);
    const game = { version: VERSION, ...State.packGame(state, performance.now()) };
    const entry = { date: Date.now(), moves: line.length - 1, result: line.at(-1).result, game };
    const { isKept, key } = addGame(entry, own.key);
    own = { key, tree: isKept ? tree : null, answers: answersOf(state) };
    return isKept;
  }

  // Replaces the game on the board by a change of the state.
  function replaceGame(change, ...values) {
    if (store.get().job) actions.giveUp();
    actions.comment();
    const isKept = keepGame();
    own = { key: null, tree: null, answers: null };
    store.update(change, ...values);
    actions.changed();
    if (!isKept) store.update(State.showTrouble, actions.text("notKeptGame"));
  }

  return {
    replaceGame,

    // A page that is hidden may be closed, and a new one begins with the game that another tab saved.
    leavePage() {
      const state = store.get();
      if (own.tree !== State.gameBehind(state).tree || own.answers !== answersOf(state)) keepGame();
    },

    // Shows the list, without games that are part of the one on the board.
    listRecent() {
      const shown = State.packGame(store.get(), performance.now());
      try {
        actions.set({ recent: listGames().filter(({ key, game }) => key !== own.key && !holds(shown, game)) });
      } catch {
        actions.set({ recent: [] });
      }
    },

    // Shows a recent game. Engines wait there.
    openRecent(key) {
      const entry = store.get().recent.find((other) => other.key === key);
      if (!entry) return;
      replaceGame(State.unpackGame, entry.game);
      actions.showTab("moves");
    },
  };
}
