"""From the address given with --db to a store or an archive."""

from __future__ import annotations

from pathlib import Path

from groundling.core.values import Problem
from groundling.web.sqlite_store import SqliteArchive, SqliteStore
from groundling.web.store import Archive, Store, database_name

DATABASES = ("postgresql", "postgres")


def is_database_url(url: str) -> bool:
    """Whether the address is a database that several servers can share, not a file."""
    return url.partition("://")[0] in DATABASES and "://" in url


def is_store_url(text: str) -> bool:
    """Whether a text is the address of a store rather than a path."""
    return "://" in text


def store_url_path(url: str) -> Path:
    """The path of a store file, given as PATH or sqlite:///PATH."""
    scheme, mark, rest = url.partition("://")
    if not url:
        raise Problem("--db is empty: give a file, or postgresql://USER@HOST/DATABASE")
    if not mark:
        return Path(url)
    if scheme != "sqlite" or not rest.startswith("/"):
        raise Problem(
            f"{scheme}://… is not a store: give a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE"
        )
    return Path(rest[1:])


def store_url_name(url: str) -> str:
    """The address of a store as people may see it."""
    return database_name(url) if is_database_url(url) else str(store_url_path(url))


def check_database_url(url: str) -> None:
    """Migrate the database, so that any problem with it is reported once, before workers start."""
    from groundling.web.postgres_store import migrate_postgres

    migrate_postgres(url)


def open_store_url(url: str) -> Store:
    if not is_database_url(url):
        return SqliteStore(store_url_path(url))
    from groundling.web.postgres_store import PostgresStore

    return PostgresStore(url)


def open_archive_url(url: str) -> Archive:
    if not is_database_url(url):
        return SqliteArchive(store_url_path(url))
    from groundling.web.postgres_store import PostgresArchive

    return PostgresArchive(url)
