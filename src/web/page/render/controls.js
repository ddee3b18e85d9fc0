// The buttons, messages and progress of the page.

import { byId, scrollWithin } from "../dom.js";
import { gamePosition, isEnabled, isThinking } from "../state/index.js";
import { depthOf, tipOf } from "../tree.js";

const BUTTONS =
  "first back takeback last forward move hint threats resign offerdraw pause new again analyse vcf vct review deeper addline keep undo forget".split(
    " ",
  );

export const buttons = {
  select: (state) => [
    state.tree,
    state.settings,
    state.seats,
    state.opening,
    state.view,
    state.job,
    state.threat,
    state.looking,
    state.analysing,
    state.contrast,
    state.theme,
    state.numbers,
    state.offers,
    state.candidates,
    state.perspective,
    state.flipped,
    state.paused,
    state.names,
    state.hello,
  ],
  draw(state, t) {
    for (const id of BUTTONS) byId(id).disabled = !isEnabled(state, id);
    byId("move").textContent = isThinking(state) ? t("moveNow") : t("play");
    byId("threats").setAttribute("aria-pressed", state.threat !== null);
    byId("hint").setAttribute("aria-pressed", state.job?.kind === "hint");
    byId("look").setAttribute("aria-pressed", state.looking);
    byId("analyse").setAttribute("aria-pressed", state.analysing);
    byId("keep").setAttribute("aria-pressed", state.job?.kind === "keep");
    byId("backtogame").hidden = gamePosition(state) === state.tree.here;
    byId("resume").hidden = state.paused === null;
    byId("rematch").hidden = !isEnabled(state, "rematch");
    byId("reviewgame").hidden = !isEnabled(state, "reviewgame");
    byId("flip").setAttribute("aria-pressed", state.flipped);
    byId("numbers").setAttribute("aria-pressed", state.numbers);
    document.documentElement.dataset.theme = state.theme;
    byId("candidates").setAttribute("aria-pressed", state.candidates);
    byId("perspective").setAttribute("aria-pressed", state.perspective === "turn");
    byId("place").textContent = `${depthOf(state.tree)} / ${depthOf(state.tree, tipOf(state.tree))}`;
    document.documentElement.dataset.contrast = state.contrast;
  },
};

export const trouble = {
  select: (state) => [state.trouble],
  draw(state) {
    byId("trouble").hidden = !state.trouble;
    byId("trouble").classList.toggle("message", Boolean(state.trouble?.isNote));
    byId("trouble").querySelector("span").textContent = state.trouble?.text ?? "";
  },
};

// The progress of a review; null if no review runs.
const progressOf = ({ job, progress }) => (job?.kind === "review" ? progress : null);

export const progress = {
  select: (state) => [progressOf(state)],
  draw(state) {
    const shown = progressOf(state);
    byId("progress").hidden = !shown;
    byId("progress").querySelector("progress").value = shown?.share ?? 0;
    byId("progress").querySelector("span").textContent = shown?.text ?? "";
  },
};

export const spoken = {
  select: (state) => [state.spoken],
  draw: (state) => (byId("spoken").textContent = state.spoken.text),
};

export const drop = {
  select: (state) => [state.isDropping, state.language],
  draw({ isDropping }, t) {
    byId("drop").hidden = !isDropping;
    byId("drop").querySelector("p").textContent = t(isDropping === "library" ? "dropLibrary" : "dropHere");
  },
};

// The panels beside the board.
export const tabs = {
  select: (state) => [state.tab, state.games],
  draw(state) {
    byId("tab-games").hidden = state.games.length < 2;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isOn = tab.id === `tab-${state.tab}`;
      tab.setAttribute("aria-selected", isOn);
      tab.tabIndex = isOn ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !isOn;
      if (isOn) scrollWithin(tab.parentElement, tab);
    }
  },
};
