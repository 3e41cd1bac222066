// Small sounds for those who switch them on: a tick for a card, one for chips, a low one for who leaves, three for a winner.

import { elementById } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** @type {AudioContext | null} */
let context = null;

/** The least time between two ticks, in milliseconds. */
const LEAST_MS = 70;
let last = 0;

/** Switches the sound on or off. It is off until somebody wants it. */
export function toggleSound() {
  const button = elementById("sound");
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  if (on) {
    context ??= new AudioContext();
    context.resume();
    tick(660, 0.05);
  } else context?.suspend();
}

/**
 * @param {number} pitch In hertz.
 * @param {number} seconds
 * @param {number} after In seconds from now.
 */
function tick(pitch, seconds, after = 0) {
  if (!context || context.state === "closed") return;
  const from = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(0.12, from + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + seconds + 0.02);
}

/**
 * Sounds for what has changed.
 * @param {Data.PageState} before
 * @param {Data.PageState} after
 */
export function soundOf(before, after) {
  if (elementById("sound").getAttribute("aria-pressed") !== "true") return;
  const now = performance.now();
  if (now - last < LEAST_MS) return;
  last = now;
  if (after.ceremony && after.ceremony.stage !== before.ceremony?.stage) {
    [523, 659, 784].forEach((pitch, index) => tick(pitch, 0.35, index * 0.14));
  } else if (after.exit && !before.exit) tick(165, 0.5);
  else if (after.table?.result && !before.table?.result) {
    tick(523, 0.18);
    tick(784, 0.3, 0.12);
  } else if (chipsIn(after) > chipsIn(before)) tick(1250, 0.04);
  else if (cardsOf(after) !== cardsOf(before)) tick(420, 0.05);
}

/** @param {Data.PageState} state */
const chipsIn = ({ table }) => table?.pot ?? 0;

/** @param {Data.PageState} state */
const cardsOf = ({ table }) => table?.seats.reduce((sum, seat) => sum + seat.up.length, 0) ?? 0;
