// Actions of files: games are read from them, and written to them.

import { make } from "./dom.js";
import { allLetters, linkHash } from "./points.js";
import { countText, playerName } from "./words.js";
import * as State from "./state/index.js";
import { gameOf, lineOf, movesOf, packTree } from "./tree.js";

// Pixels of a PNG for each unit of the picture.
const PNG_SCALE = 2;

// Milliseconds after which the text of an offered file is released.
const OFFER_TIME = 1000;

// The bytes of a text in Base64.
export const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

// Lets the browser save a file.
export function offer(blob, ending) {
  const link = make("a", { href: URL.createObjectURL(blob), download: `tengen.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), OFFER_TIME);
}

// Bytes that a message keeps for the other fields beside a text.
const ROOM_OF_FIELDS = 4096;

// Characters of a refused text that the dialog shows.
const MOST_SHOWN = 50_000;

// Bytes of a file in which its character set is looked for.
const HEAD = 65_536;

// Whether text that is not UTF-8 is Western rather than GBK: read as GBK, an accented letter hides the bracket after it,
// and most pairs have a letter as their second byte.
function isWestern(bytes) {
  let [hidden, plain, chinese] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] <= 0x80) continue;
    at++;
    if (bytes[at] === "]".charCodeAt(0)) hidden++;
    if (bytes[at] < 0x80) plain++;
    else chinese++;
  }
  return hidden > 0 && plain > chinese;
}

// The text of a file: UTF-8, or in the set that an SGF file declares, or GBK as Chinese programs write it, or Western.
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = (label) => {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // Bytes that are no text of this set, or a set that the browser does not know.
      return null;
    }
  };
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, HEAD));
  const declared = head.match(/(?:^|[^A-Z])CA\[([^\]]*)\]/)?.[1].trim();
  const usual = isWestern(bytes) ? "windows-1252" : "gbk";
  return (
    decoded("utf-8") ?? decoded(declared || usual) ?? decoded(usual) ?? new TextDecoder("windows-1252").decode(bytes)
  );
}

// A link to the shown position, without the password.
const linkOf = ({ settings, tree }) => location.origin + location.pathname + linkHash(settings, movesOf(tree));

// The nodes of the current line up to the result of its game. Moves that were taken back may follow it.
function playedLine(tree) {
  const line = lineOf(tree);
  const end = line.findIndex(({ result }) => result);
  return end < 0 ? line : line.slice(0, end + 1);
}

// A result as SGF writes it, such as B+T.
function sgfResult(result) {
  if (!result) return "";
  if (!result.winner) return "Draw";
  const how = { time: "T", resigned: "R" }[result.end] ?? "";
  return `${result.winner === "black" ? "B" : "W"}+${how}`;
}

// The local date as SGF writes it, YYYY-MM-DD, which is also the Swedish form.
const today = () => new Date().toLocaleDateString("sv");

// A node of a packed tree as the server takes it.
function sgfNode({ parent, move, comment, marks, verdict }) {
  const known = verdict && !verdict.contradictory && { result: verdict.result ?? null, chance: verdict.chance ?? null };
  return { parent: parent ?? undefined, move: move ?? undefined, comment, marks, verdict: known };
}

const offerText = (text, ending) => offer(new Blob([text], { type: "text/plain" }), ending);

async function offerPng(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = make("canvas", { width: image.width * PNG_SCALE, height: image.height * PNG_SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => offer(blob, "png"));
}

export function fileActions(store, server, actions) {
  async function savePsq() {
    const state = store.get();
    const t = actions.translator();
    const line = playedLine(state.tree);
    const { id, result } = line.at(-1);
    const fields = {
      game: State.gameOf(state, id),
      times: line.slice(1).map(({ time }) => time ?? 0),
      players: ["black", "white"].map((color) => playerName(state, color, t)),
      is_time: result?.end === "time",
    };
    try {
      offerText((await server.ask("psq", fields)).text, "psq");
    } catch (error) {
      store.update(State.showTrouble, error.kind ? error.message : actions.text("connecting"));
    }
  }

  async function saveSgf() {
    const state = store.get();
    const t = actions.translator();
    const { size, rule, continuous } = state.settings;
    const last = gameOf(state.tree).at(-1);
    const { nodes, here } = packTree({ ...state.tree, here: last.id });
    const fields = {
      size,
      rule,
      continuous,
      nodes: nodes.map(sgfNode),
      end: last.children.length > 0 ? here : undefined,
      players: ["black", "white"].map((color) => playerName(state, color, t)),
      result: sgfResult(last.result),
      date: state.header?.date ?? today(),
      event: state.header?.event,
    };
    try {
      offerText((await server.ask("sgf", fields)).text, "sgf");
    } catch (error) {
      store.update(State.showTrouble, error.kind ? error.message : actions.text("connecting"));
    }
  }

  function loadGame(place) {
    const leftOut = store.get().games[place].left_out;
    actions.replaceGame(State.loadGame, place);
    if (leftOut) store.update(State.showTrouble, countText(leftOut, "oneLeftOut", "leftOut", actions.translator()));
  }

  return {
    loadGame,

    link: () => linkOf(store.get()),

    // The moves up to the shown position.
    moveList() {
      const { tree, settings } = store.get();
      return allLetters(movesOf(tree), settings.size);
    },

    // Shows the position of the link that the page was opened with, if there is one. Returns whether it is shown.
    async openLink() {
      if (!location.hash.startsWith("#/")) return false;
      const text = location.href;
      // Otherwise a reload would show the link's position again instead of the game that follows.
      history.replaceState(null, "", location.pathname + location.search);
      const refusal = await actions.read(text, { ...store.get().settings, continuous: false, ranks: "bottom" });
      if (refusal) store.update(State.showTrouble, refusal.text, true);
      return refusal === null;
    },

    // Reads a text that was dropped or pasted. The dialog shows a text that is refused.
    async openText(text) {
      const refusal = await actions.read(text, { ...store.get().settings, continuous: false, ranks: "bottom" });
      if (!refusal) return;
      if (text.length <= MOST_SHOWN) actions.showRefused(text, refusal);
      else store.update(State.showTrouble, refusal.text);
    },

    // Reads the games of a text. `settings`: size, rule, continuous, ranks, for what the text does not say. Returns null,
    // or why the text is refused: { text, at }, with the place in the text if it is known.
    async read(text, { size, rule, continuous, ranks }) {
      const message = store.get().hello?.limits.message ?? Infinity;
      if (new Blob([JSON.stringify(text)]).size > message - ROOM_OF_FIELDS)
        return { text: actions.text("textTooLarge", message >> 20), at: null };
      try {
        const { games } = await server.ask("read", { text, size, rule, continuous, ranks });
        actions.set({ games });
        loadGame(0);
        actions.showTab(games.length > 1 ? "games" : "moves");
        return null;
      } catch (error) {
        return { text: error.kind ? error.message : actions.text("connecting"), at: error.at ?? null };
      }
    },

    // Saves the game in a form; `picture` is the board as the text of an SVG.
    save(form, picture) {
      const { tree, settings } = store.get();
      const svg = () => new Blob([picture], { type: "image/svg+xml" });
      const forms = {
        text: () => offerText(allLetters(movesOf(tree, playedLine(tree).at(-1).id), settings.size) + "\n", "txt"),
        psq: savePsq,
        sgf: saveSgf,
        svg: () => offer(svg(), "svg"),
        png: () => offerPng(svg()),
      };
      return forms[form]();
    },
  };
}
