// The game as a tree of moves, and how it is kept in the browser.
"use strict";

class Tree {
  constructor() {
    this.root = Tree.node(null, null);
    this.here = this.root;
  }

  static node(move, parent) {
    return { move, parent, children: [], chance: null, score: null, value: null, time: null, who: null, why: null, text: null, said: null, left: null, result: null, scored: null };
  }

  // The nodes from the first move to a node.
  path(node = this.here) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  moves(node = this.here) {
    return this.path(node).map((at) => at.move);
  }

  // The node at the end of the line that goes on from a node by the children chosen last.
  tip(node = this.here) {
    while (node.children.length) node = this.next(node);
    return node;
  }

  // The child that was visited last, else the first.
  next(node) {
    return node.children.includes(node.visited) ? node.visited : node.children[0];
  }

  // The line on which the current node lies, from the root to its tip.
  line() {
    return [this.root, ...this.path(this.tip())];
  }

  // Goes to the child with this move, made where there is none.
  play(move) {
    let child = this.here.children.find((other) => other.move === move);
    if (!child) {
      child = Tree.node(move, this.here);
      this.here.children.push(child);
    }
    this.go(child);
    return child;
  }

  go(node) {
    this.here = node;
    for (let at = node; at.parent; at = at.parent) at.parent.visited = at;
  }

  remove(node) {
    const { parent } = node;
    if (!parent) return;
    if (this.path().includes(node)) this.go(parent);
    parent.children = parent.children.filter((child) => child !== node);
  }

  static depth(node) {
    let depth = 0;
    for (let at = node; at.parent; at = at.parent) depth++;
    return depth;
  }

  // Keeps what the server says about the stones of a continuous game up to a node: for whom they scored, and their walls.
  // Returns whether that is news about the stone of the node itself.
  score(node, scored) {
    const path = this.path(node);
    const isNews = scored.some(({ ply }) => ply === path.length) && !node.scored;
    for (const { ply, winner, walls } of scored) path[ply - 1].scored = { winner, walls };
    return isNews;
  }

  // The walls at a node; those of its own stone only once the server has told them.
  walls(node = this.here) {
    return new Set(this.path(node).flatMap(({ scored }) => scored?.walls ?? []));
  }

  // The number of a side's fives at a node.
  fives(color, node = this.here) {
    return this.path(node).filter(({ scored }) => scored?.winner === color).length;
  }

  // The tree as a list of nodes with the places of their parents; deep games would overflow a nested form.
  save() {
    const nodes = [];
    const places = new Map();
    const open = [this.root];
    while (open.length) {
      const node = open.pop();
      places.set(node, nodes.length);
      const { parent, children, visited, ...kept } = node;
      nodes.push({ ...kept, parent: parent ? places.get(parent) : null });
      open.push(...[...children].reverse());
    }
    return { nodes, here: places.get(this.here) };
  }

  static load({ nodes, here }) {
    const tree = new Tree();
    const read = [];
    for (const { parent, ...kept } of nodes) {
      const above = parent === null ? null : read[parent];
      const node = Object.assign(Tree.node(kept.move, above), kept);
      above?.children.push(node);
      read.push(node);
    }
    tree.root = read[0];
    tree.go(read[here] ?? read[0]);
    return tree;
  }
}
