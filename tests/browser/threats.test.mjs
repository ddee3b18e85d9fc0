// What is proved on the page: threats with the points that hold, hints, and why a point is forbidden.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  begin,
  centerOf,
  click,
  close,
  count,
  moves,
  open,
  openGame,
  parsed,
  paste,
  seen,
  settled,
  shot,
  text,
  wait,
  waitForText,
  watch,
} from "./driver.mjs";

// The points that the board shades.
const shaded = (page) =>
  page.$$eval(".goban .holding", (squares) =>
    squares.map((square) => [square.x.baseVal.value + 18, square.y.baseVal.value + 18].join()),
  );

const centresOf = (names, size = 15) => names.map((name) => centerOf(parsed(name, size)).join());

test("the threat of the other side is drawn with every point that stops it", async () => {
  const page = await openGame();
  // Black has an open three, and white is to move.
  await paste(page, "h8 a15 i8 h1 j8");
  await settled(page, 5);
  await page.click("#tab-analysis");
  await page.click("#threats");
  await waitForText(page, "#threat", "White stops it at");
  assert.match(
    await text(page, "#threat"),
    /^Black threatens to win by fours from [gk]8\. White stops it at g8, k8\.$/,
  );
  assert.deepEqual((await shaded(page)).sort(), centresOf(["g8", "k8"]).sort());
  const arrows = await page.$$eval(".goban .arrow", (all) => all.map((arrow) => arrow.dataset.number));
  assert.deepEqual(arrows, ["1"]);
  // The first stone of the threat is the attacker's.
  assert.equal(await page.$eval(".goban .ghost", (stone) => stone.classList.contains("black")), true);
  assert.equal(await text(page, "#spoken"), await text(page, "#threat"));
  await shot(page, "threats");
  // The same key takes it away, and a move does too.
  await page.keyboard.press("x");
  assert.equal(await count(page, ".goban .arrow"), 0);
  assert.equal(await text(page, "#threat"), "");
  await page.keyboard.press("x");
  await waitForText(page, "#threat", "White stops it at");
  await click(page, "k8");
  await settled(page, 6);
  assert.equal(await count(page, ".goban .arrow"), 0);
  await page.keyboard.press("x");
  await waitForText(page, "#threat", "If you passed, White would have no forced win.");
  await close(page);
});

test("a hint shows the best moves and plays none", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "0", nodes: "2000" });
  await click(page, "h8");
  await settled(page, 2);
  // The button is down for a second.
  await watch(page, "#hint[aria-pressed=true]");
  await page.keyboard.press("h");
  await seen(page);
  await wait(page, () => document.querySelector("#hint[aria-pressed=false]") !== null);
  await wait(page, () => document.querySelector(".goban .candidate.best:not(.past)") !== null);
  assert.equal(await text(page, "#place"), "2 / 2");
  // An analysis goes on after a hint, and a threat stays beside it.
  await page.click("#tab-analysis");
  await page.click("#analyse");
  await watch(page, "#hint[aria-pressed=true]");
  await page.keyboard.press("h");
  await seen(page);
  await wait(page, () => document.querySelector("#hint[aria-pressed=false]") !== null);
  await wait(page, () => {
    const facts = [...document.querySelectorAll("#facts dd")].map((fact) => Number.parseFloat(fact.textContent));
    return facts.at(-1) > 1.5 && facts[0] > 1;
  });
  await page.keyboard.press("x");
  await waitForText(page, "#threat", "would have no forced win");
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.match(await text(page, "#threat"), /would have no forced win/);
  await close(page);
});

// Black's threes in the row and in the file of h8 meet there.
const DOUBLE_THREE = "i8 a15 j8 o1 h7 a1 h6 o15";

test("a forbidden point explains itself before it is played", async () => {
  const page = await openGame(DOUBLE_THREE, "renju");
  await click(page, "h8");
  await waitForText(page, "#question", "Forbidden: double three. Play it and lose?");
  const rows = await page.$$eval(".goban .foul-row", (all) =>
    all.map((row) => [row.x1, row.y1, row.x2, row.y2].map(({ baseVal }) => baseVal.value)),
  );
  const row = (from, to) => [from, to].flatMap((name) => centerOf(parsed(name, 15)));
  assert.deepEqual(new Set(rows.map(String)), new Set([row("h8", "j8"), row("h8", "h6")].map(String)));
  await shot(page, "foul");
  await page.click("#question .primary");
  assert.equal(await count(page, ".goban .foul-row"), 0);
  assert.equal(await moves(page), DOUBLE_THREE);
  // Another move is played without a question.
  await click(page, "h8");
  await waitForText(page, "#question", "Forbidden");
  await click(page, "c3");
  await settled(page, 9);
  assert.equal(await page.$eval("#question", (question) => question.hidden), true);
  await page.keyboard.press("t");
  await settled(page, 8);
  await click(page, "h8");
  await waitForText(page, "#question", "Forbidden");
  await page.click("#question button:not(.primary)");
  await waitForText(page, "#status", "White wins by a forbidden move: double three");
  await close(page);
});

test("a strict game asks nothing", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15", strict: true });
  for (const [place, move] of DOUBLE_THREE.split(" ").entries()) {
    await click(page, move);
    await settled(page, place + 1);
  }
  await click(page, "h8");
  await waitForText(page, "#status", "White wins by a forbidden move: double three");
  await close(page);
});

test("the reasons of a move are told in sentences with lines that are drawn and played", async () => {
  const page = await openGame("h8 a15 i8 h1 j8 k8");
  await page.click("#tab-analysis");
  await waitForText(page, "#why", "It stops the open three h8–j8.");
  assert.match(await text(page, "#why h2"), /^Why k8/);
  // What black would have done begins with its own stone, on the position before the move.
  await page.hover("#why [data-fact='0'] .ply");
  await wait(page, () => document.querySelectorAll(".goban .ghost").length === 1);
  assert.equal(await page.$eval(".goban .ghost", (stone) => stone.classList.contains("black")), true);
  assert.equal(await count(page, ".goban .stone:not(.ghost)"), 5);
  await shot(page, "why");
  await page.mouse.move(5, 5);
  await wait(page, () => document.querySelector(".goban .ghost") === null);

  // A blunder says what it loses to, and a click plays up to there.
  await page.keyboard.press(",");
  await settled(page, 5);
  await click(page, "a1");
  await settled(page, 6);
  await waitForText(page, "#why", "It loses: Black wins in 2 by fours.");
  const line = await page.$$eval("#why [data-fact='0'] .ply", (all) => all.map((ply) => ply.textContent.trim()));
  assert.equal(line[0], "a1");
  await page.click("#why [data-fact='0'] .ply:nth-child(2)");
  await settled(page, 7);
  assert.equal(await moves(page), `h8 a15 i8 h1 j8 a1 ${line[1]}`);
  await close(page);
});
