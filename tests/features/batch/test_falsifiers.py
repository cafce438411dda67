"""A watch fires the falsifiers of earlier deep reports: at the right filing, and not a day early."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.batch_graphs import batch_desk, batch_model
from tests.support.warm import run_warm
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.batch.falsifiers import falsifier_notices
from tradingagents.features.batch.watch import WatchList, watch
from tradingagents.features.deep_report.schemas.falsifiers import Falsifier
from tradingagents.service.notices.watch_message import watch_payload
from tradingagents.settings import Settings, load_settings

REPORT_DAY = "2024-01-10"


@pytest.fixture
def market(tmp_path: Path) -> tuple[Settings, Vendors]:
    settings = load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    return settings, Vendors(settings)


def leave_report(home: Path, *falsifiers: Falsifier, day: str = REPORT_DAY, status: str = "done") -> str:
    """Leave the card of a deep report with these falsifiers."""
    run_id = f"{day.replace('-', '')}T210000Z-VELQ-{day}-abcdef"
    folder = home / "runs" / run_id
    folder.mkdir(parents=True)
    card: dict[str, Any] = {
        "run_id": run_id,
        "kind": "deep_report",
        "status": status,
        "ticker": "VELQ",
        "hypotheses": [
            {
                "id": "H-1",
                "title": "It keeps its margin",
                "thesis": "It does.",
                "evidence_needed": [],
                "impact": "HIGH",
                "status": "validated",
                "confidence": 0.7,
                "depths": [],
                "questions": [],
                "falsifiers": [falsifier.model_dump(mode="json") for falsifier in falsifiers],
            }
        ],
    }
    (folder / "run.json").write_text(json.dumps(card), encoding="utf-8")
    return run_id


def margin_falls(market: tuple[Settings, Vendors]) -> tuple[Falsifier, date, datetime]:
    """Return a falsifier that one quarter after the report meets, with its end and the instant of its filing."""
    data = MarketData(market[0], date(2025, 3, 14), vendors=market[1])
    rows = [one for one in data.statement_versions("VELQ", "income") if one.period_end > date(2023, 10, 31)]
    margins = [100 * one.items["gross_profit"] / one.items["revenue"] for one in rows]
    lowest = rows[margins.index(min(margins))]
    falsifier = Falsifier(
        hypothesis="H-1",
        figure="gross_margin",
        comparison="below",
        threshold=min(margins) + 0.001,
        unit="%",
        after=date(2023, 10, 31),
        by=date(2025, 1, 10),
        origin="model",
        reason="Proposed with the hypothesis.",
        value_then=70.0,
    )
    return falsifier, lowest.period_end, lowest.known_at


def test_a_filing_fires_a_falsifier_on_its_day_and_not_before(market: tuple[Settings, Vendors], tmp_path: Path):
    falsifier, end, filed = margin_falls(market)
    leave_report(tmp_path, falsifier)
    calendar = sessions()
    on = calendar.on_or_before(filed.date())
    on = on if calendar.close_of(on) >= filed else calendar.after(on)
    before = calendar.on_or_before(on - timedelta(days=1))
    (early,) = falsifier_notices(market[0], ["VELQ"], before, vendors=market[1])
    assert (early["state"], early["new"]) == ("open", False)
    (fired,) = falsifier_notices(market[0], ["VELQ"], on, vendors=market[1], since=before.isoformat())
    assert (fired["state"], fired["period_end"], fired["known_at"]) == ("fired", end.isoformat(), filed.isoformat())
    assert fired["new"] == (filed.date() > before)
    assert f"filed {filed:%Y-%m-%d}" in fired["figure"]
    later = calendar.after(on, 5)
    (old,) = falsifier_notices(market[0], ["VELQ"], later, vendors=market[1], since=on.isoformat())
    assert (old["state"], old["new"]) == ("fired", False)
    assert falsifier_notices(market[0], ["VELQ"], date(2024, 1, 9), vendors=market[1]) == []  # before the report


def test_the_newest_finished_report_counts(market: tuple[Settings, Vendors], tmp_path: Path):
    falsifier, *_ = margin_falls(market)
    leave_report(tmp_path, falsifier)
    newest = leave_report(tmp_path, falsifier.model_copy(update={"threshold": 1.0}), day="2024-02-10")
    leave_report(tmp_path, falsifier, day="2024-03-10", status="failed")
    (found,) = falsifier_notices(market[0], ["VELQ"], date(2025, 3, 14), vendors=market[1])
    assert (found["run_id"], found["state"]) == (newest, "open")


async def test_a_watch_reports_what_fired_on_the_terminal_and_to_the_webhook(
    market: tuple[Settings, Vendors], tmp_path: Path
):
    falsifier, end, _ = margin_falls(market)
    leave_report(tmp_path, falsifier)
    WatchList(tmp_path).add(["VELQ"])
    record = await watch(batch_desk(tmp_path, batch_model()), "2025-03-14")
    assert [(one["state"], one["new"], one["period_end"]) for one in record["falsifiers"]] == [
        ("fired", True, end.isoformat())
    ]
    (sent,) = watch_payload(record)["data"]["falsifiers"]
    assert sent["condition"].startswith("gross margin of a quarter that ends by 2025-01-10 below")
    command = ["-m", "cli.main", "watch", "falsifiers", "--as-of", "2025-03-14", "--data-vendor", "simulated"]
    shown = run_warm([*command, "--home", str(tmp_path)])
    assert shown.returncode == 0
    assert "VELQ: It keeps its margin" in shown.stdout
    assert "fired, new: gross margin" in shown.stdout
