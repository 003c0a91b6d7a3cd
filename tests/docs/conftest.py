"""The database of the tests of the web, and the recruiting service of its own."""

from tests.recruiting.conftest import fake
from tests.web.conftest import cluster, database

__all__ = ["cluster", "database", "fake"]
