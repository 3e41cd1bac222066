// The source of a replay: a server, or a file that has all answers.

import { request } from "./view.js";

/** @import * as Data from "./data.d.ts" */

const store = document.getElementById("kept");

/** The answers of a server by request, in a file that is opened without one. @type {Record<string, any> | null} */
const kept = store && JSON.parse(store.textContent ?? "");

/**
 * Asks for a part of the replay.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function load(path) {
  if (!kept) return (await request(path)).json();
  const minutes = path.match(/^\/show\/(\d+)$/)?.[1];
  if (minutes) return showOf(kept, Number(minutes));
  const answer = kept[path] ?? null;
  if (!answer?.frames) return answer;
  return { ...answer, frames: frames(answer.frames), race: raceBefore(kept["/race"], answer) };
}

/**
 * The stacks up to the beginning of a round.
 * @param {Data.Race} whole
 * @param {Data.ShownRound} round
 */
function raceBefore(whole, { frames: [{ round }], before }) {
  const points = whole.points.filter((point) => point.round < round);
  const stacks = [...before].sort((one, other) => one.seat - other.seat).map(({ chips }) => chips);
  if (points.at(-1)?.round !== round - 1) points.push({ round: round - 1, stacks });
  return { ...whole, points };
}

/**
 * The steps of a round, each stored as its difference to the one before.
 * @param {any[]} steps
 */
function frames([first, ...changes]) {
  const all = [first];
  for (const change of changes) all.push(changed(all.at(-1), change));
  return all;
}

/**
 * A value after a change of it or of some of its parts.
 * @param {any} before
 * @param {any} change
 * @returns {any}
 */
function changed(before, change) {
  if ("=" in change) return change["="];
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, part] of Object.entries(change)) after[key] = changed(before[key], part);
  return after;
}

/**
 * The show for these minutes: the stored show of the nearest length, a little slower or faster.
 * @param {Record<string, any>} answers
 * @param {number} minutes
 */
function showOf(answers, minutes) {
  const lengths = Object.keys(answers).map((path) => Number(path.match(/^\/show\/(\d+)$/)?.[1]));
  const [nearest = 1] = lengths
    .filter((length) => length > 0)
    .sort((one, other) => Math.abs(one - minutes) - Math.abs(other - minutes));
  const { shots, ceremony_ms } = answers[`/show/${nearest}`];
  const times = minutes / nearest;
  const stretched = (/** @type {Data.ReplayShot} */ shot) =>
    "pace" in shot ? { ...shot, pace: shot.pace * times } : { ...shot, ms: shot.ms * times };
  return { shots: shots.map(stretched), ceremony_ms: ceremony_ms * times };
}
