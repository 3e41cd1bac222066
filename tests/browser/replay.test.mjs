// A recorded tournament on the page.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { PROGRAM, SIZES, browser, captured, keepPicture, open, textOf, words } from "./casino.mjs";
import { crowding, seriousFaults } from "./measure.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/**
 * Goes to the winners of the tournament, like a viewer who has seen its last round.
 * @param {import("playwright-core").Page} page
 * @param {number} last The last round.
 */
async function seeTheWinners(page, last) {
  assert.equal(await page.locator("#jump optgroup").count(), 0, "what comes is not told");
  assert.match(await textOf(page, "#race .scale"), new RegExp(`round ${last - 1}$`));
  await page.selectOption("#jump", "tell");
  await page.waitForSelector("#jump optgroup", { state: "attached" });
  await page.selectOption("#jump", { index: 1 });
  await page.waitForSelector(".panel");
  // After the last step of the last round the winners come.
  await page.evaluate((last) => (location.hash = `#round=${last}&step=999`), last);
  await page.waitForFunction(() => {
    const isLastStep = /step (\d+) of \1$/.test(document.getElementById("status")?.textContent ?? "");
    const scrub = /** @type {HTMLInputElement} */ (document.getElementById("scrub"));
    return isLastStep && scrub.value === scrub.max;
  });
  await page.click("#step");
  await page.waitForSelector("#ceremony .award");
  while ((await page.locator("#ceremony .laureate").count()) === 0) await page.click("#step");
  while ((await page.locator("#podium .step").count()) === 0) await page.click("#step");
  assert.deepEqual(await seriousFaults(page), []);
  await keepPicture(page, "replay-podium");
}

test("a recorded tournament: scrub, step, jump, hole cards, a link to a round", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-replay-"));
  const journal = path.join(folder, "journal.jsonl");
  execFileSync(
    PROGRAM,
    words("play --bot cautious*6 --bot reader*6 --bot odds*5 --seed replay --quiet", "--journal", journal),
  );
  const child = spawn(PROGRAM, ["replay", journal, "--web", "127.0.0.1:0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await captured(createInterface({ input: child.stderr }), /(http:\S+)/);
    const lines = readFileSync(journal, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const deal = lines.find((line) => line.type === "deal" && line.round === 3);
    const page = await open(chrome, `${url}#round=3`, { viewport: SIZES.small });
    await page.waitForFunction(() => document.getElementById("status")?.textContent.includes("round 3 of"));
    await page.waitForSelector(".seat");
    assert.deepEqual(await crowding(page, ".seat, #table > .centre"), []);
    assert.deepEqual(await seriousFaults(page), []);
    const steps = await page.textContent("#status");
    await page.click("#step");
    assert.notEqual(await page.textContent("#status"), steps);
    assert.equal(await page.locator(".seat .card.back").count(), deal.seats.length);
    await page.check("#holes");
    assert.equal(await page.locator(".seat .card.back").count(), 0);
    const labels = await page.$$eval(".seat .card:first-child", (cards) =>
      cards.map((card) => card.getAttribute("aria-label")),
    );
    assert.equal(new Set(labels).size, deal.hole.length);
    // The coach's comments on this round, and where it was decided.
    await page.waitForSelector("#decisions li");
    const told = await (await fetch(`${url}decisions/3`)).json();
    assert.equal(await page.locator("#decisions li").count(), told.length);
    await page.locator("#decisions button").last().click();
    const { frame } = told.at(-1);
    await page.waitForFunction((hash) => location.hash === hash, `#round=3&step=${frame + 1}`);
    assert.equal((await page.locator("#decisions li[aria-current=step]").count()) > 0, true);
    assert.deepEqual(await crowding(page, "#rows tr"), []);
    assert.deepEqual(await seriousFaults(page), []);
    await keepPicture(page, "replay-coach");
    await page.click("#after");
    await page.waitForFunction(() => location.hash === "#round=4");
    const last = Number(await page.getAttribute("#scrub", "max"));
    await page.locator("#scrub").evaluate((/** @type {HTMLInputElement} */ scrub) => {
      scrub.value = scrub.max;
      scrub.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction((last) => location.hash === `#round=${last}`, last);
    await seeTheWinners(page, last);
    await page.selectOption("#jump", { index: 1 });
    await page.waitForSelector(".panel");
    await page.selectOption("#speed", "8");
    const place = await page.locator("#after").boundingBox();
    await page.click("#play");
    assert.deepEqual(await page.locator("#after").boundingBox(), place, "no button moves when it plays");
    const before = await page.textContent("#status");
    await page.waitForFunction((before) => document.getElementById("status")?.textContent !== before, before);
    await page.click("#play");
    assert.deepEqual(page.complaints, []);
    await keepPicture(page, "replay");
    await page.close();
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a recorded event of several tables", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-replay-"));
  const journal = path.join(folder, "journal.jsonl");
  execFileSync(
    PROGRAM,
    words(
      "play --bot bold*12 --bot odds*13 --seats 9 --level-rounds 10 --rounds 60 --seed event --quiet",
      "--journal",
      journal,
    ),
  );
  const child = spawn(PROGRAM, ["replay", journal, "--web", "127.0.0.1:0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await captured(createInterface({ input: child.stderr }), /(http:\S+)/);
    const deals = readFileSync(journal, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter((line) => line.type === "deal");
    const at = deals.findIndex((deal) => deal.table === 2 && deal.round === 4);
    const page = await open(chrome, `${url}#round=${at + 1}&step=3`, { viewport: SIZES.small });
    await page.waitForFunction(() =>
      document.getElementById("status")?.textContent.includes("table 2, round 4 "),
    );
    assert.match(await textOf(page, "#status"), new RegExp(`${at + 1} of ${deals.length} · step 3 of`));
    assert.equal(await page.locator(".seat").count(), deals[at].seats.length);
    assert.match(await textOf(page, ".centre .round"), /Table 2 · Round 4/);
    assert.deepEqual(await crowding(page, ".seat, #table > .centre"), []);
    await page.check("#holes");
    assert.equal(await page.locator(".seat .card.back").count(), 0);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a replay that was given away opens from the disk and plays", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-given-"));
  const journal = path.join(folder, "journal.jsonl");
  execFileSync(
    PROGRAM,
    words(
      "play --bot cautious*4 --bot odds*4 --seed given --rounds 60 --quiet",
      "--title",
      "Aces </script> & Kings",
      "--journal",
      journal,
    ),
  );
  try {
    const given = path.join(folder, "replay.html");
    execFileSync(PROGRAM, ["replay", journal, "--html", given]);
    const page = await open(chrome, `${pathToFileURL(given)}#round=3`, { viewport: SIZES.small });
    await page.waitForFunction(() => document.getElementById("status")?.textContent.includes("round 3 of"));
    await page.waitForSelector(".seat");
    assert.equal(await textOf(page, "h1"), "Aces </script> & Kings");
    assert.equal(await page.locator("#holes").isDisabled(), true);
    assert.equal(await page.locator("#coach").isHidden(), true);
    assert.deepEqual(await crowding(page, ".seat, #table > .centre"), []);
    assert.deepEqual(await seriousFaults(page), []);
    await keepPicture(page, "replay-given");
    const steps = await page.textContent("#status");
    await page.click("#step");
    assert.notEqual(await page.textContent("#status"), steps);
    assert.equal(new URL(page.url()).hash, "#round=3&step=2");
    await page.selectOption("#speed", "8");
    await page.click("#play");
    await page.waitForFunction(() => document.getElementById("status")?.textContent.includes("round 5 of"));
    await page.click("#play");
    // All of it in minutes for which no show is kept.
    await page.fill("#minutes", "7");
    await page.click("#show");
    const before = await page.textContent("#status");
    await page.waitForFunction((before) => document.getElementById("status")?.textContent !== before, before);
    await page.click("#play");
    assert.deepEqual(page.complaints, []);
    await page.close();

    execFileSync(PROGRAM, ["replay", journal, "--html", given, "--holes"]);
    const teachers = await open(chrome, `${pathToFileURL(given)}#round=3`, { viewport: SIZES.small });
    await teachers.waitForSelector("#decisions li");
    await teachers.check("#holes");
    assert.equal(await teachers.locator(".seat .card.back").count(), 0);
    // The coach's overview reveals later rounds.
    await teachers.selectOption("#jump", "tell");
    await teachers.waitForSelector("#less-luck li", { state: "attached" });
    assert.deepEqual(teachers.complaints, []);
    await teachers.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
