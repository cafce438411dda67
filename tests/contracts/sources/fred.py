"""FRED for the contract tests: a figure, a yield and their release, and poison published after a day.

This FRED sends later vintages whatever real-time period is asked for: it is not its kindness that keeps them out.
"""

from __future__ import annotations

from datetime import date

from tests.contracts.sources.source import NOW, Source
from tests.dataflows.vendors.fred_payloads import Published, Series, SmallFred
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.fred.vendor import FredVendor

RATES = (4.0, 4.1, 4.2, 4.1, 4.0, 4.1, 4.3)
JOBS: list[Published] = [
    (f"{2024 + month // 12}-{month % 12 + 1:02}-01", f"{2024 + (month + 1) // 12}-{(month + 1) % 12 + 1:02}-07", value)
    for month, value in zip(range(7, 14), RATES, strict=True)
]
"""August 2024 to February 2025, each published on the 7th of the month after."""
YIELDS: list[Published] = [
    (f"2025-03-{day:02}", f"2025-03-{day + 1:02}", 4.2 + day / 100) for day in (3, 4, 5, 6, 10, 11, 12)
]
# What came out on the day itself counts from the next session on.
LATE: list[Published] = [("2025-02-01", "2025-03-14", 99.9), ("2025-03-01", "2025-04-04", 88.8)]
LATE_YIELDS: list[Published] = [
    ("2025-03-12", "2025-03-14", 77.7),
    ("2025-03-14", "2025-03-17", 66.6),
    ("2025-06-11", "2025-06-12", 14.4),
]


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    jobs = [*JOBS, *(LATE if poisoned_after else [("2025-03-01", "2025-04-04", 4.2)])]
    series = {
        "UNRATE": Series(jobs, title="Unemployment Rate"),
        "DGS10": Series(
            [*YIELDS, *(LATE_YIELDS if poisoned_after else [("2025-06-11", "2025-06-12", 4.4)])],
            "10-Year Yield",
            frequency="D",
        ),
    }
    days = ["2025-03-07", "2025-04-04", "2025-07-03"]
    SmallFred(NOW.date(), series, {50: days}, cut=False).serve(server)


SOURCE = Source(
    kind=FredVendor,
    fill=fill,
    asks={
        "get_macro_indicators": ("unemployment rate", date(2024, 8, 1), date(2025, 3, 14)),
        "get_economic_calendar": (date(2025, 3, 1), date(2025, 5, 13)),
    },
    unshown=frozenset({"calendar_events", "daily_brief"}),  # a brief names releases, and no values
    environ={"FRED_API_KEY": "madeupkeySECRET0123456789abcdef01"},
)
