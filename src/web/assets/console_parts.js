// Functions shared by the console's scripts: finding elements, and updating lists without rebuilding the focused
// element.

import { elementById, setText } from "./view.js";

export { elementById, setText };

/** @param {string} id */
export const inputById = (id) => elementById(id, HTMLInputElement);

/** @param {string} id */
export const dialogById = (id) => elementById(id, HTMLDialogElement);

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 * @param {string} className
 */
export function createElement(name, text = "", className = "") {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
}

/**
 * A text from a player: it keeps its own direction, and is never HTML.
 * @param {string} text
 */
export function nameElement(text) {
  return createElement("bdi", text);
}

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
    const button = old.get(what) ?? createElement("button", text);
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
 * Shows a list: a row for each item, known by its key. Rows that stay are the same elements and are changed in place.
 * Where the row goes that has the focus, `home` gets it.
 * @template Item
 * @param {HTMLElement} list
 * @param {Item[]} items
 * @param {{
 *   key: (item: Item) => string,
 *   create: (item: Item) => HTMLElement,
 *   update: (row: HTMLElement, item: Item) => void,
 *   home: HTMLElement,
 * }} how
 */
export function showRows(list, items, { key, create, update, home }) {
  const had = list.contains(document.activeElement);
  const old = new Map();
  for (const row of list.children) {
    if (row instanceof HTMLElement) old.set(row.dataset.key, row);
  }
  for (const [index, item] of items.entries()) {
    const name = key(item);
    const row = old.get(name) ?? create(item);
    old.delete(name);
    row.dataset.key = name;
    update(row, item);
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  }
  for (const row of old.values()) row.remove();
  if (had && !list.contains(document.activeElement)) home.focus();
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
