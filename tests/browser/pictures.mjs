// Makes the pictures of docs/images: `make pictures`. They are all taken from a day played for them.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { PROGRAM, SIZES, browser, casino, casinoIn, open, player, until, words } from "./casino.mjs";

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

// A class of thirty, from the lobby to the podium.
const guests = ["Steph", "Amit", "Chao", "Ada", "Blaise", "Mary", "Kurt"];

/** Further names for a class of thirty students. */
const CLASSMATES = words(
  "Alan Grace Emmy Leonhard Sofia Carl Niels Evariste Hypatia Pierre Maryam Srinivasa Joan Edsger Barbara Donald " +
    "Katherine John Margaret Claude Dorothy Paul Lise Alonzo",
);

const lasting = mkdtempSync(path.join(tmpdir(), "casino-pictures-"));
/**
 * A student's program: the later it comes in the class, the more it dares.
 * @param {number} index
 * @returns {(fields: string[]) => string}
 */
const style = (index) => (fields) => {
  const [stack, toCall] = [Number(fields[1]), Number(fields[3])];
  const [hole, up] = [fields[4], fields[5]].map((card) =>
    "23456789TJQKA".indexOf(card.replace("10", "T")[0]),
  );
  const worth = hole + up + (hole === up ? 14 : 0) + (fields[4].endsWith("S") ? hole / 2 : 0);
  if (toCall > stack || toCall > Math.max(1, worth - 14) * (2 + index / 4))
    return toCall === 0 ? "bet:0" : "fold";
  return `bet:${Math.min(stack, toCall + (worth > 21 - index / 3 && toCall < 40 ? 1 + (index % 9) : 0))}`;
};
const line = "host --bind 127.0.0.1:0 --players 30 --seats 8 --stack 200 --ante-schedule 1,3,8,20";
const day = await casinoIn(lasting, "127.0.0.1:0", [
  ...words(`${line} --level-rounds 40 --minutes 3 --journal day.jsonl --seed`),
  ...["a day in the life", "--title", "Casino Day", "--venue", "Lecture hall 1, last week of term"],
]);
try {
  const page = await open(chrome, day.page, { viewport: SIZES.projector, colorScheme: "dark" });
  const phone = await open(chrome, day.page, { viewport: SIZES.phone, colorScheme: "dark" });
  const film = await filmed(day.page);
  const names = [...guests, ...CLASSMATES].slice(0, 30);
  names.forEach((name, index) => player(day.game, `student-${index}`, name, style(index)));
  await until("everybody", async () => (await day.overview()).members.length === 30);
  await page.waitForFunction(() => document.querySelectorAll(".guests .on").length === 30);
  await settle(page);
  await picture(page, "lobby");
  await day.start();
  await phone.waitForSelector("#choices button");
  for (const name of ["Ada", "Kurt"]) {
    await phone.locator("#choices").getByRole("button", { name, exact: true }).click();
  }
  await phone.fill("#prophet-name", "Row 7");
  await picture(phone, "predict");
  await phone.getByRole("button", { name: "Predict, for play points" }).click();
  await phone.waitForSelector("#follow-whom option + option", { state: "attached" });
  await phone.selectOption("#follow-whom", { label: "Ada" });
  await page.waitForFunction(
    () => {
      const { table, show } = window.casino.state() ?? {};
      return show?.mode === "detail" && table && !table.result && table.street === 2;
    },
    null,
    { timeout: 120_000 },
  );
  await settle(page);
  await picture(page, "table");
  await page.waitForSelector(".panels-2 .owner + .evidence", { timeout: 120_000 });
  await settle(page);
  await picture(page, "showdown");
  await page.keyboard.press("o");
  await page.waitForSelector("#overview article");
  await page.waitForSelector("#exit", { state: "hidden" });
  await settle(page);
  await picture(page, "tables");
  await page.keyboard.press("o");
  await page.waitForSelector(".exit-card", { timeout: 120_000 });
  await settle(page);
  await picture(page, "exit");
  await phone.waitForSelector("#bot .last-rounds li", { timeout: 120_000 });
  await phone.waitForSelector("#exit", { state: "hidden" });
  await picture(phone, "phone");
  await page.waitForSelector("#splash li", { timeout: 240_000 });
  await settle(page);
  await picture(page, "last-table");
  await page.waitForSelector("#ceremony .award + .award", { timeout: 240_000 });
  await settle(page);
  await picture(page, "awards");
  await page.waitForSelector("#podium .step-1", { timeout: 240_000 });
  await settle(page);
  await picture(page, "podium");
  writeFileSync(path.join(FOLDER, "day.webp"), await film());
  await filePictures();
} finally {
  day.end();
}
await pausePicture();
await duelPicture();
await consolePicture();
await chrome.close();

/** The teacher's files of the day: the replay as a file, and a certificate. */
async function filePictures() {
  const journal = path.join(lasting, "day.jsonl");
  const replay = path.join(lasting, "replay.html");
  execFileSync(PROGRAM, ["replay", journal, "--html", replay, "--holes"]);
  execFileSync(PROGRAM, ["report", journal, "--out", path.join(lasting, "report"), "--certificates"]);
  const options = /** @type {const} */ ({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
  const page = await open(chrome, `${pathToFileURL(replay).href}#round=30`, options);
  await page.waitForSelector(".seat");
  await page.selectOption("#jump", { index: 1 });
  await page.waitForSelector("#decisions li");
  await settle(page);
  await picture(page, "replay");
  const paper = await open(chrome, pathToFileURL(path.join(lasting, "report/certificates.html")).href, {
    viewport: { width: 1280, height: 800 },
  });
  await picture(paper, "certificate");
}

/** The host has been killed in the middle of a day, and is resumed. */
async function pausePicture() {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-pictures-"));
  const first = await casinoIn(folder, "127.0.0.1:0", [
    ...words("play --bot bold*3 --bot odds*3 --bot reader*3 --minutes 3 --seed pause --journal day.jsonl"),
  ]);
  await until("everybody", async () => (await first.overview()).members.length === 9);
  await first.start();
  await until("some rounds", async () => (await first.overview()).round > 3);
  await first.kill();
  const again = await casinoIn(folder, "127.0.0.1:0", words("resume day.jsonl"));
  try {
    const page = await open(chrome, again.page, { viewport: SIZES.projector, colorScheme: "dark" });
    await again.start();
    await page.waitForSelector("#interruption .exit-card");
    await settle(page);
    await picture(page, "pause");
  } finally {
    again.end();
  }
}

/** Two players have the table to themselves. */
async function duelPicture() {
  const host = await casino("host --bind 127.0.0.1:0 --players 2 --minutes 2");
  try {
    const page = await open(chrome, host.page, { viewport: SIZES.projector, colorScheme: "dark" });
    player(host.game, "ada-student", "Ada");
    player(host.game, "kurt-student", "Kurt");
    await until("both", async () => (await host.overview()).members.length === 2);
    await host.act("predictions", { on: false });
    await host.start();
    await page.waitForFunction(() => {
      const { table, show } = window.casino.state() ?? {};
      return show?.mode === "detail" && table && !table.result && table.street === 2;
    });
    await settle(page);
    await picture(page, "duel");
  } finally {
    host.end();
  }
}

/** The console of a class with a roster: thirty have come, one is missing, two were refused. */
async function consolePicture() {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-pictures-"));
  const roster = path.join(folder, "class.csv");
  const names = [...guests, ...CLASSMATES];
  const rows = names.map((name) => `${name.toLowerCase()}-student,${name}`);
  writeFileSync(roster, `github_id,name\n${rows.join("\n")}\n`);
  const gathering = `host --bind 127.0.0.1:0 --roster ${roster} --seats 8 --level-rounds 1000 --minutes 0`;
  const host = await casino(gathering);
  try {
    const desk = await open(chrome, host.desk, { viewport: { width: 1280, height: 720 } });
    const ids = names.map((name) => `${name.toLowerCase()}-student`);
    ids.slice(0, 30).forEach((id) => player(host.game, id, "x"));
    player(host.game, "Zoe", "Zoë");
    player(host.game, "ADA-student", "Ada");
    await until("everybody", async () => (await host.overview()).members.length === 30);
    await until("the refused", async () => (await host.overview()).refused.length === 2);
    await desk.waitForFunction(() => document.querySelectorAll("#members tr").length === 30);
    await picture(desk, "console-lobby");
    await host.act("pace", { ms: 500 });
    await host.start();
    await until("some rounds", async () => (await host.overview()).round > 5);
    await desk.waitForFunction(() => document.querySelector("#members")?.textContent.includes("bet:"));
    await picture(desk, "console");
  } finally {
    host.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Takes a picture of the page from time to time, until the returned function makes a film of them: an animated WebP.
 * @param {string} address
 */
async function filmed(address) {
  const [width, height, scale, every] = [1280, 720, 0.7, 2800];
  const page = await open(chrome, address, { viewport: { width, height } });
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale };
  /** @type {Buffer[]} */
  const frames = [];
  const take = async () => {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 42, clip });
    frames.push(Buffer.from(data, "base64"));
  };
  const timer = setInterval(() => take().catch(() => {}), every);
  return async () => {
    clearInterval(timer);
    await page.close();
    return animated(frames, Math.round(width * scale), Math.round(height * scale), 700);
  };
}

/**
 * Pictures of one size as an animated WebP that plays again and again.
 * @param {Buffer[]} frames
 * @param {number} width
 * @param {number} height
 * @param {number} ms How long each is seen.
 */
function animated(frames, width, height, ms) {
  const chunk = (/** @type {string} */ name, /** @type {Buffer} */ body) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(body.length);
    return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)]);
  };
  const numbers = (/** @type {number[][]} */ ...fields) =>
    Buffer.concat(
      fields.map(([value, bytes]) => {
        const field = Buffer.alloc(bytes);
        field.writeUIntLE(value, 0, bytes);
        return field;
      }),
    );
  const size = [
    [width - 1, 3],
    [height - 1, 3],
  ];
  const place = numbers([0, 3], [0, 3], ...size, [ms, 3], [0, 1]);
  const images = frames.map((frame) => chunk("ANMF", Buffer.concat([place, pictureIn(frame)])));
  const head = [chunk("VP8X", numbers([2, 1], [0, 3], ...size)), chunk("ANIM", numbers([0, 4], [0, 2]))];
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...head, ...images]));
}

/**
 * The part of a WebP file that is the picture alone, without its color profile.
 * @param {Buffer} file
 */
function pictureIn(file) {
  let at = 12;
  while (file.toString("latin1", at, at + 4) !== "VP8 ")
    at += 8 + file.readUInt32LE(at + 4) + (file[at + 4] % 2);
  return file.subarray(at);
}

/**
 * Waits for the end of all animations.
 * @param {Page} shown
 */
async function settle(shown) {
  await shown.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));
}
