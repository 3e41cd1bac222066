// The teacher's console of a ladder. Every request brings the token; everything shown is set as text.

import { STATES, section, table } from "./ladder_parts.js";
import { elementById, html, request, tokenOfLink, wordsOf } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** @param {string} text */
const say = (text) => {
  elementById("said").textContent = text;
};

/** @type {(path: string, body?: object) => Promise<Response>} */
const ask = (path, body) => request(`api/teacher/${path}`, { token: tokenOfLink("ladder-token"), body });

/**
 * @param {string} path
 * @param {object} body
 * @param {string} done
 */
async function act(path, body, done) {
  try {
    const response = await ask(path, body);
    say(done);
    await show();
    return response;
  } catch (error) {
    say(wordsOf(error));
    return null;
  }
}

/** @param {Data.LadderSettings} settings */
function switches(settings) {
  const change = (/** @type {Partial<Data.LadderSettings>} */ part, /** @type {string} */ done) =>
    act("settings", { ...settings, ...part }, done);
  const pause = html("button", { type: "button" }, settings.is_paused ? "Play on" : "Pause");
  pause.onclick = () =>
    change({ is_paused: !settings.is_paused }, settings.is_paused ? "It plays on." : "It is paused.");
  const freeze = html("button", { type: "button" }, settings.is_frozen ? "Take submissions again" : "Freeze");
  freeze.onclick = () =>
    change(
      { is_frozen: !settings.is_frozen },
      settings.is_frozen ? "Submissions are taken." : "It is frozen: nothing new comes in.",
    );
  const text = html("textarea", { rows: "2", cols: "40", maxlength: "500" }, settings.announcement);
  const form = html(
    "form",
    {},
    html("label", {}, "Announcement", text),
    html("button", { type: "submit" }, "Announce"),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    change({ announcement: text.value.trim() }, "It is announced.");
  };
  return section("The ladder", html("p", {}, pause, " ", freeze), form);
}

/** The limits that the teacher can set: the label, and the unit in bytes if it is one of size. @type {Record<string, [string, number]>} */
const LIMITS = {
  seats: ["Seats of a match", 1],
  decks: ["Decks of a match", 1],
  submissions_an_hour: ["Submissions an hour", 1],
  challenges_a_day: ["Challenges a day", 1],
  submission_bytes: ["MiB of a submission", 2 ** 20],
  ladder_bytes: ["GiB of the ladder", 2 ** 30],
};

/** @param {Data.LadderSettings} settings */
function quotas(settings) {
  /** @type {Record<string, number>} */
  const now = { seats: settings.seats, decks: settings.decks, ...settings.quotas };
  const fields = Object.entries(LIMITS).map(([name, [label, unit]]) => {
    const input = html("input", { type: "number", min: 1, step: "any", value: now[name] / unit });
    return { name, unit, input, label: html("label", {}, label, input) };
  });
  const form = html("form", {}, ...fields.map((one) => one.label), html("button", { type: "submit" }, "Set"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const { seats, decks, ...rest } = Object.fromEntries(
      fields.map(({ name, unit, input }) => [name, Math.round(Number(input.value) * unit)]),
    );
    act("settings", { ...settings, seats, decks, quotas: { ...settings.quotas, ...rest } }, "It is set.");
  };
  return section("Matches and quotas", form);
}

/** @param {Data.LadderPupil[]} players */
function pupils(players) {
  const rows = players.map((player) => {
    const retire = html("button", { type: "button" }, player.retired ? "Let play again" : "Retire");
    retire.setAttribute("aria-label", `${retire.textContent}: ${player.name}`);
    retire.onclick = () => act("retire", { player: player.id, on: !player.retired }, `Done: ${player.name}.`);
    const key = html("button", { type: "button" }, player.has_key ? "New key" : "Make a key");
    key.setAttribute("aria-label", `${key.textContent}: ${player.name}`);
    key.onclick = async () => {
      const response = await act("key", { player: player.id }, "");
      if (!response) return;
      const made = await response.json();
      say(`The link of ${player.name}, shown once: ${new URL("./", location.href).href}#key=${made.key}`);
    };
    const state = player.state === null ? "no submission" : (STATES[player.state] ?? player.state);
    return [
      html("bdi", {}, player.name),
      String(player.versions),
      state,
      player.reason ?? "",
      html("span", {}, retire, " ", key),
    ];
  });
  const columns = ["Player", "Versions#", "Newest", "Why-", "Do"];
  return section("Players", table("All players but the house bots", columns, rows));
}

async function show() {
  try {
    /** @type {Data.LadderConsole} */
    const desk = await (await ask("overview")).json();
    const problem =
      desk.problem === null ? [] : [section("In the way", html("p", { role: "alert" }, desk.problem))];
    elementById("main").replaceChildren(
      ...problem,
      switches(desk.settings),
      quotas(desk.settings),
      pupils(desk.players),
    );
  } catch (error) {
    say(wordsOf(error));
  }
}

addEventListener("hashchange", show);
show();
