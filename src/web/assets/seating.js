// Where the seats of a table stand. Places, bets and buttons are in percent of the width and of the height of the table.

/** Tables with more seats than this have no button: the opener's seat is marked instead. */
export const CROWDED = 10;

/** The width and the height of a seat at 2 to 17 seats, and how many stand above, at each side and below. */
const LAYOUTS = [
  [29, 74, 0, 1, 0],
  [26, 32, 1, 1, 0],
  [26, 32, 2, 0, 2],
  [25, 31, 3, 0, 2],
  [25, 30, 3, 0, 3],
  [24, 29, 4, 0, 3],
  [24, 29, 4, 0, 4],
  [23, 28, 3, 1, 4],
  [23, 28, 4, 1, 4],
  [20, 24, 4, 2, 3],
  [20, 24, 4, 2, 4],
  [19.2, 24, 5, 2, 4],
  [19.2, 24, 5, 2, 5],
  [16.2, 24, 6, 2, 5],
  [16.2, 24, 6, 2, 6],
  [14, 24, 6, 2, 7],
];

/** Between a seat and the edge of the table. */
const MARGIN = 0.2;

/** The room of a bet below or above its seat, and beside it. */
const [BET_HIGH, BET_WIDE] = [7.2, 10.5];

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box The middle and the size.
 * @typedef {Box & { betX: number, betY: number, betShift: number, buttonX: number, buttonY: number }} Place
 * @typedef {{ places: Place[], centre: Box, whole: Box }} Seating `whole` is the middle without bets.
 */

/**
 * The places of a table, clockwise, and the free box in the middle, in pixels.
 * @param {number} count From 1 to 17.
 * @param {number} width
 * @param {number} height
 * @returns {Seating}
 */
export function seating(count, width, height) {
  const layout = LAYOUTS[Math.max(count - 2, 0)];
  const [wide, high] = layout;
  /** @type {(x: number, y: number, wide: number, high: number) => Box} */
  const box = (x, y, wide, high) => ({
    x: (x * width) / 100,
    y: (y * height) / 100,
    width: (wide * width) / 100,
    height: (high * height) / 100,
  });
  const place = (/** @type {number[]} */ [x, y, betX, betY, buttonX, buttonY]) => {
    const bet = box(betX, betY, 0, 0);
    const button = box(buttonX, buttonY, 0, 0);
    // A bet beside its seat grows towards the middle.
    const isBeside = Math.abs(betY - y) < high / 2;
    const betShift = isBeside ? (x < 50 ? 0 : -100) : -50;
    const places = { betX: bet.x, betY: bet.y, betShift, buttonX: button.x, buttonY: button.y };
    return { ...box(x, y, wide, high), ...places };
  };
  const mirrored = (/** @type {number[]} */ row) =>
    row.map((value, index) => (index % 2 ? value : 100 - value));
  const right = rightHalf(layout);
  const left = right
    .filter(([x]) => x !== 50)
    .map(mirrored)
    .reverse();
  const start = Math.floor(left.length / 2);
  const clockwise = [...left.slice(start), ...right, ...left.slice(0, start)];
  return {
    places: clockwise.slice(0, count).map(place),
    centre: box(...middle(layout, BET_HIGH, BET_WIDE)),
    whole: box(...middle(layout, 1.5, 1)),
  };
}

/**
 * The seats of the right half, from the top to the bottom: the places of each, of its bet and of its button.
 * @param {number[]} layout
 */
function rightHalf([wide, high, above, beside, below]) {
  const outer = { x: 100 - wide / 2 - MARGIN, y: 100 - high / 2 - MARGIN };
  const edge = 100 - wide - MARGIN;
  const isCrowd = beside > 1;
  /** A line of seats, from the edge to the middle. @type {(count: number) => number[]} */
  const line = (count) =>
    [...Array(Math.ceil(count / 2)).keys()].map((index) =>
      2 * index === count - 1 ? 50 : outer.x - ((2 * outer.x - 100) * index) / (count - 1),
    );
  /** @type {(x: number, side: 1 | -1) => number[]} */
  const seat = (x, side) => {
    const y = 50 + side * (outer.y - 50);
    const inner = y - (side * high) / 2;
    // The bet of a corner stands between those of its neighbours.
    if (isCrowd && x === outer.x) return [x, y, edge - 5.5, inner - 7.2 * side, x, y];
    const betX = isCrowd && x !== 50 ? x - 2.4 : x + 2.6;
    return [x, y, betX, inner - 3.4 * side, betX - 9.4, inner - 3.5 * side];
  };
  const sides = [...Array(beside).keys()].map((index) => {
    const y = 100 - outer.y + ((2 * outer.y - 100) * (index + 1)) / (beside + 1);
    return below === 0 && above > 0 ? 72 : y;
  });
  return [
    ...line(above)
      .map((x) => seat(x, -1))
      .reverse(),
    ...sides.map((y) => [outer.x, y, edge - 0.6, y + (isCrowd ? 0 : 4.5), edge - 5, y - 4.5]),
    ...line(below).map((x) => seat(x, 1)),
  ];
}

/**
 * The free box in the middle.
 * @param {number[]} layout
 * @param {number} gap Between it and a line of seats.
 * @param {number} aside Between it and the seats at the sides.
 * @returns {[number, number, number, number]}
 */
function middle([wide, high, above, beside, below], gap, aside) {
  // Two seats of a line stand in the corners.
  const [isTopFree, isBottomFree] = [above, below].map((count) => count === 0 || count === 2);
  const [top, bottom] = [isTopFree ? 1 : high + gap, isBottomFree ? 99 : 100 - high - gap];
  const across = beside > 0 ? wide + aside : isTopFree || isBottomFree ? wide + 2 : 3;
  return [50, (top + bottom) / 2, 100 - 2 * across, bottom - top];
}
