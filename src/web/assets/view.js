// What the page and the replay both draw: the table, the leaderboard and the race. Text that a player has a say in is
// always set as text, never as HTML.

/** @import * as Data from "./data.d.ts" */

/** @typedef {Record<string, string | number>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, { word: string, path: string }>} */
const SUITS = {
  S: {
    word: "spades",
    path: "M50 6C62 27 92 41 92 63c0 17-19 23-34 11 1 10 6 16 12 20H30c6-4 11-10 12-20C27 86 8 80 8 63 8 41 38 27 50 6Z",
  },
  H: {
    word: "hearts",
    path: "M50 94C34 75 6 60 6 34 6 17 19 8 31 8c10 0 16 6 19 14C53 14 59 8 69 8c12 0 25 9 25 26 0 26-28 41-44 60Z",
  },
  D: { word: "diamonds", path: "M50 4 86 50 50 96 14 50Z" },
  C: {
    word: "clubs",
    path: "M50 6a21 21 0 0 1 18 32 21 21 0 1 1-11 33c2 11 6 18 13 23H30c7-5 11-12 13-23a21 21 0 1 1-11-33A21 21 0 0 1 50 6Z",
  },
};

/** @type {Record<string, string>} */
const FACES = { J: "jack", Q: "queen", K: "king", A: "ace" };

const COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const NUMBERS = new Intl.NumberFormat("en");

/**
 * A number with commas between the thousands.
 * @param {number} number
 */
export const formatNumber = (number) => NUMBERS.format(number);

/**
 * The element of the page with this id.
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id
 * @param {new () => Type} [type] What kind of element it has to be.
 * @returns {Type}
 */
export function elementById(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) throw new Error(`the page has no such element: ${id}`);
  return /** @type {Type} */ (found);
}

/**
 * Gives an element attributes and children. A child that is a string stays text.
 * @template {Element} Type
 * @param {Type} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A new HTML element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * A new SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Changes between dark and light colours. */
export function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : !matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

/**
 * A player's name.
 * @param {Data.Programme} programme
 * @param {number} player The player's number, from 1.
 */
export const playerName = (programme, player) => programme.players[player - 1] ?? "";

/**
 * A card face up: the rank is large; the suit is told by shape, colour and letter.
 * @param {Data.CardCode} code
 */
function drawCard(code) {
  const [rank, suit] = [code.slice(0, -1), code.slice(-1)];
  const { word, path } = SUITS[suit];
  const label = `${FACES[rank] ?? COUNTS[Number(rank)]} of ${word}`;
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: `card suit-${suit}`, role: "img", "aria-label": label },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("text", { x: 32, y: 43, class: rank === "10" ? "rank ten" : "rank" }, rank),
    svg("path", { d: path, transform: "translate(27 48) scale(.34)" }),
    svg("text", { x: 15, y: 78, class: "letter" }, suit),
  );
}

/** A card face down. */
function drawCardBack() {
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: "card back", role: "img", "aria-label": "a card face down" },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("rect", { x: 8, y: 8, width: 48, height: 72, rx: 4, class: "pattern" }),
    svg("path", { d: "M32 20 46 44 32 68 18 44Z", class: "figure" }),
  );
}

/**
 * How many steps around the circle of hues lie between one player's hue and the next one's. Neighbours are far apart,
 * and no hue is used twice.
 * @param {number} players
 */
function hueStep(players) {
  /** @type {(one: number, other: number) => number} */
  const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));
  let step = Math.max(1, Math.round(players * 0.38));
  while (divisor(step, players) > 1) step++;
  return step;
}

/**
 * Gives an element what tells one player from the others: a hue, and one of three kinds of dashes.
 * @template {HTMLElement | SVGElement} Type
 * @param {Type} element
 * @param {number} player The player's number, from 1.
 * @param {Data.Programme} programme
 */
export function markPlayer(element, player, programme) {
  const players = Math.max(programme.players.length, 1);
  const hue = (360 * (((player - 1) * hueStep(players)) % players)) / players;
  element.style.setProperty("--hue", String(Math.round(hue)));
  element.dataset.dash = String((player - 1) % 3);
  return element;
}

/** The grids on whose edge the seats stand: room for how many, columns, rows. */
const GRIDS = [
  [8, 3, 3],
  [10, 4, 3],
  [12, 5, 3],
  [14, 5, 4],
  [18, 6, 5],
];

/**
 * Where the seats stand: cells along the edge of a grid, spread evenly, clockwise from the top left.
 * @param {number} count
 */
function seatCells(count) {
  /** @type {(column: number, row: number) => { column: number, row: number }} */
  const cell = (column, row) => ({ column, row });
  if (count === 2) return { columns: 3, rows: 1, cells: [cell(1, 1), cell(3, 1)] };
  const grid = GRIDS.find(([room]) => room >= count);
  if (!grid) throw new Error(`no table has ${count} seats`);
  const [, columns, rows] = grid;
  const edge = [];
  for (let column = 1; column <= columns; column++) edge.push(cell(column, 1));
  for (let row = 2; row < rows; row++) edge.push(cell(columns, row));
  for (let column = columns; column >= 1; column--) edge.push(cell(column, rows));
  for (let row = rows - 1; row > 1; row--) edge.push(cell(1, row));
  const cells = [];
  for (let index = 0; index < count; index++) cells.push(edge[Math.floor((index * edge.length) / count)]);
  return { columns, rows, cells };
}

/**
 * A table as it stands on the page. The keys say what each part shows, so that only what has changed is drawn again.
 * @typedef {{
 *   seating: string,
 *   seats: Map<number, { item: HTMLElement, key: string }>,
 *   centre: HTMLElement,
 *   key: string,
 * }} DrawnTable
 */

/** @type {WeakMap<HTMLElement, DrawnTable>} */
const drawnTables = new WeakMap();

/**
 * Puts empty seats around an empty centre.
 * @param {HTMLElement} root
 * @param {Data.SeatState[]} seats
 * @param {string} seating
 * @returns {DrawnTable}
 */
function layOutTable(root, seats, seating) {
  const { columns, rows, cells } = seatCells(seats.length);
  root.style.setProperty("--columns", String(columns));
  root.style.setProperty("--rows", String(rows));
  root.classList.toggle("duel", rows === 1);
  const list = html("ol", { class: "seats", "aria-label": "Players at the table" });
  const drawnSeats = new Map();
  seats.forEach((seat, index) => {
    const item = html("li", { class: "seat" });
    item.style.gridColumn = String(cells[index].column);
    item.style.gridRow = String(cells[index].row);
    drawnSeats.set(seat.seat, { item, key: "" });
    list.append(item);
  });
  const centre = html("div", { class: "centre" });
  const cell = html("li", { class: "centre-cell" }, centre);
  for (const part of [centre, cell]) {
    part.style.gridColumn = columns > 2 ? `2 / ${columns}` : "1";
    part.style.gridRow = rows > 2 ? `2 / ${rows}` : "1";
  }
  list.append(cell);
  root.replaceChildren(list);
  return { seating, seats: drawnSeats, centre, key: "" };
}

/**
 * Draws a table, or hides it if there is none.
 * @param {HTMLElement} root
 * @param {Data.TableState | null} table
 * @param {Data.Programme} programme
 * @param {boolean} several Whether it is one of several tables.
 */
export function drawTable(root, table, programme, several = false) {
  root.hidden = !table;
  if (!table) return;
  let drawn = drawnTables.get(root);
  const seating = `${table.table}: ${table.seats.map((seat) => seat.seat).join()}`;
  if (!drawn || drawn.seating !== seating) {
    drawn = layOutTable(root, table.seats, seating);
    drawnTables.set(root, drawn);
  }
  for (const seat of table.seats) {
    const [turn, name] = [table.turn === seat.seat, playerName(programme, seat.seat)];
    const key = JSON.stringify([seat, turn, table.opener, table.street, name]);
    const drawnSeat = drawn.seats.get(seat.seat);
    if (drawnSeat && drawnSeat.key !== key) {
      drawnSeat.key = key;
      drawSeat(drawnSeat.item, seat, table, programme);
    }
  }
  const key = JSON.stringify([table.pot, table.street, table.result, table.round, table.finale, several]);
  if (drawn.key !== key) {
    drawn.key = key;
    drawCentre(drawn.centre, table, programme, several);
  }
}

/**
 * @param {HTMLElement} item
 * @param {Data.SeatState} seat
 * @param {Data.TableState} table
 * @param {Data.Programme} programme
 */
function drawSeat(item, seat, table, programme) {
  const name = playerName(programme, seat.seat);
  const turn = table.turn === seat.seat;
  item.classList.toggle("turn", turn);
  item.classList.toggle("folded", !seat.live);
  item.classList.toggle("won", seat.won > 0);
  markPlayer(item, seat.seat, programme);
  const faces = [seat.hole ? drawCard(seat.hole) : drawCardBack(), ...seat.up.map(drawCard)];
  // Only a card that has just been turned up moves.
  if (Number(item.dataset.cards) < seat.up.length) faces[faces.length - 1].classList.add("fresh");
  item.dataset.cards = String(seat.up.length);
  const word = html("span", { class: "word" }, turn && !seat.word ? "to act" : seat.word);
  const line = html(
    "div",
    { class: "line" },
    html("span", { class: "stack" }, formatNumber(seat.stack)),
    word,
  );
  const cards = html("div", { class: "cards" }, ...faces, seatSide(seat, table));
  item.replaceChildren(html("div", { class: "name", title: name }, ...nameParts(name)), line, cards);
}

/**
 * What stands beside the cards of a seat: the halves that it won, or its bet and whether it opens.
 * @param {Data.SeatState} seat
 * @param {Data.TableState} table
 */
function seatSide(seat, table) {
  const side = html("div", { class: "side" });
  if (seat.won > 0) {
    side.append(...seat.halves.map((half) => html("span", { class: "half" }, HALVES[half].short)));
  } else if (!table.result) {
    if (seat.bet > 0) {
      side.append(
        html("span", { class: "bet" }, html("span", { class: "quiet" }, "bet "), formatNumber(seat.bet)),
      );
    }
    if (table.opener === seat.seat) {
      side.append(html("span", { class: "opener", title: "opens the street" }, "opens"));
    }
  }
  return side;
}

/**
 * What a winner won, in a word for the seat and in words for the centre of the table.
 * @type {Record<Data.Half, { short: string, long: string }>}
 */
const HALVES = {
  whole: { short: "pot", long: "the pot" },
  hand: { short: "hand", long: "best hand" },
  spade: { short: "♠ spade", long: "high spade ♠" },
};

/**
 * A name in two parts of which only the first is cut where there is no room for all of it: the end often tells two
 * names apart.
 * @param {string} name
 */
function nameParts(name) {
  const letters = [...name];
  if (letters.length < 8) return [html("span", {}, name)];
  return [
    html("span", {}, letters.slice(0, -3).join("")),
    html("span", { class: "tail" }, letters.slice(-3).join("")),
  ];
}

/**
 * @param {HTMLElement} centre
 * @param {Data.TableState} table
 * @param {Data.Programme} programme
 * @param {boolean} several
 */
function drawCentre(centre, table, programme, several) {
  const round = formatNumber(table.round);
  const street = html("span", {}, table.street === 1 ? "first up cards" : "second up cards");
  const heading = several ? `Table ${table.table}, round ${round}` : `Round ${round}`;
  const children = [html("p", { class: several ? "round several" : "round" }, heading, street)];
  if (table.finale) children.unshift(html("p", { class: "finale" }, "The last round"));
  centre.replaceChildren(...children, ...(table.result ? resultLines(table, programme) : potLines(table)));
}

/** @param {Data.TableState} table */
function potLines(table) {
  const spade = formatNumber(table.spade_half);
  const hand = formatNumber(table.pot - table.spade_half);
  return [
    html("p", { class: "pot" }, html("span", {}, "Pot"), html("strong", {}, formatNumber(table.pot))),
    html("p", { class: "halves" }, `high spade in the hole ♠ ${spade} · best hand ${hand}`),
  ];
}

/**
 * @param {Data.TableState} table
 * @param {Data.Programme} programme
 */
function resultLines(table, programme) {
  if (!table.result) return [];
  const winners = table.seats
    .filter((seat) => seat.won > 0)
    .map((seat) => {
      const halves = seat.halves.map((half) => HALVES[half].long).join(" and ");
      const name = html("strong", {}, playerName(programme, seat.seat));
      return html("p", { class: "winner" }, name, ` +${formatNumber(seat.won)} `, html("span", {}, halves));
    });
  const hand = html("div", { class: "hand" }, ...table.result.hand.map(drawCard));
  return [hand, html("p", { class: "words" }, table.result.words), ...winners];
}

/** A leaderboard with more rows than this has to be scrolled; the race has a line for no more players than these. */
const ROWS = 17;

/**
 * Draws the leaderboard.
 * @param {HTMLElement} body
 * @param {Pick<Data.Leaderboard, "rows">} board
 * @param {Data.Programme} programme
 */
export function drawBoard(body, board, programme) {
  const most = Math.max(1, ...board.rows.map((row) => row.chips));
  const rows = board.rows.map((row) => boardRow(row, most, programme));
  body.replaceChildren(...rows);
  body.parentElement?.style.setProperty("--count", String(Math.min(Math.max(rows.length, 8), ROWS)));
  // What has to be scrolled must be reached by the keyboard.
  if (rows.length > ROWS) body.setAttribute("tabindex", "0");
  else body.removeAttribute("tabindex");
}

/**
 * @param {Data.LeaderboardRow} row
 * @param {number} most The chips of the player who has the most.
 * @param {Data.Programme} programme
 */
function boardRow(row, most, programme) {
  const out = row.left_in_round !== null;
  const name = playerName(programme, row.seat);
  const swatch = svg(
    "svg",
    { viewBox: "0 0 24 10", class: "swatch", "aria-hidden": "true" },
    svg("line", { x1: 0, y1: 5, x2: 24, y2: 5 }),
  );
  const line = html(
    "tr",
    { class: out ? "out" : "" },
    html("td", { class: "place" }, String(row.place)),
    html("td", { class: "who", title: out ? `${name}: ${row.why}` : name }, swatch, html("span", {}, name)),
    html("td", { class: "chips" }, boardScore(row)),
  );
  line.style.setProperty("--share", `${(100 * row.chips) / most}%`);
  return markPlayer(line, row.seat, programme);
}

/**
 * What counts in a row of the leaderboard: points, the round in which the player left, or chips.
 * @param {Data.LeaderboardRow} row
 */
function boardScore(row) {
  if (row.points !== undefined) return formatNumber(row.points);
  if (row.left_in_round === null) return formatNumber(row.chips);
  return html("span", { class: "left" }, `out in ${formatNumber(row.left_in_round)}`);
}

/** A line is drawn with about this many points at most: more than a screen shows. */
const POINTS = 240;

/** The size of the drawing of the race, and the room above and below its lines. */
const CHART = { width: 1000, height: 240, margin: 6 };

/**
 * Draws the stacks over the rounds.
 * @param {HTMLElement} root
 * @param {Data.Race} race
 * @param {Data.Programme} programme
 * @param {Pick<Data.Leaderboard, "rows">} board
 */
export function drawRace(root, race, programme, board) {
  const points = race.points;
  const last = points.at(-1);
  if (!last) return root.replaceChildren();
  const { width, height, margin } = CHART;
  const most = points.reduce((high, point) => Math.max(high, ...point.stacks), 1);
  const end = Math.max(1, last.round);
  const every = Math.ceil(points.length / POINTS);
  const drawn = points.filter((_, index) => index % every === 0 || index === points.length - 1);
  /** @param {number} round */
  const x = (round) => (width * round) / end;
  /** @param {number} stack */
  const y = (stack) => height - margin - ((height - 2 * margin) * stack) / most;
  const rows = board.rows.slice(0, ROWS);
  const label = raceInWords(last, programme, rows);
  const viewBox = `0 0 ${width} ${height}`;
  const picture = svg("svg", { viewBox, preserveAspectRatio: "none", role: "img", "aria-label": label });
  for (const share of [0.25, 0.5, 0.75, 1]) {
    picture.append(
      svg("line", { x1: 0, x2: width, y1: y(most * share), y2: y(most * share), class: "rule" }),
    );
  }
  // The leaders' lines are drawn last, over the others.
  for (const [place, { seat, left_in_round: left }] of [...rows.entries()].reverse()) {
    const line = drawn
      .filter((point) => !left || point.round <= left)
      .map((point) => `${x(point.round).toFixed(1)},${y(point.stacks[seat - 1]).toFixed(1)}`);
    const polyline = svg("polyline", { points: line.join(" ") });
    polyline.classList.toggle("ahead", place < 3);
    picture.append(markPlayer(polyline, seat, programme));
  }
  const top = html("span", {}, `up to ${formatNumber(most)} chips`);
  const right = html("span", {}, `round ${formatNumber(last.round)}`);
  root.replaceChildren(picture, html("p", { class: "scale" }, top, right));
}

/**
 * @param {Data.RacePoint} point
 * @param {Data.Programme} programme
 * @param {Data.LeaderboardRow[]} rows
 */
function raceInWords(point, programme, rows) {
  const leaders = rows
    .slice(0, 3)
    .map(({ seat }) => `${programme.players[seat - 1]} ${formatNumber(point.stacks[seat - 1])}`);
  return `Line chart of all stacks up to round ${point.round}. In front: ${leaders.join(", ")}.`;
}
