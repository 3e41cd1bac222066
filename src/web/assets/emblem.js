// An emblem for each player, made from its name alone: the same name has the same emblem on every screen and every day.
// A shape, two colours, a pattern in one of four directions, and a figure on it: more than half a million.

const SVG = "http://www.w3.org/2000/svg";

/** The outlines, within a square of 100. */
const SHAPES = [
  "M50 3a47 47 0 1 1 0 94 47 47 0 0 1 0-94Z",
  "M8 6h84v42c0 26-18 41-42 49C26 89 8 74 8 48Z",
  "M50 2 93 26v48L50 98 7 74V26Z",
  "M22 4h56a18 18 0 0 1 18 18v56a18 18 0 0 1-18 18H22A18 18 0 0 1 4 78V22A18 18 0 0 1 22 4Z",
  "M50 1 99 50 50 99 1 50Z",
  "M30 4h40l26 26v40L70 96H30L4 70V30Z",
  "M50 3c16 9 32 10 46 6 2 40-10 70-46 89C14 79 2 49 4 9c14 4 30 3 46-6Z",
];

/** Divisions of the field in the second color. The last one leaves it plain. */
const PATTERNS = [
  "M0 0h50v100H0Z",
  "M0 0h100v33H0ZM0 67h100v33H0Z",
  "M0 0h18v100H0ZM36 0h18v100H36ZM72 0h18v100H72Z",
  "M0 0h50v50H0ZM50 50h50v50H50Z",
  "M40 0h20v40h40v20H60v40H40V60H0V40h40Z",
  "M0 60 50 22 100 60v22L50 44 0 82Z",
  "M0 0h25v25H0ZM50 0h25v25H50ZM25 25h25v25H25ZM75 25h25v25H75ZM0 50h25v25H0ZM50 50h25v25H50ZM25 75h25v25H25ZM75 75h25v25H75Z",
  "M50 10a40 40 0 1 0 0 80 40 40 0 0 0 0-80Zm0 18a22 22 0 1 1 0 44 22 22 0 0 1 0-44Z",
  "M0 0 100 100H0Z",
  "M0 0 50 50 100 0ZM0 100 50 50l50 50Z",
  "",
];

/** Symbols in the middle. The first one leaves it empty. */
const FIGURES = [
  "",
  "M50 26 57 42l17 2-12 12 3 18-15-9-15 9 3-18-12-12 17-2Z",
  "M50 30a20 20 0 1 1 0 40 20 20 0 0 1 0-40Z",
  "M50 26 74 50 50 74 26 50Z",
  "M58 26a25 25 0 1 0 16 38 20 20 0 1 1-16-38Z",
  "M42 26h16v16h16v16H58v16H42V58H26V42h16Z",
  "M28 70V36l12 12 10-20 10 20 12-12v34Z",
  "M30 30h40v40H30Z",
  "M50 28 74 70H26Z",
  "M56 22 32 56h15l-5 24 26-36H52Z",
  "M30 34h40v9H30ZM30 57h40v9H30Z",
  "M50 74C40 62 27 55 27 42c0-8 6-13 12-13 5 0 9 3 11 8 2-5 6-8 11-8 6 0 12 5 12 13 0 13-13 20-23 32Z",
];

/** The directions of the second hue from the first. */
const SECOND = [40, 90, 140, 180, 220, 270, 320];

/**
 * A number of 32 bits from a text: FNV-1a over its UTF-16 units, and mixed once more so that names that differ in the
 * last letter only do not look alike.
 * @param {string} text
 * @param {number} salt
 */
function hash(text, salt) {
  let value = (0x811c9dc5 ^ salt) >>> 0;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b) >>> 0;
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35) >>> 0;
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * The hue of a name's emblem, in degrees.
 * @param {string} name
 */
export const hueOf = (name) => hash(name, 1) % 360;

/** How many emblems have been made: each needs a mask with a name of its own. */
let made = 0;

/**
 * The emblem of a name. Nothing of the name itself is in it.
 * @param {string} name
 */
export function emblem(name) {
  const look = hash(name, 2);
  const more = hash(name, 3);
  /** @type {(name: "svg" | "path" | "g" | "clipPath", attributes: Record<string, string>) => SVGElement} */
  const part = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const shape = SHAPES[look % SHAPES.length];
  const pattern = PATTERNS[(look >>> 8) % PATTERNS.length];
  const figure = FIGURES[(look >>> 16) % FIGURES.length];
  const turned = `rotate(${90 * (more % 4)} 50 50)`;
  const root = part("svg", { viewBox: "0 0 100 100", class: "emblem", "aria-hidden": "true" });
  root.style.setProperty("--hue", String(hueOf(name)));
  root.style.setProperty("--second", String((hueOf(name) + SECOND[(more >>> 8) % SECOND.length]) % 360));
  const id = `emblem-${++made}`;
  const clip = part("clipPath", { id });
  clip.append(part("path", { d: shape }));
  const field = part("g", { "clip-path": `url(#${id})` });
  field.append(part("path", { d: "M0 0h100v100H0Z", class: "field" }));
  if (pattern) {
    field.append(part("path", { d: pattern, class: "division", transform: turned, "fill-rule": "evenodd" }));
  }
  root.append(clip, field, part("path", { d: shape, class: "outline" }));
  if (figure) root.append(part("path", { d: figure, class: `figure-${(more >>> 16) % 2}` }));
  return root;
}
