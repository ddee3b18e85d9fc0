// Layout on screens of several sizes, accessibility, messages, and the page with a password.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DESK,
  LANDSCAPE,
  PHONE,
  appears,
  ask,
  begin,
  boxOf,
  browser,
  click,
  close,
  faults,
  fits,
  hasTrouble,
  moves,
  needsServer,
  open,
  openGame,
  paste,
  prefer,
  push,
  ready,
  setting,
  settled,
  shot,
  startServer,
  wait,
  waitForMoves,
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

// Starts the server of an open page again.
async function restart(page, server, options) {
  server.kill();
  await waitForText(page, "#trouble", "trying again");
  const [again] = await startServer(options, new URL(page.url()).port);
  return again;
}

test("a server that was started again asks for its password", { skip: needsServer }, async () => {
  const options = ["--password", "correct-horse"];
  const [first, link] = await startServer(options);
  let server = first;
  const page = await open(DESK, link);
  try {
    server = await restart(page, server, options);
    await waitForText(page, "#trouble", "Reload this page");
  } finally {
    server.kill();
  }
  await page.browserContext().close();
});

test("what is chosen for a new game stays while the server is started again", { skip: needsServer }, async () => {
  const [first, link] = await startServer([]);
  let server = first;
  const page = await open(DESK, link);
  const chosen = { rule: "renju", procedure: "swap2", one: "level:3", two: "search" };
  try {
    await page.click("#new");
    for (const [name, value] of Object.entries(chosen)) await page.select(`#dialog-new [name=${name}]`, value);
    server = await restart(page, server, []);
    await wait(page, () => document.querySelector("#trouble").hidden);
    for (const [name, value] of Object.entries(chosen))
      assert.equal(await page.$eval(`#dialog-new [name=${name}]`, (field) => field.value), value, name);
  } finally {
    server.kill();
  }
  await page.browserContext().close();
});

// Moves that fill the lower rows of the board without a five.
const filled = (rows) =>
  Array.from({ length: 15 * rows }, (_, move) => `${"abcdefghijklmno"[(2 * move) % 15]}${1 + Math.floor(move / 15)}`);

test("on a phone the board stays where it is while a game is stepped through", async () => {
  const page = await open(PHONE);
  await paste(page, filled(4).join(" "), { rule: "freestyle", size: "15" });
  await settled(page, 60);
  const { top } = await boxOf(page, "#board");
  for (const left of [59, 58, 57]) {
    await push(page, "#back");
    await settled(page, left);
    assert.equal((await boxOf(page, "#board")).top, top);
  }
  await close(page);
});

test("a comment stays in sight while it is typed, and the move of a step comes into sight", async () => {
  const page = await openGame(filled(8).join(" "));
  const isInSight = async (selector) => {
    const [outer, inner] = [await boxOf(page, "#panel-moves"), await boxOf(page, selector)];
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
  };
  await push(page, "#moves .move", 2);
  await settled(page, 3);
  await page.$eval("#note", (field) => field.scrollIntoView());
  await page.type("#note", "third");
  assert.ok(await isInSight("#note"));
  await push(page, "#last");
  await settled(page, 120);
  assert.ok(await isInSight("#moves [aria-current]"));
  await push(page, "#first");
  await push(page, "#forward");
  await settled(page, 1);
  assert.ok(await isInSight("#moves [aria-current]"));
  await close(page);
});

test("the keyboard keeps its place where a panel is drawn again", async () => {
  const page = await openGame("h8 i9 j10");
  await page.click("#tab-moves");
  await push(page, "#back");
  await settled(page, 2);
  await click(page, "g7");
  await settled(page, 3);
  await page.focus("#moves .remove");
  await page.keyboard.press("Enter");
  await waitForText(page, "#moves .remove", "Remove?");
  await page.keyboard.press("Enter");
  await wait(page, () => document.querySelector("#moves .remove") === null);
  const { puzzles } = await ask(page, { do: "puzzles", rule: "renju" });
  const number = 1 + puzzles.findIndex(({ solution }) => solution.includes(" "));
  await page.evaluate((number) => (location.hash = `#puzzle=renju-${number}`), number);
  await waitForText(page, "#puzzle h2", "to play and win in");
  await page.focus("#puzzle [data-key=puzzleSolution]");
  for (const shown of [1, 2]) {
    await page.keyboard.press("Enter");
    await waitForText(page, "#puzzle .verdict", `Move ${shown} of`);
  }
  await close(page);
});

test("a middle button that marks a point pastes nothing", async () => {
  const page = await openGame("h8");
  await click(page, "c3", { button: "middle" });
  // On Linux a browser with a window pastes the selected text now.
  const pasteText = (text, isAfterMiddle) =>
    page.evaluate(
      (text, isAfterMiddle) => {
        const board = document.querySelector("#board");
        if (isAfterMiddle) board.dispatchEvent(new PointerEvent("pointerup", { bubbles: true, button: 1 }));
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", text);
        board.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData }));
      },
      text,
      isAfterMiddle,
    );
  await pasteText("a1 a2", true);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await moves(page), "h8");
  await pasteText("i9 j10", false);
  await waitForMoves(page, "i9 j10");
  await close(page);
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
