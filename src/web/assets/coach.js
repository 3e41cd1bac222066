// What the coach says of a recorded round, and of everybody.

/** @import * as Data from "./data.d.ts" */

/** What a screen reader says before a decision, and the sign that everybody sees. */
const SIGNS = {
  sound: { sign: "✓", words: "nothing against it" },
  mistake: { sign: "?", words: "a mistake by an estimate" },
  proven: { sign: "??", words: "a proven mistake" },
};

/**
 * Lists what was decided in a round. A click on a decision shows the step in which it was made.
 * @param {HTMLElement} list
 * @param {Data.CoachedDecision[]} decisions
 * @param {(frame: number) => void} show
 */
export function drawDecisions(list, decisions, show) {
  list.replaceChildren(
    ...decisions.map((decision) => {
      const { frame, name, did, better, is, cost, standard_error: error, sentence } = decision;
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
      if (is === "sound") return item;
      const price = document.createElement("span");
      price.className = "price";
      price.textContent =
        is === "proven" ? `−${cost.toFixed(1)}` : `−${cost.toFixed(1)} ± ${(2 * error).toFixed(1)}`;
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
 * Draws everybody's mark as a bar, the best first.
 * @param {HTMLElement} list
 * @param {NonNullable<Data.CoachAnswer["summary"]>["marks"]} marks
 */
export function drawMarks(list, marks) {
  list.replaceChildren(
    ...marks.map(({ name, accuracy, given_away: given }) => {
      const item = document.createElement("li");
      const who = document.createElement("bdi");
      who.textContent = name;
      const bar = document.createElement("meter");
      bar.max = 100;
      bar.value = accuracy ?? 0;
      bar.setAttribute("aria-label", `Accuracy of ${name}`);
      const mark = accuracy === null ? "no mark" : `${accuracy.toFixed(0)} of 100`;
      item.append(who, bar, ` ${mark}, ${given.toFixed(1)} chips a round given away`);
      return item;
    }),
  );
}
