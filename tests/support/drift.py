"""Answers that a vendor gave somewhere and we could not read: cases that `doctor replay` made, asked of the reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from tests.support.outside_server import outside_server
from tests.support.vendor_server import Reply, Request
from tradingagents.dataflows.gateway.registry import BUILT_IN, vendor_class
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.client import YahooSession
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData, NotForPastDate, NotInPlan
from tradingagents.settings import load_settings

KEYS = {
    **{name: "made-up-0123456789abcdef" for known in BUILT_IN.values() for name in (*known.needs, *known.takes)},
    "EDGAR_IDENTITY": "Jane Doe jane@example.com",
}


def asked_again(case: Path, folder: Path, patch: pytest.MonkeyPatch) -> Any:
    """Ask the vendor of a case what was asked then, and return what it answers to the responses of that shape.

    () where it reads them and finds nothing that fits, since days and words are made up, or nothing of that time.

    Raises:
        TradingAgentsError: The reader still cannot read them.
    """
    told = json.loads(case.read_text(encoding="utf-8"))
    made_at = datetime.fromisoformat(told["made_at"])
    with outside_server(folder, patch) as server:
        left, before = list(told["responses"]), told["before"]

        def sent(_: str, request: Request, reply: Reply) -> Reply:
            fitting = [one for one in left if _is_of(one, request)] or [one for one in before if _is_of(one, request)]
            if not fitting:
                return reply
            if sum(_is_of(one, request) for one in left) > 1:  # in the order in which they were sent
                left.remove(fitting[0])
            return Reply(fitting[0]["body"], fitting[0]["status"], content_type="application/json")

        server.mangle = sent
        vendor = _opened(told["vendor"], folder, made_at)
        try:
            return getattr(vendor, told["method"])(*map(_argument, told["arguments"]))
        except (NoData, NotForPastDate, NotInPlan):
            return ()


def _is_of(response: Mapping[str, Any], request: Request) -> bool:
    pattern, names = response["path"], set(response["query"])
    return (fnmatchcase(request.path, pattern) or fnmatchcase(pattern, f"*{request.path}")) and names <= {
        *request.query,
        "crumb",
    }


def _opened(name: str, folder: Path, now: datetime) -> Vendor:
    if name == "yfinance":
        return YFinanceVendor(timeout=5.0, cache_dir=folder / "yahoo", session=YahooSession(), now=lambda: now)
    kind: Any = vendor_class(name)
    quick = {name: "1000/second"}
    settings = load_settings({"home": folder, "vendor_timeout": 5.0, "vendor_rates": quick}, environ={})
    return kind(Vendors(settings, environ=KEYS).access(name), now=lambda: now)


def _argument(text: str) -> Any:
    for kind in (date, datetime):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    return text
