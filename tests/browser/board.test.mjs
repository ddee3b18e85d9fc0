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
const LANDSCAPE = { width: 844, height: 390 };
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
async function open(viewport = DESK, url = address, isBoard = url === address) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.setViewport(viewport);
  await page.goto(url);
  if (isBoard) await page.waitForFunction("app.hello !== null && app.view !== null", { timeout: PATIENCE });
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

// Letters as people write points, ranks from the bottom, and "x,y"; files of one letter are enough here.
const written = (point, size) => {
  const [x, y] = point.split(",").map(Number);
  return String.fromCharCode(97 + x) + (size - y);
};
const read = (name, size) => `${name.charCodeAt(0) - 97},${size - Number(name.slice(1))}`;

// Where a point of the board is on the screen: x from the left, y from the top.
async function place(page, point) {
  const [x, y] = point.split(",").map(Number);
  return page.evaluate((x, y) => {
    const svg = document.querySelector(".goban");
    const box = svg.getBoundingClientRect();
    const unit = box.width / Number(svg.getAttribute("viewBox").split(" ")[2]);
    return [box.left + (42 + 40 * x) * unit, box.top + (42 + 40 * y) * unit];
  }, x, y);
}

// Clicks a point of the board, "x,y", with the mouse.
const press = async (page, point) => page.mouse.click(...(await place(page, point)));

const size = (page) => page.evaluate(() => app.settings.size);

// Clicks a point that is named by letters.
const click = async (page, name) => press(page, read(name, await size(page)));

// The moves of the game as people write them.
async function moves(page) {
  const side = await size(page);
  return (await page.evaluate(() => app.tree.moves())).map((point) => written(point, side)).join(" ");
}

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

test("ranks count from the bottom, and the row of y = 0 is drawn at the top", async () => {
  const page = await open();
  const labels = () => page.$$eval(".goban .labels text", (texts) => texts.map((text) => [text.textContent, text.getBoundingClientRect()]).map(([name, { x, y }]) => ({ name, x, y })));
  for (const [side, corner, point] of [["15", "a15", "h9"], ["20", "a20", "h14"]]) {
    await begin(page, { one: "human", two: "human", rule: "freestyle", size: side });
    const shown = await labels();
    const ranks = shown.filter(({ name }) => /^\d/.test(name)).sort((a, b) => a.y - b.y);
    assert.deepEqual(ranks.map(({ name }) => name), Array.from({ length: Number(side) }, (_, row) => String(side - row)));
    await press(page, "0,0");
    await wait(page, "app.tree.moves().join() === '0,0' && app.view?.node === app.tree.here");
    assert.equal(await text(page, "#spoken"), `Black plays ${corner}`);
    await press(page, "7,6");
    await wait(page, "app.tree.moves().join(' ') === '0,0 7,6' && app.view?.node === app.tree.here");
    assert.equal(await text(page, "#spoken"), `White plays ${point}`);
    await page.click("#tab-moves");
    assert.deepEqual(await page.$$eval("#moves .move", (chips) => chips.map((chip) => chip.childNodes[1].textContent)), [corner, point]);
  }
  await page.focus("#board");
  await page.keyboard.press("ArrowDown");
  assert.match(await text(page, "#spoken"), /^h13 empty/);
  await shot(page, "twenty");
  await close(page);
});

// Opens a list of moves by the dialog.
async function paste(page, list, values = {}) {
  await page.click("#open");
  await page.evaluate((list, values) => {
    const form = document.querySelector("#dialog-open form");
    form.text.value = list;
    for (const [name, value] of Object.entries(values)) form[name].value = value;
  }, list, values);
  await page.click("#dialog-open [value=ok]");
}

test("a pasted list counts ranks from the bottom, or from the top where that is chosen", async () => {
  const page = await open();
  await paste(page, "a1 b2 h9", { size: "15" });
  await wait(page, "app.tree.moves().join(' ') === '0,14 1,13 7,6'");
  await paste(page, "a1 b2 h9", { size: "15", ranks: "top" });
  await wait(page, "app.tree.moves().join(' ') === '0,0 1,1 7,8'");
  assert.equal(await moves(page), "a15 b14 h7");
  await paste(page, "h8", { size: "20" });
  await wait(page, "app.tree.moves().join(' ') === '7,12'");
  await page.click("#open");
  await shot(page, "ranks");
  await page.click("#dialog-open [value=cancel]");
  await close(page);
});

test("a game that version 1 has kept is opened as it was written", async () => {
  const page = await open();
  const node = (move, parent, more = {}) => ({ move, parent, chance: null, score: null, value: null, time: 5, who: null, why: null, text: null, said: null, left: null, result: null, scored: null, ...more });
  const kept = {
    settings: { size: 15, rule: "freestyle", continuous: true, procedure: "plain", one: "human", two: "human", turn: 2, nodes: 0, clock: 0, increment: 0 },
    seats: { black: "human", white: "human" }, names: null, playing: true, overlay: "none", weighting: "shapes", numbers: true, opening: null, language: "zh",
    tree: { nodes: [node(null, null), node("a1", 0, { text: "a1", why: {} }), node("o15", 1, { scored: { winner: "white", walls: ["b2"] } }), node("h7", 1)], here: 2 },
  };
  await page.evaluate((text) => {
    sessionStorage.clear();
    localStorage.setItem("tengen-board", text);
    app.save = () => {};
  }, JSON.stringify(kept));
  await page.reload();
  await wait(page, "app.hello !== null && app.view?.node === app.tree.here");
  // Its ranks counted from the top.
  assert.deepEqual(await page.evaluate(() => [app.tree.moves(), app.tree.here.scored.walls, app.tree.root.children[0].children[1].move, Texts.code()]), [["0,0", "14,14"], ["1,1"], "7,6", "zh"]);
  assert.equal(await moves(page), "a15 o1");
  await page.reload();
  await wait(page, "app.hello !== null && app.view?.node === app.tree.here");
  assert.equal(await moves(page), "a15 o1", "what was kept since is of the new version");
  // An opening that was interrupted.
  await page.evaluate((text) => {
    sessionStorage.clear();
    localStorage.setItem("tengen-board", text);
    app.save = () => {};
  }, JSON.stringify({ ...kept, settings: { ...kept.settings, continuous: false, procedure: "swap2" }, opening: { answers: ["h8 i9 c3"], pending: [] }, tree: { nodes: [node(null, null)], here: 0 } }));
  await page.reload();
  await wait(page, "app.tree.moves().join(' ') === '7,7 8,8 2,2'");
  await close(page);
});

test("two tabs keep a game each", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15" });
  await click(page, "c3");
  await wait(page, "app.tree.moves().length === 1");
  const other = await page.browserContext().newPage();
  await other.goto(address);
  await other.waitForFunction("app.hello !== null && app.view !== null", { timeout: PATIENCE });
  assert.equal(await moves(other), "c3", "a new tab goes on with a copy");
  await begin(other, { one: "human", two: "human", rule: "renju", size: "13" });
  await click(other, "g7");
  await wait(other, "app.tree.moves().length === 1");
  for (const [tab, played] of [[page, "c3"], [other, "g7"]]) {
    await tab.reload();
    await wait(tab, "app.hello !== null && app.view?.node === app.tree.here");
    assert.equal(await moves(tab), played);
  }
  await close(page);
});

// The stones on the board by their colors: those of the game, and those of a line that is shown.
const stones = (page) => page.evaluate(() => {
  const colors = (selector) => [...document.querySelectorAll(selector)].map((stone) => (stone.classList.contains("black") ? "black" : "white"));
  return { game: colors(".goban .stone:not(.ghost)"), line: colors(".goban .stone.ghost") };
});

test("a line is drawn on the position that was searched, while the pointer is on it", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "0", nodes: "20000" });
  await click(page, "h8");
  await wait(page, "app.tree.moves().length === 2 && app.view?.node === app.tree.here && !app.job");
  assert.deepEqual((await stones(page)).game, ["black", "white"]);
  await page.hover("#search .line");
  await wait(page, "document.querySelectorAll('.goban .ghost').length > 0");
  // The engine has answered for white: its line begins with its own stone.
  const shown = await stones(page);
  assert.deepEqual(shown.game, ["black"]);
  assert.deepEqual(shown.line.slice(0, 2), ["white", "black"].slice(0, shown.line.length));
  const first = (await text(page, "#search .pv")).split(" ")[0];
  const at = await page.$eval(".goban .ghost .disc", (disc) => [disc.cx.baseVal.value, disc.cy.baseVal.value]);
  const [x, y] = read(first, 15).split(",").map(Number);
  assert.deepEqual(at, [42 + 40 * x, 42 + 40 * y]);
  await shot(page, "line");
  await page.mouse.move(5, 5);
  await wait(page, "document.querySelectorAll('.goban .ghost').length === 0");
  assert.deepEqual((await stones(page)).game, ["black", "white"]);

  // A ring goes with the row under the pointer, also where the row goes first.
  await page.hover("#why tr[data-point]");
  await wait(page, "document.querySelector('.goban .marked') !== null");
  await page.keyboard.press(",");
  await wait(page, "app.tree.moves().length === 1 && app.view?.node === app.tree.here");
  assert.equal(await page.$(".goban .marked"), null);
  assert.equal(await page.$("#why tr"), null);
  await close(page);
});

test("an error leaves the tools free and goes with the next move", async () => {
  for (const viewport of [DESK, PHONE, LANDSCAPE]) {
    const page = await open(viewport);
    await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15" });
    await paste(page, "h8 what i9");
    await wait(page, "!document.getElementById('trouble').hidden");
    await shot(page, `banner-${viewport.width}`);
    const free = await page.$$eval(".bar button", (buttons) => buttons.filter((button) => button.offsetParent).every((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }));
    assert.ok(free, "the banner lies over the tools");
    await click(page, "h8");
    await wait(page, "app.tree.moves().length === 1 && app.view?.node === app.tree.here");
    assert.equal(await page.$eval("#trouble", (trouble) => trouble.hidden), true);
    await close(page);
  }
});

test("the whole board is seen on a phone on its side", async () => {
  for (const viewport of [LANDSCAPE, { width: 667, height: 375 }, { width: 932, height: 430 }]) {
    const page = await open(viewport);
    await begin(page, { one: "human", two: "search", rule: "renju", size: "15", turn: "0.1" });
    await click(page, "h8");
    await wait(page, "app.tree.moves().length === 2 && app.view?.node === app.tree.here && !app.job");
    const { top, bottom, height } = await page.$eval(".goban", (svg) => svg.getBoundingClientRect().toJSON());
    assert.ok(top >= 0 && bottom <= viewport.height && height > 0.75 * viewport.height, `${top} to ${bottom} of ${viewport.height}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await faults(page), []);
    await shot(page, `landscape-${viewport.width}`);
    await close(page);
  }
});

test("a board has the star points of its size", async () => {
  const page = await open();
  for (const [side, count] of [["5", 1], ["9", 5], ["15", 5], ["19", 9], ["20", 4]]) {
    await begin(page, { one: "human", two: "human", rule: "freestyle", size: side });
    assert.equal(await page.$$eval(".goban .lines circle", (dots) => dots.length), count, side);
    if (side === "19") await shot(page, "nineteen");
  }
  await close(page);
});

test("between two engines take back goes one move back", async () => {
  const page = await open();
  await begin(page, { one: "greedy:shapes", two: "greedy:runs", rule: "freestyle", size: "15" });
  await wait(page, "app.isOver() && !app.job");
  const length = await page.evaluate(() => app.tree.moves().length);
  await page.click("#takeback");
  await seen(page, length - 1);
  await page.click("#takeback");
  await seen(page, length - 2);
  await close(page);
});

test("arrow keys move the cursor and nothing else", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15" });
  await click(page, "h8");
  await seen(page, 1);
  await page.focus("#takeback");
  for (const key of ["ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => app.tree.moves().length), 1);
  await page.focus("#board");
  await page.keyboard.press("ArrowLeft");
  assert.match(await text(page, "#spoken"), /^g8 empty/);
  await seen(page, 1);
  await close(page);
});

test("the centre of an empty board is no score", async () => {
  const page = await open();
  // So much time that the search answers on a busy machine as well; it needs none here.
  await begin(page, { one: "search", two: "human", rule: "freestyle", size: "15", turn: "60" });
  await seen(page, 1);
  assert.equal(await moves(page), "h8");
  assert.equal(await page.evaluate(() => app.tree.root.chance), null);
  assert.equal(await page.$$eval("#graph .dot", (dots) => dots.length), 0);
  await close(page);
});

test("an engine is asked about an opening in a game with a clock alone", async () => {
  const page = await open();
  await begin(page, { one: "search", two: "human", rule: "freestyle", procedure: "swap2", size: "15", turn: "0", clock: "5" });
  await wait(page, "app.tree.moves().length === 3 && document.querySelector('#question button') !== null");
  assert.equal(await page.$eval("#trouble", (trouble) => trouble.hidden), true);
  await close(page);
});

test("a board with a password opens by its link, and not without", async () => {
  const guarded = spawn(TENGEN_BOARD, ["--listen", "127.0.0.1:0", "--password", "correct-horse"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const link = await new Promise((resolve) => guarded.stdout.once("data", (line) => resolve(String(line).trim())));
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(link.split("?")[0]);
    await page.type("input", "correct-horse");
    await Promise.all([page.waitForNavigation(), page.click("button")]);
    await page.waitForFunction("app.hello !== null && app.view !== null", { timeout: PATIENCE });
    assert.equal(new URL(page.url()).search, "", "the address does not keep the password");
    await context.close();
    await close(await open(DESK, link, true));
  } finally {
    guarded.kill();
  }
});

test("a game against the weights is played to its end with the mouse", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "greedy:runs", rule: "freestyle", size: "15" });
  // Black plays what Tengen's search would, point by point, until somebody has won.
  for (let move = 0; move < 60 && !(await page.evaluate(() => app.isOver())); move++) {
    const best = await page.evaluate(async () => {
      const answer = await app.link.ask("think", { game: app.game(), who: { picker: ["search", "shapes"] }, effort: { nodes: 3000 } });
      return answer.point;
    });
    const before = await page.evaluate(() => app.tree.moves().join(" ").length);
    await press(page, best);
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
    await wait(page, `app.tree.here.move === "${read(point, 15)}" && app.view?.node === app.tree.here`);
  }
  await page.click("#tab-points");
  const stones = game.map((point, ply) => `${read(point, 15)},${ply % 2 === 1 ? 1 : 2}`);
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
        const point = `${row[1]},${row[2]}`;
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
  // Records of the first format have letters, ranks from the top.
  writeFileSync(record, [game("0-1.0a", "white", "i8 j8 g8"), game("0-1.0b", "black", "a1 b2")].join("\n"));
  await page.click("#open");
  const input = await page.$("#dialog-open input[type=file]");
  await input.uploadFile(record);
  await page.click("#dialog-open [value=ok]");
  await wait(page, "app.games.length === 2 && app.view?.node === app.tree.here");
  assert.equal(await moves(page), "h8 i7 i8 j8 g8");
  assert.match(await text(page, "#status"), /White wins on time/);
  await page.click("#back");
  await wait(page, "app.tree.moves().length === 4");
  assert.equal(await page.$$eval(".goban .stone", (stones) => stones.length), 4);
  await page.click("#tab-moves");
  assert.match(await text(page, "#moves"), /3i80\.10 s/);
  assert.equal(await page.evaluate(() => app.tree.root.children[0].children[0].children[0].said.length), 1);
  await page.click("#tab-games");
  await page.click(".game:nth-child(2)");
  await wait(page, "app.tree.moves().join(' ') === '7,7 8,8 0,0 1,1'");
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
  await wait(page, "app.tree.moves().join(' ') === '7,7 8,6 8,7 9,7 6,7'");
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
  assert.match(String(await saved("psq", "psq")), /^Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n/);
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
  const [record, other, html] = ["match.jsonl", "other.jsonl", "report.html"].map((name) => join(folder, name));
  const engine = (name) => ["--engine", `name=${name}`, `cmd='${TENGEN_ENGINE}' --weights ${name}`];
  // The SPRT of so short a match is undecided, which the exit status tells.
  spawnSync(TENGEN_ARENA, ["match", "--games", "6", "--quiet", "--sprt", "elo0=0 elo1=50", "--each", "turn=5000", "--record", record, ...engine("shapes"), ...engine("runs")].flat(), { stdio: "ignore", timeout: PATIENCE });
  spawnSync(TENGEN_ARENA, ["match", "--games", "2", "--quiet", "--each", "turn=5000", "--record", other, ...engine("grades"), ...engine("counts")].flat(), { stdio: "ignore", timeout: PATIENCE });
  execFileSync(TENGEN_ARENA, ["report", record, other, "--html", html]);
  const page = await open(DESK, `file://${html}`);
  assert.match(await text(page, "h1"), /Match report/);
  assert.equal(await page.$$eval(".game", (games) => games.length), 8);
  const remarks = await page.evaluate(() => document.body.innerText);
  assert.match(remarks, /2 different matches; engines are identified by their names/);
  assert.doesNotMatch(remarks, /\[object/);
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
