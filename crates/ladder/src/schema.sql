-- A ladder's database. A change of it raises FORM in database.rs.

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- People, and house bots, which are the anchors of the scale.
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    -- Secret. NULL for a house bot, and in a ladder that was restored without it.
    github_id TEXT UNIQUE,
    is_house INTEGER NOT NULL CHECK (is_house IN (0, 1)),
    active_version INTEGER REFERENCES versions (id),
    -- The SHA-256 of the key of its personal link.
    key_sha256 TEXT UNIQUE,
    retired_ms INTEGER,
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players (id),
    -- From 1 for each player.
    number INTEGER NOT NULL CHECK (number > 0),
    kind TEXT NOT NULL CHECK (kind IN ('house', 'submission', 'connection')),
    -- The name of a house bot, or what the submission was called.
    source TEXT NOT NULL,
    -- The SHA-256 of what was handed in; NULL for the others.
    content_sha256 TEXT,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'refused', 'ready', 'set_aside')),
    -- Why it does not play, for its author.
    reason TEXT,
    -- The diagnosis of `check`, for its author.
    diagnosis TEXT,
    bytes INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    UNIQUE (player, number)
) STRICT;

CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    -- Sixteen hexadecimal digits: the name of the journal, and the same wherever it is played.
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('rated', 'challenge')),
    state TEXT NOT NULL CHECK (state IN ('planned', 'playing', 'played', 'void')),
    -- Why it is void.
    reason TEXT,
    seed TEXT NOT NULL,
    decks INTEGER NOT NULL,
    stack INTEGER NOT NULL,
    reply_ms INTEGER NOT NULL,
    -- Who wished for it, if it is a challenge.
    challenger INTEGER REFERENCES players (id),
    rounds INTEGER,
    journal_sha256 TEXT,
    journal_bytes INTEGER,
    planned_ms INTEGER NOT NULL,
    began_ms INTEGER,
    ended_ms INTEGER,
    CHECK ((state = 'played') = (journal_sha256 IS NOT NULL))
) STRICT;

CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches (id),
    -- From 0, in the order of the match's plan.
    seat INTEGER NOT NULL,
    version INTEGER NOT NULL REFERENCES versions (id),
    -- Of a played match: chips won, rounds, decks, and the sum of the squares of the chips that each deck brought.
    chips INTEGER,
    rounds INTEGER,
    decks INTEGER,
    squares INTEGER,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE fouls (
    match INTEGER NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    round INTEGER NOT NULL,
    -- The name of the foul, and the sentence for its author.
    name TEXT NOT NULL,
    why TEXT NOT NULL,
    FOREIGN KEY (match, seat) REFERENCES seats (match, seat)
) STRICT;

-- What counts against the quotas, and when.
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players (id),
    version INTEGER REFERENCES versions (id),
    at_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL
) STRICT;

CREATE INDEX matches_by_state ON matches (state, id);
CREATE INDEX seats_by_version ON seats (version, match);
CREATE INDEX fouls_by_match ON fouls (match, seat);
CREATE INDEX versions_by_player ON versions (player, number);
CREATE INDEX submissions_by_player ON submissions (player, at_ms);
-- Asked before each match.
CREATE INDEX versions_to_check ON versions (id) WHERE state = 'waiting';
