// The dialogs: a new game, files to open and to save, help.

import { byId } from "./dom.js";
import { translator } from "./texts.js";

// Seconds per move if the dialog leaves engines without any limit.
const FALLBACK_TURN = 2;

const formOf = (name) => byId(`dialog-${name}`).querySelector("form");

// Opens a dialog; `then` receives the button that closed it, unless it was cancelled.
function ask(name, then = () => {}) {
  const dialog = byId(`dialog-${name}`);
  dialog.returnValue = "cancel";
  dialog.onclose = () => {
    if (dialog.returnValue !== "cancel" && dialog.returnValue !== "") then(dialog.returnValue);
  };
  dialog.showModal();
}

// With an opening procedure nobody has a color yet.
function labelSeats(t) {
  const isPlain = formOf("new").procedure.value === "plain";
  byId("label-one").textContent = isPlain ? t("black") : t("opener");
  byId("label-two").textContent = isPlain ? t("white") : t("other");
}

// The settings that the form of a new game holds.
function settingsOf(form) {
  const numbers = ["size", "turn", "nodes", "clock", "increment"].map((key) => [key, Number(form[key].value)]);
  const words = ["one", "two", "rule", "procedure"].map((key) => [key, form[key].value]);
  const settings = { ...Object.fromEntries([...numbers, ...words]), continuous: form.continuous.checked };
  const isEndless = settings.turn === 0 && settings.nodes === 0 && settings.clock === 0;
  return isEndless ? { ...settings, turn: FALLBACK_TURN } : settings;
}

// The actions that open a dialog. `goban` draws the picture that is saved.
export function dialogActions(store, actions, goban) {
  const label = () => labelSeats(translator(store.get().language));
  formOf("new").procedure.addEventListener("change", label);

  return {
    new() {
      const { settings } = store.get();
      const form = formOf("new");
      for (const [key, value] of Object.entries(settings)) form[key].value = value;
      form.continuous.checked = settings.continuous;
      label();
      ask("new", () => actions.begin(settingsOf(form)));
    },

    open() {
      const form = formOf("open");
      form.continuous.checked = false;
      form.ranks.value = "bottom";
      ask("open", async () => {
        const file = form.file.files[0];
        const settings = {
          size: Number(form.size.value),
          rule: form.rule.value,
          continuous: form.continuous.checked,
          ranks: form.ranks.value,
        };
        const text = file ? await file.text() : form.text.value;
        form.file.value = form.text.value = "";
        actions.read(text, settings);
      });
    },

    export() {
      byId("export-note").hidden = !store.get().settings.continuous;
      ask("export", (form) => actions.save(form, goban.file()));
    },

    importlibrary: () => byId("library-file").click(),
    savelibrary: () => ask("library", actions.saveLibrary),

    help: () => ask("help"),
  };
}
