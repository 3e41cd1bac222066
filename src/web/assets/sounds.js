// Four short sounds that the browser makes itself. None is heard until the key M or the console switches them on.

import { elementById, memory } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/**
 * The tones of each sound: when each begins, its pitch in Hz, and how long it fades, in seconds.
 * @type {Record<"deal" | "all in" | "exit" | "winner", [number, number, number][]>}
 */
const SOUNDS = {
  deal: [
    [0, 880, 0.07],
    [0.09, 1175, 0.09],
  ],
  "all in": [
    [0, 196, 0.4],
    [0.16, 294, 0.7],
  ],
  exit: [
    [0, 330, 0.35],
    [0.25, 220, 0.8],
  ],
  winner: [
    [0, 523, 0.3],
    [0.17, 659, 0.3],
    [0.34, 784, 0.3],
    [0.51, 1047, 1.4],
  ],
};

const VOLUME = 0.2;

/** @type {AudioContext | null} */
let context = null;
/** Whether the console has switched sounds on, and the moment of the last one. */
let [isWished, heard] = [false, ""];

/** This browser's own choice comes first. */
const isOn = () => (memory.get("sounds") ? memory.get("sounds") === "on" : isWished);

export function toggleSounds() {
  memory.set("sounds", isOn() ? "off" : "on");
  elementById("sounds").setAttribute("aria-pressed", String(isOn()));
  play("deal");
}

/** @param {keyof typeof SOUNDS} sound */
function play(sound) {
  // A browser lets a page be heard once somebody has pressed a key or clicked in it.
  if (!isOn() || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [at, pitch, fades] of SOUNDS[sound]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const begin = context.currentTime + at;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + fades);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + fades);
  }
}

/**
 * What there is to hear in a state, and which moment it belongs to.
 * @param {Data.PageState} current
 * @returns {[keyof typeof SOUNDS, unknown] | null}
 */
function soundOf({ programme, ceremony, phase, exit, table, show }) {
  if (phase === "ceremony" && ceremony?.stage === 1) return ["winner", programme.number];
  if (exit) return ["exit", [exit.seat, exit.round]];
  if (!table || table.result || show.mode !== "detail") return null;
  const allIn = table.seats.filter((seat) => seat.live && seat.stack === 0).length;
  return [allIn ? "all in" : "deal", [table.table, table.round, allIn || table.street]];
}

/**
 * Plays what is new to hear.
 * @param {Data.PageState} current
 */
export function hearState(current) {
  isWished = current.programme.sounds ?? false;
  elementById("sounds").setAttribute("aria-pressed", String(isOn()));
  const sound = soundOf(current);
  const moment = JSON.stringify(sound);
  if (sound && moment !== heard) play(sound[0]);
  if (sound) heard = moment;
}
