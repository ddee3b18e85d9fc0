// The overlays of the board, in the order of the list on the page. An overlay is a file of this folder, its line here,
// and its line in src/web/page_files.rs, which makes the server send it.
//
// An overlay has
//   name      its value in the list and in saved games;
//   label     its text in the list, English and Chinese;
//   isOffered (hello) => whether it is in the list; may be missing;
//   fields    (state) => the fields of the request `view` that make the server send what it shows;
//   heat      (view, t, hello) => colored squares on the board, as render/goban.js draws them;
//   notes     (view, t, hello, side) => marks on points, as render/goban.js draws them, with the chances of a side; may be
//             missing;
//   legend    (view, t, size) => the text below the list, or null.

import { hasLibrary } from "../../state/index.js";
import { library } from "./library.js";
import { attack, defence, total } from "./weights.js";
import { blackShapes, whiteShapes } from "./shapes.js";

const none = { name: "none", label: ["nothing", "无"], fields: () => ({}), heat: () => [], legend: () => null };

const OVERLAYS = [none, total, attack, defence, blackShapes, whiteShapes, library];

export const offeredOverlays = ({ hello }) => OVERLAYS.filter(({ isOffered = () => true }) => isOffered(hello));

// The overlay that is shown: the chosen one, if it is offered. Without one, the panel of the library shows its own.
export function overlayOf(state) {
  const chosen = offeredOverlays(state).find(({ name }) => name === state.overlay) ?? none;
  return chosen === none && state.tab === "library" && hasLibrary(state) ? library : chosen;
}
