// The coach's judgements of a round and of all players.

import { html } from "./view.js";

/** @import * as Data from "./data.d.ts" */

/**
 * The sign of a judgement, and its text for screen readers.
 * @type {Record<string, { sign: string, words: string }>}
 */
const SIGNS = {
  sound: { sign: "✓", words: "nothing against it" },
  mistake: { sign: "?", words: "a mistake by an estimate" },
  repeated: { sign: "?", words: "the same mistake as another one of the round" },
  proven: { sign: "??", words: "a proven mistake" },
};

/**
 * Lists the decisions of a round. A click on a decision shows its step.
 * @param {HTMLElement} list
 * @param {Data.ShownDecision[]} decisions
 * @param {(frame: number) => void} show
 */
export function drawDecisions(list, decisions, show) {
  list.replaceChildren(
    ...decisions.map((decision) => {
      const { frame, name, did, better, is, cost, sentence } = decision;
      const label = { class: "sign", role: "img", "aria-label": SIGNS[is].words };
      const button = html("button", { type: "button" }, html("span", label, SIGNS[is].sign));
      button.append(html("bdi", {}, name), ` ${did}`);
      button.addEventListener("click", () => show(frame));
      const item = html("li", { "data-is": is, "data-frame": frame }, button);
      if (is === "sound" || is === "repeated") return item;
      const price = html("span", { class: "price" }, `−${Math.max(1, Math.round(cost))}`);
      item.append(price, html("p", {}, `${sentence} (better: ${better})`));
      return item;
    }),
  );
}

/**
 * Marks the decision that the step on show is about, and keeps it in sight.
 * @param {HTMLElement} list
 * @param {number} frame
 */
export function markStep(list, frame) {
  for (const item of list.children) {
    if (!(item instanceof HTMLElement)) continue;
    const isShown = item.dataset.frame === String(frame);
    if (isShown) {
      item.setAttribute("aria-current", "step");
      item.scrollIntoView({ block: "nearest" });
    } else item.removeAttribute("aria-current");
  }
}

/**
 * Lists the winnings of all players without the luck of the cards, the most first.
 * @param {HTMLElement} list
 * @param {NonNullable<Data.CoachAnswer["summary"]>["players"]} players
 */
export function drawPlayers(list, players) {
  list.replaceChildren(
    ...players.map(({ name, less_luck: chips, half_interval: half, given_away: given }) => {
      const won = `${chips < 0 ? "−" : "+"}${Math.abs(chips).toFixed(1)} ± ${half.toFixed(1)}`;
      return html("li", {}, html("bdi", {}, name), ` ${won} chips a round, ${given} given away`);
    }),
  );
}
