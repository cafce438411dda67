"""Decides again with tampered futures: whatever changes is a leak, named with the tool and the row that differed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from tradingagents.agents.roster import trading_agents
from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.cutoff import Moment, cutoff_for, utc_now
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.errors import TradingAgentsError
from tradingagents.features.backtest.audit.answers import (
    AuditedAnswer,
    ask,
    differing_rows,
    first_difference,
    row_difference,
    same,
    shown,
    without_prose,
)
from tradingagents.features.backtest.audit.findings import AuditFinding, Severity
from tradingagents.features.backtest.audit.result_folder import AuditedDecision
from tradingagents.features.backtest.audit.tampered_answers import (
    MARK,
    TAMPERINGS,
    TamperedFuture,
    Tampering,
    tampered_vendor,
)
from tradingagents.features.backtest.decisions.decision_store import NOT_DATA
from tradingagents.features.backtest.decisions.one_by_one import OneByOne
from tradingagents.graph.trading.run import Run
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import MEMORY_NAMES, new_memories
from tradingagents.runtime.fingerprint import digest
from tradingagents.runtime.services import MEMO_SIZE, Services

Decider = Callable[[Services, str, date], Awaitable[Run]]
"""Decides on a ticker and a day; what is audited."""
SERIES = ("CPI", "unemployment rate", "payrolls", "GDP growth", "10y")
RULES = ("offline/", "scripted/")
"""Labels of models that answer the same each time, and cost nothing."""
_KIND = {
    "core_stock_apis": "leak_prices",
    "technical_indicators": "leak_prices",
    "scanner_data": "leak_prices",
    "fundamental_data": "leak_fundamentals",
    "filing_data": "leak_fundamentals",
    "news_data": "leak_news",
    "calendar_data": "leak_calendar",
    "macro_data": "leak_macro",
    "social_data": "leak_social",
}
_SPECIAL = {"get_insider_transactions": "leak_insiders", "get_topic_news": "leak_news"}


async def decide_alone(services: Services, ticker: str, day: date) -> Run:
    """Decide as a backtest does: without lessons and outcomes, and without leaving anything.

    Raises:
        TradingAgentsError: As `graph.start.analyze` raises.
    """
    return await OneByOne(services).run(ticker, day, UsageMeter(services.settings))


@dataclass(frozen=True)
class AnsweredDay:
    """What was read and decided on a ticker and day."""

    answers: Mapping[str, AuditedAnswer]
    """By tool and arguments."""
    sheet: tuple[Mapping[str, Any], ...]
    decision: Mapping[str, Any]
    lessons: Mapping[str, Any]
    reports: Mapping[str, str]
    content: str
    failed: str = ""
    """The type of the error for which there is no decision; empty where there is one."""


@dataclass
class FutureAudit:
    """Re-runs decisions with tampered futures."""

    services: Services
    scratch: Path
    decider: Decider = decide_alone
    decides: bool = True
    """Whether decisions are made again; without, only the tools are asked."""
    done: int = 0
    found: list[AuditFinding] = field(default_factory=list)

    async def run(
        self, wanted: Sequence[tuple[str, date]], recorded: Mapping[tuple[str, date], AuditedDecision]
    ) -> tuple[AuditFinding, ...]:
        """Audit decisions, day by day.

        Args:
            wanted: Tickers and days.
            recorded: What was decided, where that is known.
        """
        for day in sorted({day for _, day in wanted}):
            tickers = [ticker for ticker, on in wanted if on == day]
            await self._day(day, tickers, recorded)
        return tuple(self.found)

    async def _day(
        self, day: date, tickers: Sequence[str], recorded: Mapping[tuple[str, date], AuditedDecision]
    ) -> None:
        moment = Moment(at=self.services.settings.decide_at)
        cutoff = cutoff_for(day, exchange=exchange_of(tickers[0]), now=utc_now(), moment=moment)
        plain = untouched(self.services, self.scratch / f"{day}-untouched")
        clean = {ticker: await self._answers(plain, ticker, day) for ticker in tickers}
        for ticker in tickers:
            if (decision := recorded.get((ticker, day))) is not None and self.decider is decide_alone and self.decides:
                self._reproduced(ticker, day, clean[ticker], decision)
        situations = [text for answered in clean.values() for text in answered.reports.values() if text]
        for how in TAMPERINGS:
            future = TamperedFuture(cutoff.session, cutoff.instant, how)
            other = with_future(self.services, self.scratch / f"{day}-{how}", future, situations)
            for ticker in tickers:
                self._compare(ticker, day, how, clean[ticker], await self._answers(other, ticker, day))
        self.done += len(tickers)

    async def _answers(self, services: Services, ticker: str, day: date) -> AnsweredDay:
        """Ask every tool of the analysts, and decide."""
        answers = {
            f"{tool.name} {_worded(arguments)}": _asked(services, tool, arguments, day)
            for tool in _tools(services)
            for arguments in _variants(tool, ticker, day)
        }
        if not self.decides:
            return AnsweredDay(answers, (), {}, {}, {}, "")
        try:
            run = await self.decider(services, ticker, day)
        except TradingAgentsError as error:
            return AnsweredDay(answers, (), {}, {}, {}, "", type(error).__name__)
        record = run.record
        rows = (row.as_json() for row in record.data_sheet)
        sheet = tuple({name: value for name, value in row.items() if name != NOT_DATA} for row in rows)
        models = services.models.labels
        content = digest({"prompts": record.prompts, "models": models, "sheet": list(sheet)})
        decision = record.decision.as_json() if record.decision else {}
        return AnsweredDay(answers, sheet, decision, record.lessons_used, record.reports, content)

    def _reproduced(self, ticker: str, day: date, clean: AnsweredDay, decision: AuditedDecision) -> None:
        """Compare a recorded decision with what the evidence gives now; models that are rules give the same."""
        steady = all(label.startswith(RULES) for label in self.services.models.labels.values())
        own = (str(clean.decision.get("action", "")), clean.decision.get("confidence", 0.0))
        if not steady or own == (decision.action, decision.confidence) or (clean.failed and not decision.action):
            return
        kind = (
            "decision_store_edited"
            if decision.content and decision.content == clean.content
            else "decision_not_reproduced"
        )
        found = f"{decision.action or 'none'} {decision.confidence:.3g}"
        expected = clean.failed or f"{own[0]} {own[1]:.3g}"
        self.found.append(AuditFinding(kind, "decisions.jsonl", expected, found, "error", ticker, str(day)))

    def _compare(self, ticker: str, day: date, how: Tampering, clean: AnsweredDay, other: AnsweredDay) -> None:
        """Note every tool whose answer another future changes, then the sheet, then the decision."""
        leaks: dict[str, tuple[str, str, str]] = {}
        differing = [name for name in clean.answers if not clean.answers[name].means(other.answers[name])]
        for name in sorted(differing, key=_breadth):
            kinds = _kinds_of(name.partition(" ")[0])
            if not leaks.keys() & set(kinds):
                leaks[kinds[0]] = (name, *clean.answers[name].difference(other.answers[name]))
        cut_short = clean.failed != other.failed  # a run that ends early asks less, which is no leak of the rest
        for before, after in differing_rows(clean.sheet, other.sheet):
            if cut_short and (before is None or after is None):
                continue
            row = before or after or {}
            kinds = _kinds_of(str(row.get("method", "")))
            if not leaks.keys() & set(kinds):
                name = f"data sheet, {row.get('method')} {row.get('symbol') or ''}".strip()
                leaks[kinds[0]] = (name, *row_difference(before, after))
        reworded = [name for name, answer in clean.answers.items() if answer.words != other.answers[name].words]
        if not leaks:
            leaks = _undeclared(clean, other, reworded=bool(reworded))
        self._note(ticker, day, how, leaks)
        if not leaks and reworded:
            name = reworded[0]
            self._note(
                ticker,
                day,
                how,
                {"worded_otherwise": (name, *clean.answers[name].difference(other.answers[name]))},
                "note",
            )

    def _note(
        self, ticker: str, day: date, how: Tampering, found: Mapping[str, tuple[str, str, str]],
        severity: Severity = "error",
    ) -> None:  # fmt: skip
        for kind, (where, expected, answered) in found.items():
            place = f"{where}, later rows {how}"
            self.found.append(AuditFinding(kind, place, expected, answered, severity, ticker, str(day)))


def _undeclared(clean: AnsweredDay, other: AnsweredDay, *, reworded: bool) -> dict[str, tuple[str, str, str]]:
    """Return what differs though no tool does: lessons, or the decision itself.

    Args:
        clean: With the data as they are.
        other: With another future.
        reworded: Whether tools said the same in other words, which explains other words of the decision.
    """
    if clean.lessons != other.lessons:
        said = [lesson for lessons in other.lessons.values() for lesson in lessons]
        return {"leak_memory": ("lessons_used", "lessons known by then", str(said[:1])[:200])}
    compared = without_prose if reworded else dict
    if same(compared(clean.decision), compared(other.decision)) and clean.failed == other.failed:
        return {}
    before, after = clean.decision or {"action": clean.failed}, other.decision or {"action": other.failed}
    conclusions = [
        f"{decision.get('action')} {decision.get('confidence', '')}: {decision.get('rationale', '')}"
        for decision in (before, after)
    ]
    if conclusions[0] == conclusions[1]:
        names = [name for name in before if not same(before[name], after.get(name))]
        conclusions = [shown(before, names), shown(after, names)]
    expected, found = first_difference(*conclusions)
    return {"leak_decision": ("decision", expected, found)}


def _tools(services: Services) -> tuple[Capability, ...]:
    """Return the tools of a trading run's analysts, each once."""
    every = (tool for spec in trading_agents(services.settings.analysts) for tool in getattr(spec, "tools", ()))
    return tuple({tool.name: tool for tool in every}.values())


def _variants(tool: Capability, ticker: str, day: date) -> Iterator[dict[str, Any]]:
    """Return arguments: an example, every value of each choice, and several economic series."""
    plain = tool.example_arguments(ticker, day)
    yield plain
    for name, argument in tool.arguments.model_fields.items():
        if get_origin(argument.annotation) is Literal:
            yield from ({**plain, name: value} for value in get_args(argument.annotation) if value != plain[name])
    if "get_macro_indicators" in tool.methods and "indicator" in plain:
        yield from ({**plain, "indicator": name} for name in SERIES)


def _asked(services: Services, tool: Capability, arguments: Mapping[str, Any], day: date) -> AuditedAnswer:
    data = MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)
    return ask(data, tool, arguments)


def _kinds_of(name: str) -> tuple[str, ...]:
    """Return the kinds of leak that a tool or vendor method may show: the narrowest first."""
    tool = next((tool for tool in _every_tool() if tool.name == name), None)
    methods = sorted(tool.methods) if tool is not None else [name]
    kinds = [_SPECIAL.get(method) or _KIND[METHODS[method].category] for method in methods if method in METHODS]
    narrow = sorted(dict.fromkeys(kinds), key=lambda kind: kind == "leak_prices")
    return tuple(narrow) or ("leak_decision",)


def _breadth(name: str) -> tuple[int, int]:
    """Return how many kinds of data, and how many methods, an answer rests on: the narrowest names a leak best."""
    called = name.partition(" ")[0]
    tool = next((tool for tool in _every_tool() if tool.name == called), None)
    return len(_kinds_of(called)), len(tool.methods) if tool is not None else 1


def _every_tool() -> Sequence[Capability]:
    from tradingagents.capabilities.registry import built_in

    return tuple(built_in().values())


def _worded(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


MEMORY = "memory.sqlite"


def untouched(services: Services, home: Path) -> Services:
    """Return services that share nothing with earlier runs: no cache, no memory, a home of their own.

    Args:
        services: Of the backtest.
        home: A folder for what runs write.
    """
    settings = services.settings.model_copy(update={"home": home})
    made = replace(services, settings=settings, vendors=services.vendors.wrapped(settings, _same))
    return _in_home(services, home, made)


def with_future(services: Services, home: Path, future: TamperedFuture, situations: Sequence[str]) -> Services:
    """Return services whose vendors and memories know another future.

    A folder of recorded data is tampered with as a copy, and its vendor opened on that; every other vendor is served a
    tampered future from beneath and from above. Every memory holds lessons that are learned later.

    Args:
        services: Of the backtest.
        home: A folder for what runs write, and for the copy.
        future: The cut-off, and what becomes of what was known only after it.
        situations: Texts of the day that a later lesson resembles, so that it would be found.
    """
    folder = services.settings.data_dir
    copied = None if folder is None else home / "data"
    recorded: tuple[type[Vendor], ...] = ()
    if folder is not None and copied is not None:
        # imported here, because they need the extra `snapshot`
        from tradingagents.dataflows.vendors.snapshot.vendor import SnapshotVendor
        from tradingagents.features.backtest.audit.tampered_folder import tampered_folder

        recorded = (SnapshotVendor,)
        if not copied.exists():
            tampered_folder(folder, copied, future)
    settings = services.settings.model_copy(update={"home": home, "data_dir": copied})

    plain = services.vendors.wrapped(settings, _same)

    def wrap(vendor: Vendor) -> Vendor:
        if isinstance(vendor, recorded):
            return type(vendor).open(plain.access(vendor.name))
        return tampered_vendor(vendor, future)

    made = replace(services, settings=settings, vendors=services.vendors.wrapped(settings, wrap))
    found = _in_home(services, home, made)
    _teach(found.lessons, future.day, situations)
    return found


def _same(vendor: Vendor) -> Vendor:
    return vendor


def _in_home(services: Services, home: Path, found: Services) -> Services:
    home.mkdir(parents=True, exist_ok=True)
    lessons = LessonStore(home / MEMORY, services.cohort)
    return replace(
        found,
        memo=Memo(MEMO_SIZE),
        cache=DiskCache(home / CACHE_FILE),
        lessons=lessons,
        memories=new_memories(lessons),
        outcomes=OutcomeStore(home / MEMORY, services.cohort),
        graphs={},
    )


def _teach(lessons: LessonStore, day: date, situations: Sequence[str]) -> None:
    later = [Lesson(text, f"{MARK}: it fell.", day + timedelta(days=after)) for text in situations for after in (1, 40)]
    for name in MEMORY_NAMES if later else ():
        lessons.add(name, later)
