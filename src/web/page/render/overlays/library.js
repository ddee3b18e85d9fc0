// Overlay: the known moves of the library, and its labels.

import { gradeOf, shortVerdictText } from "../../verdict.js";

export const library = {
  name: "library",
  label: ["library", "棋库"],
  isOffered: (hello) => Boolean(hello?.library),
  fields: () => ({}),
  heat: () => [],

  notes(view, t, hello, side) {
    const { moves = [], position = null } = view.library ?? {};
    const labels = new Map(position?.marks);
    const known = moves.filter(({ point }) => point !== null);
    const ofMove = (move) => ({
      at: move.point,
      text: labels.get(move.point) ?? shortVerdictText(move, side, t),
      grade: gradeOf(move, view.turn, hello.scales.even),
    });
    const points = new Set(known.map(({ point }) => point));
    const others = [...labels].filter(([point]) => !points.has(point)).map(([at, text]) => ({ at, text, grade: null }));
    return [...known.map(ofMove), ...others];
  },

  legend: (view, t) => (view.library ? t("legendLibrary") : null),
};
