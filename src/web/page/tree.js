// The game as a tree of moves. A tree is a value: each function returns another tree or reads from one.
//
// tree: { root, here, next, nodes }. `nodes` maps ids to nodes, `here` is the id of the shown position, `next` the id of
// the next node. A tree that replaces another continues its ids, so an id names one position for as long as the page is
// open.

const EMPTY_NODE = {
  verdict: null, // On the position, as verdict.js describes.
  explored: false, // Whether the move was played from a line of an analysis instead of in the game.
  best: null, // The best line of a review: { moves, verdict, depth }, moves as a list.
  judged: null, // The verdict that the engine gave to its move before it played it.
  time: null, // Milliseconds that the move took.
  facts: null, // Proved facts about the move, from the server.
  why: null, // The reason for which Tengen chose the move.
  text: null, // The same as text.
  said: null, // Lines that the engine wrote.
  left: null, // Milliseconds left after the move: [black, white].
  used: null, // Milliseconds that the side to move had used when another position was shown.
  result: null,
  resumes: false, // Whether moves were taken back to this position: the next move goes on with the game.
  comment: "", // Of a person, on the position.
  marks: [], // Labels of points of the position, [[point, text]] by rows.
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

// Goes to the position after these moves from a node and marks new ones as explored.
export function explore(tree, moves, id) {
  const grown = moves.reduce(playMove, goTo(tree, id));
  const added = pathOf(grown).filter((node) => node.id >= tree.next);
  return added.reduce((marked, node) => patchNode(marked, node.id, { explored: true }), grown);
}

// The nodes of the game: from the root the first answer to each position, as far as it was played. Moves that were taken
// back may follow a result.
export function gameOf(tree) {
  const line = [tree.nodes[tree.root]];
  for (;;) {
    const { children, result } = line.at(-1);
    const next = tree.nodes[children[0]];
    if (result || !next || next.explored) return line;
    line.push(next);
  }
}

// The tree with the current line that another had, as far as that one reached.
export function withVisitsOf(tree, other) {
  const restored = Object.values(other.nodes)
    .filter(({ children }) => children.length > 0)
    .map(({ id, visited }) => [id, { ...tree.nodes[id], visited }]);
  return { ...tree, nodes: { ...tree.nodes, ...Object.fromEntries(restored) } };
}

// Makes a node the first of the moves that answer its position.
export function makeFirst(tree, id) {
  const { parent } = tree.nodes[id];
  const others = tree.nodes[parent].children.filter((child) => child !== id);
  return patchNode(tree, parent, { children: [id, ...others] });
}

// Removes a node with all that follows it. If it lies on the path to the shown position, its parent is shown.
export function removeNode(tree, id) {
  const { parent } = tree.nodes[id];
  if (parent === null) return tree;
  const isOnPath = pathOf(tree).some((node) => node.id === id);
  const kept = isOnPath ? goTo(tree, parent) : tree;
  return patchNode(kept, parent, { children: kept.nodes[parent].children.filter((child) => child !== id) });
}

// The tree with nothing but the path to the shown position.
export function pathAlone(tree) {
  const path = [tree.nodes[tree.root], ...pathOf(tree)];
  const nodes = path.map((node, place) => [
    node.id,
    { ...node, children: path.slice(place + 1, place + 2).map(({ id }) => id) },
  ]);
  return { ...tree, nodes: Object.fromEntries(nodes) };
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

// Whether a packed node leaves a field with this value out: null, an empty text or an empty list.
const isEmpty = (value) => value === null || value === "" || (Array.isArray(value) && value.length === 0);

// The tree as a list of nodes with the places of their parents. A nested form would overflow the stack in long games.
// Empty fields are left out.
export function packTree(tree) {
  const nodes = [];
  const places = new Map();
  const open = [tree.root];
  while (open.length > 0) {
    const { id, parent, move, children, visited: _, ...kept } = tree.nodes[open.pop()];
    const filled = Object.fromEntries(Object.entries(kept).filter(([, value]) => !isEmpty(value)));
    places.set(id, nodes.length);
    nodes.push({ parent: parent === null ? null : places.get(parent), move, ...filled });
    open.push(...[...children].reverse());
  }
  return { nodes, here: places.get(tree.here) };
}

// The tree of such a list. `root` is the id of its first node.
export function unpackTree({ nodes: packed, here }, root = 0) {
  const nodes = {};
  packed.forEach(({ parent: place = null, ...kept }, own) => {
    const id = root + own;
    const parent = place === null ? null : root + place;
    nodes[id] = { ...createNode(id, null, parent), ...kept };
    if (parent !== null) nodes[parent].children.push(id);
  });
  const tree = { root, here: root, next: root + packed.length, nodes };
  return goTo(tree, nodes[root + here] ? root + here : root);
}

// Whether a packed tree holds all that a person would miss of another: its moves, comments, marks and results.
export function holdsTree(tree, other) {
  const children = new Map(tree.nodes.map(({ parent = null, move }, place) => [`${parent} ${move}`, place]));
  const places = [];
  return other.nodes.every(({ parent = null, move, ...node }, place) => {
    places[place] = place === 0 ? 0 : (children.get(`${places[parent]} ${move}`) ?? null);
    const same = tree.nodes[places[place]];
    const isHeld = (key) => !node[key]?.length || JSON.stringify(node[key]) === JSON.stringify(same[key]);
    return same !== undefined && isHeld("comment") && isHeld("marks") && (!node.result || Boolean(same.result));
  });
}

// Sets the mark of a point at a node; an empty text removes it.
export function setMark(tree, id, point, text) {
  const row = ([at]) => at.split(",").map(Number);
  const others = tree.nodes[id].marks.filter(([at]) => at !== point);
  const marks = text === "" ? others : [...others, [point, text]];
  marks.sort((one, other) => row(one)[1] - row(other)[1] || row(one)[0] - row(other)[0]);
  return patchNode(tree, id, { marks });
}

// The first letter, or the first number after them, that marks no point of a node.
export function nextMark(tree, id) {
  const taken = new Set(tree.nodes[id].marks.map(([, text]) => text));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken.has(letter));
  if (letters) return letters;
  let number = 1;
  while (taken.has(String(number))) number++;
  return String(number);
}
