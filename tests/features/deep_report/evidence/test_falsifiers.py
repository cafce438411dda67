"""Falsifiers: how they are made, and that each is met by the right filing and never before it."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.features.deep_report.evidence.items import item
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Profile
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated.vendor import SimulatedVendor
from tradingagents.dataflows.vendors.snapshot.folder import known_from
from tradingagents.errors import UsageError
from tradingagents.features.deep_report.capabilities.falsifiers import (
    FalsifierReplay,
    figure_history,
    replay_falsifiers,
)
from tradingagents.features.deep_report.evidence.falsifiers import CompanyRecord, falsifiers_of, outcome_of
from tradingagents.features.deep_report.report.hypotheses import falsifier_blocks
from tradingagents.features.deep_report.schemas.falsifiers import Falsifier, FalsifierDraft
from tradingagents.reports.document import Bullets, Line
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem
from tradingagents.settings import Settings, load_settings

FIRST, LAST = date(2022, 1, 1), date(2025, 7, 24)


@pytest.fixture(scope="module")
def simulated() -> tuple[Settings, Vendors]:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return settings, Vendors(settings)


def replayed(
    market: tuple[Settings, Vendors], symbol: str, conditions: str, *, start: date = FIRST, until: date = LAST
) -> FalsifierReplay:
    data = MarketData(market[0], until, vendors=market[1])
    return replay_falsifiers.ask(data, ticker=symbol, conditions=conditions, start_date=start, end_date=until)


def test_a_quarter_is_met_by_its_own_filing_and_not_the_day_before(simulated: tuple[Settings, Vendors]):
    rows = MarketData(simulated[0], LAST, vendors=simulated[1]).statement_versions("VELQ", "income")
    margins = {row.period_end: 100 * row.items["gross_profit"] / row.items["revenue"] for row in rows}
    filed = {row.period_end: row.known_at for row in rows}
    ends = sorted(end for end in margins if end > FIRST)
    threshold = sorted(margins[end] for end in ends)[2]  # two quarters lie below it
    end = next(day for day in ends if margins[day] < threshold)
    (met,) = replayed(simulated, "VELQ", f"gross_margin below {threshold}").outcomes
    assert met.state == "fired"
    assert met.event is not None
    assert (met.event.period_end, met.event.known_at) == (end, filed[end])
    assert met.event.value == pytest.approx(margins[end])
    by_item = {(cell.item, cell.period_end): cell.value for cell in met.event.cells}
    assert 100 * by_item["gross_profit", end] / by_item["revenue", end] == pytest.approx(met.event.value)
    day = filed[end].date()
    before = sessions().on_or_before(day - timedelta(days=1))
    assert sessions().close_of(before) < filed[end]
    (early,) = replayed(simulated, "VELQ", f"gross_margin below {threshold}", until=before).outcomes
    assert early.state == "open"


def test_a_price_is_met_at_the_first_close_beyond_it(simulated: tuple[Settings, Vendors]):
    start = date(2024, 3, 1)
    data = MarketData(simulated[0], LAST, vendors=simulated[1])
    bars = data.prices("VELQ", days=(LAST - start).days).since(start + timedelta(days=1))
    threshold = float(bars.close.min()) * 1.01
    day = next(day for day, close in zip(bars.days.tolist(), bars.close, strict=True) if close < threshold)
    (met,) = replayed(simulated, "VELQ", f"price below {threshold}", start=start).outcomes
    assert met.event is not None
    assert (met.event.period_end, met.event.known_at) == (day, sessions().close_of(day))


class WithoutBars(SimulatedVendor):
    """A market in which a company has no bar of some sessions."""

    def __init__(self, symbol: str, *missing: date) -> None:
        super().__init__()
        self._gone = (symbol, np.array(missing, "datetime64[D]"))

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found, (without, days) = super().get_stock_data(symbol, start, end), self._gone
        left = ~np.isin(found.days, days) if symbol == without else np.ones(len(found), dtype=np.bool_)
        names = ("open", "high", "low", "close", "adj_close", "volume")
        return replace(found, days=found.days[left], **{name: getattr(found, name)[left] for name in names})


START, DAYS = date(2025, 3, 3), sessions().between(date(2025, 3, 4), LAST)


def without_bars(simulated: tuple[Settings, Vendors], conditions: str, *missing: date) -> FalsifierReplay:
    market = (simulated[0], Vendors(simulated[0], {"simulated": WithoutBars("VELQ", *missing)}, environ={}))
    return replayed(market, "VELQ", conditions, start=START)


@pytest.mark.parametrize("gone", [slice(0, 1), slice(0, 4), slice(0, 40), slice(30, 31)], ids=str)
def test_a_condition_is_not_judged_from_the_first_close_that_is_not_known(
    simulated: tuple[Settings, Vendors], gone: slice
):
    """Of closes that begin a few days late, of a hole, and of a bar that is left out: each may have met it first."""
    first = DAYS[gone][0]
    answer = without_bars(simulated, "price above 1; price below 1", *DAYS[gone])
    early, never = answer.outcomes
    if gone.start:
        assert early.event is not None
        assert early.event.period_end == DAYS[0]
    else:
        assert (early.state, early.event, early.last) == ("open", None, None)
    assert (never.state, never.event, never.last) == ("open", None, None)
    assert {figure.name: figure.value for figure in answer.figures()}["conditions_met"] is None
    (note,) = [note for note in answer.notes if "not judged" in note]
    assert note.startswith(f"Conditions on closes are not judged from {first} on: no close of VELQ")
    assert "below 1.00 USD | not judged | n/a |" in answer.body()


class InAnotherCurrency(SimulatedVendor):
    """The simulated market with one company's bars since a day times seven."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        factor = np.where((found.days >= np.datetime64("2025-01-15")) & (symbol == "VELQ"), 7.2, 1.0)
        names = ("open", "high", "low", "close", "adj_close")
        return replace(found, **{name: getattr(found, name) * factor for name in names})


def test_a_condition_is_not_judged_by_closes_whose_level_is_in_doubt_since_before_the_window(
    simulated: tuple[Settings, Vendors],
):
    market = (simulated[0], Vendors(simulated[0], {"simulated": InAnotherCurrency()}, environ={}))
    answer = replayed(market, "VELQ", "price above 1", start=START)
    assert "2025-01-15" in " ".join(answer.notes)
    assert "above 1.00 USD | not judged | n/a |" in answer.body()


def test_a_missing_bar_outside_of_the_window_does_not_matter(simulated: tuple[Settings, Vendors]):
    answer = without_bars(simulated, "price above 1; price below 1", date(2025, 3, 3))
    met, never = answer.outcomes
    assert met.event is not None
    assert met.event.period_end == DAYS[0]
    assert (never.state, never.last is None) == ("open", False)
    assert not answer.unjudged


def test_a_condition_expires_only_where_every_close_is_known(simulated: tuple[Settings, Vendors]):
    data = MarketData(simulated[0], LAST, vendors=simulated[1])
    history = figure_history(data, "VELQ", days=300)
    assert history.prices is not None
    (asked,) = replayed(simulated, "VELQ", "price below 1", start=START).outcomes
    ended = asked.falsifier.model_copy(update={"by": DAYS[50]})
    assert outcome_of(ended, history, data.cutoff.instant).state == "expired"
    assert history.unknown_close(START, DAYS[50]) is None
    without = replace(history, prices=history.prices.since(DAYS[2]))
    assert without.unknown_close(START, DAYS[50]) == DAYS[0]
    assert without.unknown_close(DAYS[1], DAYS[50]) is None
    assert outcome_of(ended, without, data.cutoff.instant).state == "open"
    silent = replace(history, prices=replace(history.prices.since(DAYS[1]), untraded=(DAYS[0],)))
    before = DAYS[0] - timedelta(days=4)
    assert silent.unknown_close(before, before + timedelta(days=1)) is None, "no session"
    assert silent.unknown_close(START, DAYS[50]) == DAYS[0], "what the price was when the window began is not known"
    bars = history.prices
    left = [number for number, day in enumerate(bars.days.tolist()) if day != DAYS[5]]
    columns = {name: getattr(bars, name)[left] for name in ("days", "open", "high", "low", "close", "adj_close")}
    halted = replace(history, prices=replace(bars, **columns, volume=bars.volume[left], untraded=(DAYS[5],)))
    assert halted.unknown_close(START, DAYS[50]) is None, "without a trade there is no close"


def test_words_that_are_no_condition_are_refused(simulated: tuple[Settings, Vendors]):
    for words in ("gross margin below 43", "gross_margin under 43", "luck above 1", "price above nan", ";"):
        with pytest.raises(UsageError):
            replayed(simulated, "VELQ", words)


def test_proposals_words_and_drivers_become_falsifiers(simulated: tuple[Settings, Vendors]):
    data = MarketData(simulated[0], date(2025, 3, 14), vendors=simulated[1])
    record = CompanyRecord(figure_history(data, "VELQ", days=400), data.cutoff.instant, "USD")
    drafts = [
        FalsifierDraft(figure="net_margin", comparison="below", threshold=20, by=date(2025, 9, 30)),
        FalsifierDraft(figure="mood", comparison="below", threshold=1),
    ]
    growing = _effect("growth", 0.02)
    found, refused = falsifiers_of(
        "H-1", "It sells well. A gross margin below 43% would prove it wrong.", [growing], record, proposed=drafts
    )
    assert [(falsifier.figure, falsifier.comparison, falsifier.origin) for falsifier in found] == [
        ("net_margin", "below", "model"),
        ("gross_margin", "below", "thesis"),
        ("revenue_yoy", "below", "evidence"),
    ]
    assert found[0].by == date(2025, 9, 30)
    assert found[1].threshold == 43
    growth = [figure.value for figure in record.known("revenue_yoy")][-8:]
    assert min(growth) - 0.1 <= found[2].threshold <= min(growth)
    assert all(falsifier.after == date(2024, 10, 31) for falsifier in found)
    assert ["'mood'" in why for why in refused] == [True]
    (falling,), _ = falsifiers_of("H-2", "Its growth ends.", [_effect("growth", -0.02)], record)
    assert (falling.comparison, falling.threshold >= max(growth)) == ("above", True)


def test_what_is_dear_and_speaks_against_a_hypothesis_does_not_turn_it_round(simulated: tuple[Settings, Vendors]):
    """Investment that leaves less for shareholders is no hope for less cash flow."""
    data = MarketData(simulated[0], date(2025, 3, 14), vendors=simulated[1])
    record = CompanyRecord(figure_history(data, "VELQ", days=400), data.cutoff.instant, "USD")
    spent = _effect("capital_intensity", -0.02).model_copy(update={"direction": "contradicts"})
    (falsifier,), _ = falsifiers_of("H-3", "Free cash flow covers what is paid out.", [spent], record)
    assert (falsifier.figure, falsifier.comparison) == ("ttm_free_cash_flow", "below")


def test_a_condition_that_the_last_value_meets_is_named_apart(simulated: tuple[Settings, Vendors]):
    data = MarketData(simulated[0], date(2025, 3, 14), vendors=simulated[1])
    record = CompanyRecord(figure_history(data, "VELQ", days=400), data.cutoff.instant, "USD")
    thesis = (
        "It grows. Growth of a quarter below 99% would prove it wrong. A gross margin below 3% would prove it wrong."
    )
    found, _ = falsifiers_of("H-4", thesis, [], record)
    stored = [falsifier.model_dump(mode="json") for falsifier in found]
    assert [falsifier["id"] for falsifier in stored] == [falsifier.id for falsifier in found]
    hypothesis: Any = SimpleNamespace(falsifiers=[Falsifier.model_validate(falsifier) for falsifier in stored])
    ahead, (ahead_line,), met, (already,) = [
        block.lines if isinstance(block, Bullets) else block.markdown
        for block in falsifier_blocks(hypothesis)
        if isinstance(block, Bullets | Line)
    ]
    assert (ahead, met) == ("**Proved wrong by**", "**Already against it**")
    assert ahead_line.startswith("Gross margin of a quarter that ends by 2026-03-14 below 3.00% (last ")
    assert already.startswith("Year-on-year revenue growth was 20.74% in the period to 2024-10-31, below 99.00%.")


def _effect(driver: Any, change: float) -> EvidenceItem:
    return item().model_copy(update={"direction": "supports", "effect": DriverEffect(driver=driver, change=change)})


@pytest.mark.real_data
def test_recorded_filings_of_2022_to_2025_meet_conditions_at_the_right_filing_and_none_early(test_data: Path):
    folder = test_data / "snapshot"
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    market = (settings, Vendors(settings))
    met = expected_met = 0
    for symbol, quarters in sorted(_margins(folder).items()):
        values = sorted(value for _, value, _ in quarters)
        thresholds = [values[len(values) // 4] + 1e-9, values[0] - 1]
        words = "; ".join(f"operating_margin below {threshold!r}" for threshold in thresholds)
        answer = replayed(market, symbol, words)
        for threshold, outcome in zip(thresholds, answer.outcomes, strict=True):
            right = next((quarter for quarter in quarters if quarter[1] < threshold), None)
            expected_met += right is not None
            if right is None:
                assert outcome.state != "fired", (symbol, threshold, outcome)
                continue
            assert outcome.event is not None, (symbol, threshold)
            assert (outcome.event.period_end, outcome.event.known_at) == (right[0], right[2]), symbol
            met += 1
            before = sessions().on_or_before(right[2].date() - timedelta(days=1))
            early = replayed(market, symbol, f"operating_margin below {threshold!r}", until=before)
            assert early.outcomes[0].state == "open", symbol
    assert met == expected_met >= 15


def _margins(folder: Path) -> dict[str, list[tuple[date, float, datetime]]]:
    """Return quarter end, operating margin and instant of filing by company, in the order of filing; read apart."""
    found: dict[str, dict[date, tuple[float, datetime]]] = defaultdict(dict)
    with gzip.open(folder / "statements.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            items, end = row["items"], date.fromisoformat(row["period_end"])
            usable = row["statement"] == "income" and row["period"] == "quarterly" and row["source"] == "polygon"
            if usable and items.get("revenues") and "operating_income_loss" in items and FIRST < end <= LAST:
                filed = (  # without a time of day it counts from the next open on, without a day after the 10-K is due
                    known_from(row["filed_at"], "XNYS")
                    if row["filed_at"]
                    else sessions().known_after(end + timedelta(days=90))
                )
                margin = 100 * items["operating_income_loss"] / items["revenues"]
                if end not in found[row["symbol"]] or filed < found[row["symbol"]][end][1]:
                    found[row["symbol"]][end] = (margin, filed)
    by_filing = {
        symbol: sorted(((end, value, filed) for end, (value, filed) in margins.items()), key=lambda each: each[2])
        for symbol, margins in found.items()
    }
    cutoff = sessions().close_of(LAST)
    return {
        symbol: [quarter for quarter in each if quarter[2] <= cutoff]
        for symbol, each in by_filing.items()
        if len(each) > 4
    }


class OfAnotherName(SimulatedVendor):
    """The simulated market in which profiles are withheld, as those of another company are."""

    def get_profile(self, symbol: str) -> Profile:
        return replace(super().get_profile(symbol), withheld=f"{symbol}: its profile calls it Apple.")


def test_conditions_on_gross_figures_are_not_judged_where_the_profile_is_another_company_s(
    simulated: tuple[Settings, Vendors],
):
    """A bank or insurer has no gross profit, and nothing else says whether the company is one."""
    market = (simulated[0], Vendors(simulated[0], {"simulated": OfAnotherName()}, environ={}))
    gross = replayed(market, "VELQ", "gross_margin below 200", start=START)
    assert gross.unjudged
    assert any("its profile calls it" in note for note in gross.notes)
    assert not replayed(market, "VELQ", "net_margin below 200", start=START).unjudged
    assert not replayed(simulated, "VELQ", "gross_margin below 200", start=START).unjudged
