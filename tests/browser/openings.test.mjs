// The named openings of renju, and the fairness of the stones that a person places in a procedure.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DESK,
  LANDSCAPE,
  PHONE,
  appears,
  begin,
  click,
  close,
  count,
  faults,
  fits,
  moves,
  open,
  openGame,
  paste,
  prefer,
  resize,
  setting,
  settled,
  shot,
  text,
  wait,
  waitForMoves,
  waitForText,
} from "./driver.mjs";

const PERSONS = { one: "human", two: "human", size: "15" };

// Opens a page with an opening procedure between two persons.
async function procedure(name, rule = "renju", players = PERSONS, viewport = DESK) {
  const page = await open(viewport);
  await begin(page, { ...players, rule, procedure: name });
  await appears(page, "#question:not([hidden])");
  return page;
}

async function place(page, ...points) {
  for (const point of points) await click(page, point);
}

const confirm = (page) => page.click("#question .primary");
async function button(page, label) {
  const find = (label) =>
    [...document.querySelectorAll("#question button")].find(({ textContent }) => textContent.startsWith(label));
  await wait(page, (label) => document.querySelector("#question").innerText.includes(label), label);
  await (await page.evaluateHandle(find, label)).click();
}

// Opens the panel with the cards of all openings.
async function showPanel(page) {
  await page.click("#tab-openings");
  await appears(page, "#openings .opening");
}

const current = (page) =>
  page.$$eval("#openings [aria-current]", (cards) => cards.map((card) => card.dataset.code).join(" "));

const waitForCurrent = (page, code) =>
  wait(page, (code) => document.querySelector("#openings [aria-current]")?.dataset.code === code, code);

const strip = (page) =>
  page.$$eval("#opening .strip li", (cells) =>
    cells.map((cell) => [...cell.children].map(({ textContent }) => textContent).join(" ")),
  );

// Waits until the sentence about the fairness is complete, and returns it.
async function fairness(page, pattern = /%|wins/) {
  await wait(
    page,
    (source) => {
      const said = document.querySelector("#fairness").textContent;
      return new RegExp(source).test(said) && !said.includes("Looking");
    },
    pattern.source,
  );
  return text(page, "#fairness");
}

test("a click on one of the 26 openings puts its three stones on the board, and no game is lost", async () => {
  const page = await openGame("a1 b2 c3 d4", "freestyle");
  await showPanel(page);
  assert.equal(await count(page, "#openings .opening"), 26);
  assert.equal(await count(page, "#openings section:first-child .opening"), 13);
  assert.equal(await current(page), "");

  await page.click("#openings [data-code='4D']");
  await waitForMoves(page, "h8 h9 i9");
  await waitForCurrent(page, "4D");
  await page.click("#openings [data-code='13I']");
  await waitForMoves(page, "h8 i9 f6");
  await waitForCurrent(page, "13I");
  assert.match(await text(page, "#status"), /Renju · Opening 13I Suisei/);
  // The engine of the first page waits; the openings themselves do not fill the list of recent games.
  assert.equal(await count(page, ".player.busy"), 0);
  await page.click("#open");
  assert.equal(await count(page, "#recent [data-key]"), 1);
  await page.click("#dialog-open [value=cancel]");
  await close(page);
});

test("a mirrored opening is recognised and shows its verdicts by the number of fifth moves", async () => {
  const page = await openGame();
  await paste(page, "h8 g8 g7", { rule: "renju" });
  await settled(page, 3);
  await showPanel(page);
  await waitForCurrent(page, "4D");
  assert.equal(await current(page), "4D");
  assert.match(await text(page, "#opening h2"), /^4D Kagetsu/);
  const expected = "1 B+,2 B+,3 B+,4 B,5 B,6 =,7 =,8 =,9 W,10 W,11 W,12 W";
  assert.equal((await strip(page)).join(), expected);
  const row = "1–3: Black wins, 4–5: Black is better, 6–8: even, 9 or more: White is better.";
  assert.match(await text(page, "#opening"), new RegExp(row));
  // Shifted by one it has no name.
  await paste(page, "i8 h8 h7", { rule: "renju" });
  await settled(page, 3);
  await wait(page, () => document.querySelector("#openings [aria-current]") === null);
  await close(page);
});

test("the panel of openings is accessible and fits in both languages", async () => {
  for (const [name, viewport] of Object.entries({ desk: { width: 1440, height: 900 }, PHONE, LANDSCAPE })) {
    const page = await openGame();
    await resize(page, viewport);
    await showPanel(page);
    await page.click("#openings [data-code='4D']");
    await waitForMoves(page, "h8 h9 i9");
    for (const scheme of ["light", "dark"]) {
      await prefer(page, scheme);
      await page.$eval("#tab-openings", (tab) => tab.scrollIntoView({ block: "start" }));
      await shot(page, `openings-${name}-${scheme}`.toLowerCase());
      assert.deepEqual(await faults(page), []);
      assert(await fits(page));
    }
    await setting(page, "language", "zh");
    await waitForText(page, "#opening h2", "花月");
    assert.deepEqual((await strip(page)).slice(2, 9).join(), "3 黑+,4 黑,5 黑,6 =,7 =,8 =,9 白");
    assert.deepEqual(await faults(page), []);
    assert.equal(await current(page), "4D");
    await shot(page, `openings-${name}-zh`.toLowerCase());
    await close(page);
  }
});

test("a procedure refuses a board that is too small for its stones", async () => {
  const page = await openGame("h8");
  await page.click("#new");
  const choose = (values) =>
    page.evaluate((values) => {
      const form = document.querySelector("#dialog-new form");
      for (const [name, value] of values) {
        form[name].value = value;
        for (const kind of ["input", "change"]) form[name].dispatchEvent(new Event(kind, { bubbles: true }));
      }
      return form.size.validationMessage;
    }, Object.entries(values));
  assert.match(await choose({ procedure: "rif", size: "7" }), /9 × 9 or more/);
  await page.click("#dialog-new [value=ok]");
  assert.equal(await count(page, "#dialog-new[open]"), 1);
  assert.equal(await moves(page), "h8");
  assert.equal(await choose({ procedure: "swap2" }), "");
  assert.match(await choose({ procedure: "rif" }), /9 × 9 or more/);
  assert.equal(await choose({ size: "9" }), "");
  await close(page);
});

test("Swap2 shows how fair the placed stones are, and a person who decides sees it after a hint", async () => {
  const page = await procedure("swap2", "freestyle");
  await place(page, "h8", "i9");
  assert.match(await fairness(page), /^So far: Black/);
  await place(page, "h9");
  const near = await fairness(page, /second player|fair/);
  assert.match(near, /^Black (\d+ %|wins.*): (fair|the second player would take (Black|White))$/);
  await shot(page, "fairness-swap2");
  // Another stone changes it. White's stone in the corner is a gift to black.
  await place(page, "i9");
  await place(page, "a1", "h10");
  const far = await fairness(page, /second player would take Black/);
  assert.notEqual(far, near);

  await confirm(page);
  await waitForText(page, "#question", "Second player (White) may swap colors");
  assert.match(await text(page, "#fairness"), /“Hint” judges those on the board/);
  await page.click("#hint");
  assert.match(await fairness(page), /^Black (\d+ %: Black is better|wins in \d+)$/);
  assert.deepEqual(await faults(page), []);
  await page.click("#takeback");
  await waitForText(page, "#question", "place 3 stones");
  assert.equal(await text(page, "#fairness"), "Choose stones to see how fair they are.");

  // The switch is kept.
  await page.click("#fairness-switch");
  await place(page, "h8", "i9", "h9");
  await waitForText(page, "#question small", "3 placed");
  assert.equal(await text(page, "#fairness"), "");
  await new Promise((resolve) => setTimeout(resolve, 500));
  await page.reload();
  await appears(page, "#fairness-switch[aria-pressed=false]");
  await close(page);
});

test("Soosõrv names the opening, and tells the fairness of a number of fifth moves and of each fifth move", async () => {
  const page = await procedure("soosorv-4");
  // The first stone must lie on the centre.
  await place(page, "a1");
  assert.equal(await count(page, ".goban .ghost"), 0);
  await showPanel(page);
  await place(page, "h8", "g8", "g7");
  await waitForCurrent(page, "4D");
  await waitForText(page, "#status", "Opening 4D Kagetsu");
  assert.match(await fairness(page), /With a free fifth move: Black .* The table, by fifth moves: 1–3: Black wins/);
  await confirm(page);
  await button(page, "Keep White");
  await waitForText(page, "#question", "Second player (White): place the fourth stone");
  await place(page, "h6");
  await fairness(page, /opener would take|fair/);
  await page.$eval("#question input", (field) => {
    field.value = "3";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await fairness(page, /^With 3 fifth moves: Black/);
  await shot(page, "fairness-soosorv");
  await confirm(page);
  await button(page, "Keep Black");
  await waitForText(page, "#question", "Opener (Black): offer 3 fifth moves");
  assert.equal(await text(page, "#player-white span"), "White · Second player");
  await place(page, "i7", "a15", "o1");
  const said = await fairness(page, /White keeps/);
  assert.match(said, /i7 Black .*: White keeps (a15|o1)$/);
  assert.equal(await count(page, ".goban .note-text"), 3);
  await shot(page, "fairness-offer");
  await confirm(page);
  await waitForText(page, "#question", "Second player (White): choose the fifth move");
  assert.equal(await text(page, "#fairness"), "");
  assert.equal(await count(page, ".goban .note-text"), 0);
  await page.click("#hint");
  await fairness(page, /White keeps/);
  await place(page, "i7");
  await settled(page, 5);
  assert.equal(await moves(page), "h8 g8 g7 h6 i7");
  await close(page);
});
