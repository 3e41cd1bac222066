// The page for the room. It keeps in step with the dealer by a numbered snapshot and then numbered changes, and draws,
// besides what the replay draws as well, everything that only a running tournament has.

import {
  drawBoard,
  drawRace,
  drawTable,
  elementById,
  formatNumber,
  html,
  markPlayer,
  playerName,
  svg,
  toggleTheme,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** The page shows this many items of news at most. */
const NEWS_SHOWN = 60;
/** The state keeps this many items of news at most. */
const NEWS_KEPT = 200;
/** Formats that end by themselves have at least this many rounds as their limit; nobody plays as many. */
const NO_LIMIT = 1_000_000_000;
/** The number of milliseconds after which a refused connection is tried again. */
const RETRY_MS = 2000;

/** @type {Data.PageState | null} */
let state = null;

/** @type {EventSource | null} */
let stream = null;

/**
 * What is looked at in this window: the table that the server features, or all tables, or one of them. It changes
 * nothing for anybody else.
 * @type {{ all: boolean, table: number | null }}
 */
const selection = { all: false, table: null };

function connect() {
  stream?.close();
  const source = new EventSource("/events");
  stream = source;
  source.addEventListener("snapshot", (event) => {
    elementById("lost").hidden = true;
    state = JSON.parse(event.data);
    if (state) drawAll(state);
  });
  source.addEventListener("delta", (event) => {
    /** @type {Data.PageDelta} */
    const delta = JSON.parse(event.data);
    // A change that does not follow the last one: begin again with a snapshot.
    if (!state || delta.n !== state.n + 1) return connect();
    apply(state, delta);
  });
  source.addEventListener("error", () => {
    elementById("lost").hidden = false;
    // The browser tries again by itself unless the answer was no stream at all.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  });
}

/**
 * Applies a change to the state and draws the sections that it touches.
 * @param {Data.PageState} current
 * @param {Data.PageDelta} delta
 */
function apply(current, delta) {
  const { race_tail: tail, added_news: addedNews = [], ...sections } = delta;
  Object.assign(current, sections);
  if (tail) current.race.points.splice(tail.from, Infinity, ...tail.points);
  current.news.push(...addedNews);
  current.news.splice(0, Math.max(0, current.news.length - NEWS_KEPT));
  /** @param {(keyof Data.PageDelta)[]} keys */
  const changed = (...keys) => keys.some((key) => key in delta);
  if (changed("programme")) return drawAll(current);
  if (changed("phase", "table", "lobby", "podium", "hall", "board")) drawStage(current);
  if (changed("board")) drawBoard(elementById("rows"), current.board, current.programme);
  if (changed("board", "race", "race_tail")) {
    drawRace(elementById("chart"), current.race, current.programme, current.board);
  }
  if (changed("phase", "board", "lobby", "table")) drawStatus(current);
  addedNews.forEach(addNews);
}

/** @param {Data.PageState} current */
function drawAll(current) {
  drawStage(current);
  drawBoard(elementById("rows"), current.board, current.programme);
  drawRace(elementById("chart"), current.race, current.programme, current.board);
  drawStatus(current);
  drawPromise(current.programme);
  elementById("log").replaceChildren();
  current.news.slice(-NEWS_SHOWN).forEach(addNews);
}

/** @type {Record<Data.NewsItem["kind"], string>} */
const NEWS_SYMBOLS = { round: "●", exit: "✕", foul: "!", day: "◆" };

/** @param {Data.NewsItem} item */
function addNews(item) {
  const kind = item.kind in NEWS_SYMBOLS ? item.kind : "day";
  const symbol = html("span", { "aria-hidden": "true" }, NEWS_SYMBOLS[kind]);
  const log = elementById("log");
  log.prepend(html("p", { class: `news-${kind}` }, symbol, " ", item.text));
  while (log.children.length > NEWS_SHOWN) log.lastChild?.remove();
}

/** @param {Data.PageState} current */
function drawStage(current) {
  const { phase, hall, programme } = current;
  document.body.dataset.phase = phase;
  const playing = phase !== "lobby" && phase !== "over";
  const several = playing && hall !== null && hall.tables.length > 1;
  if (!several) selection.all = false;
  elementById("all").hidden = !several;
  elementById("all").setAttribute("aria-pressed", String(selection.all));
  elementById("hall").hidden = !several;
  elementById("race").hidden = several;
  elementById("overview").hidden = !selection.all;
  if (several) drawTables(elementById("tables"), hall, programme);
  if (several && selection.all) drawOverview(elementById("overview"), hall, programme);
  elementById("lobby").hidden = phase !== "lobby";
  elementById("podium").hidden = phase !== "over";
  if (phase === "lobby") drawLobby(elementById("lobby"), current.lobby);
  if (phase === "over") drawPodium(elementById("podium"), current.podium, programme);
  drawTable(elementById("table"), playing && !selection.all ? current.table : null, programme, several);
}

/**
 * Looks at one of all tables; if it is the one that is looked at already, at all of them again.
 * @param {number} table
 */
function chooseTable(table) {
  selection.table = selection.all && selection.table === table ? null : table;
  selection.all = true;
  if (state) drawStage(state);
}

function toggleAllTables() {
  if (elementById("all").hidden) return;
  selection.all = !selection.all;
  selection.table = null;
  if (state) drawStage(state);
}

/**
 * Looks at the next or the previous one of all tables.
 * @param {1 | -1} by
 */
function stepTable(by) {
  if (!selection.all || !state?.hall) return;
  const numbers = state.hall.tables.map((table) => table.table);
  const at = numbers.findIndex((number) => number === selection.table);
  const first = by > 0 ? 0 : numbers.length - 1;
  selection.table = numbers[at < 0 ? first : (at + by + numbers.length) % numbers.length];
  drawStage(state);
}

/** @param {Data.PageState} current */
function drawStatus(current) {
  const parts = current.phase === "lobby" ? lobbyStatus(current.lobby) : playStatus(current);
  const text = parts.join(" · ");
  const status = elementById("status");
  if (status.textContent !== text) status.textContent = text;
}

/** @param {Data.Lobby} lobby */
function lobbyStatus(lobby) {
  return [`${lobby.guests.length} of ${lobby.wanted} players are in`];
}

/** @param {Data.PageState} current */
function playStatus({ phase, board, programme, hall }) {
  const parts = [];
  if (programme.number > 1) parts.push(`tournament ${programme.number}`);
  if (programme.rehearsal) parts.push("rehearsal");
  if (phase === "paused") parts.push("PAUSED");
  if (phase === "finale") parts.push("FINALE");
  if (phase === "over") parts.push("OVER");
  if (hall && phase !== "over") {
    const tables = hall.tables.length;
    parts.push(tables > 1 ? `level ${hall.level}, ${tables} tables` : "the last table");
  }
  if (hall && hall.tournament > 1) parts.push(`tournament ${hall.tournament} of the series`);
  // Formats that end by themselves have no last round, and a series counts on from tournament to tournament.
  const limited = programme.rounds < NO_LIMIT && board.round <= programme.rounds;
  const limit = limited ? ` of ${formatNumber(programme.rounds)}` : "";
  parts.push(`play is at round ${formatNumber(board.round)}${limit}`);
  if (phase === "playing" && board.rate > 0) parts.push(`${formatNumber(board.rate)} rounds/s`);
  const inside = board.rows.filter((row) => row.left_in_round === null).length;
  parts.push(`${inside} of ${board.rows.length} in`);
  return parts;
}

/** @param {Data.Programme} programme */
function drawPromise({ promise, seed }) {
  const parts = [];
  if (promise) parts.push(`Promise of the shuffle, SHA-256 of the seed: ${promise}`);
  if (seed) parts.push(`The seed was: ${seed}`);
  else if (promise) parts.push("the seed itself is shown at the end");
  elementById("promise").textContent = parts.join(" · ");
}

/**
 * Draws the tables in short: which round each is at, how many are in, and all stacks as bars. The buttons are made only
 * once, so that no click is lost.
 * @param {HTMLElement} root
 * @param {Data.Hall} hall
 * @param {Data.Programme} programme
 */
function drawTables(root, hall, programme) {
  const numbers = hall.tables.map((table) => table.table).join();
  if (root.dataset.numbers !== numbers) {
    root.dataset.numbers = numbers;
    const buttons = hall.tables.map(({ table }) => {
      const button = html("button", { type: "button" });
      button.addEventListener("click", () => chooseTable(table));
      return html("li", {}, button);
    });
    root.replaceChildren(...buttons);
    const rows = hall.tables.length <= 7 ? 1 : hall.tables.length <= 20 ? 2 : 3;
    root.style.setProperty("--columns", String(Math.ceil(hall.tables.length / rows)));
  }
  const most = Math.max(1, ...hall.tables.flatMap((table) => table.chips));
  const chosen = selection.all ? selection.table : null;
  root.querySelectorAll("button").forEach((button, index) => {
    const table = hall.tables[index];
    button.className = hall.featured === table.table ? "featured" : "";
    button.setAttribute("aria-pressed", String(chosen === table.table));
    const begun = table.round > 0 ? `round ${formatNumber(table.round)}` : "begins";
    button.replaceChildren(
      html("strong", {}, `Table ${table.table}`),
      html("span", {}, `${table.playing} in`),
      html("span", {}, table.done ? "has played its level" : begun),
      stackBars(table, most, programme),
    );
  });
}

/**
 * The stacks of a table as bars.
 * @param {Data.HallTable} table
 * @param {number} most The largest stack of all tables.
 * @param {Data.Programme} programme
 */
function stackBars(table, most, programme) {
  const width = 100 / table.players.length;
  const bars = table.players.map((player, seat) => {
    const height = (20 * table.chips[seat]) / most;
    const bar = svg("rect", { x: seat * width + 0.5, y: 20 - height, width: width - 1, height });
    return markPlayer(bar, player, programme);
  });
  const viewBox = "0 0 100 20";
  return svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true", class: "bars" }, ...bars);
}

/**
 * Draws all tables with their players and stacks, or one of them in large.
 * @param {HTMLElement} root
 * @param {Data.Hall} hall
 * @param {Data.Programme} programme
 */
function drawOverview(root, hall, programme) {
  const chosen = selection.table;
  const shown = hall.tables.filter((table) => chosen === null || table.table === chosen);
  const key = JSON.stringify([shown, chosen, hall.featured]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && root.contains(active) ? active.dataset.table : undefined;
  root.className = chosen === null ? "many" : "one";
  const down = shown.length <= 3 ? 1 : shown.length <= 8 ? 2 : shown.length <= 15 ? 3 : 4;
  root.style.setProperty("--across", String(Math.ceil(shown.length / down)));
  root.replaceChildren(
    ...shown.map((table) => overviewTable(table, hall.featured === table.table, programme)),
  );
  const again = focused && root.querySelector(`[data-table="${focused}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * @param {Data.HallTable} table
 * @param {boolean} featured
 * @param {Data.Programme} programme
 */
function overviewTable(table, featured, programme) {
  const large = selection.table !== null;
  const round = `round ${formatNumber(table.round)}`;
  const heading = html(
    "button",
    { type: "button", "data-table": table.table, "aria-pressed": String(large) },
    large
      ? `Table ${table.table} · ${table.playing} of ${table.players.length} in · ${round}`
      : `Table ${table.table} · ${table.playing} in`,
  );
  heading.addEventListener("click", () => chooseTable(table.table));
  const rows = table.players
    .map((player, seat) => ({ player, stack: table.chips[seat] }))
    .sort((one, other) => other.stack - one.stack)
    .map(({ player, stack }) => {
      const name = playerName(programme, player);
      const row = html(
        "li",
        { class: stack === 0 ? "out" : "" },
        html("span", { class: "name", title: name }, name),
        html("span", { class: "stack" }, formatNumber(stack)),
      );
      return markPlayer(row, player, programme);
    });
  const parts = [html("h3", {}, heading), html("ol", {}, ...rows)];
  if (large && table.last) parts.push(html("p", { class: "last" }, table.last));
  const part = html("article", { class: featured ? "featured" : "" }, ...parts);
  part.style.setProperty("--rows", String(table.players.length));
  return part;
}

const LIST = new Intl.ListFormat("en");

/** Who is awaited is named up to this many names. */
const AWAITED_NAMED = 4;

/**
 * Draws who is in and who is awaited.
 * @param {HTMLElement} root
 * @param {Data.Lobby} lobby
 */
function drawLobby(root, lobby) {
  const missing = Math.max(0, lobby.wanted - lobby.guests.length);
  const others = Math.max(0, missing - lobby.awaited.length);
  const awaited =
    lobby.awaited.length <= AWAITED_NAMED
      ? [...lobby.awaited]
      : [
          ...lobby.awaited.slice(0, AWAITED_NAMED - 1),
          `${lobby.awaited.length - (AWAITED_NAMED - 1)} others`,
        ];
  if (others > 0) awaited.push(`${others} more ${others === 1 ? "player" : "players"}`);
  const waiting = missing === 0 ? "Everybody is in." : `Waiting for ${LIST.format(awaited)} …`;
  const guests = lobby.guests.map((guest) => {
    const kind = guest.connected ? "connected" : "starts with the game";
    return lobbyLine(guest.name, guest.connected, guest.house ? "of the house" : kind);
  });
  const absent = lobby.awaited.map((name) => lobbyLine(name, false, "not here yet"));
  const label = "Players who are in, and who is awaited";
  root.replaceChildren(
    html("p", { class: "waiting" }, waiting),
    html("ul", { "aria-label": label }, ...guests, ...absent),
  );
}

/**
 * @param {string} name
 * @param {boolean} on Whether the player is connected.
 * @param {string} kind
 */
function lobbyLine(name, on, kind) {
  return html(
    "li",
    { class: on ? "on" : "off" },
    html("span", { class: "light", "aria-hidden": "true" }),
    html("span", { class: "name", title: name }, name),
    html("span", { class: "kind" }, kind),
  );
}

/**
 * Draws the first three.
 * @param {HTMLElement} root
 * @param {Data.LeaderboardRow[]} podium
 * @param {Data.Programme} programme
 */
function drawPodium(root, podium, programme) {
  const steps = podium.slice(0, 3).map((row) => {
    const name = playerName(programme, row.seat);
    const sum =
      row.left_in_round === null
        ? `${formatNumber(row.chips)} chips`
        : `until round ${formatNumber(row.left_in_round)}`;
    return html(
      "li",
      { class: `step step-${row.place}` },
      html("span", { class: "name", title: name }, name),
      html("span", { class: "sum" }, sum),
      html("span", { class: "block", "aria-label": `place ${row.place}` }, String(row.place)),
    );
  });
  root.replaceChildren(
    html("h2", {}, "The winners"),
    html("ol", { class: "steps", "aria-label": "The winners" }, ...steps),
  );
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "t" || event.key === "T") toggleTheme();
  else if (event.key === "?") showKeys();
  else if (event.key === "o" || event.key === "O") toggleAllTables();
  else if (event.key === "ArrowRight") stepTable(1);
  else if (event.key === "ArrowLeft") stepTable(-1);
  else focusSection(event.key);
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

elementById("theme").addEventListener("click", toggleTheme);
elementById("all").addEventListener("click", toggleAllTables);
elementById("help").addEventListener("click", showKeys);

window.casino = { state: () => state };
connect();
