"""Answers are compared by kind, figures, texts of others and days, and not by wording."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.audit.made_backtests import made, services_of
from tests.features.backtest.audit.planted import SHORT
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.gateway.checks.validation import validate
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import NoData, VendorDown
from tradingagents.features.backtest.audit.answers import AuditedAnswer, ask, differing_rows, same, without_prose
from tradingagents.features.backtest.audit.futures import decide_alone
from tradingagents.features.backtest.audit.tampered_answers import TamperedFuture, tampered_vendor
from tradingagents.graph.trading.run import Run
from tradingagents.runtime.services import Services

DAY = date(2025, 3, 10)


def answer_of(home: Path, vendor: SimulatedVendor, name: str = "get_income_statement") -> AuditedAnswer:
    services = services_of(home, vendor)
    data = MarketData(services.settings, DAY, vendors=services.vendors)
    tool = built_in()[name]
    return ask(data, tool, tool.example_arguments("VELQ", DAY))


class NoneFiled(SimulatedVendor):
    """A vendor that has statements of later days only: the market cuts them off and words that itself."""

    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        return tuple(one for one in super().get_statements(symbol, kind, freq) if one.known_at.date() > DAY)


class NoneAtAll(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        raise NoData(f"I was recorded without statements of {symbol}.")


class Down(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        raise VendorDown("There is no server.")


class OneFigure(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        found = super().get_statements(symbol, kind, freq)
        first = next(number for number, one in enumerate(found) if one.known_at.date() < DAY)
        items = {name: value + 1e6 for name, value in found[first].items.items()}
        return (*found[:first], replace(found[first], items=items), *found[first + 1 :])


class OtherDay(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        return tuple(
            replace(one, known_at=one.known_at.replace(second=(one.known_at.second + 1) % 60))
            for one in super().get_statements(symbol, kind, freq)
        )


def test_two_wordings_of_no_data_mean_the_same_and_another_failure_does_not(tmp_path: Path):
    later, never, down = (answer_of(tmp_path, one()) for one in (NoneFiled, NoneAtAll, Down))
    assert later.words != never.words
    assert later.empty and never.empty  # noqa: PT018 - both or the test says nothing
    assert later.means(never)
    assert not later.means(down)
    assert not never.means(answer_of(tmp_path, SimulatedVendor()))


def test_a_figure_or_an_instant_that_differs_is_another_meaning(tmp_path: Path):
    plain = answer_of(tmp_path, SimulatedVendor())
    assert plain.means(answer_of(tmp_path, SimulatedVendor()))
    for vendor in (OneFigure(), OtherDay()):
        other = answer_of(tmp_path, vendor)
        assert not plain.means(other)
        expected, found = plain.difference(other)
        assert expected != found


def test_a_result_of_nothing_means_what_an_error_of_no_data_means():
    empty = AuditedAnswer("NewsResult", "No article is known.", {"rows": 0}, empty=True)
    error = AuditedAnswer("NoData", "NoData: the folder has none.", empty=True)
    full = AuditedAnswer("NewsResult", "One article.", {"rows": 1})
    assert empty.means(error)
    assert error.means(empty)
    assert not empty.means(full)
    assert not error.means(full)
    assert not empty.means(replace(empty, meaning={"rows": 0, "day": "2024-01-02"}))  # of the same kind all counts


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": [1.0, float("nan")]}, {"a": (1.0, float("nan"))}, True),
        ({"a": 1.0}, {"a": 1.0, "b": None}, False),
        ([1.0], [1.0, 1.0], False),
        (float("nan"), 0.0, False),
        ("2024-01-02", "2024-01-03", False),
    ],
)
def test_values_of_json_are_compared_whole(one: Any, other: Any, equal: bool):
    assert same(one, other) is equal


def test_rows_of_the_data_sheet_are_compared_without_their_notes_and_rows_of_nothing_are_none():
    row = {"method": "get_news", "symbol": "A", "vendor": "v", "rows": 3, "figures": {"articles": 3.0}, "notes": ["x"]}
    assert not list(differing_rows([row], [{**row, "notes": ["y"]}]))
    assert list(differing_rows([row], [{**row, "figures": {"articles": 4.0}}]))
    nothing = {**row, "rows": 0, "figures": {"articles": 0.0}}
    assert not list(differing_rows([nothing], []))
    assert list(differing_rows([row], []))


def test_a_decision_without_prose_is_what_it_asks_for():
    decision = {"action": "BUY", "confidence": 0.6, "stop": 90.0, "rationale": "words", "key_evidence": []}
    assert without_prose(decision) == {"action": "BUY", "confidence": 0.6, "stop": 90.0}


class WordsByWhatIsRecorded(SimulatedVendor):
    """As recorded data do: whether it ever had a statement shows in its words for having none."""

    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        every = super().get_statements(symbol, kind, freq)
        found = tuple(one for one in every if one.known_at.date() > date(2025, 6, 1))
        if not found:
            raise NoData(f"The folder has no {freq} {kind} statements of {symbol}; ask for others.")
        return found


def test_a_faultless_vendor_whose_words_for_no_data_differ_is_not_convicted(tmp_path: Path):
    """The audit of recorded data convicted it of `leak_fundamentals`: two wordings of no data."""
    report = made(tmp_path, SHORT, vendor=WordsByWhatIsRecorded(), decided=True).audited("futures", sample=1)
    assert not report.kinds, report.to_markdown()
    assert {one.kind for one in report.findings} == {"worded_otherwise"}


def test_splits_that_are_put_in_beneath_and_above_a_vendor_are_two():
    """Two of one ratio in a week read as one listed twice: every vendor made from another leaked its prices."""
    for day in (DAY, date(2025, 3, 31)):
        future = TamperedFuture(day, sessions().close_of(day), "changed")
        other = tampered_vendor(WordsByWhatIsRecorded(), future)
        found = other.get_stock_data("VELQ", date(2025, 1, 2), day)
        added = [one for one in found.splits if one.day > day]
        assert len({one.ratio for one in added}) == len(added) == 2
        plain = SimulatedVendor().get_stock_data("VELQ", date(2025, 1, 2), day)
        checked = validate(found, instant=future.instant, last=day).answer.upto(day).as_traded(day)
        assert np.array_equal(checked.close, plain.upto(day).as_traded(day).close)


async def _explains(services: Services, ticker: str, day: date) -> Run:
    """Decide as ever, and tell in the rationale what comes."""
    found = await decide_alone(services, ticker, day)
    later = services.vendors.get("simulated").get_stock_data(ticker, date(2025, 3, 1), date(2025, 4, 30))
    assert found.record.decision is not None
    changed = {"rationale": f"It will close at {later.close[-1]:.2f}."}
    decision = found.record.decision.model_copy(update=changed)
    return replace(found, record=found.record.model_copy(update={"decision": decision}))


def test_a_rationale_that_knows_the_future_is_a_leak_where_no_tool_says_it_otherwise(tmp_path: Path):
    report = made(tmp_path, SHORT, vendor=SimulatedVendor(), decided=True).audited(
        "futures", sample=1, decider=_explains
    )
    assert report.kinds == {"leak_decision"}
