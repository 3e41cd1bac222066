// Where the seats of an oval table stand, and what room is left in its middle.

/** The width of a seat for each pixel of its height. */
const SHAPE = 1.42;

/** Of two seats: the parts of the table that each takes at most, and its width for each pixel of its height at least. */
const DUEL_ACROSS = 0.27;
const DUEL_DOWN = 0.8;
const DUEL_SHAPE = 0.7;

/** The room between two seats, and between the seats and the middle for bets, in parts of the height of the table. */
const GAP = 0.012;
const RING = 0.068;
const RING_ACROSS = 0.082;

/** How round an oval may be: exponents of superellipses, from nearly an ellipse to nearly a rectangle. */
const OVALS = [2.2, 2.6, 3.2, 4, 6, 12];

/** Among more seats than this there is no room for the opener's button: the seat itself says it. */
export const CROWDED = 10;

/** From so many seats on they stand in rows where they are larger by so much than on an oval. */
const CROWD = 12;
const BETTER = 1.12;

/** About the size of the opener's button and of a bet, in parts of the height of the table. */
const BUTTON = { width: 0.115, height: 0.043 };
const BET = { width: 0.13, height: 0.05 };

/** Where along a side of its seat the button may lie, from its middle, where 1 is round the corner: rather towards the middle. */
const ALONG = Array.from({ length: 21 }, (_, step) => step / 10 - 1).sort(
  (one, other) => Math.abs(one - 0.3) - Math.abs(other - 0.3),
);

/** How far away from its seat, in parts of the height of the table. */
const AWAY = [0.004, 0.025, 0.05, 0.09];

/** What a button costs that lies not beside its own seat, and one that is nearly as close to another: in its heights. */
const AWAY_COST = 0.1;
const AMBIGUOUS_COST = 0.6;
const CLOSER = 1.5;

/** The room that the panels of the showdown need, in parts of the table. */
const PANELS_ACROSS = 0.5;
const PANELS_DOWN = 0.52;

/** Into how many pieces the oval is cut to measure it. */
const PIECES = 720;

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box The middle and the size.
 * @typedef {Box & { betX: number, betY: number, betShift?: number, buttonX: number, buttonY: number }} Place
 * @typedef {{ places: Place[], centre: Box, whole: Box }} Seating `whole` is the middle where no bets are.
 */

/** @type {Map<string, Seating>} */
const known = new Map();

/**
 * The places of a table, clockwise from the top left, and the box that is free in the middle, in pixels.
 * @param {number} count From 1 to 17.
 * @param {number} width
 * @param {number} height
 * @returns {Seating}
 */
export function seating(count, width, height) {
  const key = `${count} ${width} ${height}`;
  let found = known.get(key);
  if (!found) {
    found = withMiddle(seatBoxes(count, width, height), width, height);
    if (known.size > 40) known.clear();
    known.set(key, found);
  }
  return found;
}

/**
 * The largest seats that stand around the oval without touching.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
function seatBoxes(count, width, height) {
  if (count <= 2) return facing(count, width, height);
  const rows = count >= CROWD ? inRows(count, width, height) : null;
  /** @type {Box[] | null} */
  let largest = null;
  const most = Math.min(height * 0.235, (width * 0.2) / SHAPE);
  for (let seat = most; seat > 20; seat -= Math.max(1, height / 400)) {
    for (const roundness of OVALS) {
      const boxes = around(count, width, height, seat, roundness);
      if (!boxes || !apart(boxes, height * GAP)) continue;
      if (hasRoom(boxes, width, height)) {
        return rows && rows[0].height > seat * BETTER ? rows : boxes;
      }
      largest ??= boxes;
    }
  }
  const nothing = { x: width / 2, y: height / 2, width: 1, height: 1 };
  return rows ?? largest ?? Array.from({ length: count }, () => nothing);
}

/**
 * The largest seats that stand in two rows with some at the sides between them, or null if they are too few for that.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
function inRows(count, width, height) {
  const gap = height * GAP;
  /** @type {Box[] | null} */
  let best = null;
  for (let side = 1; 2 * side + 4 <= count; side++) {
    const top = Math.ceil((count - 2 * side) / 2);
    const bottom = count - 2 * side - top;
    const size = Math.min(height / (side + 2) - gap, (width / top - gap) / SHAPE);
    if (best && best[0].height >= size) continue;
    const box = { width: size * SHAPE, height: size };
    const [left, right] = [box.width / 2 + 1, width - box.width / 2 - 1];
    const [above, below] = [size / 2 + 1, height - size / 2 - 1];
    /** @type {(from: number, to: number, index: number, of: number) => number} */
    const between = (from, to, index, of) => from + ((to - from) * index) / of;
    /** @type {(length: number, place: (index: number) => { x: number, y: number }) => Box[]} */
    const row = (length, place) => Array.from({ length }, (_, index) => ({ ...box, ...place(index) }));
    best = [
      ...row(top, (index) => ({ x: between(left, right, index, top - 1), y: above })),
      ...row(side, (index) => ({ x: right, y: between(above, below, index + 1, side + 1) })),
      ...row(bottom, (index) => ({ x: between(right, left, index, bottom - 1), y: below })),
      ...row(side, (index) => ({ x: left, y: between(below, above, index + 1, side + 1) })),
    ];
  }
  return best;
}

/**
 * Two seats face each other, upright and as large as the panels between them allow.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
function facing(count, width, height) {
  const seat = {
    width: width * DUEL_ACROSS,
    height: Math.min(height * DUEL_DOWN, (width * DUEL_ACROSS) / DUEL_SHAPE),
    y: height / 2,
  };
  const left = { x: seat.width / 2 + 2, ...seat };
  return [left, { ...seat, x: width - left.x }].slice(0, count);
}

/**
 * Seats of a size spread evenly along an oval, or null if they are too many for it.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} seat The height of a seat.
 * @param {number} roundness
 * @returns {Box[] | null}
 */
function around(count, width, height, seat, roundness) {
  const size = { width: seat * SHAPE, height: seat };
  const [acrossHalf, downHalf] = [(width - size.width) / 2 - 2, (height - size.height) / 2 - 2];
  const gap = height * GAP;
  /** @param {number} turn */
  const point = (turn) => {
    const angle = 2 * Math.PI * turn;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const far = (Math.abs(cos) ** roundness + Math.abs(sin) ** roundness) ** (-1 / roundness);
    return { x: width / 2 + acrossHalf * cos * far, y: height / 2 + downHalf * sin * far };
  };
  // The oval is measured in seats: how many of them stand side by side, whichever way it runs.
  const points = Array.from({ length: PIECES + 1 }, (_, index) => point(index / PIECES - 0.5));
  const sums = [0];
  for (let index = 1; index <= PIECES; index++) {
    const across = Math.abs(points[index].x - points[index - 1].x) / (size.width + gap);
    const down = Math.abs(points[index].y - points[index - 1].y) / (size.height + gap);
    sums.push(sums[index - 1] + Math.max(across, down));
  }
  const whole = sums[PIECES];
  if (whole < count) return null;
  // The first seat stands so that the table is the same on its left and on its right.
  const middle = sums[PIECES / 4];
  const shift = count % 2 === 0 ? middle - (0.5 + Math.floor((count / 2 - 1) / 2)) * (whole / count) : middle;
  return Array.from({ length: count }, (_, index) => {
    const wanted = (((shift + (index * whole) / count) % whole) + whole) % whole;
    const at = Math.max(
      1,
      sums.findIndex((sum) => sum >= wanted),
    );
    const part = (wanted - sums[at - 1]) / (sums[at] - sums[at - 1] || 1);
    /** @param {"x" | "y"} axis */
    const between = (axis) => points[at - 1][axis] + part * (points[at][axis] - points[at - 1][axis]);
    return { x: between("x"), y: between("y"), ...size };
  });
}

/**
 * Whether no two boxes touch.
 * @param {Box[]} boxes
 * @param {number} gap
 */
function apart(boxes, gap) {
  return boxes.every((one, index) =>
    boxes.slice(index + 1).every((other) => {
      const wide = (one.width + other.width) / 2 + gap - 1 - Math.abs(one.x - other.x);
      const high = (one.height + other.height) / 2 + gap - 1 - Math.abs(one.y - other.y);
      return wide <= 0 || high <= 0;
    }),
  );
}

/**
 * Adds the places of bets and buttons, towards the middle, and the box in the middle.
 * @param {Box[]} boxes
 * @param {number} width
 * @param {number} height
 * @returns {Seating}
 */
function withMiddle(boxes, width, height) {
  const [ringDown, ringAcross] = [height * RING, height * RING_ACROSS * 1.35];
  const places = boxes.map((box) => {
    const [right, down] = [width / 2 - box.x, height / 2 - box.y];
    const upright = Math.abs(down) / (height - box.height) > 0.31;
    const corner = upright && Math.abs(right) / (width - box.width) > 0.49;
    // Two who face each other have room below them.
    if (boxes.length <= 2) {
      const inwards = box.x + Math.sign(right) * box.width * 0.25;
      return { ...box, betX: inwards, betY: box.y + (box.height + ringDown) / 2 };
    }
    const y = box.y + Math.sign(down) * (box.height / 2 + ringDown / 2);
    const x = box.x + Math.sign(right) * (box.width / 2 + ringAcross / 2);
    if (corner) return { ...box, betX: x, betY: y };
    if (!upright) {
      const lower = down >= 0 ? box.height : -box.height;

      // A long number goes on towards the middle, not over the seat.
      const edge = box.x + Math.sign(right) * (box.width / 2 + ringAcross * 0.08);
      const betShift = right > 0 ? 0 : -100;
      return { ...box, betX: edge, betY: box.y + lower * 0.27, betShift };
    }
    // Away from the corners.
    const aside = (right < 0 ? -1 : 1) * box.width;
    return { ...box, betX: box.x + aside * 0.14, betY: y };
  });
  const centre = middleOf(boxes, width, height, ringAcross, ringDown);
  return {
    places: withButtons(places, centre, width, height),
    centre,
    whole: middleOf(boxes, width, height, height * GAP, height * GAP),
  };
}

/**
 * Sees to it that no bet covers a seat, and adds the place of the opener's button: beside its seat and closer to it than
 * to any other, where it covers neither a seat nor a bet nor the middle.
 * @param {Omit<Place, "buttonX" | "buttonY">[]} seats
 * @param {Box} centre
 * @param {number} width
 * @param {number} height
 * @returns {Place[]}
 */
function withButtons(seats, centre, width, height) {
  const whole = { x: width / 2, y: height / 2, width, height };
  const scaled = (/** @type {{ width: number, height: number }} */ size) => ({
    width: size.width * height,
    height: size.height * height,
  });
  const [bet, button] = [scaled(BET), scaled(BUTTON)];
  const bets = seats.map(({ betX: x, betY: y, betShift = -50 }) => ({
    ...bet,
    x: x + bet.width * (0.5 + betShift / 100),
    y,
  }));
  const covers = (/** @type {Box} */ box, /** @type {Box[]} */ boxes) =>
    boxes.reduce((sum, other) => sum + shared(box, other), 0);
  /** @type {(seat: Box, size: { width: number, height: number }, bets: Box[], isClose?: boolean) => Box} */
  const best = (seat, size, others, isClose = true) => {
    const neighbours = seats.filter((other) => other.x !== seat.x || other.y !== seat.y);
    const cost = (/** @type {Box} */ box) => {
      const gap = gapBetween(box, seat);
      const next = Math.min(...neighbours.map((other) => gapBetween(box, other)));
      return (
        4 * covers(box, seats) +
        2 * (box.width * box.height - shared(box, whole)) +
        covers(box, others) +
        0.5 * shared(box, centre) +
        (isClose
          ? AWAY_COST * box.height * gap + AMBIGUOUS_COST * box.height * Math.max(0, CLOSER * gap - next)
          : 0)
      );
    };
    const spots = spotsBeside(seat, size, width, height);
    const costs = spots.map(cost);
    return spots[costs.indexOf(Math.min(...costs))];
  };
  const placed = seats.map((seat, index) => {
    if (covers(bets[index], seats) === 0) return seat;
    const others = bets.filter((_, other) => other !== index);
    bets[index] = best(seat, bet, others, false);
    return { ...seat, betX: bets[index].x, betY: bets[index].y, betShift: -50 };
  });
  // A crowd has it in its seats.
  if (seats.length > CROWDED) return placed.map((seat) => ({ ...seat, buttonX: seat.x, buttonY: seat.y }));
  return placed.map((seat) => {
    const { x: buttonX, y: buttonY } = best(seat, button, bets);
    return { ...seat, buttonX, buttonY };
  });
}

/**
 * The places around a seat where something of this size may lie: right beside it and towards the middle first.
 * @param {Box} seat
 * @param {{ width: number, height: number }} size
 * @param {number} width
 * @param {number} height
 * @returns {Box[]}
 */
function spotsBeside(seat, size, width, height) {
  const towards = { x: seat.x > width / 2 ? -1 : 1, y: seat.y > height / 2 ? -1 : 1 };
  return AWAY.flatMap((away) => {
    const across = ((seat.width + size.width) / 2 + away * height) * towards.x;
    const down = ((seat.height + size.height) / 2 + away * height) * towards.y;
    return [1, -1].flatMap((side) =>
      ALONG.flatMap((along) => [
        { ...size, x: seat.x + along * across, y: seat.y + side * down },
        { ...size, x: seat.x + side * across, y: seat.y + along * down },
      ]),
    );
  });
}

/**
 * The shortest way from one box to another.
 * @param {Box} one
 * @param {Box} other
 */
function gapBetween(one, other) {
  const across = Math.abs(one.x - other.x) - (one.width + other.width) / 2;
  const down = Math.abs(one.y - other.y) - (one.height + other.height) / 2;
  return Math.hypot(Math.max(0, across), Math.max(0, down));
}

/**
 * The area that two boxes share.
 * @param {Box} one
 * @param {Box} other
 */
function shared(one, other) {
  const across =
    Math.min(one.x + one.width / 2, other.x + other.width / 2) -
    Math.max(one.x - one.width / 2, other.x - other.width / 2);
  const down =
    Math.min(one.y + one.height / 2, other.y + other.height / 2) -
    Math.max(one.y - one.height / 2, other.y - other.height / 2);
  return Math.max(0, across) * Math.max(0, down);
}

/**
 * Whether the middle has room for two panels.
 * @param {Box[]} boxes
 * @param {number} width
 * @param {number} height
 */
function hasRoom(boxes, width, height) {
  const middle = middleOf(boxes, width, height, height * GAP, height * GAP);
  return middle.width >= width * PANELS_ACROSS && middle.height >= height * PANELS_DOWN;
}

/**
 * The largest box in the middle that keeps these distances from all seats.
 * @param {Box[]} boxes
 * @param {number} width
 * @param {number} height
 * @param {number} across
 * @param {number} down
 */
function middleOf(boxes, width, height, across, down) {
  let best = { x: width / 2, y: height / 2, width: 0, height: 0 };
  for (let half = width * 0.12; half <= width * 0.46; half += width / 200) {
    let room = height / 2 - 4;
    for (const box of boxes) {
      if (Math.abs(box.x - width / 2) < half + box.width / 2 + across) {
        room = Math.min(room, Math.abs(box.y - height / 2) - box.height / 2 - down);
      }
    }
    if (room > 0 && half * room * 4 > best.width * best.height) {
      best = { ...best, width: half * 2, height: room * 2 };
    }
  }
  return best;
}
