// Actions of engines: moves, analysis, forced wins, and the clocks. The server works at one job at a time. The state holds
// the job, and what the server says about another one is dropped.

import * as State from "./state.js";
import { lineOf } from "./tree.js";

// Milliseconds for each position when a whole game is analysed.
const WHOLE_GAME_TIME = 250;

// Milliseconds of a search for the library if the settings limit neither time nor nodes.
const KEEP_TIME = 2000;

// A player as the server names it.
export function playerOf(seat, weighting) {
  const [kind, name] = seat.split(/:(.*)/);
  return kind === "engine" ? { engine: name } : { picker: [kind, name ?? weighting] };
}

// The limits of an answer as the server takes them.
export function effortOf(state, color) {
  const { turn, nodes, clock, increment } = state.settings;
  const left = clock > 0 ? Math.max(1, Math.round(State.clockLeft(state, color, performance.now()))) : 0;
  return { time: Math.round(turn * 1000), nodes, left, increment: increment * 1000, lines: state.lines };
}

export function engineActions(store, server, actions) {
  const isCurrent = (job) => store.get().job === job;

  // Ends the job, whose answer is no longer wanted.
  function giveUp() {
    actions.set({ job: null });
    server.ask("stop").catch(() => {});
  }

  // Lets whoever has the move act, once the position is known.
  function step() {
    const state = store.get();
    if (state.opening) actions.openingStep();
    else if (State.isOver(state) || state.job) return;
    else if (state.playing && State.isEngine(State.seatToMove(state))) playMove(State.seatToMove(state));
    else if (state.analysing) searchPosition();
  }

  // Searches a position. Reports go to the state while the job is current.
  function think(job, id, seat, effort, keep = false) {
    const state = store.get();
    const fields = { game: State.gameOf(state, id), who: playerOf(seat, state.weighting), effort, keep };
    return server.ask("think", fields, (info) => isCurrent(job) && store.update(State.setInfo, id, info));
  }

  // An engine plays one move.
  async function playMove(seat) {
    const state = store.get();
    const id = state.tree.here;
    const color = State.turnOf(state);
    const job = { kind: "play", seat };
    actions.set({ job, info: null });
    try {
      const answer = await think(job, id, seat, effortOf(state, color));
      if (!isCurrent(job)) return;
      actions.set({ job: null });
      if (answer.kind !== "move" || store.get().tree.here !== id) return;
      store.update(State.playAnswer, id, answer, performance.now());
      actions.moved(color, answer.point);
    } catch (error) {
      if (!isCurrent(job)) return;
      actions.set({ job: null, playing: false });
      if (error.kind === "failed") store.update(State.showTrouble, actions.text("failed", `${error.message}.`));
      else actions.refused(error);
    }
  }

  // Searches the shown position until something else happens.
  async function searchPosition() {
    const state = store.get();
    const id = state.tree.here;
    const job = { kind: "analyse" };
    actions.set({ job, info: null });
    try {
      const answer = await think(job, id, "search", { time: state.hello.limits.time, lines: state.lines });
      if (isCurrent(job)) store.update(State.setChance, id, answer.chance);
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
    actions.set({ job, info: null, libraryNote: { text: actions.text("keeping"), isError: false } });
    const say = (text, isError = false) => actions.set({ job: null, libraryNote: { text, isError } });
    const { time, nodes, lines } = effortOf(state, State.turnOf(state));
    try {
      const answer = await think(job, id, "search", { time: time || nodes ? time : KEEP_TIME, nodes, lines }, true);
      if (!isCurrent(job)) return;
      store.update(State.setChance, id, answer.chance);
      say(actions.text(answer.kept ? "kept" : "notKept"));
      await actions.refresh();
    } catch (error) {
      if (isCurrent(job)) say(error.message, true);
    }
    step();
  }

  // Searches every position of the current line for a moment.
  async function whole() {
    if (store.get().job) giveUp();
    const job = { kind: "whole" };
    const line = lineOf(store.get().tree);
    actions.set({ job, playing: false, analysing: false });
    for (const [place, { id }] of line.entries()) {
      actions.set({ progress: { share: place / line.length, text: `${place}/${line.length - 1}` } });
      const state = store.get();
      const who = playerOf("search", state.weighting);
      try {
        const fields = { game: State.gameOf(state, id), who, effort: { time: WHOLE_GAME_TIME, lines: 1 } };
        const answer = await server.ask("think", fields);
        if (!isCurrent(job)) return;
        store.update(State.setChance, id, answer.chance);
      } catch (error) {
        if (!isCurrent(job)) return;
        // The last position may be the end of the game.
        store.update(State.setResultChance, id);
        if (!error.kind) break;
      }
    }
    actions.set({ job: null });
    actions.changed();
  }

  // Looks for a forced win of a side; in a continuous game, for its next five.
  async function prove(kind, side) {
    const state = store.get();
    const job = { kind: "prove" };
    const proof = { kind, side, node: state.tree.here, moves: [], shown: 0 };
    actions.set({ job, proof });
    try {
      const { result, moves = [] } = await server.ask("prove", { game: State.gameOf(state), how: kind, side });
      if (!isCurrent(job)) return;
      actions.set({ proof: { ...proof, result, moves, shown: moves.length } });
    } catch (error) {
      if (!isCurrent(job)) return;
      actions.set({ proof: null });
      actions.refused(error);
    }
    actions.set({ job: null });
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
      const now = performance.now();
      actions.set({ playing: true, since: now, now });
      playMove(State.isEngine(own) ? own : (others[0] ?? "search"));
    }
  }

  function analyse() {
    actions.toggle("analysing");
    const { analysing, job } = store.get();
    if (!analysing && job?.kind === "analyse") giveUp();
    step();
  }

  return {
    giveUp,
    step,
    keep,
    whole,
    prove,
    move,
    analyse,
    vcf: () => prove("vcf", State.turnOf(store.get())),
    vct: () => prove("vct", State.turnOf(store.get())),

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

    // The clocks go on. The side whose clock runs out loses.
    tick() {
      if (!State.clocksRun(store.get())) return;
      actions.set({ now: performance.now() });
      const state = store.get();
      const color = State.turnOf(state);
      if (State.clockLeft(state, color) > 0) return;
      giveUp();
      store.update(State.loseOnTime, color);
      actions.changed();
    },
  };
}
