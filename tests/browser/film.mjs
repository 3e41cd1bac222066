// Films a day of thirty programs in six languages, two of which come late, and two house bots: `make film`. Takes a
// picture of each screen every two seconds, of the console every ten, and puts them together on sheets that show the
// whole day. The host is killed in the middle of the day and in the ceremony, and resumed.
//
//     FILM=DIR MINUTES=8 PLAYERS=30 node tests/browser/film.mjs

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { browser, casinoIn, freePort, open, until, words } from "./casino.mjs";
import { build, start } from "./class.mjs";

/** @import { OpenPage } from "./casino.mjs" */

const FOLDER = path.resolve(process.env.FILM ?? "target/film");
const MINUTES = Number(process.env.MINUTES ?? 8);
const PLAYERS = Number(process.env.PLAYERS ?? 30);
const SEATS = process.env.SEATS ?? "8";
const EVERY = 2_000;
const PICTURES_FOR_ONE_OF_THE_CONSOLE = 5;

/** How many come only when play has begun. */
const LATE = PLAYERS > 4 ? 2 : 0;

const TITLE = "The Seventeenth Annual Casino Day of Data Structures";
const VENUE = "Lecture hall 101, 24 November";
const EVENT = words(
  process.env.EVENT ??
    "--ante-schedule 1,1,2,3,5,8,12,20,30,50,80,120 --level-rounds 60 --late-entry 40 --bot caller --bot bold",
);

/** The screens that are filmed. */
const SCREENS = {
  hd: { width: 1920, height: 1080 },
  small: { width: 1280, height: 720 },
  old: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** The sizes in which the console is filmed. */
const CONSOLES = {
  desk: { width: 1280, height: 800 },
  "old-desk": { width: 1024, height: 768 },
};

/** How many pictures a sheet has, and how wide each is on it. */
const SHEET = { columns: 3, rows: 3, width: 640 };

rmSync(FOLDER, { recursive: true, force: true });
const ALL = Object.keys({ ...SCREENS, ...CONSOLES });
for (const name of ALL) mkdirSync(path.join(FOLDER, name), { recursive: true });
const kits = mkdtempSync(path.join(tmpdir(), "casino-class-"));
const players = build(kits, PLAYERS);
const late = players.splice(players.length - LATE);
console.log(`${players.length} programs are built, and ${late.length} that come late`);

const chrome = await browser();
const [bind, web] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
const folder = mkdtempSync(path.join(tmpdir(), "casino-film-"));
const house = EVENT.filter((word) => word === "--bot").length;
const wanted = players.length + house;
const host = words(
  `host --bind ${bind} --players ${wanted} --seats ${SEATS} --minutes ${MINUTES} --seed film`,
);
const said = ["--title", TITLE, "--venue", VENUE, "--out", folder];
let day = await casinoIn(folder, web, [...host, ...EVENT, ...said]);
/** @type {{ name: string, page: OpenPage, every: number }[]} */
const screens = [];
for (const [name, viewport] of Object.entries(SCREENS)) {
  const page = await open(chrome, day.page, { viewport, colorScheme: "dark" });
  screens.push({ name, page, every: 1 });
}
const consoles = await Promise.all(
  Object.entries(CONSOLES).map(async ([name, viewport]) => {
    const page = await open(chrome, day.desk, { viewport, colorScheme: "light" });
    return { name, page, every: PICTURES_FOR_ONE_OF_THE_CONSOLE };
  }),
);
screens.push(...consoles);

let picture = 0;
async function film() {
  const number = String(picture++).padStart(4, "0");
  await Promise.all(
    screens
      .filter(({ every }) => Number(number) % every === 0)
      .map(({ name, page }) =>
        page.screenshot({ path: path.join(FOLDER, name, `${number}.jpg`), type: "jpeg", quality: 80 }),
      ),
  );
}

let began = Date.now();
/** Takes the pictures that are due, until this is so. @param {() => Promise<boolean>} isSo */
async function filmUntil(isSo) {
  while (!(await isSo())) {
    const due = began + (picture - 1) * EVERY;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
    await film();
  }
}

/** @param {string} what */
const say = (what) =>
  console.log(`${((Date.now() - began) / 1000).toFixed(0)} s, picture ${picture - 1}: ${what}`);

let last = "";
/** Whether this holds for the page, which is notified of changes. @param {(phase: string) => boolean} isWanted */
async function shows(isWanted) {
  const { phase, show, board } = await day.state();
  const now = `${phase} ${show?.mode} round ${board.round}`;
  if (now !== last) say(`${now}; left ${show?.seconds_left}`);
  last = now;
  return isWanted(phase);
}

/** Kills the host, resumes its journal, and films on until all play again. @param {string} when */
async function killAndResume(when) {
  say(`the host is killed ${when}`);
  await day.kill();
  const dead = Date.now() + 4 * EVERY;
  await filmUntil(async () => Date.now() > dead);
  // The journal by its name: in the ceremony the tournament is over, and only shown to its end.
  day = await casinoIn(folder, web, words(`resume ${folder}/journal.jsonl --bind ${bind}`));
  say("the host is back");
  for (const { page } of consoles) await page.goto(day.desk);
  await filmUntil(async () => {
    const { hour, members, missing } = await day.overview();
    if (hour !== "lobby") return true;
    if (missing.length === 0 && members.length > 0) await day.act("start");
    return false;
  });
  say("play goes on");
}

await film();
const programs = start(players, day.game);
await until("everybody", async () => (await day.overview()).members.length === wanted);
await film();
await day.start();
began = Date.now() - (picture - 1) * EVERY;
const dealt = Date.now();
await filmUntil(() => shows(() => Date.now() > dealt + 6_000));
programs.push(...start(late, day.game));
await filmUntil(() => shows(() => Date.now() > dealt + MINUTES * 25_000));
await killAndResume("in the middle of the day");
await filmUntil(() => shows((phase) => phase === "ceremony" || phase === "over"));
await filmUntil(() => shows(() => true));
await killAndResume("in the ceremony");
await filmUntil(() => shows((phase) => phase === "over"));
say(
  `the day took ${((Date.now() - dealt) / 60_000).toFixed(2)} of ${MINUTES} minutes, with two interruptions`,
);
const end = Date.now() + 4 * EVERY;
await filmUntil(async () => Date.now() > end);
for (const { name, page } of screens) {
  if (page.complaints.length > 0) console.log(`${name}: ${page.complaints.slice(0, 5).join("; ")}`);
}
await Promise.all(screens.map(({ page }) => page.close()));
programs.forEach((child) => child.kill("SIGKILL"));
day.end();

const sheet = await chrome.newPage();
for (const name of ALL) {
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
