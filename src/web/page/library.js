// Actions of the library: it changes what is known of positions, and reads and writes files.

import { bytesOf, offer } from "./files.js";
import { countText, positionsText } from "./words.js";
import * as State from "./state/index.js";
import { tipOf } from "./tree.js";

// The contents of a file in Base64.
function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

export function libraryActions(store, server, actions) {
  const note = (text, isError = false) => actions.set({ libraryNote: text ? { text, isError } : null });

  // Sends a request that changes the library, and looks the position up again. Returns the answer; null if the request
  // was refused.
  async function change(what, fields) {
    try {
      const answer = await server.ask(what, fields);
      await actions.refresh();
      return answer;
    } catch (error) {
      note(error.kind ? error.message : actions.text("connecting"), true);
      return null;
    }
  }

  // Changes the library at a position and says what followed. Returns whether that was possible.
  async function edit(id, fields, text) {
    const answer = await change("edit", { game: State.gameOf(store.get(), id), change: fields });
    if (answer) note(withContradictions([actions.text(text)], answer));
    return answer !== null;
  }

  // Parts of a sentence, with the number of contradictions if there are any.
  function withContradictions(parts, { contradictions = 0 }) {
    const t = actions.translator();
    const count = contradictions > 0 ? [countText(contradictions, "oneContradiction", "contradictionCount", t)] : [];
    return [...parts, ...count].join(", ");
  }

  // What a file holds, of positions and games, and what a person should know about it.
  function reportText({ positions, games = 0, notes, ...rest }) {
    const t = actions.translator();
    const ofGames = games > 0 ? [countText(games, "oneGame", "gameCount", t)] : [];
    const ofPositions = positions > 0 || games === 0 ? [positionsText(positions, t)] : [];
    return [withContradictions([...ofPositions, ...ofGames], rest), ...notes].join("; ");
  }

  // Imports a file. Returns whether it is in the library now.
  async function importFile(file) {
    const { hello, settings } = store.get();
    const most = hello.limits.file;
    if (file.size > most) {
      note(actions.text("fileTooLarge", file.name, most >> 20), true);
      return false;
    }
    note(actions.text("importing", file.name));
    const { rule, size } = settings;
    const data = await base64Of(file).catch(() => null);
    if (data === null) {
      note(actions.text("unreadable", file.name), true);
      return false;
    }
    const answer = await change("import", { name: file.name, data, rule, size });
    if (answer) note(`${file.name}: ${reportText(answer)}`);
    return answer !== null;
  }

  return {
    addline: () => edit(tipOf(store.get().tree), "add", "lineAdded"),
    forget: () => edit(store.get().tree.here, "remove", "positionRemoved"),
    labelling: () => actions.set({ labelling: !store.get().labelling, labelled: null, marking: false }),

    async undo() {
      if (await change("undo", {})) note(actions.text("undone"));
    },

    // Saves the comment that was typed; a change that is refused stays in its field.
    async comment() {
      const { draft } = store.get();
      if (draft && (await edit(draft.node, { comment: draft.text }, "commentSaved")))
        store.update(State.endDraft, draft);
    },

    // Begins to write the label of a point; without a library marks it in the tree.
    labelAt(point) {
      const state = store.get();
      if (State.hasLibrary(state)) actions.set({ labelled: { node: state.tree.here, point }, tab: "library" });
      else actions.markAt(point);
    },

    label(text) {
      const { node, point } = store.get().labelled;
      actions.set({ labelled: null });
      return edit(node, { label: { point, text } }, "labelSaved");
    },

    // Claims that a color wins in a number of its moves, which may be null; without a color takes the claim back.
    claim: (winner, moves) => edit(store.get().tree.here, { result: winner && { winner, moves } }, "resultSaved"),

    // Goes to the position after a known move. Engines wait there.
    follow(point) {
      const state = store.get();
      if (state.opening || !State.libraryOf(state)?.moves.some((known) => known.point === point)) return;
      store.update(State.follow, [point], performance.now());
      actions.changed();
    },

    // Imports files one after the other, up to the first that is refused.
    async importFiles(files) {
      actions.showTab("library");
      for (const file of files) if (!(await importFile(file))) return;
    },

    // Saves the positions with the rule and size of the game as a file.
    async saveLibrary(format) {
      note(actions.text("saving"));
      try {
        const { data, positions, notes } = await server.ask("export", { game: State.gameOf(store.get()), format });
        offer(new Blob([bytesOf(data)]), format);
        note(reportText({ positions, notes }));
      } catch (error) {
        note(error.kind ? error.message : actions.text("connecting"), true);
      }
    },
  };
}
