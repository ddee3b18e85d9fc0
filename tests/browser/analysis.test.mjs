// What a search shows: candidates on the board, lines that play, the evaluation in words, as a bar and as a graph.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PATIENCE,
  appears,
  boxOf,
  centerOf,
  centers,
  click,
  close,
  count,
  listed,
  moves,
  openGame,
  parsed,
  paste,
  press,
  ready,
  settled,
  shot,
  text,
  wait,
  waitForText,
} from "./driver.mjs";

// A position without a forced win, black to move.
const QUIET = "h8 h9 g8 i8";

// Black has an open three and is to move.
const WON = "h8 a1 i8 a3 j8 a5";

async function analyse(page) {
  await page.click("#analyse");
  await wait(page, () => document.querySelectorAll("#lines-found .line").length === 3);
  await wait(page, () => Number.parseInt(document.querySelector("#facts dd").textContent, 10) >= 6);
  await page.click("#analyse");
}

const lineMoves = (page, place) =>
  page.$eval(`#lines-found .line:nth-child(${place})`, (line) =>
    [...line.querySelectorAll(".ply")].map((ply) => ply.textContent.trim()),
  );

const candidates = (page) =>
  page.$$eval(".goban .candidate", (marks) =>
    marks.map((mark) => ({
      at: mark.dataset.point,
      rank: mark.querySelector(".rank").textContent,
      value: mark.querySelector(".value").textContent,
      isBest: mark.classList.contains("best"),
      isPast: mark.classList.contains("past"),
    })),
  );

test("the panel of moves stays while a search reports", async () => {
  const page = await openGame(QUIET);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  await page.click("#tab-moves");
  await page.evaluate(() => (document.querySelector("#moves .tree").id = "drawn-before"));
  await appears(page, ".candidate");
  await wait(page, () => document.querySelector("#evaluation").textContent.includes("%"));
  assert.equal(await count(page, "#drawn-before"), 1);
  await page.click("#back");
  await settled(page, 3);
  assert.equal(await count(page, "#drawn-before"), 0);
  assert.equal(await text(page, "#moves [aria-current]"), "3g8");
  await close(page);
});

test("an analysis puts its candidates on the board, and a click plays one", async () => {
  const page = await openGame(QUIET);
  await page.click("#tab-analysis");
  await analyse(page);
  const found = await candidates(page);
  assert.deepEqual(
    found.map(({ rank }) => rank),
    ["1", "2", "3"],
  );
  assert.deepEqual(
    found.map(({ isBest }) => isBest),
    [true, false, false],
  );
  for (const [place, { at, value }] of found.entries()) {
    const [first] = await lineMoves(page, place + 1);
    assert.equal(at, parsed(first, 15).join(","));
    await page.hover(`.goban .candidate[data-point="${at}"] .plate`);
    const title = await page.$eval("#board", (board) => board.title);
    // The disc, its title and the line say the same.
    const said = await text(page, `#lines-found .line:nth-child(${place + 1}) .score`);
    assert.ok(title.startsWith(`${place + 1}. ${first}: ${said}`), `${title} ${said}`);
    assert.equal(said, `Black ${value} %`);
  }
  const plates = await centers(page, ".goban .candidate .plate");
  assert.deepEqual(plates[0], centerOf(found[0].at.split(",").map(Number)));
  await shot(page, "candidates");

  // The switch and its key take them away and bring them back.
  await page.click("#candidates");
  assert.equal(await count(page, ".goban .candidate"), 0);
  await page.keyboard.press("c");
  assert.equal(await count(page, ".goban .candidate"), 3);
  // An overlay, and a line under the pointer, hide them: no point has two meanings.
  await page.hover("#lines-found .line");
  await wait(page, () => document.querySelector(".goban .ghost") !== null);
  assert.equal(await count(page, ".goban .candidate"), 0);
  await page.mouse.move(5, 5);

  await press(page, found[1].at.split(",").map(Number));
  await settled(page, 5);
  const [second] = await lineMoves(page, 2);
  assert.equal(await moves(page), `${QUIET} ${second}`);
  // They return with their position.
  await page.keyboard.press(",");
  await settled(page, 4);
  assert.equal(await count(page, ".goban .candidate"), 3);
  await close(page);
});

test("a move of a line plays up to there, and a line is kept as a variation", async () => {
  const page = await openGame(`${QUIET} i9`);
  await page.keyboard.press(",");
  await settled(page, 4);
  await page.click("#tab-analysis");
  await analyse(page);
  const line = await lineMoves(page, 1);
  await page.click("#lines-found .line:first-child .keep");
  assert.equal(await moves(page), QUIET, "the shown position stays");
  const variation = (await listed(page)).slice(4);
  assert.deepEqual(variation.includes("i9"), true);
  for (const move of line.slice(0, 2)) assert.ok(variation.includes(move), `${move} of ${variation}`);
  // What comes next is still the move of the game.
  await page.keyboard.press(".");
  await settled(page, 5);
  assert.equal(await moves(page), `${QUIET} i9`);
  await page.keyboard.press(",");
  await settled(page, 4);

  await page.click("#tab-analysis");
  await page.click("#lines-found .line:first-child .ply:nth-child(2)");
  await wait(page, () => document.querySelector("#place").textContent.startsWith("6 /"));
  await ready(page);
  assert.equal(await moves(page), `${QUIET} ${line.slice(0, 2).join(" ")}`);
  await close(page);
});

test("a win is told in moves of the winner, in words, on the bar and on the graph", async () => {
  const page = await openGame(WON);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  // The open four and the five: two moves of black, three plies.
  await waitForText(page, "#evaluation", "Black wins in 2");
  await page.click("#analyse");
  const bar = () => page.$eval("#evaluation-bar i", (fill) => fill.style.height || getComputedStyle(fill).height);
  const whole = await page.$eval("#evaluation-bar", (bar) => `${bar.clientHeight}px`);
  await wait(page, (whole) => getComputedStyle(document.querySelector("#evaluation-bar i")).height === whole, whole);
  assert.equal(await bar(), whole);
  assert.equal(await page.$eval("#evaluation-bar", (bar) => bar.getAttribute("aria-label")), "Black wins in 2");
  const dots = () => page.$$eval("#graph .dot", (all) => all.map((dot) => dot.cy.baseVal.value));
  assert.deepEqual(await dots(), [4], "the top is black's");
  await shot(page, "win");

  // From the side to move a chance is its own; here white follows.
  await click(page, "g8");
  await settled(page, 7);
  await page.click("#analyse");
  await waitForText(page, "#evaluation", "Black wins in 1");
  await page.click("#analyse");
  await page.click("#perspective");
  assert.equal(await text(page, "#graph-top"), "White");
  assert.ok((await dots()).every((y) => y > 90));
  await close(page);
});

test("the graph shows a position under the pointer, and a click goes there", async () => {
  const page = await openGame("h8 h9 g8 i8 i9 g9 g7 j9 f6 e5 f8 e8");
  // Twelve moves fill the width, without the margins.
  const { left, top, width } = await boxOf(page, "#graph svg");
  const at = [left + ((6 + 3 * 50) * width) / 612, top + 20];
  await page.mouse.move(...at);
  await wait(page, () => document.querySelectorAll(".goban .stone").length === 3);
  assert.equal(await text(page, "#place"), "12 / 12", "the game stays where it is");
  assert.match(await text(page, "#evaluation"), /^3\. g8/);
  await page.mouse.move(5, 5);
  await wait(page, () => document.querySelectorAll(".goban .stone").length === 12);
  await page.mouse.click(...at);
  await settled(page, 3);
  assert.equal(await moves(page), "h8 h9 g8");
  await close(page);
});

test("nodes and time go on while no depth is finished", async () => {
  const page = await openGame(QUIET);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  await wait(page, () => document.querySelectorAll("#facts dd").length === 4);
  // Depths at this position take longer than a quarter of a second: most of these values come between two of them.
  const facts = () => page.$$eval("#facts dd", (values) => values.map((value) => value.textContent));
  const ticks = new Map();
  for (const end = Date.now() + PATIENCE; ![...ticks.values()].some((nodes) => nodes.size >= 4);) {
    assert.ok(Date.now() < end, `${[...ticks.values()].map(({ size }) => size)}`);
    const [depth, nodes] = await facts();
    ticks.set(depth, (ticks.get(depth) ?? new Set()).add(nodes));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await page.click("#analyse");
  await close(page);
});

test("a review names the moves that lost, the better ones, and each side's accuracy", async () => {
  const page = await openGame();
  // Both sides have an open three. Black, who could win at once, plays elsewhere, and white wins.
  const game = "h8 h4 i8 i4 j8 j4 a1 k4";
  await paste(page, game);
  await settled(page, 8);
  await page.click("#tab-review");
  assert.match(await text(page, "#accuracy"), /Review the game/);
  await page.click("#review");
  // The page can be used meanwhile.
  await page.keyboard.press(",");
  await settled(page, 7);
  await wait(page, () => document.querySelector("#progress").hidden === true);
  const missed = "#faults .fault.missed";
  assert.equal(await count(page, missed), 1);
  assert.match(await text(page, missed), /^7\. a1missed win/);
  assert.match(await text(page, `${missed} .score`), /^Black wins in 2$/);
  assert.match(await text(page, "#accuracy"), /^Accuracy: Black \d+ %, White \d+ %$/);
  await shot(page, "review");
  // The keys go from fault to fault, and a move of the better line is played from there.
  await page.keyboard.press("End");
  await settled(page, 8);
  await page.keyboard.press("[");
  await settled(page, 7);
  assert.match(await text(page, "#evaluation"), /^White wins in \d \(missed win\)$/);
  const best = await text(page, `${missed} .ply`);
  await page.click(`${missed} .ply`);
  await settled(page, 7);
  assert.equal(await moves(page), `h8 h4 i8 i4 j8 j4 ${best.trim()}`);
  // The review stays that of the game.
  assert.equal(await count(page, missed), 1);
  await close(page);
});
