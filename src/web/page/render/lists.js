// The texts of the document, the lists to choose from, and the limits of the numbers.

import { byId, make } from "../dom.js";
import { HELP } from "../keys.js";
import { LEVEL_SEATS, eloOf } from "../players.js";
import { fillTexts } from "../texts.js";
import { offeredOverlays } from "./overlays/index.js";
import { seatName } from "../words.js";

function fillList(select, pairs, value) {
  select.replaceChildren(...pairs.map(([key, text]) => make("option", { value: key }, text)));
  select.value = pairs.some(([key]) => key === value) ? value : pairs[0][0];
}

// The pickers offered at full strength. `policy`, which plays without a search, is not offered.
const FULL_STRENGTH = ["search", "mcts"];

// The players that a person can choose, in groups: [label, [[seat, name]]]. The greedy picker is one player for each
// weighting.
function seatGroups({ pickers, weightings, engines }, t) {
  const named = (seat) => [seat, seatName(seat, t)];
  const level = (seat) => [seat, `${seatName(seat, t)}: ${t(`of ${seat}`)}, ${t.number(eloOf(seat), 0)}`];
  const groups = [
    ["players", [named("human")]],
    ["levels", LEVEL_SEATS.map(level)],
    ["fullStrength", pickers.filter((name) => FULL_STRENGTH.includes(name)).map(named)],
    ["otherEngines", engines.map((name) => named(`engine:${name}`))],
    ["weights", weightings.map(([name]) => named(`greedy:${name}`))],
  ];
  return groups.filter(([, seats]) => seats.length > 0).map(([label, seats]) => [t(label), seats]);
}

function fillGroups(select, groups, value) {
  const option = ([key, text]) => make("option", { value: key }, text);
  select.replaceChildren(...groups.map(([label, seats]) => make("optgroup", { label }, seats.map(option))));
  const all = groups.flatMap(([, seats]) => seats.map(([key]) => key));
  select.value = all.includes(value) ? value : all[0];
}

// The fields of the settings that the state has itself.
const SETTINGS =
  "language theme contrast coordinates taps perspective flipped numbers candidates sound threads memory".split(" ");

function setRange(input, [least, most]) {
  input.min = least;
  input.max = most;
}

export const texts = {
  select: (state) => [state.language],
  draw(state, t) {
    fillTexts(t, state.language);
    const keys = HELP.map(([keys, text]) => [keys.map((key) => make("kbd", {}, key)), t(text)]);
    const rows = keys.flatMap(([shown, text]) => [make("dt", {}, shown), make("dd", {}, text)]);
    byId("keys").replaceChildren(make("dl", { class: "keys" }, rows));
  },
};

export const panelLists = {
  select: (state) => [state.language, state.hello, state.overlay, state.weighting, state.lines],
  draw(state, t) {
    const overlays = offeredOverlays(state).map(({ name, label }) => [name, t(label)]);
    fillList(byId("overlay"), overlays, state.overlay);
    byId("lines").value = String(state.lines);
    const titles = state.hello?.weightings.map(([name, title]) => [name, `${name} ${title}`]);
    if (titles) fillList(byId("weighting"), titles, state.weighting);
  },
};

// A dialog may be open while the server is connected again: what is chosen stays.
export const dialogLists = {
  select: (state) => [state.language, state.hello],
  draw({ hello, settings }, t) {
    if (!hello) return;
    const { rules, procedures, limits } = hello;
    const fresh = byId("dialog-new").querySelector("form");
    const opened = byId("dialog-open").querySelector("form");
    const ranks = [
      ["bottom", t("ranksBottom")],
      ["top", t("ranksTop")],
    ];
    fillList(opened.ranks, ranks, opened.ranks.value);
    for (const form of [fresh, opened]) {
      fillList(
        form.rule,
        rules.map((rule) => [rule, t(rule)]),
        form.rule.value || settings.rule,
      );
      setRange(form.size, limits.size);
    }
    const seats = seatGroups(hello, t);
    fillGroups(fresh.one, seats, fresh.one.value || settings.one);
    fillGroups(fresh.two, seats, fresh.two.value || settings.two);
    const named = procedures.map(([name]) => [name, t(`procedure ${name}`)]);
    fillList(fresh.procedure, named, fresh.procedure.value || settings.procedure);
    setRange(fresh.turn, [0, limits.time / 1000]);
    setRange(fresh.clock, [0, limits.time / 60000]);
    setRange(fresh.increment, [0, limits.time / 1000]);
  },
};

// The dialog of settings. Its fields have the names of those of the state.
export const settingsFields = {
  select: (state) => [...SETTINGS.map((key) => state[key]), state.settings.turn, state.hello],
  draw(state, t) {
    const form = byId("dialog-settings").querySelector("form");
    for (const key of SETTINGS) {
      if (form[key].type === "checkbox") form[key].checked = state[key];
      else form[key].value = state[key];
    }
    form.turn.value = state.settings.turn;
    if (!state.hello) return;
    const { limits, usual } = state.hello;
    setRange(form.turn, [0, limits.time / 1000]);
    for (const key of ["threads", "memory"]) {
      setRange(form[key], [0, limits[key]]);
      form[key].previousElementSibling.textContent = t(key, usual[key]);
    }
    byId("power-note").textContent = t("powerNote", limits.threads, limits.memory);
  },
};
