"""Anyone's report, each figure looked up in the data as known on a day."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.quoted_shares import is_of_quoted_share
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.company import get_fundamentals, known_companies, per_quoted_share, share_doubt
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, Frequency, Prices, Statement, StatementKind
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.errors import BadSymbol, DataError, NoData, UnreadableDocument, UsageError, VendorNotConfigured
from tradingagents.features.report_check.check import checked_figures, companies_named, symbols_named
from tradingagents.features.report_check.document import markdown_of
from tradingagents.features.report_check.facts import CheckableCompany, CheckedCell
from tradingagents.features.report_check.page import VERDICT_WORDS, annotated_page, shown_value
from tradingagents.features.report_check.reader_process import Ask, read_apart
from tradingagents.features.report_check.verdicts import WRONG, CheckedFigure, Verdict
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.models import Scope, SourceDocument

MOST_NAMED, MOST_PEERS = 8, 6
"""Companies that a report names, and peers of its company, that figures are looked up for."""
MOST_FILINGS = 12
"""Stored filings of a company that figures are looked up in, the newest."""
PRICE_DAYS = 800
LARGEST = 30_000_000
"""Characters of a report."""
MOST_SHOWN = 100
SECONDS_A_MEGABYTE, SECONDS_OF_PDF = 5.0, 60.0
"""Most processor time for reading a report."""
_KINDS: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
_BOTH: tuple[Frequency, ...] = ("quarterly", "annual")


class CheckedReportFigure(BaseModel):
    """A figure of a report with its verdict."""

    model_config = ConfigDict(frozen=True)

    text: str
    """As printed."""
    start: int
    """First character of it in `ReportCheck.text`."""
    end: int
    context: str
    """The sentence or row that it stands in."""
    verdict: Verdict
    why: str
    cell: CheckedCell | None
    """What the data have for the company, metric and period that the report names; None where they have nothing."""
    elsewhere: CheckedCell | None
    """The cell that has the value instead: another period, another company, an earlier version."""


class ReportCheck(Result):
    """The figures of a report, each looked up in the data."""

    tabulated: ClassVar[bool] = True

    checked: tuple[CheckedReportFigure, ...]
    text: str
    """The report as it was read, in Markdown."""
    page: str = ""
    """The annotated report as one HTML page, where it was asked for."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Figures of a report on {self.symbol or 'no company that the data have'}"

    @property
    def counts(self) -> Counter[Verdict]:
        """How many figures have each verdict."""
        return Counter(figure.verdict for figure in self.checked)

    @property
    def wrong(self) -> tuple[CheckedReportFigure, ...]:
        """The figures that the data contradict."""
        return tuple(figure for figure in self.checked if figure.verdict in WRONG)

    def figures(self) -> tuple[Figure, ...]:
        """Return how many figures were checked, match, are contradicted, and cannot be checked."""
        return (
            Figure("figures_checked", len(self.checked)),
            Figure("figures_matched", self.counts["matches"]),
            Figure("figures_wrong", len(self.wrong)),
            Figure("figures_not_checkable", self.counts["not_checkable"]),
        )

    def body(self) -> str:
        """Return the counts and the figures that the data contradict."""
        lines = [f"{len(self.checked)} figures: {self.summary()}.", ""]
        if self.wrong:
            lines += ["| Figure | Verdict | Why | The data have | Where |", "|---|---|---|---|---|"]
            lines += [_row(figure) for figure in self.wrong[:MOST_SHOWN]]
        if len(self.wrong) > MOST_SHOWN:
            lines.append(f"{len(self.wrong) - MOST_SHOWN} more are left out.")
        return "\n".join(lines).rstrip()

    def summary(self) -> str:
        """Return the counts in words, such as `12 matches, 1 wrong period`."""
        counts = self.counts
        return ", ".join(f"{counts[name]} {words}" for name, words in VERDICT_WORDS.items() if counts[name]) or "none"


@capability(
    title="Report check",
    returns=ReportCheck,
    requires={"get_profile", "get_income_statement"},
    uses={
        *("get_balance_sheet", "get_cashflow", "get_stock_data", "get_peers", "get_fundamentals"),
        *("get_industry_performance", "get_earnings_calendar"),
    },
    example={"content": "# A report\n\nRevenue of the latest quarter was $1.00 billion. The shares closed at $1.23."},
    aliases=("report_check",),
    quotes_documents=True,
)
def check_report(
    data: MarketData, ticker: str, content: str, encoding: Literal["text", "base64"] = "text", page: bool = False
) -> ReportCheck:
    """Look up every figure of a report: matches, wrong value, period, unit or company, restated since, not found.

    Args:
        ticker: The company that it is on, for example AAPL; empty: the first that it names as `(AAPL)`.
        content: The report: text, Markdown or HTML; or any file, PDF too, in base64.
        encoding: text or base64.
        page: Whether the answer also holds the report as an HTML page with each figure marked.
    """
    if len(content) > LARGEST:
        raise UsageError(f"The report has {len(content)} characters; at most {LARGEST} are checked. Give it in parts.")
    companies: list[CheckableCompany] = []

    def found_for(named: Sequence[str]) -> list[CheckableCompany]:
        companies[:] = companies_of(data, named, ticker)
        return companies

    raw = _bytes(content, encoding)
    listed = {symbol: name for symbol, name, _ in known_companies(data)}
    text, checked, shown = read_apart(
        _read_and_checked,
        *(raw, data.cutoff.instant, data.as_of, listed, page),
        helpers={"companies": found_for, "filings": partial(_filings, data)},
        seconds=_seconds_for(raw),
    )
    first = companies[0]
    known = [statement.known_at for each in companies for statement in each.versions]
    return ReportCheck(
        symbol=first.symbol,
        as_of=data.as_of,
        source="+".join(
            dict.fromkeys(filter(None, (*(statement.source for statement in first.versions), first.source)))
        ),
        currency=first.prices.currency if first.prices is not None else None,
        known_at=max(known, default=None),
        fetched_at=data.asked_at,
        rows=sum(len(company.versions) for company in companies),
        inputs=tuple(company.symbol for company in companies[1:]),
        notes=share_doubts(companies),
        checked=checked,
        text=text,
        page=shown,
    )


def _read_and_checked(
    ask: Ask, content: bytes, known_at: datetime, as_of: date, listed: Mapping[str, str], page: bool
) -> tuple[str, tuple[CheckedReportFigure, ...], str]:
    """Return a report as it was read, its figures, and the page where it is wanted; runs apart from the caller."""
    text = markdown_of(content, known_at=known_at)
    named = [*symbols_named(text)[: 4 * MOST_NAMED], *companies_named(text, tuple(listed.items()))]
    companies = ask("companies", named)
    if not companies:
        raise UsageError("The report names no company that the data have; name its ticker.")
    checked = checked_figures(text, companies, as_of, partial(ask, "filings"))
    title = f"{companies[0].name} ({companies[0].symbol}): figures checked as of {as_of}"
    return text, tuple(_shown(figure) for figure in checked), annotated_page(title, text, checked) if page else ""


def _seconds_for(content: bytes) -> float:
    """Return how long a report may be read: 5 s of processor time a megabyte and not less, 60 s more for a PDF."""
    return SECONDS_A_MEGABYTE * max(1, round(len(content) / 1_000_000)) + (
        SECONDS_OF_PDF if b"%PDF-" in content[:1024] else 0
    )


def companies_of(data: MarketData, mentioned: Sequence[str], ticker: str) -> list[CheckableCompany]:
    """Return what the data have on the report's company, the others that it names, and peers, in this order.

    Args:
        data: The market.
        mentioned: Symbols that the report names.
        ticker: Symbol of its company; empty for the first that is known.

    Raises:
        NoData: The company that was named by the caller is not known.
    """
    listed = {symbol: name for symbol, name, _ in known_companies(data)}
    named = dict.fromkeys([*filter(None, [ticker]), *mentioned])
    found: dict[str, CheckableCompany] = {}
    for symbol in named:
        if len(found) > MOST_NAMED:
            break
        try:
            one = facts_of(data, symbol)
        except (BadSymbol, DataError, VendorNotConfigured):
            if symbol == ticker:
                raise
            if symbol not in listed:
                continue
            one = CheckableCompany(
                symbol, listed[symbol], (), data.as_of
            )  # its filings may be stored, and its figures are its own
        found.setdefault(one.symbol, one)
    for peer in list(_peers(data, found))[:MOST_PEERS]:
        try:
            found.setdefault(peer, facts_of(data, peer))
        except (BadSymbol, DataError, VendorNotConfigured):
            continue
    return list(found.values())


def facts_of(data: MarketData, symbol: str) -> CheckableCompany:
    """Return what the data have on a company.

    Raises:
        NoData: It is not known, or has neither statements nor prices.
    """
    profile = data.profile(symbol)
    versions = per_quoted_share(
        data,
        symbol,
        [statement for kind in _KINDS for freq in _BOTH for statement in _versions(data, symbol, kind, freq)],
    )
    prices = _prices(data, symbol)
    if not versions and prices is None:
        raise NoData(f"The data have neither statements nor prices of {symbol}; name another company.")
    return CheckableCompany(
        profile.symbol,
        profile.name,
        versions,
        data.as_of,
        profile=profile,
        prices=prices,
        ratios=_ratios(data, symbol) if prices is not None else {},
        results=_results(data, profile.symbol),
        source=prices.vendor if prices is not None else "",
    )


def share_doubts(companies: Sequence[CheckableCompany]) -> tuple[str, ...]:
    """Return why figures per share and share counts of companies are not looked up, each reason once."""
    reasons = (why for each in companies for row in each.versions for why in row.withheld.values())
    return tuple(dict.fromkeys(filter(is_of_quoted_share, reasons)))


def _filings(data: MarketData, symbol: str) -> list[SourceDocument]:
    """Return the stored filings of a company that were known by the day, the newest first."""
    if not store_exists(data.settings, data.memo):
        return []
    from tradingagents.retrieval.store import shared_store
    from tradingagents.retrieval.text_tables import with_text_tables

    with shared_store(data.settings, data.memo) as store:
        infos = store.documents(Scope(as_of=data.cutoff.instant, kinds=("filing",), symbols=(symbol,)))
        newest = sorted(infos, key=lambda info: info.known_at, reverse=True)[:MOST_FILINGS]
        documents = [store.get(info.key) for info in newest]
    return [document if document.tables else with_text_tables(document) for document in documents]


def _bytes(content: str, encoding: Literal["text", "base64"]) -> bytes:
    if encoding == "text":
        return content.encode()
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableDocument("The content is no base64; encode the bytes of the file.") from None


def _versions(data: MarketData, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
    try:
        return data.statement_versions(symbol, kind, freq)
    except (DataError, VendorNotConfigured):
        return ()


def _prices(data: MarketData, symbol: str) -> Prices | None:
    try:
        return data.prices(symbol, days=PRICE_DAYS)
    except (DataError, VendorNotConfigured):
        return None


def _ratios(data: MarketData, symbol: str) -> dict[str, float]:
    try:
        found = get_fundamentals.answer(data, normalise(symbol), data.as_of)
    except (DataError, VendorNotConfigured):
        return {}
    return {figure.name: figure.value for figure in found.figures() if figure.value is not None}


def _results(data: MarketData, symbol: str) -> tuple[EarningsEvent, ...]:
    """Return the results of the last years with the estimates before them; local data only."""
    try:
        if not data.is_local("get_earnings_calendar"):
            return ()
        events = data.earnings_calendar(data.as_of - timedelta(days=PRICE_DAYS), data.as_of, symbol)
    except (DataError, VendorNotConfigured):
        return ()
    found = tuple(event for event in events if event.eps is not None)
    return () if found and share_doubt(data, symbol) is not None else found


def _peers(data: MarketData, found: dict[str, CheckableCompany]) -> Iterator[str]:
    first = next(iter(found.values()), None)
    sector = first.profile.sector if first is not None and first.profile is not None else None
    if first is None or sector is None:
        return
    try:
        yield from (peer for peer in data.peers(first.symbol, sector) if peer not in found)
    except (DataError, VendorNotConfigured):
        return


def _shown(one: CheckedFigure) -> CheckedReportFigure:
    figure = one.figure
    return CheckedReportFigure(
        text=figure.text,
        start=figure.start,
        end=figure.end,
        context=figure.line,
        verdict=one.verdict,
        why=one.why,
        cell=one.cell,
        elsewhere=one.elsewhere if one.elsewhere is not one.cell else None,
    )


def _row(one: CheckedReportFigure) -> str:
    cell = f"{shown_value(one.cell.value)} ({one.cell.metric}, {one.cell.period})" if one.cell else ""
    context = one.context.replace("|", "/")
    place = context if len(context) <= 120 else f"{context[:117]}…"
    return f"| {one.text} | {VERDICT_WORDS[one.verdict]} | {one.why} | {cell} | {place} |"
