// Actions of engines: moves, analysis and reviews. The server works at one job at a time. The state holds the job, and
// answers to another one are dropped.

import { effortOf, limited, playerOf, powerOf } from "./players.js";
import * as State from "./state/index.js";
import { gameOf } from "./tree.js";

// Milliseconds for each position of a review, and of a deeper one.
const REVIEW_TIME = 250;
const DEEPER_TIME = 2000;

// Milliseconds of a hint.
const HINT_TIME = 1000;

export function engineActions(store, server, actions) {
  const isCurrent = (job) => store.get().job === job;

  // Ends the job, whose answer is no longer wanted.
  function giveUp() {
    store.update(State.dropJob);
    server.ask("stop").catch(() => {});
  }

  // Lets whoever has the move act, once the position is known.
  function step() {
    const state = store.get();
    if (state.puzzle) actions.puzzleStep();
    else if (state.opening) actions.openingStep();
    else if (state.job) return;
    else if (State.isOver(state)) {
      if (State.lacksFacts(state)) actions.explainMove();
    } else if (State.isRunning(state) && State.handicapMove(state)) actions.playStone(State.handicapMove(state));
    else if (State.isRunning(state) && State.isEngine(State.seatToMove(state))) playMove(State.seatToMove(state));
    else if (State.lacksFacts(state)) actions.explainMove();
    else if (state.analysing) searchPosition();
  }

  // Searches a position. Reports go to the state while the job is current.
  function think(job, id, seat, effort, keep = false) {
    const state = store.get();
    const game = State.gameOf(state, id);
    const fields = { game, who: playerOf(seat, state.weighting), effort: { ...powerOf(state), ...effort }, keep };
    store.update(State.beginSearch, id);
    const report = (said) => {
      if (isCurrent(job)) store.update(said.kind === "tick" ? State.tick : State.setReport, id, said);
    };
    return server.ask("think", fields, report);
  }

  // An engine plays one move.
  async function playMove(seat) {
    const state = store.get();
    const id = state.tree.here;
    const color = State.turnOf(state);
    const job = { kind: "play", seat };
    actions.set({ job });
    try {
      const answer = await think(job, id, seat, effortOf(state, color, seat));
      if (!isCurrent(job)) return;
      actions.set({ job: null });
      if (answer.kind !== "move" || store.get().tree.here !== id) return;
      store.update(State.playAnswer, id, answer, performance.now());
      actions.moved(color, answer.point);
    } catch (error) {
      if (!isCurrent(job)) return;
      // Without a connection the engine plays once there is one again.
      if (!error.kind) {
        actions.set({ job: null });
        return;
      }
      store.update(State.stopGame, performance.now());
      actions.set({ job: null });
      if (error.kind === "failed") store.update(State.showTrouble, actions.text("failed", `${error.message}.`));
      else actions.refused(error);
    }
  }

  // Searches the shown position. An analysis lasts until another job replaces it.
  async function searchPosition(kind = "analyse", time = store.get().hello.limits.time) {
    if (store.get().job) giveUp();
    const { tree, lines } = store.get();
    const id = tree.here;
    const job = { kind };
    actions.set({ job });
    try {
      const answer = await think(job, id, "search", { time, lines });
      if (isCurrent(job)) store.update(State.setVerdict, id, answer.verdict);
    } catch (error) {
      if (isCurrent(job)) actions.refused(error);
    }
    if (isCurrent(job)) actions.set({ job: null });
  }

  // Searches the shown position for the time of a move. The library keeps the score. A second call ends the search.
  async function keep() {
    if (store.get().job?.kind === "keep") {
      server.ask("stop").catch(() => {});
      return;
    }
    if (store.get().job) giveUp();
    const state = store.get();
    const id = state.tree.here;
    const job = { kind: "keep" };
    const searching = { text: actions.text("keeping"), isError: false };
    actions.set({ job, libraryNote: searching });
    const say = (text, isError = false) => actions.set({ job: null, libraryNote: { text, isError } });
    const leave = () => store.get().libraryNote === searching && actions.set({ libraryNote: null });
    const { time, nodes, lines } = effortOf(state, State.turnOf(state), "search");
    try {
      const answer = await think(job, id, "search", limited({ time, nodes, lines }), true);
      if (!isCurrent(job)) {
        leave();
        return;
      }
      store.update(State.setVerdict, id, answer.verdict);
      if (typeof answer.kept === "string") say(answer.kept, true);
      else say(actions.text(answer.kept ? "kept" : "notKept"));
      await actions.refresh();
    } catch (error) {
      if (isCurrent(job)) say(error.kind ? error.message : actions.text("connecting"), true);
      else leave();
    }
    step();
  }

  // Searches every position of the game. The last position comes first, so that earlier searches find the later ones in
  // the table. The page can be used meanwhile; another search ends the review.
  async function review(time = REVIEW_TIME) {
    if (store.get().job) giveUp();
    const job = { kind: "review" };
    const line = gameOf(store.get().tree);
    store.update(State.stopGame, performance.now());
    actions.set({ job, analysing: false, threat: null });
    for (const [place, { id }] of line.toReversed().entries()) {
      actions.set({ progress: { share: place / line.length, text: `${place}/${line.length - 1}` } });
      const state = store.get();
      const who = playerOf("search", state.weighting);
      try {
        const effort = { time, lines: 1, ...powerOf(state) };
        const answer = await server.ask("think", { game: State.gameOf(state, id), who, effort });
        if (!isCurrent(job)) return;
        const [best] = answer.info?.lines ?? [];
        if (best && answer.info.nodes > 0) store.update(State.setBest, id, best, answer.info.depth);
      } catch (error) {
        if (!isCurrent(job)) return;
        // The last position may be the end of the game.
        if (!error.kind) break;
      }
    }
    actions.set({ job: null });
    actions.changed();
  }

  // Searches the shown position for a second; the candidates appear on the board.
  async function hint() {
    if (store.get().opening) {
      actions.hintFairness();
      return;
    }
    actions.set({ threat: null, proof: null });
    await searchPosition("hint", HINT_TIME);
    step();
  }

  // The engine of the side to move plays; one that thinks answers at once.
  function move() {
    const state = store.get();
    if (State.isThinking(state)) {
      server.ask("stop").catch(() => {});
      return;
    }
    if (state.opening) actions.openingStep();
    else if (!State.isOver(state)) {
      if (state.job) giveUp();
      const own = State.seatToMove(state);
      const others = Object.values(state.seats).filter(State.isEngine);
      store.update(State.resumeGame, performance.now());
      playMove(State.isEngine(own) ? own : (others[0] ?? "search"));
    }
  }

  function analyse() {
    actions.toggle("analysing");
    const { analysing, job } = store.get();
    if (analysing) actions.set({ threat: null, proof: null });
    if (!analysing && job?.kind === "analyse") giveUp();
    step();
  }

  return {
    giveUp,
    step,
    keep,
    review: () => review(),
    deeper: () => review(DEEPER_TIME),
    reviewgame() {
      actions.showTab("review");
      review();
    },
    hint,
    move,
    analyse,

    cancel() {
      giveUp();
      actions.changed();
    },

    lines(lines) {
      actions.set({ lines });
      if (store.get().job?.kind !== "analyse") return;
      giveUp();
      step();
    },
  };
}
