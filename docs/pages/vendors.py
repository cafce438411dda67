"""The page of data vendors: who they are, what they need, how often they may be asked, and which of them has what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.markdown import code, page, table
from tradingagents.dataflows.gateway.registry import BUILT_IN
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.settings import CATEGORIES, DEFAULT_DATA_VENDORS, DEFAULT_TOOL_VENDORS, Settings

INTRODUCTION = """
A vendor is who answers. [How one is chosen](../concepts/data-and-time.md#who-answers); [what stands between them and
a run](../concepts/trust.md): rates, retries, circuit breaker, cache. Each has a page with its endpoints, limits and
quirks. `tradingagents doctor` says which of them answer here, and what each tool would use.
"""
NEEDS_WORDS = """
## What each needs

Variables are read from the environment or `.env`. Rates are those of the free plan, counted per key across
processes; `vendor_rates` may name more.
"""
HAS_WORDS = """
## Which has what

✓: for any day it has data for. *today*: it knows today only, and is passed over for a past date. Empty: it has none,
and says so. The five marked methods may fall back to the next vendor of a list when one fails.
"""
CHOSEN_WORDS = """
## Who is asked

Of a list the first that has its key, has the method and may answer for the day is asked. `data_vendor` puts one
vendor for everything.
"""


def vendors_page() -> str:
    """Return the page."""
    made = {name: _make(name) for name in BUILT_IN}
    return page(
        "Data vendors",
        INTRODUCTION,
        NEEDS_WORDS,
        _needs(),
        CHOSEN_WORDS,
        _chosen(),
        HAS_WORDS,
        _has({name: vendor for name, vendor in made.items() if vendor is not None}),
    )


def _make(name: str) -> Vendor | None:
    """Make a vendor with keys that stand for any; nothing is asked of it."""
    known = BUILT_IN[name]
    if name == "snapshot":
        from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

        return object.__new__(SnapshotVendor)  # the page asks for its methods only, and it has no folder here
    keys = dict.fromkeys((*known.needs, *known.takes), "any any@example.org")
    return known.make(Access(name, settings=Settings(), environ=keys, url=known.url))


def _needs() -> str:
    rows = []
    for name, known in BUILT_IN.items():
        variables = [*map(code_of, known.needs), *(f"{code_of(one)} (optional)" for one in known.takes)]
        link = f"[`{name}`]({_page_of(name)})"
        rows.append([link, ", ".join(variables) or "—", known.rates or "—", _terms(known.terms, known.sign_up)])
    return table(("vendor", "variables", "rates", "terms; where to get a key"), rows)


def _page_of(name: str) -> str:
    pages = {"snapshot": "snapshot-format.md", "simulated": "../concepts/simulated-market.md"}
    return pages.get(name, f"../vendors/{name}.md")


def _terms(terms: str, sign_up: str) -> str:
    return "; ".join(part for part in (terms.removesuffix("."), sign_up) if part) or "—"


def code_of(word: str) -> str:
    """Return a word as code."""
    return f"`{word}`"


def _chosen() -> str:
    rows = [[code_of(category), code(DEFAULT_DATA_VENDORS[category].split(","))] for category in CATEGORIES]
    rows += [[code_of(tool), code(vendors.split(","))] for tool, vendors in DEFAULT_TOOL_VENDORS.items()]
    return table(("category or tool", "asked, in order"), rows)


def _has(made: Mapping[str, Vendor]) -> str:
    rows = []
    for method in METHODS.values():
        cells = [_cell(vendor, method) for vendor in made.values()]
        shown = code_of(method.name) + (" (falls back)" if method.fungible else "")
        rows.append([shown, code_of(method.category), *cells])
    return table(("method", "category", *map(code_of, made)), rows)


def _cell(vendor: Vendor, method: VendorMethod[..., Any]) -> str:
    if not vendor.implements(method):
        return "our list" if method.default_answer else ""
    if method.point_in_time == "today" and not vendor.local:
        return "*today*"
    return "*today*" if method.name in vendor.live_only or method.vendor_name in vendor.live_only else "✓"
