// The lobby of a day with a roster, on the teacher's console: who is missing, who was refused, and who is meant.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, open, player, textOf, withRoster } from "./casino.mjs";
import { faults, paleTexts } from "./measure.mjs";

/** @import { Browser } from "playwright-core" */

const LAPTOP = { width: 1280, height: 720 };

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

test("the lobby shows who is missing and who was refused, and a squatter is sent away", async () => {
  const { day, end } = await withRoster(3);
  /** @type {ReturnType<typeof player>[]} */
  const came = [];
  try {
    const desk = await open(chrome, day.desk, { viewport: LAPTOP });
    await desk.waitForSelector("#absent:not([hidden])");
    assert.match(await textOf(desk, "#absent-title"), /Missing: 3/);
    came.push(
      player(day.game, "student-0", "whatever"),
      player(day.game, "mallory", "<img onerror=pwned=1>"),
    );
    await desk.waitForFunction(() => document.querySelector("#absent-title")?.textContent === "Missing: 2");
    await desk.waitForSelector("#refused:not([hidden])");
    assert.match(
      await textOf(desk, "#refusals"),
      /mallory.*<img onerror=pwned=1>.*127\.0\.0\.1.*not on the roster/,
    );
    assert.equal(await desk.evaluate(() => window.pwned), undefined);
    const row = desk.getByRole("row", { name: "student-0" });
    assert.match((await row.textContent()) ?? "", /Player Number 0/);
    await row.getByRole("button", { name: "Send away Player Number 0" }).click();
    await desk.fill("#answer", "come in person");
    await desk.click("#ask button[value=yes]");
    await desk.waitForFunction(() => document.querySelector("#absent-title")?.textContent === "Missing: 3");
    assert.match(await textOf(desk, "#outcome"), /is sent away/);
    assert.match(await textOf(desk, "#refusals"), /it was in, and left: the teacher sent you out/);
    assert.deepEqual(await faults(desk), []);
    assert.deepEqual(await paleTexts(desk), []);
    // Too few: the button waits.
    assert.ok(await desk.isDisabled("#start"));
    came.push(player(day.game, "student-1", "a"), player(day.game, "student-2", "b"));
    await desk.waitForSelector("#start:enabled");
    await desk.click("#start");
    assert.match(await textOf(desk, "#ask-hint"), /2 of 3 are in/);
    await desk.click("#ask button[value=no]");
    assert.equal((await day.overview()).hour, "lobby", "nothing has begun");
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    came.forEach((socket) => socket.destroy());
    end();
  }
});

test("a near-miss of a missing student comes first, and one click gives the line of the roster its GitHubId", async () => {
  const { day, end } = await withRoster(3);
  /** @type {ReturnType<typeof player>[]} */
  const came = [];
  try {
    const desk = await open(chrome, day.desk, { viewport: LAPTOP });
    await desk.waitForSelector("#absent:not([hidden])");
    came.push(player(day.game, "sudent-1", "x"));
    await desk.waitForSelector("#refusals .near");
    came.push(player(day.game, "mallory", "M"), player(day.game, "student-0", "x"));
    await desk.waitForFunction(() => document.querySelectorAll("#refusals li").length === 2);
    assert.match(
      (await desk.locator("#refusals li").first().textContent()) ?? "",
      /sudent-1.*This is Player Number 1/,
    );
    assert.equal(await desk.locator("#refusals .near").count(), 1);
    assert.deepEqual(await faults(desk), []);
    assert.deepEqual(await paleTexts(desk), []);
    await desk.getByRole("button", { name: "This is Player Number 1: sudent-1" }).click();
    await desk.click("#ask button[value=yes]");
    await desk.waitForFunction(() => document.querySelectorAll("#refusals li").length === 1);
    came.push(player(day.game, "sudent-1", "x"));
    await desk.waitForFunction(() => document.querySelector("#absent-title")?.textContent === "Missing: 1");
    assert.match((await desk.getByRole("row", { name: "sudent-1" }).textContent()) ?? "", /Player Number 1/);
    // After the start nobody can come in, so nobody is let in.
    assert.ok(await desk.getByRole("button", { name: "Let in mallory" }).isVisible());
    await day.act("pace", { ms: 60_000 });
    await day.act("start");
    await desk.waitForSelector("#pause:enabled");
    assert.equal(await desk.getByRole("button", { name: "Let in mallory" }).count(), 0);
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    came.forEach((socket) => socket.destroy());
    end();
  }
});
