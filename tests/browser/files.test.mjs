// Opening and saving games: with the dialogs, from files, in the browser's storage.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  SHOTS,
  address,
  appears,
  begin,
  click,
  close,
  count,
  folder,
  hasTrouble,
  listed,
  moves,
  open,
  openGame,
  paste,
  ready,
  saved,
  settled,
  shot,
  size,
  text,
  wait,
  waitForMoves,
} from "./driver.mjs";

test("a pasted list counts ranks from the bottom, or from the top if that is chosen", async () => {
  const page = await open();
  await paste(page, "a1 b2 h9", { size: "15" });
  await waitForMoves(page, "a1 b2 h9");
  await paste(page, "a1 b2 h9", { size: "15", ranks: "top" });
  await waitForMoves(page, "a15 b14 h7");
  await paste(page, "h8", { size: "20" });
  await waitForMoves(page, "h8");
  assert.equal(await size(page), 20);
  await page.click("#open");
  await shot(page, "ranks");
  await page.click("#dialog-open [value=cancel]");
  await close(page);
});

// Opens the board with this text as its saved game.
async function reopen(page, text) {
  await page.evaluate((text) => {
    sessionStorage.clear();
    localStorage.setItem("tengen-board", text);
    // The page saves its game when it is left, which must not replace the text.
    Storage.prototype.setItem = () => {};
  }, text);
  await page.reload();
  await ready(page);
}

test("a game saved by version 1 is opened with its own ranks", async () => {
  const page = await open();
  const empty = { chance: null, score: null, value: null, time: 5, who: null, why: null, text: null, said: null };
  const node = (move, parent, more = {}) => ({
    move,
    parent,
    ...empty,
    left: null,
    result: null,
    scored: null,
    ...more,
  });
  const limits = { turn: 2, nodes: 0, clock: 0, increment: 0 };
  const settings = { size: 15, rule: "freestyle", continuous: true, procedure: "plain", one: "human", two: "human" };
  const scored = { winner: "white", walls: ["b2"] };
  const nodes = [node(null, null), node("a1", 0, { text: "a1", why: {} }), node("o15", 1, { scored }), node("h7", 1)];
  const kept = {
    settings: { ...settings, ...limits },
    seats: { black: "human", white: "human" },
    names: null,
    playing: true,
    overlay: "none",
    weighting: "shapes",
    numbers: true,
    opening: null,
    language: "zh",
    tree: { nodes, here: 2 },
  };
  await reopen(page, JSON.stringify(kept));
  // Version 1 counted ranks from the top.
  assert.equal(await moves(page), "a15 o1");
  assert.equal(await page.$eval("html", (html) => html.lang), "zh-CN");
  assert.match(await text(page, "#player-white span"), /五连：1/);
  await page.reload();
  await ready(page);
  assert.equal(await moves(page), "a15 o1", "later saves use the new version");
  assert.deepEqual(await listed(page), ["a15", "o1", "h9"]);
  // An interrupted opening.
  const opening = { answers: ["h8 i9 c3"], pending: [] };
  const begun = { ...kept.settings, continuous: false, procedure: "swap2" };
  const tree = { nodes: [node(null, null)], here: 0 };
  await reopen(page, JSON.stringify({ ...kept, settings: begun, opening, tree }));
  await waitForMoves(page, "h8 i7 c13");
  await close(page);
});

test("the chances that a page of version 2 saved are read", async () => {
  const page = await openGame();
  // The game of two persons is saved within 0.2 s.
  await wait(page, () => JSON.parse(sessionStorage.getItem("tengen-board")).settings.two === "human");
  const saved = JSON.parse(await page.evaluate(() => sessionStorage.getItem("tengen-board")));
  const move = { move: "7,7", parent: 0, chance: 0.75, score: "+220", time: 5 };
  const tree = { here: 1, nodes: [{ move: null, parent: null, chance: null, score: null }, move] };
  await reopen(page, JSON.stringify({ ...saved, version: 2, tree }));
  assert.equal(await moves(page), "h8");
  assert.equal(await text(page, "#evaluation"), "Black 75 %");
  await close(page);
});

test("a damaged saved game is ignored", async () => {
  const page = await open();
  for (const damaged of ["{", '{"version":2}', '{"version":2,"tree":{"nodes":[{}],"here":7}}', '{"version":99}']) {
    await reopen(page, damaged);
    assert.equal(await text(page, "#place"), "0 / 0", damaged);
  }
  await close(page);
});

test("a saved player that is gone leaves no empty list in the dialog of a new game", async () => {
  const page = await openGame();
  // The game of two persons is saved within 0.2 s.
  await wait(page, () => JSON.parse(sessionStorage.getItem("tengen-board")).settings.two === "human");
  const saved = JSON.parse(await page.evaluate(() => sessionStorage.getItem("tengen-board")));
  await reopen(page, JSON.stringify({ ...saved, settings: { ...saved.settings, two: "engine:Gone" } }));
  await page.click("#new");
  assert.equal(await page.$eval("#dialog-new [name=two]", ({ value }) => value), "human");
  await close(page);
});

test("the dialog “Open” begins with the rule and the size of the game, and without a file", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "renju", size: "13" });
  const values = () =>
    page.$eval("#dialog-open form", ({ rule, size, file }) => [rule.value, size.value, file.files.length]);
  await page.click("#open");
  assert.deepEqual(await values(), ["renju", "13", 0]);
  const list = join(folder, "list.txt");
  writeFileSync(list, "a1 b2");
  const choose = async () => (await page.$("#dialog-open input[type=file]")).uploadFile(list);
  await choose();
  await page.click("#dialog-open [value=cancel]");
  await page.click("#open");
  assert.deepEqual(await values(), ["renju", "13", 0]);
  // The text that is typed after a choice is opened.
  await choose();
  await page.type("#dialog-open textarea", "g7");
  await page.click("#dialog-open [value=ok]");
  await waitForMoves(page, "g7");
  assert.equal(await size(page), 13);
  await close(page);
});

test("two tabs keep a game each", async () => {
  const page = await openGame();
  await click(page, "c3");
  await settled(page, 1);
  // Games are saved shortly after the change.
  await page.reload();
  await ready(page);
  const other = await page.browserContext().newPage();
  await other.goto(address);
  await ready(other);
  assert.equal(await moves(other), "c3", "a new tab continues with a copy");
  await begin(other, { one: "human", two: "human", rule: "renju", size: "13" });
  await click(other, "g7");
  await settled(other, 1);
  for (const [tab, played] of [
    [page, "c3"],
    [other, "g7"],
  ]) {
    await tab.reload();
    await ready(tab);
    assert.equal(await moves(tab), played);
  }
  await close(page);
});

test("a reload continues the game", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:shapes", rule: "standard", size: "13" });
  await click(page, "g7");
  await settled(page, 2);
  const played = await moves(page);
  await page.reload();
  await ready(page);
  assert.equal(await moves(page), played);
  assert.equal(await size(page), 13);
  assert.match(await page.$eval("#board", (board) => board.getAttribute("aria-label")), /Standard/);
  assert.equal(await text(page, "#player-white b"), "Tengen, shapes");
  await click(page, "a1");
  await settled(page, 4);
  await page.click("#takeback");
  await settled(page, 2);
  assert.equal(await moves(page), played);
  await close(page);
});

test("a record of the arena is replayed with its times and messages", async () => {
  const page = await open();
  const record = join(folder, "games.jsonl");
  const message = "MESSAGE depth 8-12 ev 30 n 900 n/ms 9 tm 100 pv i8 j8";
  const game = (name, winner, played) =>
    JSON.stringify({
      game: name,
      black: "one",
      white: "two",
      winner,
      end: "time",
      detail: "no answer in time",
      opening: "h8 i9",
      moves: played,
      times: played.split(" ").map((_, ply) => 100 + ply),
      said: [{ ply: 2, text: message }],
      wall: 900,
    });
  // Records of the first format use letters with ranks from the top.
  writeFileSync(record, [game("0-1.0a", "white", "i8 j8 g8"), game("0-1.0b", "black", "a1 b2")].join("\n"));
  await page.click("#open");
  const input = await page.$("#dialog-open input[type=file]");
  await input.uploadFile(record);
  await page.click("#dialog-open [value=ok]");
  await appears(page, ".game:nth-child(2)");
  await waitForMoves(page, "h8 i7 i8 j8 g8");
  assert.match(await text(page, "#status"), /White wins on time/);
  // The score that the engine reported is a point of the graph.
  assert.ok((await count(page, "#graph .dot")) >= 1);
  await page.click("#back");
  await settled(page, 4);
  await page.click("#tab-moves");
  assert.match(await text(page, "#moves"), /3i80\.10 s/);
  await page.click("#back");
  await settled(page, 3);
  assert.equal(await text(page, "#moves pre"), message);
  await page.click("#tab-games");
  await page.click(".game:nth-child(2)");
  await waitForMoves(page, "h8 i7 a15 b14");
  const psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n1,1,100\n2,2,101\none\ntwo\n";
  assert.ok(String(await saved(page, "psq", "psq")).startsWith(psq));
  const picture = String(await saved(page, "svg", "svg"));
  assert.match(picture, /^<svg .*<\/svg>$/s);
  assert.doesNotMatch(picture, /class=/);
  await close(page);
});

test("a file is dropped on the page, and the game is saved in every form", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", continuous: true });
  const drag = (type, content) =>
    page.evaluate(
      (type, content) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], "game.txt", { type: "text/plain" }));
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      type,
      content,
    );
  await drag("dragover", "");
  assert.equal(await page.$eval("#drop", (drop) => drop.hidden), false);
  await shot(page, "drop");
  await drag("drop", "h8 i9 i8 j8 g8");
  await waitForMoves(page, "h8 i9 i8 j8 g8");
  assert.equal(await text(page, "#player-black span"), "Black", "a dropped file does not say that it is continuous");
  assert.equal(await page.$eval("#drop", (drop) => drop.hidden), true);

  assert.equal(String(await saved(page, "text", "txt")), "h8 i9 i8 j8 g8\n");
  assert.match(String(await saved(page, "psq", "psq")), /^Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n/);
  const svg = String(await saved(page, "svg", "svg"));
  assert.match(svg, /^<svg .*<\/svg>$/s);
  const png = await saved(page, "png", "png");
  assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  // The exported picture has twice the resolution.
  const [, width, height] = svg.match(/ width="(\d+)" height="(\d+)"/).map(Number);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * width, 2 * height]);
  assert(png.length > 10000, `${png.length} bytes`);
  if (SHOTS && existsSync(SHOTS)) writeFileSync(join(SHOTS, "export.png"), png);
  assert.equal(await hasTrouble(page), false);
  await close(page);
});
