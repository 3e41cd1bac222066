// Chips on their way: from a seat onto the felt, into the pot, and to whoever has won it. Only transform and opacity
// change, and nothing moves where the viewer wants things to stand still.

import { html, isNarrow, wantsStillness } from "./view.js";

/** How long chips are on their way, in milliseconds. */
const FLIGHT_MS = 620;

/** No more chips than this are in the air at a time. */
const MOST = 40;

/**
 * The middle of an element, even of one that has just been hidden.
 * @param {Element} element
 */
function middle(element) {
  const box = element.getBoundingClientRect();
  if (box.width > 0 || !(element instanceof HTMLElement) || !element.parentElement) {
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
  const around = element.parentElement.getBoundingClientRect();
  /** @param {string} axis */
  const offset = (axis) => parseFloat(element.style.getPropertyValue(`--${axis}`)) || 0;
  return { x: around.left + offset("x"), y: around.top + offset("y") };
}

/**
 * Lets a chip fly.
 * @param {HTMLElement} layer
 * @param {Element} from
 * @param {Element} to
 * @param {string} amount What is written beside it.
 * @param {number} delay In milliseconds.
 */
export function fly(layer, from, to, amount, delay) {
  if (wantsStillness() || isNarrow() || document.hidden || layer.childElementCount >= MOST) return;
  const base = layer.getBoundingClientRect();
  const [start, end] = [middle(from), middle(to)];
  const chip = html("span", { class: "flight" }, html("span", { class: "disc" }), amount);
  layer.append(chip);
  /** @type {(point: { x: number, y: number }) => string} */
  const at = ({ x, y }) =>
    `translate(${(x - base.left).toFixed(1)}px, ${(y - base.top).toFixed(1)}px) translate(-50%, -50%)`;
  const flight = chip.animate(
    [
      { transform: at(start), opacity: 0 },
      { transform: at(start), opacity: 1, offset: 0.12 },
      { transform: at(end), opacity: 1, offset: 0.9 },
      { transform: at(end), opacity: 0 },
    ],
    { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" },
  );
  const land = () => chip.remove();
  flight.finished.then(land, land);
}
