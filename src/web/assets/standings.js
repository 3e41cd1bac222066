// The standings as the page keeps them, change by change.

/** @import * as Data from "./data.d.ts" */

/**
 * The standings with changed rows at their indices; the places of all rows follow from their marks.
 * @param {Data.Scoreboard} board
 * @param {Data.ChangedRows} change
 */
export function boardWith(board, { round, rate, rows: changed, places }) {
  const seats = new Set(changed.map(([, { seat }]) => seat));
  const rows = board.rows.filter(({ seat }) => !seats.has(seat));
  for (const [index, row] of changed) rows.splice(index, 0, row);
  let [placed, last] = [0, 0];
  const withPlace = (/** @type {Data.BoardRow} */ row, /** @type {number} */ index) => {
    const mark = places[index];
    if (mark === "-") return { ...row, place: null };
    placed++;
    if (mark === "+") last = placed;
    return { ...row, place: last };
  };
  return { round, rate, rows: rows.map(withPlace) };
}
