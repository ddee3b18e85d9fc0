// What a person can do on the page. An action changes the state and asks the server; the names of those that a button or
// a key starts are the ids of the buttons.

import { engineActions } from "./engines.js";
import { fileActions } from "./files.js";
import { libraryActions } from "./library.js";
import { openingActions } from "./opening.js";
import { positionActions } from "./position.js";
import * as State from "./state.js";
import { otherLanguage, translator } from "./texts.js";

export function createActions(store, server) {
  const actions = {
    // Shows why the server refused a request. A lost connection has a message of its own.
    refused(error) {
      if (error.kind) store.update(State.showTrouble, error.message);
    },
    // The text of a key in the language of the page.
    text: (...key) => translator(store.get().language)(...key),
    set: (fields) => store.update(State.set, fields),
    toggle: (name) => actions.set({ [name]: !store.get()[name] }),

    dismiss: () => actions.set({ trouble: null }),
    look: () => actions.toggle("looking"),
    numbers: () => actions.toggle("numbers"),
    language: () => actions.set({ language: otherLanguage(store.get().language) }),
    contrast: () => actions.set({ contrast: store.get().contrast === "high" ? "normal" : "high" }),
    showLine: (shownLine) => actions.set({ shownLine }),
    showProof: (shown) => actions.set({ proof: { ...store.get().proof, shown } }),
    mark: (marked) => actions.set({ marked }),
    showTab: (tab) => actions.set({ tab }),
    hover: (hovered) => actions.set({ hovered }),
  };
  for (const create of [positionActions, engineActions, openingActions, fileActions, libraryActions]) {
    Object.assign(actions, create(store, server, actions));
  }
  return actions;
}

// What the server says by itself.
export const serverHandlers = (actions) => ({
  opened(hello) {
    actions.set({ hello, job: null, trouble: null });
    actions.changed();
  },
  closed(isFull) {
    const text = actions.text(isFull ? "full" : "connecting");
    actions.set({ job: null, trouble: { text, isLasting: true } });
  },
  failed: (text) => actions.set({ trouble: { text, isLasting: false } }),
});
