// The buttons, messages and progress of the page.

import { byId } from "../dom.js";
import { isEnabled, isThinking } from "../state.js";
import { depthOf, tipOf } from "../tree.js";

const BUTTONS = "first back takeback last forward move analyse vcf vct whole addline keep undo forget".split(" ");

export const buttons = {
  select: (state) => [
    state.tree,
    state.settings,
    state.seats,
    state.opening,
    state.view,
    state.job,
    state.looking,
    state.analysing,
    state.contrast,
    state.hello,
    state.language,
  ],
  draw(state, t) {
    for (const id of BUTTONS) byId(id).disabled = !isEnabled(state, id);
    byId("move").textContent = isThinking(state) ? t("moveNow") : t("play");
    byId("look").setAttribute("aria-pressed", state.looking);
    byId("analyse").setAttribute("aria-pressed", state.analysing);
    byId("keep").setAttribute("aria-pressed", state.job?.kind === "keep");
    byId("contrast").setAttribute("aria-pressed", state.contrast === "high");
    byId("place").textContent = `${depthOf(state.tree)} / ${depthOf(state.tree, tipOf(state.tree))}`;
    document.documentElement.dataset.contrast = state.contrast;
  },
};

export const trouble = {
  select: (state) => [state.trouble],
  draw(state) {
    byId("trouble").hidden = !state.trouble;
    byId("trouble").querySelector("span").textContent = state.trouble?.text ?? "";
  },
};

// Of the analysis of a whole game.
const progressOf = ({ job, progress }) => (job?.kind === "whole" ? progress : null);

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
    }
  },
};
