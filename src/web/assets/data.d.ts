// The JSON that the server sends, for the type checker. Tests generate the two files that are exported here.

import type { BoardRow, NewsItem, Page } from "../../../crates/show/page.d.ts";
import type { PlaceView } from "./served.d.ts";

export type * from "../../../crates/show/page.d.ts";
export type * from "./served.d.ts";

/** A rank and the letter of a suit, such as "10S". */
export type CardCode = string;
export type Half = "hand" | "spade" | "whole";
export type HoleCards = "never" | "showdown" | "tv";
export type ExitKind = "busted" | "foul" | "lost" | "removed" | "other";

export interface Occasion {
  title?: string;
  venue?: string;
}

/** A point for every `stride` rounds. */
export interface Race {
  stride: number;
  points: RacePoint[];
}

export interface RacePoint {
  round: number;
  stacks: number[];
}

export type PageState = Page & { n: number };

/** Changed rows of the standings by index, and of each row: `=` shares the place before it, `-` has none, `+` the next. */
export interface ChangedRows {
  round: number;
  rate: number;
  rows: [number, BoardRow][];
  places: string;
}

/** The changed sections of the page, the new points of the race and the new items of the news. */
export type PageDelta = Pick<PageState, "n"> &
  Partial<Omit<PageState, "news">> & {
    race_tail?: { from: number; points: RacePoint[] };
    board_rows?: ChangedRows;
    added_news?: NewsItem[];
  };

/** A prediction, as a phone sends it. */
export interface Prediction {
  id: string;
  name: string;
  champion: number;
  first_out: number;
}

/** A line for a person's chair: one of these, or the beginning of a lesson. */
export interface ChairTold {
  gone?: Record<string, never>;
  waits?: { name: string };
  plays?: PlaceView;
  key?: string;
  lessons?: number;
}

export interface LadderFoul {
  seat: number;
  round: number;
  name: string;
  why: string;
}

export interface LadderSettings {
  seats: number;
  decks: number;
  stack: number;
  reply_ms: number;
  quotas: {
    submissions_an_hour: number;
    challenges_a_day: number;
    submission_bytes: number;
    ladder_bytes: number;
  };
  is_paused: boolean;
  is_frozen: boolean;
  announcement: string;
}

declare global {
  interface Window {
    /** The current state of the page, for tests. */
    casino: { state: () => PageState | null };
  }
}
