// Several tables, and players with names unfit for a projector.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { POLLING, SIZES, browser, casino, drawn, keepPicture, open, player, until } from "./casino.mjs";
import { clippedNames, crowding, faults, hidden, paleTexts, tableLetters } from "./measure.mjs";
import { day, table } from "./moments.mjs";
import { stage } from "./stage.mjs";

/** @import { Browser, Page } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/** 200 avatars unfit for a projector, the same as in tests/web.rs. */
function hostileAvatars() {
  const tricks = JSON.parse(readFileSync(new URL("../hostile-avatars.json", import.meta.url), "utf8"));
  return Array.from({ length: 200 }, (_, index) => {
    const trick = tricks[index % tricks.length];
    const avatar = index % 25 === 24 ? trick.repeat(1 + index) : `${trick}${Math.floor(index / 25)}`;
    // A colon would be refused, and a login takes 64 characters; some use the GitHubId of another one.
    return (index % 17) % 8 === 7
      ? `octo-${index - 1}`
      : [...avatar.replaceAll(":", ";")].slice(0, 64).join("");
  });
}

/**
 * Waits until the page shows a round of this table that is over. The round that is being played when a table is chosen is
 * still shown to its end. Another one is played only if none is shown for a while: the tournament is to last, however slow
 * the page is.
 * @param {Awaited<ReturnType<typeof casino>>} day
 * @param {Page} page
 * @param {number} table
 */
async function untilOver(day, page, table) {
  await until(`table ${table}`, async () => {
    await day.act("step");
    const isShown = page.waitForFunction(
      (number) => {
        const shown = window.casino.state()?.table;
        return shown?.table === number && shown.result !== null;
      },
      table,
      { timeout: 2000, polling: POLLING },
    );
    return isShown.then(Boolean, () => false);
  });
}

test("200 hostile avatars at twelve tables do nothing and break nothing", async () => {
  const avatars = hostileAvatars();
  const day = await casino(
    "host --bind 127.0.0.1:0 --players 200 --seats 17 --rounds 4000 --minutes 0 --pace 60000",
  );
  try {
    await day.act("tempo", { percent: 2000 });
    const page = await open(chrome, day.page, { viewport: SIZES.small, reducedMotion: "reduce" });
    const desk = await open(chrome, day.desk, { viewport: SIZES.small });
    avatars.forEach((avatar, index) => player(day.game, `octo-${index}`, avatar));
    await page.waitForFunction(() => document.querySelectorAll("#lobby li").length === 200, null, {
      polling: POLLING,
    });
    assert.deepEqual(await crowding(page, "#lobby li"), []);
    await day.start();
    await day.act("step");
    /** @param {string} where */
    const harmless = async (where) => {
      for (const shown of [page, desk]) {
        assert.equal(await shown.evaluate(() => window.pwned), undefined, where);
        assert.equal(await shown.locator("img, iframe, object, main script").count(), 0, where);
        assert.ok((await shown.title()).startsWith("Casino Day"), where);
        assert.equal(
          await shown.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1),
          true,
          where,
        );
      }
      const text = await page.evaluate(() => document.documentElement.outerHTML);
      assert.equal(text.includes("octo-"), false, `${where}: a GitHubId is on the page`);
    };
    const names = (await day.state()).programme.players;
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 200);
    // Every table once, so that every name has sat at it.
    for (let table = 1; table <= 12; table++) {
      await day.act("feature", { table });
      await untilOver(day, page, table);
      assert.deepEqual(await crowding(page, ".seat, #table > .centre"), [], `table ${table}`);
      assert.deepEqual(
        await hidden(page, ".seat .stack, .seat .card, .seat .half, .centre p"),
        [],
        `table ${table}`,
      );
      await harmless(`table ${table}`);
    }
    assert.deepEqual(await crowding(page, "#rows tr:not([hidden])"), []);
    assert.deepEqual(await crowding(page, "#tables li"), []);
    await keepPicture(page, "hostile");
    await page.keyboard.press("o");
    await page.waitForFunction(() => document.querySelectorAll("#overview article").length === 12);
    assert.equal(await page.locator("#overview li").count(), 200);
    assert.deepEqual(await crowding(page, "#overview article"), []);
    await desk.waitForFunction(() => document.querySelectorAll("#members tr").length === 200);
    await harmless("all tables");
    await keepPicture(page, "hostile-tables");
    assert.deepEqual([...page.complaints, ...desk.complaints], []);
    await page.close();
    await desk.close();
  } finally {
    day.end();
  }
});

/**
 * Checks that no element is crowded, cut off, pale or hard to reach.
 * @param {Page} page
 * @param {string} where
 */
async function sound(page, where) {
  assert.deepEqual(await crowding(page, "section:not([hidden])"), [], where);
  assert.deepEqual(await clippedNames(page, 3), [], where);
  assert.deepEqual(
    await hidden(page, ".seat .stack, .seat .card, .seat .half, #tables li, #overview article"),
    [],
    where,
  );
  assert.deepEqual(await paleTexts(page), [], where);
  assert.deepEqual(await faults(page), [], where);
}

/**
 * Checks one table and all tables, on every screen.
 * @param {Page} page
 */
async function lookAtTables(page) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await drawn(page);
    await sound(page, `${size}, one table`);
    await page.click("#all");
    await drawn(page);
    assert.ok((await page.locator("#overview article").count()) >= 3);
    await sound(page, `${size}, all tables`);
    await keepPicture(page, `tables-${size}`, size === "phone");
    await page.keyboard.press("o");
    assert.ok(await page.isVisible("#table"));
  }
}

test("several tables: one is shown, all are to be seen, and the last one ends with the podium", async () => {
  const day = await casino(
    "play --bot bold*14 --bot random*14 --seats 10 --level-rounds 20 --stack 60 --minutes 0 --pace 60000 --seed tables",
  );
  try {
    await day.act("tempo", { percent: 2000 });
    const page = await open(chrome, day.page, { viewport: SIZES.projector, reducedMotion: "reduce" });
    await day.start();
    await day.act("step");
    await page.waitForSelector(".panel");
    await lookAtTables(page);
    await page.setViewportSize(SIZES.projector);
    // The teacher chooses which table is shown, and the room sees that one.
    const desk = await open(chrome, day.desk, { viewport: { width: 1400, height: 900 } });
    await desk.selectOption("#feature", "2");
    await desk.click("#feature-form button");
    await until("the choice", async () => (await day.overview()).featured === 2);
    await untilOver(day, page, 2);
    assert.equal(await page.evaluate(() => window.casino.state()?.hall?.featured), 2);
    await desk.close();
    await day.act("pace", { ms: 0 });
    await day.act("resume");
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    const { hall, podium, board } = await day.state();
    assert.equal(hall?.tables.length, 1, "the last table");
    assert.equal(podium.length, 28);
    assert.deepEqual(
      podium.map((row) => row.seat),
      board.rows.map((row) => row.seat),
    );
    await sound(page, "the podium");
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("at 2 to 16 seats cards are the largest thing, and stacks, chances and bets can be read", async () => {
  const theatre = await stage(day(2));
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.projector, reducedMotion: "reduce" });
    for (let count = 2; count <= 16; count++) {
      theatre.show({ ...day(count), n: 1000 + count, table: table(count) });
      await page.waitForFunction((n) => window.casino?.state()?.n === n, 1000 + count);
      await drawn(page);
      const { rank, name, ...others } = await tableLetters(page);
      const found = `${count} seats: ranks ${rank} px, names ${name} px, ${JSON.stringify(others)}`;
      assert.ok(rank >= 48 && rank > name && Math.min(...Object.values(others)) >= 24, found);
    }
    await page.close();
  } finally {
    theatre.close();
  }
});
