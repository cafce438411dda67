"""Laws of a company's value: units, currency, share splits and the order of peers change nothing; a dollar is a dollar.

By `build_for_model` for random amounts, and by the question `valuation` on folders of a made-up market.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.capabilities.market import snapshot_market
from tests.support.fakes import make_prices
from tests.support.snapshot_folder import write_lines, write_prices, write_snapshot
from tests.support.tiers import examples
from tests.valuation.company.test_claims import RATES, SHEET, built, equity_value, per_share, sheet
from tests.valuation.company.test_facts import PROFILE, income
from tests.valuation.company.test_second_computation import synthetic_rows
from tests.valuation.random_inputs import number
from tradingagents.capabilities.valuation import valuation
from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation import ExcessReturnInputs, value_by_excess_returns
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.facts import company_facts
from tradingagents.valuation.company.results import CompanyValuation

CASES = settings(max_examples=examples(40), deadline=None)
MODELS: tuple[FittedModel, ...] = ("fcff", "excess_returns")
PEERS = ("CRGQ", "DOVQ", "ELMQ", "FERQ", "GANQ", "HAWQ")
Rows = list[dict[str, Any]]


@CASES
@given(number(0.001, 1000), st.sampled_from(MODELS))
def test_a_scale_of_money_scales_the_value_of_a_share(factor: float, model: FittedModel) -> None:
    assert per_share(built(model=model, money=factor)) == pytest.approx(factor * per_share(built(model=model)))


@CASES
@given(number(0.01, 100), st.sampled_from(MODELS))
def test_a_share_split_divides_the_value_of_a_share(factor: float, model: FittedModel) -> None:
    assert per_share(built(model=model, shares=factor)) == pytest.approx(per_share(built(model=model)) / factor)


@CASES
@given(number(0.001, 1000), st.sampled_from(MODELS))
def test_units_of_money_and_shares_change_nothing(factor: float, model: FittedModel) -> None:
    scaled = per_share(built(model=model, money=factor, shares=factor))
    assert scaled == pytest.approx(per_share(built(model=model)))


@CASES
@given(number(0.01, 100))
def test_a_reporting_currency_changes_nothing(rate: float) -> None:
    """Statements in another currency, at the day's rate, say what they say in the currency of the price."""
    home = [income(), [sheet()]]
    abroad = [[_in_currency(row, rate) for row in rows] for rows in home]
    worth = []
    for (rows, sheets), exchange in ((home, 1.0), (abroad, rate)):
        facts = company_facts(make_prices("ACMQ"), rows, sheets, [], PROFILE, exchange_rate=exchange)
        worth.append(per_share(build_for_model("fcff", facts, RATES, {}, as_of=date(2025, 3, 14))))
    assert worth[1] == pytest.approx(worth[0])


def _in_currency(row: Any, rate: float) -> Any:
    """Return a statement in a currency of which one unit is worth `rate`; shares stay."""
    items = {name: value if name.startswith("shares") else value / rate for name, value in row.items.items()}
    return replace(row, items=items)


@CASES
@given(number(0.01, 30), st.sampled_from(("cash", "short_term_investments", "long_term_investments")))
def test_a_dollar_of_cash_or_securities_adds_a_dollar(dollars: float, item: str) -> None:
    """Paid in by nobody: the equity of the sheet rises with it, so that the operations stay what they are."""
    richer = equity_value(built({item: dollars, "equity": dollars}))
    assert richer - equity_value(built()) == pytest.approx(dollars, abs=1e-6)


@CASES
@given(number(0.01, 30))
def test_a_dollar_of_preferred_stock_takes_a_dollar_of_a_firm(dollars: float) -> None:
    poorer = equity_value(built({"preferred_equity": dollars}))
    assert equity_value(built()) - poorer == pytest.approx(dollars, abs=1e-6)


@CASES
@given(number(0.01, 30))
def test_a_dollar_of_preferred_stock_takes_a_dollar_of_a_bank(dollars: float) -> None:
    """Of its book equity; at a return equal to the cost, for ever, of its value too."""
    costs = {"return_on_equity": 0.10, "stable_return_on_equity": 0.10, "stable_cost_of_equity": 0.10}
    costs |= {"risk_free": 0.04, "equity_premium": 0.06, "beta": 1.0}
    before, after = (
        built(changes, costs, model="excess_returns").inputs for changes in ({}, {"preferred_equity": dollars})
    )
    assert isinstance(before, ExcessReturnInputs)
    assert isinstance(after, ExcessReturnInputs)
    assert before.book_equity - after.book_equity == pytest.approx(dollars)
    worth = [value_by_excess_returns(one).equity_value for one in (before, after)]
    assert worth[0] == pytest.approx(SHEET["equity"] - SHEET["preferred_equity"])
    assert worth[0] - worth[1] == pytest.approx(dollars)


def answer_of(
    folder: Path,
    *,
    change: Callable[[Rows], Rows] = list,
    price: float = 1.0,
    order: Sequence[str] = PEERS,
    sheet_changes: Mapping[str, float] | None = None,
) -> CompanyValuation:
    """Ask about ACMQ with six peers in a folder where its statements, price or the order of its peers are changed."""
    write_snapshot(folder)
    own = change(synthetic_rows({}, sheet_changes or {}))
    others: Rows = []
    for place, symbol in enumerate(PEERS):
        rows = synthetic_rows({}, {"total_debt": 300.0 * place})
        others += [row | {"symbol": symbol} for row in rows]
    write_lines(folder / "statements.jsonl.gz", [*own, *others])
    profiles = json.loads((folder / "profiles.json").read_text("utf-8"))
    for symbol in ("ACMQ", *PEERS):
        profiles[symbol] |= {"sector": "Industrials", "industry": "Tools"}
    peers = {symbol: profiles.pop(symbol) for symbol in PEERS}
    ordered = {symbol: peers[symbol] for symbol in order} | profiles
    (folder / "profiles.json").write_text(json.dumps(ordered), encoding="utf-8")
    if price != 1:
        _scale_prices(folder, price)
    return valuation.ask(snapshot_market(folder), ticker="ACMQ")


def _scale_prices(folder: Path, factor: float) -> None:
    rows = pq.read_table(folder / "prices.parquet").to_pylist()
    for row in rows:
        if row["symbol"] == "ACMQ":
            row |= {name: row[name] * factor for name in ("open", "high", "low", "close", "adj_close")}
    write_prices(folder, rows)
    actions = (folder / "actions.csv").read_text("utf-8").splitlines()
    paid = [line.split(",") for line in actions[1:]]
    changed = [",".join((*line[:3], str(float(line[3]) * factor))) for line in paid]
    (folder / "actions.csv").write_text("\n".join((actions[0], *changed)) + "\n", encoding="utf-8")


def _times(rows: Rows, money: float, shares: float = 1.0) -> Rows:
    def scaled(name: str, value: float) -> float:
        if name.startswith("shares"):
            return value * shares
        return value * (money / shares if name.startswith("eps") else money)

    return [row | {"items": {name: scaled(name, value) for name, value in row["items"].items()}} for row in rows]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> CompanyValuation:
    return answer_of(tmp_path_factory.mktemp("plain"))


def test_by_the_question_a_scale_of_money_scales_the_value(plain: CompanyValuation, tmp_path: Path) -> None:
    found = answer_of(tmp_path, change=lambda rows: _times(rows, 2.0), price=2.0)
    assert found.value_per_share == pytest.approx(2 * plain.value_per_share, rel=1e-6)
    assert found.upside == pytest.approx(plain.upside, rel=1e-6)


def test_by_the_question_a_share_split_halves_the_value(plain: CompanyValuation, tmp_path: Path) -> None:
    found = answer_of(tmp_path, change=lambda rows: _times(rows, 1.0, shares=2.0), price=0.5)
    assert found.value_per_share == pytest.approx(plain.value_per_share / 2, rel=1e-6)
    assert found.upside == pytest.approx(plain.upside, rel=1e-6)


@pytest.mark.parametrize("order", list(permutations(PEERS))[:: 719 // 3])
def test_by_the_question_the_order_of_peers_changes_nothing(
    plain: CompanyValuation, order: tuple[str, ...], tmp_path: Path
) -> None:
    assert all(symbol in " ".join(row.source for row in plain.assumptions) for symbol in PEERS)
    found = answer_of(tmp_path, order=order)
    assert found.value_per_share == pytest.approx(plain.value_per_share, rel=1e-12)


def test_by_the_question_a_dollar_of_cash_adds_a_dollar(plain: CompanyValuation, tmp_path: Path) -> None:
    """50 million, half a dollar for each of 100 million shares, over all sheets: equity, assets and cash."""
    more = {"cash": 450.0, "equity": 3050.0, "total_assets": 6050.0}
    found = answer_of(tmp_path, sheet_changes=more)
    assert found.value_per_share - plain.value_per_share == pytest.approx(0.5, abs=1e-6)


def test_by_the_question_a_dollar_of_preferred_stock_takes_a_dollar(plain: CompanyValuation, tmp_path: Path) -> None:
    found = answer_of(tmp_path, sheet_changes={"preferred_equity": 50.0})
    assert plain.value_per_share - found.value_per_share == pytest.approx(0.5, abs=1e-6)
