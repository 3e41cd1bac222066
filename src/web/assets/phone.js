// What only phones show: the bot that is followed, and predictions for play points.

import { emblem } from "./emblem.js";
import { fitNames } from "./fit.js";
import {
  elementById,
  formatNumber,
  html,
  inlineName,
  isNarrow,
  nameBox,
  ordinal,
  playerName,
  setText,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How often at most the bot that is followed is asked for, in milliseconds. */
const EVERY_MS = 3000;

/** The most letters of the name under which somebody predicts. */
const NAME_LETTERS = 24;

/** What this phone remembers. Without a place to keep it, it is remembered until the page is closed. */
const memory = {
  /** @type {Record<string, string>} */
  here: {},
  /** @param {string} key */
  get(key) {
    try {
      return localStorage.getItem(`casino-${key}`) ?? this.here[key] ?? "";
    } catch {
      return this.here[key] ?? "";
    }
  },
  /** @type {(key: string, value: string) => void} */
  set(key, value) {
    this.here[key] = value;
    try {
      localStorage.setItem(`casino-${key}`, value);
    } catch {
      // It is kept in `here`.
    }
  },
};

/** The name of the bot that is followed, whose number changes from tournament to tournament. */
let followed = memory.get("follow");
/** What was asked for last, and when. */
let asked = "";
let askedAt = 0;
/** @type {number | null} */
let timer = null;
let players = "";

/**
 * Draws what only phones show.
 * @param {Data.PageState} current
 */
export function drawPhone(current) {
  const playing = current.programme.players.length > 0 && current.phase !== "lobby";
  const narrow = isNarrow();
  elementById("follow").hidden = !narrow || !playing;
  const { predictions } = current;
  const predicting = narrow && playing && predictions?.enabled === true && current.phase !== "over";
  elementById("predict").hidden = !predicting || (!predictions.open && tipOf(current) === null);
  if (!narrow || !playing) return;
  const key = JSON.stringify([current.programme.number, current.programme.players, predictions?.stage]);
  if (players !== key) {
    players = key;
    fillLists(current);
  }
  if (predicting) drawPrediction(current);
  askForFollowed(current);
}

/** @param {Data.PageState} current */
function fillLists({ programme, board, predictions }) {
  const sorted = programme.players
    .map((name, index) => ({ name, number: index + 1 }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const choice = elementById("follow-whom", HTMLSelectElement);
  const options = sorted.map(({ name, number }) => new Option(name, String(number)));
  choice.replaceChildren(new Option("nobody yet", ""), ...options);
  choice.value = String(programme.players.indexOf(followed) + 1 || "");
  // Before the last table nobody predicts those who are out.
  // Nothing can be predicted of who is out, nor of a house bot among others.
  const out = new Set(
    board.rows.filter((row) => row.left_in_round !== null || row.place === null).map((row) => row.seat),
  );
  const inside = sorted.filter(({ number }) => predictions?.stage !== "last_table" || !out.has(number));
  for (const id of ["champion", "first-out"]) {
    const players = inside.map(({ name, number }) => new Option(name, String(number)));
    elementById(id, HTMLSelectElement).replaceChildren(new Option("choose …", ""), ...players);
  }
  const tip = JSON.parse(memory.get("tip") || "null");
  if (tip?.number === programme.number) {
    elementById("champion", HTMLSelectElement).value = String(tip.champion);
    elementById("first-out", HTMLSelectElement).value = String(tip.first_out);
  }
  elementById("prophet-name", HTMLInputElement).value = memory.get("name");
}

/**
 * Asks for the bot that is followed, if something has happened and not too often.
 * @param {Data.PageState} current
 */
function askForFollowed(current) {
  const number = current.programme.players.indexOf(followed) + 1;
  const bot = elementById("bot");
  if (number === 0) return bot.replaceChildren();
  const key = `${current.programme.number} ${number} ${current.board.round} ${current.phase} ${current.table?.round}`;
  if (key === asked || timer !== null) return;
  const wait = Math.max(0, askedAt + EVERY_MS - Date.now());
  timer = window.setTimeout(async () => {
    timer = null;
    asked = key;
    askedAt = Date.now();
    try {
      const answer = await fetch(`/player/${number}`);
      if (answer.ok) drawFollowed(bot, await answer.json());
    } catch {
      // The connection is lost, which the page says; it is asked again with the next change.
    }
  }, wait);
}

/**
 * @param {HTMLElement} root
 * @param {Data.FollowedPlayer} player
 */
function drawFollowed(root, player) {
  const { exit } = player;
  const reached = exit?.place ?? player.place;
  const place = reached === null ? "a house bot" : `${ordinal(reached)} of ${formatNumber(player.players)}`;
  const where = exit ? "out" : player.table === null ? "" : `table ${player.table}`;
  const facts = [
    html("p", { class: "big" }, html("strong", {}, formatNumber(player.chips)), " chips"),
    html("p", { class: "big" }, html("strong", {}, place)),
    html("p", {}, where),
  ];
  /** @type {HTMLElement[]} */
  const parts = [
    html("div", { class: "bot-who" }, emblem(player.name), nameBox(player.name)),
    html("div", { class: "facts" }, ...facts),
  ];
  if (exit) {
    parts.push(
      html("p", { class: "bot-exit" }, `Out in round ${formatNumber(exit.round)}: `, inlineName(exit.why)),
    );
  }
  const rounds = player.rounds.map(({ round, change, text }) => {
    const kind = change > 0 ? "up" : change < 0 ? "down" : "even";
    const sum = `${change > 0 ? "+" : change < 0 ? "−" : "±"}${formatNumber(Math.abs(change))}`;
    return html(
      "li",
      { class: kind },
      html("span", { class: "round-number" }, `round ${formatNumber(round)}`),
      html("strong", {}, sum),
      html("span", { class: "round-text" }, text),
    );
  });
  parts.push(html("ol", { class: "last-rounds", "aria-label": "Its last rounds, newest first" }, ...rounds));
  root.replaceChildren(...parts);
  fitNames(root);
}

/**
 * What this phone has predicted for this tournament.
 * @param {Data.PageState} current
 * @returns {{ champion: number, first_out: number, stage: string | null } | null}
 */
function tipOf({ programme }) {
  const tip = JSON.parse(memory.get("tip") || "null");
  return tip?.number === programme.number ? tip : null;
}

/** @param {Data.PageState} current */
function drawPrediction(current) {
  const { predictions, programme } = current;
  elementById("predict-form").hidden = !predictions.open;
  const tip = tipOf(current);
  const mine = tip
    ? `You say: ${playerName(programme, tip.champion)} wins, ${playerName(programme, tip.first_out)} is out first.`
    : "";
  const again = predictions.stage === "last_table" ? "The last table is about to begin. " : "";
  const count = predictions.count > 0 ? ` ${formatNumber(predictions.count)} have predicted.` : "";
  const closed = predictions.open ? `${again}Who wins, and who is out first?${count}` : "";
  setText(elementById("predict-text"), [closed, mine].filter(Boolean).join(" "));
}

/** What this phone is known by: drawn once, and of no use for anything else. */
function phoneId() {
  let id = memory.get("id");
  if (!id) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    id = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    memory.set("id", id);
  }
  return id;
}

/** @param {Data.PageState | null} current */
async function sendPrediction(current) {
  if (!current) return;
  /** @param {string} id */
  const chosen = (id) => Number(elementById(id, HTMLSelectElement).value);
  const name = elementById("prophet-name", HTMLInputElement).value.trim().slice(0, NAME_LETTERS);
  /** @type {Data.Prediction} */
  const prediction = { id: phoneId(), name, champion: chosen("champion"), first_out: chosen("first-out") };
  const answer = elementById("predict-answer");
  if (!name || !prediction.champion || !prediction.first_out) {
    return setText(answer, "Choose a name for yourself, a winner, and the first one out.");
  }
  memory.set("name", name);
  try {
    const body = JSON.stringify(prediction);
    const headers = { "Content-Type": "application/json" };
    const sent = await fetch("/predict", { method: "POST", headers, body });
    setText(answer, sent.ok ? "It is in." : (await sent.text()) || "That was not taken.");
    if (!sent.ok) return;
    const { number } = current.programme;
    memory.set("tip", JSON.stringify({ ...prediction, number, stage: current.predictions.stage }));
    drawPrediction(current);
  } catch {
    setText(answer, "The connection is lost. Try again in a moment.");
  }
}

/**
 * Listens to what is chosen on a phone.
 * @param {() => Data.PageState | null} state
 */
export function listenToPhone(state) {
  elementById("follow-whom").addEventListener("change", () => {
    const current = state();
    const number = Number(elementById("follow-whom", HTMLSelectElement).value);
    followed = current && number ? playerName(current.programme, number) : "";
    memory.set("follow", followed);
    asked = "";
    askedAt = 0;
    if (current) askForFollowed(current);
  });
  elementById("predict-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sendPrediction(state());
  });
  matchMedia("(max-width: 799px)").addEventListener("change", () => {
    const current = state();
    if (current) drawPhone(current);
  });
}
