"""Capabilities outside a run: asked by name or as LangChain tools, with the settings of `dataflows.config`.

The question is dated by its latest date argument, so that nothing known only later is in the answer; a question without
a date, or with one that lies ahead, is of the last session that has closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from importlib import import_module
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.errors import UsageError
from tradingagents.settings import Settings, nearest

MODULES = ("company", "filings", "financials", "macro", "news", "prices", "scanner", "social")
MARKET = "^GSPC"


@cache
def every_capability() -> Mapping[str, Capability]:
    """Return every capability by name."""
    modules = [import_module(f"tradingagents.capabilities.{name}") for name in MODULES]
    return {
        value.name: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Capability) and value.answer.__module__ == module.__name__
    }


def by_name(name: str) -> Capability:
    """Return a capability.

    Raises:
        UsageError: There is none of that name; names the nearest.
    """
    known = every_capability()
    if name in known:
        return known[name]
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(sorted(known))}."
    raise UsageError(f"There is no tool {name!r}; {hint}")


def ask_named(
    name: str, *args: Any, settings: Settings | None = None, vendors: Vendors | None = None, **kwargs: Any
) -> Result:
    """Answer a capability by name, its arguments in their order or by name; see the module for the day it is of.

    Args:
        name: The capability.
        *args: Its arguments, in their order.
        settings: Chooses the vendors; None: those of `dataflows.config`.
        vendors: Where they live; None makes them.
        **kwargs: Its arguments, by name.

    Raises:
        UsageError: There is no such capability, or it takes other arguments.
        TradingAgentsError: As the vendor and the analytics raise.
    """
    capability = by_name(name)
    fields = list(capability.arguments.model_fields)
    if len(args) > len(fields) or set(fields[: len(args)]) & set(kwargs) or not set(kwargs) <= set(fields):
        raise UsageError(f"{name} takes {', '.join(fields) or 'no arguments'}; give these, in their order or by name.")
    return ask(capability, {**dict(zip(fields, args, strict=False)), **kwargs}, settings=settings, vendors=vendors)


def ask(
    capability: Capability,
    arguments: Mapping[str, Any],
    *,
    settings: Settings | None = None,
    vendors: Vendors | None = None,
) -> Result:
    """Answer a capability from its arguments by name. Raises as `ask_named` does."""
    from pydantic import ValidationError

    try:
        given = capability.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise UsageError(f"{capability.name} cannot be asked like that ({problems}); correct the arguments.") from None
    settings = settings or current_settings()
    values = [getattr(given, name) for name in capability.arguments.model_fields]
    named = next((getattr(given, name) for name in ("symbol", "ticker") if hasattr(given, name)), None)
    exchange = exchange_of(normalise(named) if isinstance(named, str) else MARKET)
    last = sessions(exchange).last_closed(datetime.now(UTC))
    as_of = min(max((value for value in values if isinstance(value, date)), default=last), last)
    cache_here = DiskCache(settings.home_dir / CACHE_FILE)
    data = MarketData(settings, as_of, exchange=exchange, vendors=vendors or Vendors(settings), cache=cache_here)
    return capability.reply(data, given).result


def standalone_tool(capability: Capability) -> BaseTool:
    """Return a capability as a LangChain tool that needs no run."""

    def answer(**arguments: Any) -> str:
        return ask(capability, arguments).to_markdown()

    return StructuredTool.from_function(
        answer, name=capability.name, description=capability.summary, args_schema=capability.arguments
    )
