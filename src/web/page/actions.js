// What a person can do on the page. An action changes the state and asks the server; the names of those that a button or
// a key starts are the ids of the buttons.

import { agreementActions } from "./agreement.js";
import { catalogueActions } from "./catalogue.js";
import { isLocal } from "./channel.js";
import { clockActions } from "./clocks.js";
import { engineActions } from "./engines.js";
import { fairnessActions } from "./fairness.js";
import { fileActions } from "./files.js";
import { libraryActions } from "./library.js";
import { noteActions } from "./notes.js";
import { openingActions } from "./opening.js";
import { positionActions } from "./position.js";
import { proofActions } from "./proofs.js";
import { puzzleActions } from "./puzzles.js";
import { recentActions } from "./recent.js";
import * as State from "./state/index.js";
import { otherLanguage } from "./texts.js";
import { translatorOf } from "./words.js";

// Milliseconds that a message stays.
const NOTE_TIME = 6000;

// The status of a request without the password.
const UNAUTHORIZED = 401;

export function createActions(store, server) {
  const actions = {
    // Shows why the server refused a request. A lost connection has a message of its own. `network` says why the page
    // without a server has no network of a rule.
    refused(error) {
      const keys = { missing: "needsNetwork", outdated: "isOutdated" };
      const text = error.network ? actions.text(keys[error.network], error.message) : error.message;
      if (error.kind) store.update(State.showTrouble, text);
    },
    // The texts of the page's language and game.
    translator: () => translatorOf(store.get()),
    text: (...key) => actions.translator()(...key),
    nameOf: (point) => actions.translator().point(point, store.get().settings.size),
    set: (fields) => store.update(State.set, fields),
    toggle: (name) => actions.set({ [name]: !store.get()[name] }),

    // Shows a message for some seconds.
    announce(text) {
      store.update(State.showNote, text);
      const { trouble } = store.get();
      setTimeout(() => store.get().trouble === trouble && actions.dismiss(), NOTE_TIME);
    },
    dismiss: () => actions.set({ trouble: null }),
    look: () => actions.toggle("looking"),
    numbers: () => actions.toggle("numbers"),
    flip: () => actions.toggle("flipped"),
    // Sets what the dialog of settings holds. The time of a move belongs to the game.
    setting(name, value) {
      if (name === "turn") store.update(State.setTurnTime, value);
      else actions.set({ [name]: value });
    },
    language: () => actions.set({ language: otherLanguage(store.get().language) }),
    candidates: () => actions.toggle("candidates"),
    perspective: () => actions.set({ perspective: store.get().perspective === "turn" ? "black" : "turn" }),
    peek: (peeked) => actions.set({ peeked }),
    showProof(shown) {
      const { proof } = store.get();
      actions.set({ proof: { ...proof, shown: Math.min(proof.moves.length, Math.max(0, shown)) } });
    },
    stepProof: (by) => actions.showProof(store.get().proof.shown + by),
    mark: (marked) => actions.set({ marked }),
    showTab(tab) {
      actions.set({ tab });
      if (tab === "openings") actions.listOpenings();
    },
    hover: (hovered) => actions.set({ hovered }),
  };
  for (const create of [
    positionActions,
    engineActions,
    proofActions,
    puzzleActions,
    agreementActions,
    clockActions,
    openingActions,
    fairnessActions,
    catalogueActions,
    fileActions,
    libraryActions,
    recentActions,
    noteActions,
  ]) {
    Object.assign(actions, create(store, server, actions));
  }
  return actions;
}

// Asks for a reload if the server wants its password: a restarted server refuses the connection of an old page.
async function askForPassword(store, actions) {
  const { trouble } = store.get();
  const status = await fetch(location.pathname, { method: "HEAD" }).then(
    (answer) => answer.status,
    () => null,
  );
  if (status === UNAUTHORIZED && store.get().trouble === trouble)
    store.update(State.showTrouble, actions.text("passwordAgain"), true);
}

// Handlers of the connection: it is made, it is lost, or the server reports an error that answers no request.
export const serverHandlers = (store, actions) => ({
  async opened(hello) {
    store.update(State.connectionMade, performance.now());
    actions.set({ hello, job: null, trouble: null });
    if (!(await actions.openLink())) actions.shownAgain();
    actions.openPuzzleLink();
  },
  closed(isFull) {
    const text = actions.text(isFull ? "full" : isLocal ? "restarting" : "connecting");
    store.update(State.connectionLost, performance.now());
    store.update(State.dropJob);
    store.update(State.showTrouble, text, true);
    if (!isLocal && !isFull) askForPassword(store, actions);
  },
  failed: (text) => actions.set({ trouble: { text, isLasting: false } }),
});
