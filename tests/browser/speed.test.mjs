// The times of the page and its memory: SPEED=1 node --test speed.test.mjs, on an idle machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_FIREFOX, begin, click, close, named, open, ready, settled } from "./driver.mjs";

const PERSONS = { one: "human", two: "human", rule: "freestyle", size: "15" };
const skip = !process.env.SPEED && "SPEED=1 measures";

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

// Points that make no five.
const scattered = (count) =>
  Array.from({ length: count }, (_, place) => named([(place * 4) % 15, (place * 7 + Math.floor(place / 15)) % 15], 15));

test("a page is ready in half a second", { skip }, async () => {
  const page = await open();
  const times = [];
  for (let visit = 0; visit < 15; visit++) {
    const start = performance.now();
    await page.reload();
    await ready(page);
    times.push(performance.now() - start);
  }
  console.log(`ready: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`);
  assert.ok(median(times) <= 500);
  await close(page);
});

test("a stone is drawn within 60 ms of the click", { skip }, async () => {
  const page = await open();
  await begin(page, PERSONS);
  // From the event to the frame after the one that the stone is in.
  await page.evaluate(() => {
    window.times = [];
    let start = 0;
    document.addEventListener("click", ({ timeStamp }) => (start = timeStamp), true);
    const count = () => document.querySelectorAll(".goban .stone").length;
    let stones = count();
    new MutationObserver(() => {
      if (count() === stones) return;
      stones = count();
      const from = start;
      requestAnimationFrame(() => requestAnimationFrame((now) => window.times.push(now - from)));
    }).observe(document.querySelector(".goban"), { childList: true, subtree: true });
  });
  for (const [place, point] of scattered(60).entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  const times = await page.evaluate(() => window.times);
  console.log(`stone: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`);
  assert.ok(median(times) <= 60);
  await close(page);
});

test("two hundred games leave nothing behind", { skip: skip || (IS_FIREFOX && "Firefox tells no heap") }, async () => {
  const page = await open();
  const devtools = await page.createCDPSession();
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { JSHeapUsedSize, Nodes } = await page.metrics();
    return [JSHeapUsedSize / 2 ** 20, Nodes];
  };
  const play = async (game) => {
    await begin(page, PERSONS);
    const points = scattered(60).slice(game % 40, (game % 40) + 8);
    for (const point of points) await click(page, point);
    await settled(page, points.length);
  };
  for (let game = 0; game < 25; game++) await play(game);
  const [before, nodes] = await heap();
  for (let game = 0; game < 200; game++) await play(game);
  const [after, nodesAfter] = await heap();
  console.log(`heap: ${before.toFixed(1)} MiB, after 200 games ${after.toFixed(1)} MiB; nodes ${nodes}, ${nodesAfter}`);
  assert.ok(after - before < 2);
  await close(page);
});
