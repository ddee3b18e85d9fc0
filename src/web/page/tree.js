// The game as a tree of moves. A tree is a value: each function returns another tree or reads from one.
//
// tree: { root, here, next, nodes }. `nodes` maps ids to nodes, `here` is the id of the shown position, `next` the id of
// the next node. A tree that replaces another continues its ids, so an id names one position for as long as the page is
// open.

const EMPTY_NODE = {
  chance: null, // Black's expected share of the points.
  score: null,
  time: null, // Milliseconds that the move took.
  why: null, // Reasons of the move, from the server.
  text: null, // The same as text.
  said: null, // Lines that the engine wrote.
  left: null, // Milliseconds left after the move: [black, white].
  result: null,
  scored: null, // Continuous game: the side that the stone scored for, and the walls.
};

const createNode = (id, move, parent) => ({ ...EMPTY_NODE, id, move, parent, children: [], visited: null });

export const createTree = (root = 0) => ({
  root,
  here: root,
  next: root + 1,
  nodes: { [root]: createNode(root, null, null) },
});

// The color of the stone after `count` stones.
export const colorOf = (count) => (count % 2 === 0 ? "black" : "white");
export const otherColor = (color) => (color === "black" ? "white" : "black");

export const nodeOf = (tree, id = tree.here) => tree.nodes[id];

// The nodes from the first move to a node.
export function pathOf(tree, id = tree.here) {
  const path = [];
  for (let node = tree.nodes[id]; node.parent !== null; node = tree.nodes[node.parent]) path.push(node);
  return path.reverse();
}

export const movesOf = (tree, id = tree.here) => pathOf(tree, id).map(({ move }) => move);
export const depthOf = (tree, id = tree.here) => pathOf(tree, id).length;

// The child that was visited last, else the first; undefined at the end of a line.
export function nextOf(tree, id = tree.here) {
  const { children, visited } = tree.nodes[id];
  return children.includes(visited) ? visited : children[0];
}

// The end of the current line.
export function tipOf(tree) {
  let id = tree.here;
  while (tree.nodes[id].children.length > 0) id = nextOf(tree, id);
  return id;
}

// The nodes of the current line, from the root to its end.
export const lineOf = (tree) => [tree.nodes[tree.root], ...pathOf(tree, tipOf(tree))];

export const patchNode = (tree, id, fields) => ({
  ...tree,
  nodes: { ...tree.nodes, [id]: { ...tree.nodes[id], ...fields } },
});

export function goTo(tree, id) {
  const nodes = { ...tree.nodes };
  for (const node of pathOf(tree, id)) nodes[node.parent] = { ...nodes[node.parent], visited: node.id };
  return { ...tree, nodes, here: id };
}

// Goes to the child with this move; adds it if it is missing.
export function playMove(tree, move) {
  const here = tree.nodes[tree.here];
  const child = here.children.find((id) => tree.nodes[id].move === move);
  if (child !== undefined) return goTo(tree, child);
  const id = tree.next;
  const grown = patchNode(tree, here.id, { children: [...here.children, id] });
  return goTo({ ...grown, next: id + 1, nodes: { ...grown.nodes, [id]: createNode(id, move, here.id) } }, id);
}

// Removes a node with all that follows it. If it lies on the path to the shown position, its parent is shown.
export function removeNode(tree, id) {
  const { parent } = tree.nodes[id];
  if (parent === null) return tree;
  const isOnPath = pathOf(tree).some((node) => node.id === id);
  const kept = isOnPath ? goTo(tree, parent) : tree;
  return patchNode(kept, parent, { children: kept.nodes[parent].children.filter((child) => child !== id) });
}

// Adds the scores of a continuous game that the server has told: [{ ply, winner, walls }] on the path to a node.
export function addScores(tree, id, scored) {
  const path = pathOf(tree, id);
  const news = scored.filter(({ ply }) => !path[ply - 1].scored);
  return news.reduce(
    (grown, { ply, winner, walls }) => patchNode(grown, path[ply - 1].id, { scored: { winner, walls } }),
    tree,
  );
}

// The walls at a node; those of its own stone only after the server has told them.
export const wallsOf = (tree, id = tree.here) => new Set(pathOf(tree, id).flatMap(({ scored }) => scored?.walls ?? []));

// The number of fives of a color at a node.
export const fivesOf = (tree, color, id = tree.here) =>
  pathOf(tree, id).filter(({ scored }) => scored?.winner === color).length;

// Moves that cost their side a fifth of the points or more.
const TURNING_LOSS = 0.2;

// The ids of the moves in a line at which the game turned. A stone that makes a five of a continuous game does not
// count: it loses the chance that it has just cashed in.
export function turningMoves(line) {
  const isTurn = (node, count) => {
    const before = line[count].chance;
    if (before === null || node.chance === null || node.scored?.winner === colorOf(count)) return false;
    return (colorOf(count) === "black" ? before - node.chance : node.chance - before) >= TURNING_LOSS;
  };
  return new Set(
    line
      .slice(1)
      .filter(isTurn)
      .map(({ id }) => id),
  );
}

// The tree as a list of nodes with the places of their parents. A nested form would overflow the stack in long games.
export function packTree(tree) {
  const nodes = [];
  const places = new Map();
  const open = [tree.root];
  while (open.length > 0) {
    const { id, parent, children, visited: _, ...kept } = tree.nodes[open.pop()];
    places.set(id, nodes.length);
    nodes.push({ ...kept, parent: parent === null ? null : places.get(parent) });
    open.push(...[...children].reverse());
  }
  return { nodes, here: places.get(tree.here) };
}

export function unpackTree({ nodes: packed, here }) {
  const nodes = {};
  packed.forEach(({ parent, ...kept }, id) => {
    nodes[id] = { ...createNode(id, kept.move, parent), ...kept };
    if (parent !== null) nodes[parent].children.push(id);
  });
  const tree = { root: 0, here: 0, next: packed.length, nodes };
  return goTo(tree, nodes[here] ? here : 0);
}
