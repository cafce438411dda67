"""Macro synthesis: the four reports of a scan become context, themes and picks, with the fields of a `ScanSummary`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tradingagents.analytics.market.macro_regime import regime_of
from tradingagents.offline.brief import Brief
from tradingagents.offline.evidence import report_name
from tradingagents.offline.headlines import quote
from tradingagents.offline.rationale import capitalised
from tradingagents.offline.readings import Row, direction
from tradingagents.offline.reports import MADE_BY
from tradingagents.offline.rules import overall, weight_of
from tradingagents.offline.scan.candidates import candidates, score
from tradingagents.offline.scan.mentions import mentions
from tradingagents.offline.scan.picks import Scored, catalysts, choose, pick
from tradingagents.offline.scan.reading import ScanReading, SectorMove
from tradingagents.offline.scan.sectors import SECTOR_REPORT, largest, moves_read
from tradingagents.offline.words import names_any

SCANNED: Mapping[str, float] = {SECTOR_REPORT: 0.5, "market_movers_report": 0.3, "geopolitical_report": 0.2}
"""The reports that speak of the market as a whole, and what each counts in its tone: a month, a day, headlines."""
READ = ("geopolitical_report", "market_movers_report", SECTOR_REPORT, "industry_deep_dive_report")
RISK_ON, RISK_OFF = 0.15, -0.15
"""Tone of the market from which it is called so."""
FIRM, PLAIN = 0.60, 0.30
"""Scores from which a theme is held with high or medium conviction."""
TIMEFRAME = "1 month"
MOST_THEMES = 3
"""Sectors that are themes of their own."""
MOST_RISKS = 5
WEIGHTIEST = 3
"""Readings quoted for the market's own theme."""
NO_CANDIDATE = "No summary: the reports name no candidate."
_BANK = ("central bank ", "monetary ", "interest rate ", "interest rates ")
REGIME = "get_macro_regime"
MOST_SIGNALS = 6
_CYCLE = "cyclical_less_defensive"

Summary = dict[str, Any]


@dataclass(frozen=True)
class Market:
    """What the reports say of the market as a whole."""

    tables: Mapping[str, tuple[Row, ...]]
    """Closing tables of the reports that were given, by name."""
    sectors: Mapping[str, SectorMove]
    """By key."""

    @cached_property
    def tone(self) -> float | None:
        """The weighted mean of the scanners' overall scores, -1 to 1; None where none holds a reading."""
        means = {name: mean for name in SCANNED if (mean := overall(self.tables.get(name, ()))) is not None}
        total = sum(SCANNED[name] for name in means)
        return sum(SCANNED[name] * mean for name, mean in means.items()) / total if total else None

    @cached_property
    def regime_score(self) -> int | None:
        """The macro regime's score, -6 to 6, as the trading analysts read it that day; None where no report has it."""
        row = next((row for _, row in self.rows if row.source == REGIME), None)
        return int(row.value) if row and row.value is not None else None

    @property
    def tilt(self) -> float:
        """How the market leans, -1 to 1: by the macro regime where that is known, else by the tone of the reports."""
        return self.regime_score / MOST_SIGNALS if self.regime_score is not None else self.tone or 0.0

    @property
    def regime(self) -> str:
        """The market in a word: the macro regime where it is known, else risk-on, risk-off or mixed by the tone."""
        if self.regime_score is not None:
            found = regime_of(self.regime_score)
            return "in transition" if found == "transition" else found
        if self.tone is None:
            return "unknown"
        return tone_word(self.tone)

    @property
    def rows(self) -> list[tuple[str, Row]]:
        """Every row that weighs something, with the report it stands in."""
        return [(name, row) for name, table in self.tables.items() for row in table if weight_of(row)]


def macro_synthesis(brief: Brief) -> Summary | None:
    """Write the summary of a scan; None where there is no candidate to pick."""
    known = candidates(brief)
    if not known:
        return None
    market, (least, most) = market_of(brief), brief.picks
    found = [brief.readings[name] for name in READ if name in brief.readings]
    quoted = [one for reading in found if isinstance(reading, ScanReading) for one in reading.mentions]
    said = mentions(quoted, {one.ticker for one in known})
    scored = [
        Scored(
            stock,
            score(stock, market.sectors, market.tilt, explained=bool(catalysts(stock, said.get(stock.ticker, ())))),
        )
        for stock in known
    ]
    chosen = choose(scored, least, most)
    return {
        "timeframe": TIMEFRAME,
        "executive_summary": _summary(market, chosen, len(known), brief),
        "macro_context": _context(market),
        "key_themes": [_market_theme(market), *_sector_themes(market)],
        "stocks_to_investigate": [
            pick(one, said.get(one.candidate.ticker, ()), market.sectors, market.tilt) for one in chosen
        ],
        "risk_factors": _risk_factors(market),
    }


def market_of(brief: Brief) -> Market:
    """Return what the scanners found of the market as a whole."""
    tables = {name: brief.readings[name].rows for name in READ if name in brief.readings}
    return Market(tables, {move.key: move for move in moves_read(brief)})


def _summary(market: Market, chosen: Sequence[Scored], known: int, brief: Brief) -> str:
    first = chosen[0].candidate
    parts = [
        MADE_BY,
        _reading(market),
        _leading(market),
        f"Of {known} candidates {len(chosen)} are picked (counted).",
        f"The first is {first.ticker}, {first.direction}: {first.figures}.",
        f"Not read, for they are not available: {', '.join(map(report_name, sorted(brief.missing)))}."
        if brief.missing
        else "",
    ]
    return " ".join(part for part in parts if part)


def _reading(market: Market) -> str:
    parts = []
    if market.regime_score is not None:
        parts.append(f"The macro regime is {market.regime} (score {market.regime_score} of 6).")
    if market.tone is not None:
        own = f"{tone_word(market.tone)}, at {round(market.tone, 2) + 0.0:+.2f} (derived, -1 to 1)"
        parts.append(f"Sectors, movers and headlines together read {own}.")
    return " ".join(parts) or "No report holds a reading of the market."


def tone_word(tone: float) -> str:
    """Return the tone of the reports in a word: risk-on, risk-off or mixed."""
    return "risk-on" if tone >= RISK_ON else "risk-off" if tone <= RISK_OFF else "mixed"


def _leading(market: Market) -> str:
    """Name the sector that moved most."""
    top = largest(market.sectors.values(), 1)
    return " ".join(f"{move.name} moved most over a month: {move.month.text}." for move in top if move.month)


def _context(market: Market) -> Summary:
    rows = market.rows
    cycle = next((row for _, row in rows if row.metric == _CYCLE), None)
    bank = next((row for _, row in rows if names_any(row.metric, _BANK)), None)
    world = [row for name, row in rows if name == "geopolitical_report" and row.score < 0]
    return {
        "economic_cycle": f"Read from sectors alone: {_quoted(cycle)}." if cycle else "No reading tells the cycle.",
        "central_bank_stance": (
            f"The stance itself is not read by rules. {capitalised(_quoted(bank))}."
            if bank
            else "No reading tells the stance."
        ),
        "geopolitical_risks": [
            f"{capitalised(_quoted(row))}." for row in sorted(world, key=lambda row: (row.score, row.metric))
        ],
    }


def _market_theme(market: Market) -> Summary:
    rows = [row for name, row in market.rows if name in SCANNED]
    told = "; ".join(_quoted(row) for row in sorted(rows, key=lambda row: (-abs(row.score), row.metric))[:WEIGHTIEST])
    return {
        "theme": f"The market is {market.regime}"
        if market.regime != "unknown"
        else "The market's direction is not known",
        "description": f"{_reading(market)} What weighs most: {told}." if told else _reading(market),
        "conviction": _firmness(market.tilt),
        "timeframe": TIMEFRAME,
    }


def _sector_themes(market: Market) -> list[Summary]:
    """Return the sectors that moved most, as themes of their own."""
    return [
        {
            "theme": f"{move.name}: {'rising' if move.score > 0 else 'falling'}",
            "description": f"{move.name} moved {move.month.text} over a month ({report_name(SECTOR_REPORT)})"
            + (f" and is {move.rotation} by its last week." if move.rotation != "unknown" else "."),
            "conviction": _firmness(move.score),
            "timeframe": TIMEFRAME,
        }
        for move in largest(market.sectors.values(), MOST_THEMES)
        if move.month and move.score
    ]


def _risk_factors(market: Market) -> list[str]:
    """Return the most bearish readings of all reports, each once, with where they stand."""
    bad = sorted((pair for pair in market.rows if pair[1].score <= -0.05), key=lambda pair: (pair[1].score, pair[0]))
    told: dict[str, str] = {}
    for name, row in bad:
        told.setdefault(row.metric, f"{capitalised(_quoted(row))} ({report_name(name)}).")
    return list(told.values())[:MOST_RISKS]


def _quoted(row: Row) -> str:
    return quote(f"{row.figure}, {direction(row.score)}: {row.words}", 160)


def _firmness(value: float) -> str:
    return "high" if abs(value) >= FIRM else "medium" if abs(value) >= PLAIN else "low"
