-- The script that makes each schema version from the one before. Add new ones, never change these.

-- schema 1
CREATE TABLE rooms (id TEXT PRIMARY KEY, at REAL NOT NULL, game TEXT NOT NULL,
  booking BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE chairs (
  room TEXT NOT NULL REFERENCES rooms, role TEXT NOT NULL, invite TEXT NOT NULL UNIQUE, cookie TEXT UNIQUE,
  PRIMARY KEY (room, role)
) WITHOUT ROWID;
CREATE TABLE records (
  room TEXT NOT NULL REFERENCES rooms, number INTEGER NOT NULL, kind TEXT NOT NULL, role TEXT NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (room, number)
) WITHOUT ROWID;

-- schema 2
CREATE TABLE made (
  game TEXT NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, name TEXT NOT NULL, instance BLOB NOT NULL,
  PRIMARY KEY (game, id)
) WITHOUT ROWID;

-- schema 3
CREATE TABLE signed_out (sign TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;

-- schema 4
CREATE TABLE study_events (
  study TEXT NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (study, number)
) WITHOUT ROWID;
CREATE TABLE study_people (
  study TEXT NOT NULL, person TEXT NOT NULL, service TEXT NOT NULL, service_id TEXT NOT NULL,
  PRIMARY KEY (study, service, service_id)
) WITHOUT ROWID;

-- schema 5
CREATE TABLE study_answers (
  study TEXT NOT NULL, task TEXT NOT NULL, person TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (study, task, person)
) WITHOUT ROWID;

-- schema 6
CREATE INDEX rooms_by_time ON rooms (at, id);
CREATE TABLE outcomes (room TEXT PRIMARY KEY REFERENCES rooms, outcome TEXT NOT NULL) WITHOUT ROWID;
CREATE VIEW record_outcomes AS SELECT room, number, CASE CAST(substr(body, 1, 16) AS TEXT)
  WHEN '{"type":"opened"' THEN 'begun'
  WHEN '{"type":"closed"' THEN iif(instr(CAST(body AS TEXT), '"result":{'), 'finished', 'ended')
  WHEN '{"type":"failed"' THEN 'failed' END AS outcome
  FROM records WHERE kind = 'event' AND outcome IS NOT NULL;
INSERT OR REPLACE INTO outcomes SELECT room, outcome FROM record_outcomes ORDER BY room, number;
CREATE TRIGGER keep_outcome AFTER INSERT ON records WHEN NEW.kind = 'event' BEGIN
  INSERT OR REPLACE INTO outcomes
  SELECT room, outcome FROM record_outcomes WHERE room = NEW.room AND number = NEW.number;
END;

-- schema 7
CREATE TABLE study_keys (name TEXT PRIMARY KEY, secret BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE study_marks (
  study TEXT NOT NULL, mark TEXT NOT NULL, until REAL NOT NULL, PRIMARY KEY (study, mark)
) WITHOUT ROWID;
