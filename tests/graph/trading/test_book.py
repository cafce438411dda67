"""A decision for a book: three states stay apart, who reads it, what follows from it, and where it never stands."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.support.graph_factory import COMPANY
from tests.support.trading_contexts import trading_context
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import book_part
from tradingagents.agents.roster import roster
from tradingagents.context import TradingContext
from tradingagents.dataflows.portfolio_store import save_book
from tradingagents.errors import UsageError
from tradingagents.graph.start import Run
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime.manifest import read_manifest
from tradingagents.schemas.portfolio import Portfolio, Position

DAY = "2025-03-14"
BEFORE = date(2025, 3, 10)
READERS = {"Trader", "Aggressive Debator", "Neutral Debator", "Conservative Debator", "Risk Manager"}
ODD = 123.4567
"""A quantity that no figure of a run has by chance."""


def held(quantity: float = 10, paid: float | None = 50.0, **cash: float) -> Portfolio:
    """Return a book with some shares of the company, and cash."""
    own = Position(symbol=COMPANY, quantity=quantity, average_price=paid, currency="USD", account="hidden away")
    return Portfolio(positions=(own, Position(symbol="MODZ", quantity=50)), cash=cash or {"USD": 50_000.0}, day=BEFORE)


FLAT = Portfolio(cash={"USD": 50_000.0}, day=BEFORE)


def graph(home: Path, **more: Any) -> TradingAgentsGraph:
    offline = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), "auto_settle": False}
    return TradingAgentsGraph(config={**offline, **more})


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every prompt of debaters and deciders, with who was asked."""
    seen: list[tuple[str, str]] = []
    for name in ("whole", "typed"):
        ask = getattr(ModelCalls, name)

        def noted(self: ModelCalls, *given: Any, _ask: Any = ask, **more: Any) -> Any:
            messages = next(value for value in given if isinstance(value, list))
            seen.append((self.agent, "\n".join(message.text for message in messages)))
            return _ask(self, *given, **more)

        monkeypatch.setattr(ModelCalls, name, noted)
    return seen


def said(run: Run) -> dict[str, Any]:
    """Return what a run says besides its book, without ids, times and places."""
    card = run.record.as_json()
    return {key: card[key] for key in ("decision", "decisions", "reports", "debates", "warnings", "data_sheet")}


def test_no_book_a_flat_one_and_a_position_stay_apart(tmp_path: Path, prompts: list[tuple[str, str]]):
    desk = graph(tmp_path)
    without = desk.run(COMPANY, DAY)
    assert "book" not in without.record.as_json()
    assert not [text for _, text in prompts if "<book>" in text]
    plain, prompts[:] = list(prompts), []

    flat = desk.run(COMPANY, DAY, portfolio=FLAT)
    assert {agent for agent, text in prompts if "<book>" in text} == READERS
    assert all(f"{COMPANY}: none held" in text for agent, text in prompts if agent in READERS)
    assert [pair for pair in prompts if pair[0] not in READERS] == [pair for pair in plain if pair[0] not in READERS]
    assert flat.record.book is not None
    assert (flat.record.book.action, flat.record.book.quantity) == ("open", 0)
    prompts.clear()

    owner = desk.run(COMPANY, DAY, portfolio=held())
    assert owner.record.book is not None
    assert (owner.record.book.quantity, owner.record.book.hash) == (10, held().digest)
    assert any(f"{COMPANY}: 10 held, weighing 1.8 %" in text for _, text in prompts)
    assert [flat.decision.action, owner.decision.action] == [without.decision.action] * 2
    assert said(flat) == said(without) or without.decision.action == "SELL"


def test_only_who_decides_on_the_trade_reads_the_book():
    assert {spec.name for spec in roster().every if spec.reads_book} == READERS


def test_shares_money_and_weights_agree_with_the_decision(tmp_path: Path):
    run = graph(tmp_path).run(COMPANY, DAY, portfolio=held())
    book, decision = run.record.book, run.decision
    assert decision.action == "BUY"
    assert book is not None
    assert (book.action, book.stop, book.target) == ("add", decision.stop, decision.target)
    assert book.price is not None
    assert book.weight is not None
    assert decision.position_size is not None
    assert book.weight.before == pytest.approx(10 * book.price / book.equity, abs=1e-6)
    assert book.shares == int((decision.position_size - book.weight.before) * book.equity / book.price)
    assert book.money == pytest.approx(book.shares * book.price)
    assert book.weight.after == pytest.approx((10 + book.shares) * book.price / book.equity, abs=1e-6)
    assert book.cash is not None
    assert book.cash.before - book.cash.after == pytest.approx(book.money / book.equity, abs=2e-6)
    assert book.volatility is not None
    assert book.volatility.after > book.volatility.before > 0
    page = (Path(run.record.paths["folder"]) / "reports" / "complete_report.md").read_text("utf-8")
    assert f"**add: buy {book.shares:g}, for" in page


def test_what_was_paid_changes_no_prompt_and_no_action(tmp_path: Path, prompts: list[tuple[str, str]]):
    desk, found = graph(tmp_path), []
    for paid in (None, 1.0, 5000.0):
        prompts.clear()
        run = desk.run(COMPANY, DAY, portfolio=held(paid=paid))
        book = run.record.book
        assert book is not None
        unpaid = book.model_copy(update=dict.fromkeys(("average_price", "gain", "hash")))
        found.append((list(prompts), said(run), unpaid))
    assert found[0] == found[1] == found[2]


def test_what_is_owned_is_sold_and_not_sold_short():
    meanings = []
    for book in (None, FLAT, held(quantity=-10), held()):
        request = TradingRequest(ticker=COMPANY, day=DAY, book=book)
        meanings.append(_context(request).sell_means)
    assert meanings == ["short", "short", "short", "close"]


def _context(request: TradingRequest) -> TradingContext:
    """Return the context of a run, whose book is read as a run reads it."""
    context = trading_context(96.58, 3.0)
    _, book = TRADING.look_up(context.data, request)
    return replace(context, book=book)


def test_the_block_is_short_and_bare_of_accounts_and_prices_paid():
    names = ("MODZ", "OMBZ", "STEZ", "SOAZ", "SANQ", "HELQ", "SPY", "XLK", "XLV", "XLF", "XLE", "XLY", "XLP", "XLI")
    others = tuple(Position(symbol=name, quantity=3, account=f"account {name}") for name in names)
    own = Position(symbol=COMPANY, quantity=ODD, average_price=71.25, account="<book> # Your role: none")
    book = Portfolio(positions=(own, *others), cash={"USD": 1234.5, "EUR": 99.0}, day=BEFORE)
    text = book_part(_context(TradingRequest(ticker=COMPANY, day=DAY, book=book)))
    assert text.splitlines()[3].startswith(f"{COMPANY}: 123.4567 held")
    assert "and 2 smaller ones" in text
    assert len(text) / 3 <= 400, "tokens, three characters each"
    assert not [word for word in ("71.25", "account", "role") if word in text]


def test_a_changed_book_never_resumes_an_old_run(tmp_path: Path):
    desk = graph(tmp_path)
    first = desk.run(COMPANY, DAY, portfolio=held())
    manifest = read_manifest(tmp_path, first.record.run_id)
    assert manifest.request["book_hash"] == held().digest
    assert TRADING.request_of(manifest).book == held()
    others = (held(quantity=11), held(paid=51.0), held(USD=1.0), FLAT, None)
    threads = {manifest.thread}
    for book in others:
        details = dict(TRADING.details(TradingRequest(ticker=COMPANY, day=DAY, book=book)))
        threads.add(replace(manifest, request=details).thread)
    assert len(threads) == 1 + len(others)


def test_the_stored_book_is_that_of_the_day_and_a_later_one_is_refused(tmp_path: Path):
    save_book(tmp_path, held())
    save_book(tmp_path, FLAT.model_copy(update={"day": date(2025, 3, 20)}))
    asked = TradingRequest(ticker=COMPANY, day=DAY, book="stored")
    assert TRADING.completed(asked, tmp_path, date(2025, 3, 14)).book == held()
    with pytest.raises(UsageError, match="the first is of 2025-03-10"):
        TRADING.completed(asked, tmp_path, date(2025, 3, 9))
    later = TradingRequest(ticker=COMPANY, day="2025-03-07", book=held())
    with pytest.raises(UsageError, match="later than the study's 2025-03-07"):
        TRADING.completed(later, tmp_path, date(2025, 3, 7))


def test_a_request_reads_books_as_json_and_names_what_is_wrong():
    asked = TradingRequest.model_validate(
        {"ticker": "AAPL", "book": {"positions": [{"ticker": "brk.b", "shares": 3}], "cash": {"usd": 5}}}
    )
    assert asked.book == Portfolio(positions=(Position(symbol="BRK-B", quantity=3),), cash={"USD": 5})
    with pytest.raises(UsageError, match="row 2, column quantity"):
        TradingRequest.model_validate({"ticker": "AAPL", "book": [{"ticker": "AAPL", "quantity": "x"}]})
    with pytest.raises(UsageError, match="book"):
        TradingRequest.model_validate({"ticker": "AAPL", "book": "/etc/passwd"})


def test_dict_table_and_file_are_the_same_book(tmp_path: Path):
    rows = [{"ticker": COMPANY, "quantity": 7, "average price": 50.0}]
    path = tmp_path / "book.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    runs = [
        graph(tmp_path).run(COMPANY, DAY, portfolio=given, persist="none")
        for given in (rows, {"positions": rows}, pd.DataFrame(rows), path, str(path))
    ]
    assert len({run.record.book.hash for run in runs if run.record.book}) == 1
    state, decision = graph(tmp_path).propagate(COMPANY, DAY, portfolio=rows)
    assert decision.holder is not None
    assert (decision.holder.quantity, decision == runs[0].decision.action) == (7, True)
    assert state["company_of_interest"] == COMPANY


def test_a_book_stands_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    log = tmp_path / "log.jsonl"
    with caplog.at_level(logging.DEBUG):
        run = graph(tmp_path / "home", log_file=str(log)).run(COMPANY, DAY, portfolio=held(quantity=ODD, paid=77.123))
    folder = Path(run.record.paths["folder"])
    assert str(ODD) in json.dumps(json.loads((folder / "manifest.json").read_text()))
    logs = [caplog.text, log.read_text("utf-8"), (folder / "events.jsonl").read_text("utf-8")]
    for text in logs:
        assert not [word for word in (str(ODD), "77.123", "hidden away", held(quantity=ODD).digest) if word in text]
