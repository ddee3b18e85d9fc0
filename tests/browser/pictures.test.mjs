// The pictures of the docs, in the folder PICTURES. Without it nothing is drawn.
import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  DESK,
  TENGEN_ARENA,
  TENGEN_ENGINE,
  appears,
  begin,
  click,
  close,
  folder,
  open,
  openGame,
  paste,
  ready,
  settled,
  startServer,
  wait,
  waitForText,
} from "./driver.mjs";

const { PICTURES } = process.env;
const GAME = "h8 i7 i9 g7 j10 k11 i11 g9 h10 g11 h7 h9 j8";
const PLAYERS = { one: "human", two: "human", rule: "renju", size: "15" };

const save = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.webp`), type: "webp", quality: 85 });

test("a review and an analysis", { skip: !PICTURES }, async () => {
  const page = await openGame(GAME);
  await page.click("#tab-review");
  await page.click("#review");
  await wait(page, () => document.querySelector("#progress").hidden && document.querySelector(".fault"));
  await save(page, "board-review");
  await page.click("#first");
  for (let move = 1; move <= 5; move++) await page.keyboard.press(".");
  await settled(page, 5);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  const shown = () => document.querySelectorAll("#lines-found .line").length === 3;
  await wait(page, shown);
  // Deeper lines make a better picture.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  await save(page, "board");
  await close(page);
});

test("a threat, and a forbidden point", { skip: !PICTURES }, async () => {
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

test("weights of points, and moves with comments and marks", { skip: !PICTURES }, async () => {
  const page = await openGame(GAME);
  await page.click("#tab-points");
  await page.select("#overlay", "total");
  await page.click("#look");
  await click(page, "k9");
  await appears(page, "#point table");
  await save(page, "board-points");
  await page.select("#overlay", "none");
  await page.click("#look");
  await page.click("#tab-moves");
  for (let step = 1; step <= 4; step++) await page.click("#back");
  await settled(page, 9);
  await click(page, "k9");
  await settled(page, 10);
  await page.click("#marking");
  for (const point of ["g6", "f5", "i6"]) await click(page, point);
  await page.click("#marking");
  await page.type("#note", "White needs a four of its own before this point.");
  await save(page, "board-moves");
  await close(page);
});

test("a named opening", { skip: !PICTURES }, async () => {
  const page = await open();
  await page.click("#tab-openings");
  await page.$$eval(".opening", (all) => all.find(({ textContent }) => textContent.includes("4D")).click());
  await settled(page, 3);
  await appears(page, ".strip");
  await save(page, "board-openings");
  await close(page);
});

test("a puzzle, and the dialog of a new game", { skip: !PICTURES }, async () => {
  const page = await openGame();
  await page.evaluate(() => (location.hash = "#puzzle=renju-40"));
  await waitForText(page, "#puzzle h2", "to play and win in");
  await ready(page);
  await save(page, "board-puzzle");
  await close(page);

  const fresh = await open();
  await fresh.click("#new");
  await fresh.select("#dialog-new [name=two]", "level:3");
  await fresh.click("#dialog-new summary");
  await save(fresh, "board-new");
  await close(fresh);
});

test("what a library knows", { skip: !PICTURES }, async () => {
  const file = join(folder, "pictures.library");
  rmSync(file, { force: true });
  const [server, address] = await startServer(["--library", file]);
  const page = await open(DESK, address);
  await begin(page, PLAYERS);
  await page.click("#tab-library");
  const lines = ["h8 h9 i9 g7 g9", "h8 h9 i9 i7", "h8 h9 i9 g10", "h8 h9 i9 i10", "h8 h9 i9 j10"];
  for (const line of lines) {
    await paste(page, line, { rule: "renju" });
    await settled(page, line.split(" ").length);
    await page.click("#tab-library");
    await page.click("#addline");
    await waitForText(page, "#library-note", "Line added");
  }
  const claim = async (winner, moves) => {
    await page.select("#claim [name=winner]", winner);
    await page.$eval("#claim [name=moves]", (field, moves) => (field.value = moves), moves);
    await page.click("#claim button");
    await waitForText(page, "#library-note", "Result saved");
  };
  await page.click("#panel-library summary");
  await claim("black", "9");
  for (const [point, winner, moves] of [
    ["g10", "white", "12"],
    ["i7", "black", "14"],
  ]) {
    await page.click("#back");
    await settled(page, 3);
    await click(page, point);
    await settled(page, 4);
    await claim(winner, moves);
  }
  await page.click("#back");
  await settled(page, 3);
  await page.click("#panel-library summary");
  await page.type("#comment", "4D Kagetsu, the flower moon: White's answers.");
  await page.click("#library-name");
  await waitForText(page, "#library-note", "Comment saved");
  await save(page, "board-library");
  await close(page);
  server.kill();
});

test("the report of a match", { skip: !PICTURES }, async () => {
  const [record, html] = ["pictures.jsonl", "pictures.html"].map((name) => join(folder, name));
  const search = (name, nodes) => [
    "--engine",
    `name=${name}`,
    `cmd='${TENGEN_ENGINE}' --picker search`,
    `nodes=${nodes}`,
  ];
  const options = ["match", "--games", "12", "--quiet", "--each", "turn=60000", "option.show_detail=1"];
  const sprt = ["--sprt", "elo0=0 elo1=50"];
  spawnSync(TENGEN_ARENA, [...options, ...sprt, "--record", record, ...search("new", 3000), ...search("old", 1000)]);
  execFileSync(TENGEN_ARENA, ["report", record, "--html", html]);
  const page = await open({ width: 1280, height: 1000 }, `file://${html}`);
  await page.$eval(".duo", (part) => part.scrollIntoView());
  await save(page, "report");
  await close(page);
});
