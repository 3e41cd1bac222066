// Measurements of a page: its accessibility, its boxes and its colors.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** @import { Page } from "playwright-core" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * All findings of an accessibility checker.
 * @param {Page} page
 */
export async function faults(page) {
  return (await violations(page)).map(describe);
}

/**
 * The serious findings of an accessibility checker.
 * @param {Page} page
 */
export async function seriousFaults(page) {
  return (await violations(page))
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(describe);
}

/**
 * The findings of an accessibility checker that depend on colors: its default rules about them.
 * @param {Page} page
 */
export async function colourFaults(page) {
  return (await violations(page, COLOUR_RULES)).map(describe);
}

/** The rules of axe about colours, `cat.color`, that belong to WCAG up to level AA. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * @param {Page} page
 * @param {string[] | null} rules Only these, or all that are on by default.
 */
async function violations(page, rules = null) {
  // The page's own rules let no script in; the checker comes by the way that debuggers use, once to each page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const result = await page.evaluate(
    (only) =>
      window.axe.run(document, {
        resultTypes: ["violations"],
        ...(only && { runOnly: { type: "rule", values: only } }),
      }),
    rules,
  );
  return result.violations;
}

/**
 * A fingerprint of a page without its colours: its elements with their attributes and texts, where they are, and which
 * can be seen.
 * @param {Page} page
 */
export const shape = (page) =>
  page.evaluate(async () => {
    const boxes = [...document.body.querySelectorAll("*")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height, element.checkVisibility({ visibilityProperty: true })].join(" ");
    });
    const bytes = new TextEncoder().encode(`${document.documentElement.outerHTML} ${boxes.join("\n")}`);
    const sum = await crypto.subtle.digest("SHA-256", bytes);
    return [...new Uint8Array(sum)].join(" ");
  });

/** @param {{ id: string, nodes: { html: string, failureSummary?: string }[] }} violation */
function describe({ id, nodes }) {
  const places = nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`);
  return `${id}: ${places.join(" | ")}`;
}

/**
 * Names that are cut off in their boxes, or too small to read.
 * @param {Page} page
 * @param {number} smallest The smallest size of letters that is allowed, in pixels.
 */
export function clippedNames(page, smallest = 0) {
  return page.evaluate((least) => {
    const faults = [];
    for (const box of document.querySelectorAll(".fit")) {
      const text = box.firstElementChild;
      if (!(text instanceof HTMLElement) || !box.checkVisibility() || text.textContent === "") continue;
      const [room, name] = [box.getBoundingClientRect(), text.getBoundingClientRect()];
      const out = Math.max(room.left - name.left, name.right - room.right, (name.height - room.height) / 2);
      if (out > 1.5) faults.push(`${text.textContent} sticks out by ${out.toFixed(1)} px`);
      if (getComputedStyle(text).textOverflow !== "clip") faults.push(`${text.textContent} may be cut`);
      const size = parseFloat(getComputedStyle(text).fontSize);
      if (size < least) faults.push(`${text.textContent} has letters of ${size} px`);
    }
    return faults;
  }, smallest);
}

/**
 * Boxes that overlap, stick out of the window's width, or are empty.
 * @param {Page} page
 * @param {string} selector
 */
export function crowding(page, selector) {
  return page.evaluate((selected) => {
    const seen = [...document.querySelectorAll(selected)].filter((element) => element.checkVisibility());
    const boxes = seen.map((element) => ({
      name: element.textContent,
      box: element.getBoundingClientRect(),
    }));
    const faults = [];
    for (const { name, box } of boxes) {
      if (box.width < 20 || box.height < 10) faults.push(`${name} is squeezed`);
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${name} sticks out`);
    }
    for (const [index, { name, box: one }] of boxes.entries()) {
      for (const { name: otherName, box: other } of boxes.slice(index + 1)) {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (wide > 1 && high > 1) faults.push(`${name} overlaps ${otherName}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) {
      faults.push("the page is wider than the window");
    }
    return faults;
  }, selector);
}

/**
 * Elements that their container cuts off, wholly or in part.
 * @param {Page} page
 * @param {string} selector
 */
export function hidden(page, selector) {
  return page.evaluate((selected) => {
    const faults = [];
    for (const element of document.querySelectorAll(selected)) {
      const box = element.getBoundingClientRect();
      const text = element.textContent;
      if (text === "" && !(element instanceof SVGElement)) continue;
      const name = element.getAttribute("class") ?? element.tagName;
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (around.tagName === "MAIN") break;
        if (getComputedStyle(around).overflow === "visible") continue;
        const room = around.getBoundingClientRect();
        const across = Math.max(room.left - box.left, box.right - room.right);
        const out = Math.max(across, room.top - box.top, box.bottom - room.bottom);
        if (out > 1.5) faults.push(`${name} "${text}" is cut by ${out.toFixed(0)} px`);
      }
      if (element.scrollWidth > element.clientWidth + 1 && element.matches(".word, .stack")) {
        faults.push(`"${text}" is ${element.scrollWidth} px wide and has ${element.clientWidth}`);
      }
    }
    return faults;
  }, selector);
}

/**
 * Words that are broken over two lines, elsewhere than after a hyphen.
 * @param {Page} page
 * @param {string} selector
 */
export function brokenWords(page, selector) {
  return page.evaluate((selected) => {
    const faults = [];
    for (const element of document.querySelectorAll(selected)) {
      if (!element.checkVisibility()) continue;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/-?[^\s-]+-?/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) faults.push(word);
        }
      }
    }
    return faults;
  }, selector);
}

/**
 * Texts of which a part is cut off, and lists to choose from that do not show the longest choice whole.
 * @param {Page} page
 * @param {string} selector
 */
export function cutTexts(page, selector) {
  return page.evaluate((selected) => {
    const faults = [];
    const paper = new OffscreenCanvas(1, 1).getContext("2d");
    for (const element of document.querySelectorAll(selected)) {
      if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
      const { scrollWidth, clientWidth } = element;
      if (scrollWidth > clientWidth) faults.push(`"${element.textContent}" is cut at ${clientWidth} px`);
      if (!(element instanceof HTMLSelectElement) || !paper) continue;
      const style = getComputedStyle(element);
      paper.font = style.font;
      const texts = [...element.options].map(({ text }) => paper.measureText(text).width);
      // The arrow of a list takes about as much room as a letter is high.
      const sides =
        parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + parseFloat(style.fontSize);
      if (Math.max(...texts) + sides > clientWidth) faults.push(`${element.id} has ${clientWidth} px`);
    }
    return faults;
  }, selector);
}

/** @typedef {[red: number, green: number, blue: number, alpha: number]} Colour */

/**
 * A text of a page with its color, and the colors behind it, from the bottom to the top. A gradient behind it gives
 * several such stacks. A text that is not fully opaque shows the colors below its element.
 * @typedef {{
 *   name: string,
 *   ink: Colour,
 *   opacity: number,
 *   grounds: Colour[][],
 *   below: Colour[][] | null,
 * }} ColouredText
 */

/** The least contrast of text against its background. */
const CONTRAST = 4.5;

/**
 * Texts with too little contrast. Where a gradient is behind a text, its worst colour counts.
 * @param {Page} page
 */
export async function paleTexts(page) {
  const texts = await page.evaluate(colouredTexts);
  const faults = texts.flatMap(({ name, ink, opacity, grounds, below }) =>
    grounds.flatMap((layers) => {
      const ground = flattened(layers);
      return (below ?? [layers])
        .map((base) => {
          /** @param {Colour} colour */
          const faded = ([red, green, blue]) => over([red, green, blue, opacity], flattened(base));
          return contrast(faded(over(ink, ground)), faded(ground));
        })
        .filter((found) => found < CONTRAST)
        .map((found) => `${name}: ${found.toFixed(2)}`);
    }),
  );
  return [...new Set(faults)];
}

/**
 * One colour on another one that is opaque.
 * @param {Colour} colour
 * @param {Colour} ground
 * @returns {Colour}
 */
function over([red, green, blue, alpha], ground) {
  /** @type {(part: number, below: number) => number} */
  const mix = (part, below) => part * alpha + below * (1 - alpha);
  return [mix(red, ground[0]), mix(green, ground[1]), mix(blue, ground[2]), 1];
}

/** @param {Colour[]} layers */
const flattened = (layers) => layers.reduce((ground, layer) => over(layer, ground));

/**
 * The relative luminance of WCAG.
 * @param {Colour} colour
 */
function luminance([red, green, blue]) {
  const [r, g, b] = [red, green, blue]
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The contrast of WCAG, from 1 to 21.
 * @param {Colour} one
 * @param {Colour} other
 */
function contrast(one, other) {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/**
 * All texts that can be seen, with their colours. It runs in the page and can use nothing from outside.
 * @returns {ColouredText[]}
 */
function colouredTexts() {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("there is no canvas");
  /** @type {(colour: string) => Colour} */
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const COLOUR = /(?:rgba?|oklch|oklab|color|hsla?)\([^()]*\)/g;
  /** @type {(element: Element | null | undefined) => Colour[][]} */
  const behind = (element) => {
    if (!element) return [[[255, 255, 255, 1]]];
    const style = getComputedStyle(element);
    const colour = rgba(style.backgroundColor);
    const gradient = style.backgroundImage === "none" ? null : style.backgroundImage.match(COLOUR);
    const stops = (gradient ?? []).map(rgba);
    const opaque = colour[3] === 1 || (stops.length > 0 && stops.every((stop) => stop[3] === 1));
    const grounds = opaque ? [[colour]] : behind(element.parentElement).map((layers) => [...layers, colour]);
    return stops.length ? stops.flatMap((stop) => grounds.map((layers) => [...layers, stop])) : grounds;
  };
  /** @param {Element} element */
  const opacityOf = (element) => {
    let share = 1;
    for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
      share *= Number(getComputedStyle(at).opacity);
    }
    return share;
  };
  /** @type {ColouredText[]} */
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = (walker.currentNode.textContent ?? "").trim();
    /** @type {Element | null} */
    const element = walker.currentNode.parentElement;
    if (text === "" || !element) continue;
    const shown = element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
    if (!shown || element.closest(".quiet, .skip, option, script, style, :disabled")) continue;
    const style = getComputedStyle(element);
    const picture = element instanceof SVGElement ? element.ownerSVGElement : null;
    const paper = picture?.querySelector(".paper");
    const opacity = opacityOf(element);
    texts.push({
      name: `"${text}" in ${element.tagName}.${element.getAttribute("class")}`,
      ink: rgba(element instanceof SVGElement ? style.fill : style.color),
      opacity,
      grounds: paper ? [[rgba(getComputedStyle(paper).fill)]] : behind(element),
      below: opacity < 1 ? behind(element.closest("svg, :not(svg *)")?.parentElement) : null,
    });
  }
  return texts;
}

/**
 * The letters at the table in pixels: the largest of a name, and the smallest of the other parts.
 * @param {Page} page
 */
export const tableLetters = (page) =>
  page.evaluate(() => {
    const sizes = (/** @type {string} */ parts) =>
      [...document.querySelectorAll(parts)].map((text) => {
        const drawing = /** @type {SVGElement} */ (text).ownerSVGElement;
        const scale = drawing ? drawing.getBoundingClientRect().height / drawing.viewBox.baseVal.height : 1;
        return scale * parseFloat(getComputedStyle(text).fontSize);
      });
    const [rank, stack, chance, bet] = [".rank", ".stack", ".percent"]
      .map((part) => `.seat ${part}`)
      .concat(".bet")
      .map((parts) => Math.min(...sizes(parts)));
    return { rank, stack, chance, bet, name: Math.max(...sizes(".seat .name bdi")) };
  });

/**
 * Cut off, crowded, covered or unreadable elements.
 * @param {Page} page
 * @param {string} where
 * @param {boolean} wide
 */
export async function unsound(page, where, wide) {
  const parts =
    ".seat .stack, .seat .card, .percent, .half, .panel p, .centre p, .award, .step, .exit-card p";
  const found = [
    ...(await clippedNames(page, 3)),
    ...(await crowding(page, ".seat, #table > .centre")),
    ...(await crowding(page, ".seat, .panel")),
    ...(await crowding(page, "#rows tr:not([hidden])")),
    ...(await crowding(page, "section:not(:has(#log:empty))")),
    ...(await hidden(page, parts)),
    ...(await overflowing(page)),
  ];
  const fits = await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1);
  if (wide && !fits) found.push("it has to be scrolled");
  return found.map((fault) => `${where}: ${fault}`);
}

/**
 * Parts whose content is larger than they are.
 * @param {Page} page
 */
const overflowing = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".seat, .panel, .exit-card, .award, .rules, .doors, #podium, #montage")]
      .filter((part) => part.checkVisibility())
      .filter((part) => part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth + 2)
      .map((part) => `${part.className || part.id}: ${part.textContent}`),
  );

/**
 * Lists whose names have several sizes, a winner with smaller letters than others, and names with letters that are too small.
 * A name that does not fit into its box with readable letters, on three lines, is excused: it has smaller ones.
 * @param {Page} page
 * @param {number} least In pixels.
 */
export const nameSizes = (page, least) =>
  page.evaluate((smallest) => {
    const readable = parseFloat(getComputedStyle(document.body).getPropertyValue("--readable"));
    const limit = (innerHeight * readable) / 100 - 0.2;
    const names = [...document.querySelectorAll("main .name bdi")].filter((text) => text.checkVisibility());
    /** @param {Element | null | undefined} text */
    const sizeOf = (text) => (text ? parseFloat(getComputedStyle(text).fontSize) : Infinity);
    const faults = [];
    for (const list of new Set(names.map((text) => text.closest("[style*='--widest']")))) {
      const sizes = names
        .filter((text) => list?.contains(text) && !text.closest(".step-1"))
        .map(sizeOf)
        .filter((size) => size >= limit);
      const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
      if (high - low > 0.5) faults.push(`${list?.className || list?.id} has sizes from ${low} to ${high}`);
      const winner = sizeOf(list?.querySelector(".step-1 .name bdi"));
      if (winner < high - 0.5) faults.push(`the winner has ${winner} px, another one ${high}`);
    }
    const small = names.filter((text) => sizeOf(text) < smallest);
    return {
      faults: [
        ...faults,
        ...small.filter((text) => sizeOf(text) >= limit).map((text) => `${text.textContent} is small`),
      ],
      excused: small
        .filter((text) => sizeOf(text) < limit)
        .map(
          (text) =>
            `${text.parentElement?.parentElement?.className} ${text.parentElement?.clientWidth} ${text.parentElement?.clientHeight} ${sizeOf(text)} ${text.textContent}`,
        ),
      seen: names.length,
    };
  }, least);
