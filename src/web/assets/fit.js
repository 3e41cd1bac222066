// Names are shown whole: a name that has no room on its line is set smaller, or on two lines, until all of it is seen.

/** How much of the height of its box a line of text takes. */
const LINE = 1.16;

/** A line must be this many times smaller than two lines before two are taken. */
const WRAPS = 1.12;

/**
 * Fits the text of one box into it. The box has a size of its own; its only child is the text.
 * @param {HTMLElement} box
 */
function fit(box) {
  const text = box.firstElementChild;
  if (!(text instanceof HTMLElement)) return;
  const [width, height] = [box.clientWidth, box.clientHeight];
  if (width === 0 || height === 0) return;
  const key = `${width} ${height} ${text.textContent}`;
  if (box.dataset.fitted === key) return;
  box.dataset.fitted = key;
  const lines = Number(getComputedStyle(box).getPropertyValue("--lines")) || 2;
  const largest = height / LINE;
  text.style.whiteSpace = "nowrap";
  text.style.maxWidth = "none";
  text.style.fontSize = `${largest}px`;
  const measured = text.getBoundingClientRect().width;
  if (measured <= width) return;
  const single = Math.floor((largest * 10 * width) / measured) / 10 - 0.1;
  let size = Math.min(largest / lines, height / lines / LINE);
  if (lines < 2 || single * WRAPS > size) {
    text.style.fontSize = `${single}px`;
    return;
  }
  text.style.whiteSpace = "normal";
  text.style.maxWidth = "100%";
  while (size > single) {
    text.style.fontSize = `${size}px`;
    const rect = text.getBoundingClientRect();
    if (rect.height <= height + 1 && text.scrollWidth <= width + 1 && rect.width <= width + 1) return;
    size *= 0.94;
  }
  text.style.whiteSpace = "nowrap";
  text.style.maxWidth = "none";
  text.style.fontSize = `${single}px`;
}

/**
 * Fits all names within an element. What has been fitted before and has not changed costs next to nothing.
 * @param {ParentNode} root
 */
export function fitNames(root) {
  root.querySelectorAll(".fit").forEach((box) => {
    if (box instanceof HTMLElement) fit(box);
  });
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
