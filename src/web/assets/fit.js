// Names are shown whole: a name that has no room on its line is set smaller, or on two lines, until all of it is seen.
// Widths are measured on a canvas, so that two hundred names cost the page one layout and not two hundred.

/** How much of the height of its box a line of text takes. */
export const LINE = 1.16;

/** A line must be this many times smaller than two lines before two are taken. */
const WRAPS = 1.12;

/** Which part of a line is filled where a text is set on several: words do not end in their middle. */
const FILLED = 0.8;
const FILLED_WITHOUT_WORDS = 0.94;

/** A name is set on so many lines at most. */
const MOST_LINES = 3;

/** A word is broken only where its letters become so many times larger by it, and only if it has more letters than this. */
const BREAKS = 1.35;
const WHOLE = 14;

/** The part of the width that is used: what is measured and what is drawn may differ by a hair. */
const SAFE = 0.985;

/** The size at which texts are measured, in pixels. */
const MEASURED = 100;

const canvas = document.createElement("canvas").getContext("2d");

/**
 * Into which room each text was fitted last. It is not kept on the elements: measuring one box after another may not
 * change the page in between, or the browser computes its styles anew for each.
 * @type {WeakMap<HTMLElement, string>}
 */
const fitted = new WeakMap();

/**
 * A box and its text, with the room there is.
 * @typedef {{ box: HTMLElement, text: HTMLElement, width: number, height: number, lines: number, font: string }} Task
 */

/**
 * Fits all names within an element. What has been fitted before and has not changed costs next to nothing.
 * @param {ParentNode} root
 */
export function fitNames(root) {
  const tasks = [...root.querySelectorAll(".fit")].flatMap(taskOf);
  const sized = tasks.map((task) => ({ task, single: singleLine(task) }));
  for (const { task, single } of sized) setSize(task, single, false);
  for (const { task, single } of sized) wrap(task, single);
}

/**
 * What there is to do for a box: nothing if its text was fitted into this very room.
 * @param {Element} box
 * @returns {Task[]}
 */
function taskOf(box) {
  const text = box.firstElementChild;
  if (!(box instanceof HTMLElement) || !(text instanceof HTMLElement)) return [];
  const [width, height] = [box.clientWidth, box.clientHeight];
  if (width === 0 || height === 0) return [];
  const style = getComputedStyle(box);
  // Whoever has folded is written in lighter letters, which are narrower.
  const key = `${width} ${height} ${style.fontWeight} ${text.textContent}`;
  if (fitted.get(box) === key) return [];
  fitted.set(box, key);
  const lines = Number(style.getPropertyValue("--lines")) || 2;
  return [{ box, text, width, height, lines, font: `${style.fontWeight} ${MEASURED}px ${style.fontFamily}` }];
}

/**
 * The size at which a text takes a single line and no more than its box.
 * @param {Task} task
 */
function singleLine({ text, width, height, font }) {
  const largest = height / LINE;
  if (!canvas) return largest;
  canvas.font = font;
  const measured = canvas.measureText(text.textContent).width;
  return measured === 0 ? largest : Math.min(largest, (SAFE * width * MEASURED) / measured);
}

/**
 * About the size in pixels that a text would have in a box of this size, on one line or on several.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @param {CSSStyleDeclaration} font
 */
export function sizeInRoom(text, width, height, { fontFamily }) {
  const share = height / LINE;
  if (!canvas) return share;
  canvas.font = `600 ${MEASURED}px ${fontFamily}`;
  const measured = canvas.measureText(text).width / MEASURED || 1;
  let best = Math.min(share, width / measured);
  const filled = text.includes(" ") ? FILLED : FILLED_WITHOUT_WORDS;
  for (let lines = 2; lines <= MOST_LINES; lines++) {
    best = Math.max(best, Math.min(share / lines, (lines * filled * width) / measured));
  }
  return best;
}

/**
 * @param {Task} task
 * @param {number} size
 * @param {boolean} wrapped
 */
function setSize({ text }, size, wrapped) {
  text.style.whiteSpace = wrapped ? "normal" : "nowrap";
  text.style.maxWidth = wrapped ? "100%" : "none";
  text.style.fontSize = `${size.toFixed(2)}px`;
}

/**
 * Sets a text on several lines where it is larger that way: with whole words, unless it is far larger with broken ones.
 * @param {Task} task
 * @param {number} single
 */
function wrap(task, single) {
  const { text, width, height, lines } = task;
  if (lines < 2) return;
  /** @param {number} most @param {number} least */
  const largest = (most, least) => {
    for (let size = most; size > least; size *= 0.94) {
      setSize(task, size, true);
      const rect = text.getBoundingClientRect();
      if (rect.height <= height + 1 && text.scrollWidth <= width + 1 && rect.width <= width + 1) return size;
    }
    return 0;
  };
  const most = height / lines / LINE;
  const whole = largest(Math.min(most, longestWord(task)), single * WRAPS);
  const isShort = wordsOf(text).every((word) => word.length <= WHOLE);
  if (
    isShort ||
    most <= Math.max(whole, single) * BREAKS ||
    largest(most, Math.max(whole, single) * BREAKS) === 0
  ) {
    setSize(task, whole || single, whole > 0);
  }
}

/**
 * The size at which the longest word of a text takes a line.
 * @param {Task} task
 */
function longestWord({ text, width, font }) {
  if (!canvas) return 0;
  canvas.font = font;
  const widest = Math.max(1, ...wordsOf(text).map((word) => canvas?.measureText(word).width ?? 0));
  return (SAFE * width * MEASURED) / widest;
}

/** @param {HTMLElement} text */
const wordsOf = (text) => text.textContent.split(/\s+/);

let waiting = 0;

/** Fits everything again when the window has changed. */
export function fitWithWindow() {
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => fitNames(document));
  });
  document.fonts.ready.then(() => fitNames(document));
}
