// The panel of points: the legend of the overlay, and one point in full.

import { byId, make } from "../dom.js";
import { viewOf } from "../state/index.js";
import { otherColor } from "../tree.js";
import { overlayOf } from "./overlays/index.js";
import { lineTable, tableHead, tableRow } from "./table.js";
import { foulText } from "../words.js";

function pointParts(point, size, t) {
  if (!point) return [make("p", { class: "note" }, t("pointHelp"))];
  const tag = (color, shape) => shape && make("span", { class: `tag ${color}` }, `${t(color)}: ${t(shape)}`);
  const forbidden =
    point.forbidden && make("span", { class: "tag bad" }, t("forbiddenPoint", foulText(point.forbidden, t)));
  const row = ({ name, attack, defence, total, rank }) =>
    tableRow([name, ...[attack, defence, total, rank].map((weight) => t.number(weight))]);
  const head = tableHead([t("weights"), t("attack"), t("defence"), t("total"), t("rank")]);
  return [
    make(
      "h2",
      {},
      t.point(point.point, size),
      " ",
      make("small", {}, point.point),
      " ",
      tag(point.turn, point.own),
      tag(otherColor(point.turn), point.their),
      forbidden,
    ),
    make(
      "div",
      { class: "pair", tabindex: "0" },
      make("table", {}, head, make("tbody", {}, point.weights.map(row))),
      lineTable(point.lines, point.turn, t),
    ),
  ];
}

export const point = {
  select: (state) => [state.looking ? state.point : null, state.settings.size, state.language],
  draw(state, t) {
    const shown = state.looking ? state.point : null;
    byId("point").replaceChildren(...pointParts(shown, state.settings.size, t));
  },
};

export const legend = {
  select: (state) => [state.view, state.tree.here, overlayOf(state), state.settings.size, state.language],
  draw(state, t) {
    const view = viewOf(state);
    byId("legend").textContent = (view && overlayOf(state).legend(view, t, state.settings.size)) ?? "";
  },
};
