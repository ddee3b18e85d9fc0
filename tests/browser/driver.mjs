// Drives the page of `tengen-board` in Chromium, or with BROWSER=firefox in Firefox, as a person does: it clicks, types
// and reads. The tests do not use the page's variables. With STATIC=folder they drive the page without a server, which
// `package/web` has put into that folder.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach } from "node:test";
import puppeteer from "puppeteer-core";
import { serveFiles } from "./files.mjs";

// PAGE: a folder whose files replace those in the program, so that a change of the page needs no build.
export const { TENGEN_BOARD, TENGEN_ENGINE, TENGEN_ARENA, SHOTS, PAGE, STATIC } = process.env;
// The reason to skip a test of what only the server has: engines, a library, passwords.
export const needsServer = STATIC ? "needs a server" : false;
export const IS_FIREFOX = process.env.BROWSER === "firefox";
// Chromium's headless shell first: it has no window of a browser around the page, and the tests take a third less time.
const PROGRAMS = IS_FIREFOX
  ? ["firefox-esr", "firefox"]
  : ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const PROGRAM = process.env.CHROMIUM ?? PROGRAMS.map((name) => `/usr/bin/${name}`).find(existsSync);
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
// Without a graphics card the CPU draws each frame of an animation.
const STILL = { name: "prefers-reduced-motion", value: "reduce" };
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const LANDSCAPE = { width: 844, height: 390 };
export const PATIENCE = 60000;

export const folder = mkdtempSync(join(tmpdir(), "tengen-browser-"));
export let browser, address;
let server, started;

// A file whose tests are all skipped starts nothing.
beforeEach(() => (started ??= start()));

async function start() {
  if (STATIC) [server, address] = await startFiles(STATIC);
  else [server, address] = await startBoard();
  const options = IS_FIREFOX ? firefoxOptions() : chromiumOptions();
  browser = await puppeteer.launch({ executablePath: PROGRAM, protocolTimeout: PATIENCE, ...options });
}

function startBoard() {
  const dead = ["--engine", "name=Dead", "cmd=/bin/false"];
  const other = ["--engine", "name=Other", `cmd='${TENGEN_ENGINE}' --picker search`, "tolerance=20000"];
  return startServer([...dead, ...other]);
}

async function startFiles(folder) {
  const files = await serveFiles(folder);
  return [{ kill: files.close }, files.address];
}

function chromiumOptions() {
  // Chromium's sandbox does not run as root. The page is our own.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  // The browser does not know where replaced files come from, and would keep them from the server.
  if (PAGE) args.push("--disable-features=LocalNetworkAccessChecks");
  // Only replaced files need the events of requests, which cost a fifth of the CPU time of opening the page.
  return { args, networkEnabled: Boolean(PAGE) };
}

// Files are saved without a question.
const firefoxOptions = () => ({
  browser: "firefox",
  defaultViewport: null,
  extraPrefsFirefox: { "browser.download.folderList": 2, "browser.download.dir": folder },
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

// Starts a server on this port, or on a free one, and returns its process and the address it prints.
export async function startServer(options, port = 0) {
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(TENGEN_BOARD, ["--listen", `127.0.0.1:${port}`, ...options], { stdio });
  const line = await new Promise((resolve) => child.stdout.once("data", resolve));
  return [child, String(line).trim()];
}

// Firefox 140 changes the size and then refuses to turn the screen.
export async function resize(page, viewport) {
  try {
    await page.setViewport(viewport);
  } catch (error) {
    if (!IS_FIREFOX || !/setScreenOrientationOverride/.test(error.message)) throw error;
  }
}

// The colors that the system prefers; Firefox takes no such wish from a driver, and gets those of the page's settings.
export async function prefer(page, scheme) {
  if (IS_FIREFOX) await setting(page, "theme", scheme);
  else await page.emulateMediaFeatures([STILL, { name: "prefers-color-scheme", value: scheme }]);
}

// Pages that were closed without errors, with empty storage. Each test that opens one of them again saves the start of a
// process: a quarter of the CPU time of opening a page.
const idle = [];

// Opens a page with empty storage. `close` fails the test if the page had errors.
export async function open(viewport = DESK, url = address) {
  const page = (url === address && idle.pop()) || (await newPage());
  page.errors = [];
  page.canOpenAgain = url === address && !IS_FIREFOX && !PAGE;
  await resize(page, viewport);
  if (!IS_FIREFOX) await page.emulateMediaFeatures([STILL]);
  if (PAGE && url === address) await replaceFiles(page);
  await page.goto(url);
  if (!url.startsWith("file:")) await ready(page);
  return page;
}

async function newPage() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  return page;
}

const KINDS = { html: "text/html; charset=utf-8", css: "text/css", svg: "image/svg+xml", js: "text/javascript" };

async function replaceFiles(page) {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    const file = join(PAGE, pathname === "/" ? "index.html" : pathname);
    if (!protocol.startsWith("http") || !existsSync(file)) return request.continue();
    return request.respond({ contentType: KINDS[file.split(".").pop()], body: readFileSync(file) });
  });
}

export async function close(page) {
  assert.deepEqual(page.errors, []);
  if (!page.canOpenAgain) return page.browserContext().close();
  await empty(page);
  idle.push(page);
}

// Leaves the page and deletes what it and the other tabs of its context have stored.
async function empty(page) {
  const tabs = await page.browserContext().pages();
  await Promise.all(tabs.filter((tab) => tab !== page).map((tab) => tab.close()));
  await page.evaluate(() => {
    // The page saves its game when it is left.
    Storage.prototype.setItem = () => {};
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
  await page.mouse.move(-1, -1);
  if (!STATIC) return;
  page.devtools ??= await page.createCDPSession();
  await page.devtools.send("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: "all" });
}

export async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

// The answer to a request that the page does not make: of a session or a worker of its own.
export const ask = (page, request) =>
  page.evaluate(
    (line) => {
      const isLocal = document.documentElement.dataset.engine === "worker";
      return new Promise((resolve) => {
        const channel = isLocal
          ? new Worker("worker.js", { type: "module" })
          : new WebSocket(`ws://${location.host}/session`);
        channel.onmessage = ({ data }) => {
          (channel.terminate ?? channel.close).call(channel);
          resolve(JSON.parse(data));
        };
        if (isLocal) channel.postMessage(line);
        else channel.onopen = () => channel.send(line);
      });
    },
    JSON.stringify({ id: 1, ...request }),
  );

// Waits until a function of the page is true. The page itself asks it again and again, which costs less than a question of
// the driver. In Firefox the page's policy forbids what puppeteer waits with.
export async function wait(page, condition, ...values) {
  for (const end = Date.now() + PATIENCE; !(await isTrueSoon(page, condition, values));)
    if (Date.now() > end) throw new Error(`waited in vain for ${condition} ${values.join(" ")}`);
}

// Whether the function becomes true within half a second.
async function isTrueSoon(page, condition, values) {
  const script = `(async () => {
    for (const end = performance.now() + 500; performance.now() < end; ) {
      if (await (${condition})(...${JSON.stringify(values)})) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  })()`;
  try {
    return await page.evaluate(script);
  } catch (error) {
    // The page was left meanwhile.
    if (/context was destroyed|navigat/i.test(error.message)) return false;
    throw error;
  }
}

export const appears = (page, selector) =>
  wait(page, (selector) => Boolean(document.querySelector(selector)?.checkVisibility()), selector);
export const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
// The box of an element on the screen. It is found and measured in one step: between two the page may replace it.
export const boxOf = (page, selector) =>
  page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().toJSON(), selector);
export const count = (page, selector) => page.$$eval(selector, (nodes) => nodes.length);
export const waitForText = (page, selector, part) =>
  wait(page, (selector, part) => document.querySelector(selector)?.textContent.includes(part), selector, part);

// Waits until the server has answered for the displayed position.
export const ready = (page) => wait(page, () => document.querySelector("#board[aria-busy=false]") !== null);

// Waits until the given number of moves is shown and no engine is thinking.
export const settled = (page, moves) =>
  wait(
    page,
    (moves) =>
      document.querySelector("#place").textContent.startsWith(`${moves} /`) &&
      document.querySelector("#board[aria-busy=false]") !== null &&
      document.querySelector(".player.busy") === null,
    moves,
  );

// Waits until the game is over.
export const over = (page) =>
  wait(
    page,
    () =>
      /wins|Draw/.test(document.querySelector("#status").textContent) &&
      document.querySelector("#board[aria-busy=false]") !== null,
  );

export const hasTrouble = (page) => page.$eval("#trouble", (trouble) => !trouble.hidden);
export const waitForTrouble = (page) => wait(page, () => !document.querySelector("#trouble").hidden);

// Fills the fields of a form.
async function fill(page, form, values) {
  for (const [name, value] of Object.entries(values)) {
    await page.$eval(
      `${form} [name=${name}]`,
      (field, value) => {
        if (field.type === "checkbox") field.checked = value;
        else field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
      },
      value,
    );
  }
}

// Confirms a dialog. The page acts on its event `close`, before this listener, which was added later.
async function confirm(page, dialog) {
  const closed = page.evaluate(
    (dialog) =>
      new Promise((resolve) => {
        document.querySelector(dialog).addEventListener("close", () => resolve(), { once: true });
      }),
    dialog,
  );
  await page.click(`${dialog} [value=ok]`);
  await closed;
}

// Starts a game from the dialog.
export async function begin(page, values) {
  await page.click("#new");
  await fill(page, "#dialog-new", values);
  await confirm(page, "#dialog-new");
  await ready(page);
}

// Clicks an element that the page may replace at any moment, such as a move in the list: finds and clicks it in one step.
export const push = (page, selector, place = 0) =>
  page.evaluate((selector, place) => document.querySelectorAll(selector)[place].click(), selector, place);

// From now on, watches for an element with this text: it may come and go between two questions of the driver. `seen`
// waits until it has been there.
export const watch = (page, selector, said = /^/) =>
  page.evaluate(
    (selector, said) => {
      window.watcher?.disconnect();
      window.wasSeen = false;
      const look = () => {
        const texts = [...document.querySelectorAll(selector)].map((node) => node.textContent);
        window.wasSeen ||= texts.some((text) => new RegExp(said).test(text));
      };
      window.watcher = new MutationObserver(look);
      const everything = { subtree: true, childList: true, characterData: true, attributes: true };
      window.watcher.observe(document.body, everything);
    },
    selector,
    said.source,
  );
export const seen = (page) => wait(page, () => window.wasSeen);

// Opens the menu beside the buttons of the board and clicks the entry with this id.
export async function chooseInMenu(page, entry) {
  await page.click(".more summary");
  await page.click(`#${entry}`);
}

// Changes a field of the settings and closes their dialog.
export async function setting(page, name, value) {
  await page.click("#settings");
  const field = `#dialog-settings [name=${name}]`;
  if (value === undefined) await page.click(field);
  else if (await page.$eval(field, ({ tagName }) => tagName === "SELECT")) await page.select(field, value);
  else {
    await page.$eval(field, (input) => input.select());
    await page.type(field, value);
  }
  await page.click("#dialog-settings menu button");
}

// Opens a page with a game of two persons, after these moves if there are any.
export async function openGame(list = "", rule = "freestyle") {
  const page = await open();
  await begin(page, { one: "human", two: "human", rule, size: "15" });
  if (list) {
    await paste(page, list, { rule });
    await settled(page, list.split(" ").length);
  }
  return page;
}

// Opens a list of moves from the dialog.
export async function paste(page, list, values = {}) {
  await page.click("#open");
  await fill(page, "#dialog-open", { text: list, ...values });
  await confirm(page, "#dialog-open");
}

async function allowDownloads(page) {
  const devtools = await browser.target().createCDPSession();
  const browserContextId = page.browserContext().id;
  await devtools.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId });
}

// The contents of the file with this ending that the page saves after `act`.
export async function download(page, ending, act) {
  if (!IS_FIREFOX) await allowDownloads(page);
  const file = join(folder, `tengen.${ending}`);
  rmSync(file, { force: true });
  await act();
  // Firefox begins with an empty file.
  for (const end = Date.now() + PATIENCE; !existsSync(file) || statSync(file).size === 0;) {
    assert(Date.now() < end, `no ${file}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return readFileSync(file);
}

// The file that the dialog saves in the given format.
export const saved = (page, form, ending) =>
  download(page, ending, async () => {
    await page.click("#export");
    await page.click(`#dialog-export [value=${form}]`);
  });

// The number of lines of the board in each direction.
export const size = async (page) => (await count(page, ".goban .labels text")) / 2;

// Conversion between points as people write them, with ranks from the bottom, and as the board counts them, [x, y] from
// the upper left. The tests need only files of one letter.
export const named = ([x, y], size) => String.fromCharCode(97 + x) + (size - y);
export const parsed = (name, size) => [name.charCodeAt(0) - 97, size - Number(name.slice(1))];

// Units of the picture: the position of the first point, and the distance between two points.
const [FIRST, CELL] = [42, 40];
export const centerOf = ([x, y]) => [FIRST + CELL * x, FIRST + CELL * y];
const pointOf = ([cx, cy]) => [(cx - FIRST) / CELL, (cy - FIRST) / CELL];

// The centers of the circles that match a selector.
export const centers = (page, selector) =>
  page.$$eval(selector, (discs) => discs.map((disc) => [disc.cx.baseVal.value, disc.cy.baseVal.value]));

// Where a point [x, y] is on the screen.
export async function placeOf(page, point) {
  const [cx, cy] = centerOf(point);
  const { left, top, width } = await boxOf(page, ".goban");
  const viewBox = await page.$eval(".goban", (svg) => svg.getAttribute("viewBox"));
  const unit = width / Number(viewBox.split(" ")[2]);
  return [left + cx * unit, top + cy * unit];
}

// Clicks a point [x, y] with the mouse.
export async function press(page, point, options = {}) {
  await page.mouse.click(...(await placeOf(page, point)), options);
}

// Clicks a point given by its name, such as h8.
export const click = async (page, name, options) => press(page, parsed(name, await size(page)), options);

// The moves on the board as people write them.
export async function moves(page) {
  const side = await size(page);
  const discs = await centers(page, ".goban .stone:not(.ghost) .disc");
  return discs.map((disc) => named(pointOf(disc), side)).join(" ");
}

export const waitForMoves = async (page, expected) => {
  const last = expected.split(" ").length;
  await settled(page, last);
  assert.equal(await moves(page), expected);
};

// The moves in the move panel: the texts of its buttons.
export async function listed(page) {
  await page.click("#tab-moves");
  return page.$$eval("#moves .move", (chips) => chips.map((chip) => chip.childNodes[1].textContent));
}

export const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

// The serious faults that axe-core finds.
export async function faults(page) {
  // The page's content policy forbids added scripts, but the debugger may evaluate one.
  if (await page.evaluate(() => !window.axe)) await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const htmlOf = (nodes) => nodes.map(({ html }) => html).join(" | ");
  return serious.map(({ id, nodes }) => `${id}: ${htmlOf(nodes).slice(0, 400)}`);
}
