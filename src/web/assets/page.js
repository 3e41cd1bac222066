// The page for the room. It follows the dealer by a numbered snapshot and numbered changes, and draws everything that a
// replay does not have.

import { drawBoard } from "./board.js";
import { DECISIVE, drawCeremony, drawExit, drawInterruption, drawPodium } from "./ceremony.js";
import { setFitted, showTitle } from "./fit.js";
import { drawLastTable, drawOverview, drawTables, selection, toggleAllTables } from "./hall.js";
import { drawLobby } from "./lobby.js";
import { drawPhone, listenToPhone } from "./phone.js";
import { drawRings } from "./predict.js";
import { hearState, toggleSounds } from "./sounds.js";
import { drawMontage, drawRace } from "./race.js";
import { boardWith } from "./standings.js";
import { drawTable } from "./table.js";
import {
  elementById,
  formatNumber,
  html,
  lettersSwitch,
  onKey,
  setText,
  startTheme,
  toggleTheme,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** The page shows this many items of news at most. */
const NEWS_SHOWN = 60;
/** The state keeps this many items of news at most. */
const NEWS_KEPT = 200;
/** The number of milliseconds after which a refused connection is tried again. */
const RETRY_MS = 2000;
/** The server sends something every 5 seconds: without it for this many milliseconds, the connection is lost. */
const SILENCE_MS = 12_000;
/** How often the silence is measured, in milliseconds. */
const LISTEN_MS = 1000;
/** The race is drawn again at most once in this many milliseconds. */
const RACE_MS = 400;

/** @type {Data.PageState | null} */
let state = null;

/** @type {EventSource | null} */
let stream = null;

/** The section of a server without a show. @type {Data.ShowView} */
const NO_SHOW = {
  minutes: null,
  seconds_left: null,
  mode: "detail",
  headline: null,
  rounds_per_second: 0,
  interrupted: null,
};

/** When the server was heard last, or asked again, on the clock of this page. */
let heardAt = 0;

function hear() {
  heardAt = performance.now();
  elementById("lost").hidden = true;
}

function showLost() {
  // After the last award there is nothing more to come: a host that has ended is no trouble.
  elementById("lost").hidden = state !== null && sceneOf(state) === "podium";
}

/** A server that sleeps, and a network that is gone, end no connection: only their silence tells. */
function listen() {
  if (!stream || performance.now() - heardAt < SILENCE_MS) return;
  showLost();
  connect();
}

function connect() {
  stream?.close();
  const source = new EventSource("/events");
  stream = source;
  heardAt = performance.now();
  source.addEventListener("heartbeat", hear);
  source.addEventListener("snapshot", (event) => {
    hear();
    state = JSON.parse(event.data);
    if (state) drawAll(state);
  });
  source.addEventListener("delta", (event) => {
    hear();
    /** @type {Data.PageDelta} */
    const delta = JSON.parse(event.data);
    // A change that does not follow the last one: begin again with a snapshot.
    if (!state || delta.n !== state.n + 1) return connect();
    apply(state, delta);
  });
  source.addEventListener("error", () => {
    showLost();
    // The browser tries again by itself unless the answer was no stream at all.
    if (source.readyState === EventSource.CLOSED && stream === source) setTimeout(connect, RETRY_MS);
  });
}

/**
 * Applies a change to the state and draws the sections that it touches.
 * @param {Data.PageState} current
 * @param {Data.PageDelta} delta
 */
function apply(current, delta) {
  const { race_tail: tail, board_rows: rows, added_news: addedNews = [], ...sections } = delta;
  Object.assign(current, sections);
  if (rows) current.board = boardWith(current.board, rows);
  if (tail) current.race.points.splice(tail.from, Infinity, ...tail.points);
  current.news.push(...addedNews);
  current.news.splice(0, Math.max(0, current.news.length - NEWS_KEPT));
  /** @param {(keyof Data.PageDelta)[]} keys */
  const changed = (...keys) => keys.some((key) => key in delta);
  if (changed("programme")) return drawAll(current);
  drawStage(current);
  if (changed("board", "board_rows"))
    drawBoard(elementById("rows"), current.board, current.programme, current.race);
  if (changed("board", "board_rows", "race", "race_tail")) raceLater();
  drawStatus(current);
  drawPhone(current);
  addedNews.forEach(addNews);
}

/** @param {Data.PageState} current */
function drawAll(current) {
  drawStage(current);
  drawBoard(elementById("rows"), current.board, current.programme, current.race);
  drawRace(elementById("chart"), current.race, current.programme, current.board);
  drawStatus(current);
  drawPhone(current);
  drawPromise(current.programme);
  elementById("log").replaceChildren();
  current.news.slice(-NEWS_SHOWN).forEach(addNews);
}

/** @type {number | null} */
let raceTimer = null;

/** Draws the race soon, at a limited rate. */
function raceLater() {
  raceTimer ??= window.setTimeout(() => {
    raceTimer = null;
    if (state) drawRace(elementById("chart"), state.race, state.programme, state.board);
  }, RACE_MS);
}

/** @type {Record<Data.NewsItem["kind"], string>} */
const NEWS_SYMBOLS = { round: "●", exit: "✕", foul: "!", day: "◆", level: "▲" };

/** @param {Data.NewsItem} item */
function addNews(item) {
  // A sentence in English, also where it begins with a name that is written from right to left.
  const kind = item.kind in NEWS_SYMBOLS ? item.kind : "day";
  const symbol = html("span", { "aria-hidden": "true" }, NEWS_SYMBOLS[kind]);
  const log = elementById("log");
  log.prepend(html("p", { class: `news-${kind}` }, symbol, " ", html("bdi", { dir: "ltr" }, item.text)));
  while (log.children.length > NEWS_SHOWN) log.lastChild?.remove();
}

/** While rounds go by, the lanes give way to the table for a while: for so many of so many milliseconds. */
const [TABLE_MS, TURN_MS] = [6_000, 20_000];

/** Since when rounds go by; null while they do not. @type {number | null} */
let passingSince = null;

/** The level whose chances have been explained, and the round in which they are. */
const explained = { level: "", round: 0 };

/**
 * Whether the chances beside the cards are explained: in the first round of each level that is seen.
 * @param {Data.PageState} current
 */
function isExplained({ programme, hall, table }) {
  const level = `${programme.number} ${hall?.level ?? 0}`;
  if (!table?.seats.some((seat) => seat.hand_chance != null)) return false;
  if (explained.level !== level) Object.assign(explained, { level, round: table.round });
  return explained.round === table.round;
}

/** The demo shows the teacher's console for so many milliseconds when its second level begins. */
const TOUR_MS = 6_000;
let isToured = false;

/** @param {Data.PageState} current */
function tour({ lobby, hall }) {
  if (isToured || !lobby.next_steps || !hall || hall.level < 2) return;
  isToured = true;
  const words = "Meanwhile at the teacher's console: start, pause, names, removals, and who needs help";
  const picture = html("img", { src: "/console.webp", alt: "The console with its players and settings" });
  const figure = html("figure", { class: "tour" }, picture, html("figcaption", {}, words));
  elementById("stage").append(figure);
  setTimeout(() => figure.remove(), TOUR_MS);
}

/**
 * Which part of the stage is seen.
 * @param {Data.PageState} current
 */
function sceneOf({ phase, show = NO_SHOW, ceremony, table }) {
  if (phase === "lobby") return "lobby";
  if (phase === "over" || (phase === "ceremony" && ceremony?.stage === "done")) return "podium";
  if (phase === "ceremony" && ceremony) return ceremony.stage === "hand" && table ? "hand" : "ceremony";
  if (selection.all) return "overview";
  if (show.mode === "last_table") return "splash";
  if (!table) return "montage";
  const passing = passingSince === null ? TURN_MS : (performance.now() - passingSince) % TURN_MS;
  return passing < TURN_MS - TABLE_MS ? "montage" : "table";
}

/** @param {Data.PageState} current */
function drawStage(current) {
  const { phase, hall, programme, show = NO_SHOW } = current;
  const playing = phase === "playing" || phase === "paused" || phase === "finale";
  const several = playing && hall !== null && hall.tables.length > 1;
  if (!several) selection.all = false;
  passingSince = show.mode === "montage" ? (passingSince ?? performance.now()) : null;
  const scene = sceneOf(current);
  document.body.dataset.phase = phase;
  document.body.dataset.scene = scene;
  elementById("all").hidden = !several;
  elementById("all").setAttribute("aria-pressed", String(selection.all));
  elementById("hall").hidden = !several;
  elementById("race").hidden = several;
  for (const id of ["montage", "overview", "splash", "lobby", "ceremony", "podium"]) {
    elementById(id).hidden = scene !== id;
  }
  if (several) drawTables(elementById("tables"), hall, programme);
  if (scene === "overview" && hall) drawOverview(elementById("overview"), hall, programme);
  if (scene === "splash" && hall) drawLastTable(elementById("splash"), hall, programme, current.race);
  if (scene === "montage") drawMontage(elementById("montage"), { ...current, show });
  if (scene === "lobby") drawLobby(elementById("lobby"), current);
  if (scene === "ceremony" && current.ceremony) {
    drawCeremony(elementById("ceremony"), current.ceremony, programme, current.race);
  }
  if (scene === "podium") drawPodium(elementById("podium"), current);
  const reason = scene === "hand" ? DECISIVE : show.headline;
  const explains = isExplained(current);
  const table = scene === "table" || scene === "hand" ? current.table : null;
  drawTable(elementById("table"), table, programme, { several, reason, explains });
  drawInterruption(elementById("interruption"), show.interrupted ?? null);
  drawExit(elementById("exit"), playing ? (current.exit ?? null) : null, programme, current.table);
  elementById("pause").hidden = phase !== "paused";
  hearState(current);
  tour(current);
}

selection.changed = () => {
  if (state) drawStage(state);
};

/** @param {Data.PageState} current */
function drawStatus(current) {
  drawRings(current);
  // A page that comes after an interruption may never have had a lobby.
  showTitle(current.programme.occasion ?? current.lobby.occasion);
  const parts = current.phase === "lobby" ? [current.lobby.occasion?.venue ?? ""] : playStatus(current);
  setFitted(elementById("status"), parts.join(" · "));
  const left = timeLeft(current);
  const clock = elementById("clock");
  clock.hidden = left === "";
  setText(clock, left);
}

/**
 * About how long it goes on, in words.
 * @param {Data.PageState} current
 */
function timeLeft({ show = NO_SHOW, phase }) {
  if (show.awaited && phase === "playing") return `waiting for ${show.awaited}`;
  if (show.last_rounds && phase === "playing") {
    return show.last_rounds === 1 ? "the last round" : `the last ${show.last_rounds} rounds`;
  }
  if (show.seconds_left === null || (phase !== "playing" && phase !== "paused")) return "";
  const minutes = Math.round(show.seconds_left / 60);
  if (minutes < 1) return "under a minute left";
  return minutes === 1 ? "about a minute left" : `about ${formatNumber(minutes)} minutes left`;
}

/** @param {Data.PageState} current */
function playStatus({ phase, board, programme, hall, ceremony }) {
  const parts = [];
  if (programme.number > 1) parts.push(`tournament ${programme.number}`);
  if (programme.rehearsal) parts.push("rehearsal");
  if (phase === "paused") parts.push("Paused");
  if (phase === "finale") parts.push("FINALE");
  if (phase === "ceremony") {
    const { number, of } = ceremony?.tournament ?? { number: 1, of: 1 };
    return [...parts, number < of ? "between two tournaments" : "the ceremony"];
  }
  if (phase === "over") parts.push("OVER");
  if (hall && phase !== "over") {
    const tables = hall.tables.length;
    if (tables > 1) parts.push(`level ${hall.level}, ${tables} tables`);
    else if (!hall.series) parts.push("the last table");
  }
  if (hall?.series) parts.push(`tournament ${hall.tournament} of ${hall.series}`);
  // Formats that end by themselves have no last round, and a series counts on from tournament to tournament.
  const { rounds } = programme;
  const limit = rounds !== null && board.round <= rounds ? ` of ${formatNumber(rounds)}` : "";
  parts.push(`${formatNumber(board.round)}${limit} rounds played`);
  const inside = board.rows.filter((row) => row.left_in_round === null).length;
  parts.push(phase === "over" ? `${board.rows.length} players` : `${inside} of ${board.rows.length} in`);
  return parts;
}

/** @param {Data.TournamentInfo} programme */
function drawPromise({ promise, seed }) {
  const fixed = promise ? `The seed of the shuffle was fixed before play. Its SHA-256: ${promise}. ` : "";
  const shown = seed ? `The seed was: ${seed}` : "The seed is shown at the end.";
  setText(elementById("promise"), `${fixed}${shown} casino verify checks the public record against it.`);
}

onKey((key) => {
  if (key === "t") toggleTheme();
  else if (key === "m") toggleSounds();
  else if (key === "?") showKeys();
  else if (key === "o") toggleAllTables();
  else focusSection(key);
});

/**
 * The keys 1 to 4 lead to the sections.
 * @param {string} key
 */
function focusSection(key) {
  /** @type {Record<string, string>} */
  const sections = { 1: "stage", 2: "board", 3: elementById("race").hidden ? "hall" : "race", 4: "news" };
  if (sections[key]) elementById(sections[key]).focus();
}

function showKeys() {
  elementById("keys", HTMLDialogElement).showModal();
}

startTheme();
elementById("keys").querySelector("dl")?.after(lettersSwitch());
elementById("theme").addEventListener("click", toggleTheme);
elementById("sounds").addEventListener("click", toggleSounds);
elementById("all").addEventListener("click", toggleAllTables);
elementById("help").addEventListener("click", showKeys);
listenToPhone(() => state);

window.casino = { state: () => state };
connect();
setInterval(listen, LISTEN_MS);
// A machine that wakes up, and a network that is back, are no reason to wait for the next look.
addEventListener("online", listen);
document.addEventListener("visibilitychange", listen);
