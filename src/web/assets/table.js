// The table: fixed seats on an oval, cards, bets, the opener's button, and the chances of those who are still in.

import { fittedBox, nameBox, onResize, setFitted, withOneSize } from "./fit.js";
import { drawMiddle } from "./panels.js";
import { CROWDED, seating } from "./seating.js";
import {
  formatNumber,
  html,
  isNarrow,
  markPlayer,
  playerEmblem,
  playerName,
  seatCards,
  setText,
  wantsStillness,
} from "./view.js";

/**
 * @import * as Data from "./data.d.ts"
 * @import { Box, Seating } from "./seating.js"
 */

/** The time of seats to move to their new places when a player has left the table, in milliseconds. */
const MOVE_MS = 800;

/**
 * The parts of a seat, its place, and its drawn cards.
 * @typedef {{
 *   item: HTMLElement,
 *   box: Box | null,
 *   stack: HTMLElement,
 *   word: HTMLElement,
 *   cards: HTMLElement,
 *   side: HTMLElement,
 *   bet: HTMLElement,
 *   cardKey: string,
 *   shown: number,
 *   sideKey: string,
 *   bars: HTMLElement[],
 * }} DrawnSeat
 */

/**
 * A table as it stands on the page. The keys describe the drawn parts, so that only changes are drawn.
 * @typedef {{
 *   seating: string,
 *   table: number,
 *   seats: Map<number, DrawnSeat>,
 *   turn: number,
 *   centre: HTMLElement,
 *   middle: Pick<Seating, "centre" | "whole"> | null,
 *   button: HTMLElement,
 *   flights: HTMLElement,
 *   last: Data.TableView | null,
 * }} DrawnTable
 */

/** @type {WeakMap<HTMLElement, DrawnTable>} */
const drawnTables = new WeakMap();

/**
 * Draws a table, or hides it if there is none.
 * @param {HTMLElement} root
 * @param {Data.TableView | null} table
 * @param {Data.TournamentInfo} programme
 * @param {{ several: boolean, reason?: string | null, explains?: boolean }} around Whether there are several tables, why this
 *     one is shown, and whether the chances are explained.
 */
export function drawTable(root, table, programme, { several, reason = null, explains = false }) {
  root.hidden = table === null;
  if (!table) return;
  const seats = table.seats.map(({ seat, at }) => [seat, at, playerName(programme, seat)]);
  const key = JSON.stringify([table.table, seats]);
  let drawn = drawnTables.get(root);
  if (drawn?.seating !== key) {
    const before = drawn?.table === table.table ? drawn.seats : new Map();
    drawn = layOutTable(root, table, key, programme, before);
    drawnTables.set(root, drawn);
    seatAnew(root, drawn);
  }
  const before = drawn.last;
  drawn.last = table;
  // Once the bets are in the pot, the middle has their room as well.
  if (((before?.result ?? null) === null) !== (table.result === null)) placeCentre(drawn);
  for (const seat of table.seats) {
    const part = drawn.seats.get(seat.seat);
    if (part) drawSeat(part, seat, table);
  }
  drawButton(drawn, table);
  drawMiddle(drawn.centre, table, programme, { several, reason, explains });
  root.classList.toggle("ended", table.result !== null);
  moveChips(drawn, before, table);
}

/**
 * Puts the taken seats around an empty center. Players who stay keep their seats.
 * @param {HTMLElement} root
 * @param {Data.TableView} table
 * @param {string} key
 * @param {Data.TournamentInfo} programme
 * @param {Map<number, DrawnSeat>} before
 * @returns {DrawnTable}
 */
function layOutTable(root, table, key, programme, before) {
  const list = html("ol", { class: "seats", "aria-label": "Players at the table" });
  const seats = new Map();
  for (const { seat } of table.seats) {
    const kept = before.get(seat);
    const drawn = kept?.item.title === playerName(programme, seat) ? kept : makeSeat(seat, programme);
    seats.set(seat, drawn);
    list.append(drawn.item);
  }
  const centre = html("div", { class: "centre" });
  const button = html("span", { class: "opener", title: "opens the street" }, "opens");
  const flights = html("div", { class: "flights", "aria-hidden": "true" });
  root.replaceChildren(
    html("div", { class: "felt", "aria-hidden": "true" }),
    withOneSize(list),
    centre,
    ...[...seats.values()].map((seat) => seat.bet),
    button,
    flights,
  );
  root.classList.toggle("duel", seats.size <= 2);
  root.classList.toggle("crowd", seats.size > CROWDED);
  onResize(root, placeSeats);
  return {
    seating: key,
    table: table.table,
    seats,
    turn: 0,
    centre,
    middle: null,
    button,
    flights,
    last: null,
  };
}

/**
 * Gives a table that was laid out anew the whole room: the seats go to their new places, and none of them further than it
 * has to.
 * @param {HTMLElement} root
 * @param {DrawnTable} drawn
 */
function seatAnew(root, drawn) {
  const before = new Map([...drawn.seats].map(([player, { box }]) => [player, box]));
  const [width, height] = [root.clientWidth, root.clientHeight];
  if (width > 0 && height > 0) {
    const { places } = seating(drawn.seats.size, width, height);
    const way = (/** @type {number} */ turn) =>
      [...before.values()].reduce((sum, box, index) => {
        const place = places[(index + turn) % places.length];
        return sum + (box ? (place.x - box.x) ** 2 + (place.y - box.y) ** 2 : 0);
      }, 0);
    const ways = places.map((_, turn) => way(turn));
    drawn.turn = ways.indexOf(Math.min(...ways));
  }
  placeSeats(root);
  if (wantsStillness() || isNarrow() || document.hidden) return;
  for (const [player, { item, box }] of drawn.seats) {
    const from = before.get(player);
    if (!from || !box) continue;
    const at = (/** @type {Box} */ { x, y }) => `translate(calc(${x}px - 50%), calc(${y}px - 50%))`;
    const size = `scale(${from.width / box.width}, ${from.height / box.height})`;
    item.animate([{ transform: `${at(from)} ${size}` }, { transform: `${at(box)} scale(1, 1)` }], {
      duration: MOVE_MS,
      easing: "ease-in-out",
    });
  }
}

/**
 * @param {number} player
 * @param {Data.TournamentInfo} programme
 * @returns {DrawnSeat}
 */
function makeSeat(player, programme) {
  const name = playerName(programme, player);
  const stack = html("span", { class: "stack" });
  const word = fittedBox("word", "");
  const cards = html("div", { class: "cards" });
  const side = html("div", { class: "side" });
  const item = html(
    "li",
    { class: "seat", title: name },
    html("div", { class: "head" }, nameBox(name)),
    html("div", { class: "line" }, playerEmblem(programme, player), stack, word),
    html("div", { class: "hand-row" }, cards, side),
  );
  markPlayer(item, player, programme);
  const bet = html("span", { class: "bet", "aria-label": `bet of ${name}`, role: "img" });
  bet.hidden = true;
  return { item, box: null, stack, word, cards, side, bet, cardKey: "", shown: 0, sideKey: "", bars: [] };
}

/**
 * Gives every part of a table its place. On a phone the style sheet puts them one below the other instead.
 * @param {HTMLElement} root
 */
function placeSeats(root) {
  const drawn = drawnTables.get(root);
  const [width, height] = [root.clientWidth, root.clientHeight];
  if (!drawn || width === 0 || height === 0) return;
  const { places, centre, whole } = seating(drawn.seats.size, width, height);
  for (const [index, seat] of [...drawn.seats.values()].entries()) {
    const { item, bet } = seat;
    const place = places[(index + drawn.turn) % places.length];
    seat.box = place;
    put(item, place.x, place.y, place.width, place.height);
    put(bet, place.betX, place.betY);
    bet.style.setProperty("--shift", `${place.betShift ?? -50}%`);
    bet.style.setProperty("--button-x", `${place.buttonX.toFixed(1)}px`);
    bet.style.setProperty("--button-y", `${place.buttonY.toFixed(1)}px`);
  }
  drawn.middle = { centre, whole };
  placeCentre(drawn);
  if (drawn.last) drawButton(drawn, drawn.last);
}

/**
 * Gives the middle its place, which is a larger one once the bets are in the pot. The seats stay where they are, and
 * nothing is measured.
 * @param {DrawnTable} drawn
 */
function placeCentre({ middle, last, centre }) {
  if (!middle) return;
  const { x, y, width, height } = last?.result ? middle.whole : middle.centre;
  put(centre, x, y, width, height);
}

/** @type {(element: HTMLElement, x: number, y: number, wide?: number, high?: number) => void} */
function put(element, x, y, wide, high) {
  element.style.setProperty("--x", `${x.toFixed(1)}px`);
  element.style.setProperty("--y", `${y.toFixed(1)}px`);
  if (wide) element.style.setProperty("--w", `${wide.toFixed(1)}px`);
  if (high) element.style.setProperty("--h", `${high.toFixed(1)}px`);
}

/**
 * @param {DrawnTable} drawn
 * @param {Data.TableView} table
 */
function drawButton({ button, seats }, { opener, result, war }) {
  const seat = opener === null ? undefined : seats.get(opener);
  button.hidden = !seat || result !== null || war !== null;
  if (!seat) return;
  for (const axis of ["x", "y"]) {
    button.style.setProperty(`--${axis}`, seat.bet.style.getPropertyValue(`--button-${axis}`));
  }
}

/**
 * @param {DrawnSeat} drawn
 * @param {Data.SeatView} seat
 * @param {Data.TableView} table
 */
function drawSeat(drawn, seat, table) {
  const { item } = drawn;
  const turn = table.turn === seat.seat && !table.result && !table.war;
  item.classList.toggle("turn", turn);
  item.classList.toggle("folded", !seat.live);
  item.classList.toggle("won", seat.won > 0);
  item.classList.toggle("opens", table.opener === seat.seat && !table.result);
  setText(drawn.stack, formatNumber(seat.stack));
  const said = seat.won > 0 ? `+${formatNumber(seat.won)}` : seat.word;
  setFitted(drawn.word, turn && !said ? "to act" : said);
  const cardKey = [seat.hole, ...seat.up].join();
  if (drawn.cardKey !== cardKey || drawn.shown === 0) {
    const faces = seatCards(seat);
    // Only a card that has just been turned up moves.
    if (drawn.shown > 0 && drawn.shown < faces.length) faces[faces.length - 1].classList.add("fresh");
    if (seat.hole && !drawn.cardKey.startsWith(seat.hole)) faces[0].classList.add("fresh");
    drawn.cardKey = cardKey;
    drawn.shown = faces.length;
    drawn.cards.replaceChildren(...faces);
  }
  // The bar of a war has the room of the bets.
  drawn.bet.hidden = seat.bet === 0 || table.result !== null || table.war !== null;
  const bet = formatNumber(seat.bet);
  if (drawn.bet.dataset.amount !== bet) {
    drawn.bet.dataset.amount = bet;
    drawn.bet.replaceChildren(html("span", { class: "disc" }), bet);
    drawn.bet.setAttribute("aria-label", `bet ${bet}`);
  }
  drawSide(drawn, seat, table);
}

/**
 * The part beside the cards of a seat: the two chances, or the halves that it won.
 * @param {DrawnSeat} drawn
 * @param {Data.SeatView} seat
 * @param {Data.TableView} table
 */
function drawSide(drawn, seat, table) {
  const chances = [seat.hand_chance ?? null, seat.spade_chance ?? null];
  const known = !table.result && seat.live && chances.some((chance) => chance !== null);
  const key = seat.won > 0 ? `won ${seat.halves.join()}` : known ? "chances" : "";
  if (drawn.sideKey !== key) {
    drawn.sideKey = key;
    drawn.side.replaceChildren();
    drawn.bars = [];
    if (seat.won > 0) {
      drawn.side.append(...seat.halves.map((half) => html("span", { class: `half ${half}` }, HALVES[half])));
    } else if (known) {
      drawn.bars = CHANCES.map(({ name, sign }) =>
        html(
          "div",
          { class: `chance ${name}` },
          html("span", { class: "sign", "aria-hidden": "true" }, sign),
          html("span", { class: "percent" }),
          html("span", { class: "track", "aria-hidden": "true" }, html("span", { class: "level" })),
        ),
      );
      drawn.side.append(...drawn.bars);
    }
  }
  drawn.bars.forEach((bar, index) => drawChance(bar, chances[index], CHANCES[index].label));
}

/**
 * @param {HTMLElement} bar
 * @param {number | null} chance
 * @param {string} label
 */
function drawChance(bar, chance, label) {
  const percent = bar.querySelector(".percent");
  const level = bar.querySelector(".level");
  const share = chance ?? 0;
  if (percent) setText(percent, chance === null ? "–" : `${inPercent(share)}%`);
  if (level instanceof HTMLElement) level.style.transform = `scaleX(${share.toFixed(3)})`;
  bar.title = label;
}

/**
 * A chance in percent. A possible event is not 0, and an uncertain one is not 100.
 * @param {number} share
 */
function inPercent(share) {
  if (share <= 0 || share >= 1) return Math.round(share * 100);
  return Math.min(99, Math.max(1, Math.round(share * 100)));
}

const CHANCES = [
  { name: "hand", sign: "★", label: "chance of the best hand" },
  { name: "spade", sign: "♠", label: "chance of the high spade" },
];

/** The short names of the parts of the pot, for the seat of a winner. @type {Record<Data.Half, string>} */
const HALVES = { whole: "pot", hand: "hand", spade: "spade" };

/**
 * Lets chips go their way: bets onto the felt, bets into the pot, the pot to those who have won it.
 * @param {DrawnTable} drawn
 * @param {Data.TableView | null} before
 * @param {Data.TableView} table
 */
function moveChips(drawn, before, table) {
  if (!before || before.table !== table.table || before.round !== table.round) return;
  const street = table.street !== before.street || (table.result !== null && before.result === null);
  for (const seat of table.seats) {
    const part = drawn.seats.get(seat.seat);
    const old = before.seats.find((other) => other.seat === seat.seat);
    if (!part || !old) continue;
    if (street && old.bet > 0) fly(drawn.flights, part.bet, drawn.centre, formatNumber(old.bet), 0);
    if (!street && seat.bet > old.bet) fly(drawn.flights, part.item, part.bet, "", 0);
    if (table.result && !before.result && seat.won > 0) {
      const halves = [...drawn.centre.querySelectorAll(".panel")].filter(
        (panel) =>
          panel instanceof HTMLElement && (panel.dataset.seats ?? "").split(" ").includes(String(seat.seat)),
      );
      for (const from of halves.length ? halves : [drawn.centre]) {
        fly(drawn.flights, from, part.item, `+${formatNumber(seat.won)}`, 900);
      }
    }
  }
}

/** The time of a chip to its goal, in milliseconds. */
const FLIGHT_MS = 620;

/** The most chips that move at a time. */
const MOST_CHIPS = 40;

/**
 * The middle of an element, even of one that has just been hidden.
 * @param {Element} element
 */
function middleOf(element) {
  const box = element.getBoundingClientRect();
  if (box.width > 0 || !(element instanceof HTMLElement) || !element.parentElement) {
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
  const around = element.parentElement.getBoundingClientRect();
  /** @param {string} axis */
  const offset = (axis) => parseFloat(element.style.getPropertyValue(`--${axis}`)) || 0;
  return { x: around.left + offset("x"), y: around.top + offset("y") };
}

/**
 * Moves a chip. Only transform and opacity change, and nothing moves if the viewer prefers reduced motion.
 * @param {HTMLElement} layer
 * @param {Element} from
 * @param {Element} to
 * @param {string} amount The text beside it.
 * @param {number} delay In milliseconds.
 */
function fly(layer, from, to, amount, delay) {
  if (wantsStillness() || isNarrow() || document.hidden || layer.childElementCount >= MOST_CHIPS) return;
  const base = layer.getBoundingClientRect();
  const [start, end] = [middleOf(from), middleOf(to)];
  const chip = html("span", { class: "flight" }, html("span", { class: "disc" }), amount);
  layer.append(chip);
  /** @type {(point: { x: number, y: number }) => string} */
  const at = ({ x, y }) =>
    `translate(${(x - base.left).toFixed(1)}px, ${(y - base.top).toFixed(1)}px) translate(-50%, -50%)`;
  const flight = chip.animate(
    [
      { transform: at(start), opacity: 0 },
      { transform: at(start), opacity: 1, offset: 0.12 },
      { transform: at(end), opacity: 1, offset: 0.9 },
      { transform: at(end), opacity: 0 },
    ],
    { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" },
  );
  const land = () => chip.remove();
  flight.finished.then(land, land);
}
