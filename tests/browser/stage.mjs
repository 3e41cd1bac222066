// A stage for the page without a dealer: it serves the page's files from the repository and sends it any state, so that
// every moment of a day can be checked and measured without waiting for it.

import assert from "node:assert/strict";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";

import { SIZES, drawn, open } from "./casino.mjs";
import { boardWith } from "../../src/web/assets/standings.js";

/**
 * @import { AddressInfo } from "node:net"
 * @import { Browser, BrowserContextOptions, Page } from "playwright-core"
 * @import { RequestListener, ServerResponse } from "node:http"
 * @import { PlayerPage, PageDelta, PageState, Prediction, ProphetResult } from "../../src/web/assets/data.d.ts"
 */

const ASSETS = path.resolve(import.meta.dirname, "../../src/web/assets");

/** @type {Record<string, string>} */
const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** The response headers of the page's server, which forbid the same here. */
const RULES = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
};

/** The time between two heartbeats of the page's server. */
const HEARTBEAT_MS = 5000;

/** The pages that follow a stage. */
class Viewers {
  /** @type {Set<ServerResponse>} */
  all = new Set();
  asleep = false;
  heartbeat = setInterval(() => this.send("event: heartbeat\ndata:\n\n"), HEARTBEAT_MS);

  /**
   * @param {ServerResponse} viewer
   * @param {string} first
   */
  add(viewer, first) {
    // The headers alone begin the stream.
    viewer.flushHeaders();
    if (!this.asleep) viewer.write(first);
    this.all.add(viewer);
    viewer.on("close", () => this.all.delete(viewer));
  }

  /** @param {string} text */
  send(text) {
    if (!this.asleep) for (const viewer of this.all) viewer.write(text);
  }
}

/**
 * Opens a stage that shows this state.
 * @param {PageState} first
 */
export async function stage(first) {
  let state = first;
  const viewers = new Viewers();
  /** @type {Prediction[]} */
  const predictions = [];
  /** @type {{ follow: (seat: number) => PlayerPage | null, result: ProphetResult | null }} */
  const asked = { follow: () => null, result: null };
  /** @type {RequestListener} */
  const answer = (request, response) => {
    const address = request.url ?? "/";
    if (address === "/events") {
      response.writeHead(200, { ...RULES, "Content-Type": "text/event-stream" });
      viewers.add(response, frame("snapshot", state));
    } else if (address.startsWith("/player/")) {
      sendJson(response, asked.follow(Number(address.slice("/player/".length))));
    } else if (address.startsWith("/prediction/")) {
      sendJson(response, asked.result);
    } else if (address === "/predict" && request.method === "POST") {
      text(request).then((body) => {
        predictions.push(JSON.parse(body));
        response.writeHead(state.predictions.open ? 204 : 409, RULES);
        response.end(state.predictions.open ? undefined : "The predictions are closed.");
      });
    } else sendFile(address, response);
  };
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    page: `http://127.0.0.1:${port}/`,
    predictions,
    state: () => state,
    /**
     * Changes sections, as in a message of the page's server.
     * @param {Partial<PageDelta>} sections
     */
    change(sections) {
      const delta = { ...sections, n: state.n + 1 };
      state = changed(state, delta);
      viewers.send(frame("delta", delta));
    },
    /** @param {PageState} other It is shown from its beginning. */
    show(other) {
      viewers.send(frame("snapshot", (state = other)));
    },
    /** @param {(seat: number) => PlayerPage | null} answer */
    onFollow(answer) {
      asked.follow = answer;
    },
    /** @param {ProphetResult} told */
    onResult(told) {
      asked.result = told;
    },
    /** Cuts all connections, as a server does that is started again. */
    cut: () => viewers.all.forEach((viewer) => viewer.destroy()),
    viewers: () => viewers.all.size,
    /** Sends nothing any more, and keeps all connections, as a machine that sleeps; or goes on. */
    sleep(asleep = true) {
      viewers.asleep = asleep;
      viewers.send(frame("snapshot", state));
    },
    close() {
      clearInterval(viewers.heartbeat);
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The state after a change.
 * @param {PageState} state
 * @param {PageDelta} delta
 * @returns {PageState}
 */
function changed(state, delta) {
  const { race_tail: tail, board_rows: rows, added_news: news = [], ...whole } = delta;
  const { race } = { ...state, ...whole };
  const points = tail ? [...race.points.slice(0, tail.from), ...tail.points] : race.points;
  const board = rows ? boardWith(state.board, rows) : (whole.board ?? state.board);
  return { ...state, ...whole, board, race: { ...race, points }, news: [...state.news, ...news] };
}

/**
 * @param {string} event
 * @param {object} data
 */
const frame = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The response to the page's requests; 404 if it is null.
 * @param {ServerResponse} response
 * @param {object | null} told
 */
function sendJson(response, told) {
  response.writeHead(told ? 200 : 404, { ...RULES, "Content-Type": "application/json" });
  response.end(JSON.stringify(told));
}

/**
 * A file of the page.
 * @param {string} address
 * @param {ServerResponse} response
 */
function sendFile(address, response) {
  const file = path.join(ASSETS, address === "/" ? "page.html" : path.basename(address));
  const found = existsSync(file);
  response.writeHead(found ? 200 : 404, {
    ...RULES,
    "Content-Type": KINDS[path.extname(file)] ?? "text/plain",
  });
  if (found) createReadStream(file).pipe(response);
  else response.end();
}

/**
 * Runs a test on a new stage.
 * @param {Browser} chrome
 * @param {PageState} first
 * @param {BrowserContextOptions} options
 * @param {(page: Page, theatre: Awaited<ReturnType<typeof stage>>) => Promise<void>} play
 */
export async function onStage(chrome, first, options, play) {
  const theatre = await stage(first);
  try {
    const page = await open(chrome, theatre.page, { viewport: SIZES.projector, ...options });
    await page.waitForFunction(() => window.casino?.state());
    await play(page, theatre);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    theatre.close();
  }
}

/**
 * Waits until the page has received everything and has drawn it.
 * @param {Page} page
 * @param {Awaited<ReturnType<typeof stage>>} theatre
 */
export async function settled(page, theatre) {
  await page.waitForFunction((n) => window.casino.state()?.n === n, theatre.state().n);
  await drawn(page);
}
