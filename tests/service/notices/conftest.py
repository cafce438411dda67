"""Fixtures of messages."""

from __future__ import annotations

import pytest


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between tries, none of which is waited for."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("tradingagents.service.notices.posting.asyncio.sleep", sleep)
    return waited
