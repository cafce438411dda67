"""Industry deep dive: why these sectors, their industries and companies, their headlines, and what bears on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.offline.headlines import articles_of
from tradingagents.offline.reading import Prompt
from tradingagents.offline.reports import Draft, write
from tradingagents.offline.scan.mentions import is_event
from tradingagents.offline.scan.news import Topic, bullets, quoted, topics_of
from tradingagents.offline.scan.sectors import SECTOR_REPORT, SectorMove, sector_moves, sector_row
from tradingagents.offline.scan.tables import DAY, MONTH, PERIODS, WEEK, Cells, cell, percent, rows_of
from tradingagents.offline.scores import ramp
from tradingagents.offline.tables import Row, Shown, closing_table, direction

TOOL, NEWS = "get_industry_performance", "get_news"
GEOPOLITICAL_REPORT = "geopolitical_report"
ENDS = 3
"""Companies and industries named at either end."""
FULL_MONTH = 20.0
"""A company's move over a month, in per cent, that counts fully."""
BEARING: Sequence[tuple[re.Pattern[str], frozenset[str]]] = (
    (re.compile(r"\b(energy|oil|gas|commodit)", re.I), frozenset({"energy", "materials", "utilities", "industrials"})),
    (
        re.compile(r"\b(trade|tariff|sanction)", re.I),
        frozenset({"technology", "industrials", "consumer-discretionary", "materials"}),
    ),
    (
        re.compile(r"\b(central bank|monetary|interest rate)", re.I),
        frozenset({"financials", "real-estate", "utilities", "technology"}),
    ),
    (re.compile(r"\b(geopolitic|wars?\b|conflict)", re.I), frozenset({"energy", "industrials"})),
)
"""Which sectors a topic bears on: a fixed table, not a finding."""


@dataclass(frozen=True, slots=True)
class Member:
    """One company or industry with its month."""

    label: str
    cells: Cells
    month: Shown

    @property
    def told(self) -> str:
        """Its name with the figures as the table shows them."""
        figures = ", ".join(f"{PERIODS[period]} {cell(self.cells, period)}" for period in (DAY, WEEK, MONTH))
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


def deep_dive(prompt: Prompt) -> str:
    """Write the industry deep dive."""
    sectors = sectors_read(prompt)
    others = [topic for topic in topics_of(prompt) if sector_key(topic.name) is None]
    groups = [(DISPLAY[sector.key], _rows(sector)) for sector in sectors]
    groups += [(topic.name, (topic.row,)) for topic in others if topic.items]
    remarks = [*(_chapter(sector) for sector in sectors), *(f"### {topic.name}\n\n{_news(topic)}" for topic in others)]
    remarks.append(_movers_news(prompt))
    remarks.append(_bearings(prompt, [sector.key for sector in sectors]))
    if not sectors:
        remarks.append("No sector was looked into: the tools gave neither industry performance nor news.")
    gaps = tuple(gap for sector in sectors for gap in _sector_gaps(sector))
    return write(Draft("Industry deep dive", tuple(groups), tuple(filter(None, remarks)), gaps, "the market"), prompt)


def _movers_news(prompt: Prompt) -> str:
    """Quote what was written about the day's largest movers: events before other articles, the most relevant first."""
    lines: list[str] = []
    silent: list[str] = []
    for result in prompt.results(NEWS):
        items = [replace(item, symbol=result.subject) for item in articles_of(result, prompt.instrument)]
        told = sorted(items, key=lambda item: (not is_event(item.title), -item.weight, item.title))[:ENDS]
        lines += [quoted(item) for item in told]
        silent += [] if told else [result.subject]
    parts = [
        "\n".join(["Written about the day's largest movers:", *lines]) if lines else "",
        f"No article clearly about {', '.join(silent)} was found: the move stands without a recorded reason."
        if silent
        else "",
    ]
    return "\n\n".join(part for part in parts if part)


def sectors_read(prompt: Prompt) -> tuple[Sector, ...]:
    """Join what was read by sector, in the order it was asked for."""
    tables = {key: result.body for result in prompt.results(TOOL) if (key := sector_key(result.subject))}
    news = {key: topic for topic in topics_of(prompt) if (key := sector_key(topic.name))}
    moves = {move.key: move for move in sector_moves(prompt.reports.get(SECTOR_REPORT, ""))}
    return tuple(
        Sector(
            key,
            moves.get(key),
            _members(tables.get(key, ""), "industry"),
            _members(tables.get(key, ""), "symbol"),
            news.get(key),
        )
        for key in dict.fromkeys([*tables, *news])
    )


def _members(body: str, labelled: str) -> tuple[Member, ...]:
    """Read the table that has a column `labelled`, best month first, equals by name; rows without a month left out."""
    rows = ((cells, percent(cells, MONTH)) for cells in rows_of(body, labelled, MONTH))
    found = [Member(_label(cells, labelled), cells, month) for cells, month in rows if month]
    return tuple(sorted(found, key=lambda member: (-member.month.value, member.label)))


def _label(cells: Cells, labelled: str) -> str:
    own = cell(cells, labelled)
    return f"{own} ({cell(cells, 'company')})" if "company" in cells else own


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
    return Row(f"{cell(member.cells, 'symbol')}_1m", member.month.text, score, f"{words} company shown", TOOL)


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
    head = f"Headlines, {direction(row.score)} ({row.score:+.2f} derived), of {topic.shown}"
    return "\n".join([f"{head}:", *lines]) if lines else f"{head}: none carries a word of tone."


def _bearings(prompt: Prompt, keys: Sequence[str]) -> str:
    """Say which geopolitical readings bear on the sectors looked into."""
    lines = [
        f"- {row.figure}: {row.words}. It bears on {', '.join(DISPLAY[key] for key in keys if key in touched)}."
        for row in closing_table(prompt.reports.get(GEOPOLITICAL_REPORT, ""))
        if (touched := bears_on(row.metric).intersection(keys))
    ]
    head = f"From the {GEOPOLITICAL_REPORT}, by a fixed table of what bears on what:"
    return "\n".join([head, *lines]) if lines else ""


def bears_on(topic: str) -> frozenset[str]:
    """Return the keys of the sectors that a topic bears on by `BEARING`; none where it is about nothing we list."""
    return frozenset(key for pattern, keys in BEARING if pattern.search(topic) for key in keys)


def _sector_gaps(sector: Sector) -> list[str]:
    missing: Mapping[str, bool] = {
        f"1-month figure of {DISPLAY[sector.key]} ({SECTOR_REPORT})": not (sector.move and sector.move.month),
        f"companies of {DISPLAY[sector.key]} ({TOOL})": not sector.companies,
    }
    return [gap for gap, absent in missing.items() if absent]
