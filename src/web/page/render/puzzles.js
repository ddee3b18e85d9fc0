// The panel of puzzles: the task, how it goes, and what can be chosen.

import { byId, make, replaceParts } from "../dom.js";
import { depthOfPuzzle } from "../state/index.js";

// Rules that have built-in puzzles.
const RULES = ["freestyle", "standard", "renju"];

// The grades by the moves of the winner; 0 stands for all.
const GRADES = [0, 2, 3, 4, 5, 6];

const gradeText = (grade, t) => (grade === 0 ? t("allGrades") : t(grade === 6 ? "gradeMore" : "grade", grade));

export const puzzleChoice = {
  select: (state) => [state.puzzleRule, state.puzzleGrade, state.solved, state.language],
  draw({ puzzleRule, puzzleGrade, solved }, t) {
    const option = (value, text, chosen) => make("option", { value, selected: value === chosen }, text);
    byId("puzzle-rule").replaceChildren(...RULES.map((rule) => option(rule, t(rule), puzzleRule)));
    byId("puzzle-grade").replaceChildren(...GRADES.map((grade) => option(grade, gradeText(grade, t), puzzleGrade)));
    const count = solved.filter((id) => id.startsWith(`${puzzleRule}-`)).length;
    byId("puzzles-solved").textContent = t("puzzlesSolved", t.number(count));
  },
};

// The message about the puzzle. That of a shown solution follows the steps of the game.
function noteOf(state) {
  const { note, isShown, solution } = state.puzzle;
  return isShown ? { kind: "puzzleShown", fill: [Math.max(0, depthOfPuzzle(state)), solution.length] } : note;
}

function puzzleParts(state, t, actions) {
  const { puzzle, solved } = state;
  if (!puzzle) return [make("p", { class: "note" }, t("noPuzzle"))];
  const { id, rule, number, length, side, isSolved } = puzzle;
  const name = id ? t("puzzleName", t(rule).split(/[:：]/)[0], number) : t("puzzleOwn");
  const task = length ? t("puzzleTask", t(side), length) : t("puzzleTaskOpen", t(side));
  const button = (key, action, isDisabled = false) =>
    make("button", { "data-key": key, onclick: () => actions[action](), disabled: isDisabled }, t(key));
  const { kind, fill } = noteOf(state) ?? {};
  return [
    make("h2", {}, task),
    make("p", { class: "note" }, name, solved.includes(id) ? ` · ${t("puzzleDone")}` : ""),
    make("p", { class: `verdict ${isSolved ? "win" : ""}` }, kind ? t(kind, ...fill) : ""),
    make(
      "div",
      { class: "row" },
      button("puzzleHint", "puzzleHint", isSolved || puzzle.isShown),
      button("puzzleSolution", "puzzleSolution"),
      button("puzzleAgain", "restartPuzzle"),
      button("puzzleLeave", "leavePuzzle"),
      id && make("a", { href: `#puzzle=${id}` }, t("puzzleLink")),
    ),
  ];
}

export const puzzle = {
  select: (state) => [state.puzzle, state.solved, state.tree.here, state.language],
  draw: (state, t, actions) => replaceParts(byId("puzzle"), ...puzzleParts(state, t, actions)),
};
