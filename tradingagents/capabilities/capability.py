"""`@capability`: declares one typed question about the market, from which its tool, schema, page and tests come."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Generic, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from typing_extensions import TypeVar

from tradingagents.capabilities.standalone import open_market
from tradingagents.dataflows.data_sheet import DataSheetRow, shown_figures
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.vendor import METHODS
from tradingagents.dataflows.vendor_method import title_of
from tradingagents.errors import NoData, UsageError
from tradingagents.settings import Settings

R = TypeVar("R", bound=Result, default=Result, covariant=True)
T = TypeVar("T")
TEXT_METHODS = frozenset({"get_news", "get_global_news", "get_topic_news", "get_social_posts", "get_filing_document"})
"""Vendor methods that return text which others wrote. A capability that asks one of them passes it on."""
EXAMPLE_WINDOW = timedelta(days=180)
"""How far before the day an example of a window starts."""
EXAMPLE_CALENDAR = timedelta(days=14)
"""How far an example of a window that may lie ahead reaches to both sides of the day."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Marks a date argument that may lie after the day of the study, such as the end of a calendar's window.

    Written `Annotated[date, Ahead(days=60)]`. Dates without the mark are clamped to the day of the study.
    """

    days: int
    """Calendar days the argument may lie after the day of the study."""


@dataclass(frozen=True)
class Answer:
    """A result with its Markdown and figures, each computed once however many runs share the answer."""

    result: Result
    rows: tuple[DataSheetRow, ...]
    """Data-sheet rows of what the result is based on."""

    @cached_property
    def markdown(self) -> str:
        """What a model reads."""
        return self.result.to_markdown()

    @cached_property
    def figures(self) -> Mapping[str, float]:
        """The figures that the result shows, rounded as shown."""
        return shown_figures(self.result)


@dataclass(frozen=True)
class Capability(Generic[R]):
    """A question about the market: its name, its arguments, the vendor methods it needs, and the function that answers.

    Declare one with `@capability`; `capabilities.registry` finds it.
    """

    name: str
    summary: str
    """The first paragraph of its docstring, which models read."""
    arguments: type[BaseModel]
    """Schema of the arguments a caller writes."""
    answer: Callable[..., R]
    returns: type[R]
    """What it answers with."""
    requires: frozenset[str]
    """Vendor methods without which there is no answer."""
    uses: frozenset[str] = frozenset()
    """Further vendor methods that it asks, and can do without."""
    example: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Values for arguments whose name does not say what to write; see `example_arguments`."""
    aliases: tuple[str, ...] = ()
    """Other names by which `ask` and the registry find it."""
    writes: bool = False
    """Whether answering a person or a program also writes files into the home folder, see `service.kernel`."""
    quotes_documents: bool = False
    """Whether it quotes text that others wrote from elsewhere than the `TEXT_METHODS`, such as stored filings."""
    reads_home: bool = False
    """Whether it answers from what the user stores in the home folder, which may change between two questions, and
    which is private: its arguments are not audited."""
    title: str = ""
    """What reports and pages call its answers; "": see `known_as`."""

    @property
    def known_as(self) -> str:
        """What reports and pages call its answers; without a title, as those of the vendor method of its name."""
        method = METHODS.get(self.name)
        return self.title or (method.title if method else title_of(self.name))

    @property
    def outside_text(self) -> bool:
        """Whether its answer may hold text that others wrote, which may try to give instructions."""
        return self.quotes_documents or bool(self.methods & TEXT_METHODS)

    @property
    def methods(self) -> frozenset[str]:
        """Every vendor method it may ask."""
        return self.requires | self.uses

    def is_available(self, data: MarketData) -> bool:
        """Tell whether some vendor can be asked each method that it requires, for the market's day."""
        return all(map(data.supports, self.requires))

    def may_block(self, data: MarketData) -> bool:
        """Tell whether answering may wait for a network."""
        return not data.all_local and data.may_block(self.methods)

    def ask(self, data: MarketData, /, **arguments: Any) -> R:
        """Answer from the market as known at its cut-off, and record the answer in the data sheet.

        Dates after the cut-off are read as the day of the cut-off, those marked `Ahead` as the last day they may name;
        a note of the answer says so.

        Args:
            data: The market.
            **arguments: As in `arguments`; values may be JSON (dates as ISO text).

        Raises:
            pydantic.ValidationError: The arguments do not fit.
            TradingAgentsError: As the vendor and the analytics raise.
        """
        result: R = self.reply(data, self.arguments.model_validate(arguments)).result  # type: ignore[assignment]
        return result

    def reply(self, data: MarketData, given: BaseModel) -> Answer:
        """Answer as `ask` does, from arguments that have been checked; a final answer is that of an earlier run."""
        clamped, notes = self._clamped(given, data.as_of)
        # Without vendor methods it answers from something that may change between two runs, such as a store.
        lasting = data.memo is not None and self.methods and not self.reads_home and data.is_final(self.methods)
        memo, key = data.memo if lasting else None, (self.name, data.cutoff, tuple(clamped.items()))
        answer: Answer | None = memo.get(key) if memo is not None else None
        if answer is None:
            answer = self._worked_out(data, clamped)
            if memo is not None:
                memo.put(key, answer)
        for row in answer.rows:
            data.sheet.add(row)
        notes += [note for note in _withheld(answer.rows) if note not in answer.result.notes]
        if notes:
            result = answer.result
            answer = Answer(result.model_copy(update={"notes": (*result.notes, *notes)}), answer.rows)
        data.sheet.add_result(self.name, answer.result, answer.figures)
        return answer

    def ask_standalone(
        self,
        arguments: Mapping[str, Any],
        *,
        as_of: date | None = None,
        settings: Settings | None = None,
        vendors: Vendors | None = None,
    ) -> Result:
        """Answer outside a run, from arguments by name; `capabilities.standalone` says as of which day.

        Args:
            arguments: As in `arguments`; values may be JSON.
            as_of: Day of the question; None: as the arguments say.
            settings: Chooses the vendors; None: those of `dataflows.config`.
            vendors: Where they live; None makes them.

        Raises:
            UsageError: The arguments do not fit.
            TradingAgentsError: As the vendor and the analytics raise.
        """
        given = self.checked(arguments)
        return self.reply(open_market(dict(given), as_of=as_of, settings=settings, vendors=vendors), given).result

    def checked(self, arguments: Mapping[str, Any]) -> BaseModel:
        """Return arguments by name as the schema reads them.

        Raises:
            UsageError: They do not fit; names each problem.
        """
        try:
            return self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in error.errors())
            raise UsageError(f"{self.name} cannot be asked like that ({problems}); correct the arguments.") from None

    def invoke(self, input: Mapping[str, Any]) -> str:  # noqa: A002 - LangChain's name
        """Answer outside a run, as Markdown; see `ask_standalone`."""
        return self.ask_standalone(input).to_markdown()

    async def ainvoke(self, input: Mapping[str, Any]) -> str:  # noqa: A002
        """Answer outside a run, as Markdown; see `ask_standalone`."""
        return await asyncio.to_thread(self.invoke, input)

    def example_arguments(self, symbol: str, day: date) -> dict[str, Any]:
        """Return arguments that the capability can be asked with, about a symbol on a day; for pages and tests.

        Raises:
            ValueError: An argument has no value to try; the declaration must give an `example` of it.
        """
        return {name: self._example_of(name, one, symbol, day) for name, one in self.arguments.model_fields.items()}

    def _example_of(self, name: str, argument: FieldInfo, symbol: str, day: date) -> Any:
        if name in self.example:
            value = self.example[name]
            return value.replace("{symbol}", symbol) if isinstance(value, str) else value
        if argument.annotation is date or date in get_args(argument.annotation):
            window = EXAMPLE_CALENDAR if _days_ahead(argument) else EXAMPLE_WINDOW
            if name in ("start_date", "from_date"):
                return day - window
            return day + EXAMPLE_CALENDAR if _days_ahead(argument) else day
        if name == "symbols":
            return symbol
        if not argument.is_required():
            return argument.default
        if name in ("symbol", "ticker"):
            return symbol
        if get_origin(argument.annotation) is Literal:
            return get_args(argument.annotation)[0]
        raise ValueError(f"give an example of {name} in @capability({self.name})")

    def _clamped(self, given: BaseModel, as_of: date) -> tuple[dict[str, Any], list[str]]:
        """Return the arguments with no date later than it may be, and a note on those that were."""
        values: dict[str, Any] = {}
        late: dict[int, list[str]] = {}
        for name, argument in self.arguments.model_fields.items():
            value, ahead = getattr(given, name), _days_ahead(argument)
            if isinstance(value, date) and value > as_of + timedelta(days=ahead):
                late.setdefault(ahead, []).append(value.isoformat())
                value = as_of + timedelta(days=ahead)
            values[name] = value
        return values, [_late_note(dict.fromkeys(days), ahead, as_of) for ahead, days in late.items()]

    def _worked_out(self, data: MarketData, arguments: dict[str, Any]) -> Answer:
        market = data.with_new_sheet()
        try:
            result = self.answer(market, **arguments)
        except NoData as error:
            withheld = _withheld(market.sheet.rows)
            if not withheld:
                raise
            raise NoData(" ".join((str(error), *withheld))) from error
        lost = dict.fromkeys(sentence for row in market.sheet.rows for sentence in row.lost)
        if new := tuple(sentence for sentence in lost if sentence not in result.notes):
            result = result.model_copy(update={"notes": (*result.notes, *new)})
        return Answer(result, market.sheet.rows)


def _withheld(rows: Iterable[DataSheetRow]) -> list[str]:
    """Return which bars of the prices behind an answer are withheld, and why; and what could not be read."""
    return list(dict.fromkeys(note for row in rows for note in (*row.notes, *row.lost)))


def shared_part(
    data: MarketData, key: tuple[Hashable, ...], methods: Iterable[str], work: Callable[[MarketData], T]
) -> T:
    """Return a part of an answer, worked out once for all runs of a day where it can no longer change.

    The data sheet has its rows each time.

    Args:
        data: The market.
        key: What the part is, with its arguments.
        methods: The vendor methods that it is worked out from.
        work: Works it out from the market that it is given.
    """
    memo = data.memo if data.is_final(methods) else None
    if memo is None:
        return work(data)
    known: tuple[T, tuple[DataSheetRow, ...]] | None = memo.get((*key, data.cutoff))
    if known is None:
        market = data.with_new_sheet()
        known = work(market), market.sheet.rows
        memo.put((*key, data.cutoff), known)
    for row in known[1]:
        data.sheet.add(row)
    return known[0]


def capability(
    *,
    returns: type[R],
    requires: Iterable[str],
    title: str = "",
    uses: Iterable[str] = (),
    example: Mapping[str, Any] | None = None,
    aliases: Iterable[str] = (),
    writes: bool = False,
    quotes_documents: bool = False,
    reads_home: bool = False,
) -> Callable[[Callable[..., R]], Capability[R]]:
    """Declare a function `(data, …) -> Result` as a capability; the docstring's `Args` explain its arguments.

    Args:
        returns: The kind of result.
        requires: Vendor methods without which there is no answer.
        title: What reports and pages call its answers, such as `Market regime`; "" takes that of the vendor method
            of its name, or the words of its name.
        uses: Further vendor methods that it asks, and can do without.
        example: Values for arguments whose name does not say what to write; `{symbol}` is the symbol asked on.
        aliases: Other names by which `ask` finds it.
        writes: Whether answering a person or a program also writes files into the home folder.
        quotes_documents: Whether it quotes text that others wrote which no vendor method returned.
        reads_home: Whether it answers from what the user stores in the home folder, such as the book.
    """

    def declare(answer: Callable[..., R]) -> Capability[R]:
        name = answer.__name__
        return Capability(
            name=name,
            summary=" ".join((inspect.getdoc(answer) or "").partition("\n\n")[0].split()),
            arguments=_schema(answer),
            answer=answer,
            returns=returns,
            requires=frozenset(requires),
            uses=frozenset(uses),
            example=dict(example or {}),
            aliases=tuple(aliases),
            writes=writes,
            quotes_documents=quotes_documents,
            reads_home=reads_home,
            title=title,
        )

    return declare


def _schema(answer: Callable[..., Result]) -> type[BaseModel]:
    """Return the schema of a function's arguments after the first, which is the market."""
    hints = get_type_hints(answer, include_extras=True)
    meanings = _meanings(inspect.getdoc(answer) or "")
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(answer).parameters.values())[1:]:
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], Field(default, description=meanings[parameter.name]))
    return create_model(answer.__name__, __config__=ConfigDict(extra="forbid", defer_build=True), **fields)


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
