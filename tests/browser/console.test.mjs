// The teacher's console, in a real browser: every button, the order of the day, the keyboard, and the layout.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import {
  PROGRAM,
  browser,
  captured,
  casino,
  keepPicture,
  open,
  player,
  textOf,
  until,
  withRoster,
} from "./casino.mjs";
import { brokenWords, cutTexts, faults, paleTexts } from "./measure.mjs";

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

/** The windows that the console has to fit: a teacher's laptop, an old projector, a phone. */
const WINDOWS = [
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

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
  await desk.waitForSelector("#rehearsing:not([hidden])");
  assert.match(await textOf(desk, "#rehearsing"), /REHEARSAL/);
  // So slow that it cannot be over before every button was pressed.
  await desk.fill("#pace", "60000");
  await desk.click("#pace-form button");
  await desk.fill("#tempo", "2000");
  await desk.click("#tempo-form button");
  await until("pace and tempo", async () => {
    const { pace_ms, tempo } = await day.overview();
    return pace_ms === 60_000 && tempo === 2000;
  });
  await desk.check('input[name="holes"][value="never"]');
  await desk.uncheck("#predictions");
  await desk.fill("#minutes", "0");
  await desk.click("#minutes-form button");
  await until("the show's settings", async () => {
    const { holes, predictions, minutes } = await day.overview();
    return holes === "never" && !predictions && minutes === null;
  });
  assert.ok(await desk.isHidden("#pause"));
}

/**
 * Starts, pauses, steps one round, inspects a program, and removes a player.
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
  assert.equal(
    await desk.evaluate(() => document.activeElement?.id),
    "resume",
    "the focus goes to what undoes it",
  );
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
    document.querySelector("#members")?.textContent.includes("removed: a lesson"),
  );
  assert.deepEqual(await faults(desk), []);
  await keepPicture(desk, "console");
}

/**
 * Plays to the end, reveals the seed, and opens the next lobby.
 * @param {Casino} day
 * @param {OpenPage} desk
 */
async function playToTheEnd(day, desk) {
  await desk.fill("#pace", "0");
  await desk.click("#pace-form button");
  await desk.click("#resume");
  await desk.waitForSelector("#reveal:enabled");
  await day.phase("over");
  await desk.waitForSelector("tr.out td.reply");
  const [reason, reply] = await desk.evaluate(() =>
    ["tr.out td.reply", "tr:not(.out) td.reply"].map(
      (cell) => document.querySelector(cell)?.clientWidth ?? 0,
    ),
  );
  assert.ok(reason > reply + 100, `why somebody is out has ${reason} px, a reply ${reply}`);
  await desk.click("#reveal");
  await until("the seed", async () => (await day.state()).programme.seed);
  assert.deepEqual(await faults(desk), []);
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
    assert.deepEqual(await faults(desk), []);

    await settleInLobby(day, desk);
    await playAndRemove(day, desk);
    await playToTheEnd(day, desk);
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    day.end();
  }
});

test("no token and a wrong one are told apart, and say how to get the right one", async () => {
  const day = await casino("play --bot cautious*2");
  const [address, token] = day.desk.split("#");
  try {
    const desk = await open(chrome, address);
    await desk.waitForSelector("#enter:not([hidden])");
    assert.ok(await desk.isHidden("#desk"));
    assert.match(await textOf(desk, "#enter-why"), /whole link that was printed in the terminal/);
    assert.deepEqual(await faults(desk), []);
    assert.deepEqual(desk.complaints, [], "nothing is asked without a token");
    await desk.fill("#token", "wrong");
    await desk.click("#enter button");
    await desk.waitForFunction(() =>
      document.querySelector("#enter-why")?.textContent.includes("it is not the one"),
    );
    assert.ok(await desk.isHidden("#desk"));
    // The whole link is as good as the token alone.
    await desk.fill("#token", day.desk);
    await desk.click("#enter button");
    await desk.waitForSelector("#members tr");
    assert.ok(await desk.isHidden("#enter"));
    await desk.close();
    const wrong = await open(chrome, `${address}#${token.slice(1)}`);
    await wrong.waitForFunction(() =>
      document.querySelector("#enter-title")?.textContent.includes("not the right"),
    );
    await wrong.close();
    const blocked = await (await chrome.newContext()).newPage();
    await blocked.addInitScript(() => {
      const block = {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      };
      Object.defineProperties(window, { sessionStorage: block, localStorage: block });
    });
    await blocked.goto(day.desk);
    await blocked.waitForSelector("#members tr");
    await blocked.context().close();
  } finally {
    day.end();
  }
});

/**
 * Parts of the console outside the window: horizontal overflow, and the main buttons in any direction.
 * @param {OpenPage} desk
 */
function outside(desk) {
  return desk.evaluate(() => {
    const faults = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) faults.push(`the page is ${wide} px wide`);
    for (const button of document.querySelectorAll("#bar button")) {
      const box = button.getBoundingClientRect();
      if (box.width === 0) continue;
      const out = box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || box.top < 0;
      if (out) faults.push(`${button.textContent} is out of the window`);
    }
    return faults;
  });
}

for (const count of [4, 100]) {
  test(`everything fits and can be read with ${count} players, in every phase`, async () => {
    const more = count > 17 ? " --seats 10 --level-rounds 20 --rounds 60" : " --rounds 60";
    const { day, end } = await withRoster(count, more);
    const came = Array.from({ length: count - 1 }, (_, index) => player(day.game, `student-${index}`, "x"));
    came.push(player(day.game, "mallory", "M"));
    try {
      await until("the players", async () => (await day.overview()).members.length === count - 1);
      await day.act("rehearsal", { on: true });
      // Slow enough to be still in play when all windows have been checked.
      await day.act("pace", { ms: 60_000 });
      await day.act("minutes", { minutes: 0 });
      const desks = await Promise.all(
        WINDOWS.map((viewport, index) =>
          open(chrome, day.desk, { viewport, colorScheme: index === 1 ? "dark" : "light" }),
        ),
      );
      const look = async (/** @type {string} */ phase, /** @type {string} */ button) => {
        for (const [index, desk] of desks.entries()) {
          await desk.waitForSelector(`${button}:enabled`);
          const where = `${phase}, ${WINDOWS[index].width} px`;
          assert.deepEqual(await outside(desk), [], where);
          assert.deepEqual(await faults(desk), [], where);
          assert.deepEqual(await paleTexts(desk), [], where);
          await keepPicture(desk, `console-${phase}-${count}-${WINDOWS[index].width}`);
        }
      };
      await look("lobby", "#start");
      await day.act("start");
      await look("playing", "#pause");
      await day.act("pace", { ms: 0 });
      await look("over", "#reveal");
      for (const desk of desks) assert.deepEqual(desk.complaints, []);
      await Promise.all(desks.map((desk) => desk.close()));
    } finally {
      came.forEach((socket) => socket.destroy());
      end();
    }
  });
}

/**
 * The invisible ones of these elements: outside the window, or scrolled out of their container.
 * @param {OpenPage} desk
 * @param {string} selector
 */
const unseen = (desk, selector) =>
  desk.evaluate((selected) => {
    const isSeen = (/** @type {Element} */ element) => {
      const box = element.getBoundingClientRect();
      let [top, bottom] = [0, innerHeight];
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowY === "visible") continue;
        const room = around.getBoundingClientRect();
        [top, bottom] = [Math.max(top, room.top), Math.min(bottom, room.bottom)];
      }
      return box.height > 0 && box.top >= top - 1 && box.bottom <= bottom + 1;
    };
    return [...document.querySelectorAll(selected)]
      .filter((element) => element.checkVisibility() && !isSeen(element))
      .map((element) => element.textContent);
  }, selector);

test("thirty players, whoever was refused and every setting are seen at once, and no word is broken", async () => {
  const { day, end } = await withRoster(31, " --rounds 3000 --seats 8 --level-rounds 1000");
  const came = Array.from({ length: 30 }, (_, index) => player(day.game, `student-${index}`, "x"));
  came.push(player(day.game, "zoë-k", "Zoë"), player(day.game, "STUDENT-30", "\u202eevil"));
  try {
    await until("the players", async () => (await day.overview()).members.length === 30);
    await until("the refusals", async () => (await day.overview()).refused.length === 2);
    await day.act("pace", { ms: 200 });
    await day.act("minutes", { minutes: 0 });
    const windows = WINDOWS.slice(0, 2);
    const desks = await Promise.all(windows.map((viewport) => open(chrome, day.desk, { viewport })));
    const look = async (/** @type {string} */ phase) => {
      for (const [index, desk] of desks.entries()) {
        const where = `${phase}, ${windows[index].width} px`;
        await desk.waitForFunction(() => document.querySelectorAll("#members tr").length === 30);
        assert.deepEqual(await unseen(desk, "#members tr"), [], where);
        assert.deepEqual(await unseen(desk, "#refused-title, #refusals li"), [], where);
        assert.deepEqual(await unseen(desk, "#show h2, #show input, #show button"), [], where);
        assert.deepEqual(await brokenWords(desk, "header, #desk"), [], where);
        assert.deepEqual(await cutTexts(desk, "th, #feature"), [], where);
        await keepPicture(desk, `console-30-${phase}-${windows[index].width}`);
      }
    };
    await look("lobby");
    const [, refused] = await desks[0].$$eval("#refusals li", (all) => all.map((item) => item.textContent));
    const text = await textOf(desks[0], "#refusals");
    assert.match(text, /zoë-k as Zoë 127\.0\.0\.1 · not on the roster/);
    assert.match(text, /STUDENT-30 as "\\u\{202e\}evil" .*which has student-30/, refused);
    await day.start();
    await until("some rounds", async () => (await day.overview()).round > 2);
    await desks[0].waitForFunction(() => document.querySelector("#members")?.textContent.includes("bet:"));
    await desks[1].waitForFunction(() => document.querySelector("#members")?.textContent.includes("bet:"));
    await look("playing");
    for (const desk of desks) assert.deepEqual(desk.complaints, []);
    await Promise.all(desks.map((desk) => desk.close()));
  } finally {
    came.forEach((socket) => socket.destroy());
    end();
  }
});

test("the keyboard alone runs a day, and the focus stays while everything changes", async () => {
  const day = await casino("play --bot caller*6 --seats 2 --level-rounds 400 --rounds 4000 --pace 20");
  try {
    const desk = await open(chrome, day.desk, { viewport: WINDOWS[0] });
    await desk.waitForSelector("#start:enabled");
    await day.act("minutes", { minutes: 0 });
    const focused = () => desk.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
    await desk.keyboard.press("Tab");
    assert.equal(await focused(), "start", "the first stop is what the day needs next");
    const outline = await desk.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineWidth,
    );
    assert.equal(outline, "3px");
    await desk.keyboard.press("Enter");
    await desk.waitForSelector("#pause:enabled");
    await until("the focus", async () => (await focused()) === "pause");
    // A button in the middle of a table whose every cell changes.
    const remove = desk.locator("#members tr").nth(3).getByRole("button");
    await remove.focus();
    await desk.evaluate(() => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement) activeElement.dataset.mark = "here";
    });
    const { round } = await day.overview();
    await until("some rounds", async () => (await day.overview()).round > round + 60);
    assert.ok(await desk.evaluate(() => document.activeElement?.matches('[data-mark="here"]')));
    // An update does not reset the table selection while the teacher makes it.
    await desk.focus("#feature");
    await desk.keyboard.press("ArrowDown");
    await desk.keyboard.press("ArrowDown");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(await desk.inputValue("#feature"), "2");
    await desk.keyboard.press("Tab");
    await desk.keyboard.press("Enter");
    await until("table 2", async () => (await day.overview()).featured === 2);
    // The host changes before its answer has arrived at the page.
    await until("the words", async () => /Table 2 is on show/.test(await textOf(desk, "#outcome")));
    // A field of digits: any number of minutes at once.
    await desk.focus("#minutes");
    await desk.keyboard.press("Control+a");
    await desk.keyboard.type("3");
    await desk.keyboard.press("Enter");
    await until("three minutes", async () => (await day.overview()).minutes === 3);
    assert.equal(await focused(), "minutes");
    await until("the words", async () => /3 minutes/.test(await textOf(desk, "#minutes-text")));
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    day.end();
  }
});

test("who is out sits at no table", async () => {
  const game = "play --bot caller*12 --seats 4 --level-rounds 2 --stack 12 --ante-schedule 4 --seed tables";
  const day = await casino(game);
  try {
    await day.act("minutes", { minutes: 1 });
    const desk = await open(chrome, day.desk, { viewport: WINDOWS[0] });
    await day.start();
    await until("somebody without a table", async () => {
      const { members } = await day.overview();
      return members.some(({ table }) => !table) && members.some(({ table }) => table);
    });
    await day.act("pause");
    await until("their tables", async () => {
      const { members } = await day.overview();
      const told = await desk.$$eval("#members tr", (all) => all.map((row) => row.children[0].textContent));
      return told.join() === members.map(({ table }) => table ?? "").join();
    });
    await desk.close();
  } finally {
    day.end();
  }
});

test("a program that ended is told from one that is slow, and the console says what to do", async () => {
  const day = await casino("play --bot cautious*2");
  const desk = await open(chrome, day.desk);
  try {
    await desk.waitForSelector("#members tr");
  } finally {
    day.end();
  }
  await desk.waitForSelector("#problem:not([hidden])");
  assert.match(await textOf(desk, "#problem"), /does not answer.*terminal/);
  // It is started again at the same address: it answers, and wants the token of its new link.
  const port = new URL(day.desk).port;
  const command = ["play", "--bot", "cautious*2", "--console", `127.0.0.1:${port}`];
  const again = spawn(PROGRAM, command, { stdio: ["ignore", "ignore", "pipe"] });
  try {
    const link = await captured(createInterface({ input: again.stderr }), /console is .*(http:\S+)/);
    await desk.waitForSelector("#enter:not([hidden])");
    assert.ok(await desk.isHidden("#problem"), "it is no longer said that the program does not answer");
    await desk.goto(link);
    await desk.waitForSelector("#members tr");
    assert.ok((await desk.isHidden("#enter")) && (await desk.isHidden("#problem")));
  } finally {
    again.kill("SIGKILL");
  }
  await desk.close();
});

test("a double click on Start ends nothing, and a question that ends something waits on Cancel", async () => {
  const day = await casino("host --bind 127.0.0.1:0 --bot cautious*3 --seed double --rounds 100000");
  try {
    const desk = await open(chrome, day.desk, { viewport: WINDOWS[0] });
    await desk.waitForSelector("#start:enabled");
    const place = await desk.locator("#start").boundingBox();
    assert.ok(place);
    await desk.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    await desk.waitForSelector("#end:not([hidden])");
    // The second click comes when the bar has changed: on whatever stands there now, and on the button that ends.
    const end = await desk.locator("#end").boundingBox();
    assert.ok(end);
    for (const { x, y, width, height } of [place, end]) {
      await desk.mouse.move(x + width / 2, y + height / 2);
      await desk.mouse.down({ clickCount: 2 });
      await desk.mouse.up({ clickCount: 2 });
    }
    assert.ok(!(await desk.isVisible("#ask")), "no question was opened");
    await desk.click("#end");
    assert.equal(await desk.evaluate(() => document.activeElement?.id), "ask-no");
    await desk.keyboard.press("Enter");
    assert.ok(!(await desk.isVisible("#ask")));
    assert.equal((await day.overview()).hour, "playing", "Enter ended nothing");
    assert.deepEqual(desk.complaints, []);
    await desk.close();
  } finally {
    day.end();
  }
});
