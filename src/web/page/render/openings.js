// The panel of the 26 named openings of renju: the one on the board with the verdicts by its number of fifth moves, and
// pictures of all to choose from.

import { byId, make } from "../dom.js";
import { coordinates } from "../points.js";
import { fifthsOf } from "../procedure.js";
import { namedOpening } from "../state/index.js";

// The verdicts from black's best to white's best, with their colors in the style sheet.
const VERDICTS = ["black_wins", "black_better", "even", "white_better", "white_wins"];

// Fifth moves of the strip: no procedure has more.
const MOST_FIFTHS = 12;

// Number of points shown on each side of the centre. The centre is that of a board of 15 lines.
const REACH = 2;
const CENTRE = 7;

const includes = (range, number) => range !== null && range[0] <= number && (range[1] === null || number <= range[1]);

// The verdict on an opening with a number of fifth moves.
export const verdictWithFifths = ({ fifths }, number) => VERDICTS.find((verdict) => includes(fifths[verdict], number));

function rangeText([from, to], t) {
  if (to === null) return t("fifthsFrom", from);
  return from === to ? String(from) : t("fifthsRange", from, to);
}

// The row of the table: "1–3: Black wins", "4–5: Black is better", …
export const fifthsOfAll = ({ fifths }, t) =>
  VERDICTS.filter((verdict) => fifths[verdict]).map((verdict) =>
    t("fifthsAre", rangeText(fifths[verdict], t), t(`fifths ${verdict}`)),
  );

const nameOf = (opening, { language }) => (language === "zh" ? opening.zh : opening.romaji);

// The three stones in the central 5 × 5.
function pictureOf({ moves }) {
  const side = 10 * (2 * REACH + 1);
  const places = Array.from({ length: 2 * REACH + 1 }, (_, place) => 5 + 10 * place);
  const lines = places.flatMap((at) => [
    make("line", { x1: 0, y1: at, x2: side, y2: at }),
    make("line", { x1: at, y1: 0, x2: at, y2: side }),
  ]);
  const stones = moves.map((point, place) => {
    const [cx, cy] = coordinates(point).map((at) => places[at - CENTRE + REACH]);
    return make("circle", { class: place === 1 ? "white" : "black", cx, cy, r: 4.4 });
  });
  return make("svg", { viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" }, lines, stones);
}

function cardOf(opening, state, actions) {
  const { code, english } = opening;
  const meaning = state.language === "zh" ? [] : make("small", {}, english);
  return make(
    "button",
    { class: "opening", "data-code": code, onclick: () => actions.showOpening(opening) },
    pictureOf(opening),
    make("span", {}, make("b", {}, code), " ", nameOf(opening, state)),
    meaning,
  );
}

// The two families, by the last letter of their codes.
const FAMILIES = [
  ["D", "openingsDirect"],
  ["I", "openingsIndirect"],
];

export const openingCards = {
  select: (state) => [state.openings, state.language],
  draw(state, t, actions) {
    const groups = FAMILIES.map(([letter, title]) => {
      const own = state.openings.filter(({ code }) => code.endsWith(letter));
      const cards = own.map((opening) => cardOf(opening, state, actions));
      return make("section", { "aria-label": t(title) }, make("h2", {}, t(title)), make("div", {}, cards));
    });
    byId("openings").replaceChildren(...(state.openings.length > 0 ? groups : []));
  },
};

// A strip of the numbers of fifth moves, colored and lettered by their verdicts.
function stripOf(opening, chosen, t) {
  const numbers = Array.from({ length: MOST_FIFTHS }, (_, place) => place + 1);
  const cell = (number) => {
    const verdict = verdictWithFifths(opening, number);
    const title = t("fifthsAre", number, t(`fifths ${verdict}`));
    return make(
      "li",
      { class: verdict, title, "aria-current": number === chosen && "true" },
      make("span", {}, String(number)),
      make("b", {}, t(`letter ${verdict}`)),
    );
  };
  return make("ol", { class: "strip", "aria-label": t("fifths") }, numbers.map(cell));
}

// The row in parts that are not broken.
function rowOf(opening, t) {
  const all = fifthsOfAll(opening, t);
  const endOf = (place) => t(place < all.length - 1 ? "listComma" : "fullStop").trim();
  return all.flatMap((text, place) => [" ", make("span", {}, text, endOf(place))]);
}

function headOf(opening, state) {
  const { code, ja, english } = opening;
  const others = state.language === "zh" ? opening.romaji : `${english} · ${ja}`;
  return make("h2", {}, `${code} ${nameOf(opening, state)}`, make("small", {}, others));
}

function currentParts(state, t) {
  const { code } = namedOpening(state) ?? {};
  const opening = state.openings.find((other) => other.code === code);
  if (!opening) return [make("p", { class: "note" }, t("openingsHelp"))];
  return [
    headOf(opening, state),
    stripOf(opening, state.opening ? fifthsOf(state) : null, t),
    make("p", { class: "fifths" }, t("fifthsRow"), rowOf(opening, t)),
    make("p", { class: "note" }, t("fifthsSource")),
  ];
}

export const currentOpening = {
  select: (state) => [
    state.openings,
    namedOpening(state)?.code,
    state.opening?.number,
    state.opening?.answers,
    state.language,
  ],
  draw(state, t) {
    byId("opening").replaceChildren(...currentParts(state, t));
    const { code } = namedOpening(state) ?? {};
    // The cards stay: one of them may have the focus.
    for (const card of document.querySelectorAll("#openings .opening")) {
      if (card.dataset.code === code) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  },
};
