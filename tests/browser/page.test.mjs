// The page for the room, in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import net from "node:net";
import { after, before, test } from "node:test";

import { SIZES, browser, casino, crowding, hidden, open, paleTexts, player, seriousFaults, until } from "./casino.mjs";

let chrome;
before(async () => { chrome = await browser(); });
after(() => chrome.close());

const SEVENTEEN = ["cautious*4", "reader*4", "odds*3", "spades*3", "simple*3"].flatMap((bot) => ["--bot", bot]);
const SHOTS = process.env.SHOTS;

test("17 players fit on every screen in both colours, readable from the back row", async () => {
  const day = await casino(["play", ...SEVENTEEN, "--pace", "60000", "--seed", "Casino"]);
  try {
    // Colours that are still on their way to others have any contrast.
    const page = await open(chrome, day.page, { viewport: SIZES.small, reducedMotion: "reduce" });
    const everywhere = async (check) => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ["dark", "light"]) {
          await page.emulateMedia({ colorScheme });
          await check(size, colorScheme, viewport);
        }
      }
    };
    const readable = async (where) => {
      assert.deepEqual(await paleTexts(page), [], where);
      assert.deepEqual(await seriousFaults(page), [], where);
    };
    const fits = async (size, colorScheme, viewport) => {
      const where = `${size}, ${colorScheme}`;
      assert.equal(await page.locator(".seat").count(), 17);
      assert.deepEqual(await crowding(page, ".seat, .centre-cell"), [], where);
      assert.deepEqual(await crowding(page, "#rows tr"), [], where);
      assert.deepEqual(await hidden(page, ".seat .stack, .seat .card, .seat .side > span, .seat .word, .centre p"), [], where);
      if (size === "projector") {
        const sizes = await page.$$eval(".seat .name, .seat .stack, #rows .who, #rows .chips", (all) =>
          all.filter((element) => !element.querySelector(".left")).map((element) => parseFloat(getComputedStyle(element).fontSize)));
        assert.ok(Math.min(...sizes) >= viewport.height / 30, `the smallest is ${Math.min(...sizes)} px`);
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
    await everywhere(async (size, colorScheme, viewport) => {
      await fits(size, colorScheme, viewport);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/bets-${size}-${colorScheme}.png`, fullPage: size === "phone" });
    });
    await day.act("tempo", { percent: 2000 });
    await page.waitForSelector(".centre .winner");
    await day.act("tempo", { percent: 10 });
    await everywhere(async (size, colorScheme, viewport) => {
      await fits(size, colorScheme, viewport);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${size}-${colorScheme}.png`, fullPage: size === "phone" });
    });
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("a whole tournament of 17 with a reload in the middle ends with the podium and the dealer's own state", async () => {
  const day = await casino(["play", ...SEVENTEEN, "--rounds", "300"]);
  try {
    await day.act("tempo", { percent: 1000 });
    await day.act("pace", { ms: 10 });
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    await day.start();
    await page.waitForFunction(() => window.casino.state()?.board.round > 60);
    await page.reload();
    await page.waitForSelector(".seat");
    const points = await page.evaluate(() => window.casino.state().race.points.length);
    assert.ok(points > 50, `whoever comes late sees the race from its start: ${points} points`);
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    const theirs = await day.state();
    await page.waitForFunction((n) => window.casino.state().n === n, theirs.n);
    const ours = await page.evaluate(() => window.casino.state());
    assert.deepEqual({ ...ours, race: ours.race.points }, { ...theirs, race: theirs.race.points });
    const winner = theirs.programme.players[theirs.podium[0].seat - 1];
    assert.match(await page.textContent("#podium .step:first-child .name"), new RegExp(winner));
    assert.match(await page.textContent("#promise"), /SHA-256/);
    assert.deepEqual(await seriousFaults(page), []);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/podium.png` });
    await day.act("reveal");
    await page.waitForFunction(() => document.getElementById("promise").textContent.includes("The seed was"));
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("three viewers, one of whom never reads: the other two stay in step", async () => {
  const day = await casino(["play", ...SEVENTEEN, "--rounds", "2000"]);
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
      await page.waitForFunction((n) => window.casino.state().n === n, n);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  } finally {
    stalled.destroy();
    day.end();
  }
});

test("who wants less motion gets none, and the keyboard reaches everything", async () => {
  const day = await casino(["play", "--bot", "cautious*5", "--pace", "60000"]);
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
    assert.equal(await page.evaluate(() => document.activeElement.id), "board");
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#keys"));
    await page.keyboard.press("Escape");
    const reached = new Set();
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
    }
    for (const wanted of ["theme", "help", "log"]) assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
    assert.equal(await page.getAttribute("#log", "aria-live"), "polite");
    assert.match(await page.textContent("#log"), /Round \d+: .* wins/);
    await page.close();
  } finally {
    day.end();
  }
});

/** 200 avatars nobody would want on a projector, those that tests/web.rs plays with. */
function hostileAvatars() {
  const tricks = JSON.parse(readFileSync(new URL("../hostile-avatars.json", import.meta.url), "utf8"));
  return Array.from({ length: 200 }, (_, index) => {
    const trick = tricks[index % tricks.length];
    const avatar = index % 25 === 24 ? trick.repeat(1 + index) : `${trick}${Math.floor(index / 25)}`;
    // A colon would not be let in, and a login takes 64 characters; some go by another one's GitHubId.
    return index % 17 % 8 === 7 ? `octo-${index - 1}` : [...avatar.replaceAll(":", ";")].slice(0, 64).join("");
  });
}

test("200 hostile avatars at twelve tables do nothing and break nothing", async () => {
  const avatars = hostileAvatars();
  const day = await casino(["host", "--bind", "127.0.0.1:0", "--players", "200", "--seats", "17", "--rounds", "4000", "--pace", "60000"]);
  try {
    await day.act("tempo", { percent: 2000 });
    const page = await open(chrome, day.page, { viewport: SIZES.small, reducedMotion: "reduce" });
    const desk = await open(chrome, day.desk, { viewport: SIZES.small });
    avatars.forEach((avatar, index) => player(day.game, `octo-${index}`, avatar));
    await page.waitForFunction(() => document.querySelectorAll("#lobby li").length === 200);
    assert.deepEqual(await crowding(page, "#lobby li"), []);
    await day.start();
    await day.act("step");
    const harmless = async (where) => {
      for (const shown of [page, desk]) {
        assert.equal(await shown.evaluate(() => window.pwned), undefined, where);
        assert.equal(await shown.locator("img, iframe, object, main script").count(), 0, where);
        assert.ok((await shown.title()).startsWith("Casino Day"), where);
        assert.equal(await shown.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), true, where);
      }
      const text = await page.evaluate(() => document.documentElement.outerHTML);
      assert.equal(text.includes("octo-"), false, `${where}: a GitHubId is on the page`);
    };
    const names = (await day.state()).programme.players;
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 200);
    // Every table once, so that every name has sat at it.
    for (let table = 1; table <= 12; table++) {
      await day.act("feature", { table });
      // The round that is being played when a table is chosen is still shown to its end.
      await until(`table ${table}`, async () => {
        await day.act("step");
        const { round } = await day.overview();
        await until("another round", async () => (await day.overview()).round >= round);
        return page.evaluate((table) => window.casino.state().table?.table === table && Boolean(window.casino.state().table.result), table);
      });
      assert.deepEqual(await crowding(page, ".seat, .centre-cell"), [], `table ${table}`);
      assert.deepEqual(await hidden(page, ".seat .stack, .seat .card, .seat .side > span, .centre p"), [], `table ${table}`);
      await harmless(`table ${table}`);
    }
    assert.deepEqual(await crowding(page, "#rows tr"), []);
    assert.deepEqual(await crowding(page, "#tables button"), []);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/hostile.png` });
    await page.keyboard.press("o");
    await page.waitForFunction(() => document.querySelectorAll("#overview article").length === 12);
    assert.equal(await page.locator("#overview li").count(), 200);
    assert.deepEqual(await crowding(page, "#overview article"), []);
    await desk.waitForFunction(() => document.querySelectorAll("#members tr").length === 200);
    await harmless("all tables");
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/hostile-tables.png` });
    assert.deepEqual([...page.complaints, ...desk.complaints], []);
    await page.close();
    await desk.close();
  } finally {
    day.end();
  }
});

test("several tables: one is shown, all are to be seen, and the last one ends with the podium", async () => {
  const day = await casino([
    "play", "--bot", "bold*15", "--bot", "random*15", "--seats", "10", "--level-rounds", "20", "--stack", "60", "--pace", "60000", "--seed", "tables",
  ]);
  try {
    await day.act("tempo", { percent: 2000 });
    const page = await open(chrome, day.page, { viewport: SIZES.projector, reducedMotion: "reduce" });
    await day.start();
    await day.act("step");
    await page.waitForSelector(".centre .winner");
    const sound = async (where) => {
      assert.deepEqual(await crowding(page, "section:not([hidden])"), [], where);
      assert.deepEqual(await hidden(page, ".seat .stack, .seat .card, .seat .side > span, #tables button, #overview article"), [], where);
      assert.deepEqual(await paleTexts(page), [], where);
      assert.deepEqual(await seriousFaults(page), [], where);
    };
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await sound(`${size}, one table`);
      await page.click("#all");
      assert.ok(await page.locator("#overview article").count() >= 3);
      await sound(`${size}, all tables`);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/tables-${size}.png`, fullPage: size === "phone" });
      await page.locator("#tables button").nth(1).click();
      assert.equal(await page.locator("#overview article").count(), 1);
      assert.match(await page.textContent("#overview h3"), /Table 2 /);
      await page.keyboard.press("ArrowRight");
      assert.match(await page.textContent("#overview h3"), /Table 3 /);
      await sound(`${size}, the players of one`);
      await page.keyboard.press("o");
      assert.ok(await page.isVisible("#table"));
    }
    await page.setViewportSize(SIZES.projector);
    // The teacher chooses which table is shown, and the room sees that one.
    const desk = await open(chrome, day.desk, { viewport: { width: 1400, height: 900 } });
    await desk.fill("#feature", "2");
    await desk.click("#feature-form button");
    await until("the choice", async () => (await day.overview()).featured === 2);
    await until("the table that was chosen", async () => {
      await day.act("step");
      return page.evaluate(() => window.casino.state().table.table === 2 && window.casino.state().hall.featured === 2);
    });
    await desk.close();
    await day.act("pace", { ms: 0 });
    await day.act("resume");
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    const { hall, podium, board } = await day.state();
    assert.equal(hall.tables.length, 1, "the last table");
    assert.equal(podium.length, 30);
    assert.deepEqual(podium.map((row) => row.seat), board.rows.map((row) => row.seat));
    await sound("the podium");
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("between two tournaments the lobby says who is awaited, and knows who was there before", async () => {
  const day = await casino(["host", "--bind", "127.0.0.1:0", "--players", "4", "--bot", "cautious", "--rounds", "3"]);
  try {
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    const lobby = () => page.textContent("#lobby .waiting");
    await page.waitForFunction(() => document.querySelector("#lobby .waiting")?.textContent === "Waiting for 3 more players …");
    player(day.game, "octo-1", "Steph");
    // A name that comes over the network could be a GitHubId: nobody knows before everybody is in.
    await page.waitForFunction(() => document.querySelector("#lobby").textContent.includes("Ste…"));
    player(day.game, "octo-2", "Amit");
    player(day.game, "octo-3", "Chao");
    await page.waitForFunction(() => document.querySelector("#lobby .waiting")?.textContent === "Everybody is in.");
    assert.equal(await page.locator("#lobby .on").count(), 4);
    await day.act("tempo", { percent: 2000 });
    await day.start();
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    await day.act("next");
    await page.waitForFunction(() => document.querySelectorAll("#lobby .off").length === 3);
    assert.equal(await lobby(), "Waiting for Amit, Chao, and Steph …".replace(/Amit, Chao, and Steph/, (await day.state()).lobby.awaited.join(", ").replace(/, ([^,]*)$/, ", and $1")));
    player(day.game, "octo-1", "Steph");
    await page.waitForFunction(() => [...document.querySelectorAll("#lobby .on .name")].some((name) => name.textContent === "Steph"));
    assert.equal(await page.locator("#lobby .off").count(), 2);
    assert.deepEqual(await seriousFaults(page), []);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/lobby.png` });
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});
