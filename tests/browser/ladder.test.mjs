// The practice ladder: a student's first hour, and the teacher's actions during it.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import { PROGRAM, browser, captured, keepPicture, open, textOf } from "./casino.mjs";
import { seriousFaults } from "./measure.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

const KIT = path.resolve(import.meta.dirname, "../../bots/python");

/** A ladder with Ada and Bob, its page, and Ada's link. */
async function ladder() {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-ladder-"));
  const roster = path.join(folder, "class.csv");
  writeFileSync(roster, "github_id,name\nada-l,Ada\nbob-m,Bob\n");
  const spring = path.join(folder, "spring");
  execFileSync(PROGRAM, ["ladder", "import", spring, "--roster", roster]);
  execFileSync(PROGRAM, ["ladder", "set", spring, "decks=2", "seats=3"]);
  const keys = execFileSync(PROGRAM, ["ladder", "keys", spring], { encoding: "utf8" });
  const key = keys.match(/"Ada",.*,([0-9a-f]{32})/)?.[1] ?? "";
  const child = spawn(PROGRAM, ["ladder", spring, "--web", "127.0.0.1:0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: child.stderr });
  const [page, desk] = await Promise.all([
    captured(lines, /page is .*(http:\S+)/),
    captured(lines, /keep this link secret: (http:\S+)/),
  ]);
  const end = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, page, desk, key, end };
}

/**
 * The teacher's announcement.
 * @param {string} desk
 */
async function teach(desk) {
  const teacher = await open(chrome, desk, { viewport: { width: 1280, height: 720 } });
  await teacher.fill("textarea", "Lecture at <noon>");
  await teacher.click("button:has-text('Announce')");
  await teacher.waitForSelector("text=It is announced.");
  await teacher.click("button:has-text('Freeze')");
  await teacher.waitForSelector("text=It is frozen");
  assert.deepEqual(await seriousFaults(teacher), []);
  await keepPicture(teacher, "ladder-console");
}

/**
 * The student's own match on a wide screen: the replay with the player's cards, and the program's output.
 * @param {string} page
 * @param {string} key
 */
async function ownMatch(page, key) {
  const mine = await open(chrome, `${page}#key=${key}`, { viewport: { width: 1280, height: 720 } });
  await mine.click("a[href^='#player=']");
  await mine.selectOption("label:has-text('Kind') select", "rated");
  await mine.click("button:has-text('Show')");
  await mine.waitForFunction(() => location.hash.includes("kind=rated"));
  await mine.click("button:has-text('Compare')");
  await mine.waitForSelector("text=have not played against each other.");
  assert.deepEqual(await seriousFaults(mine), []);
  await keepPicture(mine, "ladder-player", true);
  await mine.click("th a[href^='#match='] >> nth=0");
  await mine.click("a:has-text('Replay with my cards')");
  await mine.waitForSelector("#table:not([hidden])");
  await mine.check("#holes");
  assert.ok(await mine.locator("#coach").isVisible(), "the coach speaks of one's own decisions");
  await keepPicture(mine, "ladder-own-replay");
}

/**
 * A slow answer for a part that was left since does not replace a newer one.
 * @param {string} page
 */
async function slowAnswer(page) {
  const wide = await open(chrome, page, { viewport: { width: 1280, height: 720 } });
  await wide.waitForSelector("tbody a[href^='#player=']");
  /** @type {() => void} */
  let release = () => {};
  /** @type {Promise<void>} */
  const released = new Promise((resolve) => {
    release = resolve;
  });
  let requests = 0;
  await wide.route("**/api/overview", async (route) => {
    if (++requests === 1) await released;
    await route.continue();
  });
  const slow = wide.waitForRequest("**/api/overview");
  await wide.evaluate(() => (location.hash = "matches"));
  await slow;
  const newer = wide.waitForResponse("**/api/overview");
  await wide.evaluate(() => (location.hash = "board"));
  await newer;
  const answered = wide.waitForResponse("**/api/overview");
  release();
  await answered;
  // What would come after the answer: the request for the matches, and their drawing.
  await wide.waitForTimeout(500);
  assert.equal(await wide.locator("h2:text-is('Matches')").count(), 0, "the matches were left");
}

/**
 * House bots take no place among the students, wherever they stand.
 * @param {string} page
 */
async function places(page) {
  const wide = await open(chrome, page, { viewport: { width: 1280, height: 720 } });
  const row = (/** @type {string} */ name, /** @type {number} */ value) => ({
    id: 90 + value,
    name,
    house: name.startsWith("house"),
    version: 1,
    kind: "submission",
    state: "ready",
    starter_kit: name === "Bea",
    here: false,
    value,
    half: 0.1,
    matches: 9,
    rounds: 900,
  });
  const names = ["house one", "Ada", "house two", "house three", "Bea", "Cy", "house four"];
  await wide.route("**/api/overview", async (route) => {
    const response = await route.fetch();
    const standings = names.map((name, at) => row(name, 10 - at));
    await route.fulfill({ response, json: { ...(await response.json()), standings } });
  });
  await wide.reload();
  await wide.waitForSelector("tbody th:has-text('Cy')");
  const shown = await wide.$$eval("section:first-of-type tbody tr", (rows) =>
    rows.map((one) => [...one.children].map((cell) => cell.textContent)),
  );
  assert.deepEqual(
    shown.map((cells) => [cells[0], cells[1]]),
    names.map((name) => [name, { Ada: "1", Bea: "2", Cy: "3" }[name] ?? "–"]),
  );
  const named = shown.filter((cells) => cells.at(-1)?.includes("starter kit")).map((cells) => cells[0]);
  assert.deepEqual(named, ["Bea"]);
  await wide.unrouteAll({ behavior: "ignoreErrors" });
  await wide.close();
}

/**
 * The public view of the first matches: the board, a player, a match and its replay.
 * @param {string} page
 */
async function watched(page) {
  const wide = await open(chrome, page, { viewport: { width: 1280, height: 720 } });
  await wide.waitForSelector("tbody a[href^='#player=']");
  await wide.waitForFunction(() => document.querySelector("#main")?.textContent.includes("Ada/2 "));
  assert.deepEqual(await seriousFaults(wide), []);
  assert.deepEqual(
    await wide.$$eval("section", (sections) =>
      sections
        .filter((section) => section.scrollWidth > section.clientWidth)
        .map((section) => section.querySelector("h2")?.textContent),
    ),
    [],
    "nothing is wider than its place",
  );
  await keepPicture(wide, "ladder-board");
  await wide.click("tbody a[href^='#player=']:has-text('Ada')");
  await wide.waitForSelector("h2:has-text('Versions')");
  assert.ok(
    !(await textOf(wide, "#main")).includes("broken.tar.gz"),
    "what was handed in is its author's business",
  );
  assert.deepEqual(await seriousFaults(wide), []);
  await keepPicture(wide, "ladder-player");
  await wide.click("a[href^='#match=']:has-text('Match') >> nth=0");
  // The newest match may still be played.
  await wide.click("button:has-text('Verify')");
  await wide.waitForSelector("text=Replayed from its journal");
  assert.equal(await wide.locator("a:has-text('my cards')").count(), 0, "nobody's cards without a key");
  await keepPicture(wide, "ladder-match");
  await wide.click("a:has-text('Replay')");
  await wide.waitForSelector("#table:not([hidden])");
}

/**
 * The ratings of one's versions, each with its interval, on one's own place.
 * @param {string} page
 * @param {string} key
 */
async function curve(page, key) {
  const mine = await open(chrome, "about:blank", { viewport: { width: 1280, height: 720 } });
  await mine.route("**/api/player/*", async (route) => {
    const player = await (await route.fetch()).json();
    const rated = (/** @type {number} */ number, /** @type {number | null} */ value) => ({
      ...player.versions[0],
      ...{ number, value, half: value === null ? null : 2 },
    });
    await route.fulfill({
      json: { ...player, versions: [rated(4, null), rated(3, 7), rated(2, -1), rated(1, -5)] },
    });
  });
  await mine.goto(`${page}#key=${key}`);
  const drawn = mine.locator("svg.curve");
  await drawn.waitFor();
  assert.equal(
    await drawn.getAttribute("aria-label"),
    "Chips a round, version 1: −5 ± 2, version 2: −1 ± 2, version 3: +7 ± 2",
  );
  assert.equal(await drawn.locator("circle").count(), 3, "a version without a rating has no point");
  const heights = await drawn
    .locator("circle")
    .evaluateAll((all) => all.map((one) => one.getAttribute("cy")));
  assert.ok(Number(heights[0]) < Number(heights[1]) && Number(heights[1]) < Number(heights[2]));
  await keepPicture(mine, "ladder-curve", true);
  await mine.close();
}

test("a student's first hour on the ladder", async () => {
  const { folder, page, desk, key, end } = await ladder();
  try {
    const phone = await open(chrome, `${page}#key=${key}`, { viewport: { width: 360, height: 740 } });
    await phone.waitForSelector("text=There is no submission yet.");
    assert.equal(new URL(phone.url()).hash, "#me", "the key leaves the address bar");
    // A program that does not answer as it should.
    const broken = path.join(folder, "broken");
    execFileSync("mkdir", [broken]);
    writeFileSync(path.join(broken, "poker.py"), "import sys\nsys.exit(3)\n");
    const archive = (/** @type {string} */ from, /** @type {string} */ name) => {
      const file = path.join(folder, name);
      execFileSync("tar", ["czf", file, "-C", from, "."]);
      return file;
    };
    const handIn = async (/** @type {string} */ file) => {
      await phone.setInputFiles("input[type=file]", file);
      await phone.click("button:has-text('Hand in')");
    };
    await handIn(archive(broken, "broken.tar.gz"));
    await phone.waitForSelector("text=did not pass the check");
    assert.deepEqual(await seriousFaults(phone), []);
    await keepPicture(phone, "ladder-diagnosis", true);
    await handIn(archive(KIT, "bot.tar.gz"));
    await phone.waitForSelector("text=active, plays");
    await phone.waitForSelector("p:text-is('This is the starter kit, unchanged.')");
    await keepPicture(phone, "ladder-own", true);
    await phone.click("button:has-text('Challenge')");
    await phone.waitForSelector("text=It is in the queue");
    await watched(page);
    await places(page);
    await curve(page, key);
    await slowAnswer(page);
    await ownMatch(page, key);
    await teach(desk);
    await phone.goto(`${page}#board`);
    await phone.waitForSelector("text=Lecture at <noon>");
    assert.ok(
      await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );
    await keepPicture(phone, "ladder-phone");
    await phone.goto(`${page}#me`);
    await phone.waitForSelector("button:has-text('Challenge')");
    assert.deepEqual(await seriousFaults(phone), []);
  } finally {
    end();
  }
});

/** A free port. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/**
 * nginx with the example of docs/ladder.md, before this page; without nginx, a few lines that do the same.
 * @param {string} folder
 * @param {string} page
 */
async function proxy(folder, page) {
  const port = await freePort();
  const behind = new URL(page);
  const docs = readFileSync(path.resolve(import.meta.dirname, "../../docs/ladder.md"), "utf8");
  const example = docs.match(/^ {4}location \/ladder\/ \{[^]*?^ {4}\}$/m)?.[0] ?? "";
  assert.ok(example.includes("127.0.0.1:8080"), "the example is there");
  if (spawnSync("nginx", ["-v"]).status === 0) {
    const conf = path.join(folder, "nginx.conf");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`)
      .join(" ");
    writeFileSync(
      conf,
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
       http { access_log off; ${temporary} server { listen 127.0.0.1:${port};
       ${example.replace("127.0.0.1:8080", behind.host)} } }`,
    );
    const nginx = spawn("nginx", ["-c", conf, "-e", "stderr"], { stdio: "ignore" });
    return { port, end: () => nginx.kill("SIGKILL") };
  }
  const server = http.createServer((asked, answer) => {
    if (!asked.url?.startsWith("/ladder/")) {
      answer.writeHead(404).end();
      return;
    }
    const { method, headers } = asked;
    const where = { host: behind.hostname, port: behind.port, path: asked.url.slice(7), method, headers };
    const passed = http.request(where, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  return { port, end: () => server.close() };
}

test("the ladder below a path, behind a reverse proxy", async () => {
  const { folder, page, key, end } = await ladder();
  const { port, end: endProxy } = await proxy(folder, page);
  try {
    const below = `http://127.0.0.1:${port}/ladder/`;
    while (!(await fetch(below).catch(() => null))?.ok)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const archive = path.join(folder, "kit.tar.gz");
    execFileSync("tar", ["czf", archive, "-C", KIT, "."]);
    const sent = await fetch(`${below}api/me/submit/kit.tar.gz`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" },
      body: readFileSync(archive),
    });
    assert.equal(sent.status, 200, await sent.text());
    const projector = await open(chrome, below, { viewport: { width: 1920, height: 1080 } });
    /** @type {string[]} */
    const asked = [];
    projector.on("request", (request) => asked.push(request.url()));
    await projector.waitForFunction(() => document.querySelector("#main")?.textContent.includes("Ada/1 "));
    assert.deepEqual(await seriousFaults(projector), []);
    await keepPicture(projector, "ladder-projector");
    // With the keyboard alone: past the head, to the first player, and back.
    await projector.keyboard.press("Tab");
    await projector.keyboard.press("Enter");
    await projector.keyboard.press("Tab");
    await projector.keyboard.press("Enter");
    await projector.waitForSelector("h2:has-text('Versions')");
    const mine = await open(chrome, `${below}#key=${key}`, { viewport: { width: 360, height: 740 } });
    await mine.click("a[href^='#player=']");
    await mine.waitForSelector("th a[href^='#match=']");
    // However much was won: as wide as a rating ever is.
    await mine.evaluate(() => {
      for (const cell of document.querySelectorAll("td.number")) {
        if (cell.textContent?.includes("±")) cell.textContent = "−1000.00 ± 1000.00";
      }
    });
    assert.ok(
      await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );
    assert.deepEqual(await seriousFaults(mine), []);
    await keepPicture(mine, "ladder-player-phone", true);
    await mine.click("th a[href^='#match='] >> nth=-1");
    await mine.click("a:has-text('Replay with my cards')");
    await mine.waitForSelector("#table:not([hidden])");
    assert.ok(mine.url().startsWith(below), mine.url());
    assert.ok(
      asked.every((url) => url.startsWith(below)),
      `asked elsewhere: ${asked.find((url) => !url.startsWith(below))}`,
    );
  } finally {
    endProxy();
    end();
  }
});
