"""Check which vendors are configured and answer, and which one would answer each method today and for a past day."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from typing import Any

from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.dataflows.gateway.router import Vendors, candidates
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import (
    ConfigurationError,
    DataError,
    NotInPlan,
    TradingAgentsError,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.settings import Settings

PATIENCE = 10.0
"""Maximum time for one vendor to answer, in seconds."""
SYMBOL = "AAPL"
SERIES = "UNRATE"
DOWN = ("does not answer", "refuses the key")
PAST_DAYS = 90
"""Age in days of the day used to check questions about the past."""


@dataclass(frozen=True, slots=True)
class VendorState:
    """The state of one vendor."""

    name: str
    used: bool
    """Whether the settings name it for any method."""
    state: str
    """`answers`, `local`, `not asked`, `not configured`, or one of `DOWN`."""
    seconds: float | None = None
    """Response time; `None` if the vendor was not asked."""
    trouble: str = ""
    """Why it cannot be used, with the way out."""


@dataclass(frozen=True, slots=True)
class VendorChain:
    """The vendor that would answer a method on a day."""

    vendor: str | None
    """`None` if no vendor would answer."""
    trouble: str = ""
    """Why no vendor would answer, or why it is not the first choice, with the way out."""
    configuration: bool = False
    """Whether the way out is a key, a setting or a folder; otherwise it is another vendor, or waiting."""


@dataclass(frozen=True, slots=True)
class CapabilityState:
    """One data method that tools call."""

    method: str
    vendors: tuple[str, ...]
    """The vendors named in the settings, in order."""
    today: VendorChain
    past: VendorChain


@dataclass(frozen=True, slots=True)
class DataState:
    """Vendors and the methods they are asked for."""

    past: date
    vendors: tuple[VendorState, ...]
    capabilities: tuple[CapabilityState, ...]


def examine_data(
    settings: Settings, environ: Mapping[str, str], as_of: date, *, network: bool, now: Callable[[], datetime]
) -> DataState:
    """Create every vendor, ask those in use in parallel, and find the vendor of every method.

    A vendor gets one inexpensive request, made as a run would make it, without retries and with a short time limit.

    Args:
        settings: Vendors, their addresses and rates.
        as_of: The last closed session, or the last recorded one.
        network: Whether to send requests; if not, every vendor that can be created counts as answering.
    """
    hasty = settings.model_copy(
        update={"vendor_timeout": min(PATIENCE, settings.vendor_timeout), "vendor_max_retries": 0}
    )
    vendors = Vendors(hasty, environ=environ)
    named = {method: settings.vendors_for(method, about.category) for method, about in vendors.methods.items()}
    used = {name for names in named.values() for name in names}
    known = tuple(dict.fromkeys((*registrations(), *sorted(used))))
    with ThreadPoolExecutor(max_workers=max(1, len(known))) as pool:
        states = pool.map(lambda name: _state(name, vendors, name in used, network, as_of, now), known)
        found = {state.name: state for state in states}
    past = sessions().on_or_before(as_of - timedelta(days=PAST_DAYS))
    capabilities = tuple(
        CapabilityState(
            method,
            names,
            _chain(method, hasty, vendors, found, None),
            _chain(method, hasty, vendors, found, past),
        )
        for method, names in named.items()
    )
    return DataState(past, tuple(found.values()), capabilities)


def _state(
    name: str, vendors: Vendors, used: bool, network: bool, as_of: date, now: Callable[[], datetime]
) -> VendorState:
    try:
        vendor = vendors.get(name)
    except ConfigurationError as error:
        return VendorState(name, used, "not configured", trouble=str(error))
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything; its text may hold a key
        trouble = f"{name} cannot be created ({type(error).__name__}); fix or uninstall the package it comes from."
        return VendorState(name, used, "not configured", trouble=trouble)
    if vendor.local:
        return VendorState(
            name, used, "local", trouble=_recorded_faults(vendors.access(name).settings, now) if used else ""
        )
    question = _question(vendor, as_of, now())
    if not network or question is None or not (used or registrations()[name].needs):
        return VendorState(name, used, "not asked")
    began = time.monotonic()
    state, trouble = _tried(lambda: vendors.answer(name, *question), name)
    return VendorState(name, used, state, round(time.monotonic() - began, 2), trouble)


def _recorded_faults(settings: Settings, now: Callable[[], datetime]) -> str:
    """Return which errors the data gate finds in the recorded folder; empty without a folder, or for none."""
    if settings.data_dir is None:
        return ""
    try:
        # imported here, because it needs the extra `snapshot`; without it the sentence that names the extra is returned
        from tradingagents.dataflows.snapshots.check import check_folder

        errors = [finding for finding in check_folder(settings.data_dir, now=now).findings if finding.level == "error"]
    except TradingAgentsError as error:
        return str(error)
    kinds = "; ".join(f"{finding.file}: {finding.what} ({finding.count})" for finding in errors)
    return f"Runs withhold data of {settings.data_dir}: {kinds}. `data check` names the rows." if errors else ""


def _tried(ask: Callable[[], Any], name: str) -> tuple[str, str]:
    try:
        ask()
    except NotInPlan:
        return "answers", ""
    except VendorNotConfigured as error:
        return "refuses the key", str(error)
    except VendorUnavailable as error:
        return "does not answer", str(error)
    except DataError:
        return "answers", ""  # an empty result is an answer
    except TradingAgentsError as error:
        return "does not answer", str(error)
    except Exception as error:  # noqa: BLE001 - as above
        return "does not answer", f"{name} failed with a bug of its own ({type(error).__name__}); please report it."
    return "answers", ""


def _question(vendor: Vendor, as_of: date, now: datetime) -> tuple[Any, ...] | None:
    """Return the least expensive request a vendor supports; `None` if it supports none of these."""
    start = as_of - timedelta(days=7)
    since = datetime.combine(start, clock.min, tzinfo=UTC)
    questions: tuple[tuple[Any, ...], ...] = (
        (Vendor.get_profile, SYMBOL),
        (Vendor.get_social_posts, SYMBOL, since, now),
        (Vendor.get_macro_indicators, SERIES, start - timedelta(days=60), as_of),
        (Vendor.get_news, SYMBOL, since, now),
        (Vendor.get_topic_news, "economy", since, now),
        (Vendor.get_stock_data, SYMBOL, start, as_of),
        (Vendor.get_filings, SYMBOL, start, as_of),
    )
    return next((question for question in questions if vendor.supports(question[0])), None)


def _chain(
    method: str, settings: Settings, vendors: Vendors, found: Mapping[str, VendorState], past: date | None
) -> VendorChain:
    try:
        able, passed_over = candidates(method, settings=settings, vendors=vendors, past=past)
    except ConfigurationError as error:
        return VendorChain(None, str(error), configuration=True)
    except Exception:  # noqa: BLE001 - a plug-in that cannot be created: its state gives the reason
        return VendorChain(
            None, f"A vendor named for {method} cannot be created; choose another in tool_vendors.", True
        )
    if not able:
        return VendorChain(None, str(passed_over or ""), isinstance(passed_over, ConfigurationError))
    if not vendors.get(able[0]).supports(vendors.method(method)):
        return VendorChain(
            None, f"{able[0]} does not answer {method}; choose another vendor in tool_vendors.", configuration=True
        )
    question = vendors.method(method)
    # Some questions are answered by a vendor further down the list where the first does not answer.
    asked = able if question.fungible or question.asked != "first" else able[:1]
    up = next((name for name in asked if found[name].state not in DOWN), None)
    trouble = found[asked[0]].trouble or (str(passed_over) if passed_over else "")
    return VendorChain(up, trouble, found[asked[0]].state == "refuses the key")
