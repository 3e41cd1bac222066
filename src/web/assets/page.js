// Keeps the page in step with the dealer: a numbered snapshot, then numbered changes.

import { chips, drawBoard, drawLobby, drawOverview, drawPodium, drawRace, drawTable, drawTables, newsItem } from "/view.js";

const $ = (id) => document.getElementById(id);

/** More news than anybody scrolls through. */
const NEWS = 60;
/** As many rounds as nobody plays: the format ends by itself. */
const NO_LIMIT = 1_000_000_000;

let state = null;
let stream = null;

/** What is looked at here: the table that is shown, or all tables, or one of them. Nobody else sees another thing for it. */
const look = { all: false, table: null };

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
  if (changed("phase", "table", "lobby", "podium", "hall", "board")) drawStage();
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
  const { phase, hall } = state;
  document.body.dataset.phase = phase;
  const playing = phase !== "lobby" && phase !== "over";
  const several = playing && hall !== null && hall.tables.length > 1;
  if (!several) look.all = false;
  $("all").hidden = !several;
  $("all").setAttribute("aria-pressed", String(look.all));
  $("hall").hidden = !several;
  $("race").hidden = several;
  $("overview").hidden = !look.all;
  if (several) drawTables($("tables"), hall, state.programme, look.all ? look.table : null, choose);
  if (look.all) drawOverview($("overview"), hall, state.programme, look.table, choose);
  $("lobby").hidden = phase !== "lobby";
  $("podium").hidden = phase !== "over";
  if (phase === "lobby") drawLobby($("lobby"), state.lobby);
  if (phase === "over") drawPodium($("podium"), state.podium, state.programme);
  drawTable($("table"), playing && !look.all ? state.table : null, state.programme, several);
}

/** All tables, or one of them; the one that is chosen already: all again. */
function choose(table) {
  look.table = look.all && look.table === table ? null : table;
  look.all = true;
  drawStage();
}

function toggleAll() {
  if ($("all").hidden) return;
  look.all = !look.all;
  look.table = null;
  drawStage();
}

function step(by) {
  if (!look.all) return;
  const numbers = state.hall.tables.map((table) => table.table);
  const at = numbers.indexOf(look.table);
  look.table = numbers[at < 0 ? (by > 0 ? 0 : numbers.length - 1) : (at + by + numbers.length) % numbers.length];
  drawStage();
}

function drawStatus() {
  const { phase, board, programme, lobby, hall } = state;
  const inside = board.rows.filter((row) => row.left_in_round === null).length;
  const parts = [];
  if (phase === "lobby") parts.push(`${lobby.guests.length} of ${lobby.wanted} players are in`);
  else {
    if (programme.number > 1) parts.push(`tournament ${programme.number}`);
    if (programme.rehearsal) parts.push("rehearsal");
    if (phase === "paused") parts.push("PAUSED");
    if (phase === "finale") parts.push("FINALE");
    if (phase === "over") parts.push("OVER");
    if (hall && phase !== "over") parts.push(hall.tables.length > 1 ? `level ${hall.level}, ${hall.tables.length} tables` : "the last table");
    if (hall && hall.tournament > 1) parts.push(`tournament ${hall.tournament} of the series`);
    // Formats that end by themselves have no last round, and a series counts on from tournament to tournament.
    const limited = programme.rounds < NO_LIMIT && board.round <= programme.rounds;
    parts.push(`play is at round ${chips(board.round)}${limited ? ` of ${chips(programme.rounds)}` : ""}`);
    if (phase === "playing" && board.rate > 0) parts.push(`${chips(board.rate)} rounds/s`);
    parts.push(`${inside} of ${board.rows.length} in`);
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

const section = (key) => ({ 1: "stage", 2: "board", 3: $("race").hidden ? "hall" : "race", 4: "news" })[key];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "t" || event.key === "T") toggleTheme();
  else if (event.key === "?") $("keys").showModal();
  else if (event.key === "o" || event.key === "O") toggleAll();
  else if (event.key === "ArrowRight") step(1);
  else if (event.key === "ArrowLeft") step(-1);
  else if (section(event.key)) $(section(event.key)).focus();
});
$("theme").addEventListener("click", toggleTheme);
$("all").addEventListener("click", toggleAll);
$("help").addEventListener("click", () => $("keys").showModal());

// For whoever tests the page: what it has been told.
window.casino = { state: () => state };
connect();
