"""Industry deep dive: why these sectors, their industries and companies, their headlines, and what bears on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tradingagents.analytics.company.news import NewsDigest
from tradingagents.analytics.market.industry_performance import CompanyReturns, IndustryPerformance, IndustryReturns
from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.offline.brief import Brief
from tradingagents.offline.headlines import Article, articles_of, quote
from tradingagents.offline.readings import Reading, Row, Shown, direction, shown_row
from tradingagents.offline.reports import Draft, write_report
from tradingagents.offline.rules import Gap
from tradingagents.offline.scan.mentions import is_event, mention_of
from tradingagents.offline.scan.news import Topic, bullets, quoted, telling, topics_of
from tradingagents.offline.scan.reading import DAY, MONTH, WEEK, ScanReading, SectorMove
from tradingagents.offline.scan.sectors import (
    PERIODS,
    SECTOR_REPORT,
    moves_of,
    moves_read,
    sector_row,
    text_of,
)
from tradingagents.offline.scores import ramp
from tradingagents.offline.words import names_any

TOOL, NEWS = "get_industry_performance", "get_news"
GEOPOLITICAL_REPORT = "geopolitical_report"
REPORT = "industry_deep_dive_report"
NAME_LENGTH = 60
ENDS = 3
"""Companies and industries named at either end."""
FULL_MONTH = 20.0
"""A company's move over a month, in per cent, that counts fully."""
BEARING: Sequence[tuple[tuple[str, ...], frozenset[str]]] = (
    (("energy", "oil", "gas", "commodit"), frozenset({"energy", "materials", "utilities", "industrials"})),
    (
        ("trade", "tariff", "sanction"),
        frozenset({"technology", "industrials", "consumer-discretionary", "materials"}),
    ),
    (
        ("central bank", "monetary", "interest rate"),
        frozenset({"financials", "real-estate", "utilities", "technology"}),
    ),
    (("geopolitic", "war ", "wars ", "conflict"), frozenset({"energy", "industrials"})),
)
"""Which sectors a topic bears on: a fixed table, not a finding."""


@dataclass(frozen=True, slots=True)
class Member:
    """One company or industry with its month."""

    label: str
    moves: Mapping[str, Shown]
    symbol: str = ""
    """Of a company."""

    @property
    def month(self) -> Shown:
        """Its month, which is known."""
        return self.moves[MONTH]

    @property
    def told(self) -> str:
        """Its name with the figures as the table shows them."""
        figures = ", ".join(f"{PERIODS[period]} {text_of(self.moves, period)}" for period in (DAY, WEEK, MONTH))
        return f"{self.label}: {figures}"


@dataclass(frozen=True, slots=True)
class Sector:
    """What was read about one sector; each part may be missing."""

    key: str
    move: SectorMove | None
    industries: tuple[Member, ...]
    """By month, best first."""
    companies: tuple[Member, ...]
    topic: Topic | None


def deep_dive(brief: Brief) -> Reading:
    """Read the sectors that moved most, and what was written about the day's largest movers."""
    sectors, news = sectors_read(brief), _news_of_movers(brief)
    others = [topic for topic in topics_of(brief) if sector_key(topic.name) is None]
    groups = [(DISPLAY[sector.key], _rows(sector)) for sector in sectors]
    groups += [(topic.name, (topic.row,)) for topic in others if topic.items]
    remarks = [*(_chapter(sector) for sector in sectors), *(f"### {topic.name}\n\n{_news(topic)}" for topic in others)]
    remarks.append(_movers_news(news))
    remarks.append(_bearings(brief, [sector.key for sector in sectors]))
    if not sectors:
        remarks.append("No sector was looked into: the tools gave neither industry performance nor news.")
    gaps = tuple(gap for sector in sectors for gap in _sector_gaps(sector))
    draft = Draft("Industry deep dive", tuple(groups), tuple(filter(None, remarks)), gaps, "the market")
    topics = [*(sector.topic for sector in sectors if sector.topic), *others]
    told = [item for topic in topics for item in telling(topic.items)] + [
        one for items in news.values() for one in items
    ]
    return ScanReading.of(write_report(draft, brief), mentions=tuple(mention_of(item, REPORT) for item in told))


def _news_of_movers(brief: Brief) -> Mapping[str, Sequence[Article]]:
    """Return the articles quoted of the day's largest movers: events before others, the most relevant first."""
    found: dict[str, Sequence[Article]] = {}
    for given in brief.given(NEWS):
        if isinstance(given.result, NewsDigest):
            symbol = given.result.symbol or ""
            items = [replace(item, symbol=symbol) for item in articles_of(given, brief.subject.trade_date)]
            found[symbol] = sorted(items, key=lambda item: (not is_event(item.title), -item.weight, item.title))[:ENDS]
    return found


def _movers_news(news: Mapping[str, Sequence[Article]]) -> str:
    lines = [quoted(item) for items in news.values() for item in items]
    silent = [symbol for symbol, items in news.items() if not items]
    parts = [
        "\n".join(["Written about the day's largest movers:", *lines]) if lines else "",
        f"No article clearly about {', '.join(silent)} was found: the move stands without a recorded reason."
        if silent
        else "",
    ]
    return "\n\n".join(part for part in parts if part)


def sectors_read(brief: Brief) -> tuple[Sector, ...]:
    """Join what was read by sector, in the order it was asked for."""
    given = [one.result for one in brief.given(TOOL) if isinstance(one.result, IndustryPerformance)]
    tables = {one.sector: one for one in given}
    news = {key: topic for topic in topics_of(brief) if (key := sector_key(topic.name))}
    moves = {move.key: move for move in moves_read(brief)}
    return tuple(
        Sector(
            key,
            moves.get(key),
            _members(tables[key].industries if key in tables else ()),
            _members(tables[key].companies if key in tables else ()),
            news.get(key),
        )
        for key in dict.fromkeys([*tables, *news])
    )


def _members(rows: Sequence[CompanyReturns | IndustryReturns]) -> tuple[Member, ...]:
    """Return companies or industries, best month first, equals by name; those without a month are left out."""
    found = [member for row in rows if MONTH in (member := _member(row)).moves]
    return tuple(sorted(found, key=lambda member: (-member.month.value, member.label)))


def _member(row: CompanyReturns | IndustryReturns) -> Member:
    if isinstance(row, IndustryReturns):
        return Member(quote(row.industry, NAME_LENGTH), moves_of(row.returns))
    name = quote(row.name, NAME_LENGTH) or MISSING
    return Member(f"{row.symbol} ({name})", moves_of(row.returns), row.symbol)


def _ends(members: Sequence[Member]) -> tuple[Sequence[Member], Sequence[Member]]:
    """Return the strongest and the weakest, weakest first; nothing stands on both sides."""
    count = min(ENDS, (len(members) + 1) // 2)
    return members[:count], members[count:][-ENDS:][::-1]


def _rows(sector: Sector) -> tuple[Row, ...]:
    rows = [sector_row(sector.move)] if sector.move and sector.move.month else []
    for words, members in zip(("strongest", "weakest"), _ends(sector.companies), strict=True):
        rows += [_company_row(member, words) for member in members[:1]]
    if sector.topic and sector.topic.items:
        rows.append(sector.topic.row)
    return tuple(rows)


def _company_row(member: Member, words: str) -> Row:
    score = ramp(member.month.value, 0, FULL_MONTH)
    return shown_row(f"{member.symbol}_1m", member.month, score, f"{words} company shown", TOOL)


def _chapter(sector: Sector) -> str:
    parts = [
        f"### {DISPLAY[sector.key]}",
        _why(sector),
        _range("Industries", sector.industries),
        _range("Companies", sector.companies),
        _news(sector.topic) if sector.topic else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _why(sector: Sector) -> str:
    if sector.move is None or sector.move.month is None:
        return "Its own 1-month figure stands in no report."
    rotation = "" if sector.move.rotation == "unknown" else f"; by its last week it is {sector.move.rotation}"
    return f"Looked into for its 1-month move of {sector.move.month.text} ({SECTOR_REPORT}){rotation}."


def _range(title: str, members: Sequence[Member]) -> str:
    if not members:
        return ""
    strong, weak = _ends(members)
    lines = [f"{title} by month, strongest first:", *(f"- {member.told}" for member in strong)]
    return "\n".join([*lines, "Weakest first:", *(f"- {member.told}" for member in weak)] if weak else lines)


def _news(topic: Topic) -> str:
    if not topic.items:
        return f"No article is clearly on {topic.name}."
    lines, row = bullets(topic.items), topic.row
    head = f"Headlines, {direction(row.score)} ({row.score:+.2f} derived), of {topic.count.text}"
    return "\n".join([f"{head}:", *lines]) if lines else f"{head}: none carries a word of tone."


def _bearings(brief: Brief, keys: Sequence[str]) -> str:
    """Say which geopolitical readings bear on the sectors looked into."""
    reading = brief.readings.get(GEOPOLITICAL_REPORT)
    lines = [
        f"- {row.figure}: {row.words}. It bears on {', '.join(DISPLAY[key] for key in keys if key in touched)}."
        for row in (reading.rows if reading else ())
        if (touched := bears_on(row.metric).intersection(keys))
    ]
    head = f"From the {GEOPOLITICAL_REPORT}, by a fixed table of what bears on what:"
    return "\n".join([head, *lines]) if lines else ""


def bears_on(topic: str) -> frozenset[str]:
    """Return the keys of the sectors that a topic bears on by `BEARING`; none where it is about nothing we list."""
    return frozenset(key for beginnings, keys in BEARING if names_any(topic, beginnings) for key in keys)


def _sector_gaps(sector: Sector) -> list[Gap]:
    missing: Mapping[Gap, bool] = {
        (f"1-month figure of {DISPLAY[sector.key]}", SECTOR_REPORT): not (sector.move and sector.move.month),
        (f"companies of {DISPLAY[sector.key]}", TOOL): not sector.companies,
    }
    return [gap for gap, absent in missing.items() if absent]
