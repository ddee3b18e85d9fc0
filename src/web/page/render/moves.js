// The panel of moves: the tree of the game. Its line of first children, each variation in a box below the move that it
// replaces.

import { byId, make, replaceParts, scrollWithin } from "../dom.js";
import { seconds } from "../format.js";
import { notedNode, reviewOf } from "../state/index.js";
import { colorOf, depthOf, nodeOf, pathOf } from "../tree.js";

// The signs of moves that lost, as chess players know them.
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", missed: "!" };

// The moves that the panel marks as faults: { kind, loss in per cent } by node id.
function faultsOf(state) {
  const faults = reviewOf(state).filter(({ kind }) => kind);
  return new Map(faults.map(({ node, loss, kind }) => [node.id, { kind, loss: Math.round(100 * loss) }]));
}

function treeParts(state, t, actions) {
  const { tree, settings } = state;
  if (tree.nodes[tree.root].children.length === 0) return [make("p", { class: "note" }, t("noMoves"))];
  const path = new Set(pathOf(tree).map(({ id }) => id));
  const faults = faultsOf(state);
  const chip = ({ id, move, time, comment }, depth) => {
    const { kind, loss } = faults.get(id) ?? {};
    const classes = `move ${colorOf(depth - 1)}${path.has(id) ? " on" : ""}${kind ? ` ${kind}` : ""}`;
    return make(
      "button",
      {
        class: classes,
        "data-key": `move-${id}`,
        "aria-current": id === tree.here ? "step" : null,
        title: kind ? `${t(kind)} ${t("lostShare", loss)}` : null,
        onclick: () => actions.go(id),
      },
      make("small", {}, String(depth)),
      t.point(move, settings.size),
      kind && make("sup", {}, SIGNS[kind]),
      comment && make("i", { class: "commented", title: comment }, "…"),
      time > 0 && make("time", {}, seconds(time)),
    );
  };
  const variation = (node, depth) => {
    const name = t("removeLine");
    const isSure = state.removing === node.id;
    const onclick = () => (isSure ? actions.remove(node.id) : actions.set({ removing: node.id }));
    const key = { "data-key": `remove-${node.id}`, onclick };
    const remove = isSure
      ? make("button", { class: "remove", ...key }, t("removeSure"))
      : make("button", { class: "quiet icon remove", "aria-label": name, title: name, ...key }, "×");
    return make("div", { class: "variation" }, chip(node, depth), lineAfter(node, depth), remove);
  };
  const lineAfter = (node, depth) => {
    const parts = [];
    for (let at = node; at.children.length > 0; depth++) {
      const [first, ...others] = at.children.map((id) => tree.nodes[id]);
      parts.push(chip(first, depth + 1), ...others.map((other) => variation(other, depth + 1)));
      at = first;
    }
    return parts;
  };
  const root = tree.nodes[tree.root];
  return [make("div", { class: "tree" }, lineAfter(root, depthOf(tree, tree.root)))];
}

function saidParts({ said }, t) {
  if (!said?.length) return [];
  const lines = make("pre", { tabindex: "0" }, said.join("\n"));
  return [make("details", {}, make("summary", {}, t("engineSaid")), lines)];
}

// The comment on the shown position, and the marking of points.
export const notes = {
  select: (state) => [state.tree, state.noting, state.marking, state.markText, state.language],
  draw(state, t) {
    const { comment } = nodeOf(state.tree, notedNode(state));
    byId("note").placeholder = t("note");
    // Setting the same text would move the cursor.
    if (byId("note").value !== comment) byId("note").value = comment;
    if (byId("mark-text").value !== state.markText) byId("mark-text").value = state.markText;
    byId("marking").setAttribute("aria-pressed", state.marking);
  },
};

// The content of the panel as a text that can be compared. It is computed once for each tree: most changes of the state do
// not change the tree, and most changes of the tree during a search are verdicts, which the panel does not show.
let drawn = { tree: null, text: "" };

function contentOf(state) {
  const { tree } = state;
  if (drawn.tree !== tree) {
    const nodes = Object.values(tree.nodes).map(({ id, children, move, time, comment }) => [
      id,
      children,
      move,
      time,
      comment,
    ]);
    const text = JSON.stringify([tree.here, nodes, [...faultsOf(state)], nodeOf(tree).said]);
    drawn = { tree, text };
  }
  return drawn.text;
}

// The position whose move the panel has scrolled to. A comment that is typed changes the panel too, and must not scroll it.
let scrolledTo = null;

// Redrawing the panel would lose a click between press and release.
export const moves = {
  select: (state) => (state.tab === "moves" ? [contentOf(state), state.settings.size, state.removing] : []),
  draw(state, t, actions) {
    if (state.tab !== "moves") {
      scrolledTo = null;
      return;
    }
    const { here } = state.tree;
    replaceParts(byId("moves"), ...treeParts(state, t, actions), ...saidParts(nodeOf(state.tree), t));
    const current = byId("moves").querySelector("[aria-current]");
    if (current && scrolledTo !== here) scrollWithin(byId("panel-moves"), current);
    scrolledTo = here;
  },
};
