// The panel of the library: known moves, comments, labels, results; files in and out; undo.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  DESK,
  PHONE,
  appears,
  begin,
  boxOf,
  centerOf,
  click,
  close,
  count,
  download,
  faults,
  fits,
  folder,
  hasTrouble,
  moves,
  needsServer,
  open,
  parsed,
  prefer,
  ready,
  setting,
  settled,
  shot,
  startServer,
  text,
  wait,
  waitForMoves,
  waitForText,
} from "./driver.mjs";

let server, address;

before(async () => {
  if (needsServer) return;
  [server, address] = await startServer(["--library", join(folder, "test.library")]);
});

after(() => server?.kill());

// A page with an empty renju board of two persons and the panel of the library.
async function explorer(viewport = DESK) {
  const page = await open(viewport, address);
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15" });
  await page.click("#tab-library");
  return page;
}

const noted = (page, part) => waitForText(page, "#library-note", part);

// The rows of the table of known moves: the texts of their cells.
const rows = (page) =>
  page.$$eval("#known tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

// The texts of the library on the board.
const notes = (page) =>
  page.$$eval(".goban .note-text", (texts) => texts.map((node) => node.textContent).filter(Boolean));

async function setComment(page, comment) {
  await page.click("#comment", { clickCount: 3 });
  await page.keyboard.type(comment);
  await page.keyboard.press("Tab");
  await noted(page, "Comment saved");
}

async function upload(page, name, bytes) {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  await (await page.$("#library-file")).uploadFile(file);
}

// H8 with the children H9, labelled D, and G8 with a comment: two images of one position.
const LIB = Buffer.from(
  "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x78\x00" +
    "\x68\xc1\x00\x01D\x00\x77\x48hello\x00",
  "latin1",
);

test(
  "a file is imported, its moves and labels are shown, and a click on a move goes there",
  { skip: needsServer },
  async () => {
    const page = await explorer();
    await waitForText(page, "#verdict", "not in the library");
    await upload(page, "opening.lib", LIB);
    await noted(page, "opening.lib: 3 positions");
    await waitForText(page, "#library-name", "test.library · 3 positions");
    assert.deepEqual(await rows(page), [["h8"]]);
    await page.click("#known .chip");
    await waitForMoves(page, "h8");
    await waitForText(page, "#known", "h9");
    assert.deepEqual(
      (await rows(page)).sort(),
      ["g8", "h7", "h9", "i8"].map((name) => [name, "D"]),
    );
    assert.deepEqual(await notes(page), ["D", "D", "D", "D"]);
    await shot(page, "library");
    // The board marks the point of the row under the pointer.
    await page.hover("#known tr[data-point='7,6']");
    await appears(page, ".goban .marked");
    const [x, y] = await page.$eval(".goban .marked", (ring) => [ring.cx.baseVal.value, ring.cy.baseVal.value]);
    assert.deepEqual([x, y], centerOf(parsed("h9", 15)));
    await page.click("#known tr[data-point='6,7'] td:last-child");
    await waitForMoves(page, "h8 g8");
    await wait(page, () => document.querySelector("#comment").value === "hello");
    // The overlay of the library stays with another panel if it is chosen.
    await page.click("#back");
    await settled(page, 1);
    await page.click("#tab-points");
    assert.equal(await count(page, ".goban .note"), 0);
    await page.select("#overlay", "library");
    await waitForText(page, "#legend", "Known moves");
    assert.equal(await count(page, ".goban .note"), 4);
    await page.select("#overlay", "none");
    // Undone, the file can be imported again.
    await page.click("#tab-library");
    await page.click("#undo");
    await noted(page, "undone");
    assert.deepEqual(await rows(page), []);
    await upload(page, "opening.lib", LIB);
    await noted(page, "opening.lib: 3 positions");
    await upload(page, "opening.lib", LIB);
    await noted(page, "imported before");
    await close(page);
  },
);

test("a damaged file is one line and changes nothing", { skip: needsServer }, async () => {
  const page = await explorer();
  const before = await text(page, "#library-name");
  await upload(page, "damaged.lib", Buffer.concat([LIB.subarray(0, 22), Buffer.from([0xf0, 0])]));
  await noted(page, "byte ");
  const note = await text(page, "#library-note");
  assert.ok(!note.includes("\n"), note);
  assert.ok(await page.$eval("#library-note", (node) => node.classList.contains("bad")));
  assert.equal(await text(page, "#library-name"), before);
  assert.equal(await hasTrouble(page), false);
  await close(page);
});

test(
  "a file that is dropped on the panel is imported, and a game elsewhere is opened",
  { skip: needsServer },
  async () => {
    const page = await explorer();
    const drag = (type, target, name, content) =>
      page.evaluate(
        (type, target, name, content) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content], name));
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(target).dispatchEvent(event);
        },
        type,
        target,
        name,
        content,
      );
    await drag("dragover", "#known", "a.txt", "");
    assert.match(await text(page, "#drop"), /import/);
    await drag("drop", "#known", "a.txt", "a1b2c3");
    await noted(page, "a.txt: 1 game");
    await appears(page, "#known tr[data-point='0,14']");
    assert.equal(await moves(page), "");
    await drag("drop", "#board", "b.txt", "d4e5");
    await waitForMoves(page, "d4 e5");
    await close(page);
  },
);

test(
  "a comment is saved when its field is left, stays after a reload and is undone",
  { skip: needsServer },
  async () => {
    const page = await explorer();
    await click(page, "c3");
    await settled(page, 1);
    await setComment(page, "a corner, unusual");
    await page.reload();
    await ready(page);
    await page.click("#tab-library");
    await wait(page, () => document.querySelector("#comment").value === "a corner, unusual");
    // A comment belongs to its position, also if the pointer leaves the field for the board.
    await page.click("#comment");
    await page.keyboard.type("!");
    await click(page, "d4");
    await settled(page, 2);
    await noted(page, "Comment saved");
    assert.equal(await page.$eval("#comment", (field) => field.value), "");
    await page.click("#back");
    await wait(page, () => document.querySelector("#comment").value.includes("!"));
    await page.click("#undo");
    await wait(page, () => document.querySelector("#comment").value === "a corner, unusual");
    // Also if the position changes under the field.
    await page.click("#comment");
    await page.keyboard.press("End");
    await page.keyboard.type("?");
    const { x, y } = await boxOf(page, "#board");
    await page.mouse.move(x + 200, y + 200);
    await page.mouse.wheel({ deltaY: -120 });
    await settled(page, 0);
    await noted(page, "Comment saved");
    await page.mouse.wheel({ deltaY: 120 });
    await settled(page, 1);
    await wait(page, () => document.querySelector("#comment").value === "a corner, unusual?");
    await close(page);
  },
);

test(
  "a point is labelled by Ctrl-click, the middle button or the mode, and the label is seen on the board",
  { skip: needsServer },
  async () => {
    const page = await explorer();
    const type = async (label) => {
      await appears(page, "#label-form:not([hidden])");
      await page.keyboard.type(label);
      await page.keyboard.press("Enter");
      await wait(
        page,
        (label) => [...document.querySelectorAll(".note-text")].some((n) => n.textContent === label),
        label,
      );
    };
    await page.keyboard.down("Control");
    await click(page, "l12");
    await page.keyboard.up("Control");
    assert.equal(await text(page, "#label-name"), "Label of l12");
    await type("A");
    await click(page, "m13", { button: "middle" });
    await type("win?");
    await page.click("#labelling");
    await click(page, "o1");
    await type("c");
    assert.equal(await moves(page), "", "nothing was played");
    // The empty board is symmetric: each label stands on all images of its point.
    assert.deepEqual((await notes(page)).filter((note) => note === "c").length, 4);
    await shot(page, "labels");
    await click(page, "o1");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await wait(page, () => [...document.querySelectorAll(".note-text")].every((n) => n.textContent !== "c"));
    await page.click("#labelling");
    await click(page, "h8");
    await settled(page, 1);
    await close(page);
  },
);

test("a result is claimed, flows back to the moves, and the position is removed", { skip: needsServer }, async () => {
  const page = await explorer();
  for (const [place, point] of ["n2", "n3", "n4"].entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  await page.click("#addline");
  await noted(page, "Line added");
  await page.click("#library summary");
  await page.select("#claim select", "white");
  await page.type("#claim input", "7");
  await page.click("#claim button:not([type])");
  await waitForText(page, "#verdict", "White wins in 7 claimed");
  await page.click("#back");
  await waitForText(page, "#known", "White wins in 7");
  assert.deepEqual(await notes(page), ["W7"]);
  assert.equal(await count(page, ".goban .note.bad"), 1, "bad for black");
  await page.click("#forward");
  await waitForText(page, "#verdict", "White wins in 7 claimed");
  await page.click("#forget");
  await waitForText(page, "#verdict", "not in the library");
  await page.click("#undo");
  await waitForText(page, "#verdict", "White wins in 7");
  await close(page);
});

test("a position is searched and its score kept", { skip: needsServer }, async () => {
  const page = await explorer();
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15", turn: "0", nodes: "2000" });
  for (const [place, point] of ["h8", "i9", "j11"].entries()) {
    await click(page, point);
    await settled(page, place + 1);
  }
  await page.click("#keep");
  await noted(page, "keeps what the search has found");
  await waitForText(page, "#verdict", "Black");
  assert.match(await text(page, "#verdict"), /^Black \d+ % depth \d+ · Tengen/);
  assert.ok(await count(page, "#search .line"));
  await close(page);
});

test("a search for the library that is given up leaves no message", { skip: needsServer }, async () => {
  const page = await open(DESK, address);
  await begin(page, { one: "human", two: "human", rule: "renju", size: "15", turn: "30" });
  await click(page, "h8");
  await settled(page, 1);
  await page.click("#tab-library");
  await page.click("#keep");
  await noted(page, "Searching");
  await page.click("#back");
  await settled(page, 0);
  await wait(page, () => document.querySelector("#library-note").textContent === "");
  await close(page);
});

test("a comment of the library stays on its position when an engine moves", { skip: needsServer }, async () => {
  const page = await open(DESK, address);
  await begin(page, { one: "human", two: "search", rule: "standard", size: "15", turn: "1" });
  await page.click("#tab-library");
  await click(page, "h8");
  const words = "a comment that takes its time to be written here, word by word";
  await page.click("#comment");
  // Two and a half seconds: the answer comes in between.
  await page.type("#comment", words, { delay: 40 });
  await settled(page, 2);
  const shown = () => page.$eval("#comment", (field) => field.value);
  assert.equal(await shown(), words);
  await page.keyboard.press("Tab");
  await noted(page, "Comment saved");
  await wait(page, () => document.querySelector("#comment").value === "");
  await page.click("#back");
  await settled(page, 1);
  await wait(page, (words) => document.querySelector("#comment").value === words, words);
  await close(page);
});

test("the library is saved in every format", { skip: needsServer }, async () => {
  const page = await explorer();
  await click(page, "h8");
  await settled(page, 1);
  await page.click("#addline");
  await noted(page, "Line added");
  for (const [format, begins] of [
    ["lib", "\xffRenLib\xff\x03"],
    ["sgf", "(;"],
    ["db", ""],
    ["csv", "index,key,label"],
    ["jsonl", '{"rule":"renju","size":15'],
  ]) {
    const bytes = await download(page, format, async () => {
      await page.click("#savelibrary");
      if (format === "lib") await shot(page, "library-save");
      await page.click(`#formats [value=${format}]`);
    });
    assert.ok(bytes.length > 20 && bytes.toString("latin1").startsWith(begins), format);
    await noted(page, "positions");
  }
  await close(page);
});

test("the panel fits a phone, and axe finds no serious fault", { skip: needsServer }, async () => {
  for (const [viewport, size] of [
    [DESK, "desk"],
    [PHONE, "phone"],
  ]) {
    for (const mode of ["light", "dark", "contrast", "chinese"]) {
      const page = await explorer(viewport);
      await prefer(page, mode === "dark" ? "dark" : "light");
      if (mode === "contrast") await setting(page, "contrast", "high");
      if (mode === "chinese") await setting(page, "language", "zh");
      await page.click("#labelling");
      await page.click("#library summary");
      await shot(page, `library-${size}-${mode}`);
      assert.deepEqual(await faults(page), [], `${size} ${mode}`);
      assert.ok(await fits(page), `${size} ${mode}`);
      await close(page);
    }
  }
});

test(
  "without a library the panel says how to get one, and a continuous game has none",
  { skip: needsServer },
  async () => {
    const plain = await open();
    await plain.click("#tab-library");
    assert.match(await text(plain, "#library-hint"), /tengen-board --library FILE/);
    assert.equal(await plain.$eval("#library", (panel) => panel.hidden), true);
    const offered = await plain.$$eval("#overlay option", (options) => options.map(({ value }) => value));
    assert.ok(!offered.includes("library"));
    await close(plain);
    const page = await open(DESK, address);
    await begin(page, { one: "human", two: "human", rule: "renju", size: "15", continuous: true });
    await page.click("#tab-library");
    assert.match(await text(page, "#library-hint"), /no continuous games/);
    await close(page);
  },
);
