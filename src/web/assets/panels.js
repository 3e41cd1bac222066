// The middle of the table: the pot with its two halves, a war of raises, and at the end who takes which half.

import { playerBox, withOneSize } from "./fit.js";
import {
  drawCard,
  formatNumber,
  html,
  inlineName,
  isNews,
  playerName,
  setText,
  wantsStillness,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How long a war of raises takes to grow, in milliseconds. */
const WAR_MS = 2800;

/**
 * Draws the middle of a table.
 * @param {HTMLElement} centre
 * @param {Data.TableView} table
 * @param {Data.TournamentInfo} programme
 * @param {{ several: boolean, reason: string | null, explains: boolean }} around
 */
export function drawMiddle(centre, table, programme, { several, reason, explains }) {
  const halves = table.seats.map((seat) => [seat.won, ...seat.halves]);
  const state = table.result ? [table.result, halves] : table.war ? [table.war] : [];
  const { table: number, round, street, finale } = table;
  if (
    isNews(centre, [number, round, street, finale, several, reason, explains, programme.number, ...state])
  ) {
    const body = table.result
      ? [resultPanels(table, programme)]
      : table.war
        ? [warPanel(table.war, programme)]
        : potLines();
    centre.classList.toggle("showdown", table.result !== null);
    centre.replaceChildren(...heading(table, several, reason, explains), ...body);
  }
  if (!table.result && !table.war) drawPot(centre, table);
}

/**
 * Which round it is, and why it is shown.
 * @param {Data.TableView} table
 * @param {boolean} several
 * @param {string | null} reason
 * @param {boolean} explains Whether it says what the percentages are.
 */
function heading(table, several, reason, explains) {
  const round = `Round ${formatNumber(table.round)}`;
  const where = several ? `Table ${table.table} · ${round}` : round;
  const street = table.street === 1 ? "first up cards" : "second up cards";
  // As long as the words in its place: there is no room for another line.
  const words = explains ? "% = chance to win" : street;
  const parts = [html("p", { class: "round" }, table.result ? where : `${where} · ${words}`)];
  if (reason) parts.push(html("p", { class: "reason" }, reason));
  else if (table.finale) parts.unshift(html("p", { class: "finale" }, "The last round"));
  return parts;
}

function potLines() {
  const half = (/** @type {string} */ kind, /** @type {string} */ sign, /** @type {string} */ words) =>
    html(
      "span",
      { class: `stake ${kind}` },
      html("span", { class: "what" }, html("span", { "aria-hidden": "true" }, sign), ` ${words} `),
      html("strong", { class: `amount-${kind}` }),
    );
  return [
    html("p", { class: "pot" }, html("span", {}, "Pot "), html("strong", { class: "amount" })),
    html("p", { class: "stakes" }, half("hand", "★", "best hand"), half("spade", "♠", "high spade")),
  ];
}

/**
 * @param {HTMLElement} centre
 * @param {Data.TableView} table
 */
function drawPot(centre, table) {
  /** @type {[string, number][]} */
  const amounts = [
    [".amount", table.pot],
    [".amount-hand", table.pot - table.spade_half],
    [".amount-spade", table.spade_half],
  ];
  for (const [where, chips] of amounts) {
    const element = centre.querySelector(where);
    if (element) setText(element, formatNumber(chips));
  }
}

/**
 * Many raises as one bar that grows.
 * @param {Data.WarView} war
 * @param {Data.TournamentInfo} programme
 */
function warPanel(war, programme) {
  const fighters = war.seats
    .slice(0, 3)
    .flatMap((seat, index) => [
      ...(index > 0 ? [html("span", { class: "against", "aria-hidden": "true" }, "↔")] : []),
      playerBox("span", "fighter", programme, seat),
    ]);
  const end = formatNumber(war.to);
  const level = html("span", { class: "level" });
  const start = war.to > 0 ? war.from / war.to : 0;
  if (!wantsStillness()) {
    level.animate([{ transform: `scaleX(${start})` }, { transform: "scaleX(1)" }], {
      duration: WAR_MS,
      easing: "ease-in-out",
    });
  }
  return html(
    "div",
    { class: "war" },
    html("p", { class: "war-title" }, `A war of ${formatNumber(war.raises)} raises`),
    withOneSize(html("div", { class: "fighters" }, ...fighters)),
    html("div", { class: "war-bar", "aria-hidden": "true" }, level),
    html("p", {}, `pot from ${formatNumber(war.from)} to `, html("strong", { class: "war-pot" }, end)),
  );
}

/**
 * The winners of the halves of the pot: two large panels, or one.
 * @param {Data.TableView} table
 * @param {Data.TournamentInfo} programme
 */
function resultPanels(table, programme) {
  const { result, seats } = table;
  if (!result) return html("div");
  /** @param {Data.Half[]} halves */
  const takers = (...halves) =>
    seats.filter((seat) => seat.halves.some((half) => halves.includes(half))).map((seat) => seat.seat);
  const all = seats.reduce((sum, seat) => sum + seat.won, 0);
  const hands = takers("hand", "whole");
  const spades = takers("spade");
  const handChips = result.hand_chips ?? all;
  const spadeChips = result.spade_chips ?? 0;
  const cards = html("div", { class: "shown-cards" }, ...result.hand.map(drawCard));
  if (result.showdown === false) {
    const why = html("p", { class: "words" }, "all others have folded");
    return panels(panel("whole", "TAKES THE POT", hands, all, programme, why));
  }
  const words = html("p", { class: "words" }, result.words);
  if (result.scoop && result.spade) {
    const both = html("p", { class: "words" }, `${result.words}, and the high spade`);
    return panels(panel("scoop", "SCOOP", hands, all, programme, cards, both));
  }
  const hand = panel("hand", "BEST HAND", hands, handChips, programme, cards, words);
  if (!result.spade) {
    const none = html("p", { class: "words" }, "no player holds one: the best hand takes it all");
    return panels(hand, panel("spade", "HIGH SPADE", [], 0, programme, none));
  }
  const card = html("div", { class: "shown-cards" }, drawCard(result.spade));
  const hole = html("p", { class: "words" }, "highest spade in the hole");
  const owners = spades.length ? spades : result.spade_seat === null ? [] : [result.spade_seat];
  return panels(hand, panel("spade", "HIGH SPADE", owners, spadeChips, programme, card, hole));
}

/** @param {HTMLElement[]} children */
const panels = (...children) =>
  withOneSize(html("div", { class: `panels panels-${children.length}` }, ...children));

/**
 * @param {string} kind
 * @param {string} title
 * @param {number[]} owners The players' numbers.
 * @param {number} chips
 * @param {Data.TournamentInfo} programme
 * @param {HTMLElement[]} content
 */
function panel(kind, title, owners, chips, programme, ...content) {
  const head = [html("span", { class: "title" }, title)];
  if (chips > 0) head.push(html("strong", { class: "sum" }, `+${formatNumber(chips)}`));
  const who = owners.slice(0, 2).map((seat) => playerBox("p", "owner", programme, seat));
  if (owners.length > 2) {
    const more = owners.slice(2).map((seat) => inlineName(playerName(programme, seat)));
    who.push(html("p", { class: "owner more" }, `and ${more.length} more`));
  }
  return html(
    "article",
    { class: `panel ${kind} owners-${Math.min(owners.length, 3)}`, "data-seats": owners.join(" ") },
    html("p", { class: "panel-head" }, ...head),
    ...who,
    html("div", { class: "evidence" }, ...content),
  );
}
