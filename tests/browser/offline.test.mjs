// The page without a server, which `package/web` makes: STATIC=folder node --test offline.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  DESK,
  PATIENCE,
  PHONE,
  STATIC,
  TENGEN_ENGINE,
  appears,
  ask,
  begin,
  browser,
  click,
  close,
  count,
  folder,
  open,
  paste,
  ready,
  resize,
  settled,
  text,
  wait,
  waitForText,
} from "./driver.mjs";
import { serveFiles } from "./files.mjs";

const skip = !STATIC && "STATIC=folder tests the page without a server";

// Bytes that the browser may load before the first move of the engine, and milliseconds that this may take.
const MOST_BYTES = 4_000_000;
const LONGEST_START = 1000;

// Milliseconds until a stop is answered.
const LONGEST_STOP = 100;

// What `bench` prints in a worker.
const bench = (page, picker, isShort) =>
  page.evaluate(
    (work) =>
      new Promise((resolve) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.onmessage = ({ data }) => {
          worker.terminate();
          resolve(data.measured ?? data.failed);
        };
        worker.postMessage(work);
      }),
    { picker, isShort },
  );

const signature = (printed) => /signature (\w+)/.exec(printed)?.[1];
const nodesPerSecond = (printed) => Number(/(\d+) nps$/.exec(printed.trim())?.[1]);

test("the worker plays as the program does", { skip }, async () => {
  const page = await open();
  for (const picker of ["greedy", "search", "mcts"]) {
    const native = execFileSync(TENGEN_ENGINE, ["bench", "--short", "--picker", picker], { encoding: "utf8" });
    assert.equal(signature(await bench(page, picker, true)), signature(native), picker);
  }
  await close(page);
});

test("the worker has 40 % of the speed", { skip: skip || (!process.env.SPEED && "SPEED=1 measures") }, async () => {
  const page = await open();
  const native = nodesPerSecond(execFileSync(TENGEN_ENGINE, ["bench", "--picker", "search"], { encoding: "utf8" }));
  const own = nodesPerSecond(await bench(page, "search", false));
  console.log(`${own} nodes a second, the program ${native}: ${((100 * own) / native).toFixed(0)} %`);
  assert.ok(own >= 0.4 * native);
  await close(page);
});

// Milliseconds of a first visit from the address to the stone of the engine, and the bytes that it loads.
async function visit() {
  const files = await serveFiles(STATIC);
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(files.address, { waitUntil: "domcontentloaded" });
  await ready(page);
  await click(page, "h8");
  await settled(page, 2);
  const time = performance.now() - start;
  const bytes = [...files.sent.values()].reduce((sum, bytes) => sum + bytes, 0);
  await context.close();
  files.close();
  return { time, bytes };
}

test("the first move of a first visit comes soon and needs few bytes", { skip }, async () => {
  const visits = [];
  for (let count = process.env.SPEED ? 9 : 1; count > 0; count--) visits.push(await visit());
  const times = visits.map(({ time }) => time).toSorted((one, other) => one - other);
  const bytes = Math.max(...visits.map(({ bytes }) => bytes));
  console.log(`first move after ${times.map((time) => time.toFixed(0)).join(" ")} ms and ${bytes} bytes`);
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
  if (process.env.SPEED) assert.ok(times[4] <= LONGEST_START, `${times[4]} ms`);
});

// Times in milliseconds until a view and a stop are answered while a worker searches.
const stopTimes = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const worker = new Worker("worker.js", { type: "module" });
        const game = { size: 15, rule: "freestyle", moves: "7,7 8,8 7,8" };
        const say = (request) => worker.postMessage(JSON.stringify(request));
        const times = [];
        let sentAt = null;
        const think = () => {
          const who = { picker: ["search", "shapes"] };
          say({ id: 1, do: "think", game, who, effort: { time: 60000, lines: 3 } });
        };
        worker.onmessage = ({ data }) => {
          const { kind } = JSON.parse(data);
          if (kind === "tick" && sentAt === null) {
            sentAt = performance.now();
            say({ id: 2, do: "view", game });
            say({ id: 3, do: "stop" });
          } else if (kind === "move") {
            times.push(performance.now() - sentAt);
            sentAt = null;
            if (times.length === 9) resolve(times);
            else think();
          }
        };
        think();
      }),
  );

test("a search is stopped at once, and other questions are answered meanwhile", { skip }, async () => {
  const page = await open();
  const times = (await stopTimes(page)).toSorted((one, other) => one - other);
  console.log(`stopped after ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
  assert.ok(times[4] <= LONGEST_STOP);
  await close(page);
});

// The networks that the browser keeps.
const networks = (page) =>
  page.evaluate(async () => (await (await caches.open("tengen-networks")).keys()).map(({ url }) => url).join(" "));

test(
  "the page says what needs a server, and the network of a rule is loaded with its first game",
  { skip },
  async () => {
    const page = await open();
    await page.click("#new");
    assert.match(await text(page, "#dialog-new .of-worker"), /Other engines, matches and libraries need the program/);
    await page.click("#dialog-new [value=cancel]");
    await page.click("#tab-library");
    assert.match(await text(page, "#library-hint"), /no server.*tengen-board --library FILE/);
    assert.doesNotMatch(await networks(page), /renju/);
    await begin(page, { one: "human", two: "search", rule: "renju", size: "15" });
    await click(page, "h8");
    await settled(page, 2);
    assert.match(await networks(page), /renju/);
    assert.doesNotMatch(await networks(page), /standard/);
    const error = await ask(page, { do: "undo" });
    assert.match(error.error, /no library/);
    await close(page);
  },
);

test("a phone plays, analyses and reviews offline after the first visit", { skip }, async () => {
  const files = await serveFiles(STATIC);
  const page = await open(PHONE, files.address);
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "0.2" });
  await click(page, "h8");
  await settled(page, 2);
  await page.evaluate(() => navigator.serviceWorker.ready);
  files.close();
  await page.reload();
  await ready(page);
  await settled(page, 2);
  await resize(page, PHONE);
  await page.click("#move");
  await settled(page, 4);
  await page.click("#analyse");
  await appears(page, ".candidate");
  await page.click("#analyse");
  await page.click("#tab-review");
  await page.click("#review");
  await waitForText(page, "#accuracy", "Accuracy: Black");
  await close(page);
});

// Whether a new version waits until no page of the old one is open.
const isUpdateWaiting = async () => (await navigator.serviceWorker.ready).waiting !== null;

// Serves a copy of the page to a browser that may keep its files for an hour, and then a new version of it. `prepare`
// runs in the page in between. The page of the old version stays open.
async function update(name, prepare = () => {}) {
  const copy = join(folder, name);
  cpSync(STATIC, copy, { recursive: true });
  const files = await serveFiles(copy, undefined, { "Cache-Control": "max-age=3600" });
  const page = await open(DESK, files.address);
  await wait(page, () => navigator.serviceWorker.controller !== null);
  await page.evaluate(prepare);
  const change = (file, before, after) => {
    const path = join(copy, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(before, after));
  };
  change("index.html", /<title>[^<]*/, "<title>new");
  change("offline.js", /const VERSION = "\d+"/, 'const VERSION = "new"');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await wait(page, isUpdateWaiting);
  return { files, page };
}

test("an update keeps the new files, although the browser may still use the old ones", { skip }, async () => {
  const { files, page } = await update("files");
  const kept = await page.evaluate(async () => {
    const name = (await caches.keys()).find((name) => name.startsWith("tengen-new "));
    const cache = await caches.open(name);
    return Promise.all(["./", "index.html"].map(async (file) => (await cache.match(file)).text()));
  });
  for (const content of kept) assert.match(content, /<title>new/);
  await close(page);
  files.close();
});

test("an update brings the new network of a rule that was played, and the old one goes", { skip }, async () => {
  const { files, page } = await update("networks", async () => {
    const cache = await caches.open("tengen-networks");
    await cache.put("networks/renju-1.net", new Response("old"));
  });
  const waiting = await networks(page);
  assert.match(waiting, /renju-1\.net/, "a page of the old version is open");
  assert.match(waiting, /renju-\d{2,}\.net/);
  assert.doesNotMatch(waiting, /standard/);
  // The browser may need a moment to see that the page has gone.
  for (const end = Date.now() + PATIENCE; await page.evaluate(isUpdateWaiting);) {
    assert(Date.now() < end, "the update still waits");
    await page.goto("about:blank");
    await page.goto(files.address);
  }
  await wait(page, async () => (await navigator.serviceWorker.ready).active.state === "activated");
  assert.match(await networks(page), /renju-\d{2,}\.net/);
  assert.doesNotMatch(await networks(page), /renju-1\.net/);
  await close(page);
  files.close();
});

test("two copies of the page on one server keep their own files", { skip }, async () => {
  const root = join(folder, "copies");
  for (const name of ["one", "one/two"]) cpSync(STATIC, join(root, name), { recursive: true });
  const script = join(root, "one", "offline.js");
  writeFileSync(script, readFileSync(script, "utf8").replace(/const VERSION = "\d+"/, 'const VERSION = "other"'));
  const files = await serveFiles(root);
  const page = await open(DESK, `${files.address}one/two/`);
  await wait(page, () => navigator.serviceWorker.controller !== null);
  await page.evaluate(async () => {
    const cache = await caches.open("tengen-networks");
    await cache.put("networks/renju-1.net", new Response("of the first copy"));
  });
  await page.goto(`${files.address}one/`);
  await ready(page);
  await wait(page, () => navigator.serviceWorker.controller !== null);
  const kept = await page.evaluate(async () => (await caches.keys()).filter((name) => name !== "tengen-networks"));
  assert.deepEqual(kept.map((name) => name.split("/").at(-2)).toSorted(), ["one", "two"]);
  assert.match(await networks(page), /one\/two\/networks\/renju-1\.net/);
  await close(page);
  files.close();
});

test("a page whose network was replaced on the server says so", { skip }, async () => {
  const copy = join(folder, "replaced");
  cpSync(STATIC, copy, { recursive: true });
  const files = await serveFiles(copy);
  const page = await open(DESK, files.address);
  for (const name of readdirSync(join(copy, "networks"))) rmSync(join(copy, "networks", name));
  await begin(page, { one: "human", two: "search", rule: "renju", size: "15" });
  await click(page, "h8");
  await waitForText(page, "#trouble span", "This page has a new version");
  page.errors = page.errors.filter((error) => !error.includes("404"));
  await close(page);
  files.close();
});

test("a browser that cannot suspend a search stops it too", { skip }, async () => {
  // The page and its workers, as such a browser has them. The server changes the files: a driver sees neither what a
  // service worker answers nor all requests of workers.
  const hide = "delete WebAssembly.Suspending;\ndelete WebAssembly.promising;\n";
  const change = (path, content) => (/\/(channel|worker)\.js$/.test(path) ? hide + content : content);
  const files = await serveFiles(STATIC, change);
  const page = await open(DESK, files.address);
  assert.equal(page.workers().length, 2);
  await begin(page, { one: "human", two: "human", rule: "freestyle", size: "15" });
  await paste(page, "h8 i9", { rule: "freestyle" });
  await settled(page, 2);
  await page.click("#tab-analysis");
  await page.click("#analyse");
  await appears(page, ".candidate");
  await click(page, "j10");
  await settled(page, 3);
  await appears(page, ".candidate");
  await page.click("#analyse");
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "30" });
  await click(page, "h8");
  await page.click("#move");
  await settled(page, 2);
  assert.equal(await count(page, ".player.busy"), 0);
  await close(page);
  files.close();
});
