// The store, and the state of a first visit.

import * as Tree from "../tree.js";

// Holds the state. `update` replaces it by what a function makes of it and notifies the subscribers.
export function createStore(state) {
  const subscribers = [];
  return {
    get: () => state,
    subscribe: (subscriber) => subscribers.push(subscriber),
    update(change, ...values) {
      const next = change(state, ...values);
      if (next === state) return;
      state = next;
      for (const subscriber of subscribers) subscriber(state);
    },
  };
}

// The state of a first visit.
export const initialState = (language) => ({
  // Saved in the browser.
  settings: {
    size: 15,
    rule: "freestyle",
    continuous: false,
    procedure: "plain",
    one: "human",
    two: "level:3",
    turn: 2, // Seconds per move.
    nodes: 0,
    clock: 0, // Minutes per game.
    increment: 0, // Seconds per move.
    moveTime: 0, // Seconds that a person has for a move.
    handicap: 0, // White's first moves that go to the corners.
    lot: false, // Whether the colors were drawn by lot.
    strict: false, // Whether a forbidden move of a person is played without asking.
  },
  seats: { black: "human", white: "level:3" },
  names: null, // The players of a game that was opened, by color.
  header: null, // What else the file of such a game has: { date, event }.
  tree: Tree.createTree(),
  // While a procedure runs: { answers, pending: stones chosen so far, state: what is asked, undo: the answers before each
  // of a person, said: the last answer of an engine, { seat, text, isOffer }, number: of fifth moves in the answer,
  // verdicts: on positions by their key in procedure.js, isHinted: whether a person who decides asked for them, named: the
  // named opening of the chosen stones }.
  opening: null,
  fresh: null, // The settings of the last game that was begun.
  playing: true, // Whether engines move by themselves.
  overlay: "none",
  weighting: "shapes",
  numbers: false,
  candidates: true, // Whether the board shows the moves that a search weighs.
  fairness: true, // Whether a procedure shows how fair the chosen stones are.
  perspective: "black", // Whose chances are stated: "black", or "turn" for the side to move.
  language,
  contrast: "normal",
  theme: "auto", // "light", "dark", or that of the system.
  flipped: false, // Whether the board is turned round.
  coordinates: "letters", // or "numbers", as the protocol and Piskvork count.
  taps: "small", // When a tap must be repeated to play: "always", "never", or on a board with small cells.
  sound: false, // Whether the end of a person's time can be heard.
  threads: 0, // Of a search; 0 for those of the server.
  memory: 0, // MiB of a search; 0 for the usual size.

  // Of this visit.
  hello: null, // What the server offers.
  job: null, // What the server works at: { kind }: "play", "analyse", "hint", "review", "keep", "prove", "threats",
  //            "why", "draw", "puzzle" or "fairness".
  view: null, // The server's view of the position `view.node`.
  reports: {}, // The last report of a search of each position, by its node.
  // Lines that the board shows up to `plies` moves, or whole if that is null.
  shownLine: null, // Of the search: { place, plies }.
  shownBest: null, // The better line of a review: { node, plies }.
  shownFact: null, // Of a fact about the last move: { place, plies }.
  removing: null, // The variation whose removal must be confirmed.
  tapped: null, // The point that a second tap plays.
  paused: null, // While the game is paused: the milliseconds that the side to move has used.
  peeked: null, // The node that the board shows while the pointer rests on the graph.
  point: null, // The point that is looked at, with the node whose position it belongs to.
  proof: null,
  threat: null, // Of the side not to move at `threat.node`: { side, result, how, moves, holds, open }.
  foul: null, // The forbidden point that a person has chosen: { node, point, reason, parts }.
  marked: null, // The point of a table row under the pointer.
  offer: null, // An offered draw that a person answers: { by }.
  offers: 0, // Draws that were offered in this game.
  draft: null, // A comment of the library that is being typed: { node, text }.
  noting: null, // The position whose comment is being typed.
  marking: false, // Whether a click on the board marks the point.
  markText: "", // The text of its mark; empty for the next letter.
  recent: [], // Games that were on the board before, the newest first.
  original: null, // The packed tree of the game as its file holds it, if the file has several games.
  labelling: false, // Whether a click on the board labels the point.
  labelled: null, // The point whose label is being typed, and its position: { node, point }.
  libraryNote: null, // What became of the last change of the library: { text, isError }.
  games: [],
  chosenGame: null,
  analysing: false,
  looking: false,
  lines: 3, // Lines of an analysis.
  tab: "analysis",
  puzzle: null, // The open puzzle, its `side`, and the game that waits: `kept`.
  puzzles: {}, // The built-in puzzles by rule, once the server has told them.
  puzzleRule: "freestyle",
  puzzleGrade: 0, // Moves of the winner; 0 stands for all.
  solved: [], // Ids of solved puzzles, which the browser keeps beside the game.
  openings: [], // The named openings of renju, once the server has told them.
  progress: null, // Of the job "review": { share, text }
  trouble: null, // { text, isLasting, isNote }: a lasting one stays until the server answers again, a note is no error.
  spoken: { text: "" }, // Spoken again where it is set again.
  hovered: null, // The point under the pointer.
  cursor: null, // The point under the cursor of the keyboard.
  showsCursor: false, // Whether a key was the last to move the cursor.
  isDropping: null, // What a dragged file would become: "game" or "library".
  disconnectedAt: null, // When the connection was lost, in milliseconds of performance.now(); null while connected.
  since: 0, // When the side to move began to think, and what time it is: milliseconds of performance.now().
  now: 0,
});
