// Overlay: the known moves of the library, and its labels.

import { gradeOf, shortKnownText } from "../known.js";

export const library = {
  name: "library",
  label: ["library", "棋库"],
  isOffered: (hello) => Boolean(hello?.library),
  fields: () => ({}),
  heat: () => [],

  notes(view, t) {
    const { moves = [], position = null } = view.library ?? {};
    const labels = new Map(position?.marks);
    const known = moves.filter(({ point }) => point !== null);
    const ofMove = (move) => ({
      at: move.point,
      text: labels.get(move.point) ?? shortKnownText(move, t),
      grade: gradeOf(move, view.turn),
    });
    const points = new Set(known.map(({ point }) => point));
    const others = [...labels].filter(([point]) => !points.has(point)).map(([at, text]) => ({ at, text, grade: null }));
    return [...known.map(ofMove), ...others];
  },

  legend: (view, t) => (view.library ? t("legendLibrary") : null),
};
