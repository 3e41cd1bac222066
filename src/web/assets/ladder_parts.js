// Parts of the ladder's pages: links, times and intervals. Texts from players are set as text.

import { emblem } from "./emblem.js";
import { formatNumber, html, svg } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** @type {Record<string, string>} */
export const KINDS = { rated: "rated", challenge: "challenge" };

/** @type {Record<string, string>} */
export const STATES = {
  waiting: "is being checked",
  refused: "did not pass the check",
  ready: "plays",
  set_aside: "set aside",
};

/**
 * @param {number} value
 * @param {number} digits After the point.
 */
export function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "−" : "+") + text;
}

/**
 * A value with half of its interval, which is not known at first, with the digits that the interval leaves.
 * @param {number | null} value
 * @param {number | null} half
 */
export function rating(value, half) {
  if (value === null) return "–";
  if (half === null) return `${signed(value)} ± ?`;
  if (half === 0) return "0";
  if (half >= 10) return `about ${signedChips(10 * Math.round(value / 10)).replace(/^.0$/, "0")}`;
  const digits = half >= 1 ? 0 : 1;
  return `${signed(value, digits)} ± ${half.toFixed(digits)}`;
}

/** @param {number} chips */
export const signedChips = (chips) => (chips < 0 ? "−" : "+") + formatNumber(Math.abs(chips));

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/**
 * A moment, as people say it here.
 * @param {number | null} ms
 */
export const moment = (ms) => (ms === null ? "" : MOMENT.format(ms));

/**
 * @param {string} href
 * @param {string} text
 */
export const link = (href, text) => html("a", { href }, html("bdi", {}, text));

/**
 * @param {string} title
 * @param {(Node | string)[]} children
 */
export const section = (title, ...children) => html("section", {}, html("h2", {}, title), ...children);

/**
 * A table with a heading for each column; those whose names end with # are numbers, those with - go on a phone; both may stand there.
 * @param {string} caption
 * @param {string[]} columns
 * @param {(Node | string)[][]} rows
 */
export function table(caption, columns, rows) {
  const kinds = columns.map((column) => {
    const marks = column.match(/[#-]*$/)?.[0] ?? "";
    return [marks.includes("#") && "number", marks.includes("-") && "wide"].filter(Boolean).join(" ");
  });
  const heads = columns.map((column, at) =>
    html("th", { scope: "col", class: kinds[at] ?? "" }, column.replace(/[#-]*$/, "")),
  );
  const body = rows.map((row) =>
    html(
      "tr",
      {},
      ...row.map((cell, at) =>
        at === 0 ? html("th", { scope: "row" }, cell) : html("td", { class: kinds[at] ?? "" }, cell),
      ),
    ),
  );
  return html(
    "table",
    {},
    html("caption", {}, caption),
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, ...body),
  );
}

/**
 * The range of a scale on either side of zero: values beyond three times the median are drawn at its edge, so that they
 * do not compress the others.
 * @param {number[]} distances
 */
export function reachOf(distances) {
  const sorted = [...distances].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 1;
  return Math.max(1, ...sorted.filter((distance) => distance <= 3 * middle));
}

/**
 * A value with its interval, on a scale that all rows share.
 * @param {number} value
 * @param {number | null} half
 * @param {number} reach
 */
export function bar(value, half, reach) {
  const at = (/** @type {number} */ chips) => 100 + (95 * Math.max(-reach, Math.min(reach, chips))) / reach;
  const title = `${rating(value, half)} chips a round`;
  const reaches = half ?? 2 * reach;
  return svg(
    "svg",
    { class: "bar", viewBox: "0 0 200 20", preserveAspectRatio: "none", role: "img", "aria-label": title },
    svg("line", { class: "zero", x1: 100, x2: 100, y1: 0, y2: 20 }),
    svg("line", { class: "interval", x1: at(value - reaches), x2: at(value + reaches), y1: 10, y2: 10 }),
    svg("line", { class: "value", x1: at(value), x2: at(value), y1: 3, y2: 17 }),
  );
}

/**
 * A player's name with its emblem, which leads to its page.
 * @param {number | null} id
 * @param {string} name
 */
export function playerLink(id, name) {
  const picture = emblem(name);
  picture.setAttribute("width", "20");
  picture.setAttribute("height", "20");
  picture.setAttribute("aria-hidden", "true");
  return html("a", { href: `#player=${id}` }, picture, html("bdi", {}, name));
}

/** How many matches the ladder gives at a time. */
const PAGE = 50;

/**
 * Links to the matches before these, and back to the newest.
 * @param {URLSearchParams} wanted
 * @param {Data.LadderMatch[]} matches
 */
export function pager(wanted, matches) {
  const links = [];
  const to = (/** @type {number | null} */ before, /** @type {string} */ words) => {
    const next = new URLSearchParams(wanted);
    next.delete("before");
    if (before !== null) next.set("before", String(before));
    return link(`#${next}`, words);
  };
  if (wanted.has("before")) links.push(to(null, "The newest"), " ");
  const last = matches.at(-1);
  if (matches.length === PAGE && last) links.push(to(last.id, "Older ones"));
  return links.length > 0 ? [html("p", { class: "pager" }, ...links)] : [];
}

/**
 * The matches of a list.
 * @param {string} caption
 * @param {Data.LadderMatch[]} matches
 */
export function matchTable(caption, matches) {
  const rows = matches.map((found) => {
    const seats = html("span", {});
    for (const [at, seat] of found.seats.entries()) {
      if (at > 0) seats.append(", ");
      seats.append(html("bdi", {}, seat.label));
      if (seat.chips !== null) seats.append(` ${signedChips(seat.chips)}`);
    }
    const kind = KINDS[found.kind] ?? found.kind;
    return [
      link(`#match=${found.id}`, `Match ${found.id}`),
      found.state === "played" ? kind : `${kind}, ${found.state}`,
      seats,
      moment(found.ended_ms ?? found.began_ms ?? found.planned_ms),
    ];
  });
  return table(caption, ["Match", "Kind", "Seats and chips", "When-"], rows);
}
