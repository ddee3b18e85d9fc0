// Actions of opening procedures: their questions and the answers of persons and engines.

import { effortOf, limited, playerOf } from "./players.js";
import { allowedPoints, awaitsConfirmation } from "./procedure.js";
import { saidText, seatName } from "./words.js";
import * as State from "./state/index.js";
import { movesOf } from "./tree.js";

// A point in a message of the server, and the message about two equivalent fifth moves.
const POINT = /\b\d+,\d+\b/g;
const EQUIVALENT = /(\d+,\d+) and (\d+,\d+) are equivalent/;

// The clocks stand still during an opening.
const openingEffort = (state, color) => limited({ ...effortOf(state, color, State.askedSeat(state)), left: 0 });

// Who has which color. Two players of one name are told apart by their parts in the opening.
function settledText({ seats }, black, t) {
  const parts = black === "opener" ? [t("opener"), t("other")] : [t("other"), t("opener")];
  const names = [seatName(seats.black, t), seatName(seats.white, t)];
  return t("settled", ...(names[0] === names[1] ? parts : names));
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
      const said = saidText(store.get(), opening.said, t);
      actions.announce([said && `${said}.`, settledText(store.get(), state.black, t)].join(" ").trim());
      return;
    }
    // The name of the opening, and its verdicts.
    actions.refresh();
    actions.listOpenings();
    if (State.isEngine(State.askedSeat(store.get()))) askEngine(request, state.turn);
    else actions.judgeFairness();
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
    actions.dropFairness();
    const { opening } = store.get();
    const answers = [...opening.answers, text];
    const isCurrent = () => store.get().opening?.answers === opening.answers;
    try {
      await server.ask("opening", { opening: State.openingOf(store.get(), answers) });
    } catch (error) {
      // Without a button to confirm it, the stone could not be removed.
      if (isCurrent() && !awaitsConfirmation(store.get())) clearPending();
      if (error.kind) store.update(State.showTrouble, refusalText(error.message));
      actions.judgeFairness();
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
    actions.dropFairness();
    store.update(State.setPending, []);
  }

  // Why the server refused an answer.
  function refusalText(message) {
    const named = actions.nameOf;
    const [, ...equal] = EQUIVALENT.exec(message) ?? [];
    if (equal.length > 0) return actions.text("fifthsEqual", ...equal.map(named));
    return message.replace(POINT, named);
  }

  // A person chooses a point for the answer. A single stone is an answer by itself, unless its fairness is shown before.
  function pick(point) {
    const state = store.get();
    const { job, opening, tree } = state;
    const asked = opening.state?.asked;
    const isBusy = job && job.kind !== "fairness";
    if (!asked || isBusy || State.isEngine(State.askedSeat(state))) return;
    if (movesOf(tree).includes(point)) {
      actions.announce(actions.text("occupied", actions.nameOf(point)));
      return;
    }
    const allowed = allowedPoints(state);
    const isTaken = opening.pending.includes(point);
    if (allowed && !isTaken && !allowed.includes(point)) {
      actions.announce(actions.text(asked.offered.length > 0 ? "notOffered" : "notAllowed"));
      return;
    }
    store.update(State.togglePending, point);
    const { pending } = store.get().opening;
    if (pending.length === 1 && !awaitsConfirmation(store.get())) {
      answer(pending[0]);
      return;
    }
    actions.nameOpening();
    actions.judgeFairness();
  }

  // The number of fifth moves of the answer.
  function announceFifths(number) {
    store.update(State.setFifths, number);
    actions.judgeFairness();
  }

  return { openingStep, answer, takeBackAnswer, clearPending, pick, announceFifths };
}
