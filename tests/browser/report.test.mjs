// The report of a match: one page that works without a server.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import {
  DESK,
  PATIENCE,
  PHONE,
  TENGEN_ARENA,
  TENGEN_ENGINE,
  close,
  count,
  faults,
  folder,
  open,
  shot,
  text,
  wait,
} from "./driver.mjs";

test("a report of a match replays its games without a server", async () => {
  const [record, other, html] = ["match.jsonl", "other.jsonl", "report.html"].map((name) => join(folder, name));
  const engine = (name) => ["--engine", `name=${name}`, `cmd='${TENGEN_ENGINE}' --weights ${name}`];
  const options = ["--quiet", "--each", "turn=5000"];
  // The SPRT of such a short match is undecided, which the exit status reports.
  const test = ["match", "--games", "6", "--sprt", "elo0=0 elo1=50", ...options, "--record", record];
  spawnSync(TENGEN_ARENA, [...test, ...engine("shapes"), ...engine("runs")], { stdio: "ignore", timeout: PATIENCE });
  const short = ["match", "--games", "2", ...options, "--record", other, ...engine("grades"), ...engine("counts")];
  spawnSync(TENGEN_ARENA, short, { stdio: "ignore", timeout: PATIENCE });
  execFileSync(TENGEN_ARENA, ["report", record, other, "--html", html]);
  const page = await open(DESK, `file://${html}`);
  assert.match(await text(page, "h1"), /Match report/);
  assert.equal(await count(page, ".game"), 8);
  const remarks = await page.evaluate(() => document.body.innerText);
  assert.match(remarks, /2 different matches; engines are identified by their names/);
  assert.doesNotMatch(remarks, /\[object|undefined|NaN/);
  const stones = await count(page, ".goban .stone");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await count(page, ".goban .stone"), stones - 1);
  await page.keyboard.press("End");
  assert.equal(await count(page, ".goban .stone"), stones);
  await page.locator(".game:nth-child(3)").click();
  await page.waitForSelector(".game:nth-child(3)[aria-current]");
  await shot(page, "report");
  assert.deepEqual(await faults(page), []);
  await page.click("header button");
  assert.equal(await page.$eval("html", (html) => html.lang), "zh-CN");
  await page.setViewport(PHONE);
  await wait(page, () => innerWidth < 400 && document.documentElement.scrollWidth <= innerWidth);
  await shot(page, "report-phone");
  await close(page);
});
