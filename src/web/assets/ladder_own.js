// The place behind a personal key: submissions, their states, challenges. The key is in the fragment of the link, which
// no server receives; it leaves the address bar and is sent in a header.

import { STATES, link, rating, section } from "./ladder_parts.js";
import { html, memory, request, svg, wordsOf } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** Takes the key of the link by which the page was opened. */
export function takeKey() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const key = wanted.get("key");
  if (key === null) return;
  memory.set("ladder-key", key);
  history.replaceState(null, "", "#me");
}

/** @type {(path: string, body?: object) => Promise<Response>} */
const ask = (path, body) => request(`api/me${path}`, { token: memory.get("ladder-key"), body });

function keyForm(/** @type {string} */ why) {
  const input = html("input", { type: "password", autocomplete: "off", size: "34" });
  const form = html(
    "form",
    {},
    html("label", {}, "Your key", input),
    html("button", { type: "submit" }, "Open"),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    location.hash = `#key=${encodeURIComponent(input.value.trim())}`;
  };
  return section("My place", html("p", {}, why), form);
}

/**
 * A link to the replay of a match with the player's own cards.
 * @param {number} match
 * @returns {Promise<string | null>}
 */
export async function ownReplay(match) {
  if (memory.get("ladder-key") === "") return null;
  try {
    const { path } = await (await ask("/ticket", { match })).json();
    return path;
  } catch {
    return null;
  }
}

/**
 * The output of a version, loaded when it is opened.
 * @param {number} version
 */
function printed(version) {
  const place = html("div", {});
  const details = html("details", {}, html("summary", {}, "What it printed"), place);
  details.ontoggle = async () => {
    if (!details.open || place.childElementCount > 0) return;
    try {
      /** @type {{ build: string | null, matches: string | null }} */
      const said = await (await ask(`/said/${version}`)).json();
      const parts = [
        ["While it was built", said.build],
        ["In its last matches, the newest first", said.matches],
      ].filter(([, text]) => text);
      place.replaceChildren(
        ...parts.flatMap(([what, text]) => [
          html("p", {}, what ?? ""),
          html("pre", { tabindex: "0" }, text ?? ""),
        ]),
      );
      if (parts.length === 0) place.replaceChildren(html("p", {}, "Nothing."));
    } catch (error) {
      place.replaceChildren(html("p", {}, wordsOf(error)));
    }
  };
  return details;
}

/**
 * The form for handing in.
 * @param {Data.LadderOwn} own
 * @param {() => void} again
 */
function handIn(own, again) {
  const said = html("p", { role: "status" });
  const input = html("input", { type: "file", accept: ".zip,.tar,.tgz,.gz" });
  const button = html("button", { type: "submit" }, "Hand in");
  const form = html(
    "form",
    {},
    html("label", {}, "An archive of your program: .zip or .tar.gz", input),
    button,
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file) {
      said.textContent = "Choose an archive first.";
      return;
    }
    button.disabled = true;
    said.textContent = "It is being sent …";
    try {
      const response = await ask(`/submit/${encodeURIComponent(file.name)}`, file);
      const { label } = await response.json();
      input.value = "";
      said.textContent = `${label} has come, and is being built and checked.`;
      setTimeout(again, 1500);
    } catch (error) {
      said.textContent = wordsOf(error);
    }
    button.disabled = false;
  };
  const rule = `At most ${own.submissions_an_hour} in an hour. It is built and checked here, and plays without your laptop.`;
  return section(
    "Hand in",
    form,
    said,
    html("p", { class: "soft" }, own.frozen ? "The ladder is frozen: nothing is taken." : rule),
  );
}

/**
 * @param {Data.LadderOwn} own
 * @param {() => void} again
 */
function ownVersions(own, again) {
  const said = html("p", { role: "status" });
  const items = own.versions.map((version) => {
    const item = html(
      "li",
      {},
      html("strong", {}, html("bdi", {}, version.label)),
      ` (${version.source}): ${version.active ? "active, " : ""}${STATES[version.state] ?? version.state}. `,
    );
    if (!version.active && (version.state === "ready" || version.state === "set_aside")) {
      const button = html("button", { type: "button" }, `Let ${version.label} play`);
      button.onclick = async () => {
        try {
          await ask("/activate", { version: version.id });
          again();
        } catch (error) {
          said.textContent = wordsOf(error);
        }
      };
      item.append(button);
    }
    if (version.reason) item.append(html("p", {}, version.reason));
    if (version.diagnosis) {
      item.append(
        html(
          "details",
          {},
          html("summary", {}, "What the check said"),
          html("pre", { tabindex: "0" }, version.diagnosis),
        ),
      );
    }
    if (version.kind === "submission" && version.state !== "waiting") item.append(printed(version.id));
    return item;
  });
  const list =
    items.length > 0
      ? html("ul", { class: "plain" }, ...items)
      : html("p", {}, "There is no submission yet.");
  return section("My versions", list, said);
}

/**
 * @param {Data.LadderOwn} own
 * @param {Data.LadderOverview} overview
 */
function challengeForm(own, overview) {
  const said = html("p", { role: "status" });
  const others = overview.standings.filter(
    (row) => row.id !== own.id && row.kind !== "connection" && row.state === "ready",
  );
  const choice = html("select", {}, ...others.map((row) => html("option", { value: row.id }, row.name)));
  const rounds = html("input", { type: "number", min: 2, max: 400, value: 200 });
  const form = html(
    "form",
    {},
    html("label", {}, "Against", choice),
    html("label", {}, "Rounds", rounds),
    html("button", { type: "submit" }, "Challenge"),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      const response = await ask("/challenge", {
        opponent: Number(choice.value),
        rounds: Number(rounds.value),
      });
      const planned = await response.json();
      said.replaceChildren(
        "It is in the queue: ",
        link(`#match=${planned.match}`, `match ${planned.match}`),
        ".",
      );
    } catch (error) {
      said.textContent = wordsOf(error);
    }
  };
  const rule = `Beside the ratings, at most ${own.challenges_a_day} in a day.`;
  return section("Challenge", form, said, html("p", { class: "soft" }, rule));
}

/** The size of the drawing of ratings, and the room around it. */
const CURVE = { width: 600, height: 160, margin: 24 };

/**
 * The ratings of a player's versions, each with its interval, if there are two.
 * @param {Data.LadderPlayer} player
 */
function ratings({ versions }) {
  const rated = versions.flatMap(({ number, value, half }) =>
    value === null || half === null ? [] : [{ number, value, half }],
  );
  if (rated.length < 2) return [];
  const { width, height, margin } = CURVE;
  const low = Math.min(0, ...rated.map(({ value, half }) => value - half));
  const high = Math.max(0, ...rated.map(({ value, half }) => value + half));
  const [oldest, newest] = [rated[rated.length - 1].number, rated[0].number];
  const x = (/** @type {number} */ number) =>
    margin + ((width - 2 * margin) * (number - oldest)) / (newest - oldest);
  const y = (/** @type {number} */ chips) => margin + ((height - 2 * margin) * (high - chips)) / (high - low);
  const points = rated.map(({ number, value }) => `${x(number).toFixed(1)},${y(value).toFixed(1)}`);
  const marks = rated.flatMap(({ number, value, half }) => [
    svg("line", {
      class: "interval",
      x1: x(number),
      x2: x(number),
      y1: y(value - half),
      y2: y(value + half),
    }),
    svg("circle", { cx: x(number), cy: y(value), r: 5 }),
    svg("text", { x: x(number), y: height - 4 }, String(number)),
  ]);
  const said = rated.map(({ number, value, half }) => `version ${number}: ${rating(value, half)}`).reverse();
  const picture = svg(
    "svg",
    {
      class: "curve",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Chips a round, ${said.join(", ")}`,
    },
    svg("line", { class: "zero", x1: margin, x2: width - margin, y1: y(0), y2: y(0) }),
    svg("polyline", { points: points.join(" ") }),
    ...marks,
  );
  const words = html("p", { class: "soft" }, said.join(" · "));
  return [section("Chips a round, version by version", picture, words)];
}

/**
 * Everything of the place behind the key, or the form for the key.
 * @param {Data.LadderOverview} overview
 * @returns {Promise<HTMLElement[]>}
 */
export async function showOwn(overview) {
  if (memory.get("ladder-key") === "") {
    return [keyForm("Open the personal link that you were given, or paste the key of it here.")];
  }
  /** @type {Data.LadderOwn} */
  let own;
  try {
    own = await (await ask("")).json();
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return [keyForm(wordsOf(error))];
  }
  /** Loads the place again, unless a chosen archive has not been sent yet. */
  const again = () => {
    const input = document.querySelector("input[type=file]");
    const isChosen = input instanceof HTMLInputElement && input.files?.length;
    if (isChosen) setTimeout(again, 2000);
    else dispatchEvent(new HashChangeEvent("hashchange"));
  };
  // Until everything has been checked it is looked at again.
  if (own.versions.some((version) => version.state === "waiting")) {
    setTimeout(() => location.hash === "#me" && again(), 2000);
  }
  const fouls = own.fouls.map((foul) =>
    html("li", {}, link(`#match=${foul.match}`, `Match ${foul.match}`), `, round ${foul.round}: ${foul.why}`),
  );
  const matches = html("p", {}, link(`#player=${own.id}`, `The page of ${own.name}, with all matches`));
  /** @type {Data.LadderPlayer} */
  const player = await (await request(`api/player/${own.id}`)).json();
  const parts = [
    section(own.name, matches),
    ...ratings(player),
    handIn(own, again),
    ownVersions(own, again),
    challengeForm(own, overview),
  ];
  if (fouls.length > 0) parts.push(section("My fouls", html("ul", {}, ...fouls)));
  return parts;
}
