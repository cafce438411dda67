"""Vendors that drifted: every case that `doctor replay` made is read, and the way from a report to a case works."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import NOW, SYMBOL
from tests.support.drift import asked_again
from tests.support.outside_server import outside_server
from tests.support.vendor_server import Reply, Request
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.responses.shapes import shape_of_body
from tradingagents.errors import UsageError, VendorDown
from tradingagents.files.atomic import as_json
from tradingagents.service.doctor.rehearsal import rehearse
from tradingagents.service.doctor.replay import replay
from tradingagents.settings import load_settings

DRIFT = Path(__file__).parent / "drift"
SOURCES = {source.name: source for source in every_source()}
SECRETS = ("SECRET", "Acme Quark", "Quarks sell well", "Jane Quark", "1234.5")


@pytest.mark.parametrize("case", sorted(DRIFT.glob("*.json")), ids=lambda case: case.stem)
def test_what_a_vendor_sent_somewhere_is_read(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert asked_again(case, tmp_path, monkeypatch) is not None


def reported(folder: Path, patch: pytest.MonkeyPatch, name: str, change: Any = None) -> Path:
    """Rehearse a vendor whose responses are changed, and return the file of it."""
    source = SOURCES[name]
    with outside_server(folder, patch) as server:
        source.fill(server.sites[name], None)
        server.mangle = change
        quick = {name: "1000/second"}
        settings = load_settings({"home": folder, "vendor_max_retries": 0, "vendor_rates": quick}, environ={})
        access = Vendors(settings, environ=source.environ).access(name)
        made: Any = source.kind
        vendors = Vendors(settings, {name: made(access, now=lambda: NOW)}, environ=source.environ)
        found = rehearse(settings, source.environ, names=[name], symbol=SYMBOL, vendors=vendors, now=lambda: NOW)
    file = folder / "report.json"
    file.write_text(as_json(found.to_json()), encoding="utf-8")
    return file


def served(*replies: tuple[str, Reply]) -> Any:
    def change(_: str, request: Request, reply: Reply) -> Reply:
        return next((own for part, own in replies if part in request.path), reply)

    return change


def renamed(old: str, new: str) -> Any:
    def change(_: str, request: Request, reply: Reply) -> Reply:
        return Reply(reply.bytes().replace(f'"{old}"'.encode(), f'"{new}"'.encode()), reply.status)

    return change


@pytest.mark.parametrize(
    ("name", "method", "field"),
    [
        ("finnhub", "get_earnings_calendar", "earningsCalendar"),
        ("alpha_vantage", "get_stock_data", "4. close"),
        ("alpha_vantage", "get_statements", "fiscalDateEnding"),
        ("sec_edgar", "get_profile", "accessionNumber"),
        ("sec_edgar", "get_filings", "accessionNumber"),  # its list of tickers came with an earlier question
        ("tavily", "get_news", "results"),
    ],
)
def test_a_field_that_is_called_otherwise_fails_again_as_a_case(
    name: str, method: str, field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = reported(tmp_path, monkeypatch, name, renamed(field, "another_name"))
    written = file.read_text(encoding="utf-8")
    assert "another_name" in written
    assert not any(secret in written for secret in SECRETS)
    cases = {case.method: case.path for case in replay(file, tmp_path / "drift")}
    again = tmp_path / "again"
    again.mkdir()
    with pytest.raises(VendorDown, match="cannot be read"):
        asked_again(cases[method], again, monkeypatch)


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("alpha_vantage", ("get_profile", "get_stock_data", "get_statements")),
        ("sec_edgar", ("get_profile",)),
    ],
)
def test_the_sound_answers_of_a_vendor_are_read_as_cases_too(
    name: str, methods: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = reported(tmp_path, monkeypatch, name)
    cases = {case.method: case.path for case in replay(file, tmp_path / "drift", every=True)}
    for method in methods:
        again = tmp_path / method
        again.mkdir()
        assert asked_again(cases[method], again, monkeypatch)
    told = json.loads(cases["get_profile"].read_text(encoding="utf-8"))
    assert told["responses"][0]["status"] == 200
    assert "Acme" not in json.dumps(told)


def test_what_no_reader_could_mend_makes_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    refused = served(
        ("/stock/profile2", Reply("Please sign in", status=401)),
        ("/stock/metric", Reply("Busy", status=503)),
        ("/calendar/earnings", Reply({"error": "slower"}, status=429)),
    )
    file = reported(tmp_path, monkeypatch, "finnhub", refused)
    outcomes = {one["method"]: one["outcome"] for one in json.loads(file.read_text("utf-8"))["answers"]}
    assert outcomes["get_profile"] == outcomes["get_fundamentals"] == "failed"
    assert outcomes["get_earnings_calendar"] == "rate limit"
    with pytest.raises(UsageError, match="nothing to replay"):
        replay(file, tmp_path / "drift")


def test_a_shape_holds_names_and_kinds_and_no_value():
    body = {
        "Meta": {"symbol": "ACMQ", "at": "2025-03-13T14:00:00Z"},
        "Series": {"2025-03-13": {"1. open": "12.5"}, "2025-03-12": {"1. open": "12.25", "note": None}},
        "rows": [{"price": 7.25, "when": 1741874400}, {"price": None}],
        "filing": "0000320193-24-000123",
    }
    shape = shape_of_body(json.dumps(body).encode(), "ACMQ")
    assert shape["fields"]["Meta"]["fields"] == {"symbol": {"kind": "symbol"}, "at": {"kind": "instant"}}
    assert shape["fields"]["Series"] == {
        "kind": "by key",
        "named_by": "day",
        "count": 2,
        "items": {
            "kind": "object",
            "fields": {"1. open": {"kind": "number as text", "in": 2}, "note": {"kind": "null", "in": 1}},
        },
    }
    assert shape["fields"]["filing"] == {"kind": "in parts, as 0000000000-00-000000"}
    assert shape["fields"]["rows"]["count"] == 2
    assert shape["fields"]["rows"]["items"]["fields"]["price"]["kinds"] == ["null", "number"]
    assert shape["fields"]["rows"]["items"]["fields"]["when"] == {"kind": "seconds or number", "in": 1}


def test_a_file_that_is_no_rehearsal_is_refused(tmp_path: Path):
    file = tmp_path / "x.json"
    for text in ("no json", "[]", json.dumps({"answers": []})):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="report of a live rehearsal"):
            replay(file, tmp_path / "drift")
    sound = {"made_at": datetime(2025, 3, 14, tzinfo=UTC).isoformat(), "session": "2025-03-14", "answers": []}
    file.write_text(json.dumps(sound), encoding="utf-8")
    with pytest.raises(UsageError, match="nothing to replay"):
        replay(file, tmp_path / "drift")
