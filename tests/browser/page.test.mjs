// The page for the room, in a real browser.

import assert from "node:assert/strict";
import net from "node:net";
import { after, before, test } from "node:test";

import { SIZES, browser, casino, keepPicture, open, player, textOf, until } from "./casino.mjs";
import { crowding, hidden, paleTexts, seriousFaults } from "./measure.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const SEVENTEEN = ["cautious*4", "reader*4", "odds*3", "spades*3", "simple*3"].flatMap((bot) => [
  "--bot",
  bot,
]);

test("17 players fit on every screen in both colours, readable from the back row", async () => {
  const day = await casino("play --pace 60000 --seed Casino", ...SEVENTEEN);
  try {
    // Colours that are still on their way to others have any contrast.
    const page = await open(chrome, day.page, { viewport: SIZES.small, reducedMotion: "reduce" });
    /** @param {(size: string, colorScheme: "dark" | "light", height: number) => Promise<void>} check */
    const everywhere = async (check) => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
          await page.emulateMedia({ colorScheme });
          await check(size, colorScheme, viewport.height);
        }
      }
    };
    /** @param {string} where */
    const readable = async (where) => {
      assert.deepEqual(await paleTexts(page), [], where);
      assert.deepEqual(await seriousFaults(page), [], where);
    };
    /** @type {(size: string, colorScheme: string, height: number) => Promise<void>} */
    const fits = async (size, colorScheme, height) => {
      const where = `${size}, ${colorScheme}`;
      assert.equal(await page.locator(".seat").count(), 17);
      assert.deepEqual(await crowding(page, ".seat, .centre-cell"), [], where);
      assert.deepEqual(await crowding(page, "#rows tr"), [], where);
      assert.deepEqual(
        await hidden(page, ".seat .stack, .seat .card, .seat .side > span, .seat .word, .centre p"),
        [],
        where,
      );
      if (size === "projector") {
        const sizes = await page.$$eval(".seat .name, .seat .stack, #rows .who, #rows .chips", (all) =>
          all
            .filter((element) => !element.querySelector(".left"))
            .map((element) => parseFloat(getComputedStyle(element).fontSize)),
        );
        assert.ok(Math.min(...sizes) >= height / 30, `the smallest is ${Math.min(...sizes)} px`);
      }
      await readable(where);
    };
    await page.waitForSelector("#lobby li");
    await everywhere(async (size, colorScheme) => {
      assert.deepEqual(await crowding(page, "#lobby li"), []);
      await readable(`lobby, ${size}, ${colorScheme}`);
    });
    // The show stands still at a moment with bets on the table, and again at the end of the round.
    await day.act("tempo", { percent: 2000 });
    await day.start();
    await day.act("step");
    await page.waitForSelector(".seat .bet");
    await day.act("tempo", { percent: 10 });
    await everywhere(async (size, colorScheme, height) => {
      await fits(size, colorScheme, height);
      await keepPicture(page, `bets-${size}-${colorScheme}`, size === "phone");
    });
    await day.act("tempo", { percent: 2000 });
    await page.waitForSelector(".centre .winner");
    await day.act("tempo", { percent: 10 });
    await everywhere(async (size, colorScheme, height) => {
      await fits(size, colorScheme, height);
      await keepPicture(page, `${size}-${colorScheme}`, size === "phone");
    });
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("a whole tournament of 17 with a reload in the middle ends with the podium and the dealer's own state", async () => {
  const day = await casino("play --rounds 300 --pace 60000", ...SEVENTEEN);
  try {
    await day.act("tempo", { percent: 1000 });
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    await day.start();
    // Round by round, so that it cannot be over before the reload.
    for (let round = 1; round <= 60; round++) {
      await day.act("step");
      await until(`round ${round}`, async () => (await day.overview()).round >= round);
    }
    await page.reload();
    await page.waitForSelector(".seat");
    const points = await page.evaluate(() => window.casino.state()?.race.points.length ?? 0);
    assert.ok(points > 50, `whoever comes late sees the race from its start: ${points} points`);
    await day.act("pace", { ms: 0 });
    await day.act("resume");
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    const theirs = await day.state();
    await page.waitForFunction((n) => window.casino.state()?.n === n, theirs.n);
    const ours = await page.evaluate(() => window.casino.state());
    assert.deepEqual({ ...ours, race: ours?.race.points }, { ...theirs, race: theirs.race.points });
    const winner = theirs.programme.players[theirs.podium[0].seat - 1];
    assert.match(await textOf(page, "#podium .step:first-child .name"), new RegExp(winner));
    assert.match(await textOf(page, "#promise"), /SHA-256/);
    assert.deepEqual(await seriousFaults(page), []);
    await keepPicture(page, "podium");
    await day.act("reveal");
    await page.waitForFunction(() =>
      document.getElementById("promise")?.textContent.includes("The seed was"),
    );
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("three viewers, one of whom never reads: the other two stay in step", async () => {
  const day = await casino("play --rounds 2000", ...SEVENTEEN);
  const stalled = net.connect(Number(new URL(day.page).port), "127.0.0.1");
  try {
    stalled.write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
    stalled.pause();
    await day.act("tempo", { percent: 2000 });
    const pages = await Promise.all([open(chrome, day.page), open(chrome, day.page)]);
    await until("three viewers", async () => (await day.overview()).viewers === 3);
    await day.start();
    await day.phase("over");
    const { n } = await day.state();
    for (const page of pages) {
      await page.waitForFunction((n) => window.casino.state()?.n === n, n);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  } finally {
    stalled.destroy();
    day.end();
  }
});

test("who wants less motion gets none, and the keyboard reaches everything", async () => {
  const day = await casino("play --bot cautious*5 --pace 60000");
  try {
    const page = await open(chrome, day.page, { viewport: SIZES.small, reducedMotion: "reduce" });
    await day.act("tempo", { percent: 2000 });
    await day.start();
    await day.act("step");
    await page.waitForSelector(".centre .winner");
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    const theme = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await theme();
    await page.keyboard.press("t");
    assert.notEqual(await theme(), before);
    await page.keyboard.press("2");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "board");
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#keys"));
    await page.keyboard.press("Escape");
    const reached = new Set();
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.className));
    }
    for (const wanted of ["theme", "help", "log"])
      assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
    assert.equal(await page.getAttribute("#log", "aria-live"), "polite");
    assert.match(await textOf(page, "#log"), /Round \d+: .* wins/);
    await page.close();
  } finally {
    day.end();
  }
});

test("between two tournaments the lobby says who is awaited, and knows who was there before", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --players 4 --bot cautious --rounds 3");
  try {
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    const lobby = () => page.textContent("#lobby .waiting");
    await page.waitForFunction(
      () => document.querySelector("#lobby .waiting")?.textContent === "Waiting for 3 more players …",
    );
    player(day.game, "octo-1", "Steph");
    // A name that comes over the network could be a GitHubId: nobody knows before everybody is in.
    await page.waitForFunction(() => document.querySelector("#lobby")?.textContent.includes("Ste…"));
    player(day.game, "octo-2", "Amit");
    player(day.game, "octo-3", "Chao");
    await page.waitForFunction(
      () => document.querySelector("#lobby .waiting")?.textContent === "Everybody is in.",
    );
    assert.equal(await page.locator("#lobby .on").count(), 4);
    await day.act("tempo", { percent: 2000 });
    await day.start();
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    await day.act("next");
    await page.waitForFunction(() => document.querySelectorAll("#lobby .off").length === 3);
    assert.equal(
      await lobby(),
      "Waiting for Amit, Chao, and Steph …".replace(
        /Amit, Chao, and Steph/,
        (await day.state()).lobby.awaited.join(", ").replace(/, ([^,]*)$/, ", and $1"),
      ),
    );
    player(day.game, "octo-1", "Steph");
    await page.waitForFunction(() =>
      [...document.querySelectorAll("#lobby .on .name")].some((name) => name.textContent === "Steph"),
    );
    assert.equal(await page.locator("#lobby .off").count(), 2);
    assert.deepEqual(await seriousFaults(page), []);
    await keepPicture(page, "lobby");
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});
