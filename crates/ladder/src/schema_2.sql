-- Until when a match of a batch is waited for. Those that are out have two days.
ALTER TABLE matches ADD COLUMN due_back_ms INTEGER;
UPDATE matches SET due_back_ms = planned_ms + 172800000 WHERE is_away = 1;
