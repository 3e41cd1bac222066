// The parts of phones: the followed bot and the predictions, which have a file of their own.

import { emblem } from "./emblem.js";
import { nameBox } from "./fit.js";
import { drawPredicting, listenToPredictions } from "./predict.js";
import {
  elementById,
  formatNumber,
  html,
  inlineName,
  isNarrow,
  isNews,
  memory,
  newestOnly,
  ordinal,
  playerName,
  request,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How often at most the bot that is followed is asked for, in milliseconds. */
const EVERY_MS = 3000;

/** The name of the bot that is followed, whose number changes from tournament to tournament. */
let followed = memory.get("follow");
/** The last request and its time. */
let asked = "";
let askedAt = 0;
/** @type {number | null} */
let timer = null;
const beginRequest = newestOnly();

/**
 * Draws the parts of phones.
 * @param {Data.PageState} current
 */
export function drawPhone(current) {
  const playing = current.programme.players.length > 0 && current.phase !== "lobby";
  const narrow = isNarrow();
  elementById("follow").hidden = !narrow || !playing;
  drawPredicting(current, narrow && playing);
  if (!narrow || !playing) return;
  const { number, players } = current.programme;
  const choice = elementById("follow-whom", HTMLSelectElement);
  if (isNews(choice, [number, players])) fillList(choice, current.programme);
  askForFollowed(current);
}

/**
 * @param {HTMLSelectElement} choice
 * @param {Data.TournamentInfo} programme
 */
function fillList(choice, { players: names }) {
  const options = names
    .map((name, index) => ({ name, number: index + 1 }))
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ name, number }) => new Option(name, String(number)));
  choice.replaceChildren(new Option("nobody yet", ""), ...options);
  choice.value = String(names.indexOf(followed) + 1 || "");
}

/**
 * Asks for the bot that is followed, if something has happened and not too often.
 * @param {Data.PageState} current
 */
function askForFollowed(current) {
  const number = current.programme.players.indexOf(followed) + 1;
  const bot = elementById("bot");
  if (number === 0) {
    beginRequest();
    return bot.replaceChildren();
  }
  const key = `${current.programme.number} ${number} ${current.board.round} ${current.phase} ${current.table?.round}`;
  if (key === asked || timer !== null) return;
  const wait = Math.max(0, askedAt + EVERY_MS - Date.now());
  timer = window.setTimeout(async () => {
    timer = null;
    asked = key;
    askedAt = Date.now();
    const isNewest = beginRequest();
    try {
      const player = await (await request(`/player/${number}`)).json();
      if (isNewest()) drawFollowed(bot, player);
    } catch {
      // There is no such player any more, or the page says that the connection is lost: it is asked with the next change.
    }
  }, wait);
}

/**
 * @param {HTMLElement} root
 * @param {Data.PlayerPage} player
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
}

/**
 * Handles the choices on a phone.
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
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (current) askForFollowed(current);
  });
  listenToPredictions(state);
  matchMedia("(max-width: 799px)").addEventListener("change", () => {
    const current = state();
    if (current) drawPhone(current);
  });
}
