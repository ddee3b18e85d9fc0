// The dialogs: a new game, files to open and to save, help.

import { byId, copyField } from "./dom.js";
import { textOf } from "./files.js";
import * as State from "./state/index.js";

const formOf = (name) => byId(`dialog-${name}`).querySelector("form");

// Opens a dialog; `then` receives the button that closed it, unless it was cancelled.
function ask(name, then = () => {}) {
  const dialog = byId(`dialog-${name}`);
  dialog.returnValue = "cancel";
  dialog.onclose = () => {
    if (dialog.returnValue !== "cancel" && dialog.returnValue !== "") then(dialog.returnValue);
  };
  if (!dialog.open) dialog.showModal();
}

// With an opening procedure or a lot nobody has a color yet. A handicap needs a game without a procedure.
function labelSeats(t) {
  const form = formOf("new");
  const isPlain = form.procedure.value === "plain";
  const [one, two] = !isPlain
    ? ["opener", "other"]
    : form.lot.checked
      ? ["onePlayer", "otherPlayer"]
      : ["black", "white"];
  byId("label-one").textContent = t(one);
  byId("label-two").textContent = t(two);
  form.handicap.disabled = !isPlain;
}

// The numbers and the boxes of that form.
const NUMBERS = ["size", "turn", "nodes", "clock", "increment", "moveTime", "handicap"];
const CHECKS = ["continuous", "strict", "lot"];

// The settings that the form of a new game holds.
function settingsOf(form) {
  const numbers = NUMBERS.map((key) => [key, Number(form[key].value)]);
  const words = ["one", "two", "rule", "procedure"].map((key) => [key, form[key].value]);
  const checks = CHECKS.map((key) => [key, form[key].checked]);
  return Object.fromEntries([...numbers, ...words, ...checks]);
}

// Sets a field. A list without the value shows its first one: a saved game may name an engine that is gone.
function setField(field, value) {
  field.value = value;
  if (field.selectedIndex === -1) field.selectedIndex = 0;
}

// Names of this machine that no other machine can reach.
const LOCAL = /^(localhost|127\..*|\[::1\])$/;

// Ends of lines as a text field holds them.
const fieldText = (text) => text.replace(/\r\n?/g, "\n");

// Shows why a text was refused, and selects the part that is wrong; hides it without a refusal.
function showRefusal(refusal) {
  const [form, note] = [formOf("open"), byId("refusal")];
  note.hidden = !refusal;
  note.textContent = refusal?.text ?? "";
  form.text.setAttribute("aria-invalid", Boolean(refusal));
  if (refusal) form.text.focus();
  if (refusal?.at) form.text.setSelectionRange(...refusal.at);
}

// Puts a refused text into its field.
function keepText(text, { text: reason, at }) {
  formOf("open").text.value = fieldText(text);
  showRefusal({ text: reason, at: at?.map((end) => fieldText(text.slice(0, end)).length) });
}

// The actions that open a dialog. `goban` draws the picture that is saved.
export function dialogActions(store, actions, goban) {
  const label = () => labelSeats(actions.translator());
  for (const key of ["procedure", "lot"]) formOf("new")[key].addEventListener("change", label);
  // Some procedures need room for their stones.
  const checkSize = () => {
    const { size, procedure } = formOf("new");
    const [, least] = store.get().hello?.procedures.find(([name]) => name === procedure.value) ?? [null, 0];
    size.setCustomValidity(Number(size.value) < least ? actions.text("tooSmall", least) : "");
  };
  formOf("new").procedure.addEventListener("change", checkSize);
  formOf("new").size.addEventListener("input", checkSize);
  byId("swapsides").addEventListener("click", () => {
    const { one, two } = formOf("new");
    [one.value, two.value] = [two.value, one.value];
  });

  // Opens the dialog of files, texts and recent games.
  function showOpen() {
    const form = formOf("open");
    const { size, rule } = store.get().settings;
    form.file.value = "";
    form.size.value = size;
    form.rule.value = rule;
    form.continuous.checked = false;
    form.ranks.value = "bottom";
    actions.listRecent();
    showRefusal(null);
    ask("open");
  }

  // A text that is refused stays in the dialog.
  async function openGiven(form) {
    const file = form.file.files[0];
    const text = file ? await textOf(file).catch(() => null) : form.text.value;
    if (text === null) {
      showRefusal({ text: actions.text("unreadable", file.name) });
      return;
    }
    if (!file && text.trim() === "") {
      showRefusal({ text: actions.text("nothingToOpen") });
      return;
    }
    const refusal = await actions.read(text, {
      size: Number(form.size.value),
      rule: form.rule.value,
      continuous: form.continuous.checked,
      ranks: form.ranks.value,
    });
    if (refusal && !file) keepText(text, refusal);
    else if (refusal) showRefusal({ text: `${file.name}: ${refusal.text}` });
    else {
      form.file.value = form.text.value = "";
      byId("dialog-open").close();
    }
  }

  formOf("open").addEventListener("submit", (event) => {
    if (event.submitter?.value !== "ok") return;
    event.preventDefault();
    openGiven(event.target);
  });
  formOf("open").text.addEventListener("input", () => {
    // Otherwise a file that was chosen before would be opened instead of the text.
    formOf("open").file.value = "";
    showRefusal(null);
  });
  byId("recent").addEventListener("click", ({ target }) => {
    const key = target.closest("[data-key]")?.dataset.key;
    if (!key) return;
    byId("dialog-open").close();
    actions.openRecent(key);
  });

  for (const [button, field] of [
    ["copylink", "link"],
    ["copymoves", "movelist"],
  ]) {
    byId(button).addEventListener("click", async () => {
      await copyField(byId(field));
      byId(button).textContent = actions.text("copied");
    });
    // Enter would press the first button of the form, which saves a file.
    byId(field).addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  }

  return {
    new() {
      const settings = State.settingsOfNext(store.get());
      const form = formOf("new");
      for (const [key, value] of Object.entries(settings)) setField(form[key], value);
      for (const key of CHECKS) form[key].checked = settings[key];
      form.querySelector("details").open = false;
      label();
      checkSize();
      ask("new", () => actions.begin(settingsOf(form)));
    },

    open: showOpen,

    showRefused(text, refusal) {
      showOpen();
      keepText(text, refusal);
    },

    export() {
      byId("link").value = actions.link();
      byId("movelist").value = actions.moveList();
      byId("link-note").hidden = !LOCAL.test(location.hostname);
      byId("copylink").textContent = actions.text("copyLink");
      byId("copymoves").textContent = actions.text("copyMoves");
      byId("export-note").hidden = !store.get().settings.continuous;
      ask("export", (form) => actions.save(form, goban.file()));
    },

    importlibrary: () => byId("library-file").click(),
    savelibrary: () => ask("library", actions.saveLibrary),

    help: () => ask("help"),
    settings: () => ask("settings"),
  };
}
