"""Which store the address that somebody gave means."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from groundling.core.values import Problem, missing
from groundling.web.sqlite import SqliteArchive, SqliteStore
from groundling.web.store import Archive, Store

DATABASES = ("postgresql", "postgres")


def is_database(url: str) -> bool:
    """One that several servers can share, rather than a file."""
    return url.partition("://")[0] in DATABASES and "://" in url


def store_path(url: str) -> Path:
    """Of a file, as a path or as sqlite:///PATH."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return Path(url)
    if scheme != "sqlite" or not rest.startswith("/"):
        raise Problem(
            f"--db {scheme}://… is not a store: give a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE"
        )
    return Path(rest[1:])


def store_name(url: str) -> str:
    """To be shown to people."""
    return database_name(url) if is_database(url) else str(store_path(url))


def database_name(url: str) -> str:
    """Without user, password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def check_database(url: str) -> None:
    """Bring it up to date. What is wrong with it is told now, and once, whatever will use it."""
    try:
        from groundling.web.postgres import migrate
    except ImportError:
        raise missing("postgres") from None
    migrate(url)


def open_store(url: str) -> Store:
    if not is_database(url):
        return SqliteStore(store_path(url))
    try:
        from groundling.web.postgres import PostgresStore
    except ImportError:
        raise missing("postgres") from None
    return PostgresStore(url)


def open_archive(url: str) -> Archive:
    if not is_database(url):
        return SqliteArchive(store_path(url))
    try:
        from groundling.web.postgres import PostgresArchive
    except ImportError:
        raise missing("postgres") from None
    return PostgresArchive(url)
