"""Sector scanner: ranks the sectors by a month, says where money rotates to, and weighs cyclical against defensive."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence

from tradingagents.analytics.market.sectors import SectorPerformance
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.offline.brief import Brief
from tradingagents.offline.readings import Reading, Row, Shown, shown_row
from tradingagents.offline.reports import Draft, write_report
from tradingagents.offline.scan.reading import DAY, MONTH, WEEK, YTD, ScanReading, SectorMove
from tradingagents.offline.scores import ramp, say

PERIODS = {DAY: "1-Day", WEEK: "1-Week", MONTH: "1-Month", YTD: "YTD"}
"""How the periods of returns are called in prose."""
SECTOR_REPORT = "sector_performance_report"
TOOL = "get_sector_performance"
DEFENSIVE = frozenset({"utilities", "consumer-staples", "healthcare"})
CYCLICAL = frozenset({"technology", "consumer-discretionary", "industrials", "materials", "financials", "energy"})
"""As the sector scanner's prompt has them; real estate and communication services count on neither side."""
FULL_SPREAD = 4.0
"""Points between cyclical and defensive sectors that count fully."""
ENDS = 3
"""Sectors named at either end of the ranking."""
_MOSTLY = {
    1: "more sectors up than down over a month",
    -1: "more sectors down than up over a month",
    0: "as many sectors up as down over a month",
}
_TITLES = ("1-Day %", "1-Week %", "1-Month %", "YTD %")


def moves_of(returns: Mapping[str, float | None]) -> Mapping[str, Shown]:
    """Return returns in per cent as a table shows them, by period; those known."""
    shown = ((period, Figure("", value, "%")) for period, value in returns.items())
    return {period: Shown(one.rounded, one.text, "%") for period, one in shown if one.rounded is not None}


def text_of(moves: Mapping[str, Shown], period: str) -> str:
    """Return a move as a table shows it; n/a where it is not known."""
    return moves[period].text if period in moves else MISSING


def largest(moves: Iterable[SectorMove], count: int) -> list[SectorMove]:
    """Return the sectors that moved most over a month, either way, the largest first."""
    known = [(abs(move.month.value), move) for move in moves if move.month]
    return [move for _, move in sorted(known, key=lambda pair: -pair[0])[:count]]


def sectors(brief: Brief) -> Reading:
    """Rank the sectors, and weigh cyclical against defensive."""
    given = [one.result for one in brief.given(TOOL) if isinstance(one.result, SectorPerformance)]
    found = {row.sector: SectorMove(row.sector, moves_of(row.returns)) for one in given[:1] for row in one.sectors}
    moves = ranked(found[key] for key in SECTORS if key in found)
    known = [move for move in moves if move.month]
    rows = [sector_row(move) for move in known]
    spread, breadth = _spread_row(known), _breadth_row(known)
    topics = (("Sectors", tuple(rows)), ("Positioning", (spread,) if spread else ()), ("Breadth", breadth))
    gaps = [(f"{key}_1m", TOOL) for key in SECTORS if key not in {move.key for move in known}]
    remarks = (_ends(known), _rotation(moves), _positioning(known), _ranking(moves))
    draft = Draft("Sector report", topics, tuple(part for part in remarks if part), tuple(gaps), "the market")
    in_our_order = tuple(found[key] for key in SECTORS if key in found)
    return ScanReading.of(write_report(draft, brief), moves=in_our_order)


def moves_read(brief: Brief) -> tuple[SectorMove, ...]:
    """Return the sectors' moves as the sector scanner found them; none where it could not report."""
    reading = brief.readings.get(SECTOR_REPORT)
    return reading.moves if isinstance(reading, ScanReading) else ()


def ranked(moves: Iterable[SectorMove]) -> list[SectorMove]:
    """Sort by the month's move, best first; those without one last."""
    return sorted(moves, key=lambda move: (move.month is None, -(move.month.value if move.month else 0.0)))


def sector_row(move: SectorMove) -> Row:
    """Score a sector's month."""
    score = say(move.score, "{} up over a month", "{} down over a month")
    words = score.words if move.rotation == "unknown" else f"{score.words}, {move.rotation}"
    return shown_row(f"{move.key}_1m", move.month or Shown(0.0, MISSING), score.value, words, TOOL)


def _mean(known: Sequence[SectorMove], side: frozenset[str]) -> float | None:
    months = [move.month.value for move in known if move.month and move.key in side]
    return statistics.fmean(months) if months else None


def _spread_row(known: Sequence[SectorMove]) -> Row | None:
    cyclical, defensive = _mean(known, CYCLICAL), _mean(known, DEFENSIVE)
    if cyclical is None or defensive is None:
        return None
    points = cyclical - defensive
    score = say(
        ramp(points, 0, FULL_SPREAD),
        "cyclical sectors {} ahead of defensive ones",
        "cyclical sectors {} behind defensive ones",
    )
    return Row("cyclical_less_defensive", f"{points:+.2f} points derived", score.value, score.words, TOOL)


def _breadth_row(known: Sequence[SectorMove]) -> tuple[Row, ...]:
    if not known:
        return ()
    up = sum(move.score > 0 for move in known)
    value = 2 * up / len(known) - 1
    words = _MOSTLY[(value > 0) - (value < 0)]
    return (Row("sectors_up", f"{up} of {len(known)} derived", value, words, TOOL),)


def _ends(known: Sequence[SectorMove]) -> str:
    if not known:
        return "No sector's month is known: there is nothing to rank."
    count = min(ENDS, len(known) // 2) or 1
    top = ", ".join(_named(move) for move in known[:count])
    if len(known) == 1:
        return f"Over a month only {top} is known."
    bottom = ", ".join(_named(move) for move in reversed(known[-count:]))
    return f"Over a month the strongest are {top}; the weakest {bottom}."


def _named(move: SectorMove) -> str:
    return f"{move.name} ({move.month.text if move.month else 'n/a'})"


def _rotation(moves: Sequence[SectorMove]) -> str:
    """Group the sectors by what their last week does to their month."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        if move.week and move.month:
            told = f"{move.name} (1-Week {move.week.text} in a 1-Month of {move.month.text})"
            groups.setdefault(move.rotation, []).append(told)
    if not groups:
        return ""
    order = ("accelerating", "recovering", "steady", "fading", "falling slower", "falling faster")
    told = "; ".join(f"{name}: {', '.join(groups[name])}" for name in order if name in groups)
    return f"Rotation, the last week against the month's weekly pace. {told[0].upper()}{told[1:]}."


def _positioning(known: Sequence[SectorMove]) -> str:
    cyclical, defensive = _mean(known, CYCLICAL), _mean(known, DEFENSIVE)
    if cyclical is None or defensive is None:
        return ""
    side = "cyclical" if cyclical > defensive else "defensive"
    return (
        f"Cyclical sectors average {cyclical:+.2f}% (derived) over a month and defensive ones {defensive:+.2f}% "
        f"(derived): the market leans {side}."
    )


def _ranking(moves: Sequence[SectorMove]) -> str:
    if not moves:
        return ""
    head = f"| Sector | {' | '.join(_TITLES)} | Rotation |\n|---|---|---|---|---|---|"
    periods = (DAY, WEEK, MONTH, YTD)
    rows = (
        f"| {move.name} | {' | '.join(text_of(move.moves, period) for period in periods)} | {move.rotation} |"
        for move in moves
    )
    return "\n".join([head, *rows])
