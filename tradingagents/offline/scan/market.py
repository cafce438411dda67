"""Market movers scanner: what the indices did, who moved and who was traded, and where the moves concentrate."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tradingagents.analytics.market.market_movers import IndexRow, MarketIndices, MarketMovers, MoverRow
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.offline.brief import Brief
from tradingagents.offline.headlines import quote
from tradingagents.offline.readings import Reading, Row, Shown, shown_row
from tradingagents.offline.reports import Draft, write_report
from tradingagents.offline.scores import fear, near_high, ramp, regime, say

MOVERS, INDICES, REGIME = "get_market_movers", "get_market_indices", "get_macro_regime"
GAINERS, LOSERS, ACTIVES = "day_gainers", "day_losers", "most_actives"
CATEGORIES = {GAINERS: "gainers", LOSERS: "losers", ACTIVES: "most active"}
FULL_DAY = 3.0
"""An index's change in a day, in per cent, that counts fully."""
FULL_SKEW = 10.0
"""Points by which gainers outdo losers, in the median, that count fully."""
NAMED_MOVERS = 5
"""Stocks named of each category."""
CROWDED = 0.3
"""Share of a category that one sector holds where it is called concentrated."""
VIX, MAIN_INDEX = "^VIX", "^GSPC"
NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Moved:
    """One stock of a list of movers."""

    symbol: str
    sector: str
    """Display name; n/a where unknown."""
    change: Shown
    told: str
    """The stock with its figures as the tool shows them."""


@dataclass(frozen=True, slots=True)
class Index:
    """One index at its last close."""

    name: str
    """With its symbol."""
    last: Shown
    change: Shown
    """In per cent."""
    high: Shown | None
    """None, as is `low`, where the history is shorter than a year."""
    low: Shown | None


def movers_of(brief: Brief) -> dict[str, tuple[Moved, ...]]:
    """Return the movers by category, in the order shown; of a category asked twice the first result counts."""
    found: dict[str, tuple[Moved, ...]] = {}
    for given in brief.given(MOVERS):
        if isinstance(given.result, MarketMovers):
            moved = map(_moved, given.result.movers)
            found.setdefault(given.result.category, tuple(stock for stock in moved if stock is not None))
    return found


def _moved(row: MoverRow) -> Moved | None:
    price, change, volume, value = row.figures()
    if change.rounded is None:
        return None
    name, sector = quote(row.name, NAME_LENGTH) or MISSING, DISPLAY.get(row.sector or "", MISSING)
    told = (
        f"{row.symbol} ({name}; {sector}): {change.text} at {price.text}, volume {volume.text}, market cap {value.text}"
    )
    return Moved(row.symbol, sector, Shown(change.rounded, change.text, "%"), told)


def indices_of(brief: Brief) -> dict[str, Index]:
    """Return the indices by symbol, in the order shown."""
    given = [one.result for one in brief.given(INDICES) if isinstance(one.result, MarketIndices)]
    return {row.symbol: _index(row) for one in given[:1] for row in one.indices}


def _index(row: IndexRow) -> Index:
    last, _, change, high, low = row.figures()
    year = (_shown(one) if one.rounded is not None else None for one in (high, low))
    return Index(quote(f"{row.name} ({row.symbol})", NAME_LENGTH), _shown(last), _shown(change), *year)


def _shown(figure: Figure) -> Shown:
    return Shown(figure.rounded or 0.0, figure.text, figure.unit)


def movers(brief: Brief) -> Reading:
    """Read what the indices did, who moved and who was traded."""
    indices, moved = indices_of(brief), movers_of(brief)
    topics = (
        ("Indices", _index_rows(indices)),
        ("Volatility", _fear_rows(indices)),
        ("Regime", _regime_rows(brief)),
        ("Movers", (*_skew_rows(moved), *_extreme_rows(moved))),
    )
    remarks = (
        _levels(indices),
        *(_listed(category, moved[category]) for category in CATEGORIES if moved.get(category)),
        _traded(moved),
        *(_concentration(category, moved.get(category, ())) for category in (GAINERS, LOSERS)),
    )
    gaps = [(category, MOVERS) for category in CATEGORIES if not moved.get(category)]
    if not indices:
        gaps.append(("indices", INDICES))
    draft = Draft("Market movers report", topics, tuple(filter(None, remarks)), tuple(gaps), "the market")
    return write_report(draft, brief)


def _index_rows(indices: Mapping[str, Index]) -> tuple[Row, ...]:
    stocks = {symbol: one.change for symbol, one in indices.items() if symbol != VIX}
    rows = []
    for symbol, change in stocks.items():
        score = say(ramp(change.value, 0, FULL_DAY), "the index {} up on the day", "the index {} down on the day")
        rows.append(shown_row(f"{symbol}_change_pct", change, score.value, score.words, INDICES))
    if stocks:
        up = sum(change.value > 0 for change in stocks.values())
        value = 2 * up / len(stocks) - 1
        words = "most indices rise" if value > 0 else "most indices fall" if value < 0 else "as many rise as fall"
        rows.append(Row("indices_up", f"{up} of {len(stocks)} derived", value, words, INDICES))
    return (*rows, *_high_rows(indices.get(MAIN_INDEX)))


def _high_rows(index: Index | None) -> tuple[Row, ...]:
    if index is None or index.high is None:
        return ()
    score = near_high(index.high.value, index.last.value)
    return (shown_row(f"{MAIN_INDEX}_high_52w", index.high, score.value, score.words, INDICES),)


def _fear_rows(indices: Mapping[str, Index]) -> tuple[Row, ...]:
    if VIX not in indices:
        return ()
    level = indices[VIX].last
    score = fear(level.value)
    return (shown_row(f"{VIX}_last", level, score.value, score.words, INDICES),)


def _regime_rows(brief: Brief) -> tuple[Row, ...]:
    """Return the macro regime that the trading analysts read that day too; nothing where it is not known."""
    shown = brief.figures.get(REGIME, {}).get("regime_score")
    if shown is None:
        return ()
    score = regime(shown.value)
    return (shown_row("regime_score", shown, score.value, score.words, REGIME),)


def _skew_rows(moved: dict[str, tuple[Moved, ...]]) -> tuple[Row, ...]:
    """Weigh the median gainer against the median loser; nothing where either category is empty."""
    gained, lost = moved.get(GAINERS, ()), moved.get(LOSERS, ())
    if not gained or not lost:
        return ()
    points = statistics.median(one.change.value for one in gained) + statistics.median(one.change.value for one in lost)
    score = say(ramp(points, 0, FULL_SKEW), "gainers {} outdo losers", "losers {} outdo gainers")
    return (Row("movers_skew", f"{points:+.2f} points derived", score.value, score.words, MOVERS),)


def _extreme_rows(moved: dict[str, tuple[Moved, ...]]) -> tuple[Row, ...]:
    """Return the first stock of each category: shown, and not weighed."""
    return tuple(
        shown_row(
            f"{mover.symbol}_change_1d", mover.change, ramp(mover.change.value, 0, 10), f"first of the {words}", MOVERS
        )
        for category, words in CATEGORIES.items()
        for mover in moved.get(category, ())[:1]
    )


def _range(index: Index) -> str:
    if index.high is None or index.low is None:
        return ""
    return f", year's range {index.low.text} to {index.high.text}"


def _levels(indices: Mapping[str, Index]) -> str:
    lines = [f"- {one.name}: {one.last.text}, {one.change.text} on the day{_range(one)}" for one in indices.values()]
    return "\n".join(["The indices:", *lines]) if lines else ""


def _listed(category: str, listed: Sequence[Moved]) -> str:
    head = f"{CATEGORIES[category].capitalize()}, the first {min(NAMED_MOVERS, len(listed))}:"
    return "\n".join([head, *(f"- {one.told}" for one in listed[:NAMED_MOVERS])])


def _traded(moved: dict[str, tuple[Moved, ...]]) -> str:
    """Name the stocks that moved and were traded unusually on the same day."""
    active = {one.symbol for one in moved.get(ACTIVES, ())}
    both = [
        f"{mover.symbol} ({mover.change.text})"
        for category in (GAINERS, LOSERS)
        for mover in moved.get(category, ())
        if mover.symbol in active
    ]
    if not active:
        return ""
    if not both:
        return "None of the gainers and losers is among the most active: the moves came without unusual volume."
    return f"Moved and among the most active, so that volume stands behind the move: {', '.join(both)}."


def _concentration(category: str, listed: Sequence[Moved]) -> str:
    """Say which sector holds most of a category, and whether that is much."""
    known = [one.sector for one in listed if one.sector != MISSING]
    if not known:
        return ""
    counts = sorted(Counter(known).items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{sector} {count} of {len(known)}" for sector, count in counts[:3])
    crowded = counts[0][1] / len(known) > CROWDED and counts[0][1] > 1
    return f"The {CATEGORIES[category]} {'concentrate' if crowded else 'are spread'} by sector: {told} (counted)."
