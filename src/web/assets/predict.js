// Predictions for play points, on phones: two questions, a tap for each, and at the end whether it came true.

import { emblem } from "./emblem.js";
import { nameBox, withOneSize } from "./fit.js";
import {
  elementById,
  formatNumber,
  html,
  inHex,
  inlineName,
  isNews,
  memory,
  ordinal,
  playerName,
  request,
  setText,
  wordsOf,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** @typedef {"champion" | "first_out"} Question */

/** The most letters of a prophet's name. */
const NAME_LETTERS = 24;

/** The buttons of the two questions. @type {Record<Question, string>} */
const SLOTS = { champion: "champion", first_out: "first-out" };

/** @type {Record<Question, string>} */
const QUESTIONS = { champion: "Winner", first_out: "First one out" };

/** @type {Record<"start" | "last_table", string>} */
const STAGES = { start: "before the start", last_table: "before the last table" };

/** The question that the next tap answers, and the chosen players by number; 0 without a choice. */
const chosen = { asked: /** @type {Question} */ ("champion"), champion: 0, first_out: 0 };

/** The tournament whose outcome was asked for. */
let resultOf = 0;

/**
 * Draws the predictions of this phone: open questions, then its answers, then their results.
 * @param {Data.PageState} current
 * @param {boolean} wanted
 */
export function drawPredicting(current, wanted) {
  const { predictions, phase } = current;
  if (phase !== "over") resultOf = 0;
  const tip = tipOf(current);
  const isOpen = predictions?.enabled === true && predictions.open;
  const isShown = wanted && predictions?.enabled === true && (isOpen || tip !== null);
  elementById("predict").hidden = !isShown;
  if (!isShown) return;
  elementById("predict-form").hidden = !isOpen;
  if (isOpen) offer(current);
  drawWords(current, tip);
  elementById("predict-result").hidden = phase !== "over";
  if (phase === "over") askForResult(current);
}

/** The longest time that was left, in seconds, since predictions were opened. */
let longest = 0;

/**
 * Draws into every ring of the page how long predictions are open.
 * @param {Data.PageState} current
 */
export function drawRings({ predictions, show }) {
  const left = (predictions?.open && show?.closes_in) || 0;
  longest = left && Math.max(longest, left);
  for (const ring of document.querySelectorAll(".ring")) {
    if (!(ring instanceof HTMLElement)) continue;
    ring.hidden = left === 0;
    setText(ring, String(left));
    ring.style.setProperty("--left", (left / (longest || 1)).toFixed(3));
  }
}

/**
 * Offers all players that can be predicted now.
 * @param {Data.PageState} current
 */
function offer({ programme, board, predictions }) {
  const choices = elementById("choices");
  if (!isNews(choices, [programme.number, programme.players, predictions.stage])) return;
  // House bots among others are not offered, nor eliminated players before the last table.
  const house = new Set(board.rows.filter((row) => row.place === null).map((row) => row.seat));
  const out = new Set(board.rows.filter((row) => row.left_in_round !== null).map((row) => row.seat));
  const items = programme.players
    .map((name, index) => ({ name, number: index + 1 }))
    .filter(({ number }) => !house.has(number) && (predictions.stage !== "last_table" || !out.has(number)))
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ name, number }) => {
      const button = html("button", { type: "button", "data-player": number }, emblem(name), nameBox(name));
      button.addEventListener("click", () => choose(programme, number));
      return html("li", { "data-plain": plain(name) }, button);
    });
  choices.replaceChildren(...items);
  withOneSize(choices);
  Object.assign(chosen, { asked: "champion", champion: 0, first_out: 0 });
  setText(elementById("predict-answer"), "");
  elementById("prophet-name", HTMLInputElement).value = memory.get("name");
  find("");
  drawChosen(programme);
}

/**
 * A name as it is typed in a hurry: in small letters and without accents.
 * @param {string} name
 */
const plain = (name) => name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/**
 * Shows the names that have a text in them.
 * @param {string} text
 */
function find(text) {
  const field = elementById("find", HTMLInputElement);
  if (field.value !== text) field.value = text;
  const wanted = plain(text.trim());
  for (const item of elementById("choices").children) {
    if (item instanceof HTMLElement) item.hidden = !(item.dataset.plain ?? "").includes(wanted);
  }
}

/**
 * Takes a player as the answer to the question that is asked, and asks the other one if it has no answer yet.
 * @param {Data.TournamentInfo} programme
 * @param {number} player
 */
function choose(programme, player) {
  const other = chosen.asked === "champion" ? "first_out" : "champion";
  if (chosen[other] === player) chosen[other] = 0;
  chosen[chosen.asked] = player;
  if (chosen[other] === 0) chosen.asked = other;
  find("");
  drawChosen(programme);
}

/** @param {Data.TournamentInfo} programme */
function drawChosen(programme) {
  for (const question of /** @type {Question[]} */ (Object.keys(SLOTS))) {
    const slot = elementById(SLOTS[question]);
    const player = chosen[question];
    const name = player ? playerName(programme, player) : "";
    slot.setAttribute("aria-pressed", String(chosen.asked === question));
    slot.replaceChildren(
      html("span", { class: "question" }, QUESTIONS[question]),
      ...(name ? [emblem(name), nameBox(name)] : [html("span", { class: "nobody" }, "tap a name")]),
    );
  }
  for (const button of elementById("choices").querySelectorAll("button")) {
    const player = Number(button.dataset.player);
    button.setAttribute("aria-pressed", String(player === chosen[chosen.asked]));
  }
}

/**
 * The predictions of this phone for this tournament.
 * @param {Data.PageState} current
 * @returns {{ champion: number, first_out: number, stage: string | null } | null}
 */
function tipOf({ programme }) {
  const tip = JSON.parse(memory.get("tip") || "null");
  return tip?.number === programme.number && tip.promise === programme.promise ? tip : null;
}

/**
 * @param {Data.PageState} current
 * @param {ReturnType<typeof tipOf>} tip
 */
function drawWords({ predictions, programme, phase }, tip) {
  const mine = tip
    ? `You say: ${playerName(programme, tip.champion)} wins, ${playerName(programme, tip.first_out)} is out first.`
    : "";
  const again = predictions.stage === "last_table" ? "The last table is about to begin. " : "";
  const count = predictions.count > 0 ? ` ${formatNumber(predictions.count)} have predicted.` : "";
  const asked = predictions.open ? `${again}Who wins, and who is out first?${count}` : "";
  setText(elementById("predict-text"), phase === "over" ? "" : [asked, mine].filter(Boolean).join(" "));
}

/**
 * Asks once how the predictions of this phone came out.
 * @param {Data.PageState} current
 */
async function askForResult({ programme }) {
  if (resultOf === programme.number) return;
  resultOf = programme.number;
  elementById("predict-result").replaceChildren();
  setText(elementById("predict-answer"), "");
  try {
    drawResult(await (await request(`/prediction/${phoneId()}`)).json(), programme);
  } catch (error) {
    // Where the connection is lost, which the page says, it is asked again with the next change.
    if (error instanceof TypeError) resultOf = 0;
  }
}

/**
 * @param {Data.ProphetResult} result
 * @param {Data.TournamentInfo} programme
 */
function drawResult({ points, place, prophets, answers }, programme) {
  const right = answers.filter((answer) => answer.is_right).length;
  const words =
    right === 0 ? "You were wrong." : right === answers.length ? "You were right!" : "You were half right.";
  const items = answers.map(({ stage, event, player, is_right: isRight }) =>
    html(
      "li",
      { class: isRight ? "right" : "wrong" },
      html("span", { "aria-hidden": "true" }, isRight ? "✓ " : "✗ "),
      `${QUESTIONS[event]}, ${STAGES[stage]}: `,
      inlineName(playerName(programme, player)),
      isRight ? " – right" : " – wrong",
    ),
  );
  const sum = `${formatNumber(points)} play points: ${ordinal(place)} of ${formatNumber(prophets)}`;
  elementById("predict-result").replaceChildren(
    html("p", { class: "big" }, html("strong", {}, words)),
    html("p", { class: "prophet-place" }, `${sum} ${prophets === 1 ? "prophet" : "prophets"}.`),
    html("ul", {}, ...items),
  );
}

/** The random id of this phone, without any other use. */
function phoneId() {
  let id = memory.get("id");
  if (!id) {
    id = inHex(crypto.getRandomValues(new Uint8Array(16)));
    memory.set("id", id);
  }
  return id;
}

/** @param {Data.PageState | null} current */
async function sendPrediction(current) {
  if (!current) return;
  const name = elementById("prophet-name", HTMLInputElement).value.trim().slice(0, NAME_LETTERS);
  const { champion, first_out } = chosen;
  /** @type {Data.Prediction} */
  const prediction = { id: phoneId(), name, champion, first_out };
  const answer = elementById("predict-answer");
  if (!champion || !first_out) return setText(answer, "Tap the winner, and the first one out.");
  if (!name) {
    elementById("prophet-name").focus();
    return setText(answer, "Choose a name for yourself.");
  }
  memory.set("name", name);
  try {
    await request("/predict", { body: prediction });
    setText(answer, "It is in.");
    const { number, promise } = current.programme;
    const { stage } = current.predictions;
    memory.set("tip", JSON.stringify({ champion, first_out, number, promise, stage }));
    drawWords(current, tipOf(current));
  } catch (error) {
    setText(answer, wordsOf(error, "The connection is lost. Try again in a moment."));
  }
}

/**
 * Handles taps and input.
 * @param {() => Data.PageState | null} state
 */
export function listenToPredictions(state) {
  for (const question of /** @type {Question[]} */ (Object.keys(SLOTS))) {
    elementById(SLOTS[question]).addEventListener("click", () => {
      chosen.asked = question;
      const current = state();
      if (current) drawChosen(current.programme);
    });
  }
  const field = elementById("find", HTMLInputElement);
  field.addEventListener("input", () => find(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Enter takes the only name that is left.
    event.preventDefault();
    const left = [...elementById("choices").querySelectorAll("li:not([hidden]) button")];
    if (left.length === 1 && left[0] instanceof HTMLElement) left[0].click();
  });
  elementById("predict-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sendPrediction(state());
  });
}
