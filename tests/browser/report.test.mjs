// The report of a match: one page that works without a server.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  DESK,
  PATIENCE,
  PHONE,
  STATIC,
  TENGEN_ARENA,
  TENGEN_ENGINE,
  appears,
  boxOf,
  centerOf,
  centers,
  close,
  count,
  faults,
  folder,
  moves,
  open,
  resize,
  shot,
  text,
  wait,
  waitForText,
} from "./driver.mjs";

// The page without a server has no report.
const skip = STATIC && "tested beside the page with a server";

const pathOf = (name) => join(folder, name);

// Plays a match of two weightings and records it. The exit status of a short SPRT says that it is undecided.
function play(record, games, names, options = []) {
  const engines = names.flatMap((name) => ["--engine", `name=${name}`, `cmd='${TENGEN_ENGINE}' --weights ${name}`]);
  const all = ["match", "--quiet", "--each", "turn=5000", "--games", games, "--record", record, ...options, ...engines];
  spawnSync(TENGEN_ARENA, all, { stdio: "ignore", timeout: PATIENCE });
}

test("a report of a match replays its games without a server", { skip }, async () => {
  const [record, other, html] = ["match.jsonl", "other.jsonl", "report.html"].map(pathOf);
  play(record, 6, ["shapes", "runs"], ["--sprt", "elo0=0 elo1=50"]);
  play(other, 2, ["grades", "counts"]);
  execFileSync(TENGEN_ARENA, ["report", record, other, "--html", html]);
  const page = await open(DESK, `file://${html}`);
  assert.match(await text(page, "h1"), /Match report/);
  assert.equal(await count(page, ".game"), 8);
  const remarks = await page.evaluate(() => document.body.innerText);
  assert.match(remarks, /2 different matches; engines are identified by their names/);
  assert.match(remarks, /The engines stated no scores in this game/);
  assert.doesNotMatch(remarks, /\[object|undefined|NaN/);
  const stones = await count(page, ".goban .stone");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await count(page, ".goban .stone"), stones - 1);
  await page.keyboard.press("End");
  assert.equal(await count(page, ".goban .stone"), stones);
  await page.click(".game:nth-child(3)");
  await appears(page, ".game:nth-child(3)[aria-current]");
  await shot(page, "report");
  assert.deepEqual(await faults(page), []);
  await page.click("header button");
  assert.equal(await page.$eval("html", (html) => html.lang), "zh-CN");
  await resize(page, PHONE);
  await wait(page, () => innerWidth < 400 && document.documentElement.scrollWidth <= innerWidth);
  await shot(page, "report-phone");
  await close(page);
});

// Two games with the scores that their engines wrote, by the number of stones on the board, for the side to move.
const STATED = [
  {
    game: "0-1.0a",
    black: "shapes",
    white: "runs",
    winner: "black",
    opening: "3,4 3,10",
    moves: "4,4 5,10 5,4 7,11 6,4 9,2 7,4",
    scores: { 2: "0", 3: "200", 4: "278", 5: "-M7", 6: "+M3", 8: "+M1" },
  },
  {
    game: "0-1.0b",
    black: "runs",
    white: "shapes",
    winner: "white",
    opening: "10,4 3,4",
    moves: "10,12 4,4 1,1 5,4 12,12 6,4 0,14 7,4",
    scores: { 4: "200", 5: "0", 6: "200", 7: "200" },
  },
];

// A record of these games. Its first line is that of a real match.
function recordOf(games) {
  const [played, record] = ["played.jsonl", "stated.jsonl"].map(pathOf);
  play(played, 2, ["shapes", "runs"]);
  const [match] = readFileSync(played, "utf8").split("\n");
  const lines = games.map(({ scores, ...game }) => {
    const said = Object.entries(scores).map(([ply, score]) => ({
      ply: Number(ply),
      text: `MESSAGE depth 9 ev ${score}`,
    }));
    const times = game.moves.split(" ").map(() => 1);
    return JSON.stringify({ end: "row", detail: `${game.winner} has a winning row`, ...game, times, said, wall: 1 });
  });
  writeFileSync(record, [match, ...lines, ""].join("\n"));
  return record;
}

// The statements of a line of the curve as [number of stones, black's chance in per cent].
const statements = (page, color, last) =>
  page.$eval(
    `.plot polyline.${color}`,
    (line, last) => {
      const { width, height } = line.ownerSVGElement.viewBox.baseVal;
      return [...line.points].map(({ x, y }) => [(x / width) * last, 100 - (y / height) * 100].map(Math.round));
    },
    last,
  );

test("a report shows the scores of the engines and where they disagreed", { skip }, async () => {
  const html = pathOf("stated.html");
  execFileSync(TENGEN_ARENA, ["report", recordOf(STATED), "--html", html]);
  const page = await open(DESK, `file://${html}`);
  const rows = await page.$$eval(".disagreements tbody tr", (rows) =>
    rows.map(({ cells }) => [...cells].map((cell) => cell.textContent)),
  );
  assert.deepEqual(rows, [
    ["0-1.0a 4. f5", "runs: Black 27 %", "shapes: Black 80 %", "shapes"],
    ["0-1.0b 7. m3", "runs: Black 73 %", "shapes: Black 27 %", "shapes"],
  ]);

  const row = await centers(page, ".goban .row .disc");
  assert.deepEqual(
    row,
    [3, 4, 5, 6, 7].map((x) => centerOf([x, 4])),
  );
  assert.equal(await count(page, ".goban .ring"), 5);
  assert.deepEqual(await statements(page, "black", 9), [
    [2, 50],
    [4, 80],
    [6, 100],
    [8, 100],
  ]);
  assert.deepEqual(await statements(page, "white", 9), [
    [3, 27],
    [5, 100],
  ]);
  assert.match(await text(page, ".chances .legend"), /shapes \(Black\)runs \(White\)/);

  await page.click(".disagreements tr:nth-child(2) button");
  assert.equal(await moves(page), "k11 d11 k3 e11 b14 f11 m3");
  assert((await boxOf(page, ".goban")).top >= 0, "the board is in view");
  assert.equal(await count(page, ".goban .ring"), 0, "the row is not complete yet");
  await page.click(".disagreements button");
  assert.equal(await moves(page), "d11 d5 e11 f5");
  assert.equal(await text(page, ".readout"), "4. f5 — runs: Black 27 % · shapes: Black 80 %");
  const link = await page.$eval(".exits a", ({ href, target, rel }) => [href, target, rel]);
  assert.deepEqual(link, ["http://127.0.0.1:7315/#/freestyle/15/d11d5e11f5", "_blank", "noopener"]);
  await page.click(".copy");
  await waitForText(page, ".copy", "Copied");
  await page.keyboard.press("ArrowRight");
  assert.equal(await moves(page), "d11 d5 e11 f5 f11");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.$eval(".exits input", (field) => field.value), "d11 d5 e11 f5");
  await shot(page, "report-stated");

  const plot = await boxOf(page, ".plot");
  const above = [plot.left + (plot.width * 5) / 9, plot.top + plot.height / 2];
  await page.mouse.move(...above);
  assert.match(await text(page, ".readout"), /^5\. f11 — shapes: Black 80 % · runs: Black 100 %$/);
  assert.equal(await moves(page), "d11 d5 e11 f5");
  await page.mouse.click(...above);
  assert.equal(await moves(page), "d11 d5 e11 f5 f11");
  assert.deepEqual(await faults(page), []);
  await resize(page, PHONE);
  await wait(page, () => innerWidth < 400 && document.documentElement.scrollWidth <= innerWidth);
  await shot(page, "report-stated-phone");
  assert.deepEqual(await faults(page), []);
  await close(page);
});
