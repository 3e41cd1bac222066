// A recorded tournament: any round, any step of it, at any speed, and a link to every round.

import { drawBoard } from "./board.js";
import { drawDecisions, drawMarks, markStep } from "./coach.js";
import { fitWithWindow } from "./fit.js";
import { drawRace } from "./race.js";
import { load } from "./source.js";
import { drawTable } from "./table.js";
import { elementById, formatNumber, showTitle, toggleTheme } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How long a step is shown, and how long the last one of a round, in milliseconds at the usual speed. */
const STEP_MS = 700;
const LAST_STEP_MS = 2500;
/** How long a button says that the link was copied, in milliseconds. */
const COPIED_MS = 2000;
/** How long to wait before the coach is asked again, in milliseconds. */
const COACH_MS = 1000;

const scrub = elementById("scrub", HTMLInputElement);
const roundNumber = elementById("number", HTMLInputElement);
const jump = elementById("jump", HTMLSelectElement);
const speed = elementById("speed", HTMLSelectElement);
const holes = elementById("holes", HTMLInputElement);
const status = elementById("status");

/** @returns {Promise<Data.ReplayIndex>} */
async function loadIndex() {
  return load("/index");
}

/**
 * @param {number} round
 * @returns {Promise<Data.ReplayRound>}
 */
async function loadRound(round) {
  return load(`/round/${round}`);
}

/** @type {Data.ReplayIndex | null} */
let index = null;
/** @type {Data.ReplayRound | null} */
let shown = null;
/** Which step of the round is shown, from 0. */
let frame = 0;
/** @type {number | null} The timer of the next step while the replay plays. */
let timer = null;
/** The round that was asked for last. */
let wanted = 0;

async function begin() {
  index = await loadIndex();
  scrub.max = roundNumber.max = String(index.rounds);
  holes.disabled = !index.holes;
  const exits = jumpGroup("Exits", index.exits);
  const pots = jumpGroup("The biggest pots", index.pots);
  jump.replaceChildren(new Option("…", ""), exits, pots);
  void waitForCoach();
  const { promise, seed, occasion } = index.programme;
  showTitle(occasion, "replay");
  const parts = [occasion?.held, promise && `SHA-256 promised: ${promise}`, seed && `seed: ${seed}`];
  elementById("promise").textContent = parts.filter(Boolean).join(" · ");
  await followLink();
  if (index.minutes !== null) {
    elementById("minutes", HTMLInputElement).value = String(index.minutes);
    await playEverything();
  }
}

/** Asks for what the coach says until it has looked at everything. */
async function waitForCoach() {
  /** @type {Data.CoachAnswer} */
  const { comes, summary } = await load("/coach");
  elementById("coach").hidden = !comes;
  document.body.dataset.coached = String(comes);
  if (!comes) return;
  if (shown && !elementById("decisions").childElementCount) {
    elementById("coach-word").textContent = "The coach is learning everybody's habits …";
    await showCoach(shown.round);
  }
  if (!summary) {
    window.setTimeout(waitForCoach, COACH_MS);
    return;
  }
  drawMarks(elementById("marks"), summary.marks);
  if (summary.dearest.length) jump.append(jumpGroup("The dearest decisions", summary.dearest));
}

/**
 * Shows what the coach says of a round, once it knows everybody's habits.
 * @param {number} round
 */
async function showCoach(round) {
  /** @type {Data.CoachedDecision[] | null} */
  const decisions = await load(`/decisions/${round}`);
  if (!decisions || shown?.round !== round) return;
  const word = elementById("coach-word");
  word.textContent = decisions.some(({ is }) => is !== "sound")
    ? "What each decision cost, in chips"
    : "Nothing to say against this round";
  drawDecisions(elementById("decisions"), decisions, (at) => {
    frame = at;
    draw();
  });
  markStep(elementById("decisions"), frame);
}

/**
 * @param {string} label
 * @param {Data.Jump[]} jumps
 */
function jumpGroup(label, jumps) {
  const group = document.createElement("optgroup");
  group.label = label;
  group.append(...jumps.map(({ text, round }) => new Option(text, String(round))));
  return group;
}

/** Goes to the round and the step that the address names: #round=12 or #round=12&step=3. */
async function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const step = Math.max(0, Math.trunc(Number(link.get("step"))) - 1) || 0;
  await goTo(Number(link.get("round")) || 1, step);
}

/**
 * Shows a round from one of its steps on.
 * @param {number} round
 * @param {number} at The step, from 0; a negative number stands for the last one.
 */
async function goTo(round, at = 0) {
  if (!index) return;
  if (index.rounds === 0) {
    status.textContent = "There is no finished round in this journal.";
    return;
  }
  round = Math.min(Math.max(1, Math.trunc(round) || 1), index.rounds);
  wanted = round;
  if (shown?.round !== round) {
    const loaded = await loadRound(round);
    // Another round was asked for while this one was on its way.
    if (wanted !== round) return;
    shown = loaded;
    drawStandings(index, shown);
    void showCoach(round);
  }
  const last = shown.frames.length - 1;
  frame = at < 0 ? last : Math.min(at, last);
  draw();
}

/**
 * @param {Data.ReplayIndex} tournament
 * @param {Data.ReplayRound} round
 */
function drawStandings({ programme, race, standings }, { board }) {
  drawBoard(elementById("rows"), { rows: board }, programme);
  drawRace(elementById("chart"), race, programme, { rows: standings.length ? standings : board });
}

function draw() {
  if (!index || !shown) return;
  const table = structuredClone(shown.frames[frame]);
  if (holes.checked && shown.holes) {
    for (const seat of table.seats) seat.hole = shown.holes[seat.seat] ?? seat.hole;
  }
  drawTable(elementById("table"), table, index.programme, { several: index.deals !== null });
  scrub.value = roundNumber.value = String(shown.round);
  const round = formatNumber(shown.round);
  const place = index.deals
    ? `table ${table.table}, round ${formatNumber(table.round)} · ${round}`
    : `round ${round}`;
  const steps = `step ${frame + 1} of ${shown.frames.length}`;
  status.textContent = `replay · ${place} of ${formatNumber(index.rounds)} · ${steps}`;
  jump.value = "";
  markStep(elementById("decisions"), frame);
  // Browsers allow only so many changes of the address: while the replay plays there are none.
  if (timer !== null) return;
  history.replaceState(null, "", `#round=${shown.round}${frame > 0 ? `&step=${frame + 1}` : ""}`);
}

async function stepForward() {
  if (!index || !shown) return;
  if (frame + 1 < shown.frames.length) {
    frame += 1;
    draw();
  } else if (shown.round < index.rounds) await goTo(shown.round + 1);
  else pause();
}

async function stepBack() {
  if (!shown) return;
  if (frame > 0) {
    frame -= 1;
    draw();
  } else if (shown.round > 1) await goTo(shown.round - 1, -1);
}

async function nextRound() {
  if (shown) await goTo(shown.round + 1);
}

async function previousRound() {
  if (shown) await goTo(shown.round - 1);
}

function pause() {
  if (timer !== null) window.clearTimeout(timer);
  timer = null;
  elementById("play").textContent = "▶ play";
  draw();
}

function togglePlay() {
  if (timer !== null) return pause();
  elementById("play").textContent = "⏸ pause";
  const tick = async () => {
    await stepForward();
    if (timer === null || !shown) return;
    const last = frame === shown.frames.length - 1;
    timer = window.setTimeout(tick, (last ? LAST_STEP_MS : STEP_MS) / Number(speed.value));
  };
  timer = window.setTimeout(tick, 0);
}

/** Plays the whole tournament in the minutes that are set: what matters in detail, of the rest each end. */
async function playEverything() {
  if (timer !== null) pause();
  const minutes = Math.max(1, Math.trunc(Number(elementById("minutes", HTMLInputElement).value)) || 1);
  /** @type {Data.ReplayShot[]} */
  const shots = await load(`/show/${minutes}`);
  elementById("play").textContent = "⏸ pause";
  let at = 0;
  const tick = async () => {
    const shot = shots[at];
    if (!shot) return pause();
    const goesOn = shot.detail && shown?.round === shot.round && frame + 1 < shown.frames.length;
    if (goesOn) {
      frame += 1;
      draw();
    } else await goTo(shot.round, shot.detail ? 0 : -1);
    if (timer === null || !shown) return;
    const last = frame === shown.frames.length - 1;
    if (last || !shot.detail) at += 1;
    // The end of a round stays three times as long as each of its steps.
    const steps = shot.detail ? shown.frames.length + 2 : 1;
    timer = window.setTimeout(tick, (shot.ms / steps) * (last && shot.detail ? 3 : 1));
  };
  timer = window.setTimeout(tick, 0);
}

async function copyLink() {
  const button = elementById("share");
  // Where the browser keeps the clipboard closed, the address bar has the same link.
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The link is in the address bar";
  }
  setTimeout(() => {
    button.textContent = "Copy the link";
  }, COPIED_MS);
}

/** @type {Record<string, () => unknown>} */
const KEYS = {
  ArrowRight: stepForward,
  ArrowLeft: stepBack,
  " ": togglePlay,
  PageDown: nextRound,
  PageUp: previousRound,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest("input, select, button")) return;
  if (event.key === "t" || event.key === "T") toggleTheme();
  const action = KEYS[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});

elementById("theme").addEventListener("click", toggleTheme);
scrub.addEventListener("input", () => goTo(Number(scrub.value)));
roundNumber.addEventListener("change", () => goTo(Number(roundNumber.value)));
elementById("before").addEventListener("click", previousRound);
elementById("after").addEventListener("click", nextRound);
elementById("step").addEventListener("click", stepForward);
elementById("back").addEventListener("click", stepBack);
elementById("play").addEventListener("click", togglePlay);
elementById("show").addEventListener("click", playEverything);
holes.addEventListener("change", draw);
jump.addEventListener("change", () => {
  if (jump.value) goTo(Number(jump.value), -1);
});
elementById("share").addEventListener("click", copyLink);
window.addEventListener("hashchange", followLink);
fitWithWindow();
begin();
