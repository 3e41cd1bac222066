// The JSON that the server sends to the page, the replay and the console, as the scripts see it. This file is for the
// type checker alone and is not served. A field here has the name that the server's types in src/web give it.

/** A card in short: the rank and the suit's letter, such as "10S" or "QH". */
export type CardCode = string;

export type Phase = "lobby" | "playing" | "paused" | "finale" | "ceremony" | "over";

/** What is being shown, and how much time there is. */
export interface Show {
  /** How long the tournament is shown; null where nobody waits for the show. */
  minutes: number | null;
  seconds_left: number | null;
  mode: "detail" | "montage" | "last_table" | "waiting";
  /** What is worth watching in this round, by what has been shown of it, in a few words. */
  reason: string | null;
  /** How many rounds a second a montage shows. */
  rounds_per_second: number;
  /** How long an interruption took after which it goes on, in seconds, while that is said. */
  interrupted: number | null;
}

/** What is said of the day. */
export interface Occasion {
  title?: string;
  /** The place and date. */
  venue?: string;
}

export interface Lobby {
  /** How many players there will be. */
  wanted: number;
  guests: Guest[];
  /** The names of those who played in the tournament before and are not in yet. */
  awaited: string[];
  /** Where programs connect, as it is typed: the best line first. */
  connect: string[];
  page_url: string | null;
  /** The same as a picture for phones; null if they cannot reach it. */
  qr: QrCode | null;
  /** What is played when it begins, in words. */
  next: string | null;
  /** Who is missing from the roster, by name; null without a roster. */
  roster: { missing: string[] } | null;
  /** Whether a tournament that was interrupted is gone on with. */
  resumed: boolean;
  /** Left out where nothing is said of the day. */
  occasion?: Occasion;
}

/** A QR code: dark modules as the data of an SVG path, one unit for each, without the margin of four around it. */
export interface QrCode {
  size: number;
  path: string;
}

export interface Guest {
  name: string;
  connected: boolean;
  /** Whether it is a house bot. */
  house: boolean;
  /** Its rank on the practice ladder when the day began. */
  rank?: number;
}

/** What does not change during a tournament, except for the seed. */
export interface Programme {
  /** Which tournament of the day it is, from 1. */
  number: number;
  /** The players' names; the first one is player 1. */
  players: string[];
  /** Chips at the start. */
  stack: number;
  /** The largest number of rounds; null if there is no limit. */
  rounds: number | null;
  ante: number;
  rehearsal: boolean;
  /** The SHA-256 of the seed, if the seed was drawn. */
  promise: string | null;
  /** The seed, once it is revealed. */
  seed: string | null;
  /** The numbers of house bots among others, which are marked; nobody's if it is missing. */
  house?: number[];
  /** When the room sees hole cards. */
  holes: "never" | "showdown" | "tv";
  /** Left out where nothing is said of the day. */
  occasion?: Occasion;
}

export interface TableState {
  /** The table's number, from 1. */
  table: number;
  round: number;
  /** Whether this is the last round, which is shown slowly. */
  finale: boolean;
  street: 1 | 2;
  pot: number;
  /** The part of the pot that the highest spade in the hole would win. */
  spade_half: number;
  level: number;
  /** The player whose turn it is. */
  turn: number | null;
  /** The player who opened the street. */
  opener: number | null;
  seats: SeatState[];
  /** A war of raises, which is shown as one growing bar. */
  war: War | null;
  /** How the round ended, once it is over. */
  result: RoundResult | null;
}

/** Many raises one after the other: from one pot to another, by these players. */
export interface War {
  raises: number;
  from: number;
  to: number;
  seats: number[];
}

export interface SeatState {
  /** The player's number, from 1. */
  seat: number;
  /** The place at the table, from 0. */
  at: number;
  /** The chances of the hand's half and of the spade's half, from 0 to 1, where they are known. */
  hand_chance: number | null;
  spade_chance: number | null;
  up: CardCode[];
  /** The hole card, where it may be shown. */
  hole: CardCode | null;
  stack: number;
  /** Chips put in on this street. */
  bet: number;
  /** Whether the player is still in. */
  live: boolean;
  /** What the player did last, in a word or two. */
  word: string;
  /** What the player won in this round. */
  won: number;
  halves: Half[];
}

/** Which part of the pot was won. */
export type Half = "hand" | "spade" | "whole";

export interface RoundResult {
  seat: number;
  /** The winning hand, hole card first. */
  hand: CardCode[];
  /** The hand in words. */
  words: string;
  spade: CardCode | null;
  spade_seat: number | null;
  sentence: string;
  /** The two halves in chips. */
  hand_chips: number;
  spade_chips: number;
  /** Whether one player takes both halves. */
  scoop: boolean;
  /** Whether cards decided, rather than all others folding. */
  showdown: boolean;
}

/** All tables of an event that has several. */
export interface Hall {
  level: number;
  /** Which tournament of a series it is, from 1. */
  tournament: number;
  /** How many tournaments the series has; nothing if it is none. */
  series?: number;
  first_round: number;
  last_round: number;
  ante: number;
  tables: HallTable[];
  /** The number of the table that is shown round by round. */
  featured: number | null;
}

export interface HallTable {
  table: number;
  /** The last round played there; 0 before the first. */
  round: number;
  /** How many players are in. */
  playing: number;
  /** The players' numbers, from 1, seat by seat. */
  players: number[];
  /** Their chips, in the same order. */
  chips: number[];
  /** How the round ended that was shown last. */
  last: string | null;
  /** Whether the table has played its level. */
  done: boolean;
}

export interface Leaderboard {
  round: number;
  /** Rounds per second. */
  rate: number;
  /** Best first. */
  rows: LeaderboardRow[];
}

export interface LeaderboardRow {
  /** The player's number, from 1. */
  seat: number;
  /** From 1; null for a house bot that has none among others. */
  place: number | null;
  chips: number;
  /** What counts instead of chips, in a format that has something else. */
  points?: number;
  left_in_round: number | null;
  why: string | null;
  /** What the player was forgiven in a rehearsal, in words. */
  fouls?: string;
}

export interface Race {
  stride: number;
  points: RacePoint[];
}

/** All stacks after a round. */
export interface RacePoint {
  round: number;
  stacks: number[];
}

export interface NewsItem {
  kind: "round" | "exit" | "foul" | "day" | "level";
  text: string;
}

/** A player who leaves, as it is shown to everybody. */
export interface Exit {
  /** The player's number, from 1. */
  seat: number;
  /** From 1; null for a house bot that has none among others, and where all play again in the next level. */
  place: number | null;
  /** How many players have places. */
  players: number;
  round: number;
  /** The reason in a plain sentence. */
  why: string;
  kind: "broke" | "foul" | "removed" | "lost" | "other";
  /** The chips that the player had when the round began. */
  chips: number;
  /** Who took the player's chips. */
  took: { seat: number; chips: number }[];
}

/** The end of a tournament, step by step. */
export interface Ceremony {
  stage: 3 | 2 | 1 | "awards" | "done" | "tournament" | "standings";
  /** The places that were announced so far. */
  rows: LeaderboardRow[];
  /** The awards that were announced so far. */
  awards: Award[];
  /** The tournament of a series that is over, where another one follows. */
  tournament?: { number: number; of: number };
}

export interface Award {
  title: string;
  seats: number[];
  text: string;
}

/** What phones predict: who wins, and who is out first. */
export interface Predictions {
  enabled: boolean;
  open: boolean;
  stage: "start" | "last_table" | null;
  /** How many have predicted. */
  count: number;
  prophet: { name: string; points: number; text: string } | null;
}

/** A prediction as a phone sends it. */
export interface Prediction {
  id: string;
  name: string;
  champion: number;
  first_out: number;
}

/** How the predictions of a phone came out. */
export interface ProphetResult {
  points: number;
  /** The place among all who predicted. */
  place: number;
  prophets: number;
  answers: {
    stage: "start" | "last_table";
    event: "champion" | "first_out";
    player: number;
    is_right: boolean;
  }[];
}

/** One player, for whoever follows it on a phone. */
export interface FollowedPlayer {
  seat: number;
  name: string;
  table: number | null;
  chips: number;
  /** From 1; null for a house bot that has none among others. */
  place: number | null;
  /** How many players have places. */
  players: number;
  exit: { round: number; why: string; place: number | null } | null;
  /** The rounds shown last in which the player was dealt in, newest first. */
  rounds: { round: number; change: number; chips: number; text: string }[];
}

/** Everything that the page shows. */
export interface PageState {
  /** The number of the last change. */
  n: number;
  phase: Phase;
  show: Show;
  lobby: Lobby;
  programme: Programme;
  table: TableState | null;
  hall: Hall | null;
  board: Leaderboard;
  race: Race;
  news: NewsItem[];
  podium: LeaderboardRow[];
  exit: Exit | null;
  ceremony: Ceremony | null;
  predictions: Predictions;
}

/**
 * A change of the page: sections that changed come whole, news are added, and the points of the race from one of them
 * on may be replaced by others.
 */
export type PageDelta = Pick<PageState, "n"> &
  Partial<Omit<PageState, "news">> & {
    race_tail?: { from: number; points: RacePoint[] };
    added_news?: NewsItem[];
  };

/** A recorded tournament, without its rounds. */
export interface ReplayIndex {
  programme: Programme;
  rounds: number;
  /** Table and number of each round, where there are several tables. */
  deals: [number, number][] | null;
  finished: boolean;
  /** Whether everybody's hole cards can be shown. */
  holes: boolean;
  /** In how many minutes it plays itself, if it does so at once. */
  minutes: number | null;
}

/** A round of a replay that plays itself: step by step at a pace, or only its end, for some milliseconds. */
export type ReplayShot = { round: number; pace: number } | { round: number; ms: number };

/** What is shown of a replay that plays itself. */
export interface ReplayProgramme {
  shots: ReplayShot[];
  /** How long each stage of the ceremony is shown, in milliseconds. */
  ceremony_ms: number;
}

/** How a recorded tournament ends. */
export interface ReplayCeremony {
  stages: Ceremony[];
  podium: LeaderboardRow[];
}

/** The rounds worth looking at, which tell what comes. */
export interface Jumps {
  exits: Jump[];
  pots: Jump[];
}

/** A round worth looking at. */
export interface Jump {
  round: number;
  text: string;
}

/** A recorded round, step by step. */
export interface ReplayRound {
  round: number;
  frames: TableState[];
  /** How long each of them is looked at, at the usual pace, in milliseconds. */
  pauses: number[];
  /** How everybody stood when it was dealt. */
  before: LeaderboardRow[];
  /** How everybody stands after it. */
  board: LeaderboardRow[];
  /** The stacks over the rounds before it. */
  race: Race;
  /** The hole cards by player, once the tournament is finished. */
  holes: Record<number, CardCode> | null;
}

/** What the coach says of a decision. */
export interface CoachedDecision {
  /** The step of the round in which it is seen, from 0. */
  frame: number;
  name: string;
  did: string;
  better: string | null;
  is: "sound" | "mistake" | "repeated" | "proven";
  /** The chips that the best reply would have earned more, and half of the 95 % interval of that. */
  cost: number;
  half_interval: number;
  sentence: string | null;
}

/** Whether the coach will say something of a recorded tournament, and what, once it has looked at all of it. */
export interface CoachAnswer {
  comes: boolean;
  summary: {
    /** What everybody won a round without the luck of the cards, with half of the 95 % interval, and gave away. */
    players: { name: string; less_luck: number; half_interval: number; given_away: number }[];
    dearest: Jump[];
  } | null;
}

/** Everything that the console shows. */
export interface Overview {
  hour: "lobby" | "playing" | "over";
  number: number;
  wanted: number;
  /** The fewest players that can begin. */
  fewest: number;
  paused: boolean;
  pace_ms: number;
  tempo: number;
  featured: number;
  rehearsal: boolean;
  /** How long the tournament is shown; null if nobody waits for the show. */
  minutes: number | null;
  seconds_left: number | null;
  holes: "never" | "showdown" | "tv";
  predictions: boolean;
  round: number;
  rate: number;
  members: Member[];
  /** Whether only those on a roster may log in. */
  roster: boolean;
  /** Whether a tournament that was interrupted is gone on with. */
  resumed: boolean;
  missing: MissingPlayer[];
  refused: RefusedClient[];
  /** The addresses from which nobody is let in. */
  shut: string[];
  awaiting_approval: { github_id: string; name: string; from: string }[];
  /** What the teacher has to know about the day itself. */
  notices: string[];
  actions: string[];
  has_journal: boolean;
  has_result: boolean;
  revealed: boolean;
  viewers: number;
  /** The chairs for people, and the link that invites to them. */
  chairs: ChairRow[];
  chair_link: { url: string; qr: { size: number; path: string } | null } | null;
  tables: number;
  /** The numbers of the tables in play. */
  table_numbers: number[];
}

/** A chair for a person, as the console lists it. */
export interface ChairRow {
  /** The number of the chair, from 1. */
  number: number;
  /** Who sits there or sat there last; empty if nobody has. */
  name: string;
  taken: boolean;
  playing: boolean;
  /** Whether nobody is waited for there. */
  away: boolean;
}

/** A line of what a person's chair is told: exactly one of these, or the beginning of a lesson. */
export interface ChairTold {
  gone?: Record<string, never>;
  waits?: { name: string };
  plays?: PlaceView;
  key?: string;
  lessons?: number;
}

/** All that a person sees. */
export interface PlaceView {
  programme: Programme;
  /** The person's number, from 1. */
  me: number;
  table: TableState | null;
  said: string[];
  turn: TurnView | null;
  /** Who got which half of the pot and why, while the person looks at it. */
  ending: string[];
  seconds: number | null;
  /** Why the person is out. */
  out: string | null;
  away: boolean;
  lesson: { heading: string; look: string; why: string; is_last: boolean } | null;
}

export interface TurnView {
  number: number;
  words: string;
  to_call: number;
  /** Null if the call cannot be paid. */
  most_raise: number | null;
  hole: CardCode;
  odds: string | null;
}

/** A player who is expected and has not come. */
export interface MissingPlayer {
  github_id: string;
  /** Empty if it is not known yet. */
  name: string;
  /** Whether the tournament goes on without this player. */
  given_up: boolean;
  /** Whether the name that the room will see tells a GitHubId. */
  tells_id: boolean;
}

/** Clients that were refused for the same reason. */
export interface RefusedClient {
  github_id: string | null;
  avatar: string | null;
  from: string;
  why: string;
  count: number;
}

/** A player as the teacher sees it. */
export interface Member {
  github_id: string;
  name: string;
  /** The avatar as it was sent. */
  avatar: string;
  kind: "house" | "started" | "remote" | "person";
  /** Whether the name tells a GitHubId: then the teacher wrote it. */
  tells_id: boolean;
  seat: number | null;
  table?: number;
  renamed: string | null;
  last_reply: string | null;
  /** Why the player is removed, if that was ordered. */
  removing: string | null;
  /** Reply times in microseconds; the time bank in milliseconds. */
  times?: {
    count: number;
    mean: number;
    last: number;
    longest: number;
    time_bank?: number;
    time_bank_used?: number;
  };
  row?: LeaderboardRow;
}

declare global {
  interface Window {
    /** For tests of the page: the state that it was told last. */
    casino: { state: () => PageState | null };
  }
}

/** A seat of a match of a ladder. */
export interface LadderSeat {
  player: number | null;
  name: string;
  label: string;
  house: boolean;
  chips: number | null;
  rounds: number | null;
  place: number | null;
}

export interface LadderMatch {
  id: number;
  name: string;
  kind: string;
  state: string;
  reason: string | null;
  planned_ms: number;
  began_ms: number | null;
  ended_ms: number | null;
  decks: number;
  rounds: number | null;
  journal_sha256: string | null;
  journal_bytes: number | null;
  seats: LadderSeat[];
}

export interface LadderStanding {
  id: number;
  name: string;
  house: boolean;
  version: number | null;
  kind: string | null;
  state: string | null;
  here: boolean;
  value: number | null;
  half: number | null;
  matches: number;
  rounds: number;
}

/** The first page of a ladder. */
export interface LadderOverview {
  now_ms: number;
  announcement: string;
  paused: boolean;
  frozen: boolean;
  problem: string | null;
  zero: string | null;
  longest_wait_s: number;
  standings: LadderStanding[];
  playing: LadderMatch[];
  planned: LadderMatch[];
  queue: { name: string; label: string; waited_ms: number }[];
  last: LadderMatch[];
  played: number;
}

export interface LadderPlayer {
  id: number;
  name: string;
  house: boolean;
  retired: boolean;
  here: boolean;
  versions: {
    number: number;
    label: string;
    kind: string;
    state: string;
    active: boolean;
    created_ms: number;
    value: number | null;
    half: number | null;
    matches: number;
    than_before: string | null;
  }[];
  versions_in_all: number;
  opponents: { id: number; name: string }[];
  fouls: {
    name: string;
    count: number;
    remedy: string | null;
    last: { match: number; round: number }[];
  }[];
}

/** What a key opens. */
export interface LadderOwn {
  id: number;
  name: string;
  frozen: boolean;
  most_bytes: number;
  submissions_an_hour: number;
  challenges_a_day: number;
  processor_s: number;
  processor_s_a_day: number;
  versions: {
    id: number;
    label: string;
    kind: string;
    source: string;
    state: string;
    active: boolean;
    reason: string | null;
    diagnosis: string | null;
  }[];
  fouls: { match: number; seat: number; round: number; name: string; why: string }[];
}

export interface LadderSettings {
  seats: number;
  decks: number;
  stack: number;
  reply_ms: number;
  quotas: {
    submissions_an_hour: number;
    challenges_a_day: number;
    processor_s_a_day: number;
    submission_bytes: number;
    ladder_bytes: number;
  };
  longest_wait_s: number;
  is_paused: boolean;
  is_frozen: boolean;
  announcement: string;
}

export interface LadderPupil {
  id: number;
  name: string;
  retired: boolean;
  has_key: boolean;
  here: boolean;
  versions: number;
  state: string | null;
  reason: string | null;
}

/** What the teacher's console of a ladder shows. */
export interface LadderDesk {
  settings: LadderSettings;
  problem: string | null;
  players: LadderPupil[];
}
