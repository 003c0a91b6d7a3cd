-- The script that makes each schema version from the one before. Add new ones, never change these.

-- schema 1
CREATE TABLE rooms (id TEXT PRIMARY KEY, at FLOAT8 NOT NULL, game TEXT NOT NULL, booking BYTEA NOT NULL);
CREATE TABLE chairs (
  room TEXT NOT NULL REFERENCES rooms, role TEXT NOT NULL, invite TEXT NOT NULL UNIQUE, cookie TEXT UNIQUE,
  PRIMARY KEY (room, role)
);
CREATE TABLE records (
  room TEXT NOT NULL REFERENCES rooms, number INTEGER NOT NULL, kind TEXT NOT NULL, role TEXT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (room, number)
);
CREATE UNLOGGED TABLE mail (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, worker INTEGER NOT NULL, sender INTEGER NOT NULL,
  body BYTEA NOT NULL
);
CREATE INDEX mail_of_worker ON mail (worker);
CREATE UNLOGGED TABLE waiting (
  worker INTEGER NOT NULL, page INTEGER NOT NULL, at FLOAT8 NOT NULL, game TEXT NOT NULL,
  role TEXT NOT NULL,
  invite TEXT NOT NULL, PRIMARY KEY (worker, page)
);

-- schema 2
CREATE TABLE made (
  game TEXT NOT NULL, id TEXT NOT NULL, at FLOAT8 NOT NULL, name TEXT NOT NULL, instance BYTEA NOT NULL,
  PRIMARY KEY (game, id)
);

-- schema 3
CREATE TABLE signed_out (sign TEXT PRIMARY KEY, until FLOAT8 NOT NULL);

-- schema 4
DROP TABLE waiting;
CREATE UNLOGGED TABLE waiting (
  person TEXT PRIMARY KEY, worker INTEGER NOT NULL, page INTEGER NOT NULL, at FLOAT8 NOT NULL,
  game TEXT NOT NULL, settings TEXT NOT NULL, role TEXT NOT NULL, invite TEXT NOT NULL, left_at FLOAT8
);

-- schema 5
CREATE TABLE study_events (
  study TEXT NOT NULL, number INTEGER NOT NULL, body BYTEA NOT NULL, PRIMARY KEY (study, number)
);
CREATE TABLE study_people (
  study TEXT NOT NULL, person TEXT NOT NULL, service TEXT NOT NULL, service_id TEXT NOT NULL,
  PRIMARY KEY (study, service, service_id)
);

-- schema 6
CREATE TABLE study_answers (
  study TEXT NOT NULL, task TEXT NOT NULL, person TEXT NOT NULL, body BYTEA NOT NULL,
  PRIMARY KEY (study, task, person)
);

-- schema 7
CREATE INDEX rooms_by_time ON rooms (at, id);
CREATE TABLE outcomes (room TEXT PRIMARY KEY REFERENCES rooms, outcome TEXT NOT NULL);
CREATE FUNCTION event_outcome(body BYTEA) RETURNS TEXT IMMUTABLE LANGUAGE SQL AS $$
  SELECT CASE substr(body, 1, 16)
  WHEN '{"type":"opened"' THEN 'begun'
  WHEN '{"type":"closed"' THEN CASE WHEN position('"result":{'::bytea IN body) > 0 THEN 'finished' ELSE 'ended' END
  WHEN '{"type":"failed"' THEN 'failed' END
$$;
INSERT INTO outcomes SELECT DISTINCT ON (room) room, event_outcome(body) FROM records
  WHERE kind = 'event' AND event_outcome(body) IS NOT NULL ORDER BY room, number DESC;
CREATE FUNCTION keep_outcome() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO outcomes VALUES (NEW.room, event_outcome(NEW.body))
  ON CONFLICT (room) DO UPDATE SET outcome = EXCLUDED.outcome;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_outcome AFTER INSERT ON records FOR EACH ROW
  WHEN (NEW.kind = 'event' AND event_outcome(NEW.body) IS NOT NULL) EXECUTE FUNCTION keep_outcome();

-- schema 8
CREATE TABLE study_keys (name TEXT PRIMARY KEY, secret BYTEA NOT NULL);
CREATE TABLE study_marks (
  study TEXT NOT NULL, mark TEXT NOT NULL, until FLOAT8 NOT NULL, PRIMARY KEY (study, mark)
);

-- schema 9
-- statistics of a column are samples of what people wrote: to set its type deletes those that there are
DROP TRIGGER keep_outcome ON records;
ALTER TABLE study_people ALTER service_id TYPE TEXT, ALTER service_id SET STATISTICS 0;
ALTER TABLE study_answers ALTER body TYPE BYTEA, ALTER body SET STATISTICS 0;
ALTER TABLE study_events ALTER body TYPE BYTEA, ALTER body SET STATISTICS 0;
ALTER TABLE records ALTER body TYPE BYTEA, ALTER body SET STATISTICS 0;
ALTER TABLE rooms ALTER booking TYPE BYTEA, ALTER booking SET STATISTICS 0;
ALTER TABLE chairs ALTER cookie TYPE TEXT, ALTER cookie SET STATISTICS 0;
ALTER TABLE made ALTER name TYPE TEXT, ALTER name SET STATISTICS 0;
ALTER TABLE made ALTER instance TYPE BYTEA, ALTER instance SET STATISTICS 0;
ALTER TABLE mail ALTER body TYPE BYTEA, ALTER body SET STATISTICS 0;

CREATE TRIGGER keep_outcome AFTER INSERT ON records FOR EACH ROW
  WHEN (NEW.kind = 'event' AND event_outcome(NEW.body) IS NOT NULL) EXECUTE FUNCTION keep_outcome();
