// Games: against Tengen, between engines, by keys, with an opening procedure.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appears,
  begin,
  click,
  close,
  count,
  hasTrouble,
  listed,
  moves,
  needsServer,
  open,
  openGame,
  over,
  paste,
  push,
  ready,
  seen,
  settled,
  shot,
  text,
  wait,
  waitForText,
  waitForTrouble,
  watch,
} from "./driver.mjs";

const placed = async (page) => Number((await text(page, "#place")).split(" ")[0]);

test("a game against the weights is played to its end with the mouse", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:runs", rule: "freestyle", size: "15" });
  // Black plays the recommended point of the analysis, move by move, until one side has won.
  await page.click("#analyse");
  for (let played = 0; played < 60; played = await placed(page)) {
    await wait(
      page,
      () =>
        /wins/.test(document.querySelector("#status").textContent) || document.querySelectorAll("#search .line").length,
    );
    if (/wins/.test(await text(page, "#status"))) break;
    await click(page, (await text(page, "#search .pv")).split(" ")[0]);
    await wait(
      page,
      (played) =>
        (document.querySelector("#place").textContent.startsWith(`${played + 2} /`) ||
          /wins/.test(document.querySelector("#status").textContent)) &&
        document.querySelector("#board[aria-busy=false]") !== null,
      played,
    );
  }
  assert.match(await text(page, "#status"), /wins by five in a row/);
  assert.ok((await count(page, ".goban .ring")) >= 5);
  await shot(page, "end");
  await close(page);
});

test("two engines play each other, and a variation is a branch of the tree", async () => {
  const page = await open();
  await begin(page, { one: "greedy:shapes", two: "greedy:runs", rule: "freestyle", size: "15" });
  await over(page);
  const length = await placed(page);
  assert.ok(length > 9, `${length}`);
  await page.click("#first");
  await settled(page, 0);
  await page.click("#forward");
  await settled(page, 1);
  await click(page, "a1");
  await over(page);
  await page.click("#tab-moves");
  assert.equal(await count(page, ".variation"), 1);
  await shot(page, "moves");
  await close(page);
});

test("between two engines, take back undoes one move", async () => {
  const page = await open();
  await begin(page, { one: "greedy:shapes", two: "greedy:runs", rule: "freestyle", size: "15" });
  await over(page);
  const length = await placed(page);
  await page.click("#takeback");
  await settled(page, length - 1);
  await page.click("#takeback");
  await settled(page, length - 2);
  await close(page);
});

test("a variation is removed with all that follows it", async () => {
  const page = await openGame();
  await click(page, "h8");
  await settled(page, 1);
  await page.click("#takeback");
  await settled(page, 0);
  await click(page, "c3");
  await settled(page, 1);
  // The move of the game comes before the one that was taken back.
  assert.deepEqual(await listed(page), ["c3", "h8"]);
  await push(page, ".variation .remove");
  await waitForText(page, ".variation .remove", "Remove?");
  await push(page, ".variation .remove");
  await settled(page, 1);
  assert.deepEqual(await listed(page), ["c3"]);
  await close(page);
});

test("every position of a game is searched, and the progress bar closes at the end", async () => {
  const page = await openGame();
  for (const [place, point] of ["h8", "i9", "h7"].entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  const isShown = () => page.$eval("#progress", (progress) => !progress.hidden);
  assert.equal(await isShown(), false);
  await page.click("#tab-review");
  await watch(page, "#progress:not([hidden])");
  await page.click("#review");
  await seen(page);
  await wait(page, () => document.querySelector("#progress").hidden);
  // Cancelled by its button, and by a move. The review of three moves takes less than a second.
  const shown = await page.evaluate(() =>
    ["#review", "#cancel"].map((button) => {
      document.querySelector(button).click();
      return !document.querySelector("#progress").hidden;
    }),
  );
  assert.deepEqual(shown, [true, false]);
  await settled(page, 3);
  await page.click("#review");
  await click(page, "j9");
  await settled(page, 4);
  assert.equal(await isShown(), false);
  await close(page);
});

test("the keyboard plays and names what lies under its cursor", async () => {
  const page = await openGame("", "renju");
  await page.focus("#board");
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#spoken"), /^h8 empty/);
  const isSeen = () => page.$eval(".goban .cursor", (cursor) => getComputedStyle(cursor).display !== "none");
  assert.ok(await isSeen());
  await page.keyboard.press("Enter");
  await settled(page, 1);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  assert.match(await text(page, "#spoken"), /^h8 Black/);
  await page.keyboard.press(",");
  await settled(page, 0);
  await page.keyboard.press(".");
  await settled(page, 1);
  await page.focus("#takeback");
  assert.ok(!(await isSeen()));
  await close(page);
});

test("arrow keys move the cursor and nothing else", async () => {
  const page = await openGame();
  await click(page, "h8");
  await settled(page, 1);
  await page.focus("#takeback");
  for (const key of ["ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  assert.equal(await moves(page), "h8");
  await page.focus("#board");
  await page.keyboard.press("ArrowLeft");
  assert.match(await text(page, "#spoken"), /^g8 empty/);
  await settled(page, 1);
  await close(page);
});

test("the centre of an empty board is played without a score", async () => {
  const page = await open();
  // A time limit long enough for an answer on a busy machine. Here the search needs almost none.
  await begin(page, { one: "search", two: "human", rule: "freestyle", size: "15", turn: "60" });
  await settled(page, 1);
  assert.equal(await moves(page), "h8");
  assert.equal(await count(page, "#graph .dot"), 0);
  await close(page);
});

test("an opening by Swap2 is negotiated by clicks with the engine", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:shapes", rule: "freestyle", procedure: "swap2", size: "15" });
  await waitForText(page, "#question", "3");
  for (const point of ["h8", "i9", "c3"]) await click(page, point);
  await page.click("#question .primary");
  // The engine chooses a color, or plays two stones and lets the opener choose.
  const isAgreed = () => document.querySelector("#player-black span").textContent === "Black";
  await wait(
    page,
    () =>
      document.querySelector("#player-black span").textContent === "Black" ||
      document.querySelectorAll(".goban .stone:not(.ghost)").length === 5,
  );
  if (!(await page.evaluate(isAgreed))) {
    await appears(page, "#question button");
    await page.click("#question button");
  }
  await wait(page, isAgreed);
  await wait(page, () => document.querySelector(".player.busy") === null);
  await close(page);
});

test("an engine negotiates an opening in a game that has only a clock", async () => {
  const page = await open();
  const clock = { procedure: "swap2", size: "15", turn: "0", clock: "5" };
  await begin(page, { one: "search", two: "human", rule: "freestyle", ...clock });
  await appears(page, "#question button");
  assert.equal(await count(page, ".goban .stone:not(.ghost)"), 3);
  assert.equal(await hasTrouble(page), false);
  await close(page);
});

test("an engine moves in a game that is opened after one that has only a clock", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", turn: "0", clock: "5" });
  await paste(page, "h8 i9");
  await settled(page, 2);
  await page.click("#move");
  await settled(page, 3);
  assert.equal(await hasTrouble(page), false);
  await close(page);
});

test("a dead engine is reported and the game is kept", { skip: needsServer }, async () => {
  const page = await open();
  await begin(page, { one: "human", two: "engine:Dead", rule: "freestyle", size: "15" });
  await click(page, "h8");
  await waitForTrouble(page);
  assert.match(await text(page, "#trouble span"), /Dead: exited with status 1/);
  await shot(page, "dead");
  assert.equal(await moves(page), "h8");
  await page.click("#trouble button");
  assert.equal(await hasTrouble(page), false);
  await click(page, "i9");
  await ready(page);
  await wait(page, () => document.querySelector("#place").textContent.startsWith("2 /"));
  await close(page);
});
