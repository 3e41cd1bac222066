// Prints the missing requirements of the browser tests, a line each; nothing if they can run.

import { existsSync } from "node:fs";
import path from "node:path";

/** A browser to drive: the one in CHROMIUM, or one of the path, preferably headless. */
export function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const names = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
  ];
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
}

if (process.argv[1] === import.meta.filename) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 11))
    console.log(`node ${process.versions.node} is too old: 20.11 is needed`);
  if (!chromiumPath()) console.log("there is no Chromium");
  for (const name of ["playwright-core", "axe-core"]) {
    if (!existsSync(path.join(import.meta.dirname, "../../node_modules", name)))
      console.log(`the npm package ${name} is not installed`);
  }
}
