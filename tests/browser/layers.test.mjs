// Every layer of the board lies on the points that it means: each of these tests fails if its layer is shifted by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appears,
  centerOf,
  centers,
  click,
  close,
  count,
  openGame,
  parsed,
  placeOf,
  wait,
  waitForText,
} from "./driver.mjs";

const SIZE = 15;
const centerAt = (name) => centerOf(parsed(name, SIZE));

// The first two numbers of a path.
const starts = (page, selector) =>
  page.$$eval(selector, (paths) =>
    paths.map((path) =>
      path
        .getAttribute("d")
        .match(/[\d.]+/g)
        .map(Number),
    ),
  );

const distance = ([x1, y1], [x2, y2]) => Math.hypot(x1 - x2, y1 - y2);

test("forbidden points are crossed out", async () => {
  const page = await openGame("i8 a15 j8 o1 h7 a1 h6 o15", "renju");
  const [x, y] = centerAt("h8");
  const crosses = await starts(page, ".goban .forbidden");
  assert.deepEqual(
    crosses.map((numbers) => numbers.slice(0, 2)),
    [[x - 8, y - 8]],
  );
  await close(page);
});

test("the arrow of a threat leads to its stone", async () => {
  const page = await openGame("h8 i7 i8 h9 j8 g9 f8 i10 h7");
  await page.click("#threats");
  await waitForText(page, "#threat", "Black threatens");
  await appears(page, ".goban .arrow");
  const first = (await page.$eval("#threat", (sentence) => sentence.textContent)).match(/(?:from|at) ([a-o]\d+)/)[1];
  const [arrow] = await starts(page, ".goban .arrow");
  // It ends 30 units before the middle of the stone that it leads to.
  assert.ok(Math.abs(distance(arrow.slice(2, 4), centerAt(first)) - 30) < 0.5, `${arrow} to ${first}`);
  await close(page);
});

test("marks lie on their points, on stones and beside them", async () => {
  const page = await openGame("h8 i9");
  await page.click("#tab-moves");
  await page.click("#marking");
  for (const name of ["c4", "h8"]) await click(page, name);
  await wait(page, () => document.querySelectorAll(".goban .note-text").length === 2);
  assert.deepEqual(await centers(page, ".goban .note"), [centerAt("c4")]);
  const columns = await page.$$eval(".goban .note-text", (texts) => texts.map(({ x }) => x.baseVal[0].value));
  assert.deepEqual(new Set(columns), new Set([centerAt("c4")[0], centerAt("h8")[0]]));
  await close(page);
});

test("a point that is looked at is ringed, with its four windows", async () => {
  const page = await openGame("h8 i9");
  await page.click("#tab-points");
  await page.click("#look");
  await click(page, "g7");
  await appears(page, "#point table");
  assert.deepEqual(await centers(page, ".goban .marked"), [centerAt("g7")]);
  const lines = await page.$$eval(".goban .window", (all) =>
    all.map((line) => [line.x1, line.y1, line.x2, line.y2].map(({ baseVal }) => baseVal.value)),
  );
  // Windows reach four points to both sides.
  const [x, y] = centerAt("g7");
  assert.equal(lines.length, 4);
  for (const [x1, y1, x2, y2] of lines) assert.deepEqual([(x1 + x2) / 2, (y1 + y2) / 2], [x, y]);
  await close(page);
});

test("the pointer shows the stone of a click, and keys move a cursor", async () => {
  const page = await openGame("h8 i9");
  await page.mouse.move(...(await placeOf(page, parsed("d12", SIZE))));
  await appears(page, ".goban .next.black");
  assert.deepEqual(await centers(page, ".goban .next"), [centerAt("d12")]);
  await page.focus("#board");
  await page.keyboard.press("ArrowLeft");
  const [cursor] = await page.$$eval(".goban .cursor", (all) =>
    all.map(({ x, y, width, height }) => [
      x.baseVal.value + width.baseVal.value / 2,
      y.baseVal.value + height.baseVal.value / 2,
    ]),
  );
  assert.deepEqual(cursor, centerAt("h8"));
  assert.equal(await count(page, ".goban .cursor"), 1);
  await close(page);
});
