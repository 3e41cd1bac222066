// A recorded tournament: scrub, step, speed, jumps, a link to every round.

import { chips, drawBoard, drawRace, drawTable } from "/view.js";

const $ = (id) => document.getElementById(id);

let index = null;
let shown = null;
let frame = 0;
let timer = null;
let wanted = 0;

async function begin() {
  index = await (await fetch("/index")).json();
  $("scrub").max = $("number").max = index.rounds;
  $("holes").disabled = !index.finished;
  const group = (label, jumps) => {
    const element = document.createElement("optgroup");
    element.label = label;
    for (const jump of jumps) element.append(new Option(jump.text, jump.round));
    return element;
  };
  $("jump").replaceChildren(new Option("…", ""), group("Exits", index.exits), group("The biggest pots", index.pots));
  const { promise, seed } = index.programme;
  $("promise").textContent = [promise && `SHA-256 promised: ${promise}`, seed && `seed: ${seed}`].filter(Boolean).join(" · ");
  await follow();
}

/** Goes to the round and the step that the address names: #round=12 or #round=12&step=3. */
async function follow() {
  const link = new URLSearchParams(location.hash.slice(1));
  await go(Number(link.get("round")) || 1, Math.max(0, Math.trunc(Number(link.get("step"))) - 1) || 0);
}

async function go(round, at = 0) {
  if (index.rounds === 0) {
    $("status").textContent = "There is no finished round in this journal.";
    return;
  }
  round = Math.min(Math.max(1, Math.trunc(round) || 1), index.rounds);
  wanted = round;
  if (shown?.round !== round) {
    const loaded = await (await fetch(`/round/${round}`)).json();
    // Somebody scrubs on while a round is on its way.
    if (wanted !== round) return;
    shown = loaded;
    drawRows();
  }
  frame = at < 0 ? shown.frames.length - 1 : Math.min(at, shown.frames.length - 1);
  draw();
}

function drawRows() {
  drawBoard($("rows"), { rows: shown.board }, index.programme);
  drawRace($("chart"), index.race, index.programme, { rows: index.standings.length ? index.standings : shown.board });
}

function draw() {
  const table = structuredClone(shown.frames[frame]);
  if ($("holes").checked && shown.holes) {
    for (const seat of table.seats) seat.hole = shown.holes[seat.seat] ?? seat.hole;
  }
  drawTable($("table"), table, index.programme, index.deals !== null);
  $("scrub").value = $("number").value = shown.round;
  const place = index.deals ? `table ${table.table}, round ${chips(table.round)} · ${chips(shown.round)} of` : `round ${chips(shown.round)} of`;
  $("status").textContent = `replay · ${place} ${chips(index.rounds)} · step ${frame + 1} of ${shown.frames.length}`;
  $("jump").value = "";
  // Browsers allow only so many changes of the address: while it plays there are none.
  if (timer === null) history.replaceState(null, "", `#round=${shown.round}${frame > 0 ? `&step=${frame + 1}` : ""}`);
}

async function step() {
  if (frame + 1 < shown.frames.length) {
    frame += 1;
    draw();
  } else if (shown.round < index.rounds) await go(shown.round + 1);
  else pause();
}

async function back() {
  if (frame > 0) {
    frame -= 1;
    draw();
  } else if (shown.round > 1) await go(shown.round - 1, -1);
}

function pause() {
  clearTimeout(timer);
  timer = null;
  $("play").textContent = "▶ play";
  draw();
}

function play() {
  if (timer !== null) return pause();
  $("play").textContent = "⏸ pause";
  const tick = async () => {
    await step();
    if (timer === null) return;
    const last = frame === shown.frames.length - 1;
    timer = setTimeout(tick, (last ? 2500 : 700) / Number($("speed").value));
  };
  timer = setTimeout(tick, 0);
}

const KEYS = {
  ArrowRight: step, ArrowLeft: back, " ": play,
  PageDown: () => go(shown.round + 1), PageUp: () => go(shown.round - 1),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, button")) return;
  if (event.key === "t" || event.key === "T") toggleTheme();
  const work = KEYS[event.key];
  if (work) {
    event.preventDefault();
    work();
  }
});

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

$("theme").addEventListener("click", toggleTheme);
$("scrub").addEventListener("input", () => go(Number($("scrub").value)));
$("number").addEventListener("change", () => go(Number($("number").value)));
$("before").addEventListener("click", () => go(shown.round - 1));
$("after").addEventListener("click", () => go(shown.round + 1));
$("step").addEventListener("click", step);
$("back").addEventListener("click", back);
$("play").addEventListener("click", play);
$("holes").addEventListener("change", draw);
$("jump").addEventListener("change", () => $("jump").value && go(Number($("jump").value), -1));
$("share").addEventListener("click", async () => {
  // Where the browser keeps the clipboard closed, the address bar has the same link.
  try {
    await navigator.clipboard.writeText(location.href);
    $("share").textContent = "Copied";
  } catch {
    $("share").textContent = "The link is in the address bar";
  }
  setTimeout(() => { $("share").textContent = "Copy the link"; }, 2000);
});
window.addEventListener("hashchange", follow);
begin();
