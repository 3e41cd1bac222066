// The teacher's console. Every request brings the token; everything shown goes through textContent.

const $ = (id) => document.getElementById(id);

// The token comes behind the # of the printed link, which no server ever sees, and leaves the address bar.
if (location.hash.length > 1) {
  sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", "/");
}
let token = sessionStorage.getItem("token") ?? "";
let overview = null;

async function call(path, method = "GET", body = undefined) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(`/api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 401) {
    $("enter").hidden = false;
    document.querySelector("main").hidden = true;
    throw new Error(await response.text());
  }
  if (!response.ok) throw new Error(await response.text());
  return response;
}

function complain(error) {
  $("problem").textContent = error ? String(error.message ?? error) : "";
  $("problem").hidden = !error;
}

async function act(path, body = undefined) {
  try {
    await call(path, "POST", body);
    complain(null);
  } catch (error) {
    complain(error);
  }
  await refresh();
}

async function download(path, name) {
  try {
    const response = await call(path, "POST");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    complain(null);
  } catch (error) {
    complain(error);
  }
  await refresh();
}

async function refresh() {
  try {
    overview = await (await call("overview")).json();
    $("enter").hidden = true;
    document.querySelector("main").hidden = false;
    draw();
  } catch (error) {
    complain(error);
  }
}

const HOURS = { lobby: "before the tournament", playing: "playing", over: "the tournament is over" };

function draw() {
  const { hour, paused, round, rate, members, wanted, viewers } = overview;
  const parts = [paused && hour === "playing" ? "paused" : HOURS[hour]];
  if (hour === "lobby") parts.push(`${members.length} of ${wanted} in`);
  else parts.push(`round ${round}`, `${rate} rounds/s`);
  if (overview.tables > 1) parts.push(`${overview.tables} tables`);
  parts.push(`${viewers} ${viewers === 1 ? "viewer" : "viewers"}`);
  const text = parts.join(" · ");
  if ($("status").textContent !== text) $("status").textContent = text;
  $("start").disabled = hour !== "lobby" || members.length < 2;
  $("pause").disabled = hour !== "playing" || paused;
  $("resume").disabled = hour !== "playing" || !paused;
  $("step").disabled = hour !== "playing";
  $("next").disabled = hour !== "over";
  $("reveal").disabled = hour !== "over" || overview.revealed;
  $("journal").disabled = !overview.has_journal;
  $("result").disabled = !overview.has_result;
  $("rehearsal").disabled = hour !== "lobby";
  $("rehearsal").checked = overview.rehearsal;
  keep($("pace"), overview.pace_ms);
  keep($("tempo"), overview.tempo);
  keep($("feature"), overview.featured);
  $("feature-form").hidden = overview.tables < 2;
  $("where").textContent = overview.members.some((member) => member.table) ? "Table" : "Seat";
  drawMembers();
  const actions = overview.actions.map((action) => make("li", action));
  if (actions.length !== $("actions").children.length) $("actions").replaceChildren(...actions);
}

/** Shows a setting unless somebody is just changing it. */
function keep(input, value) {
  if (document.activeElement !== input) input.value = value;
}

function make(name, text = "", properties = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  return Object.assign(element, properties);
}

const KINDS = { house: "of the house", started: "started here", remote: "connected" };
const ms = (microseconds) => (microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 0);

let drawn = "";

function drawMembers() {
  // Rows are made anew only when something in them has changed: whoever tabs through them is not thrown out.
  const key = JSON.stringify([overview.hour, overview.members]);
  if (key === drawn) return;
  drawn = key;
  const focused = document.activeElement?.dataset?.what;
  const rows = overview.members.map((member, index) => {
    const row = document.createElement("tr");
    const { times, row: place } = member;
    const out = place?.left_in_round != null;
    const before = member.renamed ? "renamed" : member.avatar !== member.name ? `wanted to be “${member.avatar}”` : "";
    const state = !place ? before : out ? `out in round ${place.left_in_round}: ${place.why}` : `place ${place.place}`;
    const cells = [
      member.table ? `${member.table}` : member.seat ?? "", member.name, member.github_id, KINDS[member.kind], place?.chips ?? "", member.last_reply ?? "",
      times?.count ?? "", times?.count ? ms(times.last) : "", times?.count ? ms(times.mean) : "", times?.count ? ms(times.longest) : "",
    ].map((text) => make("td", String(text)));
    cells.push(make("td", state, { className: out ? "state out" : "state" }));
    const buttons = make("div", "", { className: "buttons" });
    const button = (text, what, work) => {
      const made = make("button", text, { type: "button" });
      made.dataset.what = `${what} ${index}`;
      made.setAttribute("aria-label", `${text} ${member.name}`);
      made.addEventListener("click", work);
      buttons.append(made);
    };
    if (overview.hour === "lobby") button("Rename", "rename", () => rename(member));
    if (overview.hour === "playing" && !out) button("Remove", "remove", () => remove(member));
    if (overview.hour !== "lobby" && member.kind === "started") {
      button("stdout", "stdout", () => output(member, "stdout"));
      button("stderr", "stderr", () => output(member, "stderr"));
    }
    const last = document.createElement("td");
    last.append(buttons);
    row.append(...cells, last);
    return row;
  });
  $("members").replaceChildren(...rows);
  if (focused) document.querySelector(`[data-what="${CSS.escape(focused)}"]`)?.focus();
}

/** Asks for a text; null if it is called off. */
function ask(title, label, value = "") {
  $("ask-title").textContent = title;
  $("ask-label").textContent = label;
  $("answer").value = value;
  const dialog = $("ask");
  dialog.returnValue = "no";
  dialog.showModal();
  $("answer").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? $("answer").value : null), { once: true });
  });
}

async function remove(member) {
  const reason = await ask(`Remove ${member.name}`, "The reason, which the player and the room are told");
  if (reason !== null) await act("remove", { seat: member.seat, reason });
}

async function rename(member) {
  const name = await ask(`Rename ${member.name}`, "The name everyone sees", member.name);
  if (name !== null) await act("rename", { github_id: member.github_id, name });
}

async function output(member, which) {
  try {
    const text = await (await call(`output/${member.seat}/${which}`)).text();
    $("output-title").textContent = `${which} of ${member.name}`;
    $("output-text").textContent = text || "(nothing)";
    $("output").showModal();
    complain(null);
  } catch (error) {
    complain(error);
  }
}

for (const action of ["start", "pause", "resume", "step", "next", "reveal"]) {
  $(action).addEventListener("click", () => act(action));
}
$("journal").addEventListener("click", () => download("journal", "journal.jsonl"));
$("result").addEventListener("click", () => download("result", "result.json"));
$("rehearsal").addEventListener("change", () => act("rehearsal", { on: $("rehearsal").checked }));
$("pace-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act("pace", { ms: Number($("pace").value) });
});
$("tempo-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act("tempo", { percent: Number($("tempo").value) });
});
$("feature-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act("feature", { table: Number($("feature").value) });
});
$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  token = $("token").value.trim();
  sessionStorage.setItem("token", token);
  refresh();
});

refresh();
setInterval(() => {
  if (token) refresh();
}, 1000);
