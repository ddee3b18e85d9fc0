// The pictures of docs/board.md, in the folder PICTURES. Without it nothing is drawn.
import { join } from "node:path";
import { test } from "node:test";
import { click, close, openGame, settled, wait, waitForText } from "./driver.mjs";

const { PICTURES } = process.env;
const GAME = "h8 i7 i9 g7 j10 k11 i11 g9 h10 g11 h7 h9 j8";

const save = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.webp`), type: "webp", quality: 85 });

test("the pictures of the docs", { skip: !PICTURES }, async () => {
  const page = await openGame(GAME);
  await page.click("#tab-review");
  await page.click("#review");
  await wait(page, () => document.querySelector("#progress").hidden && document.querySelector(".fault"));
  await save(page, "board-review");
  await page.click("#first");
  for (let move = 1; move <= 8; move++) await page.keyboard.press(".");
  await settled(page, 8);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  await wait(page, () => Number.parseInt(document.querySelector("#facts dd").textContent, 10) >= 10);
  await save(page, "board");
  await close(page);

  const attacked = await openGame("h8 i7 i8 h9 j8 g9 f8 i10 h7");
  await attacked.click("#tab-analysis");
  await attacked.click("#threats");
  await waitForText(attacked, "#threat", "stops it at");
  await save(attacked, "board-threats");
  await close(attacked);

  const forbidden = await openGame("i8 a15 j8 o1 h7 a1 h6 o15", "renju");
  await click(forbidden, "h8");
  await waitForText(forbidden, "#question", "Forbidden");
  await save(forbidden, "board-foul");
  await close(forbidden);
});
