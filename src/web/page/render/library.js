// The panel of the library: the known moves, the comment, the fields of the label and of the result.

import { isLocal } from "../channel.js";
import { byId, make } from "../dom.js";
import { hasLibrary, libraryOf, notedNode, sideOfView, turnOf, viewOf } from "../state/index.js";
import { gradeOf, ranked, verdictText } from "../verdict.js";
import { tableHead, tableRow } from "./table.js";
import { positionsText } from "../words.js";

// How verdicts are read: the side to move, the side whose chances are stated, and which chances are even.
const readingOf = (state) => ({ turn: turnOf(state), view: sideOfView(state), even: state.hello.scales.even });

// What is known of the position itself.
function verdictParts({ position }, { view }, t) {
  if (!position) return [make("small", {}, t("unknownPosition"))];
  const { result, depth, games, label, source } = position;
  const facts = [
    result && t(result.origin),
    depth !== null && `${t("depth")} ${depth}`,
    games && t("gamesOf", ...games),
    label && `“${label}”`,
    source,
  ];
  const known = verdictText(position, view, t) || t("knownPosition");
  return [known, " ", make("small", {}, facts.filter(Boolean).join(" · "))];
}

// The columns of the table after the move. One that is empty in all rows is left out.
const columnsOf = (reading, labels, t) => [
  { name: t("label"), cell: ({ point }) => labels.get(point) },
  { name: t("result"), cell: (known) => resultCell(known, reading, t) },
  {
    name: t("gamesShort"),
    cell: ({ games }) => games && make("span", { title: t("gamesOf", ...games) }, games.join("–")),
  },
];

function resultCell(known, { turn, view, even }, t) {
  const text = verdictText(known, view, t);
  const { depth, label } = known;
  if (!text && !label) return null;
  const shown = make("span", { class: `score ${gradeOf(known, turn, even)}` }, text);
  const deep = depth !== null && make("small", {}, ` ${t("depth")} ${depth}`);
  return [shown, deep, label && make("span", { class: "tag" }, label)];
}

function movesTable({ moves, position }, reading, size, t) {
  if (moves.length === 0) return [];
  const filled = columnsOf(reading, new Map(position.marks), t).filter(({ cell }) => moves.some(cell));
  const name = ({ point }) => (point === null ? t("pass") : make("button", { class: "chip" }, t.point(point, size)));
  const row = (known) => {
    const cells = filled.map(({ cell }) => cell(known) ?? "");
    return tableRow([name(known), ...cells], { "data-point": known.point });
  };
  const head = tableHead([t("move"), ...filled.map((column) => column.name)]);
  return [make("table", { class: "known" }, head, make("tbody", {}, ranked(moves, reading.turn).map(row)))];
}

// The panel, or a line that says why there is none.
export const library = {
  select: (state) => [hasLibrary(state), state.hello, state.language],
  draw(state, t) {
    const isThere = hasLibrary(state);
    byId("library").hidden = !isThere;
    byId("library-hint").hidden = isThere || !state.hello;
    const missing = isLocal ? "libraryNeedsServer" : "libraryHint";
    byId("library-hint").textContent = t(state.hello?.library ? "libraryContinuous" : missing);
  },
};

// Drawn when the library has answered for the shown position: until then the rows of the last one stay.
export const known = {
  select: (state) => [viewOf(state)?.library, state.settings.size, state.perspective, state.language],
  draw(state, t) {
    const found = libraryOf(state);
    if (!found) return;
    const reading = readingOf(state);
    byId("library-name").textContent = `${state.hello.library} · ${positionsText(found.positions, t)}`;
    byId("verdict").replaceChildren(...verdictParts(found, reading, t));
    byId("known").replaceChildren(...movesTable(found, reading, state.settings.size, t));
  },
};

export const comment = {
  select: (state) => [viewOf(state)?.library, state.draft, state.noting, state.language],
  draw(state, t) {
    byId("comment").placeholder = t("comment");
    const node = notedNode(state);
    const typed = state.draft?.node === node ? state.draft.text : null;
    // The known comment is that of the shown position.
    if (typed === null && node !== state.tree.here) return;
    const found = libraryOf(state);
    const text = typed ?? found?.position?.comment ?? "";
    // Setting the same text would move the cursor.
    if ((found || typed) && byId("comment").value !== text) byId("comment").value = text;
  },
};

export const labelField = {
  select: (state) => [state.labelled, state.labelling, state.settings.size, state.language],
  draw(state, t) {
    const { labelled, labelling, settings } = state;
    byId("labelling").setAttribute("aria-pressed", labelling);
    byId("label-hint").hidden = !labelling || labelled !== null;
    byId("label-form").hidden = labelled === null;
    if (labelled === null) return;
    const { node, point } = labelled;
    const own = node === state.tree.here && libraryOf(state)?.position?.marks.find(([other]) => other === point);
    byId("label-name").textContent = t("labelOf", t.point(point, settings.size));
    byId("label").value = own ? own[1] : "";
  },
};

const claimOf = (state) => libraryOf(state)?.position?.claim ?? null;

// Drawn with another position or claim: what a person has begun to enter stays meanwhile.
export const claimFields = {
  select: (state) => [viewOf(state)?.node, claimOf(state)?.winner, claimOf(state)?.moves],
  draw(state) {
    const claim = claimOf(state);
    byId("claim").winner.value = claim?.winner ?? "";
    byId("claim").moves.value = claim?.moves ?? "";
  },
};

// What became of the last change; before any change, why the library cannot be read.
const noteOf = (state) => {
  const error = viewOf(state)?.library?.error;
  return state.libraryNote ?? (error ? { text: error, isError: true } : { text: "", isError: false });
};

export const libraryNote = {
  select: (state) => [noteOf(state).text, noteOf(state).isError],
  draw(state) {
    const { text, isError } = noteOf(state);
    byId("library-note").textContent = text;
    byId("library-note").classList.toggle("bad", isError);
  },
};

export const saveFormats = {
  select: (state) => [state.hello, state.language],
  draw({ hello }, t) {
    const choice = (format) => make("button", { value: format }, `.${format} `, make("small", {}, t(`save ${format}`)));
    byId("formats").replaceChildren(...(hello?.formats ?? []).map(choice));
  },
};
