// Actions of what a person notes in the tree: comments on positions, and marks on points.

import * as State from "./state/index.js";

export const noteActions = (store, server, actions) => ({
  note: (comment) => store.update(State.setComment, comment),
  marking: () => actions.set({ marking: !store.get().marking, labelling: false }),
  markText: (markText) => actions.set({ markText }),
  // With the text in the field, or the next letter.
  markAt: (point) => store.update(State.toggleMark, point, store.get().markText.trim()),
});
