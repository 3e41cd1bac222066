// Moments of a day as the page receives them: any number of players, with names that are hard to show.

/** @import * as Data from "../../src/web/assets/data.d.ts" */

/** Names that are long, run the other way, or look like something else. */
const NAMES = [
  "Ada",
  "E[chips] > 0",
  "Eve of Destruction",
  "محمد بن موسى الخوارزمي",
  "🃏 Joker 🃏",
  "WWWWWWWWWWWWWWWWWWWWWWWW",
  "Blaise",
  "<b>bold</b>",
  "Alexandrina-Wilhelmina J",
  "李明",
  "O'Neill & Sons",
  "Monte Carlo",
  "Ångström",
  "naïve_bayes_v2_final.py",
  "Grandmaster of the Spade",
  "Q",
  "Kolmogorov",
];

/** @param {number} count */
export const namesOf = (count) =>
  Array.from({ length: count }, (_, index) => {
    const name = NAMES[index % NAMES.length];
    return index < NAMES.length
      ? name
      : `${[...name].slice(0, 20).join("")} ${Math.floor(index / NAMES.length) + 1}`;
  });

/** The QR code of nothing: it has the size and the look of one. */
const QR_SIZE = 29;
const QR_PATH = Array.from({ length: QR_SIZE * QR_SIZE }, (_, index) => {
  const [x, y] = [index % QR_SIZE, Math.floor(index / QR_SIZE)];
  return (x * 7 + y * 13 + x * y) % 3 === 0 ? `M${x} ${y}h1v1h-1Z` : "";
}).join("");

/**
 * A day with this many players, before its first round.
 * @param {number} count
 * @returns {Data.PageState}
 */
export function day(count) {
  const players = namesOf(count);
  return {
    n: 1,
    phase: "playing",
    show: {
      minutes: 40,
      seconds_left: 23 * 60,
      mode: "detail",
      headline: null,
      rounds_per_second: 0,
      interrupted: null,
    },
    lobby: {
      wanted: count,
      guests: players.map((name, index) => ({ name, connected: true, house: index % 5 === 4 })),
      awaited: [],
      connect: ["192.168.178.23:9000", "casino.example.edu:9000"],
      page_url: "http://192.168.178.23:8080/",
      qr: { size: QR_SIZE, path: QR_PATH },
      next: count > 17 ? `${Math.ceil(count / 8)} tables of 8, then the last table` : "one table",
      roster: null,
      resumed: false,
    },
    programme: {
      number: 1,
      players,
      stack: 500,
      rounds: 2000,
      rehearsal: false,
      promise: "5f1ab0c4d2e877a99d1c3b0f4e6d5a7788c9b1e2f30415263748596a7b8c9d0e",
      seed: null,
      holes: "showdown",
    },
    table: null,
    hall: null,
    board: { round: 231, rate: 0, rows: rows(count, 0) },
    race: { stride: 1, points: points(count, 60) },
    news: [
      { kind: "day", text: `Tournament 1 begins with ${count} players.` },
      {
        kind: "round",
        text: "Round 229: Ada wins 62 for the hand; Q wins 61 for the high spade; a pair of kings.",
      },
      { kind: "exit", text: "Monte Carlo is out in round 230: no chips for the next ante." },
      { kind: "foul", text: "Foul in round 230: Q bet 11 where 0 to 10 was allowed." },
    ],
    podium: [],
    exit: null,
    ceremony: null,
    predictions: { enabled: true, open: false, stage: null, count: 0, prophet: null },
  };
}

/**
 * A leaderboard; the last few have left.
 * @param {number} count
 * @param {number} gone
 * @returns {Data.BoardRow[]}
 */
export function rows(count, gone) {
  return Array.from({ length: count }, (_, index) => {
    const out = index >= count - gone;
    return {
      seat: ((index * 7) % count) + 1,
      place: index + 1,
      chips: out ? 0 : Math.round((1400 * (count - index)) / count) + 20,
      left_in_round: out ? 230 - index : null,
      why: out ? "no chips for the next ante" : null,
    };
  })
    .filter((row, index, all) => all.findIndex((other) => other.seat === row.seat) === index)
    .concat(
      Array.from({ length: count }, (_, index) => index + 1)
        .filter(
          (seat) => !Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1).includes(seat),
        )
        .map((seat, index) => ({ seat, place: count - index, chips: 3, left_in_round: null, why: null })),
    );
}

/**
 * @param {number} count
 * @param {number} length
 * @returns {Data.RacePoint[]}
 */
function points(count, length) {
  return Array.from({ length }, (_, at) => ({
    round: at * 4,
    stacks: Array.from({ length: count }, (_, seat) =>
      Math.max(0, Math.round(500 + at * 9 * Math.sin(seat * 1.7 + at / 11) + at * (seat % 5) - at * 2)),
    ),
  }));
}

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** @param {number} index */
const card = (index) => RANKS[(index * 5) % 13] + "SHDC"[(index * 3 + Math.floor(index / 13)) % 4];

/**
 * A table in the middle of a round.
 * @param {number} count
 * @param {{ street?: 1 | 2, table?: number }} options
 * @returns {Data.TableView}
 */
export function table(count, { street = 2, table: number = 1 } = {}) {
  return {
    table: number,
    round: 232,
    finale: false,
    street,
    pot: 1234,
    spade_half: 617,
    level: 10,
    turn: 2,
    opener: 1,
    war: null,
    result: null,
    seats: Array.from({ length: count }, (_, index) => {
      const live = index % 4 !== 3 || count < 4;
      return {
        seat: index + 1,
        at: index,
        up: street === 2 ? [card(index), card(index + 20)] : [card(index)],
        hole: null,
        stack: index === 1 ? 12_480 : 480 - 20 * index,
        bet: live && index % 3 !== 2 ? 10 + index : 0,
        live,
        word: live ? ["raises 10", "calls 10", "checks", ""][index % 4] : "folds",
        won: 0,
        halves: [],
        hand_chance: live ? [0.46, 0.03, 1, 0.225][index % 4] : null,
        spade_chance: live ? [0.08, 0.61, 0, 0.999][index % 4] : null,
      };
    }),
  };
}

/**
 * The end of a round: two winners, or one who takes it all, or one because all others have folded.
 * @param {Data.TableView} before
 * @param {"split" | "scoop" | "folds" | "no spade" | "tie"} how
 * @returns {Data.TableView}
 */
export function ended(before, how) {
  const seats = before.seats.map((seat) => ({ ...seat, bet: 0, hand_chance: null, spade_chance: null }));
  const second = seats[1];
  const first = seats[0];
  /** @type {(seat: Data.SeatView, half: Data.Half, chips: number) => void} */
  const pay = (seat, half, chips) => {
    seat.won += chips;
    seat.halves = [...seat.halves, half];
    seat.word = `+${seat.won}`;
  };
  /** @type {Data.ResultView} */
  const result = {
    seat: first.seat,
    hand: ["KS", "KH", "10D"],
    words: "a pair of kings",
    spade: "AS",
    spade_seat: second.seat,
    sentence: "Round 232: somebody wins.",
    hand_chips: 617,
    spade_chips: 617,
    scoop: how === "scoop",
    showdown: how !== "folds",
  };
  first.hole = "KS";
  if (how === "split" || how === "tie") {
    pay(first, "hand", how === "tie" ? 309 : 617);
    if (how === "tie") pay(seats[2], "hand", 308);
    pay(second, "spade", 617);
    second.hole = "AS";
  } else if (how === "scoop") {
    pay(first, "hand", 617);
    pay(first, "spade", 617);
    Object.assign(result, { spade: "KS", spade_seat: first.seat, words: "three of a kind, queens" });
  } else {
    pay(first, "whole", 1234);
    Object.assign(result, { spade: null, spade_seat: null, hand_chips: 1234, spade_chips: 0 });
    if (how === "folds") first.hole = null;
  }
  return { ...before, seats, result, turn: null };
}

/**
 * Several tables.
 * @param {number} count
 * @param {number} tables
 * @returns {Data.HallView}
 */
export function hall(count, tables) {
  return {
    level: 3,
    tournament: 1,
    first_round: 201,
    ante: 2,
    featured: 1,
    tables: Array.from({ length: tables }, (_, index) => {
      const players = Array.from({ length: count }, (_, player) => player + 1).filter(
        (player) => player % tables === index,
      );
      return {
        table: index + 1,
        round: 231,
        playing: players.length,
        players,
        chips: players.map((player) => ((player * 137) % 900) + 20),
        done: index % 5 === 4,
      };
    }),
  };
}

/** @returns {Data.ExitView} */
export const exit = () => ({
  seat: 4,
  place: 17,
  players: 30,
  round: 232,
  why: "no chips for the next ante",
  kind: "busted",
  chips: 84,
  took: [
    { seat: 1, chips: 42 },
    { seat: 2, chips: 42 },
  ],
});

/**
 * The exit of so many players in one round.
 * @param {number} count
 * @returns {Data.ExitView}
 */
export const exits = (count) => ({
  ...exit(),
  others: Array.from({ length: count - 1 }, (_, index) => ({
    ...exit(),
    seat: 5 + index,
    place: 16 - index,
  })),
});

/** @type {Data.Award[]} */
export const AWARDS = [
  { title: "Biggest pot", seats: [2], text: "1,840 chips in round 402" },
  { title: "Best bluff", seats: [6], text: "312 chips with a seven high in round 377" },
  { title: "Fastest bot", seats: [1], text: "0.08 ms a reply" },
  { title: "Longest on least", seats: [4], text: "96 rounds with fewer than 20 chips" },
  { title: "Most forgiven", seats: [5], text: "11 fouls in the rehearsal" },
];

/**
 * @param {3 | 2 | 1 | "awards" | "hand" | "done"} stage
 * @returns {Data.Ceremony}
 */
export function ceremony(stage) {
  const places = [3, 2, 1].filter((place) => typeof stage === "string" || place >= stage);
  const seats = { 1: 2, 2: 4, 3: 9 };
  const laureates = places.map((place) => ({
    seat: seats[/** @type {1 | 2 | 3} */ (place)],
    place,
    chips: place === 1 ? 8500 : 0,
    left_in_round: place === 1 ? null : 400 + place,
    why: place === 1 ? null : "no chips for the next ante",
  }));
  return { stage, rows: laureates, awards: typeof stage === "string" ? AWARDS : [] };
}

/** All moments that are measured at every size. */
export function moments() {
  const all = /** @type {Record<string, Data.PageState>} */ ({});
  for (const count of [2, 6, 9, 17]) {
    const base = day(count);
    const show = { ...base.show, headline: "E[chips] > 0 is all in" };
    all[`bets of ${count}`] = { ...base, show, table: table(count) };
    all[`showdown of ${count}`] = { ...base, table: ended(table(count), "split") };
  }
  const nine = day(9);
  all["a scoop"] = { ...nine, table: ended(table(9), "scoop") };
  all["a tie"] = { ...nine, table: ended(table(9), "tie") };
  all["no spade"] = { ...nine, table: ended(table(9), "no spade") };
  all["all others fold"] = { ...nine, table: ended(table(9), "folds") };
  const war = { raises: 142, from: 60, to: 1840, seats: [1, 2] };
  all["a war"] = { ...nine, table: { ...table(9), war } };
  const class30 = day(30);
  const class200 = day(200);
  all["the lobby of 30"] = { ...class30, phase: "lobby", news: [], board: { ...class30.board, rows: [] } };
  all["the lobby of 200"] = { ...class200, phase: "lobby", news: [], board: { ...class200.board, rows: [] } };
  for (const count of [0, 7]) {
    const guests = class30.lobby.guests.slice(0, count);
    const lobby = { ...class30.lobby, guests };
    all[`a lobby with ${count} of 30`] = { ...all["the lobby of 30"], lobby };
  }
  const full = { ...class200, hall: hall(200, 13), board: { ...class200.board, rows: rows(200, 60) } };
  all["thirteen tables"] = { ...full, table: table(16) };
  all["a montage"] = { ...full, hall: hall(200, 5), show: { ...full.show, mode: "montage" } };
  all["all tables"] = { ...class30, hall: hall(30, 4), table: table(8) };
  all["the last table"] = { ...class30, hall: hall(8, 1), show: { ...class30.show, mode: "last_table" } };
  all["an exit"] = { ...class30, hall: hall(30, 4), table: table(8), exit: exit() };
  const lost = { ...ended(table(8), "split"), finale: true };
  all["an exit with its hands"] = { ...class30, hall: hall(30, 4), table: lost, exit: exit() };
  all["ten exits"] = { ...class30, exit: exits(10) };
  all["a pause"] = { ...nine, phase: "paused", table: table(9) };
  for (const at of /** @type {const} */ ([3, 1, "awards"])) {
    all[`the ceremony, ${at}`] = { ...class30, phase: "ceremony", ceremony: ceremony(at) };
  }
  const decisive = { ...ended(table(2), "scoop"), finale: true };
  all["the ceremony, hand"] = { ...class30, phase: "ceremony", ceremony: ceremony("hand"), table: decisive };
  const points = rows(30, 0).map((row, index) => ({ ...row, points: 145 - 5 * index }));
  for (const [at, shown] of /** @type {const} */ ([
    ["tournament", points.slice(0, 1)],
    ["standings", points],
  ])) {
    const between = { stage: at, rows: [...shown], awards: [], tournament: { number: 3, of: 10 } };
    const board = { ...class30.board, rows: points };
    all[`between two tournaments, ${at}`] = { ...class30, phase: "ceremony", ceremony: between, board };
  }
  const prophet = { name: "Frau Schmidt", points: 120, text: "foresaw the winner before the start" };
  const done = ceremony("done");
  const predictions = { ...class30.predictions, prophet };
  all["the podium"] = {
    ...class30,
    phase: "over",
    ceremony: done,
    podium: [...done.rows].reverse(),
    board: { ...class30.board, rows: rows(30, 28) },
    predictions,
  };
  return all;
}
