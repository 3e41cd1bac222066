// The stacks over the rounds as lines, and the montage of rounds that pass: lanes in which the players' stacks race.

import { nameBox, withOneSize } from "./fit.js";
import {
  formatNumber,
  html,
  isNews,
  lastDoor,
  markPlayer,
  playerEmblem,
  playerName,
  setText,
  showRows,
  svg,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** The race has a line for no more players than these, and so many of them have their emblem at its end. */
const LINES = 17;
const EMBLEMS = 6;

/** A line is drawn with about this many points at most: more than a screen shows. */
const POINTS = 240;

/** A player with this share of its first chips or more was never down. */
const HARDLY_LESS = 0.9;

/** The size of the drawing of the race, and the room above and below its lines. */
const CHART = { width: 1000, height: 240, margin: 10 };

/**
 * The points that are drawn of these, and where: a place across for a round, and one down for a stack.
 * @param {Data.RacePoint[]} points
 */
function scaleOf(points) {
  const { width, height, margin } = CHART;
  const most = points.reduce((high, point) => Math.max(high, ...point.stacks), 1);
  const end = Math.max(1, points.at(-1)?.round ?? 1);
  const every = Math.ceil(points.length / POINTS);
  return {
    most,
    drawn: points.filter((_, index) => index % every === 0 || index === points.length - 1),
    /** @param {number} round */
    x: (round) => (width * round) / end,
    /** @param {number} stack */
    y: (stack) => height - margin - ((height - 2 * margin) * stack) / most,
  };
}

/**
 * The line of a player's stacks, until it left.
 * @param {ReturnType<typeof scaleOf>} scale
 * @param {number} seat
 * @param {number | null} left
 */
const stackLine = ({ drawn, x, y }, seat, left = null) =>
  drawn
    .filter((point) => (!left || point.round <= left) && point.stacks[seat - 1] !== undefined)
    .map((point) => `${x(point.round).toFixed(1)},${y(point.stacks[seat - 1]).toFixed(1)}`)
    .join(" ");

/** @param {string} label */
const chart = (label) =>
  svg("svg", {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": label,
  });

/**
 * How the chips of a player went up and down, as a picture and in words.
 * @param {Data.Race} race
 * @param {Data.TournamentInfo} programme
 * @param {number} seat
 */
export function growth({ points }, programme, seat) {
  const own = points.map(({ round, stacks }) => ({ round, stacks: [stacks[seat - 1] ?? 0] }));
  const line = stackLine(scaleOf(own), 1);
  const lowest = own.reduce((low, point) => (point.stacks[0] < low.stacks[0] ? point : low), own[0]);
  const [start, low] = [own[0]?.stacks[0] ?? 0, lowest?.stacks[0] ?? 0];
  const words =
    low < HARDLY_LESS * start
      ? `down to ${formatNumber(low)} in round ${formatNumber(lowest.round)}`
      : `never below ${formatNumber(low)}`;
  const picture = chart(`Chips of ${playerName(programme, seat)}: ${words}`);
  const { width, height } = CHART;
  const area = { points: `0,${height} ${line} ${width},${height}` };
  picture.append(svg("polygon", area), svg("polyline", { points: line }));
  picture.classList.add("growth");
  return { picture: markPlayer(picture, seat, programme), words };
}

/**
 * Draws the stacks over the rounds.
 * @param {HTMLElement} root
 * @param {Data.Race} race
 * @param {Data.TournamentInfo} programme
 * @param {Pick<Data.Scoreboard, "rows">} board
 */
export function drawRace(root, race, programme, board) {
  const last = race.points.at(-1);
  if (!last) return root.replaceChildren();
  const { width, height } = CHART;
  const scale = scaleOf(race.points);
  const rows = board.rows.slice(0, LINES);
  const picture = chart(raceInWords(last, programme, rows));
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const at = scale.y(scale.most * share);
    picture.append(svg("line", { x1: 0, x2: width, y1: at, y2: at, class: "rule" }));
  }
  // The leaders' lines are drawn last, over the others.
  for (const [place, { seat, left_in_round: left }] of [...rows.entries()].reverse()) {
    const polyline = svg("polyline", { points: stackLine(scale, seat, left) });
    polyline.classList.toggle("ahead", place < 3);
    picture.append(markPlayer(polyline, seat, programme));
  }
  const ends = rows
    .filter((row) => row.left_in_round === null)
    .slice(0, EMBLEMS)
    .map(({ seat }) => ({ seat, top: (100 * scale.y(last.stacks[seat - 1] ?? 0)) / height }));
  const top = html("span", {}, `up to ${formatNumber(scale.most)} chips`);
  const right = html("span", {}, `round ${formatNumber(last.round)}`);
  root.replaceChildren(
    html("div", { class: "plot" }, picture, lineEnds(ends, programme)),
    html("p", { class: "scale" }, top, right),
  );
}

/**
 * The emblems at the ends of the leaders' lines, moved so that none hides another.
 * @param {{ seat: number, top: number }[]} ends
 * @param {Data.TournamentInfo} programme
 */
function lineEnds(ends, programme) {
  const column = html("div", { class: "ends", "aria-hidden": "true" });
  const room = 100 / (EMBLEMS + 0.5);
  let above = -Infinity;
  const down = [...ends].sort((one, other) => one.top - other.top);
  const placed = down.map(({ seat, top }, index) => {
    const lowest = 100 - room / 2 - (down.length - 1 - index) * room;
    above = Math.min(Math.max(top, above + room, room / 2), lowest);
    return { seat, top: above };
  });
  for (const { seat, top } of placed) {
    const mark = playerEmblem(programme, seat);
    mark.style.top = `${top.toFixed(1)}%`;
    column.append(mark);
  }
  return column;
}

/**
 * @param {Data.RacePoint} point
 * @param {Data.TournamentInfo} programme
 * @param {Data.BoardRow[]} rows
 */
function raceInWords(point, programme, rows) {
  const leaders = rows
    .slice(0, 3)
    .map(({ seat }) => `${playerName(programme, seat)} ${formatNumber(point.stacks[seat - 1] ?? 0)}`);
  return `Line chart of all stacks up to round ${point.round}. In front: ${leaders.join(", ")}.`;
}

/** So many lanes have room. */
const LANES = 12;

/**
 * Draws the montage: a lane for each player, and the rounds that run by.
 * @param {HTMLElement} root
 * @param {Data.PageState} current
 */
export function drawMontage(root, { board, programme, show, hall, predictions }) {
  if (isNews(root, [programme.number, programme.players]) || !root.firstElementChild) {
    root.replaceChildren(
      html(
        "div",
        { class: "montage-head" },
        html("p", { class: "counter" }, "Round ", html("strong", { class: "count" })),
        html("p", { class: "why" }),
        html("p", { class: "ring", role: "timer", "aria-label": "Seconds left", hidden: "" }),
      ),
      html("ol", { class: "lanes", "aria-label": "Stacks of the players in front" }),
    );
  }
  const [count, why, list] = [".count", ".why", ".lanes"].map((where) => root.querySelector(where));
  if (!count || !why || !(list instanceof HTMLElement)) return;
  setText(count, formatNumber(board.round));
  const inside = board.rows.filter((row) => row.left_in_round === null);
  const several = hall !== null && hall.tables.length > 1;
  const tables = several ? ` at ${hall.tables.length} tables` : "";
  const going = `The rounds go by: ${inside.length} players${tables}`;
  const begins = board.round === 0 ? `${inside.length} players${tables}` : going;
  const asked = "Who wins, and who is out first? Predict it on your phone";
  setText(why, predictions?.open ? asked : (show.headline ?? begins));
  count.parentElement?.toggleAttribute("hidden", board.round === 0);
  const door = root.querySelector(".phones");
  if (!predictions?.open) door?.remove();
  else if (!door && lastDoor.phones.firstChild) why.after(lastDoor.phones);
  // If all players have a lane, each keeps its lane; otherwise the leaders are shown in order.
  const shown = inside.slice(0, LANES);
  const order = inside.length <= LANES ? [...shown].sort((one, other) => one.seat - other.seat) : shown;
  const most = Math.max(1, ...shown.map((row) => row.chips));
  list.style.setProperty("--lanes", String(Math.max(order.length, 6)));
  const places = new Map(order.map((row, index) => [row.seat, index]));
  const before = new Set(list.children);
  // A lane glides to its place only where it stays in its place of the list.
  const bySeat = [...order].sort((one, other) => one.seat - other.seat);
  showRows(list, bySeat, {
    key: ({ seat }) => seat,
    create: ({ seat }) => makeLane(seat, programme),
    update: (lane, row) => {
      lane.style.setProperty("--at", String(places.get(row.seat)));
      lane.style.setProperty("--stack", (row.chips / most).toFixed(4));
      lane.classList.toggle("first", row.place === 1);
      setText(lane.children[2], formatNumber(row.chips));
    },
  });
  if ([...list.children].some((lane) => !before.has(lane))) withOneSize(list);
}

/**
 * @param {number} player
 * @param {Data.TournamentInfo} programme
 */
function makeLane(player, programme) {
  const runner = html("span", { class: "runner" }, playerEmblem(programme, player));
  const track = html(
    "span",
    { class: "track", "aria-hidden": "true" },
    html("span", { class: "trail" }),
    runner,
  );
  const chips = html("span", { class: "chips" });
  const lane = html("li", { class: "lane" }, nameBox(playerName(programme, player)), track, chips);
  return markPlayer(lane, player, programme);
}
