"""A capability: one typed question about the market; from one declaration come the tool, the JSON and later routes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Result


@dataclass(frozen=True)
class Capability:
    """One question: its documented name, what it takes, and the function that answers."""

    name: str
    summary: str
    """What a model reads of it: the docstring's first paragraph."""
    arguments: type[BaseModel]
    """Schema of the arguments a caller writes."""
    answer: Callable[..., Result]

    def ask(self, data: MarketData, /, **arguments: Any) -> Result:
        """Answer from the market as known at its cut-off, and enter the answer in the data sheet.

        Dates beyond the cut-off are read as the cut-off's day, and the answer says so.

        Args:
            data: The market.
            **arguments: As in `arguments`; values may be JSON (dates as ISO text).

        Raises:
            pydantic.ValidationError: The arguments do not fit.
            TradingAgentsError: As the vendor and the analytics raise.
        """
        given = self.arguments.model_validate(arguments)
        values = {name: getattr(given, name) for name in type(given).model_fields}
        beyond = [value for value in values.values() if isinstance(value, date) and value > data.as_of]
        clamped = {name: min(value, data.as_of) if isinstance(value, date) else value for name, value in values.items()}
        key = (self.name, data.cutoff, tuple(clamped.items()))
        kept = data.memo.get(key) if data.memo is not None and data.settled else None
        result, rows = kept or self._worked_out(data, clamped)
        if kept is None and data.memo is not None and data.settled:
            data.memo.put(key, (result, rows))
        for row in rows:
            data.sheet.add(row)
        if beyond:
            late = ", ".join(dict.fromkeys(day.isoformat() for day in beyond))
            note = f"{late} lies after {data.as_of.isoformat()}, the day of this study, and was read as that day."
            result = result.model_copy(update={"notes": (*result.notes, note)})
        data.sheet.add_result(self.name, result)
        return result

    def _worked_out(self, data: MarketData, arguments: dict[str, Any]) -> tuple[Result, tuple[DataSheetRow, ...]]:
        """Return the answer and the data-sheet rows of what it stands on."""
        market = data.apart()
        return self.answer(market, **arguments), market.sheet.rows


def capability(answer: Callable[..., Result]) -> Capability:
    """Declare a capability from a function `(data, …) -> Result`; the docstring's `Args` explain the arguments."""
    name = answer.__name__
    hints = get_type_hints(answer, include_extras=True)
    meanings = _meanings(inspect.getdoc(answer) or "")
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(answer).parameters.values())[1:]:
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], Field(default, description=meanings[parameter.name]))
    schema = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    summary = " ".join((inspect.getdoc(answer) or "").partition("\n\n")[0].split())
    return Capability(name=name, summary=summary, arguments=schema, answer=answer)


def _meanings(docstring: str) -> dict[str, str]:
    """Read `name: meaning` lines of a Google-style `Args:` section, continuation lines joined."""
    meanings: dict[str, str] = {}
    current = ""
    section = docstring.partition("\nArgs:\n")[2].split("\n\n")[0]
    for line in section.splitlines():
        stripped = line.strip()
        if line.startswith("    ") and not line.startswith("     ") and ":" in stripped:
            current, _, meaning = stripped.partition(":")
            meanings[current] = meaning.strip()
        elif current:
            meanings[current] += f" {stripped}"
    return meanings
