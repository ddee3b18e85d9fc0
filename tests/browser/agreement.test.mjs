// Levels, draws and resignations, the way back to the game, and the theme.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  IS_FIREFOX,
  begin,
  chooseInMenu,
  click,
  close,
  count,
  listed,
  moves,
  open,
  openGame,
  over,
  paste,
  prefer,
  ready,
  saved,
  seen,
  setting,
  settled,
  shot,
  text,
  waitForMoves,
  waitForText,
  watch,
} from "./driver.mjs";

test("every level answers, and the weaker ones at once", async () => {
  const page = await open();
  for (const level of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    await begin(page, { one: "human", two: `level:${level}`, rule: "freestyle", size: "15", turn: "5" });
    await click(page, "h8");
    await settled(page, 2);
    assert.equal(await text(page, "#player-white b"), `Tengen ${level}`);
  }
  await close(page);
});

test("a draw between two persons is offered, declined and accepted", async () => {
  const page = await openGame("h8 h9");
  await chooseInMenu(page, "offerdraw");
  await waitForText(page, "#question", "Black offers a draw. White, do you accept?");
  await watch(page, "#trouble", /White declines the draw\./);
  await page.click("#question button:nth-of-type(2)");
  await seen(page);
  await click(page, "i8");
  await settled(page, 3);
  await chooseInMenu(page, "offerdraw");
  await waitForText(page, "#question", "White offers a draw");
  await shot(page, "draw");
  await page.click("#question button");
  await waitForText(page, "#status", "Draw by agreement");
  // Taken back, the game goes on, and a third offer is not possible.
  await page.click("#takeback");
  await settled(page, 2);
  assert.equal(await page.$eval("#offerdraw", (button) => button.disabled), true);
  await close(page);
});

test("an engine that is winning declines a draw, and a person may resign", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "level:9", rule: "freestyle", size: "15" });
  for (const [place, move] of ["a1", "a15", "o1"].entries()) {
    await click(page, move);
    await settled(page, 2 * place + 2);
  }
  await watch(page, "#trouble", /White declines the draw\./);
  await chooseInMenu(page, "offerdraw");
  await seen(page);
  assert.equal(await text(page, "#place"), "6 / 6");
  await chooseInMenu(page, "resign");
  await waitForText(page, "#status", "White wins by resignation");
  await page.reload();
  await ready(page);
  await waitForText(page, "#status", "White wins by resignation");
  await close(page);
});

test("a game that is lost after a move was taken back is saved up to its result", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", moveTime: "5" });
  for (const [place, move] of ["h8", "i9"].entries()) {
    await click(page, move);
    await settled(page, place + 1);
  }
  await page.click("#takeback");
  await over(page);
  await waitForText(page, "#status", "Black wins on time");
  const sgf = String(await saved(page, "sgf", "sgf"));
  assert.match(sgf, /RE\[B\+T\]/);
  // One stone, two players, and the number of a loss on time.
  assert.match(String(await saved(page, "psq", "psq")), /^Piskvorky 15x15, 11:11, 0\n8,8,\d+\nYou\nYou\n15\n/);
  assert.equal(String(await saved(page, "text", "txt")), "h8\n");
  // The file says where the game ended.
  await paste(page, sgf);
  await waitForText(page, "#status", "Black wins on time");
  assert.equal(await text(page, "#place"), "1 / 2");
  await close(page);
});

test("a person resigns in the last position of the game and not in an earlier one", async () => {
  const page = await openGame("h8 h9 i8");
  const isDisabled = (id) => page.$eval(`#${id}`, (button) => button.disabled);
  assert.deepEqual([await isDisabled("resign"), await isDisabled("offerdraw")], [false, false]);
  await page.keyboard.press(",");
  await settled(page, 2);
  assert.deepEqual([await isDisabled("resign"), await isDisabled("offerdraw")], [true, true]);
  await page.keyboard.press(".");
  await settled(page, 3);
  await chooseInMenu(page, "resign");
  await waitForText(page, "#status", "Black wins by resignation");
  await close(page);
});

test("a button leads from a variation back to the game", async () => {
  const page = await openGame("h8 h9 i8 i9");
  const isHidden = () => page.$eval("#backtogame", (button) => button.hidden);
  assert.equal(await isHidden(), true);
  await page.keyboard.press(",");
  await settled(page, 3);
  await click(page, "g8");
  await settled(page, 4);
  await click(page, "g9");
  await settled(page, 5);
  await page.click("#backtogame");
  await settled(page, 3);
  assert.equal(await moves(page), "h8 h9 i8");
  assert.equal(await isHidden(), true);
  // The game goes on from there, not the variation.
  await page.keyboard.press(".");
  await settled(page, 4);
  assert.equal(await moves(page), "h8 h9 i8 i9");
  await close(page);
});

test("the theme is that of the system until a person chooses one", { skip: IS_FIREFOX }, async () => {
  const page = await open();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ["rgb(243, 239, 230)", "rgb(25, 24, 22)"];
  assert.equal(await ground(), light);
  await prefer(page, "dark");
  assert.equal(await ground(), dark);
  await setting(page, "theme", "light");
  assert.equal(await ground(), light);
  await setting(page, "theme", "dark");
  await prefer(page, "light");
  assert.equal(await ground(), dark);
  await close(page);
});

test("an opening tells what the engine chose, and a person takes an answer back", async () => {
  const page = await open();
  const swap2 = { procedure: "swap2", rule: "freestyle", size: "15", turn: "0", nodes: "200" };
  await begin(page, { one: "human", two: "search", ...swap2 });
  assert.equal(await count(page, ".player.undecided"), 2);
  assert.match(
    await page.$eval("#dialog-new [name=procedure]", (list) => list.textContent),
    /RIF 1996: two fifth moves/,
  );
  await waitForText(page, "#question", "place 3 stones");
  for (const point of ["h8", "h9", "a1"]) await click(page, point);
  await watch(page, "#status, #trouble", /Tengen, search (swaps colors|keeps the colors|places)/);
  await page.click("#question .primary");
  // The engine swaps, keeps or puts two stones, and the page says which.
  await seen(page);
  // Two persons: the answer is taken back, and its question returns.
  await begin(page, { one: "human", two: "human", ...swap2 });
  await waitForText(page, "#question", "place 3 stones");
  assert.equal(await page.$eval("#takeback", (button) => button.disabled), true);
  for (const point of ["h8", "h9", "a1"]) await click(page, point);
  await page.click("#question .primary");
  await waitForText(page, "#question", "may swap colors, place one stone and stay White, or place two stones");
  assert.equal(await moves(page), "h8 h9 a1");
  // What a person notes on a position stays while its stones do.
  await page.click("#tab-moves");
  await page.type("#note", "three stones");
  for (const point of ["j10", "j9"]) await click(page, point);
  await page.click("#question .primary");
  await waitForMoves(page, "h8 h9 a1 j10 j9");
  await page.click("#takeback");
  await waitForMoves(page, "h8 h9 a1");
  assert.equal(await page.$eval("#note", (field) => field.value), "three stones");
  assert.deepEqual(await listed(page), ["h8", "h9", "a1"]);
  await page.click("#takeback");
  await waitForText(page, "#question", "place 3 stones");
  assert.equal(await moves(page), "");
  assert.equal(await page.$eval("#takeback", (button) => button.disabled), true);
  await close(page);
});
