// Matters for the teacher: notices, approvals, refused clients and missing players.

import { showButton, showButtons } from "./console_parts.js";
import { elementById, html, setText, showRows } from "./view.js";

/**
 * @import * as Data from "./data.d.ts"
 * @import { RowButton } from "./console_parts.js"
 */

/**
 * The teacher's actions on a single player or an address.
 * @typedef {{
 *   rename: (member: Data.MemberRow) => void,
 *   remove: (member: Data.MemberRow) => void,
 *   output: (member: Data.MemberRow, which: "stdout" | "stderr") => void,
 *   sendAway: (who: { github_id: string, name: string, from?: string }) => void,
 *   approve: (who: { github_id: string, name: string, from: string }) => void,
 *   setAside: (member: Data.MemberRow) => void,
 *   askAgain: (member: Data.MemberRow) => void,
 *   goOnWithout: (who: Data.MissingPlayer) => void,
 *   letIn: (who: { github_id: string, name: string }) => void,
 *   isMeant: (sent: string, who: Data.NearPlayer) => void,
 *   freeChair: (chair: Data.ChairRow) => void,
 * }} PlayerActions
 */

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
export function drawNeeds(overview, actions) {
  drawNotices(overview);
  drawLate(overview, actions);
  drawAwaiting(overview, actions);
  drawMissing(overview, actions);
  drawSilent(overview, actions);
  drawRefused(overview, actions);
  const needed = ["notices", "late", "awaiting", "silent", "refused", "absent"].some(
    (id) => !elementById(id).hidden,
  );
  elementById("needs").classList.toggle("calm", !needed);
  setText(elementById("needs-title"), needed ? "Needs you" : "Nothing needs you");
}

/**
 * The GitHubId under a name, and a warning if the name that the teacher wrote gives one away.
 * @param {{ github_id: string, tells_id: boolean }} player
 */
export function withWarning({ github_id, tells_id }) {
  return tells_id ? `${github_id} – ⚠ the name gives a GitHubId away, and the room sees it` : github_id;
}

/** @param {Data.Overview} overview */
function drawNotices({ notices, rehearsal, hour, resumed }) {
  const list = elementById("notices");
  list.hidden = notices.length === 0;
  showRows(list, notices, {
    key: (notice) => notice,
    create: (notice) => html("li", {}, notice),
    update: () => {},
    home: elementById("roster-title"),
  });
  elementById("rehearsing").hidden = !rehearsal;
  const how = hour === "lobby" && !resumed ? "Switch it off under “The show” for the real thing." : "";
  setText(elementById("rehearsing-how"), how);
}

/**
 * Who costs the time of a show that is late.
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawLate({ late, members, hour }, actions) {
  const member = hour === "playing" ? members.find(({ seat }) => seat === late?.seat) : undefined;
  const rows = member && late ? [{ member, late }] : [];
  elementById("late").hidden = rows.length === 0;
  showRows(elementById("late-list"), rows, {
    key: () => "late",
    create: () => person("", ""),
    update: (row, { member, late }) => {
      const name = row.querySelector(".who")?.firstElementChild;
      if (name instanceof HTMLElement) setText(name, member.name);
      const label = `Set ${member.name} aside`;
      const button = { text: "Set aside", what: "aside", label, action: () => actions.setAside(member) };
      updatePerson(row, `costs ${late.seconds.toFixed(1)} s a round`, [button]);
    },
    home: elementById("needs-title"),
  });
}

/**
 * A person in a list.
 * @param {string} name
 * @param {string} about
 */
function person(name, about) {
  const who = html("span", { class: "who" }, html("bdi", {}, name), html("small", {}, about));
  return html("li", {}, who, html("span", { class: "buttons" }));
}

/**
 * @param {HTMLElement} row
 * @param {string} about
 * @param {RowButton[]} buttons
 */
function updatePerson(row, about, buttons) {
  const [small, place] = [row.querySelector("small"), row.querySelector(".buttons")];
  if (small) setText(small, about);
  if (place) showButtons(place, buttons);
}

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawAwaiting({ awaiting_approval, hour }, actions) {
  const waiting = hour === "lobby" ? awaiting_approval : [];
  elementById("awaiting").hidden = waiting.length === 0;
  showRows(elementById("awaiting-list"), waiting, {
    key: ({ github_id, from }) => `${github_id} ${from}`,
    create: ({ name }) => person(name, ""),
    update: (row, who) => {
      updatePerson(row, `${who.github_id} from ${who.from}`, [
        {
          text: "Approve",
          what: "approve",
          label: `Approve ${who.name} from ${who.from}`,
          action: () => actions.approve(who),
        },
        {
          text: "Send away",
          what: "away",
          label: `Send away ${who.name} from ${who.from}`,
          action: () => actions.sendAway(who),
        },
      ]);
    },
    home: elementById("roster-title"),
  });
}

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawMissing({ missing, hour, resumed, roster, members }, actions) {
  const absent = hour === "lobby" ? missing : [];
  elementById("absent").hidden = absent.length === 0;
  setText(elementById("absent-title"), `Missing: ${absent.length}`);
  elementById("absent-hint").hidden = !resumed;
  const left = absent.some((player) => !player.given_up);
  showButton("without-all", resumed && left && members.length > 0);
  showRows(elementById("absent-list"), absent, {
    key: ({ github_id }) => github_id,
    create: ({ name, github_id }) => person(name || github_id, ""),
    update: (row, who) => {
      const about = roster || resumed ? withWarning(who) : "";
      const gone = who.given_up ? `${about} – it goes on without this player` : about;
      const name = who.name || who.github_id;
      const label = `Go on without ${name}`;
      const button = {
        text: "Go on without",
        what: "without",
        label,
        action: () => actions.goOnWithout(who),
      };
      updatePerson(row, gone, resumed && !who.given_up && members.length > 0 ? [button] : []);
    },
    home: elementById("absent-title"),
  });
}

/**
 * Players of a rehearsal that are not asked any more.
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawSilent({ members, hour }, actions) {
  const silent = members.filter(({ times, row, set_aside: aside }) => (aside || times?.silent) && !row?.why);
  elementById("silent").hidden = silent.length === 0 || hour !== "playing";
  showRows(elementById("silent-list"), silent, {
    key: ({ github_id }) => github_id,
    create: ({ name }) => person(name, ""),
    update: (row, member) => {
      const [label, action] = [`Let ${member.name} in again`, () => actions.askAgain(member)];
      updatePerson(row, member.set_aside ? "by you" : "does not reply", [
        { text: "Let in again", what: "again", label, action },
      ]);
    },
    home: elementById("needs-title"),
  });
}

/**
 * @param {Data.Overview} overview
 * @param {PlayerActions} actions
 */
function drawRefused({ refused, may_enter: mayEnter }, actions) {
  elementById("refused").hidden = refused.length === 0;
  setText(elementById("refused-title"), `Refused: ${refused.length}`);
  showRows(elementById("refusals"), refused, {
    key: ({ github_id, avatar, from, why, near }) =>
      JSON.stringify([github_id, avatar, from, why, near?.github_id]),
    create: ({ github_id, avatar }) => {
      const who = html("span", { class: "who" }, html("bdi", {}, github_id ?? "unknown players"));
      if (avatar) who.append(" as ", html("bdi", {}, avatar));
      return html("li", {}, who, " ", html("small"), html("span", { class: "buttons" }));
    },
    update: (row, { github_id, avatar, from, why, count, is_unlisted: unlisted, near }) => {
      const often = count > 1 ? ` · ${count} times` : "";
      const said = row.querySelector("small");
      if (said) setText(said, `${from} · ${why}${often}`);
      const place = row.querySelector(".buttons");
      const who = { github_id: github_id ?? "", name: avatar ?? "" };
      const letIn = {
        text: "Let in",
        what: "in",
        label: `Let in ${github_id}`,
        action: () => actions.letIn(who),
      };
      /** @type {RowButton[]} */
      const buttons = [];
      if (near && mayEnter) {
        buttons.push({
          text: `This is ${near.name}`,
          what: "meant",
          label: `This is ${near.name}: ${github_id}`,
          action: () => actions.isMeant(github_id ?? "", near),
        });
      }
      // Where nobody can come in, nobody is let in.
      if (unlisted && mayEnter) buttons.push(letIn);
      row.classList.toggle("near", near !== null);
      if (place) showButtons(place, buttons);
    },
    home: elementById("needs-title"),
  });
}
