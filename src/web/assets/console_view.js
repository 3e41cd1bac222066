// The view of the console. Texts from programs are set as text, never as HTML.

import { inputById, showButton, showButtons } from "./console_parts.js";
import { drawChairs } from "./console_chairs.js";
import { drawNeeds, withWarning } from "./console_needs.js";
import { elementById, html, isNews, setText, showRows } from "./view.js";

/**
 * @import * as Data from "./data.d.ts"
 * @import { PlayerActions } from "./console_needs.js"
 * @import { RowButton } from "./console_parts.js"
 */

/** @type {Record<Data.Overview["hour"], string>} */
const HOURS = { lobby: "Lobby", playing: "Playing", over: "Over" };

/** @type {Record<Data.MemberRow["kind"], string>} */
const KINDS = { house: "of the house", started: "started here", remote: "connected", person: "a person" };

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
export function draw(overview, actions) {
  drawHour(overview);
  setText(elementById("status"), statusParts(overview).join(" · "));
  drawBar(overview);
  drawNeeds(overview, actions);
  drawSettings(overview);
  drawChairs(overview, actions.freeChair);
  drawMembers(overview, actions);
  drawActions(overview);
}

/** @param {Data.Overview} overview */
function drawHour({ hour, paused, ending }) {
  const isPaused = paused && hour === "playing";
  const isEnding = ending && hour === "playing";
  setText(elementById("hour"), isEnding ? "Ending" : isPaused ? "Paused" : HOURS[hour]);
  elementById("hour").dataset.hour = isPaused ? "paused" : hour;
}

/** @param {Data.Overview} overview */
function statusParts(overview) {
  const { hour, round, rate, members, wanted, tables, viewers, number } = overview;
  const parts = [];
  if (number > 1 && hour !== "lobby") parts.push(`tournament ${number}`);
  if (hour === "lobby" && overview.resumed) parts.push("after an interruption");
  if (hour === "lobby") parts.push(wanted ? `${members.length} of ${wanted} in` : `${members.length} in`);
  else if (round > 0) parts.push(`round ${round}`);
  if (hour === "playing") parts.push(`${rate} rounds/s`);
  if (tables > 1) parts.push(`${tables} tables`);
  const left = hour === "playing" ? timeLeft(overview) : "";
  if (left) parts.push(left);
  parts.push(`${viewers} ${viewers === 1 ? "viewer" : "viewers"}`);
  return parts;
}

/** @param {Data.Overview} overview */
function timeLeft({ seconds_left }) {
  if (seconds_left == null) return "";
  if (seconds_left < 90) return `about ${seconds_left} seconds left`;
  return `about ${Math.round(seconds_left / 60)} minutes left`;
}

/** The buttons of the bar, in the order in which another one gets the focus when one of them goes. */
const BAR = ["start", "pause", "resume", "next", "reveal", "step", "end"];

/** @param {Data.Overview} overview */
function drawBar(overview) {
  const { hour, paused, ending, members, fewest, missing, resumed } = overview;
  const active = document.activeElement;
  const focused = BAR.some((id) => active?.id === id);
  const expected = missing.some((player) => !player.given_up);
  const canStart = members.length >= fewest && !(resumed && expected);
  const playing = hour === "playing" && !ending;
  setText(elementById("start"), resumed ? "Go on" : "Start");
  showButton("start", hour === "lobby", canStart);
  showButton("pause", playing && !paused);
  showButton("resume", playing && paused);
  showButton("step", playing);
  showButton("end", playing);
  showButton("reveal", hour === "over", !overview.revealed);
  showButton("next", hour === "over");
  if (focused && active instanceof HTMLButtonElement && active.disabled) {
    const other = BAR.map((id) => elementById(id, HTMLButtonElement)).find((button) => !button.disabled);
    (other ?? elementById("roster-title")).focus();
  }
}

/** @param {Data.Overview} overview */
function drawSettings(overview) {
  const { hour, rehearsal, resumed, holes, predictions, sounds } = overview;
  drawMinutes(overview);
  elementById("rehearsal-setting").hidden = hour !== "lobby" || resumed;
  inputById("rehearsal").checked = rehearsal;
  inputById("predictions").checked = predictions;
  inputById("sounds").checked = sounds;
  for (const radio of document.querySelectorAll('input[name="holes"]')) {
    if (radio instanceof HTMLInputElement) radio.checked = radio.value === holes;
  }
  showSetting("pace", overview.pace_ms);
  showSetting("tempo", overview.tempo);
  drawTables(overview);
}

/** @param {Data.Overview} overview */
function drawMinutes(overview) {
  const minutes = overview.minutes ?? 0;
  showSetting("minutes", minutes);
  const left = overview.hour === "playing" ? timeLeft(overview) : "";
  setText(elementById("minutes-text"), minutesText(minutes, left));
}

/**
 * @param {number} minutes
 * @param {string} left
 */
export function minutesText(minutes, left = "") {
  if (minutes === 0) return "as fast as the programs play";
  const all = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  return left ? `${all} in all, ${left}` : all;
}

/**
 * Shows a setting unless it is being edited or has an unsent value.
 * @param {string} id
 * @param {number} value
 */
function showSetting(id, value) {
  const input = inputById(id);
  if (document.activeElement !== input && !input.dataset.typed) input.value = String(value);
}

/**
 * Keeps the typed value of a setting until its form is sent: moving from the field to its button takes time.
 * @param {string} id
 */
export function keepTyped(id) {
  const input = inputById(id);
  input.addEventListener("input", () => (input.dataset.typed = "yes"));
  input.form?.addEventListener("submit", () => delete input.dataset.typed);
}

/**
 * The tables there are, to choose from.
 * @param {Data.Overview} overview
 */
function drawTables({ tables, table_numbers, featured, hour }) {
  elementById("feature-form").hidden = tables < 2 || hour !== "playing";
  const select = elementById("feature", HTMLSelectElement);
  const numbers =
    featured === 0 || table_numbers.includes(featured) ? table_numbers : [...table_numbers, featured];
  const wanted = [0, ...numbers];
  const shown = [...select.options].map((option) => Number(option.value));
  if (shown.join() !== wanted.join()) {
    const chosen = document.activeElement === select ? select.value : String(featured);
    const words = (/** @type {number} */ table) => (table === 0 ? "the page chooses" : `table ${table}`);
    select.replaceChildren(...wanted.map((table) => new Option(words(table), String(table))));
    select.value = wanted.includes(Number(chosen)) ? chosen : "0";
  } else if (!select.closest("form")?.contains(document.activeElement)) {
    select.value = String(featured);
  }
}

/**
 * A column of the table of players. A tooltip has the whole text of a cell that is cut.
 * @typedef {{
 *   title: string,
 *   className: string,
 *   text: (member: Data.MemberRow) => string,
 *   more?: (member: Data.MemberRow) => string,
 * }} Column
 */

/** @type {Column[]} */
const WHO = [
  { title: "Name", className: "name", text: ({ name }) => name },
  {
    title: "GitHubId",
    className: "github-id",
    text: ({ github_id, tells_id }) => (tells_id ? `⚠ ${github_id}` : github_id),
    more: (member) => (member.tells_id ? withWarning(member) : member.github_id),
  },
];

/** @type {Column[]} */
const LOBBY_COLUMNS = [
  ...WHO,
  { title: "Name sent", className: "extra", text: ({ avatar }) => avatar },
  { title: "Kind", className: "kind", text: ({ kind }) => KINDS[kind] },
];

/** The table of a player, where there are several tables. @type {Column} */
const TABLE_COLUMN = {
  title: "Table",
  className: "seat number",
  text: ({ table }) => String(table ?? ""),
};

/** @type {Column[]} */
const PLAY_COLUMNS = [
  { title: "Seat", className: "seat number", text: ({ seat }) => String(seat ?? "") },
  ...WHO,
  { title: "Chips", className: "chips number", text: ({ row }) => String(row?.chips ?? "") },
  { title: "Last reply", className: "reply", text: replyOrState },
  { title: "ms", className: "ms number", text: time("last"), more: otherTimes },
  { title: "longest", className: "longest number", text: time("longest"), more: otherTimes },
];

/** @param {"last" | "mean" | "longest"} which */
function time(which) {
  return (/** @type {Data.MemberRow} */ { times }) => (times?.count ? milliseconds(times[which]) : "");
}

/** @param {Data.MemberRow} member */
function otherTimes({ times }) {
  if (!times?.count) return "";
  const replies = `mean ${milliseconds(times.mean)}, longest ${milliseconds(times.longest)} of ${times.count}`;
  const bank = times.time_bank ? `; time bank ${seconds(times.time_bank)}` : "";
  const used = times.time_bank_used ? `, ${seconds(times.time_bank_used)} used` : "";
  return replies + bank + used;
}

/** @param {number} microseconds */
const milliseconds = (microseconds) => (microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 0);

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** @param {Data.MemberRow} member */
const isOut = ({ row }) => row?.left_in_round != null;

/**
 * The last reply of a player, or a more important state.
 * @param {Data.MemberRow} member
 */
function replyOrState({ row, renamed, removing, last_reply, times }) {
  if (row?.left_in_round != null) return `out in round ${row.left_in_round}: ${row.why}`;
  if (removing) return `removed: ${removing}. The room sees it with its round.`;
  const said = [last_reply ?? ""];
  if (times?.time_bank_used)
    said.push(`time bank: ${seconds(times.time_bank_used)} used, ${seconds(times.time_bank ?? 0)} left`);
  if (row?.fouls !== undefined) said.push(`forgiven ${row.fouls}`);
  if (renamed) said.push(`is called ${renamed}`);
  return said.filter(Boolean).join(" · ");
}

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawMembers(overview, actions) {
  const { hour, members } = overview;
  const [seat, ...others] = PLAY_COLUMNS;
  const atTables = members.some(({ table }) => table);
  const columns = hour === "lobby" ? LOBBY_COLUMNS : [atTables ? TABLE_COLUMN : seat, ...others];
  drawHead(columns, members, hour);
  setText(elementById("roster-title"), `Players: ${members.length}`);
  showRows(elementById("members"), members, {
    // Other columns are other rows.
    key: (member) => `${hour === "lobby"} ${member.github_id}`,
    create: () => {
      const cells = columns.map(({ className }) => html("td", { class: className }, html("bdi")));
      return html("tr", {}, ...cells, html("td", {}, html("div", { class: "buttons" })));
    },
    update: (row, member) => {
      for (const [index, { text, more, className }] of columns.entries()) {
        const cell = row.children[index];
        const said = text(member);
        // The reason of an exit takes the room of the reply times.
        if (cell instanceof HTMLTableCellElement && className === "reply")
          cell.colSpan = isOut(member) ? 3 : 1;
        if (cell?.firstElementChild) setText(cell.firstElementChild, said);
        const title = more ? more(member) : said;
        if (cell?.getAttribute("title") !== title) cell?.setAttribute("title", title);
      }
      row.classList.toggle("out", isOut(member));
      const place = row.querySelector(".buttons");
      if (place) showButtons(place, memberButtons(member, overview, actions));
    },
    home: elementById("roster-title"),
  });
}

/**
 * @param {Column[]} columns
 * @param {Data.MemberRow[]} members
 * @param {Data.Overview["hour"]} hour
 */
function drawHead(columns, members, hour) {
  const buttons = hour === "lobby" ? 2 : members.some(({ kind }) => kind === "started") ? 3 : 1;
  const cells = columns.map(({ title, className }) => ({ title, className }));
  cells.push({ title: "Do", className: `do do-${buttons}` });
  const head = elementById("member-head");
  if (!isNews(head, cells)) return;
  head.replaceChildren(
    ...cells.map(({ title, className }) => html("th", { scope: "col", class: className }, title)),
  );
}

/**
 * @param {Data.MemberRow} member
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 * @returns {RowButton[]}
 */
function memberButtons(member, { hour, resumed }, actions) {
  /** @type {RowButton[]} */
  const buttons = [];
  /** @type {(text: string, action: () => void) => void} */
  const add = (text, action) => {
    buttons.push({ text, what: text, label: `${text} ${member.name}`, action });
  };
  if (hour === "lobby" && !resumed) add("Rename", () => actions.rename(member));
  if (hour === "lobby" && member.kind === "remote") add("Send away", () => actions.sendAway(member));
  if (hour === "playing" && !isOut(member) && !member.removing) add("Remove", () => actions.remove(member));
  if (hour !== "lobby" && member.kind === "started") {
    add("stdout", () => actions.output(member, "stdout"));
    add("stderr", () => actions.output(member, "stderr"));
  }
  return buttons;
}

/** @param {Data.Overview} overview */
function drawActions({ actions }) {
  elementById("done").hidden = actions.length === 0;
  const list = elementById("actions");
  if (!isNews(list, actions)) return;
  list.replaceChildren(...actions.map((action) => html("li", {}, action)));
  list.scrollTop = list.scrollHeight;
}
