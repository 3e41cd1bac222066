// The public pages of the ladder. The part on show is in the fragment of the address, so that all addresses are
// relative and the page works below any path.

import {
  STATES,
  bar,
  link,
  matchTable,
  moment,
  pager,
  playerLink,
  rating,
  reachOf,
  section,
  signed,
  signedChips,
  table,
} from "./ladder_parts.js";
import { ownReplay, showOwn, takeKey } from "./ladder_own.js";
import { ask, showPlayer } from "./ladder_player.js";
import { elementById, formatNumber, html, newestOnly } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** The time between two requests for the same part, in milliseconds. */
const REFRESH_MS = 5000;

/** @param {Data.LadderOverview} overview */
function board(overview) {
  const rated = overview.standings.filter((row) => row.value !== null);
  const reach = reachOf(rated.map((row) => Math.abs(row.value ?? 0) + (row.half ?? 0)));
  // A place says something when the interval takes at most half of the range of all values.
  const values = rated.map((row) => row.value ?? 0);
  const range = Math.max(...values) - Math.min(...values);
  const missing = overview.standings.map(({ half, matches }) =>
    range > 0 ? Math.ceil(matches * ((4 * (half ?? 0)) / range) ** 2) - matches : 0,
  );
  // House bots take no place.
  const places = overview.standings.map(
    (_, at) => overview.standings.slice(0, at + 1).filter((row) => !row.house).length,
  );
  const rows = overview.standings.map((row, at) => [
    playerLink(row.id, row.name),
    row.house || row.value === null || missing[at] > 0 ? "–" : String(places[at]),
    rating(row.value, row.half),
    row.value === null ? "" : bar(row.value, row.half, reach),
    formatNumber(row.matches),
    status(row) +
      (missing[at] > 0 ? ` · place in ${missing[at]} ${missing[at] === 1 ? "match" : "matches"}` : ""),
  ]);
  const zero = overview.zero === null ? "" : ` ${overview.zero} is the zero of the scale.`;
  return section(
    "Leaderboard",
    table(
      `Chips a round with equal cards.${zero} ${overview.played === 1 ? "1 match has" : `${formatNumber(overview.played)} matches have`} been played.`,
      ["Player", "Place#", "Chips a round#", "Interval-", "Matches#-", "Now-"],
      rows,
    ),
  );
}

/** @param {Data.LadderStanding} row */
function status(row) {
  if (row.house) return "house";
  if (row.version === null) return "has nothing here yet";
  if (row.kind === "connection")
    return row.here ? "connected, waits for a match" : "not connected or at a table";
  return `version ${row.version} ${STATES[row.state ?? ""] ?? ""}${row.starter_kit ? ", the starter kit unchanged" : ""}`;
}

/** @param {Data.LadderOverview} overview */
function now(overview) {
  const queue = overview.queue.map((one) =>
    html("li", {}, html("bdi", {}, one.label), `: played ${formatNumber(one.waited)} matches ago`),
  );
  const waits = queue.length > 0 ? html("ol", {}, ...queue) : html("p", { class: "soft" }, "Nothing waits.");
  const plays =
    overview.playing.length > 0
      ? matchTable("What is being played now", overview.playing)
      : html(
          "p",
          { class: "soft" },
          overview.paused ? "The teacher has paused the ladder." : "No match is being played.",
        );
  const planned = overview.planned.length > 0 ? [matchTable("What comes next", overview.planned)] : [];
  return [
    section("Now", plays, ...planned),
    section("The queue", waits),
    section("Last matches", matchTable("The newest first", overview.last)),
  ];
}

/** @param {Data.LadderOverview} overview */
function announce(overview) {
  const told = [
    overview.announcement,
    overview.frozen ? "The ladder is frozen: no new version comes in." : "",
    overview.problem ?? "",
  ];
  const text = told.filter(Boolean).join(" ");
  const place = elementById("announcement");
  place.hidden = text === "";
  if (place.textContent !== text) place.textContent = text;
}

/** Whether the match that is shown is over: then nothing of its page changes any more. */
let isOver = false;

/** @param {string} id */
async function showMatch(id) {
  /** @type {Data.LadderMatch} */
  const found = await ask(`api/match/${id}`);
  isOver = found.state === "played" || found.state === "void";
  const rows = found.seats.map((seat) => [
    seat.player === null ? seat.label : playerLink(seat.player, seat.label),
    seat.chips === null ? "–" : signedChips(seat.chips),
    seat.rounds === null ? "–" : formatNumber(seat.rounds),
    seat.chips === null || !seat.rounds ? "–" : signed(seat.chips / seat.rounds),
  ]);
  const columns = ["Seat", "Chips#", "Rounds#", "Chips a round#"];
  const seats = table(`${found.state}. ${moment(found.began_ms)} ${found.reason ?? ""}`, columns, rows);
  if (found.state !== "played") return [section(`Match ${id}`, seats)];
  const proof = html("p", { role: "status" });
  const verify = html("button", { type: "button" }, "Verify");
  verify.onclick = async () => {
    proof.textContent = "Playing it again …";
    try {
      /** @type {{ words: string }} */
      const proved = await ask(`api/match/${id}/verify`);
      proof.textContent = proved.words;
    } catch (error) {
      proof.textContent = String(error);
    }
  };
  const own = await ownReplay(found.id);
  return [
    section(
      `Match ${id}`,
      seats,
      html(
        "p",
        {},
        link(`match/${id}/replay.html`, "Replay"),
        ...(own === null ? [] : [" · ", link(own, "Replay with my cards")]),
        " · ",
        link(`match/${id}/journal.jsonl`, "Journal"),
        " ",
        verify,
      ),
      proof,
    ),
  ];
}

/** The last drawn answer; the same answer is not drawn again. */
let shownBefore = "";

const beginRequest = newestOnly();

/** Whether another part than the one on show is wanted and has not come yet. */
let isAwaited = false;

/** @param {boolean} isOther Whether another part is wanted than before. */
async function show(isOther) {
  isAwaited ||= isOther;
  const isNew = isAwaited;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const isOwn = wanted.has("me");
  if (isOwn && !isNew) return;
  const isNewest = beginRequest();
  try {
    /** @type {Data.LadderOverview} */
    const overview = await ask("api/overview");
    if (!isNewest()) return;
    announce(overview);
    /** @type {HTMLElement[]} */
    let parts;
    if (isOwn) parts = await showOwn(overview);
    else if (wanted.has("player")) parts = await showPlayer(wanted);
    else if (wanted.has("match")) parts = isNew || !isOver ? await showMatch(wanted.get("match") ?? "") : [];
    else if (wanted.has("matches")) {
      /** @type {Data.LadderMatch[]} */
      const matches = await ask(`api/matches/0/0/all/${wanted.get("before") ?? "0"}`);
      parts = [section("Matches", matchTable("The newest first", matches), ...pager(wanted, matches))];
    } else parts = [board(overview), ...now(overview)];
    if (!isNewest()) return;
    elementById("lost").hidden = true;
    isAwaited = false;
    put(parts, isNew);
  } catch (error) {
    if (!isNewest()) return;
    if (error instanceof TypeError) {
      elementById("lost").hidden = false;
      return;
    }
    isAwaited = false;
    put([section("This cannot be shown", html("p", { role: "alert" }, String(error)))], isNew);
  }
}

/**
 * @param {HTMLElement[]} parts
 * @param {boolean} isNew
 */
function put(parts, isNew) {
  const text = parts.map((part) => part.outerHTML).join("");
  const main = elementById("main");
  // The keyboard focus stays.
  if (parts.length === 0 || (!isNew && (text === shownBefore || main.contains(document.activeElement))))
    return;
  shownBefore = text;
  main.replaceChildren(...parts);
  const part = location.hash.slice(1).split(/[=&]/)[0] || "board";
  for (const one of document.querySelectorAll("nav a")) {
    if (one.getAttribute("href") === `#${part}`) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
}

addEventListener("hashchange", () => {
  takeKey();
  if (location.hash !== "#main") show(true);
});
takeKey();
show(true);
setInterval(() => show(false), REFRESH_MS);
