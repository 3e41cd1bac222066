// A running casino with its addresses, a browser, and players on the wire.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { chromium } from "playwright-core";

import { chromiumPath } from "./ready.mjs";

export const PROGRAM = process.env.CASINO ?? path.resolve(import.meta.dirname, "../../target/debug/casino");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const SIZES = {
  projector: { width: 1920, height: 1080 },
  small: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

export async function browser() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}

/** Starts `casino`; with the console unless `console: false`. */
export async function casino(args, { withConsole = true } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-browser-"));
  const all = [...args, "--web", "127.0.0.1:0"];
  if (withConsole) all.push("--console", "127.0.0.1:0");
  const child = spawn(PROGRAM, all, { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
  const errors = createInterface({ input: child.stderr });
  const said = [];
  let page, desk;
  await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`casino ended: ${said.join("\n")}`)));
    errors.on("line", (line) => {
      said.push(line);
      page ??= line.match(/page for the room is (http:\S+)/)?.[1];
      desk ??= line.match(/console is (http:\S+)/)?.[1];
      if (page && (desk || !withConsole)) resolve();
    });
  });
  let game = null;
  const output = createInterface({ input: child.stdout });
  if (args[0] === "host") {
    game = await new Promise((resolve) => {
      output.on("line", (line) => {
        const port = line.match(/^listening on .*:(\d+)$/)?.[1];
        if (port) resolve(Number(port));
      });
    });
  }
  output.on("line", () => {});
  const token = desk?.split("#")[1];
  const origin = desk?.split("/#")[0];
  const ask = (what, method = "GET", body = undefined) =>
    fetch(`${origin}/api/${what}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  return {
    page, desk, game, folder,
    act: async (what, body) => {
      const answer = await ask(what, "POST", body);
      if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`);
    },
    /** Begins and waits until it has begun; a short tournament may be over by then. */
    async start() {
      await this.act("start");
      await until("the beginning", async () => (await this.overview()).hour !== "lobby");
    },
    overview: async () => (await ask("overview")).json(),
    state: async () => (await fetch(`${page}state`)).json(),
    async phase(wanted, patience = 60_000) {
      return until(`the phase ${wanted}`, async () => (await this.state()).phase === wanted, patience);
    },
    end() {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function until(what, check, patience = 60_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A player on the wire who calls what is cheap and folds the rest. */
export function player(port, githubId, avatar) {
  const socket = net.connect(port, "127.0.0.1");
  let inbox = Buffer.alloc(0);
  const say = (text) => {
    // Modified UTF-8: each half of a surrogate pair for itself.
    const body = Buffer.concat([...text].flatMap((letter) => {
      if (letter.length === 1) return [Buffer.from(letter, "utf8")];
      return [letter.charCodeAt(0), letter.charCodeAt(1)].map((unit) =>
        Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]));
    }));
    const frame = Buffer.alloc(2);
    frame.writeUInt16BE(body.length);
    socket.write(Buffer.concat([frame, body]));
  };
  socket.on("error", () => {});
  socket.on("data", (data) => {
    inbox = Buffer.concat([inbox, data]);
    while (inbox.length >= 2 && inbox.length >= 2 + inbox.readUInt16BE()) {
      const length = inbox.readUInt16BE();
      const fields = inbox.subarray(2, 2 + length).toString("utf8").split(":");
      inbox = inbox.subarray(2 + length);
      if (fields[0] === "login") say(`${githubId}:${avatar}`);
      else if (fields[0] === "bet1" || fields[0] === "bet2") {
        const [stack, toCall] = [Number(fields[1]), Number(fields[3])];
        say(toCall <= Math.min(stack, 8) ? `bet:${toCall}` : "fold");
      }
    }
  });
  return socket;
}

/** Opens a page that must not complain about anything. */
export async function open(browser, url, options = {}) {
  const page = await browser.newPage(options);
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("dialog", (dialog) => {
    page.complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  return page;
}

/** What an accessibility checker finds that is serious. */
export async function seriousFaults(page) {
  // The page's own rules let no script in; the checker comes by the way that debuggers use.
  await page.evaluate(AXE);
  const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return result.violations
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .map((fault) => `${fault.id}: ${fault.nodes.map((node) => `${node.html} ${node.failureSummary}`).slice(0, 3).join(" | ")}`);
}

/** Boxes that overlap, stick out of the window's width, or are empty. */
export function crowding(page, selector) {
  return page.evaluate((selector) => {
    const boxes = [...document.querySelectorAll(selector)].map((element) => [element.textContent, element.getBoundingClientRect()]);
    const faults = [];
    for (const [name, box] of boxes) {
      if (box.width < 20 || box.height < 10) faults.push(`${name} is squeezed`);
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${name} sticks out`);
    }
    for (let a = 0; a < boxes.length; a++) {
      for (let b = a + 1; b < boxes.length; b++) {
        const [one, other] = [boxes[a][1], boxes[b][1]];
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (wide > 1 && high > 1) faults.push(`${boxes[a][0]} overlaps ${boxes[b][0]}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) faults.push("the page is wider than the window");
    return faults;
  }, selector);
}

/** Elements that are cut off by what they are in, wholly or in part. */
export function hidden(page, selector) {
  return page.evaluate((selector) => {
    const faults = [];
    for (const element of document.querySelectorAll(selector)) {
      const box = element.getBoundingClientRect();
      if (element.textContent === "" && !(element instanceof SVGElement)) continue;
      for (let around = element.parentElement; around && around.tagName !== "MAIN"; around = around.parentElement) {
        if (getComputedStyle(around).overflow === "visible") continue;
        const room = around.getBoundingClientRect();
        const out = Math.max(room.left - box.left, box.right - room.right, room.top - box.top, box.bottom - room.bottom);
        if (out > 1.5) faults.push(`${element.getAttribute("class") ?? element.tagName} "${element.textContent}" is cut by ${out.toFixed(0)} px`);
      }
      if (element.scrollWidth > element.clientWidth + 1 && element.matches(".word, .stack")) {
        faults.push(`"${element.textContent}" is ${element.scrollWidth} px wide and has ${element.clientWidth}`);
      }
    }
    return faults;
  }, selector);
}

/** The least contrast that text may have against what is behind it. */
const CONTRAST = 4.5;

/** Texts with too little contrast. Where a gradient is behind a text, its worst colour counts. */
export function paleTexts(page) {
  return page.evaluate((least) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
    const light = (colour) => {
      const [r, g, b] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
      const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    };
    const COLOUR = /(?:rgba?|oklch|oklab|color|hsla?)\([^()]*\)/g;
    /** All the colours that can be behind an element. */
    const behind = (element) => {
      if (!element) return [[255, 255, 255, 1]];
      const style = getComputedStyle(element);
      const colour = rgba(style.backgroundColor);
      const stops = style.backgroundImage === "none" ? [] : (style.backgroundImage.match(COLOUR) ?? []).map(rgba);
      let grounds = colour[3] === 1 || stops.some((stop) => stop[3] === 1) && stops.every((stop) => stop[3] === 1)
        ? [colour] : behind(element.parentElement);
      grounds = grounds.map((ground) => over(colour, ground));
      return stops.length ? stops.flatMap((stop) => grounds.map((ground) => over(stop, ground))) : grounds;
    };
    const opacity = (element) => {
      let share = 1;
      for (let at = element; at; at = at.parentElement) share *= Number(getComputedStyle(at).opacity);
      return share;
    };
    const faults = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const element = walker.currentNode.parentElement;
      const shown = element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
      if (text === "" || !shown || element.closest(".quiet, .skip, option, script, style, :disabled")) continue;
      const style = getComputedStyle(element);
      const inPicture = element instanceof SVGElement;
      const paper = inPicture ? element.ownerSVGElement.querySelector(".paper") : null;
      const grounds = paper ? [rgba(getComputedStyle(paper).fill)] : behind(element);
      const ink = rgba(inPicture ? style.fill : style.color);
      const share = opacity(element);
      for (const ground of grounds) {
        const below = share < 1 ? behind(element.closest("svg, :not(svg *)")?.parentElement) : [ground];
        for (const base of below) {
          const faded = (colour) => over([...colour.slice(0, 3), share], base);
          const got = contrast(faded(over(ink, ground)), faded(ground));
          if (got < least) faults.push(`"${text}" in ${element.tagName}.${element.getAttribute("class")}: ${got.toFixed(2)}`);
        }
      }
    }
    return [...new Set(faults)];
  }, CONTRAST);
}
