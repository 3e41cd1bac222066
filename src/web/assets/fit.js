// Names are shown whole: a name that has no room on its line is set smaller, or on two lines, until all of it is seen.
// Widths are measured on a canvas, so that two hundred names cost the page one layout and not two hundred.

/** How much of the height of its box a line of text takes. */
const LINE = 1.16;

/** A line must be this many times smaller than two lines before two are taken. */
const WRAPS = 1.12;

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
  const key = `${width} ${height} ${text.textContent}`;
  if (fitted.get(box) === key) return [];
  fitted.set(box, key);
  const style = getComputedStyle(box);
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
 * Sets a text on several lines where it is larger that way.
 * @param {Task} task
 * @param {number} single
 */
function wrap(task, single) {
  const { text, width, height, lines } = task;
  if (lines < 2) return;
  for (let size = height / lines / LINE; size > single * WRAPS; size *= 0.94) {
    setSize(task, size, true);
    const rect = text.getBoundingClientRect();
    if (rect.height <= height + 1 && text.scrollWidth <= width + 1 && rect.width <= width + 1) return;
  }
  setSize(task, single, false);
}

let waiting = 0;

/** Fits everything again when the window has changed. */
export function fitWithWindow() {
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => fitNames(document));
  });
  document.fonts.ready.then(() => fitNames(document));
}
