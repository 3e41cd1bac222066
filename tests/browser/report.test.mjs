// The report of a tournament and the card of each player: files that need nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { PROGRAM, SIZES, browser, keepPicture, open, textOf, words } from "./casino.mjs";
import { brokenWords, crowding, paleTexts, seriousFaults } from "./measure.mjs";

/** @import { Browser, Page } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const BOT = path.resolve(import.meta.dirname, "../../bots/python/poker.py");

/** @param {Page} page */
const headings = (page) => page.$$eval("h2", (all) => all.map((heading) => heading.textContent));

/**
 * The overview of a tournament of thirteen, and its links to the cards and back.
 * @param {Page} page
 */
async function overviewIsRight(page) {
  assert.deepEqual(await headings(page), [
    "Standings",
    "Stacks over the rounds",
    "The biggest pots",
    "Without the luck of the cards",
    "Fouls",
    "Reply times in milliseconds",
  ]);
  assert.ok((await page.locator("svg[role=img] polyline").count()) >= 13);
  // The champion stands before everything else.
  const champion = await textOf(page, ".champion strong");
  assert.equal(await textOf(page, "tbody tr:first-child .name"), champion);
  assert.ok((await textOf(page, "header")).includes("Champion"));
  // From the standings to a card and back.
  await page.click("tbody tr:first-child .name a");
  assert.equal(await textOf(page, "h1"), champion.replace(/ *\(house\)$/, ""));
  assert.match(await textOf(page, ".place"), /^Place 1 of 13/);
  // A card can be sent alone: it has no links.
  assert.equal(await page.locator("a").count(), 0);
  await page.goBack();
  assert.equal(await textOf(page, "h1"), "The tournament");
  const axis = await page.$$eval("svg text", (all) => all.map((text) => text.textContent?.trim()));
  assert.ok(axis.includes("200"), `${axis}`);
  // On paper no element is wider than the page, and no row is cut.
  await page.emulateMedia({ media: "print" });
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `${width} px too wide`);
  const rows = await page.$$eval("tr", (all) => all.map((row) => getComputedStyle(row).breakInside));
  assert.ok(rows.every((row) => row === "avoid"));
  await page.emulateMedia({ media: "screen" });
  assert.equal(await page.locator("td:not(.name) a").count(), 0, "a round is a link to nothing");
}

/**
 * Links that lead to no file of the folder.
 * @param {Page} page
 */
const deadLinks = async (page) =>
  (await page.$$eval("a", (all) => all.map((link) => link.href))).filter(
    (address) => !address.startsWith("file:") || !existsSync(fileURLToPath(address)),
  );

test("the report and the cards: charts, standings, fouls, times, links to rounds, and nothing from elsewhere", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-report-"));
  try {
    const snake = `snake=python3 ${BOT} {host} {port}`;
    execFileSync(
      PROGRAM,
      words(
        "play --bot cautious*4 --bot reader*4 --bot odds*4 --rounds 200 --seed report --quiet",
        "--house-counts",
        "--bot",
        snake,
        "--out",
        folder,
      ),
    );
    const cards = readdirSync(path.join(folder, "cards"));
    assert.equal(cards.length, 13);
    /** @type {(file: string, check: (page: Page) => Promise<void>) => Promise<void>} */
    const looked = async (file, check) => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        const page = await open(chrome, "about:blank", { viewport });
        /** @type {string[]} */
        const asked = [];
        page.on("request", (request) => asked.push(request.url()));
        await page.goto(pathToFileURL(path.join(folder, file)).href);
        assert.equal(asked.length, 1, `${asked}`);
        assert.deepEqual(await seriousFaults(page), [], `${file}, ${size}`);
        assert.deepEqual(await paleTexts(page), [], `${file}, ${size}`);
        assert.deepEqual(await crowding(page, "h1, h2"), [], `${file}, ${size}`);
        assert.deepEqual(await deadLinks(page), [], `${file}, ${size}`);
        await check(page);
        assert.deepEqual(page.complaints, []);
        await keepPicture(page, `${file.replace("/", "-")}-${size}`, true);
        await page.close();
      }
    };
    await looked("report.html", overviewIsRight);
    const card = `cards/${cards.find((name) => name.includes("snake"))}`;
    await looked(card, async (page) => {
      assert.deepEqual(await headings(page), [
        "Chips over the rounds",
        "The coach",
        "Profit by situation",
        "The costliest rounds",
        "Fouls",
        "Reply times",
      ]);
      assert.match(await textOf(page, "body"), /Place \d+ of 13/);
      assert.equal((await textOf(page, "body")).includes("starter-python"), false, "a GitHubId");
      assert.equal((await textOf(page, "body")).includes("127.0.0.1"), false);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("one wide name does not squeeze the columns beside it, on a phone neither", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-report-"));
  const wide = "W".repeat(40);
  try {
    execFileSync(
      PROGRAM,
      words(
        "play --bot cautious*4 --bot reader*4 --bot odds*4 --rounds 200 --seed report --quiet",
        "--bot",
        `${wide}=python3 ${BOT} {host} {port}`,
        "--bot",
        `Eve-of-Destruction=python3 ${BOT} {host} {port}`,
        "--out",
        folder,
      ),
    );
    const card = readdirSync(path.join(folder, "cards")).find((name) => name.includes(wide)) ?? "";
    for (const file of ["report.html", path.join("cards", card)]) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        const page = await open(chrome, pathToFileURL(path.join(folder, file)).href, { viewport });
        const where = `${file}, ${size}`;
        assert.deepEqual(await crowding(page, "h1, h2"), [], where);
        const broken = await brokenWords(page, "th, td, .podium, .champion");
        assert.deepEqual(
          broken.filter((word) => !word.startsWith(wide)),
          [],
          where,
        );
        const { scrollHeight, tallest } = await page.evaluate(() => ({
          scrollHeight: document.documentElement.scrollHeight,
          tallest: Math.max(
            ...[...document.querySelectorAll("tr")].map((row) => row.getBoundingClientRect().height),
          ),
        }));
        const most = size === "phone" ? { page: 4500, row: 180 } : { page: 3600, row: 110 };
        assert.ok(scrollHeight < most.page, `${where}: ${scrollHeight} px`);
        assert.ok(tallest < most.row, `${where}: a row of ${tallest} px`);
        await keepPicture(page, `wide-name-${file.slice(0, 5)}-${size}`, true);
        await page.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("certificates: one for each player, each on a page of its own, whatever the names", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-certificates-"));
  try {
    const journal = path.join(folder, "journal.jsonl");
    const title =
      "The Casino Day of the Department of Computer Science, for everybody who dares to come and play";
    execFileSync(
      PROGRAM,
      words("play --bot cautious*3 --bot odds*2 --rounds 40 --seed paper --quiet", "--journal", journal),
    );
    execFileSync(PROGRAM, ["report", journal, "--out", folder, "--certificates", "--title", title]);
    const page = await open(chrome, `${pathToFileURL(path.join(folder, "certificates.html"))}`, {
      viewport: SIZES.projector,
    });
    assert.equal(await page.locator("section").count(), 5);
    await page.$$eval("h1 bdi", (names) => names.forEach((name) => (name.textContent = "W".repeat(40))));
    const tooHigh = await page.$$eval(
      "section",
      (all) => all.filter((section) => section.scrollHeight > section.clientHeight).length,
    );
    assert.equal(tooHigh, 0);
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(paper.match(/\/Type\s*\/Page\b(?!s)/g)?.length, 5);
    assert.match(paper, /\/MediaBox\s*\[0 0 84[12]\S* 59[456]\S*\]/);
    assert.deepEqual(await seriousFaults(page), []);
    assert.deepEqual(page.complaints, []);
    await keepPicture(page, "certificate");
    await page.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
