// Buttons, lists and the pointer: each starts an action.

import { byId } from "./dom.js";
import { listenToBoardKeys } from "./keys.js";
import { hasLibrary } from "./state.js";

const MIDDLE_BUTTON = 1;

// The buttons whose ids are the names of their actions.
const BUTTONS =
  "first back forward last takeback move look new open export help language contrast analyse whole vcf vct cancel addline keep undo forget labelling importlibrary savelibrary".split(
    " ",
  );

function listenToBoard(store, actions, goban) {
  const host = byId("board");
  const hover = (point) => point !== store.get().hovered && actions.hover(point);
  host.addEventListener("pointermove", (event) => event.pointerType === "mouse" && hover(goban.pointUnder(event)));
  host.addEventListener("pointerleave", () => hover(null));
  host.addEventListener("click", (event) => {
    const point = goban.pointUnder(event);
    if (point && (event.ctrlKey || event.metaKey)) actions.labelAt(point);
    else if (point) actions.press(point);
  });
  host.addEventListener("auxclick", (event) => {
    const point = goban.pointUnder(event);
    if (point && event.button === MIDDLE_BUTTON) actions.labelAt(point);
  });
  listenToBoardKeys(store, actions, host);
}

// The lines of a search and the rows of weights are drawn anew while the pointer rests on them, so the elements around
// them, which stay, receive its moves.
function listenToAnalysis(store, actions) {
  const search = byId("search");
  const show = (place) => place !== store.get().shownLine && actions.showLine(place);
  const showUnder = ({ target }) => {
    const line = target.closest(".line");
    show(line ? [...search.querySelectorAll(".line")].indexOf(line) : null);
  };
  for (const kind of ["pointerover", "focusin"]) search.addEventListener(kind, showUnder);
  for (const kind of ["pointerleave", "focusout"]) search.addEventListener(kind, () => show(null));

  for (const table of ["why", "known"]) markRows(store, actions, byId(table));
}

const pointOf = (target) => target.closest("[data-point]")?.dataset.point ?? null;

// The board marks the point of the row under the pointer or with the focus.
function markRows(store, actions, table) {
  const mark = (point) => point !== store.get().marked && actions.mark(point);
  for (const kind of ["pointerover", "focusin"]) table.addEventListener(kind, ({ target }) => mark(pointOf(target)));
  for (const kind of ["pointerleave", "focusout"]) table.addEventListener(kind, () => mark(null));
}

function listenToLibrary(store, actions) {
  byId("known").addEventListener("click", ({ target }) => {
    const point = pointOf(target);
    if (point) actions.follow(point);
  });
  const draft = ({ target }) => actions.set({ draft: { node: store.get().tree.here, text: target.value } });
  byId("comment").addEventListener("input", draft);
  byId("comment").addEventListener("change", actions.comment);
  onSubmit("label-form", (form) => actions.label(form.label.value));
  onSubmit("claim", ({ winner, moves }) => actions.claim(winner.value || null, Number(moves.value) || null));
  byId("label").addEventListener("keydown", ({ key }) => key === "Escape" && actions.set({ labelled: null }));
  byId("library-file").addEventListener("change", ({ target }) => {
    actions.importFiles([...target.files]);
    target.value = "";
  });
  // Whoever chooses a point for a label goes on to type it.
  let labelled = null;
  store.subscribe((state) => {
    const isNew = state.labelled !== null && state.labelled !== labelled;
    labelled = state.labelled;
    if (isNew) byId("label").focus();
  });
}

function onSubmit(id, act) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act(event.target);
  });
}

function listenToTabs(actions) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const show = (tab) => actions.showTab(tab.id.slice("tab-".length));
  for (const tab of tabs) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const shown = tabs.filter(({ hidden }) => !hidden);
      const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
      show(next);
      next.focus();
      event.stopPropagation();
    });
  }
}

// Files that hold libraries and never a game.
const LIBRARY_FILE = /\.(lib|db|csv)$/i;

// A file that is dropped on the panel of the library, and one whose name says that it is a library, is imported. Any
// other file or text is opened as a game.
function listenToDrops(store, actions) {
  const isOnLibrary = ({ target }) => hasLibrary(store.get()) && target.closest("#panel-library") !== null;
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    const isDropping = isOnLibrary(event) ? "library" : "game";
    if (store.get().isDropping !== isDropping) actions.set({ isDropping });
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) actions.set({ isDropping: null });
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    actions.set({ isDropping: null });
    const files = [...event.dataTransfer.files];
    const areLibraries = hasLibrary(store.get()) && files.some(({ name }) => LIBRARY_FILE.test(name));
    if (files.length > 0 && (areLibraries || isOnLibrary(event))) {
      actions.importFiles(files);
      return;
    }
    const [file] = files;
    const text = file ? await file.text() : event.dataTransfer.getData("text");
    actions.read(text, { ...store.get().settings, continuous: false, ranks: "bottom" });
  });
}

export function listen(store, actions, goban) {
  for (const id of BUTTONS) byId(id).addEventListener("click", () => actions[id]());
  byId("trouble").querySelector("button").addEventListener("click", actions.dismiss);
  byId("overlay").addEventListener("change", ({ target }) => actions.overlay(target.value));
  byId("weighting").addEventListener("change", ({ target }) => actions.weighting(target.value));
  byId("lines").addEventListener("change", ({ target }) => actions.lines(Number(target.value)));
  listenToBoard(store, actions, goban);
  listenToAnalysis(store, actions);
  listenToLibrary(store, actions);
  listenToTabs(actions);
  listenToDrops(store, actions);
}
