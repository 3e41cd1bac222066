// The chairs for people: their occupants and the invitation link.

import { showButtons } from "./console_parts.js";
import { elementById, html, qrCode, setText, showRows } from "./view.js";

/** @import * as Data from "./data.d.ts" */

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
    create: () => html("li", {}, html("span"), html("span", { class: "buttons" })),
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
  const missing = "No QR code: the page is open to this machine only.";
  place.replaceChildren(qr ? qrCode(qr, "QR code of the link for a chair") : missing);
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
  if (words.textContent !== text + chair.name) words.replaceChildren(text, html("bdi", {}, chair.name));
  const label = `Free chair ${chair.number}`;
  const button = { text: "Free", what: "free", label, action: () => free(chair) };
  showButtons(buttons, chair.taken ? [button] : []);
}
