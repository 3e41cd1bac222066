// Several tables: the strip of tables, and the view of all stacks.

import { playerBox, withOneSize } from "./fit.js";
import { growth } from "./race.js";
import { elementById, formatNumber, html, isNews, markPlayer, playerName, svg } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** Whether this window looks at all tables. Other windows do not change. */
export const selection = { all: false, changed: () => {} };

/** Looks at all tables, or again at the one that is shown. */
export function toggleAllTables() {
  if (elementById("all").hidden) return;
  selection.all = !selection.all;
  selection.changed();
}

/** So many tables stand in one row, and have room for more words. */
const ONE_ROW = 7;

/** @param {Data.HallTable[]} tables */
const largestStack = (tables) => Math.max(1, ...tables.flatMap((table) => table.chips));

/**
 * Draws the tables in short: which round each is at, how many are in, and all stacks as bars.
 * @param {HTMLElement} root
 * @param {Data.HallView} hall
 * @param {Data.TournamentInfo} programme
 */
export function drawTables(root, hall, programme) {
  const numbers = hall.tables.map((table) => table.table);
  if (isNews(root, numbers)) {
    root.replaceChildren(...hall.tables.map(() => html("li")));
    const rows = hall.tables.length <= ONE_ROW ? 1 : hall.tables.length <= 20 ? 2 : 3;
    root.style.setProperty("--columns", String(Math.ceil(hall.tables.length / rows)));
    root.style.setProperty("--leader", rows === 1 ? "2.7em" : "1.4em");
  }
  const most = largestStack(hall.tables);
  let isChanged = false;
  [...root.children].forEach((item, index) => {
    const table = hall.tables[index];
    const featured = hall.featured === table.table;
    if (!isNews(item, [table, most, featured])) return;
    isChanged = true;
    item.className = featured ? "featured" : "";
    const begun = table.round > 0 ? `round ${formatNumber(table.round)}` : "begins";
    const where = hall.tables.length > ONE_ROW ? "" : ` · ${table.done ? "done" : begun}`;
    const leader = table.players[table.chips.indexOf(Math.max(...table.chips))];
    item.replaceChildren(
      html("strong", {}, `Table ${table.table}`),
      html("small", {}, `${table.playing} in${where}`),
      playerBox("span", "leader", programme, leader),
      stackBars(table, most, programme),
    );
  });
  if (isChanged) withOneSize(root);
}

/**
 * The stacks of a table as bars.
 * @param {Data.HallTable} table
 * @param {number} most The largest stack of all tables.
 * @param {Data.TournamentInfo} programme
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
 * Draws all tables with their players and stacks.
 * @param {HTMLElement} root
 * @param {Data.HallView} hall
 * @param {Data.TournamentInfo} programme
 */
export function drawOverview(root, { tables, featured }, programme) {
  if (!isNews(root, [tables, featured])) return;
  const down = tables.length <= 3 ? 1 : tables.length <= 8 ? 2 : tables.length <= 15 ? 3 : 4;
  root.style.setProperty("--across", String(Math.ceil(tables.length / down)));
  root.style.setProperty("--down", String(down));
  const most = largestStack(tables);
  root.replaceChildren(
    ...tables.map((table) => overviewTable(table, featured === table.table, most, programme)),
  );
  withOneSize(root);
}

/**
 * Draws who has reached the last table, with how many chips and how they got there, before its first round.
 * @param {HTMLElement} root
 * @param {Data.HallView} hall
 * @param {Data.TournamentInfo} programme
 * @param {Data.Race} race
 */
export function drawLastTable(root, hall, programme, race) {
  const { players, chips } = hall.tables[0];
  if (!isNews(root, [programme.number, players, chips])) return;
  const sorted = players
    .map((player, seat) => ({ player, stack: chips[seat] }))
    .sort((one, other) => other.stack - one.stack);
  const cards = sorted.map(({ player, stack }) => {
    const { picture, words } = growth(race, programme, player);
    const chips = html("strong", { class: "stack" }, formatNumber(stack));
    return playerBox("li", "", programme, player, chips, html("small", {}, words), picture);
  });
  root.style.setProperty("--across", String(cards.length <= 4 ? 1 : cards.length <= 10 ? 2 : 3));
  root.replaceChildren(html("h2", {}, "The last table"), withOneSize(html("ol", {}, ...cards)));
}

/**
 * @param {Data.HallTable} table
 * @param {boolean} featured
 * @param {number} most The largest stack of all tables.
 * @param {Data.TournamentInfo} programme
 */
function overviewTable(table, featured, most, programme) {
  const rows = table.players
    .map((player, seat) => ({ player, stack: table.chips[seat] }))
    .sort((one, other) => other.stack - one.stack)
    .map(({ player, stack }) => {
      const chips = html("span", { class: "stack" }, formatNumber(stack));
      const row = playerBox("li", stack === 0 ? "out" : "", programme, player, chips);
      row.title = playerName(programme, player);
      row.style.setProperty("--share", `${((100 * stack) / most).toFixed(1)}%`);
      return row;
    });
  const heading = html("h2", {}, `Table ${table.table} · ${table.playing} in`);
  const part = html("article", { class: featured ? "featured" : "" }, heading, html("ol", {}, ...rows));
  part.style.setProperty("--rows", String(table.players.length));
  return part;
}
