// The picture of the board: rank labels, star points, search lines, overlays.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
  TENGEN_ENGINE,
  begin,
  centerOf,
  centers,
  click,
  close,
  count,
  listed,
  open,
  openGame,
  parsed,
  press,
  settled,
  shot,
  text,
  wait,
  waitForText,
} from "./driver.mjs";

test("ranks count from the bottom, and the row of y = 0 is drawn at the top", async () => {
  const page = await open();
  const labels = () =>
    page.$$eval(".goban .labels text", (texts) =>
      texts.map((text) => ({ name: text.textContent, y: text.getBoundingClientRect().y })),
    );
  for (const [side, corner, point] of [
    ["15", "a15", "h9"],
    ["20", "a20", "h14"],
  ]) {
    await begin(page, { one: "human", two: "human", rule: "freestyle", size: side });
    const ranks = (await labels()).filter(({ name }) => /^\d/.test(name)).sort((a, b) => a.y - b.y);
    const expected = Array.from({ length: Number(side) }, (_, row) => String(side - row));
    assert.deepEqual(
      ranks.map(({ name }) => name),
      expected,
    );
    await press(page, [0, 0]);
    await settled(page, 1);
    assert.equal(await text(page, "#spoken"), `Black plays ${corner}`);
    await press(page, [7, 6]);
    await settled(page, 2);
    assert.equal(await text(page, "#spoken"), `White plays ${point}`);
    assert.deepEqual(await listed(page), [corner, point]);
  }
  await page.focus("#board");
  await page.keyboard.press("ArrowDown");
  assert.match(await text(page, "#spoken"), /^h13 empty/);
  await shot(page, "twenty");
  await close(page);
});

test("a board has the star points of its size", async () => {
  const page = await open();
  for (const [side, stars] of [
    ["5", 1],
    ["9", 5],
    ["15", 5],
    ["19", 9],
    ["20", 4],
  ]) {
    await begin(page, { one: "human", two: "human", rule: "freestyle", size: side });
    assert.equal(await count(page, ".goban .lines circle"), stars, side);
    if (side === "19") await shot(page, "nineteen");
  }
  await close(page);
});

// The colors of the stones on the board: the stones of the game, and those of a displayed line.
const stones = (page) =>
  page.evaluate(() => {
    const colors = (selector) =>
      [...document.querySelectorAll(selector)].map((stone) => (stone.classList.contains("black") ? "black" : "white"));
    return { game: colors(".goban .stone:not(.ghost)"), line: colors(".goban .stone.ghost") };
  });

test("a line is drawn on the searched position while the pointer is on it", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "0", nodes: "20000" });
  await click(page, "h8");
  await settled(page, 2);
  assert.deepEqual((await stones(page)).game, ["black", "white"]);
  await page.hover("#search .line");
  await wait(page, () => document.querySelector(".goban .ghost") !== null);
  // The engine has answered for white, so its line begins with its own stone.
  const shown = await stones(page);
  assert.deepEqual(shown.game, ["black"]);
  assert.deepEqual(shown.line.slice(0, 2), ["white", "black"].slice(0, shown.line.length));
  const first = (await text(page, "#search .pv")).split(" ")[0];
  assert.deepEqual((await centers(page, ".goban .ghost .disc"))[0], centerOf(parsed(first, 15)));
  await shot(page, "line");
  await page.mouse.move(5, 5);
  await wait(page, () => document.querySelector(".goban .ghost") === null);
  assert.deepEqual((await stones(page)).game, ["black", "white"]);

  // The ring disappears with the row under the pointer, even if the row is removed first.
  await page.click("#tab-points");
  await page.hover("#move-weights tr[data-point]");
  await wait(page, () => document.querySelector(".goban .marked") !== null);
  await page.keyboard.press(",");
  await settled(page, 1);
  assert.equal(await count(page, ".goban .marked"), 0);
  assert.equal(await count(page, "#move-weights tr"), 0);
  await close(page);
});

test("a forced win is shown move by move", async () => {
  const page = await openGame();
  // A four and its reply come before the open four.
  const game = ["h8", "a1", "i8", "g8", "j8", "a3", "k6", "a5", "k7", "a7"];
  for (const [place, point] of game.entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  await page.click("#vcf");
  await waitForText(page, "#proof", "VCF: Black wins in 3");
  assert.equal((await stones(page)).line[0], "black");
  const length = await count(page, "#proof .chip");
  await page.hover("#proof .chip");
  await wait(page, () => document.querySelectorAll(".goban .ghost").length === 1);
  assert.equal(await text(page, "#proof output"), `1/${length}`);
  // A click plays up to there.
  await page.click("#proof .chip:nth-child(2)");
  await settled(page, 12);
  assert.equal(await count(page, ".goban .ghost"), 0);
  // A new game leaves nothing of a proof that is shown.
  await page.keyboard.press(",");
  await settled(page, 11);
  await page.click("#vct");
  await waitForText(page, "#proof", "VCT: ");
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15" });
  assert.equal(await count(page, ".goban .stone"), 0);
  assert.equal(await text(page, "#proof"), "");
  await close(page);
});

// The overlay numbers on the board, keyed by point "x,y".
const drawn = (page) =>
  page.$$eval(".goban .value", (values) =>
    values.map((value) => [
      (value.getAttribute("x") - 42) / 40,
      (value.getAttribute("y") - 46.5) / 40,
      value.textContent,
    ]),
  );

test("an overlay shows what WEIGHTS prints", async () => {
  const page = await openGame("", "renju");
  const game = ["h8", "i9", "i8", "j8", "g8"];
  for (const [place, point] of game.entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  await page.click("#tab-points");
  const stones = game.map((point, ply) => `${parsed(point, 15)},${ply % 2 === 1 ? 1 : 2}`);
  for (const weighting of ["shapes", "decimal", "windows", "grades", "counts", "runs"]) {
    const lines = ["START 15", "INFO rule 4", `INFO weights ${weighting}`, "YXBOARD", ...stones, "DONE", "WEIGHTS"];
    const input = [...lines, "END", ""].join("\n");
    const printed = execFileSync(TENGEN_ENGINE, [], { input, encoding: "utf8" });
    const rows = [...printed.matchAll(/^MESSAGE WEIGHT (\d+),(\d+) (-?\d+) (-?\d+) (-?\d+)$/gm)];
    assert.ok(rows.length > 100, printed.slice(0, 300));
    await page.select("#weighting", weighting);
    for (const [column, kind] of [
      [3, "attack"],
      [4, "defence"],
      [5, "total"],
    ]) {
      await page.select("#overlay", kind);
      await waitForText(page, "#legend", `${kind} of ${weighting} for White`);
      const expected = rows.filter((row) => Number(row[column]) !== 0);
      const shown = new Map((await drawn(page)).map(([x, y, value]) => [`${x},${y}`, value]));
      assert.equal(shown.size, expected.length, `${weighting} ${kind}`);
      for (const row of expected) {
        const value = shown.get(`${row[1]},${row[2]}`);
        // Large numbers are abbreviated: 12400 is shown as 12k.
        const isRight = Math.abs(row[column]) < 10000 ? value === row[column] : /^-?\d+(\.\d)?[kMGT]$/.test(value);
        assert.ok(isRight, `${weighting} ${kind} ${row[0]}: ${value}`);
      }
    }
  }
  await page.keyboard.press("Tab");
  await page.select("#overlay", "black");
  await wait(page, () =>
    [...document.querySelectorAll(".goban .value")].some(({ textContent }) => textContent === "4"),
  );
  await page.select("#overlay", "total");
  await page.select("#weighting", "shapes");
  await page.click("#look");
  await click(page, "f8");
  await wait(page, () => document.querySelectorAll(".goban .spine").length === 4);
  await shot(page, "overlay");
  await close(page);
});
