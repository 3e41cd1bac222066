// The page of a player: its versions and its matches.

import { KINDS, STATES, matchTable, moment, pager, rating, section, table } from "./ladder_parts.js";
import { formatNumber, html, request } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/**
 * Requests a public answer of the ladder.
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export const ask = async (path) => (await request(path)).json();

/**
 * The address of the page with some of its parameters changed.
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
    formatNumber(version.matches),
    version.than_before === null ? "" : `${version.than_before} than the one before`,
    moment(version.created_ms),
  ]);
  const columns = ["Version", "State", "Chips a round#", "Matches#-", "Than before", "Came-"];
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
      ...player.opponents.map((one) => /** @type {[string, string]} */ ([String(one.id), one.name])),
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

/** @param {URLSearchParams} wanted */
export async function showPlayer(wanted) {
  /** @type {Data.LadderPlayer} */
  const player = await ask(`api/player/${wanted.get("player")}`);
  const kind = player.house ? ["A house bot."] : player.retired ? ["Plays no more."] : [];
  const head = section(player.name, ...kind.map((words) => html("p", {}, words)));
  return [head, await versions(player, wanted), await matches(player, wanted)];
}
