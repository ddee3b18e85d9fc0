// The state of the page, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engineActions } from "../../src/web/page/engines.js";
import { positionActions } from "../../src/web/page/position.js";
import { proofActions } from "../../src/web/page/proofs.js";
import { puzzleActions } from "../../src/web/page/puzzles.js";
import { recentActions } from "../../src/web/page/recent.js";
import { overlayOf } from "../../src/web/page/render/overlays/index.js";
import * as State from "../../src/web/page/state/index.js";
import * as Tree from "../../src/web/page/tree.js";
import { shortVerdictText } from "../../src/web/page/verdict.js";

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
});

test("a move in the middle of a game is a variation, also after its own move or a move that is taken back", () => {
  const game = { ...played(state(), "h8 i9 j10 k11"), seats: { black: "human", white: "human" } };
  const middle = State.go(game, Tree.gameOf(game.tree)[1].id, 0);
  const own = { ...State.play(middle, "i9", 0, { time: 1 }, true), playing: true };
  const other = { ...State.play(middle, "g9", 0, { time: 1 }, true), playing: true };
  for (const before of [middle, State.resumeGame(middle, 0), own, other, State.takeBack(other)]) {
    const after = played(before, "g7 g6");
    assert.deepEqual(movesOf(Tree.gameOf(after.tree)), ["h8", "i9", "j10", "k11"]);
  }
});

test("after moves of the game were taken back, another move goes on with it, and so do the old ones", () => {
  const game = { ...played(state(), "h8 i9 j10 k11"), seats: { black: "human", white: "human" } };
  const back = State.takeBack(State.takeBack(game));
  const here = back.tree.here;
  for (const before of [back, State.go(State.go(back, game.tree.here, 0), here, 0)]) {
    const after = played(before, "g7 g6");
    assert.deepEqual(movesOf(Tree.gameOf(after.tree)), ["h8", "i9", "g7", "g6"]);
    // The moves that were taken back are a variation now.
    const variation = played({ ...State.go(after, here, 0), playing: true }, "g9");
    assert.deepEqual(movesOf(Tree.gameOf(variation.tree)), ["h8", "i9", "g7", "g6"]);
  }
  const forward = played(State.go(back, game.tree.here, 0), "g7");
  assert.deepEqual(movesOf(Tree.gameOf(forward.tree)), ["h8", "i9", "j10", "k11", "g7"]);
});

test("a search replaces a review only where it is as deep, or proves something", () => {
  const game = played(state(), "h8");
  const id = game.tree.here;
  const line = (moves, verdict) => ({ moves, verdict });
  const reviewed = State.setBest(game, id, line("i9", { result: null, chance: 0.4 }), 12);
  const after = (depth, verdict) => State.setReport(reviewed, id, { depth, nodes: 9, lines: [line("j10", verdict)] });
  const bestOf = ({ tree }) => Tree.nodeOf(tree, id).best.moves;
  assert.deepEqual(bestOf(after(3, { result: null, chance: 0.6 })), ["i9"]);
  assert.equal(Tree.nodeOf(after(3, { result: null, chance: 0.6 }).tree, id).verdict.chance, 0.4);
  assert.deepEqual(bestOf(after(12, { result: null, chance: 0.6 })), ["j10"]);
  assert.deepEqual(bestOf(after(3, { result: { winner: "white", moves: 4 } })), ["j10"]);
  const proved = State.setBest(game, id, line("i9", { result: { winner: "white", moves: 4 } }), 0);
  const later = { depth: 9, nodes: 9, lines: [line("j10", { result: null, chance: 0.6 })] };
  assert.deepEqual(bestOf(State.setReport(proved, id, later)), ["i9"]);
  // The last answer of such a search changes nothing either.
  assert.equal(State.setVerdict(reviewed, id, { result: null, chance: 0.6 }), reviewed);
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

// Actions on a state, which ask a server with `ask`. All others do nothing.
function createActions(create, before, ask) {
  const store = State.createStore(before);
  const set = (fields) => store.update(State.set, fields);
  const own = { set, translator: () => String, text: String, nameOf: String };
  const actions = new Proxy(own, { get: (known, name) => known[name] ?? (() => {}) });
  for (const part of create) Object.assign(own, part(store, { ask }, actions));
  return { store, actions };
}

const HELLO = { limits: { time: 1000, threads: 1, memory: 1 }, library: null };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("without a connection a key does not stop the engine that is to move", async () => {
  const lost = () => Promise.reject(new Error("closed"));
  const game = { ...played(state({ hello: HELLO }), "h8"), playing: true };
  for (const name of ["hint", "analyse", "move"]) {
    const { store, actions } = createActions([engineActions], game, lost);
    await actions[name]();
    await settled();
    assert.deepEqual([store.get().playing, store.get().job], [true, null], name);
  }
});

test("a search for a proof or a threat that is given up leaves no sentence that it runs", async () => {
  const ask = () => new Promise(() => {});
  for (const [name, field] of [
    ["vct", "proof"],
    ["threats", "threat"],
  ]) {
    const { store, actions } = createActions([engineActions, proofActions], played(state(), "h8 i9"), ask);
    actions[name]();
    assert.notEqual(store.get()[field], null);
    actions.giveUp();
    assert.equal(store.get()[field], null);
  }
  const found = state({ proof: { result: "win", moves: ["h8"] }, threat: { result: "none", holds: [] } });
  assert.deepEqual(State.dropJob(found), { ...found, job: null });
});

test("an overlay that is not offered is not shown", () => {
  const of = (fields) => overlayOf(state({ hello: HELLO, ...fields })).name;
  assert.equal(of({ overlay: "library" }), "none");
  assert.equal(of({ tab: "library" }), "none");
  const hello = { ...HELLO, library: {} };
  assert.equal(of({ hello, overlay: "library" }), "library");
  assert.equal(of({ hello, tab: "library" }), "library");
});

test("no stone is played on what may be the end of the game before the server has answered", () => {
  const moves = "h8 a1 i8 a3 j8 a5 k8 a7 l8";
  const game = { ...played(state({ seats: { black: "human", white: "human" } }), moves), playing: true };
  const { store, actions } = createActions([positionActions], game, () => new Promise(() => {}));
  actions.choose("a9");
  assert.equal(store.get().tree.here, game.tree.here);
  store.update(State.setView, game.tree.here, { outcome: null });
  actions.choose("a9");
  assert.deepEqual(Tree.movesOf(store.get().tree), [...moves.split(" "), "a9"]);
  // The first stones need no answer.
  const fresh = createActions([positionActions], { ...state(), playing: true }, () => new Promise(() => {}));
  fresh.actions.choose("h8");
  assert.deepEqual(Tree.movesOf(fresh.store.get().tree), ["h8"]);
});

test("the dialog of a new game offers the procedure and the clock of the last game that was begun", () => {
  const settings = { ...state().settings, procedure: "swap2", clock: 5, handicap: 0 };
  const game = { size: 19, rule: "renju", continuous: false, moves: "h8 i9" };
  const opened = State.loadGame({ ...State.begin(state(), settings), games: [game] }, 0);
  assert.deepEqual([opened.settings.procedure, opened.settings.clock], ["plain", 0]);
  const { rule, size, procedure, clock } = State.settingsOfNext(opened);
  assert.deepEqual([rule, size, procedure, clock], ["renju", 19, "swap2", 5]);
  assert.equal(State.settingsOfNext(state()).procedure, "plain");
});

test("a label that is being typed stays while an engine moves, and belongs to its position", () => {
  const labelled = { node: 1, point: "h8" };
  const game = { ...played(state(), "i9"), labelled };
  assert.equal(State.positionChanged(game, 0).labelled, labelled);
  assert.equal(State.go(game, game.tree.root, 0).labelled, null);
});

// A puzzle whose solution is h8, i9, j10, after a move of the person.
const puzzleAfter = (move) => {
  const puzzle = { rule: "freestyle", size: 15, moves: [], solution: ["h8", "i9", "j10"], isUnique: false };
  return played(State.beginPuzzle(state(), puzzle), move);
};

test("a move of the solution is right, even where the time does not suffice to prove it", async () => {
  const found = { kind: "threats", result: "unknown", how: null, moves: [], holds: [], open: [] };
  for (const [move, after] of [
    ["h8", ["h8", "i9"]],
    ["g7", []],
  ]) {
    const { store, actions } = createActions([puzzleActions], puzzleAfter(move), async () => found);
    await actions.puzzleStep();
    assert.deepEqual(Tree.movesOf(store.get().tree), after);
  }
});

test("a first tap only shows the stone in a puzzle and for a single stone of a procedure", () => {
  const puzzle = { rule: "freestyle", size: 15, moves: [], solution: ["h8"], isUnique: true };
  const asked = {
    player: "opener",
    counts: [1],
    announce: false,
    swap: false,
    offer: false,
    offered: [],
    allowed: null,
  };
  const opening = { answers: [], pending: [], state: { asked } };
  const settings = { ...state().settings, procedure: "soosorv8" };
  for (const before of [
    State.beginPuzzle(state(), puzzle),
    state({ opening, settings, fairness: false, seats: { black: "human", white: "human" } }),
  ]) {
    let picked = 0;
    const { store, actions } = createActions(
      [positionActions, () => ({ pick: () => picked++ })],
      before,
      async () => ({}),
    );
    actions.press("h8", true);
    assert.deepEqual([store.get().tapped, Tree.movesOf(store.get().tree), picked], ["h8", [], 0]);
    actions.press("h8", true);
    assert.equal(Tree.movesOf(store.get().tree).length + picked, 1);
  }
});

test("the solution of a puzzle is shown from its first move, also from a position before it", () => {
  const puzzle = { rule: "freestyle", size: 15, moves: ["a1", "b1"], solution: ["h8", "i9", "j10"], isUnique: true };
  const { store, actions } = createActions([positionActions, puzzleActions], State.beginPuzzle(state(), puzzle));
  actions.puzzleSolution();
  actions.first();
  actions.puzzleSolution();
  assert.deepEqual(Tree.movesOf(store.get().tree), ["a1", "b1", "h8"]);
});

test("the first hint of a puzzle names the row alone, in every kind of coordinates", async () => {
  const puzzle = { rule: "freestyle", size: 15, moves: [], solution: ["h8"], isUnique: true };
  const before = { ...State.beginPuzzle(state(), puzzle), playing: true };
  for (const [nameOf, row] of [
    [() => "h8", "8"],
    [() => "7,10", "10"],
  ]) {
    const { store, actions } = createActions([() => ({ nameOf }), puzzleActions], before, async () => ({}));
    await actions.puzzleHint();
    assert.deepEqual(store.get().puzzle.note, { kind: "puzzleHintRow", fill: [row] });
  }
});

test("a puzzle that comes late does not replace a game that was begun meanwhile", async () => {
  let send = null;
  const puzzles = [{ length: 1, moves: "", solution: "h8" }];
  const ask = () => new Promise((resolve) => (send = () => resolve({ puzzles, size: 15 })));
  const { store, actions } = createActions([puzzleActions], state(), ask);
  const opening = actions.openPuzzle("renju", 1);
  store.update(State.begin, store.get().settings);
  send();
  await opening;
  assert.equal(store.get().puzzle, null);
});

test("an answer to a procedure renews the entry of the game among the recent ones", () => {
  globalThis.localStorage = createStorage();
  const settings = { ...state().settings, procedure: "swap" };
  const begun = played(State.begin(state(), settings), "h8");
  const store = State.createStore(begun);
  const recent = recentActions(store, null, { set: (fields) => store.update(State.set, fields) });
  recent.leavePage();
  store.update(State.set, { opening: { ...begun.opening, answers: ["h8", "swap"] } });
  recent.leavePage();
  assert.equal(localStorage.length, 1);
  const { game } = JSON.parse(localStorage.getItem(localStorage.key(0)));
  assert.deepEqual(game.opening.answers, ["h8", "swap"]);
});

test("a chance reads the same before and after a file has rounded it to four decimals", () => {
  for (const chance of [0.52495, 0.52499, 0.525, 0.0049999, 0.5]) {
    const text = (chance) => shortVerdictText({ result: null, chance }, "black");
    assert.equal(text(chance), text(Math.round(10_000 * chance) / 10_000), String(chance));
  }
});
