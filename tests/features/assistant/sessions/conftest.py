from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.postgres import postgres
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.settings import Settings

MakeStore = Callable[[], SessionStore]
SECRET = "f3a9-known-to-this-process"  # noqa: S105 - a word to look for


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


@pytest.fixture
def open_store(settings: Settings) -> Iterator[MakeStore]:
    """Open stores on one home folder, as several processes do."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(SessionStore(settings, environ={"MY_TOKEN": SECRET})))


@pytest.fixture
def store(open_store: MakeStore) -> SessionStore:
    return open_store()
