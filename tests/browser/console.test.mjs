// The teacher's console, in a real browser: every button.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { browser, casino, keepPicture, open, until } from "./casino.mjs";
import { seriousFaults } from "./measure.mjs";

/**
 * @import { Browser } from "playwright-core"
 * @import { Casino, OpenPage } from "./casino.mjs"
 */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const BOT = path.resolve(import.meta.dirname, "../../bots/python/poker.py");

/**
 * Renames a player, and sets everything that can be set before the start.
 * @param {Casino} day
 * @param {OpenPage} desk
 */
async function settleInLobby(day, desk) {
  const cautious = desk.getByRole("row", { name: "house:cautious-1" });
  await cautious.getByRole("button", { name: "Rename" }).click();
  await desk.fill("#answer", "Very Careful");
  await desk.click("#ask button[value=yes]");
  await until("the new name", async () =>
    (await day.state()).lobby.guests.some((guest) => guest.name === "Very Careful"),
  );
  await desk.check("#rehearsal");
  await until("the rehearsal", async () => (await day.overview()).rehearsal);
  // So slow that it cannot be over before every button was pressed.
  await desk.fill("#pace", "60000");
  await desk.click("#pace-form button");
  await desk.fill("#tempo", "2000");
  await desk.click("#tempo-form button");
  await until("pace and tempo", async () => {
    const { pace_ms, tempo } = await day.overview();
    return pace_ms === 60_000 && tempo === 2000;
  });
  assert.ok(await desk.isDisabled("#pause"));
}

/**
 * Starts, pauses, goes on by one round, looks at a program, and removes a player.
 * @param {Casino} day
 * @param {OpenPage} desk
 */
async function playAndRemove(day, desk) {
  await desk.click("#start");
  await desk.waitForSelector("#pause:enabled");
  assert.equal((await day.state()).programme.rehearsal, true);
  await desk.waitForFunction(() => document.querySelector("#members")?.textContent.includes("bet:"));
  await desk.click("#pause");
  await desk.waitForSelector("#resume:enabled");
  await day.phase("paused");
  const { round } = await day.overview();
  await desk.click("#step");
  await until("one more round", async () => (await day.overview()).round > round);
  for (const which of ["stdout", "stderr"]) {
    await desk.getByRole("button", { name: `${which} snake` }).click();
    await desk.waitForSelector("#output[open]");
    await desk.keyboard.press("Escape");
  }
  await desk.getByRole("button", { name: "Remove Very Careful" }).click();
  await desk.fill("#answer", "a lesson");
  await desk.click("#ask button[value=yes]");
  await desk.waitForFunction(() =>
    document.querySelector("#members")?.textContent.includes("was removed: a lesson"),
  );
  assert.deepEqual(await seriousFaults(desk), []);
  await keepPicture(desk, "console");
}

/**
 * Plays to the end, downloads what there is, reveals the seed, and opens the next lobby.
 * @param {Casino} day
 * @param {OpenPage} desk
 */
async function playToTheEnd(day, desk) {
  await desk.fill("#pace", "0");
  await desk.click("#pace-form button");
  await desk.click("#resume");
  await desk.waitForSelector("#reveal:enabled");
  const [journal] = await Promise.all([desk.waitForEvent("download"), desk.click("#journal")]);
  const lines = readFileSync(await journal.path(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(lines[0].type, "casino_day");
  assert.ok(lines.some((line) => line.type === "console" && line.action.startsWith("remove ")));
  const [result] = await Promise.all([desk.waitForEvent("download"), desk.click("#result")]);
  assert.equal(JSON.parse(readFileSync(await result.path(), "utf8")).ended, "played");
  await day.phase("over");
  await desk.click("#reveal");
  await until("the seed", async () => (await day.state()).programme.seed);
  await desk.click("#next");
  await desk.waitForSelector("#start:enabled");
  await desk.waitForFunction(() => document.querySelectorAll("#members tr").length === 5);
}

test("every button of the console does what it says", async () => {
  const day = await casino(
    "play --bot cautious*4 --rounds 500 --journal day.jsonl --seed console",
    "--bot",
    `snake=python3 ${BOT} {host} {port}`,
  );
  try {
    const desk = await open(chrome, day.desk, { viewport: { width: 1400, height: 900 } });
    await desk.waitForSelector("#members tr");
    assert.equal(new URL(desk.url()).hash, "", "the token leaves the address bar");
    assert.deepEqual(await seriousFaults(desk), []);

    await settleInLobby(day, desk);
    await playAndRemove(day, desk);
    await playToTheEnd(day, desk);
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    day.end();
  }
});

test("without the token there is only the question for it", async () => {
  const day = await casino("play --bot cautious*2");
  try {
    const desk = await chrome.newPage();
    await desk.goto(day.desk.split("#")[0]);
    await desk.waitForSelector("#enter:not([hidden])");
    assert.ok(await desk.isHidden("main"));
    assert.deepEqual(await seriousFaults(desk), []);
    await desk.fill("#token", "wrong");
    await desk.click("#enter button");
    await desk.waitForSelector("#problem:not([hidden])");
    assert.ok(await desk.isHidden("main"));
    await desk.fill("#token", day.desk.split("#")[1]);
    await desk.click("#enter button");
    await desk.waitForSelector("#members tr");
    await desk.close();
  } finally {
    day.end();
  }
});
