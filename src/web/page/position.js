// Actions that show another position, or another view of the same one.

import { coordinates, pointAt } from "./points.js";
import { allowedPoints, askedOf, awaitsConfirmation } from "./procedure.js";
import { offeredOverlays, overlayOf } from "./render/overlays/index.js";
import { candidateText, fivesText, foulText, scoreText } from "./words.js";
import * as State from "./state/index.js";
import { colorOf, depthOf, movesOf, nextOf, nodeOf, tipOf, wallsOf } from "./tree.js";

export function positionActions(store, server, actions) {
  let lastRequest = 0;
  // Whether `step` must follow the next answer of the server.
  let isStepDue = false;
  const { nameOf } = actions;
  const speak = (text) => store.update(State.speak, text);
  const playedText = (color, point) => actions.text("playedAt", actions.text(color), nameOf(point));

  // Follows a change of the position: ends the job of the old one unless it is a review, asks the server for the view of
  // the new one, and lets the side to move act.
  async function changed() {
    const { job, draft } = store.get();
    if (job && job.kind !== "review") actions.giveUp();
    if (draft && draft.node !== State.notedNode(store.get())) actions.comment();
    store.update(State.positionChanged, performance.now());
    await shownAgain();
  }

  // Asks for the view, then lets the side to move act. Called directly where the position is not new: after a reload, a
  // lost connection, or a change elsewhere in the tree. The clocks go on.
  async function shownAgain() {
    isStepDue = true;
    await refresh();
  }

  // Asks for what is shown of the position. A later request replaces an earlier one.
  async function refresh() {
    const state = store.get();
    const id = state.tree.here;
    const request = ++lastRequest;
    try {
      const library = State.hasLibrary(state);
      const fields = { game: State.gameOf(state), ...overlayOf(state).fields(state), library };
      const view = await server.ask("view", fields);
      if (request !== lastRequest) return;
      const { tree } = store.get();
      store.update(State.setView, id, view);
      if (State.isNewScore(tree, store.get().tree, id)) speakScore();
      const { point, looking } = store.get();
      if (point && looking) await lookAt(point.point, true);
      if (!isStepDue || !State.viewOf(store.get())) return;
      isStepDue = false;
      actions.step();
    } catch (error) {
      actions.refused(error);
    }
  }

  function speakScore() {
    const state = store.get();
    const t = actions.translator();
    const color = colorOf(depthOf(state.tree) - 1);
    const played = playedText(color, nodeOf(state.tree).move);
    speak(`${played}, ${scoreText(state, t)}; ${fivesText(state, t)}`);
  }

  // A stone was played.
  function moved(color, point) {
    speak(playedText(color, point));
    changed();
  }

  // A person chooses a point of the board.
  function choose(point) {
    const state = store.get();
    if (state.foul) actions.leaveFoul();
    if (state.marking) actions.markAt(point);
    else if (state.labelling) actions.labelAt(point);
    else if (state.looking) lookAt(point);
    else if (state.puzzle && !State.awaitsMove(state)) return;
    else if (state.opening) actions.pick(point);
    else if (State.isUncertain(state) || State.isOver(state) || (state.playing && State.awaitsEngine(state))) return;
    else if (state.paused !== null) actions.announce(actions.text("isPaused"));
    else if (movesOf(state.tree).includes(point)) speak(actions.text("occupied", nameOf(point)));
    else if (State.foulAt(state, point) && !state.settings.strict) actions.explainFoul(point);
    else playStone(point);
  }

  // Whether a click on a point would play there.
  function canPlay(state, point) {
    // Stones of a procedure that a button confirms are only chosen.
    const isChosen = state.opening && (!askedOf(state) || awaitsConfirmation(state));
    const isClosedPuzzle = state.puzzle && !State.awaitsMove(state);
    const isMode = state.marking || state.labelling || state.looking || isChosen || isClosedPuzzle;
    const isClosed =
      State.isUncertain(state) || State.isOver(state) || State.awaitsEngine(state) || state.paused !== null;
    if (isMode || isClosed || movesOf(state.tree).includes(point)) return false;
    return !state.opening || (allowedPoints(state)?.includes(point) ?? true);
  }

  // A person plays.
  function playStone(point) {
    const state = store.get();
    if (state.job) actions.giveUp();
    const now = performance.now();
    store.update(State.play, point, now, { time: Math.round(now - state.since) }, true);
    actions.set({ playing: true });
    moved(State.turnOf(state), point);
  }

  async function lookAt(point, isQuiet = false) {
    const node = store.get().tree.here;
    try {
      const answer = await server.ask("point", { game: State.gameOf(store.get()), point });
      if (store.get().tree.here !== node) return;
      actions.set({ point: { ...answer, node } });
      if (!isQuiet) actions.showTab("points");
    } catch (error) {
      actions.set({ point: null });
      if (error.kind && !isQuiet) speak(error.message);
    }
  }

  // Plays moves from a position on the board, or keeps them beside the game.
  function playLine(id, moves) {
    if (store.get().opening) return;
    store.update(State.follow, moves, performance.now(), id);
    changed();
  }

  function keepLine(id, moves) {
    if (store.get().opening) return;
    store.update(State.keepLine, moves, id);
    actions.announce(actions.text("variationAdded"));
  }

  function go(id) {
    const { tree, opening } = store.get();
    if (id === undefined || id === null || id === tree.here || opening) return;
    store.update(State.go, id, performance.now());
    changed();
  }

  // Goes to the next fault of the game, or to the previous one.
  function jump(step) {
    const { tree } = store.get();
    const depth = depthOf(tree);
    const faults = State.reviewOf(store.get()).flatMap(({ node, kind }, place) => (kind ? [[place + 1, node.id]] : []));
    const found = step > 0 ? faults.find(([place]) => place > depth) : faults.findLast(([place]) => place < depth);
    if (found) go(found[1]);
  }

  function takeback() {
    if (!State.isEnabled(store.get(), "takeback")) return;
    if (store.get().opening) {
      actions.takeBackAnswer();
      return;
    }
    store.update(State.takeBack);
    changed();
  }

  // Moves the cursor of the keyboard, which begins in the middle, and says what lies there.
  function moveCursor(dx, dy) {
    const { cursor, settings, flipped } = store.get();
    const middle = Math.floor(settings.size / 2);
    const sign = flipped ? -1 : 1;
    const [x, y] = cursor ? coordinates(cursor) : [middle - sign * dx, middle - sign * dy];
    const inside = (value) => Math.min(settings.size - 1, Math.max(0, value));
    const point = pointAt(inside(x + sign * dx), inside(y + sign * dy));
    actions.set({ cursor: point, showsCursor: true });
    speakPoint(point);
  }

  function speakPoint(point) {
    const state = store.get();
    const place = movesOf(state.tree).indexOf(point);
    const foul = State.viewOf(state)?.forbidden?.find(([other]) => other === point)?.[1];
    const stone = wallsOf(state.tree).has(point) ? "wall" : colorOf(place);
    const t = actions.translator();
    const empty = foul ? t("forbiddenPoint", foulText(foul, t)) : t("empty");
    const candidate = candidateText(state, point, t);
    speak([nameOf(point), place >= 0 ? actions.text(stone) : empty, candidate].filter(Boolean).join(" "));
  }

  // Begins a game. With colors by lot the players are swapped at random.
  function begin(settings) {
    const isChanged = settings.lot && Math.random() < 0.5;
    actions.replaceGame(State.begin, isChanged ? State.changeSides(settings) : settings);
  }

  function overlay(name) {
    actions.set({ overlay: name });
    refresh();
  }

  return {
    changed,
    shownAgain,
    refresh,
    moved,
    choose,
    playStone,
    playLine,
    keepLine,
    go,
    takeback,
    moveCursor,
    begin,
    again: () => begin(State.settingsOfGame(store.get())),
    // Always changes the colors, even if the game drew lots for them.
    rematch: () => actions.replaceGame(State.begin, State.changeSides(State.settingsOfGame(store.get()))),
    overlay,
    nextFault: () => jump(1),
    lastFault: () => jump(-1),
    backtogame() {
      store.update(State.backToGame, performance.now());
      changed();
    },
    first: () => go(store.get().tree.root),
    back: () => go(nodeOf(store.get().tree).parent),
    forward: () => go(nextOf(store.get().tree)),
    last: () => go(tipOf(store.get().tree)),

    // A click or a tap also moves the cursor there. A tap that must be confirmed only shows the stone.
    press(point, isUnsure = false) {
      const { tapped } = store.get();
      const isShown = isUnsure && point !== tapped && canPlay(store.get(), point);
      actions.set({ cursor: point, showsCursor: false, tapped: isShown ? point : null });
      if (isShown) speak(actions.text("tapAgain", nameOf(point)));
      else choose(point);
    },

    nextOverlay() {
      const overlays = offeredOverlays(store.get());
      const place = overlays.findIndex(({ name }) => name === store.get().overlay);
      overlay(overlays[(place + 1) % overlays.length].name);
    },

    weighting(name) {
      actions.set({ weighting: name });
      refresh();
    },

    remove(id) {
      const { here } = store.get().tree;
      store.update(State.removeNode, id);
      if (store.get().tree.here === here) shownAgain();
      else changed();
    },
  };
}
