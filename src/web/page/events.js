// Buttons, lists and the pointer: each starts an action.

import { byId } from "./dom.js";
import { listenToBoardKeys } from "./keys.js";

// The buttons whose ids are the names of their actions.
const BUTTONS =
  "first back forward last takeback move look new open export help language contrast analyse whole vcf vct cancel".split(
    " ",
  );

function listenToBoard(store, actions, goban) {
  const host = byId("board");
  const hover = (point) => point !== store.get().hovered && actions.hover(point);
  host.addEventListener("pointermove", (event) => event.pointerType === "mouse" && hover(goban.pointUnder(event)));
  host.addEventListener("pointerleave", () => hover(null));
  host.addEventListener("click", (event) => {
    const point = goban.pointUnder(event);
    if (point) actions.press(point);
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

  const mark = (point) => point !== store.get().marked && actions.mark(point);
  const pointOf = (target) => target.closest("[data-point]")?.dataset.point ?? null;
  byId("why").addEventListener("pointerover", ({ target }) => mark(pointOf(target)));
  byId("why").addEventListener("pointerleave", () => mark(null));
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

// A file or a text that is dropped on the page is opened.
function listenToDrops(store, actions) {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    if (!store.get().isDropping) actions.set({ isDropping: true });
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) actions.set({ isDropping: false });
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    actions.set({ isDropping: false });
    const file = event.dataTransfer.files[0];
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
  listenToTabs(actions);
  listenToDrops(store, actions);
}
