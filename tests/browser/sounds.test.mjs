// Sounds: none by default, one for each moment, switched by a key, a button and the console.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser } from "./casino.mjs";
import { ceremony, day, ended, exit, table } from "./moments.mjs";
import { onStage, settled } from "./stage.mjs";

/** @import { Browser } from "playwright-core" */

/** @type {Browser} */
let chrome;
before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

test("nothing is heard until it is wished, and then each moment once", async () => {
  const first = { ...day(4), table: table(4, { street: 1 }) };
  await onStage(chrome, first, {}, async (page, theatre) => {
    await page.evaluate(() => {
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) {
        document.body.dataset.pitches = `${document.body.dataset.pitches ?? ""} ${this.frequency.value}`;
        start.apply(this, when);
      };
    });
    /** The pitches that were heard since the last look. */
    const heard = async () => {
      await settled(page, theatre);
      return page.evaluate(() => {
        const pitches = (document.body.dataset.pitches ?? "").trim();
        document.body.dataset.pitches = "";
        return pitches;
      });
    };
    theatre.change({ table: table(4) });
    assert.equal(await heard(), "", "there is no sound by default");
    await page.keyboard.press("m");
    assert.equal(await heard(), "880 1175", "the key is answered");
    assert.equal(await page.getAttribute("#sounds", "aria-pressed"), "true");
    theatre.change({ table: { ...table(4), round: 233, street: 1 } });
    assert.equal(await heard(), "880 1175", "cards");
    const allIn = { ...table(4), round: 233, street: /** @type {const} */ (1) };
    allIn.seats = allIn.seats.map((seat, index) => ({ ...seat, stack: index === 0 ? 0 : seat.stack }));
    theatre.change({ table: allIn });
    assert.equal(await heard(), "196 294", "all in");
    theatre.change({ table: { ...allIn, pot: 99 } });
    assert.equal(await heard(), "", "the same moment is heard once");
    theatre.change({ table: ended(allIn, "scoop") });
    theatre.change({ exit: exit() });
    assert.equal(await heard(), "330 220", "an exit");
    theatre.change({ phase: "ceremony", exit: null, ceremony: ceremony(3) });
    assert.equal(await heard(), "");
    theatre.change({ ceremony: ceremony(1) });
    assert.equal(await heard(), "523 659 784 1047", "the winner");
    await page.click("#sounds");
    theatre.change({ phase: "playing", ceremony: null, table: { ...table(4), round: 234 } });
    assert.equal(await heard(), "", "the button switches them off");
    theatre.change({ programme: { ...first.programme, sounds: true } });
    theatre.change({ table: { ...table(4), round: 235 } });
    assert.equal(await heard(), "", "this browser's own choice comes before the console's");
  });
  const wished = { ...first, programme: { ...first.programme, sounds: true } };
  await onStage(chrome, wished, {}, async (page) => {
    assert.equal(await page.getAttribute("#sounds", "aria-pressed"), "true", "the console switches them on");
  });
});
