// Overlays: the greatest shape that a stone of one side would make at every point.

// `column` is the place of the color in a row of the server: [point, black, white].
const shapeOverlay = (name, label, column) => ({
  name,
  label,
  fields: () => ({ shapes: true }),

  heat(view, t, hello) {
    const rows = (view.shapes ?? []).filter((row) => row[column]);
    const share = (shape) => (hello.shapes.indexOf(shape) + 1) / hello.shapes.length;
    return rows.map((row) => ({
      at: row[0],
      share: share(row[column]),
      text: t(`short ${row[column]}`),
      color: "#6b2fa8",
    }));
  },

  legend: () => null,
});

export const blackShapes = shapeOverlay("black", ["black's shapes", "黑方成形"], 1);
export const whiteShapes = shapeOverlay("white", ["white's shapes", "白方成形"], 2);
