"""Which candidates a scan picks, and what it says of each: stance, angle, conviction, evidence, catalysts, risks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.dataflows.reference.company_names import company_names, is_named
from tradingagents.offline.scan.candidates import BIG_DAY, Candidate
from tradingagents.offline.scan.mentions import Mention
from tradingagents.offline.scan.reading import DAY, MONTH, WEEK, SectorMove
from tradingagents.offline.scan.sectors import DEFENSIVE, PERIODS

PER_SECTOR = 3
"""Most picks of one sector, unless there are too few candidates elsewhere."""
HIGH, MEDIUM = 0.50, 0.30
"""Scores from which conviction is high or medium; high also needs two tools."""
EXTREME_DAY = 10.0
"""A move of one day, in per cent, with which a stock has a place among the picks whatever its score."""
MOST_EXTREME = 2
"""Places kept for such moves."""
FALLEN = -8.0
"""A month's fall, in per cent, from which a rising week is a turn."""
QUIET = 4.0
"""A month's move, in per cent, below which a stock of a defensive sector is held for its calm."""
MOST_LINES = 2
"""Catalysts and risks quoted of the reports."""
SMALL_DAY = 2.0
"""A move of one day, in per cent, from which it tells which way a stock went."""
RISK_OFF = 0.5
"""Lean of the market from which, negative, buy candidates need shelter: three of six signals."""
MEANT = {
    "buy_candidate": "A candidate to buy: it rises by week and month.",
    "short_candidate": "A candidate to sell short: it falls and shows no turn.",
    "watch": "One to watch: week, month and market do not yet agree on a trade.",
}
"""What each stance says in the rationale."""
WORDS = {
    "get_market_movers:day_gainers": "among the day's gainers",
    "get_market_movers:day_losers": "among the day's losers",
    "get_market_movers:most_actives": "among the most traded",
    "get_industry_performance": "among its sector's companies",
    "get_earnings_calendar": "in the earnings calendar",
    "get_topic_news": "in the news",
}


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score."""

    candidate: Candidate
    score: float


def choose(scored: Sequence[Scored], least: int, most: int) -> list[Scored]:
    """Return the picks, best first; equals by ticker.

    As many as there are candidates of at least medium score, within `least` and `most`, and not more than `PER_SECTOR`
    of a known sector. Where that leaves too few, the limit on sectors falls, then the one on scores; fewer than `least`
    come back only where there are no more. The largest moves of the day from `EXTREME_DAY` on come in first.
    """
    ordered = sorted(scored, key=lambda one: (-one.score, one.candidate.ticker))
    spread = _spread(ordered)
    good = sum(one.score >= MEDIUM for one in spread)
    wanted = min(max(least, good), most)
    extreme = sorted((one for one in ordered if _day(one) >= EXTREME_DAY), key=lambda one: -_day(one))[:MOST_EXTREME]
    chosen = extreme[:wanted]
    for pool in (spread, ordered):
        chosen += [one for one in pool if one not in chosen][: wanted - len(chosen)]
    return sorted(chosen, key=ordered.index)


def _day(scored: Scored) -> float:
    return abs(scored.candidate.value(DAY) or 0.0)


def _spread(ordered: Sequence[Scored]) -> list[Scored]:
    """Keep the first of each sector up to the limit; a stock whose sector is not known is kept."""
    kept: list[Scored] = []
    counts: Counter[str] = Counter()
    for scored in ordered:
        sector = scored.candidate.sector
        if sector is None or counts[sector] < PER_SECTOR:
            kept.append(scored)
            counts.update([sector] if sector else [])
    return kept


def conviction(scored: Scored) -> str:
    """Return high, medium or low: by the score, and high only where more than one tool saw the stock."""
    if scored.score >= HIGH and len(scored.candidate.seen_in) > 1:
        return "high"
    return "medium" if scored.score >= MEDIUM else "low"


def catalysts(candidate: Candidate, said: Sequence[Mention]) -> list[Mention]:
    """Return the events read that name the candidate and go its way: good ones of a riser, bad ones of a faller."""
    day = candidate.value(DAY)
    way = (day > 0) - (day < 0) if day is not None and abs(day) >= SMALL_DAY else candidate.side
    names = company_names(candidate.ticker, candidate.name)
    return [one for one in said if one.event and one.tone * (way or 1) > 0 and is_named(names, one.headline)]


def angle(candidate: Candidate, said: Sequence[Mention]) -> str:
    """Return the thesis angle; the first that is true.

    growth or value where it was read in so many words; catalyst where an event was read that goes its way; turnaround
    where a month's fall turned by the week or by a big day; defensive for a calm stock of a defensive sector; momentum
    for a rising stock, decline for a falling one.
    """
    day, week, month = (candidate.value(period) for period in (DAY, WEEK, MONTH))
    supported = next((found for mention in said if (found := mention.angle)), None)
    if supported:
        return supported
    if catalysts(candidate, said):
        return "catalyst"
    turned = (week is not None and week > 0 and month is not None and month <= FALLEN) or (
        day is not None and day >= BIG_DAY and month is not None and month < 0
    )
    if turned:
        return "turnaround"
    calm = month is not None and abs(month) < QUIET
    if calm and candidate.sector in DEFENSIVE:
        return "defensive"
    return "decline" if candidate.side < 0 else "momentum"


def stance(scored: Scored, said: Sequence[Mention], tilt: float) -> str:
    """Return what a pick is for: buy_candidate, short_candidate or watch.

    A buy candidate rises by week and month with at least a medium score, and in a market that is risk-off has a
    catalyst or stands in a defensive sector. A short candidate falls by week and month, has lost 8 % or more in the
    month or fell on an event that was read, and did not turn with a big day. All others are to be watched.
    """
    candidate = scored.candidate
    day, week, month = (candidate.value(period) for period in (DAY, WEEK, MONTH))
    if week is None or month is None:
        return "watch"
    read = catalysts(candidate, said)
    if week > 0 and month > 0 and scored.score >= MEDIUM:
        sheltered = bool(read) or candidate.sector in DEFENSIVE
        return "buy_candidate" if tilt > -RISK_OFF or sheltered else "watch"
    falling = week < 0 and month < 0 and (day is None or day < BIG_DAY)
    supported = any(mention.tone < 0 for mention in read) if read else month <= FALLEN
    return "short_candidate" if falling and supported else "watch"


def pick(scored: Scored, said: Sequence[Mention], sectors: Mapping[str, SectorMove], tilt: float) -> dict[str, Any]:
    """Write a pick with the fields of the summary; every figure as the table or report shows it.

    Args:
        scored: The candidate with its score.
        said: What the reports say about it.
        sectors: The sectors' moves, by key.
        tilt: How the market leans, -1 to 1.
    """
    candidate = scored.candidate
    reasons = catalysts(candidate, said)
    against = [mention for mention in said if mention.tone < 0 and mention not in reasons]
    meant = stance(scored, said, tilt)
    return {
        "ticker": candidate.ticker,
        "name": candidate.name if candidate.name != "n/a" else candidate.ticker,
        "sector": candidate.sector_name if candidate.sector else "unknown",
        "rationale": _rationale(scored, sectors, meant, reasons),
        "stance": meant,
        "thesis_angle": angle(candidate, said),
        "conviction": conviction(scored),
        "key_catalysts": [mention.told for mention in reasons[:MOST_LINES]],
        "risks": [*[mention.told for mention in against][:MOST_LINES], *_risks(candidate, sectors)],
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


def _rationale(scored: Scored, sectors: Mapping[str, SectorMove], meant: str, reasons: Sequence[Mention]) -> str:
    candidate = scored.candidate
    move = sectors.get(candidate.sector or "")
    behind = f" {move.name} as a sector moved {move.month.text} over the month." if move and move.month else ""
    return (
        f"{candidate.direction.capitalize()}: {candidate.figures}.{_reason(candidate, reasons)} {MEANT[meant]}"
        f"{_listed(candidate)}{behind} Its score by fixed rules is {scored.score:+.2f} (derived)."
    )


def _reason(candidate: Candidate, reasons: Sequence[Mention]) -> str:
    """Say what explains the move, or that nothing read does."""
    if reasons:
        return f" What was read behind it: {reasons[0].headline.rstrip('.')}."
    if "get_earnings_calendar" in candidate.seen_in:
        return " It is in the earnings calendar of these days."
    day = candidate.value(DAY)
    if day is not None and abs(day) >= BIG_DAY:
        return f" No reason for the day's move of {candidate.shown(DAY)} is recorded in what was read."
    return ""


def _listed(candidate: Candidate) -> str:
    """Say in which lists of the day it stands; nothing for a company that was only listed with its sector."""
    lists = [WORDS[tool] for tool in candidate.seen_in if tool in WORDS and tool.startswith("get_market_movers")]
    return f" It is {' and '.join(lists)}." if lists else ""


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
