"""The tables of the store in PostgreSQL, as scripts from each schema version to the next."""

MIGRATIONS = (
    """
    CREATE TABLE rooms (id TEXT PRIMARY KEY, at FLOAT8 NOT NULL, game TEXT NOT NULL, """
    """booking BYTEA NOT NULL);
    CREATE TABLE chairs (
      room TEXT NOT NULL REFERENCES rooms, role TEXT NOT NULL, invite TEXT NOT NULL UNIQUE, """
    """cookie TEXT UNIQUE,
      PRIMARY KEY (room, role)
    );
    CREATE TABLE records (
      room TEXT NOT NULL REFERENCES rooms, number INTEGER NOT NULL, kind TEXT NOT NULL, """
    """role TEXT NOT NULL, body BYTEA NOT NULL,
      PRIMARY KEY (room, number)
    );
    CREATE UNLOGGED TABLE mail (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, worker INTEGER NOT NULL, """
    """sender INTEGER NOT NULL, body BYTEA NOT NULL
    );
    CREATE INDEX mail_of_worker ON mail (worker);
    CREATE UNLOGGED TABLE waiting (
      worker INTEGER NOT NULL, page INTEGER NOT NULL, at FLOAT8 NOT NULL, game TEXT NOT NULL, """
    """role TEXT NOT NULL,
      invite TEXT NOT NULL, PRIMARY KEY (worker, page)
    );
    """,
    """
    CREATE TABLE made (
      game TEXT NOT NULL, id TEXT NOT NULL, at FLOAT8 NOT NULL, name TEXT NOT NULL, instance BYTEA NOT NULL,
      PRIMARY KEY (game, id)
    );
    """,
    """
    CREATE TABLE signed_out (sign TEXT PRIMARY KEY, until FLOAT8 NOT NULL);
    """,
    """
    DROP TABLE waiting;
    CREATE UNLOGGED TABLE waiting (
      person TEXT PRIMARY KEY, worker INTEGER NOT NULL, page INTEGER NOT NULL, at FLOAT8 NOT NULL, """
    """game TEXT NOT NULL, settings TEXT NOT NULL, role TEXT NOT NULL, invite TEXT NOT NULL, left_at FLOAT8
    );
    """,
    """
    CREATE TABLE study_events (
      study TEXT NOT NULL, number INTEGER NOT NULL, body BYTEA NOT NULL, PRIMARY KEY (study, number)
    );
    CREATE TABLE study_people (
      study TEXT NOT NULL, person TEXT NOT NULL, service TEXT NOT NULL, service_id TEXT NOT NULL,
      PRIMARY KEY (study, service, service_id)
    );
    """,
    """
    CREATE TABLE study_answers (
      study TEXT NOT NULL, task TEXT NOT NULL, person TEXT NOT NULL, body BYTEA NOT NULL,
      PRIMARY KEY (study, task, person)
    );
    """,
)
"""The script that makes each schema version from the one before. Add new ones, never change these."""
