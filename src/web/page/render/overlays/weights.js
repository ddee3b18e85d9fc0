// Overlays: the attack, the defence or the total of the chosen weighting at every point.

import { shortNumber } from "../../format.js";

// `column` is the place of the weight in a row of the server: [point, attack, defence, total].
const weightOverlay = (name, label, color, column) => ({
  name,
  label,
  fields: (state) => ({ weights: state.weighting }),

  heat(view) {
    const rows = (view.weights?.points ?? []).filter((row) => row[column] !== 0);
    const greatest = Math.max(1, ...rows.map((row) => row[column]));
    // On a logarithmic scale: the weights of a board range over many orders of magnitude.
    const share = (value) => (value > 0 ? Math.log1p(value) / Math.log1p(greatest) : 0) ** 2;
    return rows.map((row) => ({ at: row[0], share: share(row[column]), text: shortNumber(row[column]), color }));
  },

  legend(view, t, size) {
    const values = (view.weights?.points ?? []).map((row) => row[column]);
    if (values.length === 0) return null;
    const [least, greatest] = [Math.min(...values), Math.max(...values)].map((value) => t.number(value));
    const { name: weighting, best } = view.weights;
    return t("legendWeights", t(name), weighting, t(view.turn), least, greatest, best ? t.point(best, size) : "–");
  },
});

export const total = weightOverlay("total", ["total", "总权值"], "#0b7a52", 3);
export const attack = weightOverlay("attack", ["attack", "攻"], "#c8321e", 1);
export const defence = weightOverlay("defence", ["defence", "守"], "#1f58c4", 2);
