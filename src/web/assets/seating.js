// Where the seats of a table stand. Places, bets and buttons are in percent of the width and of the height of the table.

/** Tables with more seats than this have no button: the opener's seat is marked instead. */
export const CROWDED = 10;

/**
 * The layouts of 2 to 17 seats. The first row has three sizes: of a seat, of the middle, and of the middle without bets.
 * The other rows are the seats of the right half, from the top to the bottom, each with the places of its bet and its
 * button; the left half mirrors them.
 */
const LAYOUTS = [
  [
    [27, 65.4, 32, 99, 44, 99],
    [86.3, 50, 79.6, 86.1, 70.4, 14.5],
  ],
  [
    [18.8, 22.5, 40, 40.9, 52, 52.1],
    [50, 11.5, 52.6, 26.2, 43.7, 25.5],
    [86.3, 72.4, 76.3, 66.4, 74.3, 58.4],
  ],
  [
    [17.8, 21.2, 91, 42.5, 91, 53.7],
    [84.6, 11.3, 82.1, 25.4, 73.2, 24.8],
    [84.6, 88.7, 82.1, 74.6, 73.2, 75.2],
  ],
  [
    [18.8, 22.5, 48, 40.8, 60, 52],
    [50, 11.5, 52.6, 26.2, 43.7, 25.5],
    [90.4, 33.5, 80.5, 39.5, 78.4, 47.5],
    [77.3, 88.5, 74.6, 73.8, 65.3, 74.5],
  ],
  [
    [18.8, 22.5, 48, 40.9, 60, 52.1],
    [72.7, 11.5, 70.1, 26.2, 60.7, 25.5],
    [90.4, 50, 80.5, 56.1, 78.4, 64],
    [72.7, 88.5, 70.1, 73.8, 60.7, 74.5],
  ],
  [
    [18.8, 22.5, 45, 40.9, 57, 52.1],
    [50, 11.5, 52.6, 26.2, 43.7, 25.5],
    [88.9, 14.6, 86.3, 29.2, 76.9, 28.6],
    [90.4, 61.8, 80.5, 55.7, 78.4, 47.8],
    [69.5, 88.5, 66.8, 73.8, 57.5, 74.5],
  ],
  [
    [18.8, 22.5, 48, 40.8, 60, 52],
    [66.1, 11.5, 63.5, 26.2, 54.1, 25.5],
    [90.3, 30.5, 80.4, 36.6, 78.3, 44.5],
    [90.3, 69.5, 80.4, 63.4, 78.3, 55.5],
    [66.1, 88.5, 63.5, 73.8, 54.1, 74.5],
  ],
  [
    [18.6, 22.2, 49, 41.2, 60, 52.4],
    [50, 11.4, 52.6, 25.9, 43.7, 25.4],
    [80.4, 11.5, 77.8, 26, 68.4, 25.5],
    [90.5, 40.8, 80.7, 46.8, 78.8, 54.8],
    [90.5, 77.6, 77.9, 63.1, 86.9, 63.6],
    [65.2, 88.6, 62.6, 74.1, 53.5, 74.6],
  ],
  [
    [18.8, 22.5, 44, 40.9, 56, 52.1],
    [62.9, 11.5, 60.2, 26.2, 51.2, 25.5],
    [88.2, 18.8, 85.6, 33.4, 76.2, 32.8],
    [90.4, 50, 80.5, 43.9, 76.6, 50],
    [88.2, 81.2, 85.6, 66.6, 76.2, 67.2],
    [62.9, 88.5, 60.2, 73.8, 51.2, 74.5],
  ],
  [
    [15.7, 18.7, 54, 41, 66, 52.2],
    [50, 9.6, 52.2, 22.4],
    [74.4, 9.9, 72.2, 22.7],
    [91.8, 27.7, 83.4, 32.8],
    [92, 57.4, 83.6, 52.4],
    [86.6, 86.7, 84.4, 73.9],
    [62.2, 90.4, 60, 77.6],
  ],
  [
    [18.4, 22, 49, 41, 61, 52.2],
    [61.4, 11.3, 58.8, 25.7],
    [84.3, 11.7, 76.3, 25.6],
    [90.6, 36.1, 80.9, 42.1],
    [90.6, 63.9, 80.9, 57.9],
    [84.3, 88.3, 76.3, 74.4],
    [61.4, 88.7, 58.8, 74.3],
  ],
  [
    [19.3, 23, 48, 40, 59, 51.2],
    [50, 11.7, 52.7, 26.6],
    [70.1, 11.7, 67.4, 26.6],
    [90.3, 11.7, 75.6, 26.1],
    [90.3, 37.2, 80.1, 43.4],
    [90.3, 62.8, 80.1, 56.6],
    [90.3, 88.3, 75.6, 73.9],
    [63.4, 88.3, 60.7, 73.4],
  ],
  [
    [19.3, 23, 48, 40, 59, 51.2],
    [50, 11.7, 52.7, 26.6],
    [70.1, 11.7, 67.4, 26.6],
    [90.3, 11.7, 75.6, 26.1],
    [90.3, 37.2, 80.1, 43.4],
    [90.3, 62.8, 80.1, 56.6],
    [90.3, 88.3, 75.6, 73.9],
    [70.1, 88.3, 67.4, 73.4],
    [50, 88.3, 52.7, 73.4],
  ],
  [
    [16, 19.1, 54, 48, 66, 59.2],
    [58.4, 9.7, 56.2, 22.6],
    [75.2, 9.7, 72.9, 22.6],
    [91.9, 9.7, 80.7, 22.6],
    [91.9, 36.6, 83.4, 41.7],
    [91.9, 63.4, 83.4, 58.3],
    [91.9, 90.3, 80.7, 77.4],
    [71, 90.3, 68.7, 77.4],
    [50, 90.3, 52.2, 77.4],
  ],
  [
    [14.9, 17.7, 54, 49.7, 65, 60.9],
    [58.5, 9.1, 56.4, 21.4],
    [75.4, 9.5, 73.3, 21.7],
    [91, 19.1, 77.5, 37.9],
    [92.4, 39.7, 84.5, 44.5],
    [92.4, 60.3, 84.5, 55.5],
    [91, 80.9, 87.5, 92.7],
    [75.4, 90.5, 73.3, 78.3],
    [58.5, 90.9, 56.4, 78.6],
  ],
  [
    [15.7, 18.8, 55, 48.5, 66, 59.7],
    [58.4, 9.5, 56.2, 22.3],
    [75.2, 9.5, 73, 22.3],
    [92.1, 9.5, 79.3, 25.9],
    [92.1, 29.8, 83.7, 34.8],
    [92.1, 50, 83.7, 55.1],
    [92.1, 70.2, 83.7, 65.2],
    [92.1, 90.5, 79.6, 78.2],
    [71, 90.5, 68.8, 77.7],
    [50, 90.5, 52.2, 77.7],
  ],
];

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
  const [[seatWide, seatHigh, wide, high, wholeWide, wholeHigh], ...right] = LAYOUTS[Math.max(count - 2, 0)];
  /** @type {(x: number, y: number, wide: number, high: number) => Box} */
  const box = (x, y, wide, high) => ({
    x: (x * width) / 100,
    y: (y * height) / 100,
    width: (wide * width) / 100,
    height: (high * height) / 100,
  });
  const place = (/** @type {number[]} */ [x, y, betX, betY, buttonX = x, buttonY = y]) => {
    const bet = box(betX, betY, 0, 0);
    const button = box(buttonX, buttonY, 0, 0);
    // A bet beside its seat grows towards the middle.
    const isBeside = Math.abs(betY - y) < seatHigh / 2;
    const betShift = isBeside ? (x < 50 ? 0 : -100) : -50;
    const places = { betX: bet.x, betY: bet.y, betShift, buttonX: button.x, buttonY: button.y };
    return { ...box(x, y, seatWide, seatHigh), ...places };
  };
  const mirrored = (/** @type {number[]} */ row) =>
    row.map((value, index) => (index % 2 ? value : 100 - value));
  const left = right
    .filter(([x]) => x !== 50)
    .map(mirrored)
    .reverse();
  const start = Math.floor(left.length / 2);
  const clockwise = [...left.slice(start), ...right, ...left.slice(0, start)];
  return {
    places: clockwise.slice(0, count).map(place),
    centre: box(50, 50, wide, high),
    whole: box(50, 50, wholeWide, wholeHigh),
  };
}
