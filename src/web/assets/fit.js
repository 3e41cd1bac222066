// Names are shown whole: on one to three lines, in the largest letters with which they fit into their boxes. The style sheet
// sets the size of the letters from the size of the box and the widths that are measured here, once for each text.

import { html, markPlayer, playerEmblem, playerName } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** The height of a line for each pixel of its letters, as in the style sheet. */
export const LINE = 1.1;

/** Texts whose widths are kept. */
const MOST_KNOWN = 4000;

/** Words with more letters than this may be broken. */
const WHOLE = 14;

/** The size at which texts are measured, in pixels. */
const MEASURED = 100;

/** Letters with their marks, and emoji of several parts, which no line divides. */
const LETTERS = new Intl.Segmenter();

/** A line may end here: at spaces, behind hyphens, and around emoji, but not within one. */
const BREAKS = /\s+|(?<=-)|(?<!\u200d)(?=\p{Emoji_Presentation})|(?<=\p{Emoji_Presentation})(?!\u200d)/u;

const canvas = document.createElement("canvas").getContext("2d");

/**
 * The width of a text for letters of one pixel, in the font that {@link widthsOf} has set.
 * @param {string} text
 */
const widthOf = (text) => (canvas ? canvas.measureText(text).width / MEASURED : text.length * 0.6);

/**
 * The number of lines of this width that words take.
 * @param {{ width: number, letters: number[] }[]} words
 * @param {number} line
 */
function linesOf(words, line) {
  const space = widthOf(" ");
  let [lines, used] = [1, 0];
  for (const { width, letters } of words) {
    if (used > 0 && used + space + width <= line) {
      used += space + width;
      continue;
    }
    if (used > 0) lines++;
    used = width;
    if (width <= line) continue;
    if (letters.length <= WHOLE) return Infinity;
    used = 0;
    for (const letter of letters) {
      if (used + letter > line) [lines, used] = [lines + 1, 0];
      used += letter;
    }
  }
  return lines;
}

/** @type {Map<string, number[]>} */
const known = new Map();

/**
 * The widths that a text takes on one, two and three lines, for letters of one pixel.
 * @param {string} text
 */
function widthsOf(text) {
  let widths = known.get(text);
  if (!widths) {
    if (canvas) canvas.font = `800 ${MEASURED}px ${getComputedStyle(document.body).fontFamily}`;
    const words = text.split(BREAKS).map((word) => ({
      width: widthOf(word),
      letters: [...LETTERS.segment(word)].map(({ segment }) => widthOf(segment)),
    }));
    const whole = Math.max(widthOf(text), 0.1);
    widths = [1, 2, 3].map((lines) => {
      let [least, most] = [whole / lines, whole];
      for (let step = 0; lines > 1 && step < 8; step++) {
        const middle = (least + most) / 2;
        if (linesOf(words, middle) <= lines) most = middle;
        else least = middle;
      }
      return most;
    });
    if (known.size > MOST_KNOWN) known.clear();
    known.set(text, widths);
  }
  return widths;
}

/**
 * Sets the text in a box of the class `fit`.
 * @param {HTMLElement} box
 * @param {string} text
 */
export function setFitted(box, text) {
  const inside = box.firstElementChild;
  if (!(inside instanceof HTMLElement) || inside.textContent === text) return;
  inside.textContent = text;
  for (const [index, width] of widthsOf(text).entries()) {
    inside.style.setProperty(`--width-${index + 1}`, width.toFixed(3));
  }
}

/**
 * A box with a text that fits into it.
 * @param {string} kind
 * @param {string} text
 */
export function fittedBox(kind, text) {
  const box = html("span", { class: `${kind} fit` }, html("bdi"));
  setFitted(box, text);
  return box;
}

/**
 * The box of a name. The direction of its letters does not change the text around it.
 * @param {string} name
 */
export const nameBox = (name) => fittedBox("name", name);

/**
 * An element with the emblem, the name and the marks of a player.
 * @param {"div" | "li" | "p" | "span" | "td"} tag
 * @param {string} kind Its class.
 * @param {Data.TournamentInfo} programme
 * @param {number} player The player's number, from 1.
 * @param {(Node | string)[]} more What follows the name.
 */
export function playerBox(tag, kind, programme, player, ...more) {
  const name = nameBox(playerName(programme, player));
  const box = html(tag, { class: kind }, playerEmblem(programme, player), name, ...more);
  return markPlayer(/** @type {HTMLElement} */ (box), player, programme);
}

/**
 * The size in pixels of the letters of a text in a box of this size.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 */
export const sizeInRoom = (text, width, height) =>
  Math.max(...widthsOf(text).map((wide, index) => Math.min(height / LINE / (index + 1), width / wide)));

/**
 * Gives the names of a list the size with which all of them fit. A name that is too long for readable letters has smaller
 * ones than the others; the style sheet says which are readable.
 * @template {HTMLElement} Type
 * @param {Type} list
 */
export function withOneSize(list) {
  const names = [...list.querySelectorAll(".name bdi")].map((name) => widthsOf(name.textContent ?? ""));
  for (const lines of [1, 2, 3]) {
    const widest = Math.max(0.1, ...names.map((widths) => widths[lines - 1]));
    list.style.setProperty(`--widest-${lines}`, widest.toFixed(3));
  }
  return list;
}

/** What is done when the size of an element changes. @type {WeakMap<Element, (element: HTMLElement) => void>} */
const fitters = new WeakMap();
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) fitters.get(target)?.(target);
});

/** @type {(element: HTMLElement, act: (element: HTMLElement) => void) => void} */
export function onResize(element, act) {
  fitters.set(element, act);
  sizes.observe(element);
}

/** A title of more letters than this is long. */
const LONG_TITLE = 24;

/**
 * Puts the title of the day where the name of the game stands.
 * @param {Data.Occasion} [occasion]
 * @param {string} [kind] What kind of page it is.
 */
export function showTitle({ title = "Casino Day" } = {}, kind = "") {
  const isLong = title.length > LONG_TITLE;
  for (const heading of document.querySelectorAll("h1")) {
    if (heading.textContent === title) continue;
    heading.classList.toggle("long", isLong);
    heading.replaceChildren(isLong ? fittedBox("", title) : html("span", {}, title));
  }
  document.title = kind ? `${title}: ${kind}` : title;
}
