// What the server says about a position.

import * as Tree from "../tree.js";
import { splitMoves } from "../points.js";
import { ofResult } from "../verdict.js";

// Keeps what the server knows about a position.
export function setView(state, id, view) {
  let { tree } = state;
  if (view.scored) {
    const known = Tree.addScores(tree, id, view.scored);
    // The stored verdict was about this score and does not apply after it.
    if (isNewScore(tree, known, id)) tree = Tree.patchNode(known, id, { verdict: null });
    else tree = known;
  }
  if (view.outcome && !tree.nodes[id].result) {
    tree = Tree.patchNode(tree, id, { result: view.outcome, verdict: ofResult(view.outcome) });
  }
  return { ...state, tree, view: { ...view, node: id } };
}

// Whether a tree knows the score of a stone that another did not.
export const isNewScore = (before, after, id) => Boolean(after.nodes[id].scored && !before.nodes[id].scored);

// Sets the verdict on a position; a null verdict changes nothing. That of a review stays unless this one is proved.
export function setVerdict(state, id, verdict) {
  const isKept = !verdict || (state.tree.nodes[id].best !== null && !verdict.result);
  return isKept ? state : { ...state, tree: Tree.patchNode(state.tree, id, { verdict }) };
}

const keepReport = (state, id, report) => ({ ...state, reports: { ...state.reports, [id]: { ...report, node: id } } });

// Sets the best line of a position in a review, from a search of this depth.
export function setBest(state, id, line, depth) {
  const best = { moves: splitMoves(line.moves), verdict: line.verdict, depth };
  return { ...state, tree: Tree.patchNode(state.tree, id, { best, verdict: line.verdict }) };
}

export const setFacts = (state, id, facts) => ({ ...state, tree: Tree.patchNode(state.tree, id, { facts }) });

// Keeps a report of a search. Without nodes there was no search: the centre of an empty board has no score.
export function setReport(state, id, report) {
  const isScored = report.lines.length > 0 && report.nodes > 0;
  if (!isScored) return keepReport(state, id, report);
  const [line] = report.lines;
  const { best } = state.tree.nodes[id];
  if (best === null) return keepReport(setVerdict(state, id, line.verdict), id, report);
  // A review is replaced by what was proved, or searched at least as deep. What it has proved stays.
  const isWorse = !line.verdict.result && (best.verdict.result || report.depth < (best.depth ?? 0));
  return keepReport(isWorse ? state : setBest(state, id, line, report.depth), id, report);
}

// Keeps how far a search is since its last report.
export function tick(state, id, { nodes, nps, time }) {
  const report = state.reports[id] ?? { depth: 0, seldepth: 0, lines: [] };
  return keepReport(state, id, { ...report, nodes, nps, time });
}

// Removes the report of a position before a new search.
export function beginSearch(state, id) {
  const { [id]: _, ...reports } = state.reports;
  return { ...state, reports };
}
