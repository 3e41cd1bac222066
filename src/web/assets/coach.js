// The coach's judgements of a round and of all players.

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
      const item = document.createElement("li");
      item.dataset.is = is;
      item.dataset.frame = String(frame);
      const button = document.createElement("button");
      button.type = "button";
      const sign = document.createElement("span");
      sign.className = "sign";
      sign.textContent = SIGNS[is].sign;
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", SIGNS[is].words);
      const who = document.createElement("bdi");
      who.textContent = name;
      button.append(sign, who, ` ${did}`);
      button.addEventListener("click", () => show(frame));
      item.append(button);
      if (is === "sound" || is === "repeated") return item;
      const price = document.createElement("span");
      price.className = "price";
      price.textContent = `−${Math.max(1, Math.round(cost))}`;
      const why = document.createElement("p");
      why.textContent = `${sentence} (better: ${better})`;
      item.append(price, why);
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
      const item = document.createElement("li");
      const who = document.createElement("bdi");
      who.textContent = name;
      const won = `${chips < 0 ? "−" : "+"}${Math.abs(chips).toFixed(1)} ± ${half.toFixed(1)}`;
      item.append(who, ` ${won} chips a round, ${given.toFixed(1)} given away`);
      return item;
    }),
  );
}
