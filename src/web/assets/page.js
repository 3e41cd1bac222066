// Keeps the page in step with the dealer: a numbered snapshot, then numbered changes.

import { chips, drawBoard, drawLobby, drawPodium, drawRace, drawTable, newsItem } from "/view.js";

const $ = (id) => document.getElementById(id);

/** More news than anybody scrolls through. */
const NEWS = 60;

let state = null;
let stream = null;

function connect() {
  stream?.close();
  stream = new EventSource("/events");
  stream.addEventListener("snapshot", (event) => {
    $("lost").hidden = true;
    state = JSON.parse(event.data);
    drawAll();
  });
  stream.addEventListener("delta", (event) => {
    const delta = JSON.parse(event.data);
    // A change that does not follow the last one: begin again with a snapshot.
    if (!state || delta.n !== state.n + 1) return connect();
    apply(delta);
  });
  stream.addEventListener("error", () => {
    $("lost").hidden = false;
    // The browser tries again by itself unless the answer was no stream at all.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  });
}

function apply(delta) {
  for (const [key, value] of Object.entries(delta)) {
    if (key === "points") state.race.points.push(...value);
    else if (key === "added_news") state.news.push(...value);
    else state[key] = value;
  }
  state.news.splice(0, Math.max(0, state.news.length - 200));
  const changed = (...keys) => keys.some((key) => key in delta);
  if (changed("programme")) return drawAll();
  if (changed("phase", "table", "lobby", "podium")) drawStage();
  if (changed("board")) drawBoard($("rows"), state.board, state.programme);
  if (changed("board", "race", "points")) drawRace($("chart"), state.race, state.programme, state.board);
  if (changed("phase", "board", "lobby", "table")) drawStatus();
  for (const news of delta.added_news ?? []) addNews(news);
}

function drawAll() {
  drawStage();
  drawBoard($("rows"), state.board, state.programme);
  drawRace($("chart"), state.race, state.programme, state.board);
  drawStatus();
  drawPromise();
  $("log").replaceChildren();
  state.news.slice(-NEWS).forEach(addNews);
}

function addNews(news) {
  const log = $("log");
  log.prepend(newsItem(news));
  while (log.children.length > NEWS) log.lastChild.remove();
}

function drawStage() {
  const { phase } = state;
  document.body.dataset.phase = phase;
  $("lobby").hidden = phase !== "lobby";
  $("podium").hidden = phase !== "over";
  if (phase === "lobby") drawLobby($("lobby"), state.lobby);
  if (phase === "over") drawPodium($("podium"), state.podium, state.programme);
  drawTable($("table"), phase === "lobby" || phase === "over" ? null : state.table, state.programme);
}

function drawStatus() {
  const { phase, board, programme, lobby } = state;
  const inside = board.rows.filter((row) => row.left_in_round === null).length;
  const parts = [];
  if (phase === "lobby") parts.push(`${lobby.guests.length} of ${lobby.wanted} players are in`);
  else {
    if (programme.number > 1) parts.push(`tournament ${programme.number}`);
    if (programme.rehearsal) parts.push("rehearsal");
    if (phase === "paused") parts.push("PAUSED");
    if (phase === "finale") parts.push("FINALE");
    if (phase === "over") parts.push("OVER");
    parts.push(`play is at round ${chips(board.round)} of ${chips(programme.rounds)}`);
    if (phase === "playing" && board.rate > 0) parts.push(`${chips(board.rate)} rounds/s`);
    parts.push(`${inside} of ${programme.players.length} in`);
  }
  const text = parts.join(" · ");
  if ($("status").textContent !== text) $("status").textContent = text;
}

function drawPromise() {
  const { promise, seed } = state.programme;
  const parts = [];
  if (promise) parts.push(`Promise of the shuffle, SHA-256 of the seed: ${promise}`);
  if (seed) parts.push(`The seed was: ${seed}`);
  else if (promise) parts.push("the seed itself is shown at the end");
  $("promise").textContent = parts.join(" · ");
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

const SECTIONS = { 1: "stage", 2: "board", 3: "race", 4: "news" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "t" || event.key === "T") toggleTheme();
  else if (event.key === "?") $("keys").showModal();
  else if (event.key in SECTIONS) $(SECTIONS[event.key]).focus();
});
$("theme").addEventListener("click", toggleTheme);
$("help").addEventListener("click", () => $("keys").showModal());

// For whoever tests the page: what it has been told.
window.casino = { state: () => state };
connect();
