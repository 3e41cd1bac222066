// The chairs for people: their occupants and the invitation link.

import { createElement, elementById, nameElement, setText, showButtons, showRows } from "./console_parts.js";

/** @import * as Data from "./data.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/** The room around a QR code, in modules. */
const MARGIN = 3;

let drawnLink = "";

/**
 * @param {Data.Overview} overview
 * @param {(chair: Data.ChairRow) => void} free
 */
export function drawChairs({ chairs, chair_link: link }, free) {
  elementById("chairs").hidden = link === null;
  if (link === null) return;
  drawLink(link);
  const taken = chairs.filter((chair) => chair.taken).length;
  setText(elementById("chairs-taken"), `${taken} of ${chairs.length} taken`);
  showRows(elementById("chair-list"), chairs, {
    key: (chair) => String(chair.number),
    create: () => {
      const row = createElement("li");
      row.append(createElement("span"), createElement("span", "", "buttons"));
      return row;
    },
    update: (row, chair) => drawChair(row, chair, free),
    home: elementById("chairs-title"),
  });
}

/** @param {NonNullable<Data.Overview["chair_link"]>} link */
function drawLink({ url, qr }) {
  if (drawnLink === url) return;
  drawnLink = url;
  setText(elementById("chair-url"), url);
  const place = elementById("chair-qr");
  place.hidden = false;
  if (qr === null) {
    place.textContent = "No QR code: the page is open to this machine only.";
    return;
  }
  const side = qr.size + 2 * MARGIN;
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${side} ${side}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "QR code of the link for a chair");
  for (const [data, fill] of [
    [`M${-MARGIN} ${-MARGIN}h${side}v${side}h${-side}Z`, "#fff"],
    [qr.path, "#000"],
  ]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", data);
    path.setAttribute("fill", fill);
    picture.append(path);
  }
  place.replaceChildren(picture);
}

/**
 * @param {HTMLElement} row
 * @param {Data.ChairRow} chair
 * @param {(chair: Data.ChairRow) => void} free
 */
function drawChair(row, chair, free) {
  const [words, buttons] = row.children;
  const state = chair.taken ? (chair.away ? "away" : chair.playing ? "plays" : "waits") : "free";
  const text = `Chair ${chair.number}: ${state} `;
  if (words.textContent !== text + chair.name) words.replaceChildren(text, nameElement(chair.name));
  const label = `Free chair ${chair.number}`;
  const button = { text: "Free", what: "free", label, action: () => free(chair) };
  showButtons(buttons, chair.taken ? [button] : []);
}
