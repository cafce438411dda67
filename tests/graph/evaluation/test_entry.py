"""From when a decision is judged: the close it knew, or the first open after news that it knew too."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.support.fakes import make_prices
from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.cutoff import Moment, cutoff_for
from tradingagents.dataflows.instrument import Instrument
from tradingagents.graph.evaluation.decision import judged_by
from tradingagents.settings import Settings

ACME = Instrument(
    symbol="ACME", name="Acme", kind="stock", sector=None, industry=None, exchange="XNYS", currency="USD",
    benchmark="SPY", sector_etf=None,
)  # fmt: skip
FRIDAY, SUNDAY = date(2025, 3, 14), date(2025, 3, 16)


@pytest.mark.parametrize(
    ("day", "now", "at", "entry"),
    [
        (FRIDAY, datetime(2025, 6, 2, tzinfo=UTC), "close", None),
        (SUNDAY, datetime(2025, 6, 2, tzinfo=UTC), "close", None),
        (SUNDAY, datetime(2025, 3, 16, 17, tzinfo=UTC), "close", "2025-03-17"),
        (FRIDAY, datetime(2025, 3, 14, 22, tzinfo=UTC), "close", "2025-03-17"),
        (FRIDAY, datetime(2025, 6, 2, tzinfo=UTC), "open", "2025-03-17"),
        (FRIDAY, datetime(2025, 6, 2, tzinfo=UTC), "08:30", "2025-03-14"),
        (FRIDAY, datetime(2025, 3, 14, 16, tzinfo=UTC), "close", "2025-03-17"),
    ],
)
def test_the_window_begins_with_the_first_price_after_what_was_known(
    day: date, now: datetime, at: str, entry: str | None
):
    cutoff = cutoff_for(day, exchange="XNYS", now=now, moment=Moment(at=at))
    prices = make_prices(last=cutoff.session)
    decision = Decision(action="BUY", confidence=0.6, rationale="Because.", horizon_days=30)
    basis = judged_by(decision, cutoff, prices, ACME, Settings())
    assert basis is not None
    assert basis.entry_open == (entry or "")
    assert basis.as_of_session == cutoff.session.isoformat()
