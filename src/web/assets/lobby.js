// The lobby: where programs connect, the page for phones, who is in, what is next, and the rules in short.

import { emblem } from "./emblem.js";
import { fitNames } from "./fit.js";
import { formatNumber, html, nameBox, svg, wantsStillness } from "./view.js";

/** @import * as Data from "./data.d.ts" */

const LIST = new Intl.ListFormat("en");

/** Who is awaited is named up to this many names. */
const AWAITED_NAMED = 4;

/** The rules in a strip. */
const RULES = [
  ["Three cards", "one in the hole, two face up: one before each of the two rounds of bets."],
  ["The pot is split", "half goes to the best hand, half to the highest spade in the hole."],
  ["Hands", "three of a kind beats a pair, a pair beats high cards. No straights, no flushes."],
  ["Bets", "call, raise by up to 10, or fold. Who has the highest card face up speaks first."],
  ["Out", "is whoever has no chips, answers too late, or answers what is not allowed."],
];

/** The least width of a column of names, in pixels. */
const LEAST_COLUMN = 200;

let shown = "";

/**
 * Draws the lobby.
 * @param {HTMLElement} root
 * @param {Data.PageState} current
 */
export function drawLobby(root, { lobby, programme }) {
  const key = JSON.stringify([lobby, programme.rehearsal]);
  if (shown === key && root.firstElementChild) return;
  shown = key;
  const connect = lobby.connect ?? [];
  const count = lobby.guests.length + lobby.awaited.length;
  const list = root.querySelector("ul") ?? firstDraw(root);
  root.querySelector(".summary")?.replaceWith(summary(lobby, programme));
  drawDoors(root, lobby);
  drawList(list, [
    ...lobby.guests.map(({ name, connected, house }) => {
      const kind = connected ? "connected" : "starts with the game";
      return { name, on: connected, kind: house ? "of the house" : kind };
    }),
    ...absent(lobby).map((name) => ({ name, on: false, kind: "not here yet" })),
  ]);
  const wanted = count > 120 ? 8 : count > 60 ? 6 : count > 24 ? 4 : count > 8 ? 3 : 2;
  // On a small projector the list rolls rather than that nobody can read it.
  const columns = Math.min(wanted, Math.max(2, Math.floor(innerWidth / LEAST_COLUMN)));
  list.style.setProperty("--columns", String(columns));
  list.style.setProperty("--lines", String(Math.ceil(Math.max(count, 1) / columns)));
  root.classList.toggle("crowded", count > 60);
  root.classList.toggle("bare", connect.length === 0 && !lobby.qr);
  fitNames(root);
  rollSlowly(list);
}

/**
 * Puts the parts of the lobby into their places, all but the rules without content, and gives the list of players.
 * @param {HTMLElement} root
 */
function firstDraw(root) {
  const list = html("ul", {
    class: "guests",
    "aria-label": "Players who are in, and who is awaited",
    tabindex: "0",
  });
  shownDoors = "";
  root.replaceChildren(html("div", { class: "doors" }), html("div", { class: "summary" }), list, rules());
  return list;
}

let shownDoors = "";

/**
 * Draws where programs and phones connect, if that is not what is shown.
 * @param {HTMLElement} root
 * @param {Data.Lobby} lobby
 */
function drawDoors(root, lobby) {
  const connect = lobby.connect ?? [];
  const key = JSON.stringify([connect, lobby.qr, lobby.page_url]);
  if (shownDoors === key) return;
  shownDoors = key;
  const top = html("div", { class: "doors" });
  if (connect.length > 0) top.append(door(connect));
  if (lobby.qr) top.append(phones(lobby));
  root.querySelector(".doors")?.replaceWith(top);
}

/**
 * What each line of the list says.
 * @type {WeakMap<Element, string>}
 */
const said = new WeakMap();

/**
 * Makes the list one of these players. Lines that say the same as before stay, in the order that is wanted: when two
 * hundred come in one by one, each costs the page a line and not two hundred.
 * @param {Element} list
 * @param {{ name: string, on: boolean, kind: string }[]} players
 */
function drawList(list, players) {
  /** @type {Map<string | undefined, Element[]>} */
  const old = new Map();
  for (const item of list.children) {
    const key = said.get(item);
    old.set(key, [...(old.get(key) ?? []), item]);
  }
  const items = players.map(({ name, on, kind }) => {
    const key = JSON.stringify([name, on, kind]);
    const item = old.get(key)?.shift() ?? line(name, on, kind);
    said.set(item, key);
    return item;
  });
  for (const left of old.values()) left.forEach((item) => item.remove());
  let at = list.firstElementChild;
  for (const item of items) {
    if (item === at) at = item.nextElementSibling;
    else list.insertBefore(item, at);
  }
}

/**
 * Who is not in yet, of those who are known.
 * @param {Data.Lobby} lobby
 */
const absent = ({ awaited, roster }) => [...new Set([...awaited, ...(roster?.missing ?? [])])];

/** @param {string[]} connect */
function door([first, ...more]) {
  const words = [
    html("p", { class: "door-title" }, "Connect your program to"),
    html("p", { class: "address fit" }, html("bdi", {}, first)),
  ];
  if (more.length) words.push(html("p", { class: "others" }, `or ${more.slice(0, 3).join(" or ")}`));
  return html("div", { class: "door" }, ...words);
}

/** @param {Data.Lobby} lobby */
function phones({ qr, page_url: url }) {
  if (!qr) return html("div");
  const border = 3;
  const side = qr.size + 2 * border;
  const label = `QR code of ${url ?? "this page"}`;
  const picture = svg(
    "svg",
    { viewBox: `${-border} ${-border} ${side} ${side}`, class: "qr", role: "img", "aria-label": label },
    svg("path", { d: `M${-border} ${-border}h${side}v${side}h${-side}Z`, class: "qr-ground" }),
    svg("path", { d: qr.path, class: "qr-ink" }),
  );
  const address = html("p", { class: "url" }, (url ?? "").replace(/^http:\/\//, "").replace(/\/$/, ""));
  const words = html("div", {}, html("p", { class: "door-title" }, "This page on your phone"), address);
  return html("div", { class: "phones" }, picture, words);
}

/**
 * @param {Data.Lobby} lobby
 * @param {Data.Programme} programme
 */
function summary(lobby, programme) {
  const missing = Math.max(0, lobby.wanted - lobby.guests.length);
  const known = absent(lobby);
  const others = Math.max(0, missing - known.length);
  const named = AWAITED_NAMED - 1;
  const awaited =
    known.length <= AWAITED_NAMED ? [...known] : [...known.slice(0, named), `${known.length - named} others`];
  if (others > 0) awaited.push(`${others} more ${others === 1 ? "player" : "players"}`);
  const waiting =
    missing === 0 && known.length === 0 ? "Everybody is in." : `Waiting for ${LIST.format(awaited)} …`;
  const inside = html(
    "p",
    { class: "inside" },
    html("strong", {}, formatNumber(lobby.guests.length)),
    ` of ${formatNumber(lobby.wanted)} in`,
  );
  const parts = [inside, html("p", { class: "waiting" }, waiting)];
  const next = [];
  if (lobby.resumed && !lobby.next) next.push("the tournament goes on");
  if (programme.rehearsal) next.push("rehearsal");
  if (lobby.next) next.push(lobby.next);
  if (next.length) parts.push(html("p", { class: "next" }, `Next: ${next.join(" · ")}`));
  return html("div", { class: "summary" }, ...parts);
}

/**
 * @param {string} name
 * @param {boolean} on Whether the player is connected.
 * @param {string} kind
 */
function line(name, on, kind) {
  return html(
    "li",
    { class: on ? "on" : "off", title: name },
    emblem(name),
    nameBox(name),
    html("span", { class: "kind" }, kind),
    html("span", { class: "light", "aria-hidden": "true" }),
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
