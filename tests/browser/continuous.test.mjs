// Continuous games: a five turns into walls, and the game goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DESK,
  PHONE,
  begin,
  click,
  close,
  count,
  faults,
  fits,
  hasTrouble,
  listed,
  needsServer,
  open,
  over,
  paste,
  push,
  ready,
  resize,
  saved,
  setting,
  settled,
  shot,
  size,
  text,
  wait,
  waitForText,
} from "./driver.mjs";

const sides = (page) => page.$$eval(".player span", (cards) => cards.map((card) => card.textContent));
const walls = (page) => count(page, ".goban .wall");

test("a continuous game goes on past a five, undoes it and survives a reload", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", continuous: true, clock: "5" });
  assert.deepEqual(await sides(page), ["Black · fives: 0", "White · fives: 0"]);
  const game = ["g8", "h9", "h8", "i9", "i8", "j9", "j8", "k9", "k8"];
  for (const [place, point] of game.entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  assert.equal(await walls(page), 5);
  assert.match(await text(page, "#status"), /^Black makes a five · Your move \(White\)/);
  assert.equal(await text(page, "#spoken"), "Black plays k8, Black makes a five; fives: Black 1, White 0");
  const label = await page.$eval("#board", (board) => board.getAttribute("aria-label"));
  assert.match(label, /continuous, fives: Black 1, White 0\. White to move/);
  await click(page, "h8");
  assert.equal(await text(page, "#spoken"), "h8 is taken");
  await page.focus("#board");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#spoken"), "i8 wall");
  await click(page, "l9");
  await settled(page, 10);
  assert.deepEqual([await walls(page), ...(await sides(page))], [10, "Black · fives: 1", "White · fives: 1"]);

  // Undo both fives, redo them, then play a variation without them.
  for (const left of [9, 8]) {
    await page.click("#takeback");
    await settled(page, left);
  }
  assert.deepEqual([await walls(page), ...(await sides(page))], [0, "Black · fives: 0", "White · fives: 0"]);
  await click(page, "a1");
  await settled(page, 9);
  assert.equal(await walls(page), 0);
  await page.click("#vcf");
  await waitForText(page, "#proof", "VCF: White makes a five in 1");
  await listed(page);
  await push(page, "#moves .move");
  await settled(page, 1);
  // The move of the game comes before the line that was taken back.
  await push(page, "#moves .move", 9);
  await settled(page, 9);
  await page.click("#last");
  await settled(page, 10);
  assert.equal(await walls(page), 10);

  await page.reload();
  await ready(page);
  assert.deepEqual([await walls(page), ...(await sides(page))], [10, "Black · fives: 1", "White · fives: 1"]);
  await page.click("#tab-points");
  await page.select("#overlay", "total");
  await waitForText(page, "#legend", "total of shapes for Black");
  for (const [viewport, name] of [
    [DESK, "desk"],
    [PHONE, "phone"],
  ]) {
    await resize(page, viewport);
    await shot(page, `continuous-${name}`);
    assert.deepEqual(await faults(page), [], name);
    assert.ok(await fits(page), name);
    await page.click("#new");
    assert.equal(await page.$eval("#dialog-new [name=continuous]", (box) => box.checked), true);
    await shot(page, `continuous-${name}-new`);
    await page.click("#dialog-new [value=cancel]");
    await page.click("#export");
    assert.match(await text(page, "#export-note:not([hidden])"), /tick “Continuous” when you open them again/);
    await shot(page, `continuous-${name}-save`);
    await page.click("#dialog-export [value=cancel]");
  }
  await resize(page, DESK);
  await page.select("#overlay", "none");
  await page.keyboard.press("n");
  await shot(page, "continuous-numbers");
  await setting(page, "contrast", "high");
  await shot(page, "continuous-contrast");
  await setting(page, "language", "zh");
  assert.deepEqual(await sides(page), ["黑方 · 五连：1", "白方 · 五连：1"]);
  await shot(page, "continuous-chinese");
  // Squares of walls in the saved picture. The rings of the last five are squares as well.
  const picture = String(await saved(page, "svg", "svg"));
  assert.equal(picture.match(/<rect [^>]*width="36"/g).length, 15);
  await close(page);
});

test("engines play a continuous game until the board is full", { skip: needsServer }, async () => {
  const page = await open();
  const engines = { one: "engine:Other", two: "greedy:runs" };
  await begin(page, { ...engines, rule: "freestyle", size: "11", continuous: true, turn: "0.1" });
  await over(page);
  assert.match(await text(page, "#place"), /^121 /);
  const [black, white] = (await sides(page)).map((side) => Number(/\d+$/.exec(side)[0]));
  assert.ok(black + white > 0, "a five is made");
  const winner = black > white ? "Black" : "White";
  const wins = new RegExp(`${winner} wins with fives ${Math.max(black, white)} to ${Math.min(black, white)}`);
  assert.match(await text(page, "#status"), black === white ? /Draw/ : wins);
  assert.equal(await hasTrouble(page), false);
  await shot(page, "continuous-full");
  await close(page);
});

test("a list of moves is opened with the rule, the size and the game of the dialog", async () => {
  const page = await open();
  const values = { size: "13", rule: "renju", continuous: true };
  await paste(page, "a1 b1 a2 b2 a3 b3 a4 b4 a5 h8", values);
  await settled(page, 10);
  assert.equal(await size(page), 13);
  await wait(page, () => document.querySelector("#board").getAttribute("aria-label").includes("Renju"));
  assert.match(await page.$eval("#board", (board) => board.getAttribute("aria-label")), /13 × 13, Renju.*continuous/);
  assert.equal(await walls(page), 5);
  await close(page);
});
