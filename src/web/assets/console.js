// The teacher's console. Every request brings the token; everything shown is set as text, never as HTML.

/** @import * as Data from "./data.d.ts" */

/** How often the console asks how things stand, in milliseconds. */
const REFRESH_MS = 1000;

/**
 * The element of the console with this id.
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id
 * @param {new () => Type} [type] What kind of element it has to be.
 * @returns {Type}
 */
function elementById(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) throw new Error(`the console has no such element: ${id}`);
  return /** @type {Type} */ (found);
}

/** @param {string} id */
const inputById = (id) => elementById(id, HTMLInputElement);

/** Everything that only somebody with the token sees. */
function mainPart() {
  const found = document.querySelector("main");
  if (!found) throw new Error("the console has no main part");
  return found;
}

/** @param {string} id */
const dialogById = (id) => elementById(id, HTMLDialogElement);

// The token comes behind the # of the printed link, which no server ever sees, and leaves the address bar.
if (location.hash.length > 1) {
  sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", "/");
}
let token = sessionStorage.getItem("token") ?? "";

/**
 * Sends a request to the server, and asks for the token where the server wants another one.
 * @param {string} path
 * @param {"GET" | "POST"} method
 * @param {object} [body]
 */
async function request(path, method, body) {
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(`/api/${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (response.status === 401) {
    elementById("enter").hidden = false;
    mainPart().hidden = true;
  }
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** @param {unknown} error */
function showProblem(error) {
  const problem = elementById("problem");
  problem.textContent = error instanceof Error ? error.message : String(error);
  problem.hidden = false;
}

function hideProblem() {
  const problem = elementById("problem");
  problem.textContent = "";
  problem.hidden = true;
}

/**
 * Has the server do something, and shows how things stand then.
 * @param {string} path
 * @param {object} [body]
 */
async function act(path, body) {
  try {
    await request(path, "POST", body);
    hideProblem();
  } catch (error) {
    showProblem(error);
  }
  await refresh();
}

/**
 * Downloads a file that the server makes.
 * @param {string} path
 * @param {string} name The file's name.
 */
async function download(path, name) {
  try {
    const response = await request(path, "POST");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    hideProblem();
  } catch (error) {
    showProblem(error);
  }
  await refresh();
}

async function refresh() {
  try {
    /** @type {Data.Overview} */
    const overview = await (await request("overview", "GET")).json();
    elementById("enter").hidden = true;
    mainPart().hidden = false;
    draw(overview);
  } catch (error) {
    showProblem(error);
  }
}

/** @type {Record<Data.Overview["hour"], string>} */
const HOURS = { lobby: "before the tournament", playing: "playing", over: "the tournament is over" };

/** @param {Data.Overview} overview */
function draw(overview) {
  const { hour, paused, members } = overview;
  const text = statusParts(overview).join(" · ");
  const status = elementById("status");
  if (status.textContent !== text) status.textContent = text;
  enable("start", hour === "lobby" && members.length >= 2);
  enable("pause", hour === "playing" && !paused);
  enable("resume", hour === "playing" && paused);
  enable("step", hour === "playing");
  enable("next", hour === "over");
  enable("reveal", hour === "over" && !overview.revealed);
  enable("journal", overview.has_journal);
  enable("result", overview.has_result);
  inputById("rehearsal").disabled = hour !== "lobby";
  inputById("rehearsal").checked = overview.rehearsal;
  showSetting("pace", overview.pace_ms);
  showSetting("tempo", overview.tempo);
  showSetting("feature", overview.featured);
  elementById("feature-form").hidden = overview.tables < 2;
  elementById("where").textContent = members.some((member) => member.table) ? "Table" : "Seat";
  drawMembers(overview);
  const actions = overview.actions.map((action) => createElement("li", action));
  const list = elementById("actions");
  if (actions.length !== list.children.length) list.replaceChildren(...actions);
}

/** @param {Data.Overview} overview */
function statusParts({ hour, paused, round, rate, members, wanted, tables, viewers }) {
  const parts = [paused && hour === "playing" ? "paused" : HOURS[hour]];
  if (hour === "lobby") parts.push(`${members.length} of ${wanted} in`);
  else parts.push(`round ${round}`, `${rate} rounds/s`);
  if (tables > 1) parts.push(`${tables} tables`);
  parts.push(`${viewers} ${viewers === 1 ? "viewer" : "viewers"}`);
  return parts;
}

/**
 * Lets a button be pressed or not.
 * @param {string} id
 * @param {boolean} enabled
 */
function enable(id, enabled) {
  elementById(id, HTMLButtonElement).disabled = !enabled;
}

/**
 * Shows a setting unless somebody is just changing it.
 * @param {string} id
 * @param {number} value
 */
function showSetting(id, value) {
  const input = inputById(id);
  if (document.activeElement !== input) input.value = String(value);
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 * @param {string} className
 */
function createElement(name, text = "", className = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

/** @type {Record<Data.Member["kind"], string>} */
const KINDS = { house: "of the house", started: "started here", remote: "connected" };

/** What the rows of the players show, so that they are made anew only when something in them has changed. */
let drawnMembers = "";

/**
 * Draws the players. Whoever tabs through the buttons keeps the one that has the focus.
 * @param {Data.Overview} overview
 */
function drawMembers({ hour, members }) {
  const key = JSON.stringify([hour, members]);
  if (key === drawnMembers) return;
  drawnMembers = key;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement ? active.dataset.what : undefined;
  const rows = members.map((member, index) => {
    const row = document.createElement("tr");
    const buttons = document.createElement("td");
    buttons.append(memberButtons(member, index, hour));
    row.append(...memberCells(member), buttons);
    return row;
  });
  elementById("members").replaceChildren(...rows);
  const again = focused && document.querySelector(`[data-what="${CSS.escape(focused)}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/** @param {Data.Member} member */
function memberCells(member) {
  const { times, row } = member;
  const timed = times?.count ? [times.last, times.mean, times.longest].map(milliseconds) : ["", "", ""];
  const texts = [
    member.table ? `${member.table}` : (member.seat ?? ""),
    member.name,
    member.github_id,
    KINDS[member.kind],
    row?.chips ?? "",
    member.last_reply ?? "",
    times?.count ?? "",
    ...timed,
  ];
  const state = createElement("td", memberState(member), isOut(member) ? "state out" : "state");
  return [...texts.map((text) => createElement("td", String(text))), state];
}

/** @param {number} microseconds */
const milliseconds = (microseconds) => (microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 0);

/** @param {Data.Member} member */
const isOut = ({ row }) => row?.left_in_round != null;

/** @param {Data.Member} member */
function memberState(member) {
  const { row } = member;
  if (row) return isOut(member) ? `out in round ${row.left_in_round}: ${row.why}` : `place ${row.place}`;
  if (member.renamed) return "renamed";
  return member.avatar !== member.name ? `wanted to be “${member.avatar}”` : "";
}

/**
 * The buttons of a player's row.
 * @param {Data.Member} member
 * @param {number} index Which row it is.
 * @param {Data.Overview["hour"]} hour
 */
function memberButtons(member, index, hour) {
  const buttons = createElement("div", "", "buttons");
  /** @type {(text: string, what: string, action: () => void) => void} */
  const add = (text, what, action) => {
    const button = createElement("button", text);
    button.type = "button";
    button.dataset.what = `${what} ${index}`;
    button.setAttribute("aria-label", `${text} ${member.name}`);
    button.addEventListener("click", action);
    buttons.append(button);
  };
  if (hour === "lobby") add("Rename", "rename", () => rename(member));
  if (hour === "playing" && !isOut(member)) add("Remove", "remove", () => remove(member));
  if (hour !== "lobby" && member.kind === "started") {
    add("stdout", "stdout", () => showOutput(member, "stdout"));
    add("stderr", "stderr", () => showOutput(member, "stderr"));
  }
  return buttons;
}

/**
 * Asks for a text.
 * @param {string} title
 * @param {string} label
 * @param {string} value What stands in the field to begin with.
 * @returns {Promise<string | null>} The text; null if the question was called off.
 */
function ask(title, label, value = "") {
  elementById("ask-title").textContent = title;
  elementById("ask-label").textContent = label;
  const answer = inputById("answer");
  answer.value = value;
  const dialog = dialogById("ask");
  dialog.returnValue = "no";
  dialog.showModal();
  answer.focus();
  return new Promise((resolve) => {
    const closed = () => resolve(dialog.returnValue === "yes" ? answer.value : null);
    dialog.addEventListener("close", closed, { once: true });
  });
}

/** @param {Data.Member} member */
async function remove(member) {
  const label = "The reason, which the player and the room are told";
  const reason = await ask(`Remove ${member.name}`, label);
  if (reason !== null) await act("remove", { seat: member.seat, reason });
}

/** @param {Data.Member} member */
async function rename(member) {
  const name = await ask(`Rename ${member.name}`, "The name everyone sees", member.name);
  if (name !== null) await act("rename", { github_id: member.github_id, name });
}

/**
 * Shows what a started program printed.
 * @param {Data.Member} member
 * @param {"stdout" | "stderr"} which
 */
async function showOutput(member, which) {
  try {
    const text = await (await request(`output/${member.seat}/${which}`, "GET")).text();
    elementById("output-title").textContent = `${which} of ${member.name}`;
    elementById("output-text").textContent = text || "(nothing)";
    dialogById("output").showModal();
    hideProblem();
  } catch (error) {
    showProblem(error);
  }
}

/**
 * Has a form do something else than being sent.
 * @param {string} id
 * @param {() => void} action
 */
function onSubmit(id, action) {
  elementById(id).addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

for (const action of ["start", "pause", "resume", "step", "next", "reveal"]) {
  elementById(action).addEventListener("click", () => act(action));
}
elementById("journal").addEventListener("click", () => download("journal", "journal.jsonl"));
elementById("result").addEventListener("click", () => download("result", "result.json"));
const rehearsal = inputById("rehearsal");
rehearsal.addEventListener("change", () => act("rehearsal", { on: rehearsal.checked }));
onSubmit("pace-form", () => act("pace", { ms: Number(inputById("pace").value) }));
onSubmit("tempo-form", () => act("tempo", { percent: Number(inputById("tempo").value) }));
onSubmit("feature-form", () => act("feature", { table: Number(inputById("feature").value) }));
onSubmit("enter", () => {
  token = inputById("token").value.trim();
  sessionStorage.setItem("token", token);
  refresh();
});

refresh();
setInterval(() => {
  if (token) refresh();
}, REFRESH_MS);
