// Readability from the back of a room: seats that fill their table, names in the lobby, the last table, and awards in
// their cards.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { SIZES, browser, drawn, keepPicture, open, textOf } from "./casino.mjs";
import { clippedNames, crowding, faults, paleTexts } from "./measure.mjs";
import { AWARDS, ceremony, day, ended, hall, namesOf, table } from "./moments.mjs";
import { stage } from "./stage.mjs";

/**
 * @import { Browser, BrowserContextOptions, Page } from "playwright-core"
 * @import { PageState, TableView } from "../../src/web/assets/data.d.ts"
 */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/** The screens of a room: a good projector, a small one, an old one. */
const SCREENS = { projector: SIZES.projector, hd: { width: 1280, height: 720 }, old: SIZES.small };

/** The longest name there can be, of wide letters and of words. */
const WIDEST = "W".repeat(40);
const LONGEST = "The Extraordinarily Long Name of Somebod";

/**
 * Runs a test on a new stage.
 * @param {PageState} first
 * @param {BrowserContextOptions} options
 * @param {(page: Page, show: (state: PageState) => Promise<void>) => Promise<void>} play `show` shows a state and waits until
 * it is drawn.
 */
async function onStage(first, options, play) {
  const theatre = await stage(first);
  try {
    const page = await open(chrome, theatre.page, { viewport: SCREENS.projector, ...options });
    await page.waitForFunction(() => window.casino?.state());
    let n = 1000;
    await play(page, async (state) => {
      theatre.show({ ...state, n: ++n });
      await page.waitForFunction((shown) => window.casino.state()?.n === shown, n);
      await drawn(page);
    });
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
}

/**
 * The players of these seats of a table of sixteen, after all others have left it.
 * @param {number[]} seats From 0.
 * @returns {TableView}
 */
function leftOf(seats) {
  const full = table(16);
  return { ...full, round: full.round + 1, seats: full.seats.filter(({ at }) => seats.includes(at)) };
}

/**
 * Which part of the table its seats span across and down, and which part of it the smallest of them takes.
 * @param {Page} page
 */
const spans = (page) =>
  page.evaluate(() => {
    const whole = document.getElementById("table")?.getBoundingClientRect() ?? new DOMRect();
    const boxes = [...document.querySelectorAll(".seat")].map((seat) => seat.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left));
    const right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return {
      across: (right - left) / whole.width,
      down: (bottom - top) / whole.height,
      smallest: Math.min(...boxes.map((box) => (box.width * box.height) / (whole.width * whole.height))),
    };
  });

test("whoever is left at a table of sixteen fills it, at every size", async () => {
  await onStage(day(16), { reducedMotion: "reduce" }, async (page, show) => {
    for (const [size, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      for (const seats of [
        [3, 12],
        [0, 7, 8],
        [1, 2, 3, 4],
        [0, 2, 5, 9, 11, 15],
      ]) {
        await show({ ...day(16), table: table(16) });
        await show({ ...day(16), table: leftOf(seats) });
        const where = `${seats.length} seats, ${size}`;
        const { across, down, smallest } = await spans(page);
        assert.ok(across > 0.8, `${where}: ${across} of the width`);
        assert.ok(down > (seats.length === 2 ? 0.45 : 0.75), `${where}: ${down} of the height`);
        assert.ok(smallest > (seats.length === 2 ? 0.12 : 0.03), `${where}: ${smallest} of the table`);
        assert.deepEqual(await crowding(page, ".seat, #table > .centre"), [], where);
        await keepPicture(page, `left-${seats.length}-${size}`);
      }
    }
  });
});

/**
 * What stands out of its panel of the showdown.
 * @param {Page} page
 */
const outOfPanels = (page) =>
  page.evaluate(() => {
    const faults = [];
    for (const panel of document.querySelectorAll(".panel")) {
      const box = panel.getBoundingClientRect();
      for (const element of panel.querySelectorAll(".title, .sum, .words, .card, .owner")) {
        const range = document.createRange();
        range.selectNodeContents(element);
        for (const part of [element.getBoundingClientRect(), range.getBoundingClientRect()]) {
          const over = Math.max(
            part.right - box.right,
            part.bottom - box.bottom,
            box.left - part.left,
            box.top - part.top,
          );
          if (over > 1)
            faults.push(`${element.className} "${element.textContent}" by ${Math.round(over)} px`);
        }
      }
    }
    return faults;
  });

test("the words of a showdown stay in their panels, at every size and with every number of seats", async () => {
  const screens = { ...SCREENS, phone: { width: 390, height: 844 } };
  await onStage(day(17), { reducedMotion: "reduce" }, async (page, show) => {
    for (const [size, viewport] of Object.entries(screens)) {
      await page.setViewportSize(viewport);
      for (const count of [2, 3, 6, 12, 17]) {
        for (const how of /** @type {const} */ (["split", "scoop", "folds", "no spade", "tie"])) {
          if (how === "tie" && count < 3) continue;
          const over = ended(table(count), how);
          const words = "queen high, eight, seven";
          const result = over.result && { ...over.result, words };
          await show({ ...day(count), table: { ...over, round: over.round + count, result } });
          await keepPicture(page, `panels-${how}-${count}-${size}`);
          assert.deepEqual(await outOfPanels(page), [], `${how}, ${count} seats, ${size}`);
        }
      }
    }
  });
});

test("seats glide to their new places, by transform alone, and stand still where somebody wants less motion", async () => {
  for (const reducedMotion of /** @type {const} */ (["no-preference", "reduce"])) {
    await onStage({ ...day(16), table: table(16) }, { reducedMotion }, async (page, show) => {
      await page.waitForSelector(".seat");
      await page.$eval(".seat:nth-child(4)", (seat) => seat.setAttribute("data-kept", "yes"));
      await show({ ...day(16), table: leftOf([3, 12]) });
      const moving = await page.$$eval(".seat", (seats) =>
        seats.flatMap((seat) =>
          seat.getAnimations().map((one) => {
            const frames = one.effect instanceof KeyframeEffect ? one.effect.getKeyframes() : [];
            return Object.keys(frames[0] ?? {})
              .filter((key) => !["offset", "computedOffset", "easing", "composite"].includes(key))
              .join();
          }),
        ),
      );
      assert.deepEqual(
        moving.filter((keys) => keys === "transform").length,
        reducedMotion === "reduce" ? 0 : 2,
      );
      assert.equal(await page.locator(".seat[data-kept]").count(), 1, "whoever stays keeps its seat");
    });
  }
});

/**
 * Elements covered by the opener's button, and seats covered by a bet.
 * @param {Page} page
 */
const covered = (page) =>
  page.evaluate(() => {
    /** @type {(one: DOMRect, part: Element) => boolean} */
    const overlap = (one, part) => {
      const other = part.getBoundingClientRect();
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return across > 1 && down > 1;
    };
    const [seats, bets] = [".seat", ".bet:not([hidden])"].map((part) => [...document.querySelectorAll(part)]);
    const under = bets.flatMap((bet) => seats.filter((seat) => overlap(bet.getBoundingClientRect(), seat)));
    if (under.length) return under.map((seat) => `a bet covers ${seat.textContent}`);
    const opener = document.querySelector(".opener");
    const seat = document.querySelector(".seat.opens .head");
    const told = seat ? getComputedStyle(seat, "::after").content : "";
    if (!opener?.checkVisibility()) return told === '"opens"' ? [] : ["nobody is seen to open"];
    const button = opener.getBoundingClientRect();
    /** @param {Element} part */
    const away = (part) => {
      const other = part.getBoundingClientRect();
      const across = Math.max(0, button.left - other.right, other.left - button.right);
      return Math.hypot(across, Math.max(0, button.top - other.bottom, other.top - button.bottom));
    };
    const own = document.querySelector(".seat.opens");
    const nearest = Math.min(...seats.filter((part) => part !== own).map(away));
    if (!own || away(own) >= nearest)
      return [`it opens ${own && away(own)} px away, another is ${nearest} px away`];
    const parts = document.querySelectorAll(".seat, .bet:not([hidden]), .centre p, .centre strong");
    return [...parts]
      .filter((part) => overlap(button, part))
      .map((part) => `${part.className} ${part.textContent}`);
  });

test("the opener's button covers nothing and is closest to its own seat, and no bet covers a seat", async () => {
  await onStage(day(17), { reducedMotion: "reduce" }, async (page, show) => {
    const found = [];
    for (const [size, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      for (const count of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17]) {
        // Of a crowd it is written in the seats, which are all alike.
        for (let opener = 1; opener <= (count > 10 ? 2 : count); opener++) {
          await show({ ...day(17), table: { ...table(count), opener } });
          const what = await covered(page);
          if (what.length) found.push(`${size}, seat ${opener} of ${count}: ${what.join("; ")}`);
        }
      }
    }
    assert.deepEqual(found, []);
  });
});

test("a name that was written in light letters has room when its player is in again", async () => {
  await onStage(day(7), { reducedMotion: "reduce" }, async (page, show) => {
    const [dealt, folded] = [true, false].map((live) => {
      const seats = table(7).seats.map((seat) => ({ ...seat, live, word: live ? "" : "folds", bet: 0 }));
      return { ...day(7), table: { ...table(7), seats } };
    });
    const names = namesOf(7).map(
      (_, index) => ["Callback Heller", "Segfault & Sons", "Ouroboros"][index % 3],
    );
    const named = (/** @type {PageState} */ state) => ({
      ...state,
      programme: { ...state.programme, players: names },
    });
    for (const state of [folded, dealt, folded]) {
      await show(named(state));
      assert.deepEqual(await clippedNames(page), []);
    }
  });
});

test("the last table has a moment of its own, with everybody who has reached it", async () => {
  await onStage(day(30), { reducedMotion: "reduce" }, async (page, show) => {
    for (const [size, viewport] of Object.entries({ ...SCREENS, phone: SIZES.phone })) {
      await page.setViewportSize(viewport);
      for (const count of [2, 8, 17]) {
        const state = day(30);
        const event = hall(count, 1);
        await show({ ...state, hall: event, show: { ...state.show, mode: "last_table" } });
        const where = `${count}, ${size}`;
        assert.match(await textOf(page, "#splash h2"), /^The last table$/, where);
        assert.equal(await page.locator("#splash li").count(), count, where);
        assert.deepEqual(await clippedNames(page, 3), [], where);
        const sizes = await page.$$eval("#splash bdi", (all) =>
          all.map((name) => parseFloat(getComputedStyle(name).fontSize)),
        );
        assert.ok(Math.min(...sizes) >= 11, `${where}: ${Math.min(...sizes)} px`);
        assert.deepEqual(await crowding(page, "#splash li, #splash h2"), [], where);
        assert.deepEqual(await paleTexts(page), [], where);
        assert.deepEqual(await faults(page), [], where);
        await keepPicture(page, `splash-${count}-${size}`);
      }
    }
  });
});

test("names in the lobby can be read at every size, the longest too", async () => {
  const names = namesOf(30);
  names.splice(3, 1, WIDEST);
  names.splice(9, 1, LONGEST);
  const base = day(30);
  const guests = names.map((name, index) => ({ name, connected: true, house: index % 5 === 4 }));
  const lobby = { ...base.lobby, guests: guests.slice(0, 22), roster: { missing: names.slice(22, 27) } };
  await onStage(base, { reducedMotion: "reduce" }, async (page, show) => {
    for (const [size, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      await show({ ...base, phase: "lobby", lobby });
      const sizes = await page.$$eval(".guests bdi", (all) =>
        all.map((name) => ({ name: name.textContent, px: parseFloat(getComputedStyle(name).fontSize) })),
      );
      assert.equal(sizes.length, 27, size);
      assert.deepEqual(
        sizes.filter(({ px }) => px < (size === "projector" ? 14 : 11)),
        [],
        size,
      );
      assert.deepEqual(await clippedNames(page, 3), [], size);
      const used = await page.$eval(".guests", (list) => {
        const bottom = Math.max(...[...list.children].map((item) => item.getBoundingClientRect().bottom));
        const box = list.getBoundingClientRect();
        return (bottom - box.top) / box.height;
      });
      assert.ok(used > 0.8 && used < 1.01, `${size}: the list uses ${used} of its height`);
      await keepPicture(page, `lobby-long-${size}`);
    }
    assert.equal(await textOf(page, ".waiting"), "Waiting for 8 more players …");
  });
});

test("nobody is called by a number of players while they are awaited", async () => {
  const base = day(30);
  const lobby = { ...base.lobby, wanted: 26, guests: [], roster: { missing: [] } };
  await onStage({ ...base, phase: "lobby", lobby }, {}, async (page) => {
    assert.equal(await textOf(page, ".waiting"), "Waiting for 26 more players …");
    assert.equal(await page.locator(".guests li").count(), 0);
  });
});

test("ordinary awards are as large as there is room, while they come in too", async () => {
  const base = day(30);
  await onStage(base, {}, async (page, show) => {
    for (const viewport of Object.values(SCREENS)) {
      await page.setViewportSize(viewport);
      for (const at of /** @type {const} */ (["awards", "done"])) {
        const podium = [...ceremony("done").rows].reverse();
        await show({ ...base, phase: at === "done" ? "over" : "ceremony", ceremony: ceremony(at), podium });
        const root = at === "done" ? "#podium" : "#ceremony";
        const share = await page.$eval(root, (part) => getComputedStyle(part).getPropertyValue("--shrink"));
        assert.equal(share, at === "done" ? "1" : "1.4", `${at}, ${viewport.width}`);
      }
    }
  });
});

test("the texts of awards stay in their cards, however many share one and however long they are", async () => {
  const base = day(30);
  const players = base.programme.players.map((name, index) =>
    index < 2 ? WIDEST.slice(index) : index === 3 ? LONGEST : name,
  );
  const awards = AWARDS.map((award, index) => ({
    ...award,
    seats: index % 2 ? [1, 4, 2] : [index + 1],
    text: `${index % 2 ? `${WIDEST}, ${LONGEST} and ` : ""}${WIDEST} won 1840 chips in round 402 at table 3.`,
  }));
  const done = { ...ceremony("done"), awards };
  const prophet = {
    name: WIDEST,
    points: 120,
    text: "foresaw the winner before the start and the first one out before the start",
  };
  const state = { ...base, programme: { ...base.programme, players }, phase: /** @type {const} */ ("over") };
  await onStage(base, { reducedMotion: "reduce" }, async (page, show) => {
    for (const [size, viewport] of Object.entries({ ...SCREENS, phone: SIZES.phone })) {
      await page.setViewportSize(viewport);
      for (const stageOf of /** @type {const} */ (["awards", "done"])) {
        const podium = [...done.rows].reverse();
        await show({
          ...state,
          phase: stageOf === "done" ? "over" : "ceremony",
          ceremony: { ...done, stage: stageOf },
          podium,
          predictions: { ...base.predictions, prophet },
        });
        const where = `${stageOf}, ${size}`;
        const out = await page.$$eval(".award", (cards) =>
          cards
            .filter((card) => card.checkVisibility())
            .flatMap((card) => {
              const room = card.getBoundingClientRect();
              const window = card.ownerDocument.defaultView?.innerHeight ?? 0;
              return [...card.querySelectorAll("h3, p, bdi")]
                .map((part) => ({ part, box: part.getBoundingClientRect() }))
                .filter(
                  ({ box }) =>
                    box.bottom > room.bottom + 1 ||
                    box.right > room.right + 1 ||
                    (box.bottom > window + 1 && document.documentElement.clientWidth > 800),
                )
                .map(({ part }) => part.textContent);
            }),
        );
        assert.deepEqual(out, [], where);
        assert.deepEqual(await crowding(page, ".award, .step"), [], where);
        await keepPicture(page, `long-awards-${stageOf}-${size}`, size === "phone");
      }
    }
  });
});
