// Phones, the keyboard, and pages that stay open for hours.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { SIZES, browser, keepPicture, open, patient, textOf } from "./casino.mjs";
import { clippedNames, faults } from "./measure.mjs";
import { ceremony, day, ended, rows, table } from "./moments.mjs";
import { stage } from "./stage.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

test("a phone follows its bot, remembers it, and is told why it was thrown out", async () => {
  const first = day(30);
  const theatre = await stage({ ...first, table: table(8) });
  theatre.onFollow((seat) => ({
    seat,
    name: first.programme.players[seat - 1],
    table: 3,
    chips: 412,
    place: 7,
    players: 30,
    exit: null,
    rounds: [{ round: 231, change: -12, chips: 412, text: "folded to a raise" }],
  }));
  const context = patient(await chrome.newContext({ viewport: SIZES.phone }));
  try {
    const page = await context.newPage();
    await page.goto(theatre.page);
    await page.selectOption("#follow-whom", { label: "E[chips] > 0" });
    await page.waitForSelector("#bot .facts");
    assert.match(await textOf(page, "#bot"), /E\[chips\] > 0412 chips7th of 30table 3/);
    assert.match(await textOf(page, ".last-rounds"), /round 231−12folded to a raise/);
    assert.deepEqual(await faults(page), []);
    await page.reload();
    await page.waitForSelector("#bot .facts");
    assert.equal(
      await page.$eval("#follow-whom", (list) => /** @type {HTMLSelectElement} */ (list).value),
      "2",
    );
    theatre.onFollow((seat) => ({
      seat,
      name: first.programme.players[seat - 1],
      table: null,
      chips: 0,
      place: 29,
      players: 30,
      exit: { round: 232, why: "it bet 11 where 0 to 10 was allowed", place: 29 },
      rounds: [],
    }));
    theatre.change({ board: { ...first.board, round: 233 } });
    await page.waitForSelector(".bot-exit");
    assert.match(await textOf(page, ".bot-exit"), /Out in round 232: it bet 11/);
    assert.match(await textOf(page, ".facts"), /29th of 30/);
  } finally {
    await context.close();
    theatre.close();
  }
});

/** @type {{ enabled: boolean, open: boolean, stage: "start", count: number, prophet: null }} */
const OPENED = { enabled: true, open: true, stage: "start", count: 3, prophet: null };

test("a phone predicts by taps while predictions are open, and the projector does not", async () => {
  const first = day(9);
  const theatre = await stage({ ...first, table: table(9), predictions: OPENED });
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.phone });
    const tap = (/** @type {string} */ name) =>
      page.locator("#choices").getByRole("button", { name, exact: true }).click();
    await page.waitForSelector("#predict-form");
    await page.click("#predict-form [type=submit]");
    assert.match(await textOf(page, "#predict-answer"), /Tap the winner/);
    await tap("E[chips] > 0");
    assert.equal(await page.getAttribute("#first-out", "aria-pressed"), "true", "the next question is asked");
    await tap("Blaise");
    // A choice is changed by tapping the question first. The same player cannot win and be out first.
    await page.click("#champion");
    await tap("Blaise");
    assert.match(await textOf(page, "#champion"), /WinnerBlaise/);
    assert.match(await textOf(page, "#first-out"), /tap a name/);
    await tap("<b>bold</b>");
    await page.click("#champion");
    await tap("E[chips] > 0");
    await page.click("#first-out");
    await tap("Blaise");
    await page.click("#predict-form [type=submit]");
    assert.match(await textOf(page, "#predict-answer"), /Choose a name for yourself/);
    await page.fill("#prophet-name", "<i>me</i>");
    assert.deepEqual(await faults(page), []);
    await page.click("#predict-form [type=submit]");
    await page.waitForFunction(() => document.querySelector("#predict-answer")?.textContent === "It is in.");
    const [{ id, name, champion, first_out: firstOut }] = theatre.predictions;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual([name, champion, firstOut], ["<i>me</i>", 2, 7]);
    assert.match(await textOf(page, "#predict-text"), /You say: E\[chips\] > 0 wins, Blaise is out first\./);
    theatre.change({ predictions: { ...OPENED, open: false } });
    await page.waitForSelector("#predict-form", { state: "hidden" });
    assert.match(await textOf(page, "#predict-text"), /You say/);
    theatre.change({ predictions: { ...OPENED, enabled: false, open: false } });
    await page.waitForSelector("#predict", { state: "hidden" });
    theatre.change({ predictions: OPENED });
    await page.setViewportSize(SIZES.projector);
    assert.equal(await page.isVisible("#predict"), false);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("of twenty-nine names each is found by a few letters and tapped with a thumb", async () => {
  const first = day(29);
  const players = first.programme.players.map((name, index) => (index === 20 ? "Zoë Müller" : name));
  const theatre = await stage({
    ...first,
    programme: { ...first.programme, players },
    table: table(8),
    predictions: OPENED,
  });
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.phone });
    await page.waitForSelector("#choices button");
    assert.equal(await page.locator("#choices button:visible").count(), 29);
    const small = await page.$$eval(
      "#choices button, .slots button, #predict-form [type=submit], #find",
      (all) =>
        all.map((part) => part.getBoundingClientRect()).filter((box) => box.width < 44 || box.height < 40),
    );
    assert.deepEqual(small, []);
    assert.deepEqual(await clippedNames(page, 3), []);
    await keepPicture(page, "predict-29", true);
    await page.fill("#find", "zoe mu");
    assert.equal(await page.locator("#choices button:visible").count(), 1);
    await page.press("#find", "Enter");
    assert.match(await textOf(page, "#champion"), /WinnerZoë Müller/);
    assert.equal(await page.inputValue("#find"), "", "all names are offered for the next question");
    assert.equal(await page.locator("#choices button:visible").count(), 29);
    await page.fill("#find", "nobody is called this");
    assert.equal(await page.locator("#choices button:visible").count(), 0);
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("at the end a phone is told whether it was right, and its place among the prophets", async () => {
  const first = day(9);
  const theatre = await stage({ ...first, table: table(9), predictions: OPENED });
  theatre.onResult({
    points: 450,
    place: 2,
    prophets: 27,
    answers: [
      { stage: "start", event: "champion", player: 2, is_right: true },
      { stage: "start", event: "first_out", player: 8, is_right: false },
    ],
  });
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.phone });
    await page.waitForSelector("#choices button");
    await page.locator("#choices button").nth(0).click();
    await page.locator("#choices button").nth(1).click();
    await page.fill("#prophet-name", "me");
    await page.click("#predict-form [type=submit]");
    await page.waitForFunction(() => document.querySelector("#predict-answer")?.textContent === "It is in.");
    const closed = { ...OPENED, open: false };
    theatre.change({ predictions: closed, phase: "ceremony", ceremony: ceremony(1) });
    await page.waitForSelector("#predict-form", { state: "hidden" });
    assert.equal(await page.isVisible("#predict-result"), false, "nothing is told before the end");
    theatre.change({
      phase: "over",
      ceremony: ceremony("done"),
      podium: [...ceremony("done").rows].reverse(),
    });
    await page.waitForSelector("#predict-result .prophet-place");
    const told = await textOf(page, "#predict-result");
    assert.match(told, /You were half right\.450 play points: 2nd of 27 prophets\./);
    assert.match(told, /✓ Winner, before the start: E\[chips\] > 0 – right/);
    assert.match(told, /✗ First one out, before the start: <b>bold<\/b> – wrong/);
    assert.equal(await page.locator("#predict-result b").count(), 0);
    assert.deepEqual(await faults(page), []);
    await keepPicture(page, "predict-result", true);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("the keyboard reaches everything", async () => {
  const theatre = await stage({
    ...day(30),
    table: table(8),
    board: { ...day(30).board, rows: rows(30, 4) },
  });
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.projector });
    await page.waitForSelector(".seat");
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.keyboard.press("t");
    assert.notEqual(await ground(), before);
    await page.keyboard.press("2");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "board");
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#keys"));
    await page.keyboard.press("Escape");
    const reached = new Set();
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id));
    }
    for (const wanted of ["theme", "help", "log"]) assert.ok(reached.has(wanted), wanted);
    assert.equal(await page.getAttribute("#log", "aria-live"), "polite");
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("a page that is open for hours does not grow", async () => {
  const first = { ...day(17), table: table(17) };
  const theatre = await stage(first);
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.projector, reducedMotion: "reduce" });
    await page.waitForSelector(".seat");
    const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
    /** @param {number} round */
    const play = async (round) => {
      const dealt = { ...table(17), round };
      const text = `Round ${round}: somebody wins.`;
      theatre.change({ table: dealt, show: { ...first.show, mode: round % 3 ? "detail" : "montage" } });
      theatre.change({ table: ended(dealt, "split"), added_news: [{ kind: "round", text }] });
      theatre.change({ board: { ...first.board, round }, exit: null });
      if (round % 50 === 0)
        await page.waitForFunction((n) => window.casino.state()?.n === n, theatre.state().n);
    };
    for (let round = 1; round <= 100; round++) await play(round);
    const early = await nodes();
    for (let round = 101; round <= 700; round++) await play(round);
    const late = await nodes();
    assert.ok(late <= early + 20, `${early} elements became ${late}`);
    assert.ok((await page.evaluate(() => window.casino.state()?.news.length ?? 0)) <= 200);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("a lost connection is said, and what has happened meanwhile is there when it is back", async () => {
  const theatre = await stage({ ...day(9), table: table(9) });
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.projector });
    await page.waitForSelector(".seat");
    theatre.cut();
    await page.waitForSelector("#lost", { state: "visible" });
    theatre.change({ board: { ...day(9).board, round: 999 } });
    await page.waitForSelector("#lost", { state: "hidden" });
    await page.waitForFunction(() => window.casino.state()?.board.round === 999);
    assert.match(await textOf(page, "#status"), /999/);
    await page.close();
  } finally {
    theatre.close();
  }
});
