// Parts of the sections of a report.

import { make } from "../dom.js";
import { tableHead, tableRow } from "../render/table.js";

export const integer = (value, t) => t.number(value ?? Infinity, 0);

// A table that scrolls sideways, also with the keyboard, where it is wider than the page.
export function table(title, names, rows) {
  const body = make(
    "tbody",
    {},
    rows.map((row) => tableRow(row)),
  );
  const scroller = { class: "scroller", tabindex: "0", role: "group", "aria-label": title };
  return make("div", scroller, make("table", {}, tableHead(names), body));
}

export const section = (title, ...children) => make("section", {}, make("h2", {}, title), children);

export const line = (kind, [x1, y1], [x2, y2]) => make("line", { class: kind, x1, y1, x2, y2 });
