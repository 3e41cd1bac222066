// The teacher's console. Every request brings the token; everything shown is set as text, never as HTML.

import { dialogById, inputById } from "./console_parts.js";
import { draw, keepTyped, minutesText } from "./console_view.js";
import { elementById, request as requestFrom, setText, tokenOfLink, visit, wordsOf } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/** How often the console asks how things stand, in milliseconds. */
const REFRESH_MS = 1000;

/** The text of a page without a token. */
const NO_TOKEN =
  "Open the console with the whole link that was printed in the terminal when the program started: " +
  "the part behind the # is the token, which opens the console.";

/** The text of a page with a wrong token. */
const WRONG_TOKEN =
  "A token was given, and it is not the one of this program. Each start makes a new one: take the link that was " +
  "printed last, all of it.";

const NO_ANSWER =
  "The program does not answer. If it ended, its terminal shows the reason and the command that continues; this page " +
  "tries again by itself.";

// The token comes behind the # of the printed link, which no server ever sees, and leaves the address bar.
let token = tokenOfLink("token");
addEventListener("hashchange", () => {
  token = tokenOfLink("token");
  refresh();
});

/** The tokens that the server did not want. */
let refusedToken = "";

/** @type {Data.Overview | null} */
let latest = null;

/**
 * Asks the server, and asks for the token where the server wants another one.
 * @param {string} path
 * @param {object} [body]
 */
async function request(path, body) {
  try {
    return await requestFrom(`/api/${path}`, { token, body });
  } catch (error) {
    if (error instanceof TypeError) throw new Error(NO_ANSWER, { cause: error });
    if (error instanceof Error && error.cause === 401) {
      refusedToken = token;
      askForToken(WRONG_TOKEN);
    }
    throw error;
  }
}

/**
 * Shows nothing but the question for the token.
 * @param {string} why
 */
function askForToken(why) {
  // A server that refuses the token is reachable.
  hideProblem();
  lost = false;
  elementById("desk").hidden = true;
  elementById("bar").hidden = true;
  setText(elementById("status"), "");
  setText(
    elementById("enter-title"),
    why === NO_TOKEN ? "The console needs its link" : "This is not the right token",
  );
  setText(elementById("enter-why"), why);
  if (!elementById("enter").hidden) return;
  elementById("enter").hidden = false;
  inputById("token").focus();
}

/** How long the outcome of an action is shown, in milliseconds. */
const OUTCOME_MS = 8000;

let fading = 0;

/** @param {unknown} error */
function showProblem(error) {
  const problem = elementById("problem");
  setText(problem, wordsOf(error));
  problem.hidden = false;
}

function hideProblem() {
  const problem = elementById("problem");
  problem.textContent = "";
  problem.hidden = true;
}

/**
 * Shows the outcome of an action, also to screen readers.
 * @param {string} text
 */
function tell(text) {
  hideProblem();
  setText(elementById("outcome"), text);
  clearTimeout(fading);
  fading = window.setTimeout(() => setText(elementById("outcome"), ""), OUTCOME_MS);
}

/**
 * Sends an action to the server, shows its outcome, and loads the overview again.
 * @param {string} said What is said when it is done.
 * @param {string} path
 * @param {object} [body]
 */
async function act(said, path, body) {
  acting++;
  try {
    await request(path, body ?? {});
    tell(said);
  } catch (error) {
    setText(elementById("outcome"), "");
    if (elementById("enter").hidden) showProblem(error);
  }
  acting--;
  outdated = asked;
  await refresh();
}

/** Whether the last question how things stand went wrong. */
let lost = false;

/** How many actions are on their way. */
let acting = 0;

/** How often it was asked how things stand. */
let asked = 0;

/** The last question whose answer would be old by now: it was asked before an action, or before one answered since. */
let outdated = 0;

/** Whether another tournament was asked for, whose lobby is not open yet. */
let opening = false;

async function refresh() {
  const question = ++asked;
  try {
    const overview = /** @type {Data.Overview} */ (await (await request("overview")).json());
    if (acting > 0 || question <= outdated) return;
    outdated = question;
    latest = overview;
    elementById("enter").hidden = true;
    elementById("desk").hidden = false;
    elementById("bar").hidden = false;
    if (lost) hideProblem();
    lost = false;
    draw(latest, PLAYER_ACTIONS);
    if (opening && latest.hour === "lobby") {
      opening = false;
      tell("The lobby of the next tournament is open.");
    }
  } catch (error) {
    if (!elementById("enter").hidden) return;
    lost = true;
    showProblem(error);
  }
}

/**
 * Asks for a text, or only whether to go on.
 * @param {{ title: string, hint?: string, label?: string, value?: string, ends?: boolean }} question Without a label there is
 *     no field. A question that ends something has the focus on Cancel.
 * @returns {Promise<string | null>} The text; null if the question was called off.
 */
function ask({ title, hint = "", label = "", value = "", ends = false }) {
  setText(elementById("ask-title"), title);
  setText(elementById("ask-hint"), hint);
  setText(elementById("ask-label"), label);
  const answer = inputById("answer");
  elementById("ask-label").hidden = label === "";
  answer.hidden = label === "";
  answer.value = value;
  const dialog = dialogById("ask");
  dialog.returnValue = "no";
  dialog.showModal();
  if (label) answer.focus();
  if (ends) elementById("ask-no").focus();
  return new Promise((resolve) => {
    const closed = () => resolve(dialog.returnValue === "yes" ? answer.value : null);
    dialog.addEventListener("close", closed, { once: true });
  });
}

const PLAYER_ACTIONS = {
  /** @param {Data.MemberRow} member */
  async remove(member) {
    const reason = await ask({
      title: `Remove ${member.name}`,
      hint: "The player is out for good: its chips leave play.",
      label: "The reason, shown to the player and the room",
    });
    if (reason !== null) await act(`${member.name} is removed.`, "remove", { seat: member.seat, reason });
  },
  /** @param {Data.MemberRow} member */
  async rename(member) {
    const question = {
      title: `Rename ${member.name}`,
      hint: "The room sees this name, without characters that cannot be shown. Of two equal names, one gets a number.",
      label: "The public name",
      value: member.name,
    };
    const name = await ask(question);
    if (name !== null)
      await act(`The room sees ${name.trim()} now.`, "rename", { github_id: member.github_id, name });
  },
  /** @param {{ github_id: string, name: string, from?: string }} who */
  async sendAway({ github_id, name, from }) {
    const reason = await ask({
      title: `Send ${name} away`,
      hint: "This GitHubId may not come back from that address for two minutes. Others may come under it at once.",
      label: "The reason, sent to the program",
    });
    if (reason !== null) await act(`${name} is sent away.`, "send-away", { github_id, from, reason });
  },
  /** @param {{ github_id: string, name: string, from: string }} who */
  async approve({ github_id, name, from }) {
    await act(`${name} is approved.`, "approve", { github_id, from });
  },
  /** @param {{ github_id: string, name: string }} who */
  async letIn({ github_id, name }) {
    const answer = await ask({
      title: `Let ${github_id} in`,
      hint: "The roster of this day gets this player. The program has to be started again.",
      label: "The public name",
      value: name,
    });
    if (answer !== null) await act(`${github_id} may come in now.`, "let-in", { github_id, name: answer });
  },
  /**
   * @param {string} sent
   * @param {Data.NearPlayer} who
   */
  async isMeant(sent, { github_id, name }) {
    const hint =
      `The roster of this day has ${github_id} for ${name}, and gets ${sent} instead. The program has to connect again: ` +
      "a starter bot does so by itself.";
    const yes = await ask({ title: `Is ${sent} ${name}?`, hint });
    if (yes !== null) await act(`${name} may come in as ${sent} now.`, "is-meant", { sent, github_id });
  },
  /** @param {Data.MemberRow} member */
  async setAside({ name, seat }) {
    await act(`${name} is not asked any more.`, "set-aside", { number: seat });
  },
  /** @param {Data.MemberRow} member */
  async askAgain({ name, seat }) {
    await act(`${name} is asked again from the next round on.`, "ask-again", { number: seat });
  },
  /** @param {Data.ChairRow} chair */
  async freeChair({ number }) {
    await act(`Chair ${number} is free.`, "free-chair", { number });
  },
  /** @param {Data.MissingPlayer} who */
  async goOnWithout({ github_id, name }) {
    const hint = "Its chips leave play when play continues, unless it comes back before.";
    const yes = await ask({ title: `Go on without ${name}?`, hint, ends: true });
    if (yes !== null) await act(`It goes on without ${name}.`, "go-on-without", { github_id });
  },
  /**
   * Shows the output of a started program.
   * @param {Data.MemberRow} member
   * @param {"stdout" | "stderr"} which
   */
  async output(member, which) {
    try {
      const text = await (await request(`output/${member.seat}/${which}`)).text();
      setText(elementById("output-title"), `${which} of ${member.name}`);
      setText(elementById("output-text"), text || "(nothing)");
      dialogById("output").showModal();
      hideProblem();
    } catch (error) {
      showProblem(error);
    }
  },
};

async function start() {
  if (latest === null) return;
  const { members, wanted, resumed, awaiting_approval, late_entry: late } = latest;
  const few = !resumed && members.length < wanted;
  const waiting = awaiting_approval.length > 0;
  if (few || waiting) {
    const who = few ? `${members.length} of ${wanted} are in.` : "Somebody still waits for your approval.";
    const title = resumed ? "Go on now?" : "Start now?";
    const later =
      late === null ? "Players who come later are refused." : `Others may enter until round ${late}.`;
    const yes = await ask({ title, hint: `${who} ${later}` });
    if (yes === null) return;
  }
  await act(resumed ? "Play goes on." : "Play begins.", "start");
}

async function endNow() {
  const hint = "The places are those after this round. The ceremony and the report follow.";
  const yes = await ask({ title: "End the tournament now?", hint, ends: true });
  if (yes !== null) await act("The tournament ends after this round.", "end");
}

async function goOnWithoutAll() {
  const hint = "Their chips leave play when play continues, unless they come back before.";
  const yes = await ask({ title: "Continue without all missing players?", hint, ends: true });
  if (yes !== null) await act("Play continues without the missing players.", "go-on-without", { all: true });
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

/** @type {[string, string][]} */
const SIMPLE = [
  ["pause", "The dealer pauses after this round."],
  ["resume", "Play goes on."],
  ["step", "One more round is played."],
  ["reveal", "The seed is on the page."],
];
for (const [action, said] of SIMPLE) {
  elementById(action).addEventListener("click", () => act(said, action));
}
// The port opens when the report of the last tournament has been written.
elementById("next").addEventListener("click", async () => {
  opening = true;
  await act("The next tournament is prepared: its lobby opens in a moment.", "next");
});
// The bar changes with the hour: the second click of a double click must not press the button that stands there then.
elementById("bar").addEventListener("click", (event) => event.detail > 1 && event.stopPropagation(), true);
elementById("start").addEventListener("click", start);
elementById("end").addEventListener("click", endNow);
elementById("without-all").addEventListener("click", goOnWithoutAll);

/** The switches: what is said when each is on, and off. @type {[string, string, string][]} */
const SWITCHES = [
  ["rehearsal", "This is a rehearsal.", "This is the real thing."],
  ["predictions", "Phones may predict.", "Predictions are off."],
  ["sounds", "The page has sounds, once somebody has pressed a key or clicked in it.", "The page is silent."],
];
for (const [id, on, off] of SWITCHES) {
  const box = inputById(id);
  box.addEventListener("change", () => act(box.checked ? on : off, id, { on: box.checked }));
}
for (const radio of document.querySelectorAll('input[name="holes"]')) {
  if (!(radio instanceof HTMLInputElement)) continue;
  radio.addEventListener("change", () =>
    act("Hole cards are shown as chosen.", "holes", { holes: radio.value }),
  );
}

keepTyped("minutes");
onSubmit("minutes-form", () => {
  const minutes = Number(inputById("minutes").value);
  act(`The tournament takes: ${minutesText(minutes)}.`, "minutes", { minutes });
});
keepTyped("pace");
keepTyped("tempo");
onSubmit("pace-form", () => act("The pace is set.", "pace", { ms: Number(inputById("pace").value) }));
onSubmit("tempo-form", () =>
  act("The speed of the show is set.", "tempo", { percent: Number(inputById("tempo").value) }),
);
onSubmit("chairs-form", () => {
  const count = Number(inputById("chair-count").value);
  act(`${count} chairs are open.`, "chairs", { count });
});
onSubmit("feature-form", () => {
  const table = Number(elementById("feature", HTMLSelectElement).value);
  act(table ? `Table ${table} is on show.` : "The page chooses the table.", "feature", { table });
});
onSubmit("enter", () => {
  // The whole link will do as well.
  token = inputById("token").value.trim().replace(/^.*#/, "");
  visit.set("token", token);
  refresh();
});

if (token) refresh();
else askForToken(NO_TOKEN);
setInterval(() => {
  if (token && token !== refusedToken) refresh();
}, REFRESH_MS);
