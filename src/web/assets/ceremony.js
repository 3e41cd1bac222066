// Those who leave, and the winners: an exit as a card of its own, then 3, 2, 1, the awards and the podium.

import { emblem } from "./emblem.js";
import { nameBox, onResize, playerBox, withOneSize } from "./fit.js";
import { growth } from "./race.js";
import {
  drawCard,
  formatNumber,
  html,
  inHex,
  inlineName,
  isHouse,
  isNews,
  markPlayer,
  ordinal,
  playerEmblem,
  playerName,
  seatCards,
  setText,
  wantsStillness,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** What is said above the hand that decided a tournament. */
export const DECISIVE = "The hand that decided it";

/** The most names on the card of those who leave together. */
const LARGEST_GROUP = 12;

/** @type {Record<Data.ExitView["kind"], string>} */
const EXIT_TITLES = {
  busted: "Out of chips",
  foul: "Out by a foul",
  removed: "Sent away",
  lost: "Connection lost",
  other: "Out",
};

/**
 * Shows who leaves, or takes the card away.
 * @param {HTMLElement} root
 * @param {Data.ExitView | null} exit
 * @param {Data.TournamentInfo} programme
 * @param {Data.TableView | null} table The table on show, where the hands of its last round can be seen.
 */
export function drawExit(root, exit, programme, table) {
  const isSeen = table?.round === exit?.round && table?.result !== null;
  if (!isNews(root, [exit, isSeen])) return;
  root.hidden = exit === null;
  if (!exit) return root.replaceChildren();
  if (exit.others?.length) return root.replaceChildren(groupCard([exit, ...exit.others], programme));
  const took = exit.took
    .slice(0, 3)
    .flatMap(({ seat, chips }, index) => [
      ...(index > 0 ? [html("span", {}, ", ")] : []),
      playerEmblem(programme, seat),
      inlineName(playerName(programme, seat)),
      html("span", {}, ` +${formatNumber(chips)}`),
    ]);
  const parts = [
    html(
      "p",
      { class: "exit-kind" },
      `${EXIT_TITLES[exit.kind] ?? EXIT_TITLES.other} · round ${formatNumber(exit.round)}`,
    ),
    playerBox("div", "exit-who", programme, exit.seat),
    ...placeReached(exit, programme),
    ...(exit.kind === "busted" ? lastHands(exit, table, programme) : []),
  ];
  // That a player without chips has no chips says nothing more.
  if (exit.kind !== "busted") parts.push(html("p", { class: "exit-why" }, sentence(exit.why)));
  if (took.length) parts.push(html("p", { class: "exit-took" }, "The chips went to ", ...took));
  const card = html("article", { class: "exit-card" }, ...parts);
  root.replaceChildren(markPlayer(card, exit.seat, programme));
}

/**
 * The cards with which a player lost, beside those that won, if its last round is on the table.
 * @param {Data.ExitView} exit
 * @param {Data.TableView | null} table
 * @param {Data.TournamentInfo} programme
 */
function lastHands({ seat: number, round }, table, programme) {
  const seat = table?.seats.find((one) => one.seat === number);
  if (!seat || !table?.result?.hand.length || table.round !== round) return [];
  const hand = (/** @type {string} */ title, /** @type {Node[]} */ cards, /** @type {string} */ words) =>
    html("figure", {}, html("figcaption", {}, title), html("div", { class: "shown-cards" }, ...cards), words);
  const winner = playerName(programme, table.result.seat);
  const won = table.result.hand.map(drawCard);
  return [
    html(
      "div",
      { class: "exit-hands" },
      hand("lost with", seatCards(seat), seat.live ? "" : "folded"),
      hand(`${winner} won with`, won, table.result.words),
    ),
  ];
}

/**
 * The card of players who leave in the same round: they come in one after the other, the best place last.
 * @param {Data.ExitView[]} group
 * @param {Data.TournamentInfo} programme
 */
function groupCard(group, programme) {
  const title = `${formatNumber(group.length)} players are out · round ${formatNumber(group[0].round)}`;
  const rows = group.slice(-LARGEST_GROUP).map((exit, index) => {
    const place = exit.place === null ? "" : ordinal(exit.place);
    const row = playerBox("li", "", programme, exit.seat, html("span", {}, place));
    row.style.setProperty("--at", String(index));
    return row;
  });
  const list = withOneSize(html("ol", { class: "exit-group" }, ...rows));
  const more = group.length - rows.length;
  const rest = more > 0 ? [html("p", {}, `${formatNumber(more)} more before them`)] : [];
  return html("article", { class: "exit-card" }, html("p", { class: "exit-kind" }, title), ...rest, list);
}

/**
 * The place of a player who leaves. A player without chips has no place if all play again in the next level.
 * @param {Data.ExitView} exit
 * @param {Data.TournamentInfo} programme
 */
function placeReached({ place, players, seat, kind }, programme) {
  const line = (/** @type {(Node | string)[]} */ ...parts) => [html("p", { class: "exit-place" }, ...parts)];
  if (place !== null) return line(html("strong", {}, ordinal(place)), ` of ${formatNumber(players)}`);
  if (isHouse(programme, seat)) return line("a house bot");
  return kind === "busted" ? line("for this level") : [];
}

/**
 * Shows that the tournament continues after an interruption, or removes that.
 * @param {HTMLElement} root
 * @param {number | null} seconds How long it took; null if there was none, or it has been said for long enough.
 */
export function drawInterruption(root, seconds) {
  root.hidden = seconds === null;
  if (seconds === null) return root.replaceChildren();
  const title = html("h2", {}, "We go on");
  root.replaceChildren(html("article", { class: "exit-card" }, title, html("p", {}, pauseInWords(seconds))));
}

/** @param {number} seconds */
function pauseInWords(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "After a short pause everything is as it was.";
  const pause = minutes === 1 ? "a minute" : `${formatNumber(minutes)} minutes`;
  return `After a pause of ${pause} everything is as it was.`;
}

/**
 * A reason as a sentence: with a capital letter and a full stop.
 * @param {string} why
 */
function sentence(why) {
  const text = why.charAt(0).toUpperCase() + why.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * Draws the ceremony, as far as it has come.
 * @param {HTMLElement} root
 * @param {Data.Ceremony} ceremony
 * @param {Data.TournamentInfo} programme
 * @param {Data.Race} race
 */
export function drawCeremony(root, ceremony, programme, race) {
  if (!isNews(root, [programme.number, ceremony])) return;
  const { stage } = ceremony;
  root.dataset.stage = String(stage);
  if (stage === "tournament" || stage === "standings") {
    root.replaceChildren(...betweenTournaments(ceremony, programme));
    if (stage === "tournament" && ceremony.rows.length) celebrate(root, programme, ceremony.rows[0].seat);
  } else if (stage === "awards") {
    const last = ceremony.awards.length - 1;
    const cards = ceremony.awards.map((award, index) => awardCard(award, programme, index === last));
    root.replaceChildren(html("h2", {}, "Awards"), withOneSize(html("div", { class: "awards" }, ...cards)));
    shrinkAwards(root);
  } else if (stage === "done" || stage === "hand") {
    root.replaceChildren();
  } else {
    const rows = ceremony.rows.filter((row) => row.place === stage);
    root.replaceChildren(...announcement(stage, rows.length ? rows : ceremony.rows.slice(-1), programme));
    if (stage !== 1 || rows.length === 0) return;
    const { picture, words } = growth(race, programme, rows[0].seat);
    root.append(html("figure", { class: "way" }, picture, html("figcaption", {}, words)));
    celebrate(root, programme, rows[0].seat);
  }
}

/** The sizes of the words of awards. The first two are for awards that have the hall to themselves. */
const SHARES = [1.4, 1.2, 1, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.56];

/**
 * Sets the words of awards in the largest letters that fit.
 * @param {HTMLElement} root What they stand in.
 */
function shrinkAwards(root) {
  const awards = root.querySelector(".awards");
  if (!(awards instanceof HTMLElement) || root.clientHeight === 0) return;
  onResize(root, shrinkAwards);
  const all = [...root.querySelectorAll("h2, .steps, .step, .award")].filter(
    (part) => part instanceof HTMLElement,
  );
  const named = (/** @type {string} */ name) => all.filter((part) => part.classList.contains(name));
  // Where they will stand when they have come in: `offsetTop` knows no animation.
  const above = (/** @type {HTMLElement} */ part) => (part.offsetParent === root ? 0 : root.offsetTop);
  const top = (/** @type {HTMLElement} */ part) => part.offsetTop - above(part);
  const bottom = (/** @type {HTMLElement} */ part) => top(part) + part.offsetHeight;
  for (const share of SHARES.slice(awards.classList.contains("small") ? 2 : 0)) {
    root.style.setProperty("--shrink", String(share));
    const isInside = all.every((part) => top(part) > -2 && bottom(part) < root.clientHeight + 2);
    const [highest, lowest] = [Math.max(-2, ...named("steps").map(top)), top(awards)];
    const steps = named("step");
    if (isInside && steps.every((step) => top(step) > highest - 2 && bottom(step) < lowest + 2)) return;
  }
}

/** So many players of the standings have room. */
const STANDINGS = 10;

/**
 * The stage between two tournaments of a series: the winners of the last one and the standings.
 * @param {Data.Ceremony} ceremony
 * @param {Data.TournamentInfo} programme
 */
function betweenTournaments({ stage, rows, tournament }, programme) {
  const { number, of } = tournament ?? { number: 1, of: 1 };
  const which = html("p", { class: "which" }, `Tournament ${number} of ${of}`);
  if (stage === "tournament") return [which, ...announcement(1, rows, programme).slice(1)];
  const items = rows.slice(0, STANDINGS).map((row) => {
    const item = playerBox("li", "", programme, row.seat, html("span", { class: "sum" }, sumOf(row)));
    item.prepend(html("span", { class: "place" }, String(row.place)));
    return item;
  });
  return [
    which,
    html("h2", {}, "The standings of the day"),
    withOneSize(html("ol", { class: "day-standings" }, ...items)),
    html("p", { class: "next" }, `Next: tournament ${number + 1} of ${of}`),
  ];
}

const TITLES = { 1: "The winner", 2: "Second place", 3: "Third place" };

/**
 * @param {1 | 2 | 3} place
 * @param {Data.BoardRow[]} rows
 * @param {Data.TournamentInfo} programme
 */
function announcement(place, rows, programme) {
  const who = rows
    .slice(0, 3)
    .map((row) => playerBox("div", "laureate", programme, row.seat, html("p", { class: "sum" }, sumOf(row))));
  return [
    html("p", { class: "numeral", "aria-hidden": "true" }, String(place)),
    html("h2", {}, TITLES[place]),
    withOneSize(html("div", { class: "laureates" }, ...who)),
  ];
}

/** @param {Data.BoardRow} row */
function sumOf(row) {
  if (row.points != null) return `${formatNumber(row.points)} points`;
  if (row.left_in_round === null) return `${formatNumber(row.chips)} chips`;
  return `in play until round ${formatNumber(row.left_in_round)}`;
}

/**
 * @param {Data.Award} award
 * @param {Data.TournamentInfo} programme
 * @param {boolean} fresh
 */
function awardCard(award, programme, fresh) {
  const who = award.seats.slice(0, 3).map((seat) => playerBox("div", "award-who", programme, seat));
  return html(
    "article",
    { class: fresh ? "award fresh" : "award" },
    html("h3", {}, award.title),
    ...who,
    html("p", {}, award.text),
  );
}

/** How many pieces of paper fly from each side, and for how long, in milliseconds. */
const PIECES = 60;
const FLIGHT_MS = 5200;

/**
 * Shoots paper in the winner's colors from both sides at the name, once.
 * @param {HTMLElement} root
 * @param {Data.TournamentInfo} programme
 * @param {number} player
 */
function celebrate(root, programme, player) {
  if (wantsStillness()) return;
  const layer = markPlayer(html("div", { class: "confetti", "aria-hidden": "true" }), player, programme);
  const [width, height] = [root.clientWidth || innerWidth, root.clientHeight || innerHeight];
  for (let index = 0; index < 2 * PIECES; index++) {
    const [side, spread, strength] = [index % 2 ? 1 : -1, (index * 0.618) % 1, (index * 0.414) % 1];
    const piece = html("span", { class: `piece piece-${index % 4}` });
    // Up in an arc and towards the middle, then down with the weight of paper.
    const [across, up] = [-side * width * (0.12 + 0.36 * spread), height * (0.45 + 0.5 * strength)];
    const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ turns) =>
      `translate(${(side * width) / 2 + x}px, ${y}px) rotate(${side * turns * 360}deg)`;
    piece.animate(
      [
        { transform: at(0, height, 0), easing: "cubic-bezier(.1,.7,.4,1)" },
        { transform: at(across, height - up, 1 + spread), easing: "cubic-bezier(.5,0,.9,.7)", offset: 0.28 },
        { transform: at(across * 1.25, height + 40, 3 + strength) },
      ],
      { duration: FLIGHT_MS * (0.75 + 0.25 * spread), delay: 1500 + 500 * strength, fill: "both" },
    );
    layer.append(piece);
  }
  root.append(layer);
  window.setTimeout(() => layer.remove(), FLIGHT_MS + 2500);
}

/**
 * Draws the first three, the awards, and the best prophet beside them. Later changes of the page do not draw it again.
 * @param {HTMLElement} root
 * @param {{
 *   podium: Data.BoardRow[],
 *   programme: Data.TournamentInfo,
 *   ceremony: Pick<Data.Ceremony, "awards"> | null,
 *   predictions?: Data.PredictionsView,
 *   lobby?: Pick<Data.LobbyView, "next_steps">,
 * }} current
 */
export function drawPodium(root, { podium, programme, ceremony, predictions, lobby }) {
  const { prophet = null, believers = null, count = 0 } = predictions ?? {};
  const awards = ceremony?.awards ?? [];
  const isDrawn = !isNews(root, [programme.number, programme.players, podium, awards, prophet, believers]);
  if (isDrawn && root.firstElementChild) {
    showSeed(root, programme);
    return;
  }
  const { players, house: { length: house } = [] } = programme;
  const places = podium.slice(0, 3).map((row) => {
    const label = { class: "block", role: "img", "aria-label": `place ${row.place}` };
    const parts = [html("span", { class: "sum" }, sumOf(row)), html("span", label, String(row.place))];
    return playerBox("li", `step step-${row.place}`, programme, row.seat, ...parts);
  });
  /** @type {HTMLElement[]} */
  const parts = [
    html(
      "h2",
      {},
      house ? `The best of ${players.length - house} players, without the house bots` : "The winners",
    ),
    withOneSize(html("ol", { class: "steps", "aria-label": "The winners" }, ...places)),
  ];
  if (believers !== null) {
    const phones = `${formatNumber(believers)} of ${formatNumber(count)} ${count === 1 ? "phone" : "phones"} believed in `;
    const winners = podium.filter((row) => row.place === 1).map((row) => playerName(programme, row.seat));
    parts.push(
      html("p", { class: "believers" }, phones, inlineName(new Intl.ListFormat("en").format(winners))),
    );
  }
  const beside = [];
  if (prophet) beside.push(prophetCard(prophet));
  beside.push(...awards.map((award) => awardCard(award, programme, false)));
  if (beside.length) parts.push(withOneSize(html("div", { class: "awards small" }, ...beside)));
  const steps = lobby?.next_steps ?? [];
  if (steps.length) parts.push(html("pre", { class: "next-steps" }, steps.join("\n")));
  root.replaceChildren(...parts);
  shrinkAwards(root);
  showSeed(root, programme);
}

/**
 * Shows the promise and the seed side by side, once there are both, and whether they belong together.
 * @param {HTMLElement} root
 * @param {Data.TournamentInfo} programme
 */
async function showSeed(root, { promise, seed }) {
  if (!promise || !seed || root.querySelector(".seed")) return;
  /** @type {(term: string, text: string) => HTMLElement} */
  const fact = (term, text) => html("div", {}, html("dt", {}, term), html("dd", {}, text));
  const facts = [fact("Promised before play, SHA-256", promise), fact("The seed of the shuffle", seed)];
  const verdict = html("p", { role: "status" });
  root.append(html("div", { class: "seed" }, html("dl", {}, ...facts), verdict));
  setText(verdict, await verdictOn(seed, promise));
  shrinkAwards(root);
}

/**
 * Whether this seed was promised, in words.
 * @param {string} seed
 * @param {string} promise
 */
async function verdictOn(seed, promise) {
  // Browsers have no Web Crypto on pages that come from another machine by plain http.
  if (!crypto.subtle) return `This browser cannot check it here. Compare: printf %s '${seed}' | sha256sum`;
  const digest = inHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed))));
  return digest === promise
    ? "✓ Checked by this browser: the seed is the promised one."
    : `✗ This is not the promised seed: its SHA-256 is ${digest}.`;
}

/** @param {{ name: string, points: number, text: string }} prophet */
function prophetCard({ name, points, text }) {
  return html(
    "article",
    { class: "award prophet" },
    html("h3", {}, "Best prophet"),
    html("div", { class: "award-who" }, emblem(name), nameBox(name)),
    html("p", {}, `${formatNumber(points)} play points: ${text}`),
  );
}
