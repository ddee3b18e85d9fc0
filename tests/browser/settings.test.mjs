// The settings of a game and of the page: the dialog of a new game, clocks and pauses, coordinates, taps.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  LANDSCAPE,
  PHONE,
  appears,
  begin,
  boxOf,
  chooseInMenu,
  click,
  close,
  count,
  faults,
  listed,
  moves,
  named,
  needsServer,
  open,
  openGame,
  over,
  parsed,
  placeOf,
  press,
  ready,
  resize,
  setting,
  settled,
  shot,
  text,
  wait,
  waitForMoves,
  waitForText,
} from "./driver.mjs";

const PERSONS = { one: "human", two: "human", rule: "freestyle", size: "15" };

const isVisible = (page, selector) => page.$eval(selector, (node) => node.checkVisibility());

test("a new game shows five fields, and the rest unfolds", async () => {
  const page = await open();
  await page.click("#new");
  const names = await page.$$eval("#dialog-new [name]", (fields) =>
    fields.filter((field) => field.checkVisibility()).map(({ name }) => name),
  );
  assert.deepEqual(names, ["one", "two", "rule", "size", "procedure"]);
  await page.click("#dialog-new summary");
  assert.ok(await isVisible(page, "#dialog-new [name=handicap]"));
  await shot(page, "new-unfolded");
  assert.deepEqual(await faults(page), []);
  await resize(page, LANDSCAPE);
  const { bottom } = await boxOf(page, "#dialog-new [value=ok]");
  assert.ok(bottom <= LANDSCAPE.height, "Start is on the screen");
  await shot(page, "new-landscape");
  await close(page);
});

test("Enter in a field of a dialog presses its main button, and saves nothing", async () => {
  const page = await open();
  await begin(page, PERSONS);
  await page.click("#new");
  await page.$eval("#dialog-new [name=size]", (field) => field.select());
  await page.type("#dialog-new [name=size]", "9");
  await page.keyboard.press("Enter");
  await wait(page, () => document.querySelectorAll(".goban .labels text").length === 18);
  await page.click("#open");
  await page.type("#dialog-open textarea", "e5 f6");
  await page.focus("#dialog-open [name=size]");
  await page.keyboard.press("Enter");
  await waitForMoves(page, "e5 f6");
  await page.click("#export");
  for (const field of ["#link", "#movelist"]) {
    await page.focus(field);
    await page.keyboard.press("Enter");
    assert.ok(await page.$eval("#dialog-export", (dialog) => dialog.open), field);
  }
  await close(page);
});

test("a new game waits for the first answer of the server", async () => {
  const page = await open();
  const { identifier } = await page.evaluateOnNewDocument(() => {
    const silent = class {
      static OPEN = 1;
      postMessage() {}
    };
    window.WebSocket = window.Worker = silent;
  });
  await page.reload();
  await appears(page, "#new");
  assert.equal(await page.$eval("#new", (button) => button.disabled), true);
  await page.keyboard.press("g");
  assert.equal(await page.$eval("#dialog-new", (dialog) => dialog.open), false);
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  await close(page);
});

test("sides change in the dialog and for a rematch, and the same game begins again", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, two: "level:1", turn: "0.1" });
  const names = () => Promise.all(["black", "white"].map((color) => text(page, `#player-${color} b`)));
  assert.deepEqual(await names(), ["You", "Tengen 1"]);
  await click(page, "h8");
  await settled(page, 2);
  assert.equal(await isVisible(page, "#rematch"), false);
  await chooseInMenu(page, "resign");
  await over(page);
  await page.click("#rematch");
  await settled(page, 1);
  assert.deepEqual(await names(), ["Tengen 1", "You"]);
  await chooseInMenu(page, "again");
  await settled(page, 1);
  assert.deepEqual(await names(), ["Tengen 1", "You"]);
  await page.click("#new");
  await page.click("#swapsides");
  await page.click("#dialog-new [value=ok]");
  await wait(page, () => document.querySelector("#player-black b").textContent === "You");
  await close(page);
});

test("a lot gives both colors to each player", { skip: needsServer }, async () => {
  const page = await open();
  const seen = new Set();
  for (let game = 0; game < 40 && seen.size < 2; game++) {
    await begin(page, { ...PERSONS, two: "engine:Dead", lot: true });
    seen.add(await text(page, "#player-white b"));
  }
  assert.deepEqual([...seen].sort(), ["Dead", "You"]);
  await close(page);
});

test("a handicap puts White's first stones into corners", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, handicap: "2" });
  await click(page, "h8");
  await waitForMoves(page, "h8 a15");
  await click(page, "i9");
  await waitForMoves(page, "h8 a15 i9 o1");
  await click(page, "h9");
  await settled(page, 5);
  await click(page, "c3");
  await waitForMoves(page, "h8 a15 i9 o1 h9 c3");
  for (const left of ["h8 a15 i9 o1 h9", "h8 a15 i9 o1", "h8 a15"]) {
    await page.click("#takeback");
    await waitForMoves(page, left);
  }
  await close(page);
});

test("a person who uses up the seconds of a move loses, and hears the last of them", async () => {
  const page = await open();
  // The tones, instead of sounds, and the seconds that Black's clock showed.
  await page.evaluate(() => {
    const second = () => Math.ceil(document.querySelector("#player-black time").textContent.split(":").at(-1));
    window.shown = [];
    const note = () => window.shown.at(-1) !== second() && window.shown.push(second());
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    const { createOscillator } = AudioContext.prototype;
    window.tones = [];
    AudioContext.prototype.createOscillator = function () {
      const oscillator = createOscillator.call(this);
      const at = second();
      setTimeout(() => window.tones.push([at, oscillator.frequency.value]));
      return oscillator;
    };
  });
  const seconds = () => text(page, "#player-black time");
  await begin(page, { ...PERSONS, two: "level:1", moveTime: "6" });
  assert.match(await seconds(), /^0:0[3-6]/);
  await click(page, "h8");
  await settled(page, 2);
  assert.match(await seconds(), /^0:0[3-6]/, "each move has its own seconds");
  await over(page);
  assert.match(await text(page, "#status"), /White wins on time/);
  assert.deepEqual(await page.evaluate(() => window.tones), [], "off by default");
  await setting(page, "sound");
  await begin(page, { ...PERSONS, two: "level:1", moveTime: "3" });
  await over(page);
  await wait(page, () => window.tones.at(-1)?.[1] === 330);
  // One tone for each second that was shown: a page that stands still leaves some out.
  const { tones, shown } = await page.evaluate(() => ({ tones: window.tones, shown: window.shown }));
  const last = shown.slice(shown.lastIndexOf(3));
  assert.deepEqual(
    tones,
    last.map((second) => [second, second > 0 ? 660 : 330]),
  );
  await close(page);
});

test("the players are a person, levels, searches, engines and weightings", async () => {
  const page = await open();
  await page.click("#new");
  const seats = await page.$$eval("#dialog-new [name=one] option", (all) =>
    all.map(({ value }) => value.split(":")[0]),
  );
  const engines = needsServer ? [] : ["engine"];
  assert.deepEqual([...new Set(seats)], ["human", "level", "search", "mcts", ...engines, "greedy"]);
  await close(page);
});

test("an engine with a clock of an hour and an increment goes on", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, two: "search", turn: "0.1", clock: "60", increment: "30" });
  for (const [place, point] of ["h8", "a1", "o15"].entries()) {
    await click(page, point);
    await settled(page, 2 * place + 2);
  }
  await close(page);
});

test(
  "a stone is not played for an engine, and another program is not stopped in its search",
  { skip: needsServer },
  async () => {
    const page = await open();
    await begin(page, { ...PERSONS, two: "engine:Other", turn: "60" });
    assert.equal(await page.$eval("#move", (button) => button.disabled), false);
    await click(page, "h8");
    await waitForText(page, "#status", "is thinking");
    assert.equal(await page.$eval("#move", (button) => button.disabled), true);
    await click(page, "a1");
    assert.equal(await moves(page), "h8");
    await close(page);
  },
);

test("a pause stops the clock and the engine until the game goes on", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, two: "search", turn: "60", clock: "60" });
  await click(page, "h8");
  await waitForText(page, "#status", "is thinking");
  await chooseInMenu(page, "pause");
  await waitForText(page, "#status", "Paused");
  const left = await text(page, "#player-white time");
  assert.match(left, /^(60:00|59:\d\d)$/);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(await text(page, "#player-white time"), left);
  await click(page, "a1");
  assert.equal(await moves(page), "h8", "a paused game takes no stone");
  await shot(page, "paused");
  await page.reload();
  await ready(page);
  assert.match(await text(page, "#status"), /Paused/, "a reload does not end a pause");
  assert.equal(await text(page, "#player-white time"), left);
  await page.click("#resume");
  await waitForText(page, "#status", "is thinking");
  await page.keyboard.press("p");
  await waitForText(page, "#status", "Paused");
  await close(page);
});

test("a reload gives no time back", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, clock: "1" });
  await click(page, "h8");
  await wait(page, () => /^0:([0-4]\d|5[0-7])$/.test(document.querySelector("#player-white time").textContent));
  await page.reload();
  await ready(page);
  assert.match(await text(page, "#player-white time"), /^0:([0-4]\d|5[0-7])$/);
  await close(page);
});

test("a look at another position stops the clock and gives no time back", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, clock: "1" });
  await click(page, "h8");
  const left = () => text(page, "#player-white time");
  const isUsed = (time) => /^0:([0-4]\d|5[0-7])$/.test(time);
  await wait(page, () => /^0:([0-4]\d|5[0-7])$/.test(document.querySelector("#player-white time").textContent));
  await page.click("#back");
  await settled(page, 0);
  assert.equal(await left(), "1:00", "the clock of that position");
  await page.click("#forward");
  await settled(page, 1);
  assert.ok(isUsed(await left()), await left());
  await click(page, "i9");
  await settled(page, 2);
  assert.ok(isUsed(await left()), await left());
  // A move that was played is only shown again, also by a click on the board.
  await page.click("#back");
  await settled(page, 1);
  await click(page, "i9");
  await settled(page, 2);
  assert.ok(isUsed(await left()), await left());
  // One that is taken back gives its time back.
  await page.click("#takeback");
  await settled(page, 1);
  assert.match(await left(), /^(1:00|0:5[89])$/);
  await close(page);
});

test("a board that is turned round takes and shows stones where they are", async () => {
  const page = await openGame("h8 j9");
  const label = () => page.$eval(".goban .labels", (labels) => labels.textContent.slice(0, 3));
  assert.equal(await label(), "a15");
  await chooseInMenu(page, "flip");
  assert.equal(await label(), "o1n");
  const size = 15;
  const turned = (name) =>
    named(
      parsed(name, size).map((place) => size - 1 - place),
      size,
    );
  assert.equal(await moves(page), ["h8", "j9"].map(turned).join(" "), "the places in the picture");
  await press(page, parsed(turned("c4"), size));
  await settled(page, 3);
  assert.deepEqual(await listed(page), ["h8", "j9", "c4"]);
  await page.keyboard.press("f");
  await waitForMoves(page, "h8 j9 c4");
  await close(page);
});

test("coordinates are letters, or numbers as Piskvork counts them", async () => {
  const page = await openGame("h8 j9");
  await setting(page, "coordinates", "numbers");
  assert.deepEqual(await listed(page), ["7,7", "9,6"]);
  assert.equal(await page.$eval(".goban .labels", (labels) => labels.textContent.slice(0, 4)), "0011");
  await page.reload();
  await settled(page, 2);
  assert.deepEqual(await listed(page), ["7,7", "9,6"]);
  await close(page);
});

test("language, colors and the limits of the search are chosen in one dialog", async () => {
  const page = await openGame("h8");
  await page.click("#settings");
  await shot(page, "settings");
  assert.deepEqual(await faults(page), []);
  await page.click("#dialog-settings menu button");
  await setting(page, "theme", "dark");
  assert.equal(await page.$eval("html", ({ dataset }) => dataset.theme), "dark");
  await setting(page, "language", "zh");
  assert.equal(await text(page, "#title-settings"), "设置");
  await setting(page, "language", "en");
  await page.evaluate(() => {
    window.sent = [];
    for (const [{ prototype }, name] of [
      [WebSocket, "send"],
      [Worker, "postMessage"],
    ]) {
      const send = prototype[name];
      prototype[name] = function (line) {
        window.sent.push(JSON.parse(line));
        send.call(this, line);
      };
    }
  });
  for (const [name, value] of [
    ["memory", "8"],
    ["turn", "1.5"],
  ])
    await setting(page, name, value);
  await page.click("#hint");
  await appears(page, ".candidate");
  const { effort } = await page.evaluate(() => window.sent.findLast((message) => message.do === "think"));
  assert.deepEqual([effort.memory, effort.threads], [8, 0]);
  await page.click("#new");
  assert.equal(await page.$eval("#dialog-new [name=turn]", ({ value }) => value), "1.5");
  await close(page);
});

test("the cursor of a board that is turned round goes where its key points", async () => {
  const page = await openGame("h8");
  await page.focus("#board");
  await page.keyboard.press("f");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#spoken"), /^g8 empty/);
  await page.keyboard.press("ArrowUp");
  assert.match(await text(page, "#spoken"), /^g7 empty/);
  await close(page);
});

test("the cursor begins in the middle of each board", async () => {
  const page = await open();
  await begin(page, { ...PERSONS, size: "20" });
  await click(page, "t1");
  await settled(page, 1);
  await begin(page, { ...PERSONS, size: "9" });
  await page.focus("#board");
  await page.keyboard.press("Enter");
  assert.equal(await text(page, "#place"), "0 / 0");
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#spoken"), /^e5 empty/);
  await close(page);
});

test("the wheel steps through the game", async () => {
  const page = await openGame("h8 j9 h9");
  const { x, y } = await boxOf(page, "#board");
  await page.mouse.move(x + 200, y + 200);
  await page.mouse.wheel({ deltaY: -120 });
  await settled(page, 2);
  await page.mouse.wheel({ deltaY: -120 });
  await settled(page, 1);
  await page.mouse.wheel({ deltaY: 120 });
  await settled(page, 2);
  await close(page);
});

test("on small cells a second tap plays", async () => {
  const page = await open({ ...PHONE, hasTouch: true, isMobile: true });
  await begin(page, { ...PERSONS, size: "20" });
  const tap = async (name) => page.touchscreen.tap(...(await placeOf(page, parsed(name, 20))));
  await tap("k10");
  await waitForText(page, "#status", "Tap k10 again");
  assert.equal(await count(page, ".goban .next.black"), 1);
  await tap("k11");
  await waitForText(page, "#status", "Tap k11 again");
  await shot(page, "tap-again");
  await tap("k11");
  await waitForMoves(page, "k11");
  await setting(page, "taps", "never");
  await tap("k10");
  await waitForMoves(page, "k11 k10");
  await close(page);
});
