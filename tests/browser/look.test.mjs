// Layout on screens of several sizes, accessibility, messages, and the page with a password.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DESK,
  LANDSCAPE,
  PHONE,
  appears,
  begin,
  boxOf,
  browser,
  click,
  close,
  faults,
  fits,
  hasTrouble,
  needsServer,
  open,
  openGame,
  prefer,
  ready,
  setting,
  settled,
  shot,
  startServer,
  waitForText,
  waitForTrouble,
} from "./driver.mjs";

test("an error does not cover the tools and disappears with the next move", { skip: needsServer }, async () => {
  for (const viewport of [DESK, PHONE, LANDSCAPE]) {
    const page = await open(viewport);
    await begin(page, { one: "human", two: "engine:Dead", rule: "freestyle", size: "15" });
    await click(page, "h8");
    await waitForTrouble(page);
    await shot(page, `banner-${viewport.width}`);
    const isFree = await page.$$eval(".bar button", (buttons) =>
      buttons
        .filter((button) => button.offsetParent)
        .every((button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }),
    );
    assert.ok(isFree, "the banner covers the tools");
    await click(page, "i9");
    await settled(page, 2);
    assert.equal(await hasTrouble(page), false);
    await close(page);
  }
});

test("the buttons below the board stand in one row", async () => {
  for (const language of ["english", "chinese"]) {
    const page = await open();
    if (language === "chinese") await setting(page, "language", "zh");
    const places = await page.$$eval("#board, .controls .group", (nodes) =>
      nodes.map((node) => node.getBoundingClientRect().toJSON()),
    );
    const [board, ...groups] = places;
    for (const group of groups) assert.ok(group.top >= board.bottom && group.bottom <= DESK.height, language);
    assert.equal(new Set(groups.map(({ top }) => top)).size, 1, language);
    await close(page);
  }
});

test("the whole board is visible on a phone in landscape", async () => {
  for (const viewport of [LANDSCAPE, { width: 667, height: 375 }, { width: 932, height: 430 }]) {
    const page = await open(viewport);
    await begin(page, { one: "human", two: "search", rule: "renju", size: "15", turn: "0.1" });
    await click(page, "h8");
    await settled(page, 2);
    const { top, bottom, height } = await boxOf(page, ".goban");
    const isWhole = top >= 0 && bottom <= viewport.height && height > 0.75 * viewport.height;
    assert.ok(isWhole, `${top} to ${bottom} of ${viewport.height}`);
    assert.ok(await fits(page));
    assert.deepEqual(await faults(page), []);
    await shot(page, `landscape-${viewport.width}`);
    await close(page);
  }
});

test("the page fits a phone, and axe finds no serious fault", async () => {
  for (const [viewport, size] of [
    [DESK, "desk"],
    [PHONE, "phone"],
  ]) {
    for (const mode of ["light", "dark", "contrast", "chinese"]) {
      const page = await open(viewport);
      await prefer(page, mode === "dark" ? "dark" : "light");
      if (mode === "contrast") await setting(page, "contrast", "high");
      if (mode === "chinese") await setting(page, "language", "zh");
      await begin(page, { one: "human", two: "search", rule: "renju", size: "15", turn: "0.2", clock: "5" });
      await click(page, "h8");
      await settled(page, 2);
      for (const tab of ["analysis", "points", "moves"]) {
        await page.click(`#tab-${tab}`);
        if (tab === "points") {
          await page.select("#overlay", "total");
          await waitForText(page, "#legend", "shapes");
        }
        await shot(page, `${size}-${mode}-${tab}`);
        assert.deepEqual(await faults(page), [], `${size} ${mode} ${tab}`);
        assert.ok(await fits(page), `${size} ${mode} ${tab}`);
      }
      await page.click("#new");
      await shot(page, `${size}-${mode}-new`);
      assert.deepEqual(await faults(page), [], `${size} ${mode} dialog`);
      await close(page);
    }
  }
});

test("a board with a password opens only with its link", { skip: needsServer }, async () => {
  const [guarded, link] = await startServer(["--password", "correct-horse"]);
  try {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(link.split("?")[0]);
    await page.type("input", "correct-horse");
    await Promise.all([page.waitForNavigation(), page.click("button")]);
    await ready(page);
    assert.equal(new URL(page.url()).search, "", "the address does not keep the password");
    await context.close();
    await close(await open(DESK, link));
  } finally {
    guarded.kill();
  }
});

test("axe finds no serious fault on any panel and in any dialog", async () => {
  for (const language of ["en", "zh"]) {
    const page = await openGame("h8 i7 i9 g7 j10 k11 i11 g9", "renju");
    if (language === "zh") await setting(page, "language", language);
    await page.click("#hint");
    await appears(page, ".candidate");
    for (const tab of await page.$$eval("[role=tab]:not([hidden])", (tabs) => tabs.map(({ id }) => id))) {
      await page.click(`#${tab}`);
      assert.deepEqual(await faults(page), [], `${tab} ${language}`);
    }
    for (const dialog of ["new", "open", "export", "settings", "help"]) {
      await page.click(`#${dialog}`);
      assert.deepEqual(await faults(page), [], `${dialog} ${language}`);
      await page.keyboard.press("Escape");
    }
    await page.click(".more summary");
    assert.deepEqual(await faults(page), [], `menu ${language}`);
    await close(page);
  }
});
