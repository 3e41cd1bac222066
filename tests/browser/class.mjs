// A class of programs in six languages: the starter kits, with other names and other tempers.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const KITS = path.resolve(import.meta.dirname, "../../bots");

/**
 * How each kit is built and run, and where its temper stands.
 * @type {{ language: string, build: string[] | null, run: string[], strategy: string }[]}
 */
const LANGUAGES = [
  {
    language: "java",
    build: ["javac", "-encoding", "UTF-8", "Poker.java", "Strategy.java"],
    run: ["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ".", "Poker"],
    strategy: "Strategy.java",
  },
  { language: "python", build: null, run: ["python3", "poker.py"], strategy: "strategy.py" },
  {
    language: "cpp",
    build: ["g++", "-std=c++17", "-O2", "-o", "poker", "poker.cpp", "strategy.cpp"],
    run: ["./poker"],
    strategy: "strategy.cpp",
  },
  { language: "javascript", build: null, run: ["node", "poker.js"], strategy: "strategy.js" },
  {
    language: "rust",
    build: ["rustc", "--edition", "2021", "-O", "-o", "poker", "main.rs"],
    run: ["./poker"],
    strategy: "strategy.rs",
  },
  { language: "go", build: ["go", "build", "-o", "poker", "."], run: ["./poker"], strategy: "strategy.go" },
];

/** Each temper's caution and edge: from one who calls nearly anything to one who plays the best hands only. */
export const WILD = [
  [1.5, 1.3],
  [0.6, 1.1],
  [1.0, 0.9],
  [2.0, 1.6],
  [0.4, 0.6],
];

/** Tempers with which a day lasts some hundreds of rounds. */
export const CALM = [
  [1.5, 1.3],
  [2.0, 1.8],
  [3.0, 2.5],
];

/** Names as students choose them: short, long, in other scripts, with signs that pages like to get wrong. */
export const NAMES = [
  ["Ada Lovelace", "The Countess of Computing", "Nullpointer", "Segfault & Sons", "Grace"],
  ["Eve of Destruction", "Monty", "Ouroboros", "Rockstar Programmer of the Year", "π-thon"],
  ["Bjarne", "E[chips] > 0", "Undefined Behaviour", "Øyvind", "RAII or Die"],
  ["NaN", "Callback Heller", "<b>bold</b>", "François", "🃏 Joker"],
  ["Ferris", "Borrow Checker", "الآس البستوني", "Unsafe Block", "Zoë"],
  ["Gopher", "Deferred Panic", "黑桃皇后", "Nil", "Channel No. 5"],
];

/**
 * Writes `count` programs into a folder and builds them; those that cannot be built here are reported and left out.
 * @param {string} folder
 * @param {number} count
 * @param {number[][]} tempers
 */
export function build(folder, count, tempers = WILD) {
  const players = [];
  for (let index = 0; index < count; index++) {
    const kit = LANGUAGES[index % LANGUAGES.length];
    const copy = Math.floor(index / LANGUAGES.length);
    const name = NAMES[index % LANGUAGES.length][copy] ?? `${kit.language} ${copy + 1}`;
    const home = path.join(folder, `${kit.language}-${copy}`);
    mkdirSync(home, { recursive: true });
    cpSync(path.join(KITS, kit.language), home, { recursive: true });
    const [caution, edge] = tempers[copy % tempers.length];
    const file = path.join(home, kit.strategy);
    const text = readFileSync(file, "utf8")
      .replace(/(CAUTION\b[^=\n]*= *)1\.5/i, `$1${caution.toFixed(1)}`)
      .replace(/(EDGE\b[^=\n]*= *)1\.3/i, `$1${edge.toFixed(1)}`);
    writeFileSync(file, text);
    if (kit.build) {
      const [compiler, ...words] = kit.build;
      const built = spawnSync(compiler, words, { cwd: home, encoding: "utf8" });
      if (built.status !== 0) {
        console.error(`${kit.language}: ${built.error?.message ?? built.stderr}`);
        continue;
      }
    }
    players.push({ home, run: kit.run, id: `${kit.language}-student-${copy}`, name });
  }
  return players;
}

/**
 * Starts these programs.
 * @param {ReturnType<typeof build>} players
 * @param {number} port
 */
export function start(players, port) {
  return players.map(({ home, run, id, name }) => {
    const [program, ...words] = run;
    const child = spawn(program, [...words, "127.0.0.1", String(port)], {
      cwd: home,
      stdio: "ignore",
      env: { ...process.env, CASINO_ID: id, CASINO_AVATAR: name, CASINO_ONCE: "1" },
    });
    child.on("error", (error) => console.error(`${id}: ${error.message}`));
    return child;
  });
}
