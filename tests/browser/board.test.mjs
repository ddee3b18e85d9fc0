// The page of `tengen-board` in Chromium. Run by `cargo test -- --ignored the_page_works_in_a_browser`, which names the
// programs; `npm ci` here installs what drives the browser. With SHOTS=folder it keeps pictures of what it saw.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const { TENGEN_BOARD, TENGEN_ENGINE, TENGEN_ARENA, SHOTS } = process.env;
const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const PATIENCE = 60000;

let browser, server, address, folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tengen-browser-"));
  server = spawn(TENGEN_BOARD, ["--listen", "127.0.0.1:0", "--engine", "name=Dead", "cmd=/bin/false", "--engine", "name=Other", `cmd='${TENGEN_ENGINE}' --picker search`, "tolerance=20000"], { stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((resolve) => server.stdout.once("data", (line) => resolve(String(line).trim())));
  // Root has no sandbox; the page is this program's own.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  browser = await puppeteer.launch({ executablePath: CHROMIUM, args, protocolTimeout: PATIENCE });
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

// A page of its own, whose errors fail the test that opened it.
async function open(viewport = DESK, url = address) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.setViewport(viewport);
  await page.goto(url);
  if (url === address) await page.waitForFunction("app.hello !== null && app.view !== null", { timeout: PATIENCE });
  return page;
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.browserContext().close();
}

async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

// Begins a game as a person does, by the dialog.
async function begin(page, values) {
  await page.evaluate(() => (app.before = app.tree));
  await page.click("#new");
  for (const [name, value] of Object.entries(values)) {
    await page.$eval(`#dialog-new [name=${name}]`, (field, value) => {
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }, value);
  }
  await page.click("#dialog-new [value=ok]");
  await wait(page, "app.tree !== app.before && app.view !== null");
}

// Clicks a point of the board with the mouse.
async function click(page, point) {
  const [x, y] = await page.evaluate((point) => {
    const box = app.board.svg.getBoundingClientRect();
    const unit = box.width / Number(app.board.svg.getAttribute("viewBox").split(" ")[2]);
    const [x, y] = app.board.center(point);
    return [box.left + x * unit, box.top + y * unit];
  }, point);
  await page.mouse.click(x, y);
}

const moves = (page) => page.evaluate(() => app.tree.moves().join(" "));
const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
const wait = (page, condition) => page.waitForFunction(condition, { timeout: PATIENCE });

// The serious faults that axe-core finds.
async function faults(page) {
  // The policy of the page forbids added scripts; the debugger may evaluate one.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ").slice(0, 400)}`);
}

test("a game against the weights is played to its end with the mouse", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:runs", rule: "freestyle", size: "15" });
  // Black plays what Tengen's search would, point by point, until somebody has won.
  for (let move = 0; move < 60 && !(await page.evaluate(() => app.isOver())); move++) {
    const best = await page.evaluate(async () => {
      const answer = await app.link.ask("think", { game: app.game(), who: { picker: ["search", "shapes"] }, effort: { nodes: 3000 } });
      return answer.point;
    });
    const before = (await moves(page)).length;
    await click(page, best);
    await wait(page, `app.tree.moves().join(" ").length > ${before} && app.view?.node === app.tree.here && !app.job && (app.isOver() || app.turn() === "black")`);
  }
  assert.match(await text(page, "#status"), /wins by a row/);
  assert.equal(await page.$$eval(".goban .ring", (rings) => rings.length >= 5), true);
  await shot(page, "end");
  await close(page);
});

test("two engines play each other, and a variation is a branch of the tree", async () => {
  const page = await open();
  await begin(page, { one: "greedy:shapes", two: "greedy:runs", rule: "freestyle", size: "15" });
  await wait(page, "app.isOver()");
  const length = await page.evaluate(() => app.tree.moves().length);
  assert.ok(length > 9, `${length}`);
  await page.click("#first");
  await wait(page, "app.tree.moves().length === 0 && app.view?.node === app.tree.here");
  await page.click("#forward");
  await wait(page, "app.tree.moves().length === 1 && app.view?.node === app.tree.here");
  await click(page, "a1");
  await wait(page, "app.isOver()");
  await page.click("#tab-moves");
  assert.equal(await page.$$eval(".variation", (boxes) => boxes.length), 1);
  await shot(page, "moves");
  await close(page);
});

test("an overlay shows what WEIGHTS prints", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15" });
  const game = ["h8", "i9", "i8", "j8", "g8"];
  for (const point of game) {
    await click(page, point);
    await wait(page, `app.tree.here.move === "${point}" && app.view?.node === app.tree.here`);
  }
  await page.click("#tab-points");
  const stones = game.map((point, ply) => `${point.charCodeAt(0) - 97},${Number(point.slice(1)) - 1},${ply % 2 === 1 ? 1 : 2}`);
  for (const weighting of ["shapes", "decimal", "windows", "grades", "counts", "runs"]) {
    const lines = ["START 15", "INFO rule 4", `INFO weights ${weighting}`, "YXBOARD", ...stones, "DONE", "WEIGHTS", "END"];
    const printed = execFileSync(TENGEN_ENGINE, [], { input: lines.join("\n") + "\n", encoding: "utf8" });
    const rows = [...printed.matchAll(/^MESSAGE WEIGHT (\d+),(\d+) (-?\d+) (-?\d+) (-?\d+)$/gm)];
    assert.ok(rows.length > 100, printed.slice(0, 300));
    await page.select("#weighting", weighting);
    for (const [column, kind] of [[3, "attack"], [4, "defence"], [5, "total"]]) {
      await page.select("#overlay", kind);
      await wait(page, `app.view?.weights?.name === "${weighting}"`);
      const shown = await page.evaluate(() => Object.fromEntries(app.view.weights.points.map((row) => [row[0], row.slice(1)])));
      const drawn = await page.$$eval(".goban .heat", (points) => points.length);
      let expected = 0;
      for (const row of rows) {
        const point = String.fromCharCode(97 + Number(row[1])) + (Number(row[2]) + 1);
        assert.equal(shown[point][column - 3], Number(row[column]), `${weighting} ${kind} ${point}`);
        expected += Number(row[column]) === 0 ? 0 : 1;
      }
      assert.equal(drawn, expected, `${weighting} ${kind}`);
    }
  }
  await page.select("#weighting", "shapes");
  await page.click("#look");
  await click(page, "f8");
  await wait(page, "app.point !== null && document.querySelectorAll('.goban .spine').length === 4");
  await shot(page, "overlay");
  await close(page);
});

test("a record of the arena is replayed with its times and messages", async () => {
  const page = await open();
  const record = join(folder, "games.jsonl");
  const game = (name, winner, moves) => JSON.stringify({ game: name, black: "one", white: "two", winner, end: "time", detail: "no answer in time", opening: "h8 i9", moves, times: moves.split(" ").map((_, ply) => 100 + ply), said: [{ ply: 2, text: "MESSAGE depth 8-12 ev 30 n 900 n/ms 9 tm 100 pv i8 j8" }], wall: 900 });
  writeFileSync(record, [game("0-1.0a", "white", "i8 j8 g8"), game("0-1.0b", "black", "a1 b2")].join("\n"));
  await page.click("#open");
  const input = await page.$("#dialog-open input[type=file]");
  await input.uploadFile(record);
  await page.click("#dialog-open [value=ok]");
  await wait(page, "app.games.length === 2 && app.view?.node === app.tree.here");
  assert.equal(await moves(page), "h8 i9 i8 j8 g8");
  assert.match(await text(page, "#status"), /White wins on time/);
  await page.click("#back");
  await wait(page, "app.tree.moves().length === 4");
  assert.equal(await page.$$eval(".goban .stone", (stones) => stones.length), 4);
  await page.click("#tab-moves");
  assert.match(await text(page, "#moves"), /3i80\.10 s/);
  assert.equal(await page.evaluate(() => app.tree.root.children[0].children[0].children[0].said.length), 1);
  await page.click("#tab-games");
  await page.click(".game:nth-child(2)");
  await wait(page, "app.tree.moves().join(' ') === 'h8 i9 a1 b2'");
  const exported = await page.evaluate(() => app.link.ask("psq", { game: app.game(), times: [0, 0, 100, 101], players: ["one", "two"] }));
  assert.equal(exported.text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n1,1,100\n2,2,101\none\ntwo\n0\n");
  const picture = await page.evaluate(() => app.board.file());
  assert.match(picture, /^<svg .*<\/svg>$/s);
  assert.doesNotMatch(picture, /class=/);
  await close(page);
});

test("a file is dropped on the page, and the game is saved in every form", async () => {
  const page = await open();
  const drag = (type, text) => page.evaluate((type, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "game.txt", { type: "text/plain" }));
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, type, text);
  await drag("dragover", "");
  assert.equal(await page.$eval("#drop", (drop) => drop.hidden), false);
  await shot(page, "drop");
  await page.evaluate(() => (app.settings.continuous = true));
  await drag("drop", "h8 i9 i8 j8 g8");
  await wait(page, "app.tree.moves().join(' ') === 'h8 i9 i8 j8 g8'");
  assert.equal(await page.evaluate(() => app.settings.continuous), false, "a dropped file does not say that it is continuous");
  assert.equal(await page.$eval("#drop", (drop) => drop.hidden), true);

  const devtools = await browser.target().createCDPSession();
  const browserContextId = page.browserContext().id;
  await devtools.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId });
  const saved = async (form, ending) => {
    await page.click("#export");
    await page.click(`#dialog-export [value=${form}]`);
    const file = join(folder, `tengen.${ending}`);
    for (const end = Date.now() + PATIENCE; !existsSync(file); ) {
      assert(Date.now() < end, `no ${file}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return readFileSync(file);
  };
  assert.equal(String(await saved("text", "txt")), "h8 i9 i8 j8 g8\n");
  assert.match(String(await saved("psq", "psq")), /^Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n/);
  const svg = String(await saved("svg", "svg"));
  assert.match(svg, /^<svg .*<\/svg>$/s);
  const png = await saved("png", "png");
  assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  // Twice the points of the picture.
  const [, width, height] = svg.match(/ width="(\d+)" height="(\d+)"/).map(Number);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * width, 2 * height]);
  assert(png.length > 10000, `${png.length} bytes`);
  if (SHOTS) writeFileSync(join(SHOTS, "export.png"), png);
  await close(page);
});

test("a reload goes on with the game", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:shapes", rule: "standard", size: "13" });
  await click(page, "g7");
  await wait(page, "app.tree.moves().length === 2 && app.view?.node === app.tree.here");
  const played = await moves(page);
  await page.reload();
  await wait(page, "app.hello !== null && app.view?.node === app.tree.here");
  assert.equal(await moves(page), played);
  assert.deepEqual(await page.evaluate(() => [app.settings.size, app.settings.rule, app.seats.white]), [13, "standard", "greedy:shapes"]);
  await click(page, "a1");
  await wait(page, "app.tree.moves().length === 4");
  await page.click("#takeback");
  await wait(page, "app.tree.moves().length === 2");
  assert.equal(await moves(page), played);
  await close(page);
});

const fives = (page) => page.$$eval(".player span", (cards) => cards.map((card) => card.textContent));
const walls = (page) => page.$$eval(".goban .wall", (found) => found.length);
const seen = (page, count) => wait(page, `app.tree.moves().length === ${count} && app.view?.node === app.tree.here && !app.job`);

test("a continuous game goes on past a five, is taken back over it and outlives a reload", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15", continuous: true, clock: "5" });
  assert.deepEqual(await fives(page), ["Black · fives: 0", "White · fives: 0"]);
  const game = ["g8", "h9", "h8", "i9", "i8", "j9", "j8", "k9", "k8"];
  for (const [place, point] of game.entries()) {
    await click(page, point);
    await seen(page, place + 1);
  }
  assert.equal(await walls(page), 5);
  assert.match(await text(page, "#status"), /^Black makes a five · Your move \(White\)/);
  assert.equal(await text(page, "#spoken"), "Black plays k8, Black makes a five; fives: Black 1, White 0");
  assert.match(await page.$eval("#board", (board) => board.getAttribute("aria-label")), /continuous, fives: Black 1, White 0\. White to move/);
  await click(page, "h8");
  assert.equal(await text(page, "#spoken"), "h8 is taken");
  await page.focus("#board");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#spoken"), "i8 wall");
  await click(page, "l9");
  await seen(page, 10);
  assert.deepEqual([await walls(page), ...(await fives(page))], [10, "Black · fives: 1", "White · fives: 1"]);

  // Back over both fives, forward again, and a variation without them.
  for (const left of [9, 8]) {
    await page.click("#takeback");
    await seen(page, left);
  }
  assert.deepEqual([await walls(page), ...(await fives(page))], [0, "Black · fives: 0", "White · fives: 0"]);
  await click(page, "a1");
  await seen(page, 9);
  assert.equal(await walls(page), 0);
  await page.click("#vcf");
  await wait(page, "app.proof?.result");
  assert.match(await text(page, "#proof"), /VCF: White makes a five in 1/);
  await page.evaluate(() => app.go(app.tree.root.children[0]));
  await seen(page, 1);
  await page.click("#tab-moves");
  const end = (await page.$$("#moves .move"))[8];
  await end.click();
  await seen(page, 9);
  await page.click("#last");
  await seen(page, 10);
  assert.equal(await walls(page), 10);

  await page.reload();
  await wait(page, "app.hello !== null && app.view?.node === app.tree.here");
  assert.deepEqual([await walls(page), ...(await fives(page))], [10, "Black · fives: 1", "White · fives: 1"]);
  await page.click("#tab-points");
  await page.select("#overlay", "total");
  await wait(page, "app.view?.weights?.points.length === 215");
  for (const [viewport, name] of [[DESK, "desk"], [PHONE, "phone"]]) {
    await page.setViewport(viewport);
    await shot(page, `continuous-${name}`);
    assert.deepEqual(await faults(page), [], name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    await page.click("#new");
    assert.equal(await page.$eval("#dialog-new [name=continuous]", (box) => box.checked), true);
    await shot(page, `continuous-${name}-new`);
    await page.click("#dialog-new [value=cancel]");
    await page.click("#export");
    assert.match(await text(page, "#export-note:not([hidden])"), /do not say that the game is continuous/);
    await shot(page, `continuous-${name}-save`);
    await page.click("#dialog-export [value=cancel]");
  }
  await page.setViewport(DESK);
  await page.select("#overlay", "none");
  await page.keyboard.press("n");
  await shot(page, "continuous-numbers");
  await page.click("#contrast");
  await shot(page, "continuous-contrast");
  await page.click("#language");
  assert.deepEqual(await fives(page), ["黑方 · 五连：1", "白方 · 五连：1"]);
  await shot(page, "continuous-chinese");
  // Squares of walls in the picture that is saved: the rings of the last five are squares as well.
  const picture = await page.evaluate(() => app.board.file());
  assert.equal(picture.match(/<rect [^>]*width="36"/g).length, 15);
  await close(page);
});

test("engines play a continuous game until the board is full", async () => {
  const page = await open();
  await begin(page, { one: "engine:Other", two: "greedy:runs", rule: "freestyle", size: "11", continuous: true, turn: "0.1" });
  await wait(page, "app.isOver()");
  assert.equal(await page.evaluate(() => app.tree.moves().length), 121);
  const [black, white] = await page.evaluate(() => ["black", "white"].map((color) => app.tree.fives(color)));
  assert.ok(black + white > 0, "a five is made");
  const expected = black === white ? /Draw/ : new RegExp(`${black > white ? "Black" : "White"} wins by ${Math.max(black, white)} fives to ${Math.min(black, white)}`);
  assert.match(await text(page, "#status"), expected);
  assert.equal(await page.$eval("#trouble", (trouble) => trouble.hidden), true);
  await shot(page, "continuous-full");
  await close(page);
});

test("moves are opened with the rule, the size and the game that the dialog names", async () => {
  const page = await open();
  await page.click("#open");
  await page.evaluate(() => {
    const form = document.querySelector("#dialog-open form");
    Object.assign(form.text, { value: "a1 b1 a2 b2 a3 b3 a4 b4 a5 h8" });
    Object.assign(form.size, { value: "13" });
    Object.assign(form.rule, { value: "renju" });
    form.continuous.checked = true;
  });
  await shot(page, "open");
  await page.click("#dialog-open [value=ok]");
  await seen(page, 10);
  assert.deepEqual(await page.evaluate(() => [app.settings.size, app.settings.rule, app.settings.continuous]), [13, "renju", true]);
  assert.equal(await walls(page), 5);
  await close(page);
});

test("a dead engine is reported and the game is kept", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "engine:Dead", rule: "freestyle", size: "15" });
  await click(page, "h8");
  await wait(page, "!document.getElementById('trouble').hidden");
  assert.match(await text(page, "#trouble span"), /Dead: exited with status 1/);
  await shot(page, "dead");
  assert.equal(await moves(page), "h8");
  await page.click("#trouble button");
  await click(page, "i9");
  await wait(page, "app.tree.moves().length === 2");
  await close(page);
});

test("an opening by Swap2 is agreed by clicks and the engine", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:shapes", rule: "freestyle", procedure: "swap2", size: "15" });
  await wait(page, "document.getElementById('question').textContent.includes('3')");
  for (const point of ["h8", "i9", "c3"]) await click(page, point);
  await page.click("#question .primary");
  await wait(page, "app.opening === null || app.opening.answers.length >= 2");
  await wait(page, "app.opening === null || document.querySelector('#question button') !== null");
  if (await page.evaluate(() => app.opening !== null)) await page.click("#question button");
  await wait(page, "app.opening === null && !app.job");
  await close(page);
});

test("the keyboard plays and names what lies under its cursor", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15" });
  await page.focus("#board");
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#spoken"), /^h8 empty/);
  await page.keyboard.press("Enter");
  await wait(page, "app.tree.moves().length === 1");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  assert.match(await text(page, "#spoken"), /^h8 Black/);
  await page.keyboard.press(",");
  await wait(page, "app.tree.moves().length === 0");
  await page.keyboard.press(".");
  await wait(page, "app.tree.moves().length === 1");
  await close(page);
});

test("the page fits a phone, and axe finds no serious fault", async () => {
  for (const [viewport, size] of [[DESK, "desk"], [PHONE, "phone"]]) {
    for (const mode of ["light", "dark", "contrast", "chinese"]) {
      const page = await open(viewport);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: mode === "dark" ? "dark" : "light" }]);
      if (mode === "contrast") await page.click("#contrast");
      if (mode === "chinese") await page.click("#language");
      await begin(page, { one: "human", two: "search", rule: "renju", size: "15", turn: "0.2", clock: "5" });
      await click(page, "h8");
      await wait(page, "app.tree.moves().length === 2 && app.view?.node === app.tree.here && !app.job");
      for (const tab of ["analysis", "points", "moves"]) {
        await page.click(`#tab-${tab}`);
        if (tab === "points") {
          await page.select("#overlay", "total");
          await wait(page, "app.view?.weights");
        }
        await shot(page, `${size}-${mode}-${tab}`);
        assert.deepEqual(await faults(page), [], `${size} ${mode} ${tab}`);
        const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(width <= inner, `${size} ${mode} ${tab}: ${width} of ${inner}`);
      }
      await page.click("#new");
      await shot(page, `${size}-${mode}-new`);
      assert.deepEqual(await faults(page), [], `${size} ${mode} dialog`);
      await close(page);
    }
  }
});

test("a report of a match replays its games without a server", async () => {
  const [record, html] = [join(folder, "match.jsonl"), join(folder, "report.html")];
  const engine = (name) => ["--engine", `name=${name}`, `cmd='${TENGEN_ENGINE}' --weights ${name}`];
  // The SPRT of so short a match is undecided, which the exit status tells.
  spawnSync(TENGEN_ARENA, ["match", "--games", "6", "--quiet", "--sprt", "elo0=0 elo1=50", "--each", "turn=5000", "--record", record, ...engine("shapes"), ...engine("runs")].flat(), { stdio: "ignore", timeout: PATIENCE });
  execFileSync(TENGEN_ARENA, ["report", record, "--html", html]);
  const page = await open(DESK, `file://${html}`);
  assert.match(await text(page, "h1"), /Match report/);
  assert.equal(await page.$$eval(".game", (games) => games.length), 6);
  const stones = await page.$$eval(".goban .stone", (found) => found.length);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.$$eval(".goban .stone", (found) => found.length), stones - 1);
  await shot(page, "report");
  assert.deepEqual(await faults(page), []);
  await page.setViewport(PHONE);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shot(page, "report-phone");
  await close(page);
});
