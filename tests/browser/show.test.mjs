// Every moment of a day as the room sees it, on a stage: no dealer, no waiting, no luck.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";

import { SIZES, browser, drawn, keepPicture, open, textOf } from "./casino.mjs";
import {
  brokenWords,
  colourFaults,
  crowding,
  faults,
  hidden,
  paleTexts,
  shape,
  unsound,
} from "./measure.mjs";
import { AWARDS, ceremony, day, ended, exit, hall, moments, namesOf, rows, table } from "./moments.mjs";
import { onStage, settled, stage } from "./stage.mjs";

/**
 * @import { Browser, Page } from "playwright-core"
 * @import { PageState } from "../../src/web/assets/data.d.ts"
 */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const SCREENS = { ...SIZES, hd: { width: 1280, height: 720 } };

test("a long title of the day is seen whole, also on a page that had no lobby", async () => {
  const title = "The Seventeenth Annual Casino Day of Data Structures";
  const first = day(9);
  const occasion = { title, venue: "Lecture hall 101, 24 November" };
  await onStage(chrome, { ...first, programme: { ...first.programme, occasion } }, {}, async (page) => {
    for (const [size, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      await drawn(page);
      await drawn(page);
      assert.equal(await textOf(page, "h1"), title, size);
      assert.deepEqual(await hidden(page, "h1 span span"), [], size);
      assert.deepEqual(await brokenWords(page, "h1"), [], size);
      assert.deepEqual(await crowding(page, "h1 > span, #status, .tools"), [], size);
    }
  });
});

test("at every size nothing is cut, crowded or covered, with 2 seats as with 17, with 2 players as with 200", async () => {
  await onStage(chrome, day(2), { reducedMotion: "reduce" }, async (page, theatre) => {
    const found = [];
    for (const [size, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      let n = 1000;
      for (const [name, state] of Object.entries(moments())) {
        theatre.show({ ...state, n: ++n });
        await settled(page, theatre);
        found.push(...(await unsound(page, `${name}, ${size}`, size !== "phone")));
        await keepPicture(page, `${name.replace(/\W+/g, "-")}-${size}`, size === "phone");
      }
    }
    assert.deepEqual(found, []);
  });
});

/**
 * Changes from dark to light colours, and whether nothing but colours became other by it. The board turns its pages now
 * and then, and a list may roll: not five times in a row in between.
 * @param {Page} page
 */
async function turnsLight(page) {
  for (let attempt = 0; attempt < 5; attempt++) {
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await shape(page);
    await page.emulateMedia({ colorScheme: "light" });
    if ((await shape(page)) === dark) return true;
  }
  return false;
}

test("axe finds nothing at all, and every text has contrast, in every moment and both colours", async () => {
  await onStage(chrome, day(2), { reducedMotion: "reduce" }, async (page, theatre) => {
    let n = 1000;
    for (const [name, state] of Object.entries(moments())) {
      await page.emulateMedia({ colorScheme: "dark" });
      theatre.show({ ...state, n: ++n });
      await settled(page, theatre);
      assert.deepEqual(await paleTexts(page), [], `${name}, dark`);
      assert.deepEqual(await faults(page), [], `${name}, dark`);
      // Checks that do not depend on colors would find the same again.
      assert.ok(await turnsLight(page), `${name} is not the same in the light`);
      assert.deepEqual(await paleTexts(page), [], `${name}, light`);
      assert.deepEqual(await colourFaults(page), [], `${name}, light`);
    }
    await page.setViewportSize(SCREENS.phone);
    theatre.show({ ...day(9), table: table(9), n: n + 1 });
    await settled(page, theatre);
    assert.deepEqual(await faults(page), [], "phone");
  });
});

test("the bars of the leaderboard agree with the places, by chips and by points", async () => {
  const chips = rows(6, 2);
  // The one with most points has fewest chips; in a format that counts winnings, some are negative.
  const points = [9, 4, 0, -3, -3, -7].map((count, index) => ({
    ...chips[index],
    chips: 100 + 90 * index,
    points: count,
    place: index + 1,
  }));
  const six = day(6);
  await onStage(chrome, { ...six, board: { ...six.board, rows: chips } }, {}, async (page, theatre) => {
    /** @type {() => Promise<number[]>} */
    const bars = () =>
      page.$$eval("#rows tr", (all) =>
        all.map((row) => parseFloat(/** @type {HTMLElement} */ (row).style.getPropertyValue("--share"))),
      );
    const fall = (/** @type {number[]} */ shares) =>
      shares.every((share, index) => index === 0 || share <= shares[index - 1]);
    const byChips = await bars();
    assert.ok(byChips[0] === 100 && fall(byChips), `${byChips}`);
    theatre.show({ ...six, n: 50, board: { ...six.board, rows: points } });
    await settled(page, theatre);
    const byPoints = await bars();
    assert.ok(byPoints[0] === 100 && byPoints[5] === 0 && fall(byPoints), `${byPoints}`);
    assert.equal(byPoints[3], byPoints[4]);
  });
});

test("the split pot is told in letters of at least 36 px, with two seats as with seventeen", async () => {
  const two = { ...day(2), table: ended(table(2), "split") };
  await onStage(chrome, two, { reducedMotion: "reduce" }, async (page, theatre) => {
    for (const count of [2, 17]) {
      theatre.show({ ...day(count), n: count * 10, table: ended(table(count), "split") });
      await settled(page, theatre);
      const texts = await page.$$eval(".panel p, .panel .title, .panel .sum, .panel bdi", (all) =>
        all.map((text) => ({ text: text.textContent, size: parseFloat(getComputedStyle(text).fontSize) })),
      );
      assert.ok(texts.length >= 10, `${texts.length} texts`);
      assert.deepEqual(
        texts.filter(({ size }) => size < 36),
        [],
        `${count} seats`,
      );
      assert.match(await textOf(page, ".panel.hand"), /BEST HAND\+617Ada.*a pair of kings/);
      assert.match(await textOf(page, ".panel.spade"), /HIGH SPADE\+617E\[chips\] > 0/);
    }
    theatre.show({ ...day(9), n: 900, table: ended(table(9), "scoop") });
    await settled(page, theatre);
    assert.equal(await page.locator(".panel").count(), 1);
    assert.match(await textOf(page, ".panel"), /SCOOP\+1,234Ada/);
    theatre.show({ ...day(9), n: 901, table: ended(table(9), "tie") });
    await settled(page, theatre);
    assert.equal(await page.locator(".panel.hand .owner").count(), 2);
  });
});

test("chips move by transform and opacity alone, and not where somebody wants less motion", async () => {
  const first = { ...day(6), table: table(6, { street: 1 }) };
  /** @type {(theatre: Awaited<ReturnType<typeof stage>>) => void} */
  const raise = (theatre) => {
    const next = structuredClone(table(6, { street: 1 }));
    next.seats[1].bet += 10;
    theatre.change({ table: next });
  };
  await onStage(chrome, first, {}, async (page, theatre) => {
    await page.evaluate(() => {
      /** @type {Set<string>} */
      const moved = new Set();
      Object.assign(window, { moved });
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        for (const frame of Array.isArray(frames) ? frames : [])
          Object.keys(frame).forEach((key) => moved.add(key));
        return animate.call(this, frames, options);
      };
    });
    raise(theatre);
    await page.waitForSelector(".flight");
    theatre.change({ table: ended(table(6), "split") });
    await page.waitForFunction(() => document.querySelectorAll(".flight").length === 0);
    const moved = await page.evaluate(() => [.../** @type {any} */ (window).moved]);
    assert.deepEqual(
      moved.filter((key) => !["transform", "opacity", "offset", "easing"].includes(key)),
      [],
    );
    assert.ok(moved.includes("transform"));
  });
  await onStage(chrome, first, { reducedMotion: "reduce" }, async (page, theatre) => {
    for (const change of [
      () => raise(theatre),
      () => theatre.change({ table: ended(table(6), "split") }),
      () => theatre.change({ exit: exit() }),
      () => theatre.change({ exit: null, phase: "ceremony", ceremony: ceremony(1) }),
    ]) {
      change();
      await settled(page, theatre);
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
      assert.equal(await page.locator(".flight, .piece").count(), 0);
    }
  });
});

test("both chances move with each card, and a war of raises is one bar", async () => {
  await onStage(chrome, { ...day(6), table: table(6, { street: 1 }) }, {}, async (page, theatre) => {
    assert.equal(await textOf(page, "#table .round"), "Round 232 · % = chance to win", "once a level");
    const chances = () =>
      page.$$eval(".seat:first-child .percent", (all) => all.map((one) => one.textContent));
    assert.deepEqual(await chances(), ["46%", "8%"]);
    const next = table(6);
    Object.assign(next.seats[0], { hand_chance: 0.996, spade_chance: 0.001 });
    theatre.change({ table: next });
    await settled(page, theatre);
    assert.deepEqual(await chances(), ["99%", "1%"], "what is not sure is neither 100 nor 0");
    const level = await page.$eval(".seat:first-child .chance.hand .level", (bar) =>
      bar.getAttribute("style"),
    );
    assert.match(level ?? "", /scaleX\(0\.996\)/);
    theatre.change({ table: { ...next, war: { raises: 142, from: 60, to: 1840, seats: [1, 2] } } });
    await page.waitForSelector(".war");
    assert.match(await textOf(page, ".war-title"), /142 raises/);
    await page.waitForFunction(() => document.querySelector(".war-pot")?.textContent === "1,840");
    theatre.change({ table: { ...next, result: null, war: null } });
    await page.waitForSelector(".pot");
    assert.equal(await page.locator(".war").count(), 0);
  });
});

test("names are shown as typed and whole, whatever they are, and an emblem tells each of 200 players", async () => {
  await onStage(chrome, { ...day(200), hall: hall(200, 12), table: table(17) }, {}, async (page, theatre) => {
    const { players } = theatre.state().programme;
    assert.deepEqual(
      await page.$$eval(".seat .name bdi", (all) => all.map((name) => name.textContent)),
      players.slice(0, 17),
    );
    assert.equal(await page.locator("main b, main script, main img").count(), 0);
    const looks = await page.$$eval("#rows .emblem", (all) =>
      all.map((emblem) => emblem.outerHTML.replaceAll(/emblem-\d+/g, "")),
    );
    assert.equal(looks.length, 200);
    assert.equal(new Set(looks).size, new Set(players).size);
    assert.equal(new Set(namesOf(200)).size, 200);
  });
});

test("of 200 players the first stay, and all others come by within a minute", async () => {
  const theatre = await stage({ ...day(200), hall: hall(200, 12), table: table(17) });
  try {
    const page = await open(chrome, "about:blank", { viewport: SCREENS.projector });
    await page.clock.install();
    await page.goto(theatre.page);
    await page.waitForSelector("#rows tr");
    const visible = () =>
      page.$$eval("#rows tr:not([hidden]) .place", (all) => all.map((place) => Number(place.textContent)));
    const seen = new Set(await visible());
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1000);
      const now = await visible();
      assert.deepEqual(now.slice(0, 5), [1, 2, 3, 4, 5]);
      now.forEach((place) => seen.add(place));
    }
    assert.equal(seen.size, 200);
    await page.close();
  } finally {
    theatre.close();
  }
});

test("an exit says who, which place, why, and who took the chips; the next one takes its place", async () => {
  await onStage(chrome, { ...day(30), table: table(8) }, {}, async (page, theatre) => {
    theatre.change({ exit: exit() });
    await page.waitForSelector("#exit .exit-card");
    const text = await textOf(page, "#exit");
    assert.match(text, /17th of 30/);
    assert.doesNotMatch(text, /No chips/, "that it is out of chips is said once");
    assert.match(text, /The chips went to Ada \+42, E\[chips\] > 0 \+42/);
    // The round is seen to its end: the cards with which it lost are beside those that won.
    theatre.change({ table: ended(table(8), "split") });
    await settled(page, theatre);
    assert.match(await textOf(page, "#exit"), /lost with.*folded.*Ada won with.*a pair of kings/);
    assert.equal(await page.locator("#exit .card").count(), 6);
    theatre.change({
      exit: { ...exit(), seat: 3, place: 16, kind: "foul", why: "it bet 11 where 0 to 10 was allowed" },
    });
    await settled(page, theatre);
    assert.match(await textOf(page, "#exit"), /Out by a foul.*Eve of Destruction16th of 30/);
    // If all play again in the next level, leaving gives no place.
    theatre.change({ exit: { ...exit(), place: null } });
    await settled(page, theatre);
    assert.match(await textOf(page, "#exit"), /for this level/);
    assert.doesNotMatch(await textOf(page, "#exit"), /house bot|of 30/);
    theatre.change({ exit: null });
    await settled(page, theatre);
    assert.equal(await page.isVisible("#exit"), false);
  });
});

test("the ceremony hides the board, goes 3, 2, 1, and the seed does not play it again", async () => {
  const first = day(30);
  await onStage(chrome, { ...first, table: table(3) }, {}, async (page, theatre) => {
    theatre.change({ phase: "ceremony", ceremony: { stage: 3, rows: ceremony(3).rows, awards: [] } });
    await page.waitForSelector("#ceremony .numeral");
    assert.equal(await page.isVisible("#board"), false);
    assert.equal(await page.isVisible("#news"), false);
    for (const [at, name] of /** @type {const} */ ([
      [3, "Alexandrina-Wilhelmina J"],
      [2, namesOf(30)[3]],
      [1, "E[chips] > 0"],
    ])) {
      theatre.change({ ceremony: ceremony(at) });
      await settled(page, theatre);
      assert.equal(await textOf(page, "#ceremony .numeral"), String(at));
      assert.equal(await textOf(page, "#ceremony .name"), name);
    }
    assert.ok((await page.locator(".piece").count()) > 20);
    assert.match(await textOf(page, "#ceremony .way"), /in round/, "how the winner's chips grew");
    theatre.change({ ceremony: ceremony("hand"), table: { ...ended(table(3), "scoop"), finale: true } });
    await settled(page, theatre);
    assert.equal(await page.isVisible("#board"), false, "the places come later");
    assert.match(await textOf(page, "#table .reason"), /The hand that decided it/);
    assert.equal(await page.locator("#table .panel .card").count(), 3);
    theatre.change({ ceremony: ceremony("awards") });
    await settled(page, theatre);
    assert.equal(await page.locator("#ceremony .award").count(), AWARDS.length);
    // A few awards fill the hall better than many do.
    theatre.change({ ceremony: { ...ceremony("awards"), awards: AWARDS.slice(0, 2) } });
    await settled(page, theatre);
    const share = await page.$eval("#ceremony .awards", (part) => part.clientHeight / innerHeight);
    assert.ok(share > 0.25, `two awards have ${(100 * share).toFixed()} % of the height`);
    const podium = [...ceremony("done").rows].reverse();
    const prophet = { name: "Frau Schmidt", points: 120, text: "foresaw the winner before the start" };
    theatre.change({
      phase: "over",
      ceremony: ceremony("done"),
      podium,
      predictions: { ...first.predictions, prophet },
    });
    await page.waitForSelector("#podium .step-1");
    assert.match(await textOf(page, "#podium .prophet"), /Frau Schmidt120 play points/);
    assert.ok(await page.isVisible("#board"));
    await page.$eval("#podium .step-1", (step) => step.setAttribute("data-kept", "yes"));
    theatre.change({ programme: { ...first.programme, seed: "the seed" } });
    await settled(page, theatre);
    assert.match(await textOf(page, "#promise"), /The seed was: the seed/);
    assert.equal(await page.getAttribute("#podium .step-1", "data-kept"), "yes", "it is not drawn again");
    assert.equal(await page.locator("#ceremony .piece:visible").count(), 0);
  });
});

test("the seed is checked by the browser, and there is no tick where it cannot be or is another one", async () => {
  const seed = "one drawn seed";
  const promise = createHash("sha256").update(seed).digest("hex");
  const done = ceremony("done");
  const base = day(9);
  const predictions = { ...base.predictions, believers: 7, count: 21 };
  const over = { ...base, ceremony: done, podium: [...done.rows].reverse(), predictions };
  /** @type {(told: string) => PageState} */
  const ended = (told) => ({ ...over, phase: "over", programme: { ...base.programme, promise: told, seed } });
  // A podium that still comes in is pale.
  await onStage(chrome, ended(promise), { reducedMotion: "reduce" }, async (page, theatre) => {
    await page.waitForFunction(() => document.querySelector(".seed p")?.textContent);
    assert.match(await textOf(page, ".seed p"), /^✓ Checked by this browser/);
    assert.match(await textOf(page, ".seed dl"), new RegExp(`${promise}.*${seed}`));
    assert.equal(await textOf(page, ".believers"), "7 of 21 phones believed in E[chips] > 0");
    assert.deepEqual(await unsound(page, "the seed", true), []);
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(await paleTexts(page), []);
    await keepPicture(page, "seed");
    theatre.show({ ...ended(promise.replace(/^./, "x")), n: 900 });
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".seed p")?.textContent);
    assert.match(await textOf(page, ".seed p"), new RegExp(`^✗ .*${promise}`));
    // Plain http from another machine.
    await page.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined }));
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".seed p")?.textContent);
    const words = await textOf(page, ".seed p");
    assert.match(words, /cannot check it here.*printf %s 'one drawn seed' \| sha256sum/);
    assert.doesNotMatch(words, /✓/);
  });
});

test("a ring counts down while phones may predict, on the projector and on a phone", async () => {
  const base = day(9);
  const show = { ...base.show, mode: /** @type {const} */ ("montage"), closes_in: 20 };
  const predictions = { ...base.predictions, open: true, stage: /** @type {const} */ ("start") };
  for (const [viewport, where] of /** @type {const} */ ([
    [SCREENS.projector, "#montage .ring"],
    [SCREENS.phone, "#predict .ring"],
  ])) {
    await onStage(chrome, { ...base, show, predictions }, { viewport }, async (page, theatre) => {
      await page.waitForSelector(where, { state: "visible" });
      const ring = async () => [await textOf(page, where), await page.getAttribute(where, "style")];
      assert.deepEqual(await ring(), ["20", "--left: 1.000;"]);
      theatre.change({ show: { ...show, closes_in: 5 } });
      await settled(page, theatre);
      assert.deepEqual(await ring(), ["5", "--left: 0.250;"]);
      assert.deepEqual(await faults(page), []);
      await keepPicture(page, `ring-${viewport.width}`);
      theatre.change({ predictions: { ...predictions, open: false, stage: null } });
      await settled(page, theatre);
      assert.equal(await page.locator(".ring:visible").count(), 0);
    });
  }
});

test("the lobby says where to connect, who is in, what is next and how it is played", async () => {
  const base = day(30);
  const lobby = {
    ...base.lobby,
    wanted: 32,
    guests: base.lobby.guests.slice(0, 28),
    roster: { missing: ["Kurt", "Mary"] },
  };
  await onStage(chrome, { ...base, phase: "lobby", lobby }, {}, async (page, theatre) => {
    assert.equal(await textOf(page, ".address"), "192.168.178.23:9000");
    const size = await page.$eval(".address bdi", (text) => parseFloat(getComputedStyle(text).fontSize));
    assert.ok(size >= 80, `the address has letters of ${size} px`);
    const qr = await page.locator(".qr").boundingBox();
    assert.ok(qr && qr.width >= 200 && Math.abs(qr.width - qr.height) < 1);
    assert.match(await textOf(page, ".summary"), /28 of 32 in/);
    assert.match(await textOf(page, ".waiting"), /Kurt, Mary, and 2 more players/);
    assert.match(await textOf(page, ".next"), /4 tables of 8/);
    assert.equal(await page.locator(".guests .on").count(), 28);
    assert.equal(await page.locator(".guests .off").count(), 2);
    assert.match(await textOf(page, ".rules"), /highest spade in the hole/);
    theatre.show({ ...day(200), phase: "lobby", n: 900 });
    await settled(page, theatre);
    assert.equal(await page.locator(".guests li").count(), 200);
    const inside = await page.$eval(".guests", (list) => list.scrollHeight <= list.clientHeight + 2);
    assert.ok(inside, "all 200 are seen at once on a projector");
  });
});
