// A recorded tournament: any round, any step of it, at any speed, and a link to every round.

import { drawBoard } from "./board.js";
import { DECISIVE, drawCeremony, drawPodium } from "./ceremony.js";
import { drawDecisions, drawPlayers, markStep } from "./coach.js";
import { showTitle } from "./fit.js";
import { drawRace } from "./race.js";
import { load } from "./source.js";
import { drawTable } from "./table.js";
import { elementById, formatNumber, html, lettersSwitch, onKey, startTheme, toggleTheme } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How long a step is shown, and how long the last one of a round, in milliseconds at the usual speed. */
const STEP_MS = 700;
const LAST_STEP_MS = 2500;
/** How long a stage of the ceremony is shown, in milliseconds at the usual speed. */
const STAGE_MS = 4000;
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
 * @returns {Promise<Data.ShownRound>}
 */
async function loadRound(round) {
  return load(`/round/${round}`);
}

/** @type {Data.ReplayIndex | null} */
let index = null;
/** @type {Data.ShownRound | null} */
let shown = null;
/** Which step of the round is shown, from 0. */
let frame = 0;
/** @type {number | null} The timer of the next step while the replay plays. */
let timer = null;
/** The round that was asked for last. */
let wanted = 0;

const TELL = "Tell what comes …";
/** Whether later rounds may be revealed. */
let isTold = false;
/** The coach's summary of the tournament, once it is complete. @type {Data.CoachAnswer["summary"]} */
let summary = null;
/** How the tournament ends, once it is being shown. @type {Data.ReplayCeremony | null} */
let ceremony = null;
/** Which stage of the ceremony is shown, from 0; after the last one the podium is. */
let stage = 0;

async function begin() {
  index = await loadIndex();
  scrub.max = roundNumber.max = String(index.rounds);
  holes.disabled = !index.holes;
  jump.replaceChildren(new Option("…", ""), new Option(TELL, "tell"));
  void waitForCoach();
  const { promise, seed, occasion } = index.programme;
  showTitle(occasion, "replay");
  const parts = [occasion?.venue, promise && `SHA-256 promised: ${promise}`, seed && `seed: ${seed}`];
  elementById("promise").textContent = parts.filter(Boolean).join(" · ");
  await followLink();
  if (index.minutes !== null) {
    elementById("minutes", HTMLInputElement).value = String(index.minutes);
    await playEverything();
  }
}

/** Links to later rounds are shown on request, or after the last round. */
async function tellWhatComes() {
  if (isTold) return;
  isTold = true;
  /** @type {Data.Jumps} */
  const { exits, pots } = await load("/jumps");
  jump.replaceChildren(new Option("…", ""), jumpGroup("Exits", exits), jumpGroup("The biggest pots", pots));
  drawSummary();
}

/** Shows the coach's summary once it is complete and may be revealed. */
function drawSummary() {
  if (!isTold || !summary) return;
  elementById("coached-players").hidden = false;
  drawPlayers(elementById("less-luck"), summary.players);
  if (summary.dearest.length) jump.append(jumpGroup("The dearest decisions", summary.dearest));
}

/** Asks for the coach's summary until it is complete. */
async function waitForCoach() {
  /** @type {Data.CoachAnswer} */
  const { comes, summary: said } = await load("/coach");
  elementById("coach").hidden = !comes;
  document.body.dataset.coached = String(comes);
  if (!comes) return;
  if (shown && !elementById("decisions").childElementCount) {
    elementById("coach-word").textContent = "The coach is learning all players' habits …";
    await showCoach(shown.round);
  }
  if (!said) {
    window.setTimeout(waitForCoach, COACH_MS);
    return;
  }
  summary = said;
  drawSummary();
}

/**
 * Shows the coach's judgements of a round once they are available.
 * @param {number} round
 */
async function showCoach(round) {
  /** @type {Data.ShownDecision[] | null} */
  const decisions = await load(`/decisions/${round}`);
  if (!decisions || shown?.round !== round) return;
  const word = elementById("coach-word");
  word.textContent = decisions.some(({ is }) => is !== "sound")
    ? "What each decision cost, in chips; ± is half of a 95 % interval"
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
  return html("optgroup", { label }, ...jumps.map(({ text, round }) => new Option(text, String(round))));
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
    void showCoach(round);
  }
  ceremony = null;
  const last = shown.frames.length - 1;
  frame = at < 0 ? last : Math.min(at, last);
  draw();
}

/**
 * Draws the standings at this step: those before the round until it is over.
 * @param {Data.ReplayIndex} tournament
 * @param {Data.ShownRound} round
 */
function drawStandings({ programme }, { frames: [{ round }], before, board, race }) {
  const isOver = frame === shownFrames() - 1;
  const rows = isOver ? board : before;
  drawBoard(elementById("rows"), { rows }, programme, race);
  const stacks = programme.players.map((_, index) => rows.find(({ seat }) => seat === index + 1)?.chips ?? 0);
  // Another table may have played this round before.
  const earlier = race.points.filter((point) => point.round < round);
  const points = isOver ? [...earlier, { round, stacks }] : race.points;
  drawRace(elementById("chart"), { ...race, points }, programme, { rows });
}

const shownFrames = () => shown?.frames.length ?? 0;

/** The ceremony after the last round: the winners, the awards and the podium. */
function drawEnd() {
  if (!index || !ceremony) return;
  const { stages, podium } = ceremony;
  const isPodium = stage >= stages.length;
  const isHand = !isPodium && stages[stage].stage === "hand";
  const awards = stages.findLast((one) => one.awards.length)?.awards ?? [];
  elementById("table").hidden = !isHand;
  elementById("ceremony").hidden = isPodium || isHand;
  elementById("podium").hidden = !isPodium;
  if (isHand && shown)
    drawTable(elementById("table"), shown.frames[shown.frames.length - 1], index.programme, {
      several: false,
      reason: DECISIVE,
    });
  else if (!isPodium && shown)
    drawCeremony(elementById("ceremony"), stages[stage], index.programme, shown.race);
  else drawPodium(elementById("podium"), { programme: index.programme, podium, ceremony: { awards } });
  status.textContent = isPodium ? "replay · the winners" : "replay · the ceremony";
}

/** Goes on after the last round: to the ceremony, if the tournament is finished. False if there is nothing more. */
async function goToEnd() {
  if (!index?.finished) return false;
  ceremony ??= await load("/ceremony");
  void tellWhatComes();
  stage = 0;
  drawEnd();
  return true;
}

function draw() {
  if (!index || !shown) return;
  if (ceremony) return drawEnd();
  elementById("ceremony").hidden = elementById("podium").hidden = true;
  drawStandings(index, shown);
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
  if (ceremony) {
    stage = Math.min(stage + 1, ceremony.stages.length);
    drawEnd();
    if (stage === ceremony.stages.length) pause();
  } else if (frame + 1 < shown.frames.length) {
    frame += 1;
    draw();
  } else if (shown.round < index.rounds) await goTo(shown.round + 1);
  else if (!(await goToEnd())) pause();
}

async function stepBack() {
  if (!shown) return;
  if (ceremony && stage > 0) {
    stage -= 1;
    drawEnd();
  } else if (ceremony) await goTo(shown.round, -1);
  else if (frame > 0) {
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
    const wait = ceremony ? STAGE_MS : last ? LAST_STEP_MS : STEP_MS;
    timer = window.setTimeout(tick, wait / Number(speed.value));
  };
  timer = window.setTimeout(tick, 0);
}

/** Plays the tournament in the chosen minutes: important rounds in detail, of the others the end. */
async function playEverything() {
  if (timer !== null) pause();
  const minutes = Math.max(1, Math.trunc(Number(elementById("minutes", HTMLInputElement).value)) || 1);
  /** @type {Data.ReplayProgramme} */
  const { shots, ceremony_ms: stageMs } = await load(`/show/${minutes}`);
  elementById("play").textContent = "⏸ pause";
  let at = 0;
  // The round that is being shown step by step.
  let begun = 0;
  const tick = async () => {
    const shot = shots[at];
    if (!shot) {
      if (ceremony) await stepForward();
      else if (!(await goToEnd())) return pause();
      if (timer !== null) timer = window.setTimeout(tick, stageMs);
      return;
    }
    const isDetail = "pace" in shot;
    const goesOn = isDetail && begun === shot.round && shown?.round === shot.round;
    if (goesOn && frame + 1 < shownFrames()) {
      frame += 1;
      draw();
    } else await goTo(shot.round, isDetail ? 0 : -1);
    begun = shot.round;
    if (timer === null || !shown) return;
    if (!isDetail || frame === shown.frames.length - 1) {
      at += 1;
      begun = 0;
    }
    // The pace of a round follows from its deal, not from its result.
    timer = window.setTimeout(tick, isDetail ? shown.pauses[frame] * shot.pace : shot.ms);
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

onKey((key, event) => {
  if (event.target instanceof HTMLButtonElement) return;
  if (key === "t") toggleTheme();
  const action = KEYS[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});

startTheme();
elementById("promise").after(lettersSwitch());
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
  if (jump.value === "tell") void tellWhatComes();
  else if (jump.value) goTo(Number(jump.value), -1);
});
elementById("share").addEventListener("click", copyLink);
window.addEventListener("hashchange", followLink);
begin();
