"""Which candidates a scan picks, and what it says of each: angle, conviction, evidence, catalysts, risks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.llm_clients.offline.scan.candidates import Candidate
from tradingagents.llm_clients.offline.scan.mentions import Mention
from tradingagents.llm_clients.offline.scan.sectors import DEFENSIVE, SECTOR_REPORT, SectorMove
from tradingagents.llm_clients.offline.scan.tables import DAY, MONTH, PERIODS, WEEK

FEWEST, MOST = 8, 10
"""Picks where nobody says how many."""
PER_SECTOR = 3
"""Most picks of one sector, unless there are too few candidates elsewhere."""
HIGH, MEDIUM = 0.50, 0.30
"""Scores from which conviction is high or medium; high also needs two tools."""
BIG_DAY = 5.0
"""A move of one day, in per cent, that asks for its cause."""
FALLEN = -8.0
"""A month's fall, in per cent, from which a rising week is a turn."""
QUIET = 4.0
"""A month's move, in per cent, below which a stock of a defensive sector is held for its calm."""
MOST_LINES = 2
"""Catalysts and risks quoted of the reports."""
WORDS = {
    "get_market_movers:day_gainers": "among the day's gainers",
    "get_market_movers:day_losers": "among the day's losers",
    "get_market_movers:most_actives": "among the most traded",
    "get_industry_performance": "among its sector's companies",
    "get_earnings_calendar": "in the earnings calendar",
    "get_topic_news": "in the news",
}
_ASKED = re.compile(r"^Picks asked: *(?:exactly +)?(\d{1,4})(?: *(?:to|-|–) *(\d{1,4}))?", re.MULTILINE)  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score."""

    candidate: Candidate
    score: float


def asked(instruction: str) -> tuple[int, int]:
    """Read how many picks are asked, least and most: from `Picks asked: 8 to 10` or `Picks asked: exactly 10`."""
    found = _ASKED.search(instruction)
    if not found:
        return FEWEST, MOST
    least = max(1, int(found.group(1)))
    return least, max(least, int(found.group(2) or 0))


def choose(scored: Sequence[Scored], least: int, most: int) -> list[Scored]:
    """Return the picks, best first; equals by ticker.

    As many as there are candidates of at least medium score, within `least` and `most`, and not more than `PER_SECTOR`
    of a known sector. Where that leaves too few, the limit on sectors falls, then the one on scores; fewer than `least`
    come back only where there are no more.
    """
    ordered = sorted(scored, key=lambda one: (-one.score, one.candidate.ticker))
    spread = _spread(ordered)
    good = sum(one.score >= MEDIUM for one in spread)
    wanted = min(max(least, good), most)
    chosen = spread[:wanted]
    chosen += [one for one in ordered if one not in chosen][: wanted - len(chosen)]
    return sorted(chosen, key=ordered.index)


def _spread(ordered: Sequence[Scored]) -> list[Scored]:
    """Keep the first of each sector up to the limit; a stock whose sector is not known is kept."""
    kept: list[Scored] = []
    counts: Counter[str] = Counter()
    for one in ordered:
        sector = one.candidate.sector
        if sector is None or counts[sector] < PER_SECTOR:
            kept.append(one)
            counts.update([sector] if sector else [])
    return kept


def conviction(one: Scored) -> str:
    """Return high, medium or low: by the score, and high only where more than one tool saw the stock."""
    if one.score >= HIGH and len(one.candidate.seen_in) > 1:
        return "high"
    return "medium" if one.score >= MEDIUM else "low"


def angle(candidate: Candidate, said: Sequence[Mention]) -> str:
    """Return the thesis angle; the first that holds of catalyst, turnaround, growth or value, defensive, momentum."""
    day, week, month = (candidate.value(period) for period in (DAY, WEEK, MONTH))
    if day is not None and abs(day) >= BIG_DAY:
        return "catalyst"
    if month is not None and week is not None and month <= FALLEN and week > 0:
        return "turnaround"
    supported = next((found for mention in said if (found := mention.angle)), None)
    if supported:
        return supported
    calm = month is not None and abs(month) < QUIET
    return "defensive" if calm and candidate.sector in DEFENSIVE else "momentum"


def pick(one: Scored, said: Sequence[Mention], sectors: Mapping[str, SectorMove]) -> dict[str, Any]:
    """Write a pick with the fields of the summary; every figure as the table or report shows it."""
    candidate = one.candidate
    good = [mention.told for mention in said if mention.tone > 0][:MOST_LINES]
    if "get_earnings_calendar" in candidate.seen_in:
        good.append("It stands in the earnings calendar (get_earnings_calendar).")
    return {
        "ticker": candidate.ticker,
        "name": candidate.name if candidate.name != "n/a" else candidate.ticker,
        "sector": candidate.sector_name if candidate.sector else "unknown",
        "rationale": _rationale(one, sectors, quiet=not good),
        "thesis_angle": angle(candidate, said),
        "conviction": conviction(one),
        "key_catalysts": good,
        "risks": [*[mention.told for mention in said if mention.tone < 0][:MOST_LINES], *_risks(candidate, sectors)],
        "evidence": evidence(candidate),
    }


def evidence(candidate: Candidate) -> list[dict[str, str]]:
    """Return one to three facts, each with the tool that gave it as the table names it."""
    facts: dict[str, dict[str, str]] = {}
    for period in (MONTH, WEEK, DAY):
        if period in candidate.moves:
            source = _source(candidate, period)
            claim = f"{candidate.ticker} {PERIODS[period]} {candidate.shown(period)}"
            if period == DAY and source in WORDS:
                claim = f"{claim}, {WORDS[source]}"
            facts[period] = {"claim": claim, "source": source}
    if not facts:
        tool = candidate.seen_in[0]
        return [{"claim": f"{candidate.ticker} stands {_where(tool)}; its moves are not known", "source": tool}]
    return list(facts.values())


def _source(candidate: Candidate, period: str) -> str:
    """Return the tool a move stands in: the industries, for the day the movers before them, else the first."""
    telling = ("get_market_movers", "get_industry_performance") if period == DAY else ("get_industry_performance",)
    return next((tool for name in telling for tool in candidate.seen_in if tool.startswith(name)), candidate.seen_in[0])


def _where(tool: str) -> str:
    return WORDS.get(tool) or WORDS.get(tool.partition(":")[0], f"in {tool}")


def _rationale(one: Scored, sectors: Mapping[str, SectorMove], *, quiet: bool) -> str:
    candidate = one.candidate
    move = sectors.get(candidate.sector or "")
    falling = " It is named to be looked at, not to be bought." if candidate.side < 0 else ""
    behind = (
        f" Its sector, {move.name}, moved {move.month.text} over a month ({SECTOR_REPORT})."
        if move and move.month
        else ""
    )
    return (
        f"{candidate.direction.capitalize()}: {candidate.figures}.{falling} "
        f"It stands {', '.join(_where(tool) for tool in candidate.seen_in)}.{behind} "
        f"By fixed rules it scores {one.score:+.2f} (derived)."
        f"{' No catalyst stands in what was read.' if quiet else ''}"
    )


def _risks(candidate: Candidate, sectors: Mapping[str, SectorMove]) -> list[str]:
    """Name what in the figures speaks against the stock; nothing where nothing does."""
    day, move = candidate.value(DAY), sectors.get(candidate.sector or "")
    risks = []
    if candidate.side < 0:
        risks.append(f"It is {candidate.direction}: {candidate.figures}.")
    if day is not None and day >= BIG_DAY:
        risks.append(f"A move of {candidate.shown(DAY)} in one day may be given back.")
    if move and move.month and move.month.value * candidate.side < 0:
        risks.append(f"Its sector goes the other way: {move.name} {move.month.text} over a month.")
    return risks
