// The lobby: addresses for programs, the page for phones, the players, the next event, and a summary of the rules.

import { emblem } from "./emblem.js";
import { LINE, fittedBox, nameBox, onResize, sizeInRoom } from "./fit.js";
import { formatNumber, html, isNarrow, isNews, lastDoor, qrCode, showRows, wantsStillness } from "./view.js";

/** @import * as Data from "./data.d.ts" */

const LIST = new Intl.ListFormat("en");

/** The most awaited players that are listed by name. */
const AWAITED_NAMED = 3;

/** The rules in a strip. */
const RULES = [
  ["Three cards", "one in the hole, two face up: one before each of the two rounds of bets."],
  ["The pot is split", "half goes to the best hand, half to the highest spade in the hole."],
  ["Hands", "three of a kind beats a pair, a pair beats high cards. No straights, no flushes."],
  ["Bets", "call, raise by up to 10, or fold. The highest card face up acts first."],
  ["Out", "a player without chips, with a late reply, or with an illegal one."],
];

/** The most columns of names, and the most of its height that a list gives to one name. */
const MOST_COLUMNS = 10;
const TALLEST = 0.22;

/** How much the smallest name counts beside that of most, and the share of the longest names, which may be smaller. */
const SMALLEST = 0.6;
const LONGEST = 0.1;

/** Names with smaller letters than this, in pixels, get the room of the rules. */
const COMFORTABLE = 14;

/** Letters of names are not smaller than this, in pixels: rather the list rolls. Of a crowd they may be smaller. */
const READABLE = 11;
const READABLE_IN_A_CROWD = 9;

/** The pixels of a line besides the name: between two lines, above and below the name, and beside it. */
const BETWEEN = 5;
const AROUND = 4;
const BESIDE = 40;

/**
 * Draws the lobby.
 * @param {HTMLElement} root
 * @param {Data.PageState} current
 */
export function drawLobby(root, { lobby, programme }) {
  const isDrawn = !isNews(root, [lobby, programme.rehearsal]);
  if (isDrawn && root.firstElementChild) return;
  const connect = lobby.connect ?? [];
  const count = lobby.guests.length + lobby.awaited.length;
  const list = root.querySelector("ul") ?? firstDraw(root);
  root.querySelector(".summary")?.replaceWith(summary(lobby, programme));
  drawDoors(root, lobby);
  const guests = lobby.guests.map(({ name, connected, house, rank }) => {
    const comes = connected ? "connected" : "starts with the game";
    return { name, on: true, kind: house ? "of the house" : comes, rank: rank ?? null };
  });
  const missing = absent(lobby).map((name) => ({ name, on: false, kind: "not here yet", rank: null }));
  // Lines that say the same stay: when two hundred come in one by one, each costs the page a line and not two hundred.
  showRows(list, [...guests, ...missing], { key: JSON.stringify, create: line });
  root.classList.toggle("empty", count === 0);
  root.classList.toggle("sparse", count <= SPARSE);
  root.classList.toggle("full", count > FULL);
  root.classList.toggle("crowded", count > CROWD);
  root.classList.toggle("bare", connect.length === 0 && !lobby.qr);
  layOut(list);
  rollSlowly(list);
}

/**
 * Puts the parts of the lobby into their places, all but the rules without content, and gives the list of players.
 * @param {HTMLElement} root
 */
function firstDraw(root) {
  const list = html("ul", {
    class: "guests",
    "aria-label": "Players in the lobby, and missing players",
    tabindex: "0",
  });
  shownDoors = "";
  onResize(list, layOut);
  root.replaceChildren(html("div", { class: "doors" }), html("div", { class: "summary" }), list, rules());
  return list;
}

/** With no more players than these the rules are larger; with more than those the doors are smaller and the list is larger. */
const SPARSE = 10;
const FULL = 16;
const CROWD = 60;

/**
 * Gives the lines of the list the columns and the height with which names are as large as they can be. Names that would be
 * small get the room of the rules; where they still cannot be read, fewer lines than there are fit at once.
 * @param {HTMLElement} list
 */
function layOut(list) {
  const names = [...list.children].map((item) => item.querySelector("bdi")?.textContent ?? "");
  const root = list.parentElement;
  root?.classList.remove("tight");
  if (names.length === 0 || list.clientHeight === 0 || isNarrow()) return;
  let best = largestNames(list, names);
  if (best.size < COMFORTABLE && names.length > FULL) {
    root?.classList.add("tight");
    best = largestNames(list, names);
  }
  const least = names.length > CROWD ? READABLE_IN_A_CROWD : READABLE;
  if (best.size < least) {
    // Two lines of letters that can be read, in as few columns as that takes.
    const [line, font] = [2 * least * LINE + AROUND, getComputedStyle(list)];
    const fits = (/** @type {number} */ columns) =>
      names.every((name) => sizeOfName(name, list.clientWidth / columns - BETWEEN, line, font) >= least);
    let columns = MOST_COLUMNS;
    while (columns > 1 && !fits(columns)) columns--;
    best = { columns, line, size: least, common: least, score: 0 };
  }
  list.style.setProperty("--columns", String(best.columns));
  list.style.setProperty("--line", `${Math.max(best.line, 1).toFixed(1)}px`);
  // All names have one size, but for the longest ones.
  list.style.setProperty("--largest", `${best.common.toFixed(1)}px`);
}

/**
 * The columns and the height of a line with which all names are seen at once and are largest, the smallest of them above all.
 * @param {HTMLElement} list
 * @param {string[]} names
 */
function largestNames(list, names) {
  const [width, height, font] = [list.clientWidth, list.clientHeight, getComputedStyle(list)];
  let best = { columns: 1, line: 0, size: 0, common: 0, score: -Infinity };
  for (let columns = 1; columns <= Math.min(MOST_COLUMNS, names.length); columns++) {
    const line = Math.min(height / Math.ceil(names.length / columns) - BETWEEN, height * TALLEST);
    const column = width / columns - BETWEEN;
    const sizes = names.map((name) => sizeOfName(name, column, line, font)).sort((one, other) => one - other);
    const [size, common] = [sizes[0], sizes[Math.floor(sizes.length * LONGEST)]];
    const score = Math.log(common) + SMALLEST * Math.log(size);
    if (score > best.score + 0.01) best = { columns, line, size, common, score };
  }
  return best;
}

/** @type {(name: string, column: number, line: number, font: CSSStyleDeclaration) => number} */
function sizeOfName(name, column, line, font) {
  const beside = BESIDE + Math.min(line * 0.72, parseFloat(font.fontSize) * 2);
  return sizeInRoom(name, Math.max(1, column - beside), Math.max(1, line - AROUND));
}

let shownDoors = "";

/**
 * Draws the addresses for programs and phones if they have changed.
 * @param {HTMLElement} root
 * @param {Data.LobbyView} lobby
 */
function drawDoors(root, lobby) {
  const connect = lobby.connect ?? [];
  const key = JSON.stringify([connect, lobby.qr, lobby.page_url]);
  if (shownDoors === key) return;
  shownDoors = key;
  const top = html("div", { class: "doors" });
  if (connect.length > 0) top.append(door(connect));
  lastDoor.phones = phones(lobby);
  if (lobby.qr) top.append(lastDoor.phones.cloneNode(true));
  root.querySelector(".doors")?.replaceWith(top);
}

/**
 * The known players who are not in yet.
 * @param {Data.LobbyView} lobby
 */
const absent = ({ awaited, roster }) => [...new Set([...awaited, ...(roster?.missing ?? [])])];

/** @param {string[]} connect */
function door([first, ...more]) {
  // In a line that is there anyway: two hundred names need the room of another one.
  const learn = html("a", { href: "/learn", class: "learn" }, "Learn the game while you wait");
  const words = [
    html("p", { class: "door-title" }, "Connect your program to ", learn),
    fittedBox("address", first),
  ];
  if (more.length) words.push(html("p", { class: "others" }, `or ${more.slice(0, 3).join(" or ")}`));
  return html("div", { class: "door" }, ...words);
}

/** @param {Data.LobbyView} lobby */
function phones({ qr, page_url: url }) {
  if (!qr) return html("div");
  const picture = qrCode(qr, `QR code of ${url ?? "this page"}`);
  const shown = (url ?? "").replace(/^http:\/\//, "").replace(/\/$/, "");
  const address = fittedBox("url", shown);
  const words = html("div", {}, html("p", { class: "door-title" }, "This page on your phone"), address);
  return html("div", { class: "phones" }, picture, words);
}

/**
 * @param {Data.LobbyView} lobby
 * @param {Data.TournamentInfo} programme
 */
function summary(lobby, programme) {
  const missing = Math.max(0, lobby.wanted - lobby.guests.length);
  const known = absent(lobby);
  const others = Math.max(0, missing - known.length);
  // More names than these are read in the list.
  const awaited = known.length <= AWAITED_NAMED ? [...known] : [];
  const more = awaited.length ? others : others + known.length;
  if (more > 0) awaited.push(`${more} more ${more === 1 ? "player" : "players"}`);
  const waiting =
    missing > 0 || known.length > 0
      ? `Waiting for ${LIST.format(awaited)} …`
      : lobby.wanted > 0
        ? "Everybody is in."
        : "Waiting for the start …";
  const inside = html(
    "p",
    { class: "inside" },
    html("strong", {}, formatNumber(lobby.guests.length)),
    lobby.wanted > 0 ? ` of ${formatNumber(lobby.wanted)} in` : " in",
  );
  const parts = [inside, html("p", { class: "waiting" }, waiting)];
  const next = [];
  if (lobby.resumed && !lobby.next) next.push("the tournament continues");
  if (programme.rehearsal) next.push("rehearsal");
  if (lobby.next) next.push(lobby.next);
  if (next.length) parts.push(html("p", { class: "next" }, `Next: ${next.join(" · ")}`));
  return html("div", { class: "summary" }, ...parts);
}

/** @param {{ name: string, on: boolean, kind: string, rank: number | null }} player With its place on the ladder. */
function line({ name, on, kind, rank }) {
  return html(
    "li",
    { class: on ? "on" : "off", title: name },
    emblem(name),
    nameBox(name),
    html("span", { class: "kind" }, kind),
    html("span", { class: "place" }, rank ? `no. ${rank} on the ladder` : ""),
  );
}

function rules() {
  const items = RULES.flatMap(([term, words]) => [html("dt", {}, term), html("dd", {}, words)]);
  const pairs = [];
  for (let index = 0; index < items.length; index += 2)
    pairs.push(html("div", {}, items[index], items[index + 1]));
  return html("dl", { class: "rules" }, ...pairs);
}

/** How far a list that is too long for its box rolls, and how often, in pixels and milliseconds. */
const ROLL_MS = 4000;

/** @type {number | null} */
let roller = null;

/**
 * Rolls a list that is too long for its box, by nearly the height of the box, and from its end to its beginning again.
 * @param {HTMLElement} list
 */
function rollSlowly(list) {
  if (roller !== null) window.clearInterval(roller);
  roller = window.setInterval(() => {
    if (!list.isConnected || list.clientHeight === 0) return;
    if (list.scrollHeight <= list.clientHeight + 4 || list.matches(":hover, :focus")) return;
    const end = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    const top = end ? 0 : list.scrollTop + list.clientHeight * 0.9;
    list.scrollTo({ top, behavior: wantsStillness() ? "instant" : "smooth" });
  }, ROLL_MS);
}
