// Rounds that go by: the montage, the tiles of all tables, the line-up of the last one, and who rose and fell.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, textOf } from "./casino.mjs";
import { day, ended, hall, table } from "./moments.mjs";
import { onStage, settled } from "./stage.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

test("a montage runs, and says why nothing is shown in detail", async () => {
  const first = day(12);
  await onStage(chrome, { ...first, show: { ...first.show, mode: "montage" } }, {}, async (page, theatre) => {
    assert.equal(await textOf(page, "#montage .count"), "231");
    const styles = () => page.$$eval("#montage .lane", (all) => all.map((one) => one.getAttribute("style")));
    const before = await styles();
    const board = structuredClone(first.board);
    board.round = 1204;
    board.rows.forEach((row) => (row.chips = row.place === 1 ? 900 : 90));
    theatre.change({ board, show: { ...first.show, mode: "montage", headline: "nobody is short of chips" } });
    await settled(page, theatre);
    assert.equal(await textOf(page, "#montage .count"), "1,204");
    assert.equal(await textOf(page, "#montage .why"), "nobody is short of chips");
    assert.notDeepEqual(await styles(), before);
    assert.equal(await page.locator("#table").isVisible(), false);
    assert.equal(await page.locator("#board").isVisible(), false, "the lanes have the standings");
  });
});

test("bars alone fill the screen for no more than 14 of 20 seconds", async () => {
  const first = day(12);
  const show = { ...first.show, mode: /** @type {const} */ ("montage") };
  await onStage(chrome, { ...first, show, table: ended(table(8), "split") }, {}, async (page, theatre) => {
    await page.clock.install();
    await page.reload();
    await page.waitForFunction(() => window.casino?.state());
    const now = () => page.evaluate(() => performance.now());
    // When bars were seen first and last without a table between.
    let [first, longest, tables] = [NaN, 0, 0];
    for (let second = 0; second < 40; second++) {
      const before = await now();
      theatre.change({ show: { ...show, rounds_per_second: second } });
      await settled(page, theatre);
      const isBars = await page.locator("#montage").isVisible();
      if (isBars && Number.isNaN(first)) first = await now();
      else if (isBars) longest = Math.max(longest, before - first);
      else [first, tables] = [NaN, tables + 1];
      await page.clock.runFor(1000);
    }
    assert.ok(longest > 8_000 && longest <= 14_000 && tables > 0, `${longest} ms, ${tables} tables`);
  });
});

test("tiles name the leader of each table, and the last table says how its players got there", async () => {
  const eight = { ...day(8), hall: hall(8, 2), table: table(4) };
  await onStage(chrome, eight, {}, async (page, theatre) => {
    const leaders = eight.hall.tables.map(({ chips, players }) => players[chips.indexOf(Math.max(...chips))]);
    const named = leaders.map((seat) => eight.programme.players[seat - 1]);
    assert.deepEqual(await page.locator("#tables .leader .name").allTextContents(), named);
    theatre.change({ hall: hall(8, 1), show: { ...eight.show, mode: "last_table" } });
    await settled(page, theatre);
    const low = eight.race.points.reduce((one, other) => (other.stacks[0] < one.stacks[0] ? other : one));
    const card = page.locator("#splash li").filter({ hasText: eight.programme.players[0] }).first();
    assert.match(
      (await card.textContent()) ?? "",
      new RegExp(`down to ${low.stacks[0]} in round ${low.round}`),
    );
    assert.equal(await card.locator("polyline").count(), 1);
  });
});

test("the demo shows the console once, for six seconds of its second level", async () => {
  const first = { ...day(8), hall: { ...hall(8, 2), level: 1 }, table: table(4) };
  const demo = { ...first, lobby: { ...first.lobby, next_steps: ["Teacher: casino host"] } };
  await onStage(chrome, demo, {}, async (page, theatre) => {
    await page.route("**/console.webp", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: "<svg/>" }),
    );
    await page.clock.install();
    const level = async (/** @type {number} */ number) => {
      theatre.change({ hall: { ...hall(8, 2), level: number } });
      await settled(page, theatre);
      return page.locator(".tour").count();
    };
    assert.equal(await page.locator(".tour").count(), 0);
    assert.equal(await level(2), 1);
    await page.clock.runFor(7000);
    assert.equal(await level(2), 0);
    assert.equal(await level(3), 0, "once");
  });
  await onStage(chrome, { ...first, hall: hall(8, 2) }, {}, async (page) => {
    assert.equal(await page.locator(".tour").count(), 0, "no other day has it");
  });
});

test("the standings say who rose and fell since a tenth of the rounds ago", async () => {
  const four = day(4);
  const stacks = (/** @type {number[]} */ ...all) => all;
  const points = [
    { round: 180, stacks: stacks(900, 500, 400, 200) },
    { round: 231, stacks: stacks(300, 950, 350, 400) },
  ];
  const chips = [950, 400, 350, 300];
  const board = [2, 4, 3, 1].map((seat, index) => ({
    ...four.board.rows[0],
    ...{ seat, place: index + 1, chips: chips[index] },
  }));
  const state = { ...four, race: { stride: 1, points }, board: { ...four.board, rows: board } };
  await onStage(chrome, state, {}, async (page, theatre) => {
    assert.deepEqual(await page.locator("#rows .rise").allTextContents(), ["▲1", "▲2", "", "▼3"]);
    const rows = board.map((row) => ({ ...row, points: 10 - row.place }));
    theatre.change({ board: { ...state.board, rows } });
    await settled(page, theatre);
    assert.deepEqual(await page.locator("#rows .rise").allTextContents(), ["", "", "", ""], "points decide");
  });
});
