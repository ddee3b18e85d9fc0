// Actions of files: games are read from them, and written to them.

import { make } from "./dom.js";
import { allLetters } from "./points.js";
import { playerName } from "./render/words.js";
import * as State from "./state.js";
import { translator } from "./texts.js";
import { movesOf, pathOf, tipOf } from "./tree.js";

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
    const t = translator(state.language);
    const tip = tipOf(state.tree);
    const path = pathOf(state.tree, tip);
    const fields = {
      game: State.gameOf(state, tip),
      times: path.map(({ time }) => time ?? 0),
      players: ["black", "white"].map((color) => playerName(state, color, t)),
      is_time: path.at(-1)?.result?.end === "time",
    };
    try {
      offerText((await server.ask("psq", fields)).text, "psq");
    } catch (error) {
      store.update(State.showTrouble, error.kind ? error.message : actions.text("connecting"));
    }
  }

  function loadGame(place) {
    if (store.get().job) actions.giveUp();
    store.update(State.loadGame, place);
    actions.changed();
  }

  return {
    loadGame,

    // Reads the games of a text. `settings`: size, rule, continuous, ranks, for what the text does not say.
    async read(text, { size, rule, continuous, ranks }) {
      try {
        const { games } = await server.ask("read", { text, size, rule, continuous, ranks });
        actions.set({ games });
        loadGame(0);
        actions.showTab(games.length > 1 ? "games" : "moves");
      } catch (error) {
        store.update(State.showTrouble, error.kind ? error.message : actions.text("connecting"));
      }
    },

    // Saves the game in a form; `picture` is the board as the text of an SVG.
    save(form, picture) {
      const { tree, settings } = store.get();
      const svg = () => new Blob([picture], { type: "image/svg+xml" });
      const forms = {
        text: () => offerText(allLetters(movesOf(tree, tipOf(tree)), settings.size) + "\n", "txt"),
        psq: savePsq,
        svg: () => offer(svg(), "svg"),
        png: () => offerPng(svg()),
      };
      return forms[form]();
    },
  };
}
