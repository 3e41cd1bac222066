// The page of a player: its versions and what tells them apart, whom it does well against, the coach, its matches and its fouls.

import {
  KINDS,
  STATES,
  heat,
  link,
  matchTable,
  moment,
  pager,
  rating,
  section,
  signed,
  table,
  trend,
} from "./ladder_parts.js";
import { formatNumber, html } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How many versions have a column of their own in the matchups. */
const COLUMNS = 4;

/** What the coach has said of each player while this page is open. @type {Map<number, HTMLElement[]>} */
const coached = new Map();

/**
 * Asks the ladder for something that everybody may see.
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export async function ask(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/**
 * The address of what is shown, with some of it changed.
 * @param {URLSearchParams} wanted
 * @param {Record<string, string>} changes
 */
function changed(wanted, changes) {
  const next = new URLSearchParams(wanted);
  // Another filter begins with its newest matches.
  next.delete("before");
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return `#${next}`;
}

/**
 * @param {string} label
 * @param {[string, string][]} options Values and words.
 * @param {string} chosen
 */
function choice(label, options, chosen) {
  const select = html(
    "select",
    {},
    ...options.map(([value, words]) =>
      html("option", { value, ...(value === chosen ? { selected: "" } : {}) }, words),
    ),
  );
  return { select, label: html("label", {}, label, select) };
}

/**
 * @param {Data.LadderPlayer} player
 * @param {URLSearchParams} wanted
 */
async function versions(player, wanted) {
  const rows = player.versions.map((version) => [
    String(version.number),
    (version.active ? "active, " : "") + (STATES[version.state] ?? version.state),
    rating(version.value, version.half),
    trend(version.trend, `The trend of version ${version.number}`),
    formatNumber(version.matches),
    version.than_before === null ? "" : `${version.than_before} than the one before`,
    moment(version.created_ms),
  ]);
  const columns = ["Version", "State", "Chips a round#", "Trend-", "Matches#-", "Than before", "Came-"];
  const more = player.versions_in_all - player.versions.length;
  const caption = more > 0 ? `The newest of ${player.versions_in_all}` : "The newest first";
  /** @type {HTMLElement[]} */
  const parts = [table(caption, columns, rows)];
  if (player.versions.length > 1) parts.push(...(await comparison(player, wanted)));
  return section("Versions", ...parts);
}

/**
 * Two versions beside each other.
 * @param {Data.LadderPlayer} player
 * @param {URLSearchParams} wanted
 */
async function comparison(player, wanted) {
  const options = player.versions.map(
    (version) => /** @type {[string, string]} */ ([String(version.number), `version ${version.number}`]),
  );
  const [one = options[0]?.[0] ?? "", other = options[1]?.[0] ?? ""] = (wanted.get("compare") ?? "")
    .split(",")
    .filter(Boolean);
  const first = choice("Is", options, one);
  const second = choice("better than", options, other);
  const form = html("form", {}, first.label, second.label, html("button", { type: "submit" }, "Compare"));
  form.onsubmit = (event) => {
    event.preventDefault();
    location.hash = changed(wanted, { compare: `${first.select.value},${second.select.value}` });
  };
  if (!wanted.has("compare") || one === other) return [form];
  /** @type {{ words: string }} */
  const { words } = await ask(`api/player/${player.id}/compare/${one}/${other}`);
  return [form, html("p", { role: "status" }, words)];
}

/** @param {Data.LadderTally | undefined} tally */
function cell(tally) {
  if (!tally || tally.rounds === 0) return "";
  const per = tally.chips / tally.rounds;
  return heat(per, `${tally.rounds} rounds`);
}

/**
 * Whom a player does well against, with all of its versions and with the last ones.
 * @param {Data.LadderPlayer} player
 * @param {URLSearchParams} wanted
 */
function matchups(player, wanted) {
  if (player.matchups.length === 0) return section("Matchups", html("p", { class: "soft" }, "No match yet."));
  const used = new Set(player.matchups.flatMap((other) => Object.keys(other.versions).map(Number)));
  const shown = [...used].sort((a, b) => b - a).slice(0, COLUMNS);
  const columns = [
    "With",
    "All#",
    ...(used.size > 1 ? shown.map((number) => `v${number}#-`) : []),
    "Rounds#-",
  ];
  const rows = player.matchups.map((other) => [
    link(changed(wanted, { opponent: String(other.id) }), other.name),
    cell(other.all),
    ...(used.size > 1 ? shown.map((number) => cell(other.versions[number])) : []),
    formatNumber(other.all.rounds),
  ]);
  const note = "Chips a round in the last 400 matches in which both sat. A name shows the matches with it.";
  return section("Matchups", table(note, columns, rows));
}

/** @param {Data.LadderCoached} said */
function coachSaid(said) {
  if (said.matches === 0) {
    return [html("p", {}, `${said.version} has not played a rated match among the last ones.`)];
  }
  const rows = said.kinds.map((kind) => [
    kind.what,
    String(kind.street),
    formatNumber(kind.mistakes),
    `${signed(-kind.cost)} ± ${kind.half.toFixed(2)}`,
  ]);
  const words =
    `In ${formatNumber(said.rounds)} rounds of its last ${said.matches} matches ${said.version} won ` +
    `${signed(said.less_luck)} ± ${said.less_luck_half.toFixed(2)} chips a round less the luck of the cards, and gave away ` +
    `${said.given_away.toFixed(2)} ± ${said.given_away_half.toFixed(2)} a round in ${formatNumber(said.decisions)} decisions: ` +
    `${formatNumber(said.proven)} proven mistakes, ${formatNumber(said.estimated)} more by an estimate.`;
  /** @type {HTMLElement[]} */
  const parts = [html("p", {}, words)];
  if (rows.length > 0) {
    parts.push(
      table("Its mistakes by kinds, the dearest first", ["What", "Street#", "Mistakes#", "Chips#"], rows),
    );
  }
  if (said.lesson) parts.push(html("p", {}, html("strong", {}, "To be learned: "), said.lesson));
  return parts;
}

/** @param {Data.LadderPlayer} player */
function coach(player) {
  const place = html("div", {}, ...(coached.get(player.id) ?? []));
  const said = html("p", { role: "status" });
  const button = html("button", { type: "button" }, "Ask the coach");
  button.onclick = async () => {
    button.disabled = true;
    said.textContent = "The coach is looking at the last matches …";
    try {
      const parts = coachSaid(await ask(`api/player/${player.id}/coach`));
      coached.set(player.id, parts);
      place.replaceChildren(...parts);
      said.textContent = "";
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error);
    }
    button.disabled = false;
  };
  const note = "Which kinds of mistakes cost it the chips. No card that was not shown is told.";
  return section("The coach", html("p", { class: "soft" }, note), html("p", {}, button), said, place);
}

/**
 * @param {Data.LadderPlayer} player
 * @param {URLSearchParams} wanted
 */
async function matches(player, wanted) {
  const opponent = wanted.get("opponent") ?? "0";
  const kind = wanted.get("kind") ?? "all";
  const before = wanted.get("before") ?? "0";
  /** @type {Data.LadderMatch[]} */
  const found = await ask(`api/matches/${player.id}/${opponent}/${kind}/${before}`);
  const others = choice(
    "With",
    [
      ["0", "everybody"],
      ...player.matchups.map((one) => /** @type {[string, string]} */ ([String(one.id), one.name])),
    ],
    opponent,
  );
  const kinds = choice("Kind", [["all", "all kinds"], ...Object.entries(KINDS)], kind);
  const form = html("form", {}, others.label, kinds.label, html("button", { type: "submit" }, "Show"));
  form.onsubmit = (event) => {
    event.preventDefault();
    location.hash = changed(wanted, { opponent: others.select.value, kind: kinds.select.value });
  };
  const list =
    found.length > 0
      ? matchTable("The newest first", found)
      : html("p", { class: "soft" }, "There is no such match.");
  return section("Matches", form, list, ...pager(wanted, found));
}

/** @param {Data.LadderPlayer} player */
function fouls(player) {
  if (player.fouls.length === 0) return [];
  const items = player.fouls.map((kind) => {
    const places = kind.last.flatMap((foul, at) => [
      at > 0 ? ", " : "",
      link(`#match=${foul.match}`, `match ${foul.match}`),
      ` round ${foul.round}`,
    ]);
    return html(
      "li",
      {},
      html("strong", {}, `${formatNumber(kind.count)} × ${kind.name}`),
      kind.remedy === null ? ". " : `: ${kind.remedy} `,
      html("span", { class: "soft" }, "Last: ", ...places),
    );
  });
  const note = "What exactly was sent stands behind the player's key.";
  return [section("Fouls", html("p", { class: "soft" }, note), html("ul", {}, ...items))];
}

/** @param {URLSearchParams} wanted */
export async function showPlayer(wanted) {
  /** @type {Data.LadderPlayer} */
  const player = await ask(`api/player/${wanted.get("player")}`);
  const kind = player.house ? "A house bot. " : player.retired ? "Plays no more. " : "";
  const head = section(
    player.name,
    html("p", {}, `${kind}Form: chips a round in the last rated matches `, trend(player.form, "Form")),
  );
  return [
    head,
    await versions(player, wanted),
    matchups(player, wanted),
    coach(player),
    await matches(player, wanted),
    ...fouls(player),
  ];
}
