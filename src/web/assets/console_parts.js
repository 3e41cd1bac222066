// Functions shared by the console's scripts: finding elements, and updating lists without rebuilding the focused
// element.

import { elementById, html } from "./view.js";

/** @param {string} id */
export const inputById = (id) => elementById(id, HTMLInputElement);

/** @param {string} id */
export const dialogById = (id) => elementById(id, HTMLDialogElement);

/** @typedef {{ text: string, what: string, label: string, action: () => void }} RowButton */

/**
 * Shows the buttons of a row. A button that stays is the same element, so that it keeps the focus.
 * @param {Element} place
 * @param {RowButton[]} buttons
 */
export function showButtons(place, buttons) {
  const old = new Map();
  for (const child of place.children) {
    if (child instanceof HTMLButtonElement) old.set(child.dataset.what, child);
  }
  for (const [index, { text, what, label, action }] of buttons.entries()) {
    const button = old.get(what) ?? html("button", {}, text);
    old.delete(what);
    button.type = "button";
    button.dataset.what = what;
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    button.onclick = action;
    if (place.children[index] !== button) place.insertBefore(button, place.children[index] ?? null);
  }
  for (const button of old.values()) button.remove();
}

/**
 * Lets a button be pressed or not, and hides it where it makes no sense. If it has the focus and goes, another one
 * gets it.
 * @param {string} id
 * @param {boolean} isShown
 * @param {boolean} enabled
 */
export function showButton(id, isShown, enabled = true) {
  const button = elementById(id, HTMLButtonElement);
  button.hidden = !isShown;
  button.disabled = !(isShown && enabled);
}
