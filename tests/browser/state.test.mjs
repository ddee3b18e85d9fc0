// The state of the page, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { recentActions } from "../../src/web/page/recent.js";
import * as State from "../../src/web/page/state/index.js";
import * as Tree from "../../src/web/page/tree.js";

const state = (fields = {}) => ({ ...State.initialState("en"), ...fields });

// The state after these moves of a game.
const played = (before, moves) =>
  moves.split(" ").reduce((state, move) => State.play(state, move, 0, { time: 1 }), before);

const movesOf = (nodes) => nodes.slice(1).map(({ move }) => move);

test("a game goes on after a look at a line, with another move or with that of the line", () => {
  const game = played(state(), "h8 i9");
  const here = game.tree.here;
  const looked = State.follow(game, ["j10", "h9"], 0, here);
  assert.deepEqual(movesOf(Tree.gameOf(looked.tree)), ["h8", "i9"]);
  for (const back of [State.go(looked, here, 0), State.backToGame(looked, 0)]) {
    for (const moves of ["g9 h9", "j10 g9"]) {
      const [first, ...rest] = moves.split(" ");
      const next = { ...State.play(back, first, 0, { time: 1 }, true), playing: true };
      const after = played(next, rest.join(" "));
      assert.deepEqual(movesOf(Tree.gameOf(after.tree)), ["h8", "i9", ...moves.split(" ")]);
    }
  }
  // A move in the middle of the game is a variation.
  const middle = State.go(game, Tree.gameOf(game.tree)[1].id, 0);
  const variation = State.play({ ...middle, playing: false }, "g9", 0, { time: 1 }, true);
  assert.deepEqual(movesOf(Tree.gameOf(variation.tree)), ["h8", "i9"]);
});

test("without a connection the clock of an engine is stopped, and that of a person runs", () => {
  const settings = { ...state().settings, clock: 1 };
  for (const [white, left] of [
    ["level:3", 55_000],
    ["human", 25_000],
  ]) {
    const game = { ...played(state({ settings, seats: { black: "human", white } }), "h8"), since: 1_000 };
    const lost = State.connectionLost(State.connectionLost(game, 3_000), 9_000);
    assert.equal(State.clockLeft(lost, "white", 31_000), white === "human" ? 30_000 : 58_000);
    const found = State.connectionMade(lost, 33_000);
    assert.equal(State.clockLeft(found, "white", 36_000), left);
    assert.equal(found.disconnectedAt, null);
  }
});

test("a move that is taken back opens a game again, however it ended", () => {
  for (const end of ["time", "agreed", "claimed", "crash"]) {
    const ended = State.endGame(played(state({ seats: { black: "human", white: "human" } }), "h8 i9"), "black", end);
    assert.ok(State.isOver(ended));
    const back = State.takeBack(ended);
    assert.ok(!State.isOver(State.go(back, ended.tree.here, 0)), end);
  }
});

test("a setting in a puzzle is that of the game behind it", () => {
  const puzzle = { rule: "renju", size: 15, moves: ["h8"], solution: [] };
  const set = State.setTurnTime(State.beginPuzzle(state(), puzzle), 9);
  assert.equal(set.settings.turn, 9);
  assert.equal(State.endPuzzle(set, 0).settings.turn, 9);
  assert.equal(State.setTurnTime(state(), 9).puzzle, null);
});

// A storage of the browser.
function createStorage() {
  const stored = new Map();
  return {
    get length() {
      return stored.size;
    },
    key: (place) => [...stored.keys()][place],
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => stored.set(key, text),
    removeItem: (key) => stored.delete(key),
  };
}

test("a game that is too large for the list of recent games pushes out no other", () => {
  globalThis.localStorage = createStorage();
  const keep = (game) => {
    const store = State.createStore(game);
    const actions = { set: (fields) => store.update(State.set, fields) };
    const recent = recentActions(store, null, actions);
    recent.leavePage();
  };
  for (const moves of ["h8 i9", "h8 i10", "h8 h9"]) keep(played(state(), moves));
  assert.equal(localStorage.length, 3);
  const large = played(state(), "h8 j9");
  keep(State.setComment(large, "x".repeat(2_100_000)));
  assert.equal(localStorage.length, 3);
});
