// A person's chair: the table as the show draws it, the person's own cards and choices, and the result of the round.
// The lessons are played on the same page.

import { drawTable } from "./table.js";
import {
  elementById,
  formatNumber,
  html,
  isNews,
  lettersSwitch,
  memory,
  newestOnly,
  onKey,
  request,
  setSentence,
  setText,
  startTheme,
  wordsOf,
} from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** After so many milliseconds a lost connection is tried again. */
const RETRY_MS = 1500;
/** The shortest time between two messages that a person is back, in milliseconds. */
const HERE_MS = 2000;

const isLesson = location.pathname === "/learn";
// The invitation comes behind the # of the link, which no server sees before it is used, and leaves the address bar.
const invitation = isLesson ? "" : location.hash.slice(1) || memory.get("invitation");
let lesson = isLesson ? Math.max(1, Number(location.hash.slice(1)) || 1) : 0;
let lessons = 0;
let key = isLesson ? "" : memory.get("chair");
/** @type {Data.PlaceView | null} */
let place = null;
/** When the time is over, in milliseconds of this page's clock; 0 if there is none. */
let until = 0;
const beginReading = newestOnly();

/**
 * Sends something to the dealer. What is wrong is shown, and the answer is null then.
 * @param {string} path
 * @param {object} body
 */
async function send(path, body = {}) {
  const answer = elementById("answer");
  try {
    const response = await request(`/chair/${path}`, { token: key, body });
    setText(answer, "");
    return response;
  } catch (error) {
    setText(answer, wordsOf(error, "The host does not answer; try again."));
    return null;
  }
}

/** Reads the stream line by line, and reconnects when the connection is lost. */
async function watch() {
  const isNewest = beginReading();
  try {
    const path = isLesson ? `/learn/${lesson}/stream` : "/chair/stream";
    const { body } = await request(path, { token: key });
    if (!body) throw new Error("a stream without a body");
    elementById("lost").hidden = true;
    await readLines(body, isNewest);
  } catch {
    // The page reports it and tries again.
  }
  if (!isNewest()) return;
  elementById("lost").hidden = false;
  setTimeout(() => {
    if (isNewest()) watch();
  }, RETRY_MS);
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => boolean} isWanted
 */
async function readLines(body, isWanted) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (!isWanted()) return void reader.cancel();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
}

/** @param {Data.ChairTold} told */
function hear(told) {
  if (told.key) {
    key = told.key;
    lessons = told.lessons ?? 0;
    return;
  }
  if (told.gone) {
    beginReading();
    key = "";
    memory.set("chair", "");
    return askForName();
  }
  elementById("enter").hidden = true;
  elementById("leave").hidden = isLesson;
  if (told.waits) {
    setText(elementById("heading"), told.waits.name);
    return sayOnly("You have a chair. You sit down when the teacher begins.");
  }
  if (told.plays) draw(told.plays);
}

/** The texts of the person's part. Only changed texts are set, because a screen reader reads each change. */
const TEXTS = ["said", "turn", "odds", "answer"];

/** @param {Record<string, string>} texts Those that are left out are empty. */
function say(texts) {
  for (const id of TEXTS) setSentence(elementById(id), texts[id] ?? "");
}

/**
 * Nothing but a sentence.
 * @param {string} turn
 */
function sayOnly(turn) {
  place = null;
  until = 0;
  drawClock();
  say({ turn });
  drawEnding([]);
  for (const id of ["stage", "look", "moves", "go-on", "again", "here"]) elementById(id).hidden = true;
}

/** @param {string[]} lines */
function drawEnding(lines) {
  const ending = elementById("ending");
  if (!isNews(ending, lines)) return;
  const paragraphs = lines.map((line) => {
    const paragraph = html("p", {});
    setSentence(paragraph, line);
    return paragraph;
  });
  ending.replaceChildren(...paragraphs);
}

function askForName() {
  const canEnter = invitation !== "";
  const how = "To sit down, open the link or the QR code that the teacher shows.";
  sayOnly(canEnter ? "" : how);
  elementById("leave").hidden = true;
  elementById("lost").hidden = true;
  setText(elementById("heading"), "A chair for you");
  elementById("enter").hidden = !canEnter;
  if (canEnter) elementById("name").focus();
  if (canEnter) readOffer();
}

/** A chair with a name does not ask for one. */
async function readOffer() {
  const response = await send("offer", { invitation });
  if (!response) return;
  const { name } = await response.json();
  if (name === null) return;
  setText(elementById("heading"), `A chair for you: ${name}`);
  for (const field of document.querySelectorAll("#enter label, #name")) field.setAttribute("hidden", "");
}

/** @param {Data.PlaceView} current */
function draw(current) {
  const before = place?.turn?.number;
  place = current;
  const { programme, me, table, turn, ending, seconds, lesson: words, away } = current;
  const looks = turn === null && ending.length > 0;
  setText(elementById("heading"), words?.heading ?? programme.players[me - 1] ?? "");
  elementById("stage").hidden = table === null;
  drawTable(elementById("table"), table, programme, { several: false });
  elementById("look").hidden = words === null;
  drawSentences(elementById("look"), (looks ? words?.why : words?.look) ?? "");
  until = seconds === null ? 0 : Date.now() + 1000 * seconds;
  drawClock();
  say({
    said: turn && current.said.length ? `Log: ${current.said.join(", ")}.` : "",
    turn: turnText(current, looks),
    odds: turn?.odds ?? "",
    answer: away ? "Your time ran out. The table plays without you until you say that you are here." : "",
  });
  elementById("moves").hidden = turn === null;
  if (turn && before !== turn.number) drawMoves(turn);
  drawEnding(looks ? ending : []);
  showButton("go-on", looks);
  showButton("again", looks && isLesson);
  showButton("here", away);
}

/** @type {(list: HTMLElement, text: string) => void} */
function drawSentences(list, text) {
  if (!isNews(list, text)) return;
  list.replaceChildren(...text.split(/(?<=[.?])\s+/).map((sentence) => html("p", {}, sentence)));
}

/**
 * @param {Data.PlaceView} current
 * @param {boolean} looks
 */
function turnText({ turn, out, paused }, looks) {
  if (turn) return turn.words;
  if (out !== null && !isLesson) return `You are out: ${out}`;
  return looks ? "" : paused ? "The teacher has paused play." : "The others play.";
}

/**
 * Shows or hides a button. One that comes gets the focus, if nothing has it.
 * @param {string} id
 * @param {boolean} isShown
 */
function showButton(id, isShown) {
  const button = elementById(id);
  const comes = button.hidden && isShown;
  button.hidden = !isShown;
  if (comes && (document.activeElement === document.body || !document.activeElement)) button.focus();
}

/** @param {Data.TurnView} turn */
function drawMoves(turn) {
  elementById("moves").hidden = false;
  const call = elementById("call", HTMLButtonElement);
  call.hidden = turn.most_raise === null;
  const price = turn.to_call === 0 ? "Stay for nothing" : `Stay for ${formatNumber(turn.to_call)}`;
  call.replaceChildren(`${price} `, html("kbd", {}, "C"));
  const raises = Array.from({ length: turn.most_raise ?? 0 }, (_, index) => {
    const by = index + 1;
    const cost = turn.to_call + by;
    const button = html("button", { type: "button", title: `Raise by ${by}, for ${cost}` }, String(by));
    if (by === 10) button.append(" ", html("kbd", {}, "0"));
    button.addEventListener("click", () => reply(cost));
    return button;
  });
  const label = raises.length ? [html("span", { "aria-hidden": "true" }, "Raise by")] : [];
  elementById("raises").replaceChildren(...label, ...raises);
}

function drawClock() {
  const clock = elementById("clock");
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  clock.hidden = until === 0;
  setText(clock, until === 0 ? "" : `${left} s`);
}

/** @param {number | null} chips */
async function reply(chips) {
  if (place?.turn) await send("reply", { question: place.turn.number, chips });
}

async function goOn() {
  const isOver = place !== null && place.turn === null && place.ending.length > 0;
  if (!isOver) return;
  if (!place?.lesson?.is_last) return void (await send("go-on"));
  if (lesson < lessons) {
    lesson++;
    location.hash = String(lesson);
    sayOnly("");
    return void watch();
  }
  beginReading();
  sayOnly("These were all lessons. You know the game.");
}

function playAgain() {
  if (!isLesson || elementById("again").hidden) return;
  sayOnly("");
  watch();
}

let toldAt = 0;

/** Input of a person who was away. */
async function isHere() {
  if (!place?.away || Date.now() - toldAt < HERE_MS) return;
  toldAt = Date.now();
  await send("here");
}

elementById("fold").addEventListener("click", () => reply(null));
elementById("call").addEventListener("click", () => reply(place?.turn?.to_call ?? 0));
elementById("go-on").addEventListener("click", goOn);
elementById("again").addEventListener("click", playAgain);
elementById("here").addEventListener("click", isHere);
elementById("leave").addEventListener("click", async () => {
  if (await send("leave")) hear({ gone: {} });
});
elementById("enter-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = elementById("name", HTMLInputElement).value;
  const response = await send("take", { invitation, name });
  if (!response) return;
  key = (await response.json()).key;
  memory.set("chair", key);
  memory.set("invitation", invitation);
  watch();
});
addEventListener("pointerdown", isHere);
addEventListener("keydown", isHere);
onKey((pressed, event) => {
  const turn = place?.turn;
  if (turn && pressed === "f") reply(null);
  else if (turn && pressed === "c" && turn.most_raise !== null) reply(turn.to_call);
  else if (turn && /^[0-9]$/.test(pressed)) {
    const by = Number(pressed) || 10;
    if (by <= (turn.most_raise ?? 0)) reply(turn.to_call + by);
    else setText(elementById("answer"), `A raise by ${by} is not possible now.`);
  } else if (pressed === "r") playAgain();
  else if (pressed === "enter" && !(event.target instanceof HTMLButtonElement)) goOn();
});
document.querySelector("footer")?.append(lettersSwitch());
startTheme();
setInterval(drawClock, 250);

if (!isLesson && location.hash.length > 1) {
  memory.set("invitation", invitation);
  history.replaceState(null, "", "/chair");
}
if (isLesson || key) watch();
else askForName();
