// Puzzles: one is solved with the mouse, a wrong move is taken back, hints and solutions are shown, links open them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  address,
  ask,
  begin,
  click,
  close,
  count,
  moves,
  named,
  open,
  openGame,
  paste,
  push,
  ready,
  settled,
  text,
  wait,
  waitForText,
} from "./driver.mjs";

const STATE = "#puzzle .verdict";

const press = (page, label) =>
  page.$$eval("#puzzle button", (all, label) => all.find((button) => button.textContent === label).click(), label);

// Opens the puzzle of a link, and returns the solution that the server gives.
async function openLink(page, rule, number) {
  await page.evaluate((hash) => (location.hash = hash), `#puzzle=${rule}-${number}`);
  await waitForText(page, "#puzzle h2", "to play and win in");
  await ready(page);
  const { puzzles } = await ask(page, { do: "puzzles", rule });
  const puzzle = puzzles[number - 1];
  const names = (list) => list.split(" ").map((point) => named(point.split(",").map(Number), 15));
  return { length: puzzle.length, before: names(puzzle.moves), solution: names(puzzle.solution) };
}

test("a paused game is still paused after a puzzle, also after a reload", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", clock: "1" });
  await click(page, "h8");
  await settled(page, 1);
  await page.keyboard.press("p");
  await waitForText(page, "#status", "Paused");
  await openLink(page, "freestyle", 1);
  assert.equal(await page.$eval("#takeback", (button) => button.disabled), true);
  await press(page, "Back to the game");
  await waitForText(page, "#status", "Paused");
  await openLink(page, "freestyle", 1);
  await page.evaluate(() => history.replaceState(null, "", location.pathname));
  await page.reload();
  await waitForText(page, "#status", "Paused");
  await close(page);
});

test("in a puzzle a move is taken back together with its answer", async () => {
  const page = await openGame();
  const { before, solution } = await openLink(page, "freestyle", 1);
  await click(page, solution[0]);
  await settled(page, before.length + 2);
  await page.click("#takeback");
  await settled(page, before.length);
  await click(page, solution[0]);
  await settled(page, before.length + 2);
  // A step back shows the position after the move, without another answer.
  await page.click("#back");
  await settled(page, before.length + 1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await settled(page, before.length + 1);
  assert.equal(await moves(page), [...before, solution[0]].join(" "));
  await close(page);
});

test("a puzzle is solved with the mouse, and a wrong move is taken back", async () => {
  const page = await openGame();
  await click(page, "h8");
  await settled(page, 1);
  const { length, before, solution } = await openLink(page, "freestyle", 1);
  assert.equal(await moves(page), before.join(" "));
  assert.match(await text(page, "#puzzle h2"), new RegExp(`(Black|White) to play and win in ${length}`));

  const used = new Set([...before, ...solution]);
  const wrong = ["a1", "a2", "o1", "o15"].find((name) => !used.has(name));
  await click(page, wrong);
  await waitForText(page, STATE, `${wrong} does not win by force`);
  await settled(page, before.length);
  assert.equal(await moves(page), before.join(" "));

  await press(page, "Give a hint");
  await waitForText(page, STATE, `It is in row ${solution[0].slice(1)}.`);
  await press(page, "Give a hint");
  await waitForText(page, STATE, `It is ${solution[0]}.`);

  // The person plays the moves of the solution; the page answers. The five ends it.
  await click(page, solution[0]);
  for (let played = 2; ; played += 2) {
    await wait(
      page,
      (selector, moves) =>
        document.querySelector(selector).textContent === "Solved." ||
        document.querySelector("#place").textContent.startsWith(`${moves} /`),
      STATE,
      before.length + played,
    );
    if ((await text(page, STATE)) === "Solved.") break;
    await ready(page);
    await press(page, "Give a hint");
    await wait(page, (selector) => document.querySelector(selector).textContent.startsWith("It is in row"), STATE);
    await press(page, "Give a hint");
    await wait(page, (selector) => /^It is [a-o]\d/.test(document.querySelector(selector).textContent), STATE);
    const next = (await text(page, STATE)).replace("It is ", "").replace(".", "");
    await click(page, next);
  }
  assert.equal(await text(page, "#puzzles-solved"), "Solved: 1");

  // The game is as it was, also after a reload.
  await press(page, "Back to the game");
  await settled(page, 1);
  assert.equal(await moves(page), "h8");
  assert.equal(await page.evaluate(() => location.hash), "");
  await page.reload();
  await settled(page, 1);
  await page.click("#tab-puzzles");
  assert.equal(await text(page, "#puzzles-solved"), "Solved: 1");
  await close(page);
});

test("a puzzle that opens over a shown proof puts it away, and the game returns", async () => {
  // Black has an open three.
  const page = await openGame("h8 a1 i8 a3 j8 a5");
  await page.click("#tab-analysis");
  await page.click("#vcf");
  await waitForText(page, "#proof", "VCF: Black wins in 2");
  await openLink(page, "renju", 1);
  assert.equal(await count(page, ".goban .ghost"), 0);
  assert.equal(await text(page, "#proof"), "");
  assert.equal(await page.$eval("#resign", (button) => button.disabled), true);
  await press(page, "Back to the game");
  await settled(page, 6);
  assert.equal(await moves(page), "h8 a1 i8 a3 j8 a5");
  await close(page);
});

test("a solution is shown move by move, and the next puzzle follows", async () => {
  const page = await open();
  const { before, solution } = await openLink(page, "renju", 2);
  for (let shown = 1; shown <= solution.length; shown++) {
    await press(page, "Show the solution");
    await settled(page, before.length + shown);
    assert.equal(await moves(page), [...before, ...solution.slice(0, shown)].join(" "));
    assert.equal(await text(page, STATE), `Move ${shown} of ${solution.length}`);
  }
  assert.equal(await text(page, "#puzzles-solved"), "Solved: 0");
  await page.click("#puzzle-next");
  await waitForText(page, "#puzzle .note", "Renju, puzzle 3");
  assert.equal(await page.evaluate(() => location.hash), "#puzzle=renju-3");
  await close(page);
});

test("a link opens a puzzle in a new page", async () => {
  const page = await open();
  await page.goto("about:blank");
  await page.goto(`${address}#puzzle=standard-1`);
  await waitForText(page, "#puzzle .note", "Standard, puzzle 1");
  await close(page);
});

test("a missed win of the review becomes a puzzle", async () => {
  const page = await openGame();
  // Both have an open three. Black does not make its four.
  const game = "h8 h5 i8 i5 j8 j5 o1 k5";
  await paste(page, game);
  await settled(page, 8);
  await page.click("#tab-review");
  // The panel may move while the position's facts arrive.
  await push(page, "#review");
  await waitForText(page, "#faults", "Solve it");
  await page.$$eval("#faults button", (all) => all.find((button) => button.textContent === "Solve it").click());
  await waitForText(page, "#puzzle", "A win that was missed in your game");
  await settled(page, 6);
  await click(page, "k8");
  await settled(page, 8);
  const taken = (await moves(page)).split(" ").at(-1);
  await click(page, taken === "g8" ? "l8" : "g8");
  await waitForText(page, STATE, "Solved.");
  await press(page, "Back to the game");
  await settled(page, 8);
  assert.equal(await moves(page), game);
  assert.equal(await count(page, "#puzzle .verdict"), 0);
  await close(page);
});
