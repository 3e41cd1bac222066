// The page for the room, in a real browser.

import assert from "node:assert/strict";
import net from "node:net";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { SIZES, browser, casino, keepPicture, open, player, textOf, until } from "./casino.mjs";
import { faults } from "./measure.mjs";
import { day, table } from "./moments.mjs";
import { stage } from "./stage.mjs";

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

test("a whole tournament of 17 with a reload in the middle ends with the podium and the dealer's own state", async () => {
  const day = await casino("play --rounds 300 --minutes 0 --pace 1000", ...SEVENTEEN);
  try {
    await day.act("tempo", { percent: 1000 });
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    await day.start();
    await page.waitForSelector("#table .seat");
    await page.reload();
    await page.waitForFunction(() => window.casino?.state()?.race.points[0]?.round === 0);
    await day.act("pace", { ms: 0 });
    await day.phase("over");
    await page.waitForSelector("#podium .step-1");
    let theirs = await day.state();
    await until("the dealer's own state", async () => {
      theirs = await day.state();
      return isDeepStrictEqual(await page.evaluate(() => window.casino.state()), theirs);
    });
    const winner = theirs.programme.players[theirs.podium[0].seat - 1];
    assert.equal(await textOf(page, "#podium .step:first-child .name"), winner);
    assert.match(await textOf(page, "#promise"), /SHA-256/);
    assert.deepEqual(await faults(page), []);
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
  const day = await casino("play --rounds 2000 --minutes 0", ...SEVENTEEN);
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
      await page.waitForFunction((n) => (window.casino.state()?.n ?? 0) >= n, n);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  } finally {
    stalled.destroy();
    day.end();
  }
});

test("between two tournaments the lobby says who is awaited, and knows who was there before", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --players 4 --bot cautious --rounds 3 --minutes 0");
  try {
    const page = await open(chrome, day.page, { viewport: SIZES.projector });
    const lobby = () => page.textContent("#lobby .waiting");
    await page.waitForFunction(
      () => document.querySelector("#lobby .waiting")?.textContent === "Waiting for 3 more players …",
    );
    player(day.game, "octo-1", "Steph");
    // A name that arrives over the network could be a GitHubId: that is known only when all are connected.
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
    assert.deepEqual(await faults(page), []);
    await keepPicture(page, "lobby");
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

test("a phone predicts before the first round, and not after it", async () => {
  const day = await casino("play --bot cautious*3 --bot bold*3 --rounds 40 --minutes 1");
  try {
    const page = await open(chrome, day.page, { viewport: SIZES.phone });
    await until("a viewer", async () => (await day.overview()).viewers === 1);
    await day.start();
    await page.waitForSelector("#predict-form", { state: "visible" });
    const [winner, loser] = (await day.state()).programme.players;
    for (const name of [winner, loser])
      await page.locator("#choices").getByRole("button", { name, exact: true }).click();
    await page.fill("#prophet-name", "<b>Frau</b> Schmidt");
    await page.click("#predict-form [type=submit]");
    await page.waitForFunction(() => document.querySelector("#predict-answer")?.textContent === "It is in.");
    const { predictions, board } = await day.state();
    assert.deepEqual([predictions.open, predictions.stage, predictions.count], [true, "start", 1]);
    assert.equal(board.round, 0, "nothing is shown while phones predict");
    await page.waitForSelector("#predict-form", { state: "hidden" });
    const late = { id: "late", name: "Late", champion: 1, first_out: 2 };
    const answer = await fetch(`${day.page}predict`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(late),
    });
    assert.equal(answer.status, 409);
    assert.match(await answer.text(), /closed/);
    await page.selectOption("#follow-whom", { label: winner });
    await page.waitForSelector("#bot .facts");
    // The dealer's own judgement, once it is all over.
    await day.act("minutes", { minutes: 0 });
    await day.act("tempo", { percent: 2000 });
    await day.phase("over");
    await page.waitForSelector("#predict-result .prophet-place");
    assert.match(await textOf(page, "#predict-result"), /play points: 1st of 1 prophet\./);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    day.end();
  }
});

/** The page's clock is the test's: it jumps. */
test("a page that hears nothing for 12 seconds says that the connection is lost, until the stream is back", async () => {
  const theatre = await stage(day(9));
  try {
    const page = await open(chrome, theatre.page);
    await page.clock.install();
    await page.reload();
    await page.waitForFunction(() => window.casino?.state());
    await page.clock.fastForward(9000);
    assert.ok(await page.isHidden("#lost"), "the silence is short");
    theatre.sleep();
    await page.clock.fastForward(13_000);
    await page.waitForSelector("#lost:not([hidden])");
    assert.match(await textOf(page, "#lost"), /connection is lost/);
    // It has asked again, and waits for an answer.
    await page.clock.fastForward(13_000);
    assert.ok(await page.isVisible("#lost"));
    theatre.sleep(false);
    await page.waitForSelector("#lost", { state: "hidden" });
    theatre.change({ table: table(9) });
    await page.waitForFunction((n) => window.casino?.state()?.n === n, theatre.state().n);
    assert.ok(await page.isHidden("#lost"));
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});
