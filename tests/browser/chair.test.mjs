// People who play in a browser: on a day with chairs, alone, and in the lessons.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import {
  PROGRAM,
  browser,
  casino,
  casinoIn,
  freePort,
  keepPicture,
  open,
  patient,
  player,
  textOf,
  until,
  words,
} from "./casino.mjs";
import { faults } from "./measure.mjs";

/**
 * @import { Browser, Page } from "playwright-core"
 * @import { Casino } from "./casino.mjs"
 */

const PHONE = { viewport: { width: 360, height: 780 }, reducedMotion: /** @type {const} */ ("reduce") };

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/** @param {Page} page */
const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/**
 * Waits until the person is asked, or has to confirm the end of a round.
 * @param {Page} page
 */
async function turnOrEnd(page) {
  await page.waitForFunction(
    () =>
      !document.querySelector("#moves")?.hasAttribute("hidden") ||
      !document.querySelector("#go-on")?.hasAttribute("hidden") ||
      document.querySelector("#turn")?.textContent?.startsWith("You are out"),
  );
}

/**
 * A screen reader reads each card in a text, such as 8♥, as one picture with a description.
 * @param {Page} page
 * @param {string} selector
 */
async function cardsAreRead(page, selector) {
  const { cards, heard } = await page.locator(selector).evaluate((element) => ({
    cards: element.textContent?.match(/(10|[2-9JQKA])[♠♥♦♣]/gu) ?? [],
    heard: [...element.querySelectorAll("[role=img]")].map((card) => [
      card.textContent,
      card.getAttribute("aria-label"),
    ]),
  }));
  assert.deepEqual(
    heard.map(([card]) => card),
    cards,
  );
  const suits = new Map([
    ["♠", "spades"],
    ["♥", "hearts"],
    ["♦", "diamonds"],
    ["♣", "clubs"],
  ]);
  for (const [card, label] of heard) {
    const suit = suits.get(card?.slice(-1) ?? "");
    const ranks = { J: "jack", Q: "queen", K: "king", A: "ace", 2: "two", 8: "eight", 10: "ten" };
    const rank = Object.entries(ranks).find(([sign]) => sign === card?.slice(0, -1))?.[1];
    assert.match(label ?? "", new RegExp(`^${rank ?? "(three|four|five|six|seven|nine)"} of ${suit}$`));
  }
  assert.ok(heard.length > 0, "there are cards in it");
}

/**
 * Plays with the keyboard alone until `done`.
 * @param {Page} page
 * @param {number} rounds
 */
async function playByKeys(page, rounds) {
  const seen = { questions: 0, ends: 0 };
  for (let step = 0; step < 20 * rounds; step++) {
    await turnOrEnd(page);
    if ((await textOf(page, "#turn")).startsWith("You are out")) break;
    if (await page.isVisible("#moves")) {
      seen.questions++;
      const words = await textOf(page, "#turn");
      assert.match(
        words,
        /^Your turn: you hold .+ and show .+; staying (is free|costs \d+), the pot is \d+, you have \d+\.$/,
      );
      await cardsAreRead(page, "#turn");
      await page.keyboard.press("c");
      await page.waitForFunction((before) => document.querySelector("#turn")?.textContent !== before, words);
    } else {
      seen.ends++;
      const ending = await textOf(page, "#ending");
      assert.match(ending, /pot of \d+|: \d+ of \d+/);
      assert.match(ending, /You (had|folded)|You were not asked/);
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        (before) => document.querySelector("#ending")?.textContent !== before,
        ending,
      );
    }
  }
  return seen;
}

/** @param {Casino} day */
async function chairLink(day) {
  /** @type {string | undefined} */
  let url;
  await until("the link for a chair", async () => (url = (await day.overview()).chair_link?.url));
  return url ?? "";
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function sitDown(page, name) {
  await page.fill("#name", name);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() =>
    document.querySelector("#turn")?.textContent?.startsWith("You have a chair"),
  );
}

test("a person plays a whole game by keyboard on a phone of 360 pixels, and is told what it cost", async () => {
  const day = await casino(
    "host --bind 127.0.0.1:0 --players 2 --chairs 2 --rounds 4 --minutes 0 --seed chairs --stay 600",
  );
  const others = [player(day.game, "ada-id", "Ada"), player(day.game, "bob-id", "Bob")];
  try {
    const url = await chairLink(day);
    const person = await open(chrome, url, PHONE);
    assert.equal(await person.evaluate(() => location.hash), "", "the link does not stay in the address bar");
    await sitDown(person, "Cleo");
    await until(
      "the list",
      async () => (await day.overview()).chairs.filter(({ taken }) => taken).length === 1,
    );
    await until("the lobby", async () => (await day.state()).lobby.guests.length === 3);
    await person.reload();
    await person.waitForFunction(() =>
      document.querySelector("#turn")?.textContent?.startsWith("You have a chair"),
    );
    await day.start();
    await turnOrEnd(person);
    await keepPicture(person, "chair-360", true);
    assert.deepEqual(await faults(person), []);
    assert.equal(await isTooWide(person), false);
    const choices = await person
      .locator("#moves button")
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => button.getBoundingClientRect().bottom > innerHeight)
          .map((button) => button.id),
      );
    assert.deepEqual(choices, [], "all choices are in sight");
    await person.setViewportSize({ width: 1200, height: 800 });
    const widths = await person.evaluate(() => {
      const width = () => document.querySelector("#stage")?.getBoundingClientRect().width ?? 0;
      const atTurn = width();
      // As while the others play: there is hardly anything below the table.
      const own = document.querySelector("#own");
      own?.setAttribute("hidden", "");
      const between = width();
      own?.removeAttribute("hidden");
      return [atTurn, between];
    });
    assert.ok(
      widths[0] > 800 && widths[1] === widths[0],
      `the table is ${widths.join(" and then ")} px wide`,
    );
    await person.setViewportSize(PHONE.viewport);
    const hole = await person.evaluate(() => document.querySelector("#turn")?.textContent ?? "");
    await person.reload();
    await person.waitForFunction((before) => document.querySelector("#turn")?.textContent === before, hole);
    const seen = await playByKeys(person, 4);
    assert.ok(seen.questions >= 4 && seen.ends === 4, JSON.stringify(seen));
    assert.match(await textOf(person, "#turn"), /You are out: .*rounds/);
    assert.deepEqual(person.complaints, []);
    const names = (await day.state()).programme.players;
    assert.ok(names.includes("Cleo"), names.join());
  } finally {
    others.forEach((socket) => socket.destroy());
    day.end();
  }
});

test("a chair that was given up is taken again, in the middle of a tournament too", async () => {
  const day = await casino(
    "host --bind 127.0.0.1:0 --players 2 --chairs 1 --rounds 50 --minutes 0 --think 600",
  );
  const others = [player(day.game, "ada-id", "Ada"), player(day.game, "bob-id", "Bob")];
  try {
    const url = await chairLink(day);
    const [first, second] = [
      patient(await chrome.newContext(PHONE)),
      patient(await chrome.newContext(PHONE)),
    ];
    const cleo = await first.newPage();
    await cleo.goto(url);
    await sitDown(cleo, "Cleo");
    const dora = await second.newPage();
    await dora.goto(url);
    await dora.fill("#name", "Dora");
    await dora.click("#enter-form button");
    await dora.waitForFunction(() => document.querySelector("#answer")?.textContent?.includes("taken"));
    await day.start();
    await turnOrEnd(cleo);
    await cleo.click("#leave");
    await cleo.waitForSelector("#enter-form");
    await dora.click("#enter-form button");
    await turnOrEnd(dora);
    assert.equal(await textOf(dora, "#heading"), "Cleo", "the name in the tournament stays");
    await day.act("free-chair", { number: 1 });
    await dora.waitForSelector("#enter-form");
    assert.equal((await day.overview()).chairs[0].taken, false);
    // Without a valid key a browser receives nothing and can do nothing.
    for (const key of ["", "0123456789abcdef", "undefined"]) {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const lines = (await fetch(`${day.page}chair/stream`, { headers })).body?.getReader();
      const first = new TextDecoder().decode((await lines?.read())?.value);
      assert.equal(first, '{"gone":{}}\n');
      await lines?.cancel();
      for (const what of ["reply", "go-on", "here", "leave"]) {
        const body = what === "reply" ? JSON.stringify({ question: 1, chips: null }) : "{}";
        const answer = await fetch(`${day.page}chair/${what}`, { method: "POST", headers, body });
        assert.equal(answer.status, 401, what);
      }
    }
    await first.close();
    await second.close();
  } finally {
    others.forEach((socket) => socket.destroy());
    day.end();
  }
});

test("the console shows the chairs, their link and who sits there", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --players 2 --chairs 2 --minutes 0");
  try {
    const page = await open(chrome, day.desk, { viewport: { width: 1440, height: 900 } });
    await page.waitForSelector("#chair-url");
    assert.match(await textOf(page, "#chair-url"), /\/chair#[0-9a-f]{16}$/);
    assert.equal(await textOf(page, "#chairs-taken"), "0 of 2 taken");
    const person = await open(chrome, await textOf(page, "#chair-url"), PHONE);
    await sitDown(person, "<b>Cleo</b>");
    await page.waitForFunction(() => document.querySelector("#chairs-taken")?.textContent === "1 of 2 taken");
    assert.match(await textOf(page, "#chair-list"), /Chair 1: waits <b>Cleo<\/b>/);
    await page.fill("#chair-count", "3");
    await page.click("#chairs-form button");
    await page.waitForFunction(() => document.querySelector("#chairs-taken")?.textContent === "1 of 3 taken");
    await keepPicture(page, "console-chairs");
    assert.deepEqual(await faults(page), []);
    await page.click("#chair-list button");
    await person.waitForSelector("#enter-form");
    assert.deepEqual(page.complaints, []);
  } finally {
    day.end();
  }
});

test("whoever plays alone in a browser has the name that was given, and is not asked for one", async () => {
  const day = await casino("sit --bot caller*2 --rounds 2 --seed offer");
  try {
    const page = await open(chrome, await chairLink(day), PHONE);
    await page.waitForFunction(() => document.querySelector("#heading")?.textContent?.endsWith(": me"));
    assert.equal(await page.isVisible("#name"), false);
    assert.deepEqual(await faults(page), []);
    await page.click("text=Sit down");
    await day.start();
    await playByKeys(page, 2);
    assert.equal(await textOf(page, "#heading"), "me");
    assert.deepEqual(page.complaints, []);
  } finally {
    day.end();
  }
});

test("the lobby leads to the lessons, which are played with the keyboard", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --players 2 --minutes 0");
  try {
    const page = await open(chrome, day.page, PHONE);
    await page.click("text=Learn the game while you wait");
    await page.waitForFunction(() =>
      document.querySelector("#heading")?.textContent?.startsWith("Lesson 1 of 10"),
    );
    // A wrong action is reported, and the lesson can be played again.
    await page.waitForSelector("#moves:not([hidden])");
    await page.keyboard.press("f");
    await page.waitForSelector("#again:not([hidden])");
    assert.match(await textOf(page, "#look"), /^You played otherwise than advised/);
    assert.match(await textOf(page, "#ending"), /Bea held K♣ A♥/);
    await page.keyboard.press("r");
    await page.waitForSelector("#moves:not([hidden])");
    for (let lesson = 1; lesson <= 10; lesson++) {
      await page.waitForFunction(
        (number) => document.querySelector("#heading")?.textContent?.startsWith(`Lesson ${number} of 10`),
        lesson,
      );
      // The eighth has two rounds.
      for (let rounds = lesson === 8 ? 2 : 1; ;) {
        await turnOrEnd(page);
        if (!(await page.isVisible("#moves"))) {
          if (--rounds === 0) break;
          await page.keyboard.press("Enter");
          await page.waitForSelector("#moves:not([hidden])");
          assert.match(await textOf(page, "#look"), /^The second round/);
          continue;
        }
        const words = await textOf(page, "#turn");
        if (lesson === 5) await keepPicture(page, "lesson-360", true);
        await page.keyboard.press((await page.isVisible("#call")) ? "c" : "f");
        await page.waitForFunction(
          (before) => document.querySelector("#turn")?.textContent !== before,
          words,
        );
      }
      assert.ok((await textOf(page, "#look")).length > 20, "it is said why");
      if (lesson === 1) assert.deepEqual(await faults(page), []);
      await page.keyboard.press("Enter");
    }
    await page.waitForFunction(() =>
      document.querySelector("#turn")?.textContent?.startsWith("These were all"),
    );
    assert.equal(await isTooWide(page), false);
    assert.deepEqual(page.complaints, []);
  } finally {
    day.end();
  }
});

test("a held key answers once, letters can be switched off, and a phone on its side shows cards and buttons", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --players 2 --minutes 0");
  try {
    const page = await open(chrome, `${day.page}learn`, { ...PHONE, viewport: { width: 640, height: 360 } });
    await page.waitForSelector("#moves:not([hidden])");
    for (const part of [".seat .card", "#fold", "#call", "#raises button:last-child"]) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(
        box && box.y + box.height <= 361 && box.x + box.width <= 641,
        `${part}: ${JSON.stringify(box)}`,
      );
    }
    assert.equal(await isTooWide(page), false);
    let sent = 0;
    page.on("request", (request) => (sent += Number(request.method() === "POST")));
    const hold = () =>
      page.evaluate(() => {
        for (let repeat = 0; repeat < 20; repeat++) {
          dispatchEvent(new KeyboardEvent("keydown", { key: "?", repeat: false }));
          document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "c", repeat: repeat > 0, bubbles: true }),
          );
        }
      });
    await page.getByText("Letters and figures are keys").uncheck();
    await hold();
    await page.waitForTimeout(300);
    assert.equal(sent, 0, "the letters are off");
    await page.reload();
    await page.waitForSelector("#moves:not([hidden])");
    assert.equal(await page.getByText("Letters and figures are keys").isChecked(), false, "it is remembered");
    await page.getByText("Letters and figures are keys").check();
    await hold();
    await until("the answer", async () => sent > 0);
    await page.waitForTimeout(300);
    assert.equal(sent, 1, "a held key is one answer");
    assert.deepEqual(page.complaints, []);
  } finally {
    day.end();
  }
});

test("a day with a person verifies, and after a kill the phone has its seat again", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-chairs-"));
  const [web, game] = [`127.0.0.1:${await freePort()}`, await freePort()];
  const line = `host --bind 127.0.0.1:${game} --players 2 --chairs 1 --rounds 6 --minutes 0 --think 600 --journal day.jsonl`;
  let day = await casinoIn(folder, web, words(line));
  const come = () => [player(game, "ada-id", "Ada"), player(game, "bob-id", "Bob")];
  let others = come();
  try {
    const person = await patient(await chrome.newContext(PHONE)).newPage();
    await person.goto(await chairLink(day));
    await sitDown(person, "Cleo");
    await until("the lobby", async () => (await day.state()).lobby.guests.length === 3);
    await day.start();
    // A round and the beginning of another.
    await playUntil(person, () => person.isVisible("#go-on"));
    await person.keyboard.press("Enter");
    await playUntil(person, () => person.isVisible("#moves"));
    await day.kill();
    await person.waitForSelector("#lost:not([hidden])");
    others.forEach((socket) => socket.destroy());
    day = await casinoIn(folder, web, words(`resume day.jsonl --bind 127.0.0.1:${game} --think 600`));
    await until("the lobby", () => isListening(game));
    others = come();
    await until(
      "all",
      async () => (await day.overview()).missing.length === 0 && (await day.overview()).members.length === 3,
    );
    await person.waitForFunction(() =>
      document.querySelector("#turn")?.textContent?.startsWith("You have a chair"),
    );
    await day.act("start");
    await turnOrEnd(person);
    assert.equal(await textOf(person, "#heading"), "Cleo");
    await playByKeys(person, 6);
    assert.match(await textOf(person, "#turn"), /You are out: .*rounds/);
    await until("the end", async () => (await day.overview()).hour === "over");
    const verified = spawnSync(PROGRAM, ["verify", path.join(folder, "day.jsonl")], { encoding: "utf8" });
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  } finally {
    others.forEach((socket) => socket.destroy());
    day.end();
  }
});

/**
 * Whether a server listens at this port.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isListening(port) {
  const socket = net.connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}

/**
 * Stays in until something is so.
 * @param {Page} page
 * @param {() => Promise<boolean>} isSo
 */
async function playUntil(page, isSo) {
  for (let step = 0; step < 60; step++) {
    await turnOrEnd(page);
    if (await isSo()) return;
    const before = await textOf(page, "#turn");
    await page.keyboard.press((await page.isVisible("#go-on")) ? "Enter" : "c");
    await page.waitForFunction((old) => document.querySelector("#turn")?.textContent !== old, before);
  }
  throw new Error("it did not come");
}
