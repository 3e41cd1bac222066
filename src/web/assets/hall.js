// Several tables: the strip of tables, and the view of all stacks.

import { nameBox } from "./fit.js";
import {
  elementById,
  formatNumber,
  html,
  inlineName,
  markPlayer,
  playerEmblem,
  playerName,
  svg,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/**
 * The selection of this window: the featured table, all tables, or one of them. Other windows do not change.
 * @type {{ all: boolean, table: number | null, changed: () => void }}
 */
export const selection = { all: false, table: null, changed: () => {} };

/**
 * Looks at one of all tables; if it is the one that is looked at already, at all of them again.
 * @param {number} table
 */
function chooseTable(table) {
  selection.table = selection.all && selection.table === table ? null : table;
  selection.all = true;
  selection.changed();
}

/** Looks at all tables, or again at the one that is shown. */
export function toggleAllTables() {
  if (elementById("all").hidden) return;
  selection.all = !selection.all;
  selection.table = null;
  selection.changed();
}

/**
 * Looks at the next or the previous one of all tables.
 * @param {Data.EventView | null} hall
 * @param {1 | -1} by
 */
export function stepTable(hall, by) {
  if (!selection.all || !hall) return;
  const numbers = hall.tables.map((table) => table.table);
  const at = numbers.findIndex((number) => number === selection.table);
  const first = by > 0 ? 0 : numbers.length - 1;
  selection.table = numbers[at < 0 ? first : (at + by + numbers.length) % numbers.length];
  selection.changed();
}

/**
 * Draws the tables in short: which round each is at, how many are in, and all stacks as bars. The buttons are made only
 * once, so that no click is lost.
 * @param {HTMLElement} root
 * @param {Data.EventView} hall
 * @param {Data.TournamentInfo} programme
 */
export function drawTables(root, hall, programme) {
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
    const pressed = chosen === table.table;
    const featured = hall.featured === table.table;
    const key = JSON.stringify([table, most, pressed, featured]);
    if (button.dataset.key === key) return;
    button.dataset.key = key;
    button.className = featured ? "featured" : "";
    button.setAttribute("aria-pressed", String(pressed));
    const begun = table.round > 0 ? `round ${formatNumber(table.round)}` : "begins";
    button.replaceChildren(
      html("strong", {}, `Table ${table.table}`),
      html("span", {}, `${table.playing} in`),
      html("span", {}, table.done ? "done" : begun),
      stackBars(table, most, programme),
    );
  });
}

/**
 * The stacks of a table as bars.
 * @param {Data.EventTable} table
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
 * Draws all tables with their players and stacks, or one of them in large.
 * @param {HTMLElement} root
 * @param {Data.EventView} hall
 * @param {Data.TournamentInfo} programme
 */
export function drawOverview(root, hall, programme) {
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
  root.style.setProperty("--down", String(down));
  root.replaceChildren(
    ...shown.map((table) => overviewTable(table, hall.featured === table.table, programme)),
  );
  const again = focused && root.querySelector(`[data-table="${focused}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * Draws who has reached the last table, and with how many chips, before its first round.
 * @param {HTMLElement} root
 * @param {Data.EventView} hall
 * @param {Data.TournamentInfo} programme
 */
export function drawLastTable(root, hall, programme) {
  const { players, chips } = hall.tables[0];
  const key = JSON.stringify([programme.number, players, chips]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  const sorted = players
    .map((player, seat) => ({ player, stack: chips[seat] }))
    .sort((one, other) => other.stack - one.stack);
  const cards = sorted.map(({ player, stack }) => {
    const card = html(
      "li",
      {},
      playerEmblem(programme, player),
      nameBox(playerName(programme, player)),
      html("strong", { class: "stack" }, formatNumber(stack)),
    );
    return markPlayer(card, player, programme);
  });
  root.style.setProperty("--across", String(cards.length <= 4 ? 1 : cards.length <= 10 ? 2 : 3));
  root.replaceChildren(html("h2", {}, "The last table"), html("ol", {}, ...cards));
}

/**
 * @param {Data.EventTable} table
 * @param {boolean} featured
 * @param {Data.TournamentInfo} programme
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
        { class: stack === 0 ? "out" : "", title: name },
        playerEmblem(programme, player),
        nameBox(name),
        html("span", { class: "stack" }, formatNumber(stack)),
      );
      return markPlayer(row, player, programme);
    });
  const parts = [html("h2", {}, heading), html("ol", {}, ...rows)];
  if (large && table.last) parts.push(html("p", { class: "last" }, inlineName(table.last)));
  const part = html("article", { class: featured ? "featured" : "" }, ...parts);
  part.style.setProperty("--rows", String(table.players.length));
  part.style.setProperty("--half", String(Math.ceil(table.players.length / 2)));
  return part;
}
