// Keeping and sharing games: SGF with the whole tree, recent games, links to positions, texts that are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  address,
  appears,
  begin,
  click,
  close,
  count,
  faults,
  hasTrouble,
  listed,
  moves,
  open,
  paste,
  push,
  ready,
  saved,
  settled,
  shot,
  text,
  wait,
  waitForMoves,
  waitForText,
} from "./driver.mjs";

const ROW = "#dialog-open:has(#recent-games:not([hidden])) #recent .game";

// Types a comment on the shown position.
async function comment(page, words) {
  await page.click("#tab-moves");
  await page.focus("#note");
  await page.$eval("#note", (field) => field.select());
  await page.keyboard.type(words);
}

// The labels of points on the board.
const marks = (page) => page.$$eval(".goban .note-text", (nodes) => nodes.map((node) => node.textContent).join(" "));

// Plays these moves of two people.
async function play(page, names, from = 0) {
  let number = from;
  for (const name of names.split(" ")) {
    await click(page, name);
    await settled(page, ++number);
  }
}

const human = { one: "human", two: "human", rule: "renju", size: "15" };

test("a tree with variations, comments, marks and scores is saved as SGF and opened again", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9 j10");
  await comment(page, "第三手：好棋]");
  await page.click("#marking");
  await click(page, "a1");
  await page.type("#mark-text", "难");
  await click(page, "h8");
  await click(page, "c3");
  await click(page, "c3");
  await page.click("#marking");
  assert.equal(await marks(page), "难 A", "the mark of c3 was taken back");
  await page.click("#back");
  await settled(page, 2);
  assert.equal(await page.$eval("#note", (field) => field.value), "");
  assert.equal(await marks(page), "");
  await play(page, "g7", 2);
  // A search gives the position a score.
  await page.click("#hint");
  await wait(page, () => /%|wins/.test(document.querySelector("#evaluation").textContent));
  await appears(page, "#hint[aria-pressed=false]");
  const score = await text(page, "#evaluation");
  const file = String(await saved(page, "sgf", "sgf"));
  assert.match(file, /^\(;FF\[4\]GM\[4\]CA\[UTF-8\]SZ\[15\]PB\[You\]PW\[You\]DT\[\d{4}-\d\d-\d\d\]RU\[renju\]/);
  assert.match(file, /C\[第三手：好棋\\\]\]LB\[hh:难\]\[ao:A\]/);
  await shot(page, "keep-notes");

  await begin(page, { ...human, rule: "freestyle", size: "13" });
  await paste(page, file);
  await waitForMoves(page, "h8 i9 j10");
  assert.deepEqual(await listed(page), ["h8", "i9", "j10", "g7"]);
  assert.equal(await page.$eval("#note", (field) => field.value), "第三手：好棋]");
  assert.equal(await marks(page), "难 A");
  assert.match(await page.$eval("#board", (board) => board.getAttribute("aria-label")), /15 × 15, Renju/);
  const again = String(await saved(page, "sgf", "sgf"));
  assert.equal(again, file, "nothing is lost");
  await push(page, "#moves .variation .move");
  await waitForMoves(page, "h8 i9 g7");
  assert.equal(await text(page, "#evaluation"), score);
  // Comments and marks survive a reload.
  await push(page, "#moves .move:nth-child(3)");
  await waitForMoves(page, "h8 i9 j10");
  await page.reload();
  await ready(page);
  assert.equal(await marks(page), "难 A");
  assert.equal(String(await saved(page, "sgf", "sgf")), file);
  assert.equal(await hasTrouble(page), false);
  assert.deepEqual(await faults(page), []);
  await close(page);
});

test("a new game and an opened one put the game before into the list of recent games", async () => {
  const page = await open();
  await begin(page, human);
  await page.click("#open");
  assert.equal(await count(page, ROW), 0, "an empty game is not kept");
  await page.click("#dialog-open [value=cancel]");
  await play(page, "h8 i9");
  await comment(page, "first");
  await begin(page, { ...human, rule: "freestyle" });
  await play(page, "a1");
  await paste(page, "c3 d4 e5");
  await waitForMoves(page, "c3 d4 e5");
  await page.click("#open");
  await appears(page, ROW);
  const rows = await page.$$eval(ROW, (rows) => rows.map((row) => row.textContent));
  assert.equal(rows.length, 2);
  assert.match(rows[0], /Freestyle 15, 1 move$/);
  assert.match(rows[1], /\d.*You.*You.*Renju 15, 2 moves$/);
  assert.deepEqual(await faults(page), []);
  await shot(page, "recent");
  await page.click(`${ROW}:nth-child(2)`);
  await waitForMoves(page, "h8 i9");
  assert.equal(await page.$eval("#note", (field) => field.value), "first");
  // Another move makes the kept game part of this one. It is listed once.
  await play(page, "j10", 2);
  await begin(page, human);
  await page.click("#open");
  await appears(page, `${ROW}:nth-child(3)`);
  const all = await page.$$eval(ROW, (rows) => rows.map((row) => row.textContent.match(/\d+ moves?$/)[0]));
  assert.deepEqual(all, ["3 moves", "3 moves", "1 move"]);
  await close(page);
});

test("two tabs add to one list, which keeps the last twenty games", async () => {
  const page = await open();
  const other = await page.browserContext().newPage();
  await other.goto(address);
  await ready(other);
  const files = "abcdefghijklmno";
  for (let number = 0; number < 11; number++) {
    await page.bringToFront();
    await paste(page, `${files[number]}1 h8`);
    await settled(page, 2);
    await other.bringToFront();
    await paste(other, `${files[number]}15 h8`);
    await settled(other, 2);
  }
  await page.bringToFront();
  await paste(page, "h8 h9");
  await settled(page, 2);
  await page.click("#open");
  await appears(page, ROW);
  // The two tabs left 11 and 10 games.
  assert.equal(await count(page, ROW), 20);
  await close(page);
});

test("a page that the driver opens again has nothing of the test before", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9");
  await begin(page, human);
  await play(page, "g7");
  await page.reload();
  await waitForMoves(page, "g7");
  await close(page);
  const again = await open();
  await settled(again, 0);
  await again.click("#open");
  assert.equal(await count(again, ROW), 0);
  await again.keyboard.press("Escape");
  await close(again);
});

test("the game of a closed tab is in the list of recent games", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9");
  await page.reload();
  const closed = await page.browserContext().newPage();
  await closed.goto(address);
  await waitForMoves(closed, "h8 i9");
  await begin(closed, { ...human, rule: "freestyle" });
  await play(closed, "g8");
  await comment(closed, "first");
  // The tab is left twice: the list has its game once.
  await closed.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await comment(closed, "second");
  await closed.goto("about:blank");
  await closed.close();
  await page.bringToFront();
  await play(page, "j10", 2);
  await page.click("#open");
  await appears(page, ROW);
  const rows = await page.$$eval(ROW, (rows) => rows.map((row) => row.textContent.match(/15, \d+ moves?$/)[0]));
  assert.deepEqual(rows, ["15, 1 move"]);
  await page.click(ROW);
  await waitForMoves(page, "g8");
  assert.equal(await page.$eval("#note", (field) => field.value), "second");
  await close(page);
});

test("the page warns while the browser has no room for the game", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9");
  await page.evaluate(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, text) {
      if (!window.hasRoom && this === localStorage) throw new DOMException("full", "QuotaExceededError");
      set.call(this, key, text);
    };
  });
  // The warning moves the board, so no point is clicked.
  await push(page, "#back");
  await waitForText(page, "#trouble:not([hidden])", "no room for this game");
  await page.evaluate(() => {
    window.hasRoom = true;
  });
  await push(page, "#back");
  await wait(page, () => document.querySelector("#trouble").hidden);
  await close(page);
});

test("a game that began as another one does does not replace it in the list", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9 j10");
  await begin(page, human);
  const hide = () => page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await play(page, "h8 i9");
  await hide();
  await play(page, "k11", 2);
  await hide();
  await begin(page, human);
  await page.click("#open");
  await appears(page, ROW);
  const rows = await page.$$eval(ROW, (rows) => rows.map((row) => row.textContent.match(/15, \d+ moves?$/)[0]));
  assert.deepEqual(rows, ["15, 3 moves", "15, 3 moves"]);
  await close(page);
});

test("a link shows its position, and the game before it is kept", async () => {
  const page = await open();
  await begin(page, human);
  await play(page, "h8 i9 j10");
  await page.click("#back");
  await settled(page, 2);
  await page.click("#export");
  const link = await page.$eval("#link", (field) => field.value);
  assert.equal(link, `${new URL(address).origin}/#/renju/15/h8i9`);
  await page.click("#copylink");
  await waitForText(page, "#copylink", "Copied");
  await page.click("#dialog-export [value=cancel]");
  // A change of the fragment alone does not load the page again.
  await page.goto(`${address}#/freestyle/13/g7h8f6`);
  await waitForMoves(page, "g7 h8 f6");
  assert.equal(await page.evaluate(() => location.hash), "", "a reload keeps the game that follows");
  await page.click("#open");
  await appears(page, ROW);
  assert.match(await text(page, ROW), /Renju 15, 3 moves$/);
  await page.click("#dialog-open [value=cancel]");
  // A tab that is opened with a link.
  const other = await page.browserContext().newPage();
  await other.goto(link);
  await waitForMoves(other, "h8 i9");
  // The links of gomocalc have neither rule nor size.
  await paste(other, "https://gomocalc.com/#/h8i9j10");
  await waitForMoves(other, "h8 i9 j10");
  await other.goto(`${address}#/renju/15/h8i99`);
  await waitForText(other, "#trouble span", "i99");
  assert.equal(await moves(other), "h8 i9 j10");
  await close(page);
});

test("a refused text stays in the dialog with its first bad word selected", async () => {
  const page = await open();
  const list = "1. h8 2. i9\n3. foo 4. j10";
  await page.click("#open");
  await page.type("#dialog-open textarea", list);
  const selected = () =>
    page.$eval("#dialog-open textarea", (field) => field.value.slice(field.selectionStart, field.selectionEnd));
  await page.click("#dialog-open [value=ok]");
  await waitForText(page, "#refusal", '"foo"');
  assert.equal(await page.$eval("#dialog-open", (dialog) => dialog.open), true);
  assert.equal(await page.$eval("#dialog-open textarea", (field) => field.value), list);
  assert.equal(await selected(), "foo");
  await shot(page, "refused");
  assert.deepEqual(await faults(page), []);
  // Typing replaces the selected word. A move on a stone is named too.
  await page.keyboard.type("h8");
  assert.equal(await page.$eval("#refusal", (note) => note.hidden), true);
  await page.click("#dialog-open [value=ok]");
  await waitForText(page, "#refusal", "move 3, h8");
  assert.equal(await selected(), "h8");
  await page.keyboard.type("j9");
  await page.click("#dialog-open [value=ok]");
  await waitForMoves(page, "h8 i9 j9 j10");
  // A pasted text that is refused opens the dialog.
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "黑棋 h8");
    document.body.dispatchEvent(
      Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }),
    );
  });
  await waitForText(page, "#refusal", "黑棋");
  assert.equal(await selected(), "黑棋");
  await page.click("#dialog-open [value=cancel]");
  assert.equal(await moves(page), "h8 i9 j9 j10");
  await close(page);
});

test("a comment stays on the position where it was begun when an engine moves", async () => {
  const page = await open();
  await begin(page, { one: "human", two: "search", rule: "freestyle", size: "15", turn: "1" });
  await page.click("#tab-moves");
  await click(page, "h8");
  await page.click("#note");
  // Two and a half seconds: the answer comes in between.
  await page.type("#note", "a comment that takes its time to be written here, word by word", { delay: 40 });
  await settled(page, 2);
  await page.$eval("#note", (note) => note.blur());
  const shown = () => page.$eval("#note", (note) => note.value);
  assert.equal(await shown(), "");
  await page.keyboard.press(",");
  await settled(page, 1);
  assert.equal(await shown(), "a comment that takes its time to be written here, word by word");
  await close(page);
});

test("a Western file in SGF keeps the moves after an accented letter", async () => {
  const page = await open();
  for (const [head, comment] of [
    ["(;GM[4]SZ[15];B[hh]C[tr\u00e8s jou\u00e9]", "tr\u00e8s jou\u00e9"],
    ["(;GM[4]SZ[15]CA[ISO-8859-1];B[hh]C[\u00c4\u00dc]", "\u00c4\u00dc"],
  ]) {
    await page.evaluate((content) => {
      const bytes = Uint8Array.from(content, (sign) => sign.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], "game.sgf"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, `${head};W[ii];B[jj])`);
    await waitForMoves(page, "h8 i7 j6");
    await page.keyboard.press(",");
    await settled(page, 2);
    await page.keyboard.press(",");
    await settled(page, 1);
    assert.equal(await page.$eval("#note", (note) => note.value), comment);
  }
  await close(page);
});

test("an SGF file is saved with the date and the event that it came with", async () => {
  const page = await open();
  await paste(page, "(;FF[4]GM[4]SZ[15]DT[2020-01-02]EV[Cup];B[hh];W[ii])");
  await waitForMoves(page, "h8 i7");
  const header = async () => /DT\[.*?\](?:EV\[.*?\])?/.exec(String(await saved(page, "sgf", "sgf")))[0];
  assert.equal(await header(), "DT[2020-01-02]EV[Cup]");
  await page.reload();
  await waitForMoves(page, "h8 i7");
  assert.equal(await header(), "DT[2020-01-02]EV[Cup]");
  await begin(page, human);
  await play(page, "h8");
  const today = await page.evaluate(() => {
    const [month, day, year] = new Date().toLocaleDateString("en-US", { dateStyle: "short" }).split("/");
    return `20${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  });
  assert.equal(await header(), `DT[${today}]`);
  await close(page);
});

test("a text that is too large is named", async () => {
  const page = await open();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["x".repeat(17 << 20)], "match.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await waitForText(page, "#trouble span", "The text is too large to be sent");
  await close(page);
});

test("a file in SGF of another program, in GBK, is opened", async () => {
  const page = await open();
  const gbk = [0xba, 0xda, 0xc6, 0xe5];
  await page.evaluate((gbk) => {
    const text = new TextEncoder();
    const parts = ["(;GM[4]SZ[15]CA[gb2312]PB[", ";B[hh]TR[ii](;W[ig];B[])(;W[ih]))"].map((part) => text.encode(part));
    const content = [parts[0], new Uint8Array(gbk), text.encode("]"), parts[1]];
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(content, "game.sgf"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, gbk);
  await waitForMoves(page, "h8 i9");
  assert.equal(await text(page, "#player-black b"), "黑棋");
  await waitForText(page, "#trouble span", "Left out of the file: 1 ");
  assert.deepEqual(await listed(page), ["h8", "i9", "i8"]);
  await page.click("#back");
  await settled(page, 1);
  assert.equal(await marks(page), "△");
  assert.match(String(await saved(page, "svg", "svg")), /△/);
  await close(page);
});
