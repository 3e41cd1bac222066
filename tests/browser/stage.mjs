// A stage for the page without a dealer: it serves the page's files as they are in the repository and sends it any state,
// so that every moment of a day can be looked at and measured, without waiting for it.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

/**
 * @import { AddressInfo } from "node:net"
 * @import { RequestListener, ServerResponse } from "node:http"
 * @import { FollowedPlayer, PageDelta, PageState, Prediction } from "../../src/web/assets/data.d.ts"
 */

const ASSETS = path.resolve(import.meta.dirname, "../../src/web/assets");

/** @type {Record<string, string>} */
const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** What the page's server forbids it, which is so here as well. */
const RULES = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
};

/**
 * Opens a stage that shows this state.
 * @param {PageState} first
 */
export async function stage(first) {
  let state = first;
  /** @type {Set<ServerResponse>} */
  const viewers = new Set();
  /** @type {Prediction[]} */
  const predictions = [];
  /** @type {(seat: number) => FollowedPlayer | null} */
  let follow = () => null;
  /** @type {RequestListener} */
  const answer = (request, response) => {
    const address = request.url ?? "/";
    const file = path.join(ASSETS, address === "/" ? "page.html" : path.basename(address));
    if (address === "/events") {
      response.writeHead(200, { ...RULES, "Content-Type": "text/event-stream" });
      response.write(frame("snapshot", state));
      viewers.add(response);
      request.on("close", () => viewers.delete(response));
    } else if (address.startsWith("/player/")) {
      const player = follow(Number(address.slice("/player/".length)));
      response.writeHead(player ? 200 : 404, { ...RULES, "Content-Type": "application/json" });
      response.end(JSON.stringify(player));
    } else if (address === "/predict" && request.method === "POST") {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        predictions.push(JSON.parse(body));
        response.writeHead(state.predictions.open ? 204 : 409, RULES);
        response.end(state.predictions.open ? undefined : "The predictions are closed.");
      });
    } else if (existsSync(file)) {
      response.writeHead(200, { ...RULES, "Content-Type": KINDS[path.extname(file)] ?? "text/plain" });
      createReadStream(file).pipe(response);
    } else {
      response.writeHead(404, RULES);
      response.end();
    }
  };
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    page: `http://127.0.0.1:${port}/`,
    predictions,
    state: () => state,
    /**
     * Changes sections, as the page's server would tell it.
     * @param {Partial<PageDelta>} sections
     */
    change(sections) {
      const n = state.n + 1;
      const { points = [], added_news: news = [], ...whole } = sections;
      state = { ...state, ...whole, n };
      state.race = { ...state.race, points: [...state.race.points, ...points] };
      state.news = [...state.news, ...news];
      for (const viewer of viewers) viewer.write(frame("delta", { ...sections, n }));
    },
    /**
     * Shows another state from its beginning.
     * @param {PageState} other
     */
    show(other) {
      state = other;
      for (const viewer of viewers) viewer.write(frame("snapshot", state));
    },
    /** @param {(seat: number) => FollowedPlayer | null} answer */
    onFollow(answer) {
      follow = answer;
    },
    /** Cuts all connections, as a server does that is started again. */
    cut() {
      for (const viewer of viewers) viewer.destroy();
      viewers.clear();
    },
    viewers: () => viewers.size,
    close() {
      this.cut();
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {string} event
 * @param {object} data
 */
const frame = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
