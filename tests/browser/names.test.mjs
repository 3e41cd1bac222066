// Names of every kind on every screen: none is cut, covered or too small, and a list has one size of letters.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, drawn, keepPicture, open } from "./casino.mjs";
import { nameSizes, unsound } from "./measure.mjs";
import { day, moments } from "./moments.mjs";
import { stage } from "./stage.mjs";

/**
 * @import { Browser } from "playwright-core"
 * @import { PageState } from "../../src/web/assets/data.d.ts"
 */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const SCREENS = [
  [360, 640],
  [640, 360],
  [800, 600],
  [1280, 720],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
];

/** Narrower windows are phones, which scroll. */
const WIDE = 800;

/** The screen on which letters are measured, and their least size there, in pixels. */
const [MEASURED, LEAST] = [1080, 24];

/** The share of names on a screen that may have smaller letters there, for want of room: the longest ones. */
const LONGEST = 0.3;

/** Moments without room for such letters: crowds, and the cards of awards and of those who share a half. */
const NARROW = ["bets of 17", "showdown of 17", "thirteen tables", "the lobby of 200", "a tie", "the podium"];

const LETTERS = [
  "abcdefghijklmnopqrstuvwxyz",
  "ابتثجحخدذرزسشصضطظعغ",
  "李明王张伟芳娜敏静丽强",
  "WMQ@",
  "äöüßéñçøå",
];
const EMOJI = ["🃏", "🎲", "👩‍🚀", "🇨🇭", "♠"];
const MOST_LETTERS = 40;

/**
 * Random numbers below a limit, the same ones from the same seed.
 * @param {number} seed
 */
function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/**
 * Names of 1 to 40 letters: in three directions of writing, with emoji, and each eighth a single long word.
 * @param {number} count
 */
function randomNames(count) {
  const below = numbers(69);
  return Array.from({ length: count }, (_, index) => {
    const alphabet = [...LETTERS[below(4) === 0 ? below(LETTERS.length) : 0]];
    const isWord = index % 8 === 7;
    const length = isWord ? MOST_LETTERS : 1 + below(MOST_LETTERS);
    const letters = [];
    for (let word = 0; letters.length < length; word++) {
      /** @type {boolean} */
      const isSpace = !isWord && word > 2 && below(6) === 0 && letters.length < length - 1;
      if (isSpace) word = 0;
      const isPicture = below(40) === 0;
      letters.push(isSpace ? " " : isPicture ? EMOJI[below(EMOJI.length)] : alphabet[below(alphabet.length)]);
    }
    return letters.join("");
  });
}

/**
 * A moment in which the players have these names.
 * @param {PageState} state
 * @param {string[]} names
 * @returns {PageState}
 */
function renamed(state, names) {
  const nameOf = (/** @type {number} */ index) => names[index % names.length];
  return {
    ...state,
    programme: { ...state.programme, players: state.programme.players.map((_, index) => nameOf(index)) },
    lobby: {
      ...state.lobby,
      guests: state.lobby.guests.map((guest, index) => ({ ...guest, name: nameOf(index) })),
    },
  };
}

test("sixty random names are whole and of one size on every screen at seven sizes", async () => {
  const names = randomNames(60);
  const theatre = await stage(day(2));
  try {
    const page = await open(chrome, theatre.page, { reducedMotion: "reduce" });
    const found = [];
    let n = 1000;
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      for (const [name, state] of Object.entries(moments())) {
        theatre.show({ ...renamed(state, names), n: ++n });
        await page.waitForFunction((wanted) => window.casino?.state()?.n === wanted, n);
        // Whether a window looks at all tables is its own choice.
        if (name === "all tables") await page.keyboard.press("o");
        await drawn(page);
        const where = `${name}, ${width} × ${height}`;
        found.push(...(await unsound(page, where, width >= WIDE)));
        const sizes = await nameSizes(page, height === MEASURED ? LEAST : 0);
        found.push(...sizes.faults.map((fault) => `${where}: ${fault}`));
        if (!NARROW.includes(name) && sizes.excused.length > LONGEST * sizes.seen)
          found.push(`${where}: ${sizes.excused.join(" / ")}`);
        if (name === "all tables") await page.keyboard.press("o");
        if (height === MEASURED) await keepPicture(page, `names-${name.replace(/\W+/g, "-")}`);
      }
    }
    assert.equal(found.length, 0, found.join("\n"));
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
});
