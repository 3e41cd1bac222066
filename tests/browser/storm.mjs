// A day of many disturbances: `make storm`. Thirty programs in six languages play; the host is killed three times and
// resumed, a projector is reloaded, 600 silent sockets connect to the page, a phone stops reading, and fifty phones
// watch. Checks that play never stands still for more than 250 ms while the host lives, that nothing is lost, and that
// the page answers.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { PROGRAM, SIZES, browser, freePort, open, until } from "./casino.mjs";
import { CALM, build, start } from "./class.mjs";

const PLAYERS = Number(process.env.PLAYERS ?? 30);
const PACE = 20;
const LONGEST_PAUSE = 250;
const SILENT = 600;
const PHONES = 50;

const folder = mkdtempSync(path.join(tmpdir(), "casino-storm-"));
const journal = path.join(folder, "journal.jsonl");

const [game, web] = [await freePort(), await freePort()];
const where = [
  "--bind",
  `127.0.0.1:${game}`,
  "--web",
  `0.0.0.0:${web}`,
  "--minutes",
  "0",
  "--pace",
  String(PACE),
];
const page = `http://127.0.0.1:${web}/`;

/**
 * Starts the program; its output goes to this one's.
 * @param {string[]} words
 */
function host(words) {
  const child = spawn(PROGRAM, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return { child, ended: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
}

/** How long play has stood still, measured by a separate process. */
function watch() {
  const script = `
    const { statSync } = require("node:fs");
    let size = 0, since = null, longest = 0, wake = performance.now();
    setInterval(() => {
      const now = performance.now();
      // If this process itself was not woken, the measurement is void.
      if (now - wake > 60 && since !== null) since += now - wake;
      wake = now;
      let length = 0;
      try { length = statSync(${JSON.stringify(journal)}).size; } catch {}
      if (length !== size) {
        if (since !== null) longest = Math.max(longest, now - since);
        size = length; since = now;
      }
    }, 5);
    process.on("message", (what) => {
      if (what === "again") { since = null; return; }
      process.send(longest);
    });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    again: () => child.send("again"),
    longest: () =>
      new Promise((resolve) => {
        child.once("message", resolve);
        child.send("longest");
      }),
    end: () => child.kill("SIGKILL"),
  };
}

/** The lines of the journal as it stands, the last of which may be half a line. */
function lines() {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, "utf8").split("\n").filter(Boolean);
}

const length = () => (existsSync(journal) ? statSync(journal).size : 0);

const chrome = await browser();
const players = build(folder, PLAYERS, CALM);
const event = ["--seats", "8", "--level-rounds", "60", "--ante-schedule", "1,1,2,3,5,8,12,20,30,50"];
const rounds = ["--rounds", process.env.ROUNDS ?? "900"];
let now = host([
  "host",
  "--players",
  String(players.length),
  "--journal",
  journal,
  ...event,
  ...rounds,
  ...where,
]);
const programs = [];
await until("the page", async () => (await fetch(page).catch(() => null))?.ok);
const screen = await open(chrome, page, { viewport: SIZES.projector });
programs.push(...start(players, game));
await until("the first rounds", async () => length() > 20_000);
const watcher = watch();

/** @type {net.Socket[]} */
const silent = [];
for (let index = 0; index < SILENT; index++) {
  const socket = net.connect({ port: web, host: "127.0.0.1", localAddress: "127.0.0.66" });
  socket.on("error", () => {});
  silent.push(socket);
}
const stalled = net.connect({ port: web, host: "127.0.0.1", localAddress: "127.0.0.67" });
stalled.on("error", () => {});
stalled.write("GET /events HTTP/1.1\r\nHost: casino\r\n\r\n");
stalled.pause();

let heard = 0;
/** @param {number} index */
function phone(index) {
  const request = http.get(
    { port: web, host: "127.0.0.1", localAddress: `127.0.1.${index + 1}`, path: "/events" },
    (response) => {
      response.on("data", () => heard++);
      response.on("close", () => setTimeout(phone, 500, index));
    },
  );
  request.on("error", () => setTimeout(phone, 500, index));
}
for (let index = 0; index < PHONES; index++) phone(index);

/** The numbers of all levels and rounds that were recorded. */
const levels = () => lines().filter((line) => line.startsWith('{"type":"level"')).length;

/** The moments at which the host is killed: right after a level began, in the middle of a round, and anywhere. */
const moments = [
  async () => {
    const before = levels();
    await until("another level", async () => levels() > before);
  },
  async () => {
    const before = length();
    await until("some rounds", async () => length() > before + 50_000);
    await until("half a round", async () => !lines().at(-1)?.includes('"end"'));
  },
  async () => new Promise((resolve) => setTimeout(resolve, 1_700)),
];
for (const moment of moments) {
  await moment();
  now.child.kill("SIGKILL");
  await now.ended;
  watcher.again();
  const kept = length();
  now = host(["resume", journal, ...where]);
  await until("the page again", async () => (await fetch(page).catch(() => null))?.ok);
  await until("play again", async () => length() > kept + 10_000);
  watcher.again();
  await screen.reload();
  await screen.waitForFunction(() => (window.casino.state()?.board.round ?? 0) > 0);
  console.log(`killed with ${kept} bytes on disk, resumed, page up; ${heard} messages on ${PHONES} phones`);
}
const before = heard;
await until("phones that go on hearing", async () => heard > before + PHONES);
await until("the end", async () => lines().some((line) => line.startsWith('{"type":"over"')));
const longest = await watcher.longest();
await until("the podium", async () => (await (await fetch(`${page}state`)).json()).phase === "over");
const verified = spawnSync(PROGRAM, ["verify", journal], { encoding: "utf8" });
console.log(
  `play stood still for at most ${Math.round(Number(longest))} ms; ${heard} messages on ${PHONES} phones`,
);
console.log(verified.stdout.trim());
const failed = Number(longest) > LONGEST_PAUSE || verified.status !== 0;
watcher.end();
now.child.kill("SIGKILL");
[...silent, stalled].forEach((socket) => socket.destroy());
programs.forEach((child) => child.kill("SIGKILL"));
await chrome.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
