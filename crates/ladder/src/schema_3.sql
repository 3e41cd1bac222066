-- What a started program took of the processors in a match, in milliseconds. NULL where that is not known.
ALTER TABLE seats ADD COLUMN processor_ms INTEGER;
-- Who is to be checked, which is asked before each match.
CREATE INDEX versions_to_check ON versions (id) WHERE state = 'waiting';
-- The freeze-outs that count, for the share of them that was won.
CREATE INDEX matches_frozen_out ON matches (id) WHERE kind = 'freeze_out' AND state = 'played';
