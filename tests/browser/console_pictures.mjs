// Pictures of the console in every phase, for looking at: SHOTS=folder node tests/browser/console_pictures.mjs

import { writeFileSync } from "node:fs";
import path from "node:path";

import { browser, casino, keepPicture, open, player, until } from "./casino.mjs";

const SIZES = {
  wide: { width: 1280, height: 720 },
  small: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

const chrome = await browser();
for (const count of [4, 100]) {
  const roster = path.join("/tmp", `roster-${process.pid}-${count}.csv`);
  const rows = Array.from({ length: count }, (_, index) => `student-${index},Player Number ${index}`);
  writeFileSync(roster, `github_id,name\n${rows.join("\n")}\n`);
  const tables = count > 17 ? "--seats 10 --level-rounds 50" : "";
  const day = await casino(
    `host --bind 127.0.0.1:0 --roster ${roster} ${tables} --rounds 400 --journal day.jsonl`.replace(
      "  ",
      " ",
    ),
  );
  const came = rows
    .slice(0, Math.ceil(count * 0.75))
    .map((_, index) => player(day.game, `student-${index}`, `A${index}`));
  came.push(player(day.game, "mallory", "M<b>x</b>"), player(day.game, "STUDENT-0", "S"));
  await until("the guests", async () => (await day.overview()).members.length === Math.ceil(count * 0.75));
  await day.act("rehearsal", { on: true });
  const look = async (/** @type {string} */ phase) => {
    for (const [name, viewport] of Object.entries(SIZES)) {
      for (const scheme of /** @type {const} */ (["light", "dark"])) {
        if (scheme === "dark" && name !== "wide") continue;
        const desk = await open(chrome, day.desk, { viewport, colorScheme: scheme });
        await desk.waitForSelector("#members tr");
        await keepPicture(desk, `${phase}-${count}-${name}-${scheme}`);
        await desk.close();
      }
    }
  };
  await look("lobby");
  await day.act("start");
  await until("play", async () => (await day.overview()).round > 3);
  await look("playing");
  await day.act("pace", { ms: 0 });
  await day.act("minutes", { minutes: 0 });
  await until("the end", async () => (await day.overview()).hour === "over");
  await look("over");
  came.forEach((socket) => socket.destroy());
  day.end();
}
await chrome.close();
