// A running casino with its addresses, a browser, and players on the wire.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { chromium } from "playwright-core";

import { chromiumPath } from "./ready.mjs";

/**
 * @import { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
 * @import { Interface } from "node:readline"
 * @import { Overview, PageState, Phase } from "../../src/web/assets/data.d.ts"
 */

export const PROGRAM = process.env.CASINO ?? path.resolve(import.meta.dirname, "../../target/debug/casino");

/** The longest wait for anything that is sure to come, in milliseconds. */
const PATIENCE = 300_000;

/**
 * How often a page or a dealer is polled during a wait, in milliseconds. Playwright would poll in every frame, and make
 * the page draw sixty of them a second.
 */
export const POLLING = 50;

export const SIZES = {
  projector: { width: 1920, height: 1080 },
  small: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

/**
 * Chromium features for typing in the address bar, and the spare process for the next site: unused here, and they cost
 * each window more processor time than the page it shows. Only the last list of this kind counts, so the features that
 * Playwright switches off are repeated.
 */
const UNUSED_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
];

const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${UNUSED_FEATURES.join(",")}`,
];

export function browser() {
  return chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
}

/**
 * Reads lines until one matches, and returns the captured groups.
 * @param {Interface} lines
 * @param {RegExp} expression
 * @returns {Promise<string>}
 */
export function captured(lines, expression) {
  return new Promise((resolve) => {
    lines.on("line", (line) => {
      const found = line.match(expression)?.[1];
      if (found) resolve(found);
    });
  });
}

/**
 * The words of a command line.
 * @param {string} line Words between spaces.
 * @param {string[]} more Words that may have spaces in them.
 */
export const words = (line, ...more) => [...line.split(" "), ...more];

/** A port of this machine that is free now. */
export async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/**
 * Starts `casino` with a page and a console, in a new folder.
 * @param {string} line The words of its command line.
 * @param {string[]} more Words that may have spaces in them.
 */
export function casino(line, ...more) {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-browser-"));
  return casinoIn(folder, "127.0.0.1:0", words(line, ...more));
}

/**
 * Starts `casino` in this folder, with a page at this address and a console.
 * @param {string} folder
 * @param {string} web
 * @param {string[]} line The words of its command line.
 */
export async function casinoIn(folder, web, line) {
  const all = [...line, "--web", web, "--console", "127.0.0.1:0"];
  const child = spawn(PROGRAM, all, { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
  const errors = createInterface({ input: child.stderr });
  /** @type {string[]} */
  const said = [];
  errors.on("line", (line) => said.push(line));
  const output = createInterface({ input: child.stdout });
  output.on("line", () => {});
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const ended = new Promise((_, reject) => {
    child.once("exit", () => reject(new Error(`casino ended: ${said.join("\n")}`)));
  });
  const listening = line[0] === "host" ? captured(output, /^listening on .*:(\d+)$/) : "0";
  const addresses = Promise.all([
    captured(errors, /page for the room is .*(http:\S+)/),
    captured(errors, /console is .*(http:\S+)/),
    listening,
  ]);
  const [page, desk, port] = await Promise.race([addresses, ended]);
  const [origin, token] = desk.split("/#");
  /** @type {(what: string, method?: string, body?: object) => Promise<Response>} */
  const ask = (what, method = "GET", body) =>
    fetch(`${origin}/api/${what}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
  return {
    page,
    desk,
    /** The port at which players connect to a host. */
    game: Number(port),
    /** @type {(what: string, body?: object) => Promise<void>} */
    async act(what, body) {
      const answer = await ask(what, "POST", body);
      if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`);
    },
    /** Begins and waits until it has begun; a short tournament may be over by then. */
    async start() {
      await this.act("start");
      await until("the beginning", async () => (await this.overview()).hour !== "lobby");
    },
    /** @returns {Promise<Overview>} */
    overview: async () => (await ask("overview")).json(),
    /** @returns {Promise<PageState>} */
    state: async () => (await fetch(`${page}state`)).json(),
    /** @param {Phase} wanted */
    async phase(wanted) {
      await until(`the phase ${wanted}`, async () => (await this.state()).phase === wanted);
    },
    /** Kills it as a power cut does, and waits until it is gone. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    end() {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof casino>>} Casino */

/**
 * A host with a roster of this many players, and its folder.
 * @param {number} count
 * @param {string} more
 */
export async function withRoster(count, more = "") {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-roster-"));
  const roster = path.join(folder, "class.csv");
  const rows = Array.from({ length: count }, (_, index) => `student-${index},Player Number ${index}`);
  writeFileSync(roster, `github_id,name\n${rows.join("\n")}\n`);
  const day = await casino(`host --bind 127.0.0.1:0 --roster ${roster} --journal day.jsonl${more}`);
  const end = () => {
    day.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { day, end };
}

/**
 * Waits until a check is true.
 * @param {string} what
 * @param {() => Promise<unknown>} check
 */
export async function until(what, check, patience = PATIENCE) {
  const end = Date.now() + patience;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, POLLING));
  }
}

/**
 * Calls cheap bets and folds otherwise.
 * @param {string[]} fields Those of the question.
 */
function callCheap([, stack, , toCall]) {
  return Number(toCall) <= Math.min(Number(stack), 8) ? `bet:${toCall}` : "fold";
}

/**
 * A player on the wire.
 * @param {number} port
 * @param {string} githubId
 * @param {string} avatar
 * @param {(fields: string[]) => string} reply
 */
export function player(port, githubId, avatar, reply = callCheap) {
  const socket = net.connect(port, "127.0.0.1");
  let inbox = Buffer.alloc(0);
  socket.on("error", () => {});
  socket.on("data", (data) => {
    inbox = Buffer.concat([inbox, data]);
    while (inbox.length >= 2 && inbox.length >= 2 + inbox.readUInt16BE()) {
      const end = 2 + inbox.readUInt16BE();
      const fields = inbox.subarray(2, end).toString("utf8").split(":");
      inbox = inbox.subarray(end);
      if (fields[0] === "login") socket.write(frame(`${githubId}:${avatar}`));
      else if (fields[0] === "bet1" || fields[0] === "bet2") socket.write(frame(reply(fields)));
    }
  });
  return socket;
}

/**
 * A message in modified UTF-8 after its length: the two halves of a surrogate pair are encoded separately.
 * @param {string} text
 */
function frame(text) {
  const body = [...text].flatMap((letter) => {
    if (letter.length === 1) return [...Buffer.from(letter, "utf8")];
    return [letter.charCodeAt(0), letter.charCodeAt(1)].flatMap((unit) => [
      0xe0 | (unit >> 12),
      0x80 | ((unit >> 6) & 0x3f),
      0x80 | (unit & 0x3f),
    ]);
  });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([length, Buffer.from(body)]);
}

/**
 * Has a page or a window wait as long as {@link until} does: Playwright's own 30 seconds are short on a busy machine.
 * @template {Page | BrowserContext} T
 * @param {T} waiting
 */
export function patient(waiting) {
  waiting.setDefaultTimeout(PATIENCE);
  return waiting;
}

/**
 * Opens a page that must not complain about anything.
 * @param {Browser} chrome
 * @param {string} url
 * @param {BrowserContextOptions} options
 */
export async function open(chrome, url, options = {}) {
  /** @type {string[]} */
  const complaints = [];
  const page = Object.assign(patient(await chrome.newPage(options)), { complaints });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  return page;
}

/** @typedef {Awaited<ReturnType<typeof open>>} OpenPage */

/**
 * Waits until the page has drawn its state: names are fitted in the frame after a change.
 * @param {Page} page
 */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );
}

/**
 * The text of an element of a page.
 * @param {Page} page
 * @param {string} selector
 */
export const textOf = async (page, selector) => (await page.textContent(selector)) ?? "";

/**
 * Keeps a picture of a page in the folder that SHOTS names, if it names one.
 * @param {Page} page
 * @param {string} name
 * @param {boolean} fullPage
 */
export async function keepPicture(page, name, fullPage = false) {
  const folder = process.env.SHOTS;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });
}
