// Functions shared by all parts of the page: elements, names, numbers and cards. Texts from players are set as text,
// never as HTML.

import { emblem, hueOf } from "./emblem.js";

/** @import * as Data from "./data.d.ts" */

/** @typedef {Record<string, string | number>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, { word: string, path: string }>} */
const SUITS = {
  S: {
    word: "spades",
    path: "M50 6C62 27 92 41 92 63c0 17-19 23-34 11 1 10 6 16 12 20H30c6-4 11-10 12-20C27 86 8 80 8 63 8 41 38 27 50 6Z",
  },
  H: {
    word: "hearts",
    path: "M50 94C34 75 6 60 6 34 6 17 19 8 31 8c10 0 16 6 19 14C53 14 59 8 69 8c12 0 25 9 25 26 0 26-28 41-44 60Z",
  },
  D: { word: "diamonds", path: "M50 4 86 50 50 96 14 50Z" },
  C: {
    word: "clubs",
    path: "M50 6a21 21 0 0 1 18 32 21 21 0 1 1-11 33c2 11 6 18 13 23H30c7-5 11-12 13-23a21 21 0 1 1-11-33A21 21 0 0 1 50 6Z",
  },
};

/** The letter of each suit's sign. @type {Record<string, string>} */
const SUIT_LETTERS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** @type {Record<string, string>} */
const FACES = { J: "jack", Q: "queen", K: "king", A: "ace" };

const COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const NUMBERS = new Intl.NumberFormat("en");

/**
 * A number with commas between the thousands.
 * @param {number} number
 */
export const formatNumber = (number) => NUMBERS.format(number);

/**
 * A place in words: 1st, 22nd, 113th.
 * @param {number} place
 */
export function ordinal(place) {
  const tens = place % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id
 * @param {new () => Type} [type] What kind of element it has to be.
 * @returns {Type}
 */
export function elementById(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) throw new Error(`the page has no such element: ${id}`);
  return /** @type {Type} */ (found);
}

/**
 * Gives an element attributes and children. A child that is a string stays text.
 * @template {Element} Type
 * @param {Type} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A new HTML element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * A new SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Sets the text of an element if it is another one.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Bytes as small hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export const inHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Asks the server, and gives its answer. A refusal is an error in the server's words, whose cause is the status; a lost
 * connection is a TypeError.
 * @param {string} path
 * @param {{ token?: string, body?: object }} what A body is sent by POST: a file as it is, anything else as JSON.
 */
export async function request(path, { token, body } = {}) {
  /** @type {Record<string, string>} */
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const isJson = body !== undefined && !(body instanceof Blob);
  if (isJson) headers["Content-Type"] = "application/json";
  const sent = isJson ? JSON.stringify(body) : body;
  const response = await fetch(path, { method: sent === undefined ? "GET" : "POST", headers, body: sent });
  if (!response.ok) throw new Error(await response.text(), { cause: response.status });
  return response;
}

/** The words of an error, or other ones for a lost connection. @type {(error: unknown, lost?: string) => string} */
export const wordsOf = (error, lost = "") =>
  (error instanceof TypeError && lost) || (error instanceof Error ? error.message : String(error));

/** The key of each row that {@link showRows} made. @type {WeakMap<Element, string>} */
const rowKeys = new WeakMap();

/**
 * Shows a list: a row for each item, known by its key. Rows that stay are the same elements and are changed in place.
 * Where the row goes that has the focus, `home` gets it.
 * @template Item
 * @param {Element} list
 * @param {Item[]} items
 * @param {{
 *   key: (item: Item) => string | number,
 *   create: (item: Item) => HTMLElement,
 *   update?: (row: HTMLElement, item: Item, index: number) => void,
 *   home?: HTMLElement,
 * }} how
 */
export function showRows(list, items, { key, create, update, home }) {
  const had = list.contains(document.activeElement);
  /** @type {Map<string | undefined, HTMLElement[]>} */
  const old = new Map();
  for (const row of list.children) {
    const name = rowKeys.get(row);
    if (row instanceof HTMLElement) old.set(name, [...(old.get(name) ?? []), row]);
  }
  const rows = items.map((item, index) => {
    const name = String(key(item));
    const row = old.get(name)?.shift() ?? create(item);
    rowKeys.set(row, name);
    update?.(row, item, index);
    return row;
  });
  for (const left of old.values()) left.forEach((row) => row.remove());
  let at = list.firstElementChild;
  for (const row of rows) {
    if (row === at) at = row.nextElementSibling;
    else list.insertBefore(row, at);
  }
  if (had && !list.contains(document.activeElement)) home?.focus();
}

/** The value for which each element was drawn last. @type {WeakMap<Element, string>} */
const drawnFor = new WeakMap();

/**
 * Whether an element has to be drawn for this value: not if it was drawn for an equal one the last time.
 * @param {Element} element
 * @param {unknown} value
 */
export function isNews(element, value) {
  const text = JSON.stringify(value);
  if (drawnFor.get(element) === text) return false;
  drawnFor.set(element, text);
  return true;
}

/**
 * Makes a function for requests of which only the newest answer counts. Call it when a request begins: it gives a function
 * that says whether no other one has begun since.
 */
export function newestOnly() {
  let newest = 0;
  return () => {
    const mine = ++newest;
    return () => mine === newest;
  };
}

/** Pages of this width and more, in pixels, are on a projector, and dark unless this browser was told otherwise. */
const PROJECTOR = 1280;

/** Gives the page the colors that it had in this browser, or those of a projector. */
export function startTheme() {
  const theme = memory.get("theme") || (window.innerWidth >= PROJECTOR ? "dark" : "");
  if (theme) document.documentElement.dataset.theme = theme;
}

/** Changes between dark and light colors. */
export function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : !matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  memory.set("theme", root.dataset.theme);
}

/**
 * Listens to single keys, but not while something is typed. A key that is held counts once; only arrows go on. Letters and
 * figures can be switched off.
 * @param {(key: string, event: KeyboardEvent) => void} act
 */
export function onKey(act) {
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const isShortcut = /^[a-z0-9]$/.test(key);
    if (event.ctrlKey || event.metaKey || event.altKey || (event.repeat && !key.startsWith("arrow"))) return;
    if (isShortcut && memory.get("letters") === "off") return;
    if (event.target instanceof Element && event.target.closest("input, select, dialog")) return;
    act(key, event);
  });
}

/** The switch for keys that are letters and figures. */
export function lettersSwitch() {
  const box = html("input", { type: "checkbox" });
  const apply = () => document.body.classList.toggle("no-letters", !box.checked);
  box.checked = memory.get("letters") !== "off";
  box.addEventListener("change", () => {
    memory.set("letters", box.checked ? "on" : "off");
    apply();
  });
  apply();
  return html("label", {}, box, " Letters and figures are keys");
}

/** Whether the viewer wants things to stand still. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether the window is as narrow as a phone's. */
export const isNarrow = () => matchMedia("(max-width: 799px)").matches;

/**
 * A player's name.
 * @param {Data.TournamentInfo} programme
 * @param {number} player The player's number, from 1.
 */
export const playerName = (programme, player) => programme.players[player - 1] ?? "";

/**
 * A name within a line of text.
 * @param {string} name
 */
export const inlineName = (name) => html("bdi", { class: "inline-name" }, name);

/**
 * Whether a player is a house bot among others.
 * @param {Data.TournamentInfo} programme
 * @param {number} player The player's number, from 1.
 */
export const isHouse = (programme, player) => programme.house?.includes(player) ?? false;

/** The room around a QR code, in modules. */
const QR_MARGIN = 4;

/**
 * @param {Data.QrCode} code
 * @param {string} label
 */
export function qrCode({ size, path }, label) {
  const side = size + 2 * QR_MARGIN;
  const viewBox = `${-QR_MARGIN} ${-QR_MARGIN} ${side} ${side}`;
  return svg(
    "svg",
    { viewBox, class: "qr", role: "img", "aria-label": label },
    svg("path", { d: `M${-QR_MARGIN} ${-QR_MARGIN}h${side}v${side}h${-side}Z`, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

/** The QR code of the page for phones, as the lobby showed it last; empty without one. */
export const lastDoor = { phones: html("div") };

/**
 * The emblem of a player: a house bot among others has a house in its corner.
 * @param {Data.TournamentInfo} programme
 * @param {number} player The player's number, from 1.
 */
export function playerEmblem(programme, player) {
  const drawn = emblem(playerName(programme, player));
  if (isHouse(programme, player)) {
    drawn.append(svg("path", { d: "M52 76 76 54 100 76V100H52Z", class: "house-mark" }));
  }
  return drawn;
}

/**
 * A card in words.
 * @param {string} rank
 * @param {string} suit Its letter.
 */
const cardInWords = (rank, suit) => `${FACES[rank] ?? COUNTS[Number(rank)]} of ${SUITS[suit].word}`;

/**
 * Puts a sentence into an element, if it is another one than before. Cards in it, as 8♥, are read out in words.
 * @param {HTMLElement} element
 * @param {string} sentence
 */
export function setSentence(element, sentence) {
  if (element.textContent === sentence) return;
  const parts = sentence.split(/((?:10|[2-9JQKA])[♠♥♦♣])/u).map((part, index) => {
    if (index % 2 === 0) return part;
    const label = cardInWords(part.slice(0, -1), SUIT_LETTERS[part.slice(-1)]);
    return html("span", { role: "img", "aria-label": label }, part);
  });
  element.replaceChildren(...parts);
}

/**
 * A card face up: the rank is large; shape and color show the suit.
 * @param {Data.CardCode} code
 */
export function drawCard(code) {
  const [rank, suit] = [code.slice(0, -1), code.slice(-1)];
  const { path } = SUITS[suit];
  const label = cardInWords(rank, suit);
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: `card suit-${suit}`, role: "img", "aria-label": label },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("text", { x: 32, y: 43, class: "rank", ...(rank === "10" && NARROW) }, rank),
    svg("path", { d: path, transform: "translate(17 54) scale(.3)" }),
  );
}

/** A rank of two figures is as high as the others. */
const NARROW = { textLength: 54, lengthAdjust: "spacingAndGlyphs" };

/** A card face down. */
export function drawCardBack() {
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: "card back", role: "img", "aria-label": "a card face down" },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("rect", { x: 8, y: 8, width: 48, height: 72, rx: 4, class: "pattern" }),
    svg("path", { d: "M32 20 46 44 32 68 18 44Z", class: "figure" }),
  );
}

/** The cards of a seat, the hole card first: face down where it is hidden. @param {Data.SeatView} seat */
export const seatCards = ({ hole, up }) => [hole ? drawCard(hole) : drawCardBack(), ...up.map(drawCard)];

/**
 * Gives an element the marks of its player: the hue of its emblem, and one of three kinds of dashes.
 * @template {HTMLElement | SVGElement} Type
 * @param {Type} element
 * @param {number} player The player's number, from 1.
 * @param {Data.TournamentInfo} programme
 */
export function markPlayer(element, player, programme) {
  element.style.setProperty("--hue", String(hueOf(playerName(programme, player))));
  element.dataset.dash = String((player - 1) % 3);
  return element;
}

/**
 * Values that a browser keeps, or until the page is closed where storage is blocked.
 * @param {() => Storage} store Asking for it may fail.
 */
const keptIn = (store) => ({
  /** @type {Record<string, string>} */
  here: {},
  /** @param {string} key */
  get(key) {
    try {
      return store().getItem(`casino-${key}`) ?? this.here[key] ?? "";
    } catch {
      return this.here[key] ?? "";
    }
  },
  /** @type {(key: string, value: string) => void} */
  set(key, value) {
    this.here[key] = value;
    try {
      store().setItem(`casino-${key}`, value);
    } catch {
      // It is kept in `here`.
    }
  },
});

/** Values kept from one visit to the next. */
export const memory = keptIn(() => localStorage);

/** Values kept until the tab is closed. */
export const visit = keptIn(() => sessionStorage);

/**
 * The token behind the # of a printed link, which no server ever sees; it leaves the address bar. Without one, the last that
 * was used.
 * @param {string} kind
 */
export function tokenOfLink(kind) {
  if (location.hash.length > 1) {
    visit.set(kind, location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
  return visit.get(kind);
}
