// Films a day of thirty programs in six languages: `make film`. A picture of each screen every two seconds, and the
// pictures put together on sheets, so that somebody can look at the whole day.
//
//     FILM=DIR MINUTES=8 PLAYERS=30 node tests/browser/film.mjs

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { browser, casino, open, until } from "./casino.mjs";
import { build, start } from "./class.mjs";

const FOLDER = path.resolve(process.env.FILM ?? "target/film");
const MINUTES = Number(process.env.MINUTES ?? 8);
const PLAYERS = Number(process.env.PLAYERS ?? 30);
const SEATS = process.env.SEATS ?? "8";
const EVERY = 2_000;

/** The screens that are filmed. */
const SCREENS = {
  hd: { width: 1920, height: 1080 },
  small: { width: 1280, height: 720 },
  old: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** How many pictures a sheet has, and how wide each is on it. */
const SHEET = { columns: 3, rows: 3, width: 640 };

rmSync(FOLDER, { recursive: true, force: true });
for (const name of Object.keys(SCREENS)) mkdirSync(path.join(FOLDER, name), { recursive: true });
const kits = mkdtempSync(path.join(tmpdir(), "casino-class-"));
const players = build(kits, PLAYERS);
console.log(`${players.length} programs are built`);

const chrome = await browser();
const event = process.env.EVENT ?? "--ante-schedule 1,1,2,3,5,8,12,20,30,50,80,120 --level-rounds 60";
const day = await casino(
  `host --bind 127.0.0.1:0 --players ${players.length} --seats ${SEATS} ${event} --minutes ${MINUTES} --seed film`,
);
const screens = await Promise.all(
  Object.entries(SCREENS).map(async ([name, viewport]) => {
    const page = await open(chrome, day.page, { viewport, colorScheme: "dark" });
    return { name, page };
  }),
);
let picture = 0;
async function film() {
  const number = String(picture++).padStart(4, "0");
  await Promise.all(
    screens.map(({ name, page }) =>
      page.screenshot({ path: path.join(FOLDER, name, `${number}.jpg`), type: "jpeg", quality: 80 }),
    ),
  );
}
await film();
const programs = start(players, day.game);
await until("everybody", async () => (await day.overview()).members.length === players.length);
await film();
await day.start();
const began = Date.now();
let last = "";
/** @type {number | null} */
let ended = null;
while (ended === null || Date.now() < ended + 4 * EVERY) {
  const due = began + (picture - 1) * EVERY;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
  await film();
  const { phase, show, board } = await day.state();
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const now = `${phase} ${show?.mode} round ${board.round}`;
  if (now !== last) console.log(`${seconds} s, picture ${picture - 1}: ${now}; left ${show?.seconds_left}`);
  last = now;
  if (phase === "over" && ended === null) {
    ended = Date.now();
    console.log(`the day took ${((ended - began) / 60_000).toFixed(2)} of ${MINUTES} minutes`);
  }
}
for (const { name, page } of screens) {
  if (page.complaints.length > 0) console.log(`${name}: ${page.complaints.slice(0, 5).join("; ")}`);
}
await Promise.all(screens.map(({ page }) => page.close()));
programs.forEach((child) => child.kill("SIGKILL"));
day.end();

const sheet = await chrome.newPage();
for (const name of Object.keys(SCREENS)) {
  const files = readdirSync(path.join(FOLDER, name)).sort();
  const many = SHEET.columns * SHEET.rows;
  const narrow = name === "phone";
  const columns = narrow ? 9 : SHEET.columns;
  for (let at = 0; at < files.length; at += many) {
    const images = files.slice(at, at + many).map((file) => {
      const style = `width:${Math.floor((SHEET.width * SHEET.columns) / columns) - 4}px;margin:2px`;
      return `<img style="${style}" src="file://${path.join(FOLDER, name, file)}">`;
    });
    await sheet.setViewportSize({ width: SHEET.width * SHEET.columns, height: 600 });
    await sheet.goto(`file://${FOLDER}`);
    await sheet.setContent(`<body style="margin:0;line-height:0;background:#888">${images.join("")}`);
    await sheet.waitForFunction(() => [...document.images].every((image) => image.complete));
    const to = path.join(FOLDER, `${name}-${files[at].slice(0, 4)}.png`);
    await sheet.screenshot({ path: to, fullPage: true });
  }
}
await chrome.close();
rmSync(kits, { recursive: true, force: true });
