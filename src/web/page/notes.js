// Actions of what a person notes in the tree: comments on positions, and marks on points.

import * as State from "./state/index.js";

export const noteActions = (store, server, actions) => ({
  note: (comment) => store.update(State.setComment, comment),
  // While its field has the focus, it keeps the comment of this position: an engine may move meanwhile.
  beginNote: () => actions.set({ noting: store.get().tree.here }),
  endNote: () => actions.set({ noting: null }),
  marking: () => actions.set({ marking: !store.get().marking, labelling: false }),
  markText: (markText) => actions.set({ markText }),
  // With the text in the field, or the next letter.
  markAt: (point) => store.update(State.toggleMark, point, store.get().markText.trim()),
});
