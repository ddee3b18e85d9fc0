// The overlays of the board, in the order of the list on the page. An overlay is a file of this folder, its line here,
// and its line in src/web/page_files.rs, which makes the server send it.
//
// An overlay has
//   name      its value in the list and in saved games;
//   label     its text in the list, English and Chinese;
//   fields    (state) => the fields of the request `view` that make the server send what it shows;
//   heat      (view, t, hello) => colored squares on the board, as render/goban.js draws them;
//   legend    (view, t, size) => the text below the list, or null.

import { attack, defence, total } from "./weights.js";
import { blackShapes, whiteShapes } from "./shapes.js";

const none = { name: "none", label: ["nothing", "无"], fields: () => ({}), heat: () => [], legend: () => null };

export const OVERLAYS = [none, total, attack, defence, blackShapes, whiteShapes];

export const overlayOf = (state) => OVERLAYS.find(({ name }) => name === state.overlay) ?? none;
