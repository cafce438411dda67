"""A capability: one typed question about the market; from one declaration come the tool, the JSON and later routes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from tradingagents.dataflows.data_sheet import DataSheetRow, shown_figures
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result


@dataclass(frozen=True, slots=True)
class Ahead:
    """Marks a date argument that may lie ahead: what is to come can be asked for, as far as it is known.

    Written `Annotated[date, Ahead(days=60)]`. Dates without the mark reach to the day of the study.
    """

    days: int
    """Calendar days the argument may lie after the day of the study."""


@dataclass(frozen=True)
class Answer:
    """An answer with what is made of it, each made once however many runs are given it."""

    result: Result
    rows: tuple[DataSheetRow, ...]
    """Data-sheet rows of what it stands on."""

    @cached_property
    def markdown(self) -> str:
        """What a model reads."""
        return self.result.to_markdown()

    @cached_property
    def figures(self) -> Mapping[str, float]:
        """The figures it shows, rounded as shown."""
        return shown_figures(self.result)


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

        Dates beyond the cut-off are read as the cut-off's day, those that may lie `Ahead` as the last day they may; the
        answer says so.

        Args:
            data: The market.
            **arguments: As in `arguments`; values may be JSON (dates as ISO text).

        Raises:
            pydantic.ValidationError: The arguments do not fit.
            TradingAgentsError: As the vendor and the analytics raise.
        """
        return self.reply(data, self.arguments.model_validate(arguments)).result

    def reply(self, data: MarketData, given: BaseModel) -> Answer:
        """Answer as `ask` does, from arguments that have been checked."""
        clamped, notes = self._clamped(given, data.as_of)
        answer = self._remembered(data, clamped)
        for row in answer.rows:
            data.sheet.add(row)
        if notes:
            result = answer.result
            answer = Answer(result.model_copy(update={"notes": (*result.notes, *notes)}), answer.rows)
        data.sheet.add_result(self.name, answer.result, answer.figures)
        return answer

    def invoke(self, input: Mapping[str, Any]) -> str:  # noqa: A002 - LangChain's name
        """Answer outside a run, as Markdown, from arguments by name; see `capabilities.standalone` for its day.

        Raises:
            TradingAgentsError: As `standalone.ask_named` raises.
        """
        from tradingagents.capabilities.standalone import ask

        return ask(self, input).to_markdown()

    async def ainvoke(self, input: Mapping[str, Any]) -> str:  # noqa: A002
        """Answer outside a run; see `invoke`."""
        return await asyncio.to_thread(self.invoke, input)

    def _remembered(self, data: MarketData, arguments: dict[str, Any]) -> Answer:
        """Return the answer that another run was given to the same settled question, or work it out."""
        memo = data.memo if data.settled else None
        key = (self.name, data.cutoff, tuple(arguments.items()))
        answer: Answer | None = memo.get(key) if memo is not None else None
        if answer is None:
            answer = self._worked_out(data, arguments)
            if memo is not None:
                memo.put(key, answer)
        return answer

    def _clamped(self, given: BaseModel, as_of: date) -> tuple[dict[str, Any], list[str]]:
        """Return the arguments with no date later than it may be, and a note on those that were."""
        values: dict[str, Any] = {}
        late: dict[int, list[str]] = {}
        for name, field in self.arguments.model_fields.items():
            value, ahead = getattr(given, name), _days_ahead(field)
            if isinstance(value, date) and value > as_of + timedelta(days=ahead):
                late.setdefault(ahead, []).append(value.isoformat())
                value = as_of + timedelta(days=ahead)
            values[name] = value
        return values, [_late_note(dict.fromkeys(days), ahead, as_of) for ahead, days in late.items()]

    def _worked_out(self, data: MarketData, arguments: dict[str, Any]) -> Answer:
        market = data.apart()
        result = self.answer(market, **arguments)
        return Answer(result, market.sheet.rows)


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


def _days_ahead(field: FieldInfo) -> int:
    return next((mark.days for mark in field.metadata if isinstance(mark, Ahead)), 0)


def _late_note(days: Iterable[str], ahead: int, as_of: date) -> str:
    late = ", ".join(days)
    if not ahead:
        return f"{late} lies after {as_of}, the day of this study, and was read as that day."
    latest = as_of + timedelta(days=ahead)
    return f"{late} lies more than {ahead} days after {as_of}, the day of this study, and was read as {latest}."


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
