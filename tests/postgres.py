"""A real Postgres for tests: the server that the package `pgserver` carries, in a folder of its own."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server and yield its URL; skips where the package has no build for this machine."""
    # Not in pytest's own folder: for root the server runs as another user, who may not look into that.
    with tempfile.TemporaryDirectory(prefix="tradingagents-postgres-", ignore_cleanup_errors=True) as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the platform's folders, which are not used
            pgserver = pytest.importorskip("pgserver", reason="pgserver has no build for this Python or machine")
            server = pgserver.get_server(folder)
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        finally:
            server.cleanup()
