"""Small briefs of a scan, about fictional companies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.offline.briefs import DAY, NOON, asked, digest, rule_of
from tradingagents.analytics.company.news import RankedArticle, TopicDigest
from tradingagents.analytics.market.industry_performance import CompanyReturns, IndustryPerformance, IndustryReturns
from tradingagents.analytics.market.market_movers import IndexRow, MarketIndices, MarketMovers, MoverRow
from tradingagents.analytics.market.sectors import SectorPerformance, SectorReturns
from tradingagents.dataflows.results import Result
from tradingagents.offline.brief import Brief, Pickable, Subject, ToolAnswer
from tradingagents.offline.readings import Reading

SUMMARY_TOOL = {"type": "function", "function": {"name": "ScanSummary", "parameters": {}}}
KNOWN = {"as_of": DAY, "source": "example", "fetched_at": NOON}
Returns = tuple[float | None, ...]


def scanner(role: str, calls: Sequence[ToolAnswer], *, reports: Mapping[str, Reading | str] | None = None) -> Brief:
    """Return a scanner's brief; a text stands for a report that is not available."""
    given = reports or {}
    return Brief(
        role,
        rule_of(role),
        Subject(trade_date=DAY),
        results=tuple(calls),
        readings={name: one for name, one in given.items() if isinstance(one, Reading)},
        missing=tuple(name for name, one in given.items() if isinstance(one, str)),
    )


def movers(category: str, rows: Sequence[MoverRow]) -> ToolAnswer:
    listed = MarketMovers(**KNOWN, category=category, session=DAY, movers=tuple(rows))  # type: ignore[arg-type]
    return asked("get_market_movers", listed, category)


def mover(
    symbol: str, name: str, price: float, change: float, volume: float, cap: float | None, sector: str
) -> MoverRow:
    return MoverRow(
        symbol=symbol,
        name=name,
        price=price,
        change_pct=change,
        volume=volume,
        market_cap=cap,
        sector=sector,
        currency="USD",
    )


def indices(rows: Sequence[tuple[str, str, float, float, float, float]]) -> ToolAnswer:
    """Return the indices: symbol, name, level, change in per cent, and the range of the year."""
    made = [
        IndexRow(symbol=symbol, name=name, last=last, change=0.0, change_pct=change, high_52w=high, low_52w=low)
        for symbol, name, last, change, high, low in rows
    ]
    return asked("get_market_indices", MarketIndices(**KNOWN, indices=tuple(made)))  # type: ignore[arg-type]


def sector_returns(rows: Mapping[str, Returns]) -> ToolAnswer:
    """Return the sectors' returns over a day, a week, a month and the year so far."""
    made = [SectorReturns(sector=key, etf="X", returns=_by_period(moves)) for key, moves in rows.items()]
    return asked("get_sector_performance", SectorPerformance(**KNOWN, sectors=tuple(made)))  # type: ignore[arg-type]


def industries(sector: str, companies: Mapping[str, tuple[str, Returns]], groups: Mapping[str, Returns]) -> ToolAnswer:
    """Return a sector's companies, by symbol with their names, and its industries."""
    listed = [
        CompanyReturns(
            symbol=symbol, name=name, industry=None, rating=None, weight=None, leader=False, returns=_by_period(moves)
        )
        for symbol, (name, moves) in companies.items()
    ]
    grouped = [IndustryReturns(industry=name, companies=2, returns=_by_period(moves)) for name, moves in groups.items()]
    result: Result = IndustryPerformance(**KNOWN, sector=sector, companies=tuple(listed), industries=tuple(grouped))  # type: ignore[arg-type]
    return asked("get_industry_performance", result, sector)


def news_on(topic: str, articles: Sequence[RankedArticle]) -> ToolAnswer:
    given = digest(articles, TopicDigest, topic=topic, companies={}, symbol=None)
    return asked("get_topic_news", given, topic)


def candidate(
    ticker: str,
    day: float | None = None,
    week: float | None = None,
    month: float | None = None,
    *,
    sector: str | None = None,
    seen: str = "get_industry_performance:technology",
    name: str = "",
) -> Pickable:
    """Return a stock that can be picked."""
    moves = {"change_1d": day, "return_1w": week, "return_1m": month}
    known = {period: move for period, move in moves.items() if move is not None}
    return Pickable(ticker, name or f"{ticker} Works", sector, known, tuple(seen.split(", ")))


def synthesis(
    reports: Mapping[str, Reading | str], rows: Sequence[Pickable], picks: tuple[int, int] = (8, 10)
) -> Brief:
    """Return the brief of the macro synthesis."""
    brief = scanner("Macro Synthesis", (), reports=reports)
    return Brief(
        brief.agent, brief.rule, brief.subject, readings=brief.readings, missing=brief.missing,
        candidates=tuple(rows), picks=picks,
    )  # fmt: skip


def _by_period(moves: Returns) -> dict[str, float | None]:
    return dict(zip(("1d", "1w", "1m", "ytd"), moves, strict=False))
