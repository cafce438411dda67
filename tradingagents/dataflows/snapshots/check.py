"""Check a snapshot folder: is it valid, and what can it answer, for which symbols and dates?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades, possible_trades
from tradingagents.dataflows.gateway.checks.validation import check_observations
from tradingagents.dataflows.gateway.share_basis import trade_in_shares_of
from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.snapshots.check_fields import CheckFindings, Finding, check_columns, check_profiles
from tradingagents.dataflows.snapshots.check_prices import FILE as PRICES
from tradingagents.dataflows.snapshots.check_prices import check_actions, check_bars, read_bars
from tradingagents.dataflows.snapshots.check_rows import check_lines
from tradingagents.dataflows.snapshots.check_statements import Spans, check_shares, check_spans, sound_statements
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor, answers, filings, social, vintages
from tradingagents.dataflows.vendors.snapshot.folder import MANIFEST, UNREADABLE, Folder, open_folder, reason
from tradingagents.dataflows.vendors.snapshot.insiders import load_insiders
from tradingagents.dataflows.vendors.snapshot.macro import load_macro
from tradingagents.dataflows.vendors.snapshot.macro_series import load_series
from tradingagents.dataflows.vendors.snapshot.news import News, load_news
from tradingagents.dataflows.vendors.snapshot.prices import Actions, load_actions, load_prices
from tradingagents.dataflows.vendors.snapshot.profiles import load_profiles
from tradingagents.dataflows.vendors.snapshot.statements import load_statements
from tradingagents.errors import DataError, VendorDown

MACRO, INSIDERS = "macro.parquet", "insider.jsonl.gz"
NEVER_LATER = datetime.max.replace(tzinfo=UTC)
TOOLS: Mapping[str, tuple[str, ...]] = {
    "prices": ("get_stock_data", "get_indicators", "get_macro_regime", "get_market_indices", "get_market_movers"),
    "splits and dividends": ("get_stock_data",),
    "profiles": ("get_peer_comparison", "get_sector_relative", "get_industry_performance"),
    "income statements": ("get_income_statement", "get_fundamentals", "get_ttm_analysis", "get_earnings_calendar"),
    "balance statements": ("get_balance_sheet", "get_fundamentals", "get_ttm_analysis"),
    "cashflow statements": ("get_cashflow", "get_fundamentals", "get_ttm_analysis"),
    "news": ("get_news", "get_topic_news"),
    "market news": ("get_global_news", "get_topic_news"),
    "insider trades": ("get_insider_transactions",),
    "social posts": ("get_social_sentiment",),
    "filings": ("get_filings",),
    "economic series": ("get_macro_indicators",),
    "economic releases": ("get_economic_calendar",),
}
"""The tools that use each kind of data."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The contents of a folder for one kind of data."""

    kind: str
    tools: tuple[str, ...]
    """The tools that it supports, alone or with other kinds."""
    subjects: int
    """Symbols, series, sectors or searches."""
    rows: int
    first: str | None
    last: str | None
    """First and last day of the rows; None if they have no dates."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check."""

    folder: Path
    first: date
    last: date
    """The window of the manifest."""
    findings: tuple[Finding, ...]
    answers: tuple[Answers, ...]

    @property
    def sound(self) -> bool:
        """Whether there are no errors; warnings are allowed."""
        return not any(finding.level == "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "folder": str(self.folder),
            "sound": self.sound,
            "from": self.first.isoformat(),
            "to": self.last.isoformat(),
            "findings": [{**asdict(finding), "text": finding.text} for finding in self.findings],
            "answers": [asdict(answer) for answer in self.answers],
        }


def check_folder(path: Path, *, now: Callable[[], datetime] = utc_now) -> Checked:
    """Check a snapshot folder, file by file.

    Args:
        now: The clock: later rows are errors.

    Raises:
        VendorNotConfigured: The folder doesn't exist, or isn't a snapshot.
        VendorDown: Its manifest is unreadable.
    """
    folder, found, today = open_folder(path), CheckFindings(), now().astimezone(UTC).date()
    if folder.last < folder.first:
        found.error(MANIFEST, "the window ends before it begins", f"{folder.first} to {folder.last}")
    if folder.last > today:
        found.error(MANIFEST, "the window ends in the future", str(folder.last))
    actions = _loaded(found, "actions.csv", lambda: load_actions(path / "actions.csv")) or {}
    spans: dict[str, tuple[date, date]] = {}
    answered = [
        *_check_prices(folder, actions, today, spans, found),
        *_check_profiles(path, found),
    ]
    check_profiles(path, found)
    check_columns(path, found)
    check_lines(path, today, found)
    if spans and not (path / "actions.csv").is_file():
        found.warn("actions.csv", "it is missing, so that no price is known to be as traded")
    recorded = folder.recorded.date() if folder.recorded else folder.last
    check_spans(actions, spans, folder.last, recorded, found)
    answered += _dated(folder, actions, spans, found)
    return Checked(path, folder.first, folder.last, found.all(), tuple(answered))


def _loaded(found: CheckFindings, file: str, load: Callable[[], Any]) -> Any:
    """Read a file as the vendor does, and record a failure as an error."""
    try:
        return load()
    except VendorDown as error:
        found.error(file, "it cannot be read, so that questions for it fail", str(error).removesuffix("."))
        return None


def _check_prices(
    folder: Folder,
    actions: Mapping[str, Actions],
    today: date,
    spans: dict[str, tuple[date, date]],
    found: CheckFindings,
) -> Iterable[Answers]:
    path = folder.path / PRICES
    if not path.is_file():
        found.warn(PRICES, "the folder has no prices")
        return
    if _loaded(found, PRICES, lambda: load_prices(path)) is None:
        return
    symbols: list[str] = []
    rows, first, last = 0, date.max, date.min
    try:
        for bars in read_bars(path):
            check_bars(bars, actions.get(bars.symbol, Actions()), folder.last, today, found)
            symbols.append(bars.symbol)
            spans[bars.symbol] = (bars.days[0].item(), bars.days[-1].item())
            rows += len(bars.days)
            first, last = min(first, bars.days[0].item()), max(last, bars.days[-1].item())
    except UNREADABLE as error:
        found.error(PRICES, "it cannot be read", reason(error))
        return
    check_actions(actions, frozenset(symbols), today, found)
    if symbols:
        yield _of("prices", symbols, rows, (first, last))
    if actions:
        days = [split.day for action in actions.values() for split in action.splits]
        days = sorted([*days, *(paid.day for action in actions.values() for paid in action.dividends)])
        yield _of("splits and dividends", actions, len(days), days)


def _check_profiles(path: Path, found: CheckFindings) -> Iterable[Answers]:
    profiles = _loaded(found, "profiles.json", lambda: load_profiles(path / "profiles.json"))
    if not profiles:
        return
    for symbol, profile in profiles.items():
        if profile.kind == "stock" and profile.sector is None:
            found.warn("profiles.json", "stocks of unknown sector, which are compared with no peers", symbol)
    yield _of("profiles", profiles, len(profiles), ())


def _dated(folder: Folder, actions: Mapping[str, Actions], spans: Spans, found: CheckFindings) -> Iterable[Answers]:
    """Read every other file as the vendor does, and describe its contents."""
    path, exchange = folder.path, folder.exchange
    statements = _loaded(found, "statements.jsonl.gz", lambda: load_statements(path / "statements.jsonl.gz")) or {}
    check_shares(sound_statements(statements, found), actions, spans, found)
    by_kind: dict[str, dict[str, list[date]]] = defaultdict(lambda: defaultdict(list))
    for symbol, rows in statements.items():
        for row in rows:
            by_kind[f"{row.frequency} {row.kind} statements"][symbol].append(row.period_end)
    for kind, by_symbol in sorted(by_kind.items()):
        days = sorted(day for found_days in by_symbol.values() for day in found_days)
        yield _of(kind, by_symbol, len(days), days)
    news: News | None = _loaded(found, "news.jsonl.gz", lambda: load_news(path / "news.jsonl.gz", {}, exchange))
    if news is not None:
        yield from _rows("news", news.by_symbol, "published_at")
        if days := sorted(item.published_at.date() for item in news.market if item.symbol is None):
            yield _of("market news", {}, len(days), days)
    trades = _loaded(found, INSIDERS, lambda: load_insiders(path / INSIDERS)) or {}
    _check_trades(folder, trades, found)
    yield from _rows("insider trades", trades, "transaction_date")
    yield from _rows(
        "social posts",
        _loaded(found, social.FILE, lambda: social.load_social(path / social.FILE)) or {},
        "posted_at",
    )
    yield from _rows(
        "filings",
        _loaded(found, filings.FILE, lambda: filings.load_filings(path / filings.FILE)) or {},
        "filed_on",
    )
    series = _loaded(found, MACRO, lambda: load_series(path / MACRO, exchange)) or {}
    series = {**series, **(_loaded(found, vintages.FILE, lambda: vintages.load_vintages(path / vintages.FILE)) or {})}
    for recording in series.values():
        for fault in check_observations(recording, NEVER_LATER)[1]:
            report = found.error if fault.withholds else found.warn
            report(MACRO, "values of a series that contradict or are in another unit", f"{fault.text()}; {fault.done}")
    if series:
        days = sorted(row.day for recording in series.values() for row in recording.observations)
        yield _of("economic series", series, len(days), days)
    releases = _loaded(found, MACRO, lambda: load_macro(path / MACRO, exchange)) or ()
    if releases:
        yield _of("economic releases", {}, len(releases), [event.day for event in releases])
    recorded = _loaded(found, answers.FILE, lambda: answers.load_answers(path / answers.FILE, exchange))
    for method in answers.METHODS_KEPT if recorded else ():
        own = [answer for answer in recorded.every if answer.method == method]
        if own:
            days = sorted(day for answer in own for day in (answer.first, answer.last))
            yield _of(f"recorded {method}", {answer.subject for answer in own if answer.subject}, len(own), days)


def _check_trades(folder: Folder, trades: Mapping[str, tuple[InsiderTransaction, ...]], found: CheckFindings) -> None:
    """Name the trades that runs leave out, by their rules."""
    vendor = SnapshotVendor(folder.path)
    for symbol, rows in trades.items():
        distinct, faults = distinct_trades(rows, NEVER_LATER)
        for fault in faults:
            found.warn(INSIDERS, "trades that are reported again, which count once", fault.text())
        try:
            prices = vendor.get_stock_data(symbol, folder.first, folder.last)
        except DataError:
            continue
        day = prices.days[-1].item()
        checked = check_prices(prices, day)
        if checked.unusable is not None:
            continue
        prices = checked.prices
        counted = [trade_in_shares_of(day, trade, prices.splits) for trade in distinct]
        for fault in possible_trades(counted, prices.as_traded(day))[1]:
            found.error(INSIDERS, "trades at a price that their day cannot have had, which are in no sum", fault.text())


def _rows(kind: str, by_symbol: Mapping[str, tuple[Any, ...]], dated: str) -> Iterable[Answers]:
    days = sorted(_day(getattr(row, dated)) for rows in by_symbol.values() for row in rows)
    if days:
        yield _of(kind, by_symbol, len(days), days)


def _day(moment: date | datetime) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _of(kind: str, subjects: Iterable[str], rows: int, days: Iterable[date]) -> Answers:
    names, dates = sorted(subjects), list(days)
    return Answers(
        kind=kind,
        tools=TOOLS.get(kind) or TOOLS.get(kind.partition(" ")[2]) or (kind.removeprefix("recorded "),),
        subjects=len(names),
        rows=rows,
        first=dates[0].isoformat() if dates else None,
        last=dates[-1].isoformat() if dates else None,
        examples=tuple(names[:5]),
    )
