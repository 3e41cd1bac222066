// The leaderboard. Where there are more players than rows, the first few stay and the others come by page after page, all
// of them within a minute.

import { playerBox, withOneSize } from "./fit.js";
import {
  formatNumber,
  html,
  isHouse,
  isNarrow,
  isNews,
  markPlayer,
  playerName,
  setText,
  showRows,
  wantsStillness,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** As many rows fit one below the other, large enough for the back row. */
const ROWS = 14;

/** Of more players, this many stay on top. */
const PINNED = 5;

/** All pages together take no longer than this, and each is shown for a while, in milliseconds. */
const TURN_MS = 54_000;
const LEAST_MS = 2_500;
const MOST_MS = 8_000;

/** The page of rows that is shown, from 0, and the timer of the next. */
let shownPage = 0;
/** @type {number | null} */
let timer = null;

/**
 * Draws the leaderboard.
 * @param {HTMLElement} body
 * @param {Pick<Data.Scoreboard, "rows">} board
 * @param {Data.TournamentInfo} programme
 * @param {Data.Race} race
 */
export function drawBoard(body, board, programme, race) {
  if (isNews(body, [programme.number, programme.players])) {
    body.replaceChildren();
    shownPage = 0;
  }
  const scores = board.rows.map(barOf);
  const least = Math.min(0, ...scores);
  const most = Math.max(least + 1, ...scores);
  const earlier = earlierPlaces(board.rows, race);
  const before = new Map([...body.children].map((row, index) => [row, index]));
  showRows(body, board.rows, {
    key: ({ seat }) => seat,
    create: ({ seat }) => makeRow(seat, programme),
    update: (row, shown) => {
      const share = (barOf(shown) - least) / (most - least);
      const rise = shown.place === null ? 0 : (earlier.get(shown.seat) ?? shown.place) - shown.place;
      updateRow(row, shown, share, rise, programme);
    },
  });
  if ([...body.children].some((row) => !before.has(row))) withOneSize(body);
  const count = Math.min(Math.max(board.rows.length, 8), ROWS);
  body.parentElement?.style.setProperty("--count", String(count));
  turnPages(body, board.rows.length);
  slide(body, before);
}

/** Places are compared with those of this share of the rounds ago, and at least so many rounds. */
const [EARLIER_SHARE, EARLIER_ROUNDS] = [0.1, 10];

/**
 * The places that players who are in had a while ago, by their chips. None where points decide.
 * @param {Data.BoardRow[]} rows
 * @param {Data.Race} race
 */
function earlierPlaces(rows, { points }) {
  const now = points.at(-1)?.round ?? 0;
  const then = points.findLast(({ round }) => round <= now - Math.max(EARLIER_ROUNDS, now * EARLIER_SHARE));
  const ranked = rows.filter(
    (row) => row.place !== null && (row.left_in_round ?? now) > (then?.round ?? now),
  );
  const stack = (/** @type {Data.BoardRow} */ { seat }) => then?.stacks[seat - 1] ?? 0;
  ranked.sort((one, other) => stack(other) - stack(one));
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const [index, row] of ranked.entries()) {
    const above = ranked[index - 1];
    const isTied = index > 0 && stack(above) === stack(row);
    if (row.points == null && row.left_in_round === null)
      places.set(row.seat, isTied ? (places.get(above.seat) ?? index + 1) : index + 1);
  }
  return places;
}

/**
 * Lets rows that have changed places slide there.
 * @param {HTMLElement} body
 * @param {Map<Element, number>} places The index of each row that was there before.
 */
function slide(body, places) {
  if (wantsStillness() || document.hidden) return;
  for (const [index, row] of [...body.children].entries()) {
    const before = places.get(row) ?? index;
    if (before === index || index >= ROWS || Math.abs(before - index) > ROWS) continue;
    if (row instanceof HTMLElement && row.hidden) continue;
    row.animate([{ transform: `translateY(${100 * (before - index)}%)` }, { transform: "translateY(0)" }], {
      duration: 420,
      easing: "ease-out",
    });
  }
}

/**
 * @param {number} player
 * @param {Data.TournamentInfo} programme
 */
function makeRow(player, programme) {
  const who = playerBox("td", "who", programme, player);
  const [place, rise, chips] = ["place", "rise", "chips"].map((name) => html("td", { class: name }));
  const row = html("tr", {}, place, who, rise, chips);
  return markPlayer(row, player, programme);
}

/**
 * @param {HTMLElement} drawn
 * @param {Data.BoardRow} row
 * @param {number} share The length of the bar: 1 is the longest.
 * @param {number} rise How many places it has risen.
 * @param {Data.TournamentInfo} programme
 */
function updateRow(drawn, row, share, rise, programme) {
  if (!isNews(drawn, [row, share, rise])) return;
  const out = row.left_in_round !== null;
  const name = playerName(programme, row.seat);
  const house = isHouse(programme, row.seat) ? ["house bot"] : [];
  drawn.className = out ? "out" : "";
  const forgiven = row.fouls === undefined ? [] : [`forgiven ${row.fouls}`];
  drawn.title = [name, ...house, ...(out ? [row.why] : []), ...forgiven].join(": ");
  setText(drawn.children[0], row.place === null ? "–" : String(row.place));
  setText(drawn.children[2], rise === 0 ? "" : `${rise > 0 ? "▲" : "▼"}${Math.abs(rise)}`);
  drawn.children[2].classList.toggle("up", rise > 0);
  setText(drawn.children[3], boardScore(row));
  drawn.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
}

/**
 * The length of a row's bar: points where there are some, and otherwise chips.
 * @param {Data.BoardRow} row
 */
const barOf = (row) => row.points ?? row.chips;

/**
 * The score of a row of the leaderboard: points, the round in which the player left, or chips.
 * @param {Data.BoardRow} row
 */
function boardScore(row) {
  if (row.points != null) return `${formatNumber(row.points)} pts`;
  if (row.left_in_round === null) return formatNumber(row.chips);
  return `out in ${formatNumber(row.left_in_round)}`;
}

/**
 * Shows the page of rows whose turn it is.
 * @param {HTMLElement} body
 * @param {number} count
 */
function turnPages(body, count) {
  const paged = count > ROWS && !isNarrow();
  const size = ROWS - PINNED - 1;
  const pages = paged ? Math.ceil((count - PINNED) / size) : 1;
  shownPage %= pages;
  // The last page is as full as the others.
  const first = Math.max(PINNED, Math.min(PINNED + shownPage * size, count - size));
  [...body.children].forEach((row, index) => {
    if (!(row instanceof HTMLElement)) return;
    const hidden = paged && index >= PINNED && (index < first || index >= first + size);
    if (row.hidden !== hidden) row.hidden = hidden;
    row.classList.toggle("below", paged && index === first);
  });
  const note = body.parentElement?.parentElement?.querySelector(".pages");
  if (note instanceof HTMLElement) {
    note.hidden = !paged;
    setText(note, `players ${first + 1} to ${Math.min(first + size, count)} of ${count}`);
  }
  if (paged && timer === null) {
    const wait = Math.min(MOST_MS, Math.max(LEAST_MS, TURN_MS / pages));
    timer = window.setTimeout(() => {
      timer = null;
      shownPage++;
      turnPages(body, body.children.length);
    }, wait);
  }
}
