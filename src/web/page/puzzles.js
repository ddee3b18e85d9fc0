// Actions of puzzles: positions where one side wins by force. While one is open, the state holds its position, and the game
// waits in `puzzle.kept`.

import { splitMoves } from "./points.js";
import * as State from "./state/index.js";
import { nodeOf, otherColor } from "./tree.js";

const LINK = /^#puzzle=([a-z_]+)-(\d+)$/;

export function puzzleActions(store, server, actions) {
  const isCurrent = (job) => store.get().job === job;
  const { nameOf } = actions;
  const patch = (fields) => actions.set({ puzzle: { ...store.get().puzzle, ...fields } });

  // Shows and speaks a message: a key of the texts with its fill.
  function note(kind, ...fill) {
    patch({ note: { kind, fill } });
    actions.set({ spoken: { text: actions.text(kind, ...fill) } });
  }

  let requests = 0;

  // Begins a request. Returns whether it is still the last one, and no other game was begun meanwhile.
  function request() {
    const [mine, { root }] = [++requests, store.get().tree];
    return () => mine === requests && store.get().tree.root === root;
  }

  // The puzzles of a rule with their size and grades. The server is asked once.
  async function listOf(rule) {
    const known = store.get().puzzles[rule];
    if (known) return known;
    const told = await server.ask("puzzles", { rule });
    actions.set({ puzzles: { ...store.get().puzzles, [rule]: told } });
    return told;
  }

  function start(puzzle) {
    if (store.get().job) actions.giveUp();
    store.update(State.beginPuzzle, puzzle);
    actions.changed();
  }

  // Opens a built-in puzzle by its number, which counts from one.
  async function openPuzzle(rule, number) {
    const isWanted = request();
    try {
      const { puzzles, size } = await listOf(rule);
      const found = puzzles[number - 1];
      if (!found || !isWanted()) return;
      const { length, moves, solution } = found;
      const id = `${rule}-${number}`;
      const lists = { moves: splitMoves(moves), solution: splitMoves(solution) };
      actions.set({ puzzleRule: rule, tab: "puzzles" });
      start({ id, rule, number, size, length, isUnique: true, ...lists });
      history.replaceState(null, "", `#puzzle=${id}`);
    } catch (error) {
      actions.refused(error);
    }
  }

  // Makes a puzzle of a win that was missed after the move of a node.
  function solveMissed(id) {
    const state = store.get();
    const { best, verdict } = state.tree.nodes[id];
    const { rule, size } = state.settings;
    const moves = splitMoves(State.gameOf(state, id).moves);
    const length = verdict.result?.moves ?? null;
    actions.set({ tab: "puzzles" });
    start({ id: null, rule, number: null, size, length, isUnique: false, moves, solution: best.moves });
  }

  // Opens the next unsolved puzzle of the chosen grade; if all are solved, the next one.
  async function nextPuzzle() {
    const { puzzle, puzzleRule, puzzleGrade, solved } = store.get();
    const isWanted = request();
    try {
      const { puzzles: list, grades } = await listOf(puzzleRule);
      const here = puzzle?.rule === puzzleRule ? (puzzle.number ?? 0) : 0;
      const order = [...list.keys()].map((place) => ((here + place) % list.length) + 1);
      const fitting = order.filter((number) => State.isOfGrade(list[number - 1].length, puzzleGrade, grades));
      const others = fitting.filter((number) => number !== here);
      const found = others.find((number) => !solved.includes(`${puzzleRule}-${number}`)) ?? others[0];
      if (found && isWanted()) await openPuzzle(puzzleRule, found);
    } catch (error) {
      actions.refused(error);
    }
  }

  function leavePuzzle() {
    if (!store.get().puzzle) return;
    if (store.get().job) actions.giveUp();
    store.update(State.endPuzzle, performance.now());
    actions.shownAgain();
  }

  function solve() {
    const { puzzle, solved } = store.get();
    if (puzzle.isSolved) return;
    patch({ isSolved: true });
    note("puzzleSolved");
    const isNew = puzzle.id && !puzzle.isShown && !solved.includes(puzzle.id);
    if (isNew) actions.set({ solved: [...solved, puzzle.id] });
  }

  // Takes back a move that gives the win away, and says why.
  function refuse(key, ...fill) {
    const { tree } = store.get();
    store.update(State.removeNode, tree.here);
    actions.set({ playing: true });
    note(key, ...fill);
    actions.changed();
  }

  // Judges the last move after the server has sent the view of its position, and answers it.
  async function puzzleStep() {
    const state = store.get();
    const { puzzle, tree } = state;
    // Stepping back to a position that has an answer must not answer it again.
    if (!state.playing && nodeOf(tree).children.length > 0) return;
    if (puzzle.isSolved || puzzle.isShown || state.job) return;
    const played = splitMoves(State.gameOf(state).moves).slice(puzzle.moves.length);
    const move = played.at(-1);
    if (!move) return;
    const result = State.resultOf(state);
    if (result?.winner === puzzle.side) solve();
    else if (result && State.turnOf(state) === puzzle.side) refuse("puzzleLost");
    else if (State.turnOf(state) === puzzle.side) return;
    else if (result) refuse("puzzleWrong", nameOf(move));
    else if (puzzle.isUnique && played.length === 1 && move !== puzzle.solution[0]) refuse("puzzleWrong", nameOf(move));
    else await judge(tree.here, played);
  }

  // Asks for the threats: a move keeps the win if no answer stops them. The moves of the solution do, even where the time
  // does not suffice to prove it again.
  async function judge(id, played) {
    const job = { kind: "puzzle" };
    actions.set({ job });
    note("puzzleJudged");
    try {
      const found = await server.ask("threats", { game: State.gameOf(store.get(), id) }, () => {});
      if (!isCurrent(job)) return;
      actions.set({ job: null });
      if (found.kind === "given-up") return;
      const move = nameOf(played.at(-1));
      if (found.result === "unknown" && !isOfSolution(played)) refuse("puzzleUnclear", move);
      else if (found.result === "none") refuse("puzzleWrong", move);
      else if (found.holds.length > 0) refuse("puzzleHeld", move, nameOf(found.holds[0]));
      else answer(played, found);
    } catch (error) {
      if (!isCurrent(job)) return;
      actions.set({ job: null });
      actions.refused(error);
    }
  }

  const isOfSolution = (played) => played.every((move, place) => move === store.get().puzzle.solution[place]);

  // The other side plays the defence of the solution while the moves are its own, else takes the point of the win.
  function answer(played, { how, moves }) {
    const state = store.get();
    const { solution, side } = state.puzzle;
    const defence = isOfSolution(played) && how !== "five" ? [solution[played.length]] : [];
    const taken = splitMoves(State.gameOf(state).moves);
    const isOpen = (point) => point && !taken.includes(point) && !State.foulAt(state, point);
    const reply = [...defence, ...moves].find(isOpen);
    if (!reply || (how === "five" && reply !== moves[0])) {
      solve();
      return;
    }
    note("puzzleRight");
    store.update(State.play, reply, performance.now(), {});
    actions.moved(otherColor(side), reply);
  }

  // The first call names the row of the next move, the second one its point.
  async function puzzleHint() {
    const state = store.get();
    const { puzzle } = state;
    if (!State.awaitsMove(state)) return;
    if (state.job) actions.giveUp();
    const job = { kind: "puzzle" };
    actions.set({ job });
    const point = await nextMove(state).catch(actions.refused);
    if (!isCurrent(job)) return;
    actions.set({ job: null });
    if (!point) return;
    const isSecond = puzzle.hinted === state.tree.here;
    if (isSecond) actions.set({ marked: point });
    else patch({ hinted: state.tree.here });
    // The name of a point ends with its row.
    if (isSecond) note("puzzleHintPoint", nameOf(point));
    else note("puzzleHintRow", nameOf(point).match(/\d+$/)[0]);
  }

  // A move that keeps the win: of the solution, else by a proof.
  async function nextMove(state) {
    const { puzzle } = state;
    const played = splitMoves(State.gameOf(state).moves).slice(puzzle.moves.length);
    const next = puzzle.solution[played.length];
    if (next && isOfSolution(played)) return next;
    for (const how of ["vcf", "vct"]) {
      const { kind, moves } = await server.ask("prove", { game: State.gameOf(state), how, side: puzzle.side });
      if (kind === "given-up") return null;
      if (moves?.length > 0) return moves[0];
    }
    return null;
  }

  // Shows the solution move by move.
  function puzzleSolution() {
    const state = store.get();
    const { puzzle } = state;
    if (state.job) actions.giveUp();
    if (!puzzle.isShown || State.depthOfPuzzle(state) < 0) store.update(State.showSolution);
    actions.forward();
    note("puzzleShown", State.depthOfPuzzle(store.get()), puzzle.solution.length);
  }

  // Opens the puzzle of the address, unless it is open.
  function openPuzzleLink() {
    const [, rule, number] = LINK.exec(location.hash) ?? [];
    if (rule && store.get().puzzle?.id !== `${rule}-${number}`) openPuzzle(rule, Number(number));
  }

  return {
    openPuzzle,
    solveMissed,
    nextPuzzle,
    leavePuzzle,
    puzzleStep,
    puzzleHint,
    puzzleSolution,
    openPuzzleLink,
    puzzleRule: (puzzleRule) => actions.set({ puzzleRule }),
    puzzleGrade: (puzzleGrade) => actions.set({ puzzleGrade }),
    restartPuzzle() {
      const { kept: _, ...puzzle } = store.get().puzzle;
      start({ ...puzzle });
    },
  };
}
