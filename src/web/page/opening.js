// Actions of opening procedures: their questions and the answers of persons and engines.

import { effortOf, playerOf } from "./players.js";
import { saidText, seatName } from "./words.js";
import * as State from "./state.js";

// Milliseconds for an answer of an engine if the settings limit neither time nor nodes. The clocks stand still during an
// opening.
const ANSWER_TIME = 2000;

function openingEffort(state, color) {
  const effort = { ...effortOf(state, color, State.askedSeat(state)), left: 0 };
  return effort.time || effort.nodes ? effort : { ...effort, time: ANSWER_TIME };
}

export function openingActions(store, server, actions) {
  // Puts the stones of the opening on the board, then asks whoever has to answer.
  async function openingStep() {
    const { job, opening } = store.get();
    if (job) return;
    const request = State.openingOf(store.get());
    let state = null;
    try {
      state = await server.ask("opening", { opening: request });
    } catch (error) {
      actions.refused(error);
    }
    if (!state || store.get().opening?.answers !== opening.answers) return;
    store.update(State.setOpening, state, performance.now());
    if (!state.asked) {
      actions.changed();
      const t = actions.translator();
      const { black, white } = store.get().seats;
      const said = saidText(store.get(), opening.said, t);
      actions.announce([said && `${said}.`, t("settled", seatName(black, t), seatName(white, t))].join(" ").trim());
    } else if (State.isEngine(State.askedSeat(store.get()))) askEngine(request, state.turn);
  }

  async function askEngine(request, color) {
    const state = store.get();
    const seat = State.askedSeat(state);
    const job = { kind: "play", seat };
    const isCurrent = () => store.get().job === job;
    actions.set({ job });
    try {
      const who = playerOf(seat, state.weighting);
      const given = await server.ask("negotiate", { opening: request, who, effort: openingEffort(state, color) });
      if (!isCurrent()) return;
      actions.set({ job: null });
      if (given.kind === "answer") answer(given.answer);
    } catch (error) {
      if (isCurrent()) actions.set({ job: null });
      actions.refused(error);
    }
  }

  // Gives an answer, which the server may refuse.
  async function answer(text) {
    const { opening } = store.get();
    const answers = [...opening.answers, text];
    const isCurrent = () => store.get().opening?.answers === opening.answers;
    try {
      await server.ask("opening", { opening: State.openingOf(store.get(), answers) });
    } catch (error) {
      if (isCurrent()) clearPending();
      actions.refused(error);
      return;
    }
    if (!isCurrent()) return;
    store.update(State.setAnswers, answers, text, State.askedSeat(store.get()));
    openingStep();
  }

  // Goes back to the last question that a person answered.
  function takeBackAnswer() {
    if (store.get().job) actions.giveUp();
    store.update(State.takeBackAnswer);
    openingStep();
  }

  function clearPending() {
    store.update(State.setPending, []);
  }

  // A person chooses a point for the answer. A single stone is an answer by itself.
  function pick(point) {
    const { job, opening } = store.get();
    const asked = opening.state?.asked;
    if (!asked || job || State.isEngine(State.askedSeat(store.get()))) return;
    store.update(State.togglePending, point);
    const { pending } = store.get().opening;
    const isSingle = asked.counts.length === 1 && asked.counts[0] === 1 && !asked.announce;
    if (isSingle && pending.length === 1) answer(pending[0]);
  }

  return { openingStep, answer, takeBackAnswer, clearPending, pick };
}
