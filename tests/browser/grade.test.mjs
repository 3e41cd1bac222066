// The report of a grader on paper: a printed page has the reasons that are folded on the screen.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";

import { PROGRAM, SIZES, browser, open, words } from "./casino.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/**
 * The letters of a PDF that Chromium has made, without spaces: its fonts say which letter each glyph is.
 * @param {Buffer} pdf
 */
function lettersOf(pdf) {
  const file = pdf.toString("latin1");
  /** @type {Map<string, string>} */
  const objects = new Map();
  for (const [, number, object] of file.matchAll(/(\d+) 0 obj([^]*?)endobj/g)) {
    const stream = object.match(/stream\r?\n([^]*?)\r?\nendstream/);
    const packed = stream && object.includes("/FlateDecode");
    const content = packed ? inflateSync(Buffer.from(stream[1], "latin1")).toString("latin1") : "";
    objects.set(number, object.replace(/stream\r?\n[^]*/, "") + content);
  }
  /** @param {string} font */
  const lettersByGlyph = (font) => {
    const map = objects.get(objects.get(font)?.match(/\/ToUnicode (\d+)/)?.[1] ?? "") ?? "";
    /** @type {Map<number, string>} */
    const letters = new Map();
    for (const [, from, to, letter] of map.matchAll(/<(\w{4})> <(\w{4})> <(\w{4})>/g))
      for (let at = parseInt(from, 16); at <= parseInt(to, 16); at++)
        letters.set(at, String.fromCharCode(parseInt(letter, 16) + at - parseInt(from, 16)));
    for (const [, glyph, letter] of map.matchAll(/^<(\w{4})> <(\w{4})>$/gm))
      letters.set(parseInt(glyph, 16), String.fromCharCode(parseInt(letter, 16)));
    return letters;
  };
  let text = "";
  for (const content of objects.values()) {
    let letters = new Map();
    for (const [, font, glyphs] of content.matchAll(/\/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
      if (font) letters = lettersByGlyph(font);
      else for (const glyph of glyphs.match(/.{4}/g) ?? []) text += letters.get(parseInt(glyph, 16)) ?? "";
    }
  }
  // A ligature is several letters.
  return text.normalize("NFKC").replace(/\s/g, "");
}

test("a printed report has its reasons, also those behind the first dozen", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "casino-grade-"));
  try {
    const file = path.join(folder, "report.html");
    execFileSync(PROGRAM, words(`grade stud raiser --seed paper --exit-zero --html ${file}`));
    const page = await open(chrome, pathToFileURL(file).href, { viewport: SIZES.projector });
    const reasons = await page.$$eval("details.finding:not(.not-run) > p:not(.pair)", (all) =>
      all.map((reason) => reason.textContent ?? ""),
    );
    assert.ok(reasons.length > 20, `${reasons.length} reasons`);
    const letters = lettersOf(await page.pdf());
    const missing = reasons.filter((reason) => !letters.includes(reason.slice(0, 40).replace(/\s/g, "")));
    assert.deepEqual(missing, []);
    await page.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
