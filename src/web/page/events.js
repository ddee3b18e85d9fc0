// Buttons, lists and the pointer: each starts an action.

import { byId } from "./dom.js";
import { textOf } from "./files.js";
import { listenToBoardKeys } from "./keys.js";
import { splitMoves } from "./points.js";
import { nodeUnder } from "./render/graph.js";
import { factShown, hasLibrary, notedNode, reportOf, turnOf } from "./state/index.js";

const MIDDLE_BUTTON = 1;

// The buttons whose ids are the names of their actions.
const BUTTONS =
  "first back forward last takeback move hint threats look marking new open export help language analyse review deeper vcf vct cancel addline keep undo forget labelling importlibrary savelibrary candidates perspective resign offerdraw backtogame numbers flip pause resume rematch reviewgame again settings".split(
    " ",
  );

// Minimum distance of two points, in pixels, at which a finger hits the right one.
const SURE_CELL = 24;

// Whether a tap must be repeated to play.
const isUnsure = ({ taps }, cell) => taps === "always" || (taps === "small" && cell < SURE_CELL);

// Pixels that the wheel turns for a step of one move: half a notch.
const WHEEL_STEP = 50;

// The wheel steps through the game, where it cannot scroll the page.
function listenToWheel(actions, host) {
  let way = 0;
  const { documentElement: root } = document;
  const step = (event) => {
    const { deltaY } = event;
    if (event.ctrlKey || root.scrollHeight > innerHeight) return;
    event.preventDefault();
    way = Math.sign(way) === -Math.sign(deltaY) ? deltaY : way + deltaY;
    if (Math.abs(way) < WHEEL_STEP) return;
    if (way > 0) actions.forward();
    else actions.back();
    way = 0;
  };
  host.addEventListener("wheel", step, { passive: false });
}

function listenToBoard(store, actions, goban) {
  const host = byId("board");
  const hover = (point) => point !== store.get().hovered && actions.hover(point);
  host.addEventListener("pointermove", (event) => event.pointerType === "mouse" && hover(goban.pointUnder(event)));
  host.addEventListener("pointerleave", () => hover(null));
  // A click in Firefox before 129 does not tell what made it.
  let pointer = "mouse";
  host.addEventListener("pointerdown", ({ pointerType }) => (pointer = pointerType));
  host.addEventListener("click", (event) => {
    const point = goban.pointUnder(event);
    if (point && (event.ctrlKey || event.metaKey)) actions.labelAt(point);
    else if (point) actions.press(point, pointer === "touch" && isUnsure(store.get(), goban.cell()));
  });
  listenToWheel(actions, host);
  host.addEventListener("auxclick", (event) => {
    const point = goban.pointUnder(event);
    if (point && event.button === MIDDLE_BUTTON) actions.labelAt(point);
  });
  listenToBoardKeys(store, actions, host);
}

// Events that show a line. `pointerover` would also show a line that appears below a resting pointer.
const SHOWING = ["pointermove", "focusin"];

// The number of moves of a line up to the one at an element; null beside the moves.
const pliesOf = (target) => Number(target.closest("[data-plies]")?.dataset.plies) || null;

// Shows the line under the pointer or with the focus as the state's field `key`, and plays a move of it that is clicked.
// `lineAt` gives the line at an element: whole, or up to a move with `plies`; null beside the lines. The host of the lines
// listens: it stays where its children change.
function listenToLines(store, actions, { host, key, lineAt, play }) {
  const show = (line) => {
    const isShown = JSON.stringify(line) === JSON.stringify(store.get()[key]);
    if (!isShown) actions.set({ [key]: line });
  };
  for (const kind of SHOWING) host.addEventListener(kind, ({ target }) => show(lineAt(target)));
  for (const kind of ["pointerleave", "focusout"]) host.addEventListener(kind, () => show(null));
  host.addEventListener("click", ({ target }) => {
    const line = lineAt(target);
    if (line?.plies) play(line);
  });
}

function listenToSearch(store, actions) {
  const host = byId("lines-found");
  const lineAt = (target) => {
    const place = [...host.children].indexOf(target.closest(".line"));
    return place < 0 ? null : { place, plies: pliesOf(target) };
  };
  const movesOf = ({ place }) => splitMoves(reportOf(store.get()).lines[place].moves);
  const play = (line) => actions.playLine(reportOf(store.get()).node, movesOf(line).slice(0, line.plies));
  listenToLines(store, actions, { host, key: "shownLine", lineAt, play });
  host.addEventListener("click", ({ target }) => {
    if (target.closest(".keep")) actions.keepLine(reportOf(store.get()).node, movesOf(lineAt(target)));
  });
}

function listenToFacts(store, actions) {
  const lineAt = (target) => {
    const place = target.closest("[data-fact]")?.dataset.fact;
    return place === undefined ? null : { place: Number(place), plies: pliesOf(target) };
  };
  const play = (line) => {
    const shown = factShown({ ...store.get(), shownFact: line });
    // A line with a pass cannot be played.
    if (shown.shift === 0) actions.playLine(shown.node, shown.moves);
  };
  listenToLines(store, actions, { host: byId("why"), key: "shownFact", lineAt, play });
}

function listenToReview(store, actions) {
  const lineAt = (target) => {
    const node = target.closest(".pv")?.closest("[data-before]")?.dataset.before;
    return node === undefined ? null : { node: Number(node), plies: pliesOf(target) };
  };
  const play = ({ node, plies }) => {
    const { best } = store.get().tree.nodes[node];
    actions.playLine(node, best.moves.slice(0, plies));
  };
  for (const id of ["faults", "why"]) listenToLines(store, actions, { host: byId(id), key: "shownBest", lineAt, play });
}

function listenToProof(store, actions) {
  const host = byId("proof");
  const show = (count) => count !== null && count !== store.get().proof?.shown && actions.showProof(count);
  for (const kind of SHOWING) host.addEventListener(kind, ({ target }) => show(pliesOf(target)));
  host.addEventListener("click", ({ target }) => {
    const { proof } = store.get();
    const plies = pliesOf(target);
    const isPlayable = plies && turnOf(store.get(), proof.node) === proof.side;
    if (isPlayable) actions.playLine(proof.node, proof.moves.slice(0, plies));
  });
}

// The menu closes with Escape, a click beside it, and any of its entries.
function listenToMenu() {
  const menu = document.querySelector(".more");
  document.addEventListener("click", ({ target }) => {
    if (!menu.contains(target) || target.closest("button")) menu.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") menu.open = false;
  });
}

function listenToGraph(store, actions) {
  const host = byId("graph");
  const peek = (node) => node !== store.get().peeked && actions.peek(node);
  host.addEventListener("pointermove", (event) => event.pointerType === "mouse" && peek(nodeUnder(store.get(), event)));
  host.addEventListener("pointerleave", () => peek(null));
  host.addEventListener("click", (event) => actions.go(nodeUnder(store.get(), event)));
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
  const draft = ({ target }) => actions.set({ draft: { node: notedNode(store.get()), text: target.value } });
  byId("comment").addEventListener("focus", actions.beginNote);
  byId("comment").addEventListener("input", draft);
  byId("comment").addEventListener("change", actions.comment);
  byId("comment").addEventListener("blur", actions.endNote);
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

// Files that hold libraries or many games, and never a single game.
const LIBRARY_FILE = /\.(lib|db|csv|zip)$/i;

// A file that is dropped on the panel of the library, and one whose name says that it is a library, is imported. Any
// other file or text is opened as a game.
function listenToDrops(store, actions) {
  const isOnLibrary = ({ target }) => hasLibrary(store.get()) && target.closest("#panel-library") !== null;
  // A text that is dragged within a field, or to one, belongs to it.
  const isOfField = ({ target, dataTransfer }) =>
    dataTransfer.types.includes("text/plain") && Boolean(target.closest?.("input, textarea"));
  document.addEventListener("dragover", (event) => {
    if (isOfField(event)) return;
    event.preventDefault();
    const isDropping = isOnLibrary(event) ? "library" : "game";
    if (store.get().isDropping !== isDropping) actions.set({ isDropping });
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) actions.set({ isDropping: null });
  });
  document.addEventListener("drop", async (event) => {
    actions.set({ isDropping: null });
    if (isOfField(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    const areLibraries = hasLibrary(store.get()) && files.some(({ name }) => LIBRARY_FILE.test(name));
    if (files.length > 0 && (areLibraries || isOnLibrary(event))) {
      actions.importFiles(files);
      return;
    }
    const [file] = files;
    const text = file ? await textOf(file).catch(() => null) : event.dataTransfer.getData("text");
    if (text === null) actions.announce(actions.text("unreadable", file.name));
    else actions.openText(text);
  });
}

// Milliseconds after the middle button within which the browser may paste.
const MIDDLE_PASTE = 100;

// A text that is pasted outside of fields is opened, and so is a link in the address.
function listenToTexts(actions) {
  // On Linux the middle button also pastes the text that was selected last, in any program.
  let middle = -Infinity;
  const note = ({ button, timeStamp }) => button === MIDDLE_BUTTON && (middle = timeStamp);
  document.addEventListener("pointerup", note, true);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    if (event.timeStamp - middle < MIDDLE_PASTE) return;
    const text = event.clipboardData.getData("text");
    if (text.trim() === "") return;
    event.preventDefault();
    actions.openText(text);
  });
  window.addEventListener("hashchange", () => {
    actions.openLink();
    actions.openPuzzleLink();
  });
}

// Settings apply as soon as they are chosen. The name of a field is that of the state's.
function listenToSettings(actions) {
  byId("dialog-settings").addEventListener("change", ({ target }) => {
    const { name, type } = target;
    const value = type === "checkbox" ? target.checked : type === "number" ? Number(target.value) : target.value;
    if (target.checkValidity()) actions.setting(name, value);
  });
}

function listenToNotes(actions) {
  byId("note").addEventListener("focus", actions.beginNote);
  byId("note").addEventListener("blur", actions.endNote);
  byId("note").addEventListener("input", ({ target }) => actions.note(target.value));
  byId("mark-text").addEventListener("input", ({ target }) => actions.markText(target.value));
}

export function listen(store, actions, goban) {
  for (const id of BUTTONS) byId(id).addEventListener("click", () => actions[id]());
  byId("trouble").querySelector("button").addEventListener("click", actions.dismiss);
  byId("overlay").addEventListener("change", ({ target }) => actions.overlay(target.value));
  byId("weighting").addEventListener("change", ({ target }) => actions.weighting(target.value));
  byId("lines").addEventListener("change", ({ target }) => actions.lines(Number(target.value)));
  listenToBoard(store, actions, goban);
  listenToSearch(store, actions);
  listenToProof(store, actions);
  listenToFacts(store, actions);
  listenToReview(store, actions);
  for (const table of ["move-weights", "known"]) markRows(store, actions, byId(table));
  listenToGraph(store, actions);
  listenToMenu();
  listenToLibrary(store, actions);
  listenToTabs(actions);
  listenToDrops(store, actions);
  listenToTexts(actions);
  listenToNotes(actions);
  listenToSettings(actions);
  byId("puzzle-next").addEventListener("click", actions.nextPuzzle);
  byId("puzzle-rule").addEventListener("change", ({ target }) => actions.puzzleRule(target.value));
  byId("puzzle-grade").addEventListener("change", ({ target }) => actions.puzzleGrade(Number(target.value)));
  // The link of a puzzle that is closed must not open it again.
  let open = null;
  store.subscribe(({ puzzle }) => {
    const isClosed = open !== null && !puzzle?.id && location.hash.startsWith("#puzzle=");
    open = puzzle;
    if (isClosed) history.replaceState(null, "", location.pathname);
  });
}
