"""The rehearsal asks every vendor everything through its real client, and reports faults without any content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import AS_OF, SYMBOL, Source
from tests.dataflows.vendors.sec_payloads import accession, complete_text, entry, form13f, holding, submissions
from tests.support.fakes import RowsVendor, make_prices
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.reference.investors import find_investor, known_investors
from tradingagents.errors import UsageError, VendorDown
from tradingagents.service.doctor.rehearsal import INVESTOR, ProbeAnswer, VendorProbe, rehearse
from tradingagents.settings import Settings, load_settings

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


def rehearsed(source: Source, server: VendorServer, home: Path) -> VendorProbe:
    settings = load_settings({"home": home, "vendor_max_retries": 0, "vendor_timeout": 5.0}, environ={})
    vendors = Vendors(settings, {source.name: source.open(server, home, now=lambda: NOW)}, environ=source.environ)
    return rehearse(settings, source.environ, names=[source.name], symbol=SYMBOL, vendors=vendors, now=lambda: NOW)


def of_prices(home: Path, **vendor: object) -> tuple[ProbeAnswer, ...]:
    settings = Settings(home=home, vendor_max_retries=0)
    vendors = Vendors(settings, {"rows": RowsVendor(**vendor)})  # type: ignore[arg-type]
    found = rehearse(settings, {}, names=["rows"], symbol="ACME", vendors=vendors, now=lambda: NOW)
    return tuple(answer for answer in found.answers if answer.method == "get_stock_data")


@pytest.mark.parametrize("source", every_source(), ids=lambda source: source.name)
def test_every_vendor_is_asked_everything_it_answers(source: Source, server: VendorServer, tmp_path: Path):
    source.fill(server, None)
    found = rehearsed(source, server, tmp_path)
    assert {answer.method for answer in found.answers} == set(source.asks)
    assert {answer.outcome for answer in found.answers} <= {"answered", "empty", "not for past dates"}
    assert any(answer.rows and answer.last for answer in found.answers)
    written = json.dumps(found.to_json())
    assert not any(value in written for value in source.environ.values())


def test_the_text_of_the_newest_report_is_read(server: VendorServer, tmp_path: Path):
    source = next(one for one in every_source() if one.name == "sec_edgar")
    source.fill(server, None)
    (answer,) = (one for one in rehearsed(source, server, tmp_path).answers if one.method == "get_filing_document")
    assert answer.arguments == (SYMBOL, accession(8))
    assert (answer.outcome, answer.rows, answer.filled["content"]) == ("answered", 1, 1.0)


def test_the_holdings_of_a_known_investor_are_read(server: VendorServer, tmp_path: Path):
    source = next(one for one in every_source() if one.name == "sec_edgar")
    source.fill(server, None)
    cik = find_investor(INVESTOR, known_investors()).cik
    server.answer(complete_text(80, cik), Reply(form13f(holding("ACME", 1e9, 2e7)), content_type="text/plain"))
    filed = submissions(entry(80, "13F-HR", "2025-02-14T21:05:00.000Z"), name=f"{INVESTOR} INC")
    server.answer(f"/submissions/CIK{cik:010d}.json", filed)
    (answer,) = (one for one in rehearsed(source, server, tmp_path).answers if one.method == "get_holdings")
    assert (answer.outcome, answer.rows, answer.problems) == ("answered", 1, ())


@pytest.mark.parametrize("source", every_source(), ids=lambda source: source.name)
def test_a_vendor_that_is_down_is_told_for_every_question(source: Source, server: VendorServer, tmp_path: Path):
    server.failing = Reply("<html>down</html>", status=503)
    found = rehearsed(source, server, tmp_path)
    failed = [answer for answer in found.answers if answer.outcome not in ("not for past dates", "not in plan")]
    assert failed
    assert {answer.outcome for answer in failed} == {"failed"}
    assert all(answer.problems for answer in failed)
    assert found.exit_code == 4


def test_answers_that_cannot_be_read_keep_no_other_question_from_a_vendor(server: VendorServer, tmp_path: Path):
    source = next(one for one in every_source() if one.name == "finnhub")
    source.fill(server, None)
    sound = {answer.method: answer.outcome for answer in rehearsed(source, server, tmp_path / "sound").answers}
    for path in ("/stock/profile2", "/stock/metric", "/stock/peers"):  # the first three questions
        server.answer(path, Reply("<html>moved</html>"))
    found = {answer.method: answer.outcome for answer in rehearsed(source, server, tmp_path / "moved").answers}
    moved = {"get_profile", "get_fundamentals", "get_peers"}
    assert found == {**sound, **dict.fromkeys(moved, "failed")}


def test_a_vendor_that_sends_nothing_is_left_alone_after_three_questions(tmp_path: Path):
    source = next(one for one in every_source() if one.name == "finnhub")
    with vendor_server() as gone:
        vendor = source.open(gone, tmp_path, now=lambda: NOW)
    settings = load_settings({"home": tmp_path, "vendor_max_retries": 0}, environ={})
    vendors = Vendors(settings, {source.name: vendor}, environ=source.environ)
    found = rehearse(settings, source.environ, names=[source.name], symbol=SYMBOL, vendors=vendors, now=lambda: NOW)
    assert ["not asked" in answer.problems[0] for answer in found.answers[:5]] == [False, False, False, True, True]


def test_sound_prices_have_no_problem(tmp_path: Path):
    prices = make_prices(last=AS_OF)
    (answer,) = of_prices(tmp_path, prices={"ACME": prices})
    assert (answer.outcome, answer.problems, answer.last) == ("answered", (), AS_OF.isoformat())
    assert answer.sound


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (
            lambda prices: replace(prices, close=np.where(prices.days == prices.days[-3], 0.0, prices.close)),
            "1 fault of the kind docs/reference/data-faults.md#invalid-value",
        ),
        (
            lambda prices: replace(prices, close=np.where(prices.days == prices.days[-3], np.inf, prices.close)),
            "#invalid-value",
        ),
        (lambda prices: prices.upto(date(2025, 3, 12)), "newest bar is of 2025-03-12; the last session was 2025-03-14"),
        (
            lambda prices: replace(
                prices,
                **{
                    name: np.delete(getattr(prices, name), -4)
                    for name in ("days", "open", "high", "low", "close", "adj_close", "volume")
                },
            ),
            "1 sessions between the first and the last bar are missing",
        ),
    ],
    ids=["zero", "infinite", "late", "gap"],
)
def test_wrong_prices_are_named(tmp_path: Path, damage, problem: str):
    (answer,) = of_prices(tmp_path, prices={"ACME": damage(make_prices(last=AS_OF))})
    assert problem in " ".join(answer.problems)
    assert not answer.sound


def test_a_bug_in_a_vendor_ends_nothing_and_shows_no_text(tmp_path: Path):
    (answer,) = of_prices(tmp_path, error=KeyError("SECRET-in-the-text"))
    assert (answer.outcome, answer.problems) == ("bug", ("unexpected KeyError; please report it.",))
    (answer,) = of_prices(tmp_path, error=VendorDown("It is down; try again later."))
    assert (answer.outcome, answer.problems) == ("failed", ("It is down; try again later.",))


def test_a_vendor_without_its_key_is_told_and_an_unknown_one_refused(tmp_path: Path):
    settings = Settings(home=tmp_path)
    (answer,) = rehearse(settings, {}, names=["fred"], now=lambda: NOW).answers
    assert answer.outcome == "not configured"
    assert "FRED_API_KEY" in answer.problems[0]
    with pytest.raises(UsageError, match="did you mean finnhub"):
        rehearse(settings, {}, names=["finhub"])
