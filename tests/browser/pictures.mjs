// Makes the pictures of docs/images: `make pictures`. A day is played for them; nothing in them is drawn by hand.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { SIZES, browser, casino, open, player, until } from "./casino.mjs";

/** @import { Page } from "playwright-core" */

const FOLDER = path.resolve(import.meta.dirname, "../../docs/images");
const LARGEST = 300_000;

/**
 * Makes a picture as WebP, which the driver itself does not make.
 * @param {Page} page
 * @param {string} name
 */
async function picture(page, name) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  const file = path.join(FOLDER, `${name}.webp`);
  writeFileSync(file, Buffer.from(data, "base64"));
  const { size } = statSync(file);
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes, more than ${LARGEST}`);
  console.log(`${file}: ${size} bytes`);
}

mkdirSync(FOLDER, { recursive: true });
const chrome = await browser();

// A table of sixteen: seven who connected, who call what is cheap, and bots of the house.
const guests = ["Steph", "Amit", "Chao", "Ada", "Blaise", "Mary", "Kurt"];
const table = await casino(
  "host --bind 127.0.0.1:0 --players 16 --bot odds*3 --bot reader*3 --bot spades*2 --bot cautious --rounds 2000 --pace 10",
  "--seed",
  "a day in the life",
);
try {
  const page = await open(chrome, table.page, {
    viewport: SIZES.projector,
    colorScheme: "dark",
    reducedMotion: "reduce",
  });
  guests.forEach((name, index) => player(table.game, `student-${index}`, name));
  await until("everybody", async () => (await table.overview()).members.length === 16);
  await table.act("tempo", { percent: 2000 });
  await table.start();
  await until("a long race", async () => (await table.overview()).round >= 260);
  await table.act("pause");
  await table.phase("paused");
  await table.act("tempo", { percent: 100 });
  await table.act("pace", { ms: 300 });
  await table.act("resume");
  // Somebody has bet, others have folded, and the second cards are up.
  await page.waitForFunction(
    () => {
      const { table: shown, phase } = window.casino.state() ?? {};
      return (
        phase === "playing" &&
        shown &&
        !shown.result &&
        shown.street === 2 &&
        shown.seats.length > 8 &&
        shown.seats.filter((seat) => seat.live).length > 2 &&
        shown.seats.filter((seat) => seat.bet > 0).length > 1
      );
    },
    null,
    { timeout: 240_000 },
  );
  await picture(page, "table");
  await page.close();
} finally {
  table.end();
}

// A class of sixty at six tables.
const hall = await casino(
  "play --bot cautious*15 --bot reader*15 --bot odds*15 --bot spades*10 --bot bold*5 --seats 10 --level-rounds 60 --pace 20",
  "--seed",
  "a class",
);
try {
  const page = await open(chrome, hall.page, {
    viewport: SIZES.projector,
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await hall.act("tempo", { percent: 300 });
  await hall.start();
  await until("a few levels", async () => (await hall.overview()).round >= 130);
  await page.waitForSelector(".centre .winner");
  await page.keyboard.press("o");
  await page.waitForSelector("#overview article");
  await picture(page, "tables");
  await page.close();
} finally {
  hall.end();
}
await chrome.close();
