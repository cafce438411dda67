"""Market movers scanner: what the indices did, who moved and who was traded, and where the moves concentrate."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.offline.reading import Prompt
from tradingagents.offline.reports import Draft, write
from tradingagents.offline.scan.tables import Cells, cell, number, percent, rows_of
from tradingagents.offline.scores import fear, near_high, ramp, regime, say
from tradingagents.offline.tables import Row, Shown

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
_SYMBOL = re.compile(r"\((\^?[A-Z0-9.]+)\)\s*$")


@dataclass(frozen=True, slots=True)
class Moved:
    """One stock of a movers table."""

    symbol: str
    cells: Cells
    change: Shown

    @property
    def told(self) -> str:
        """The stock with its figures as the table shows them."""
        name, sector, price, volume, value = (
            cell(self.cells, key) for key in ("name", "sector", "price", "volume", "market cap")
        )
        return f"{self.symbol} ({name}; {sector}): {self.change.text} at {price}, volume {volume}, market cap {value}"


def movers_of(prompt: Prompt) -> dict[str, tuple[Moved, ...]]:
    """Read the movers by category, in the order shown; of a category asked twice the first result counts."""
    found: dict[str, tuple[Moved, ...]] = {}
    for result in prompt.results(MOVERS):
        rows = rows_of(result.body, "symbol", "change")
        moved = ((cells, percent(cells, "change")) for cells in rows)
        listed = tuple(Moved(cell(cells, "symbol"), cells, change) for cells, change in moved if change)
        found.setdefault(result.subject, listed)
    return found


def indices_of(prompt: Prompt) -> dict[str, Cells]:
    """Read the indices by symbol, in the order shown."""
    rows = rows_of(prompt.body(INDICES), "index", "current price", "change %")
    symbols = ((_SYMBOL.search(cells["index"]), cells) for cells in rows)
    return {found.group(1): cells for found, cells in symbols if found}


def movers(prompt: Prompt) -> str:
    """Write the market movers report."""
    indices, moved = indices_of(prompt), movers_of(prompt)
    topics = (
        ("Indices", _index_rows(indices)),
        ("Volatility", _fear_rows(indices)),
        ("Regime", _regime_rows(prompt)),
        ("Movers", (*_skew_rows(moved), *_extreme_rows(moved))),
    )
    remarks = (
        _levels(indices),
        *(_listed(category, moved[category]) for category in CATEGORIES if moved.get(category)),
        _traded(moved),
        *(_concentration(category, moved.get(category, ())) for category in (GAINERS, LOSERS)),
    )
    gaps = [f"{category} ({MOVERS})" for category in CATEGORIES if not moved.get(category)]
    if not indices:
        gaps.append(f"indices ({INDICES})")
    draft = Draft("Market movers report", topics, tuple(filter(None, remarks)), tuple(gaps), "the market")
    return write(draft, prompt)


def _stocks(indices: dict[str, Cells]) -> dict[str, tuple[Cells, Shown]]:
    """Return the indices of stocks with their change of the day; the VIX is none."""
    changes = ((symbol, cells, percent(cells, "change %")) for symbol, cells in indices.items() if symbol != VIX)
    return {symbol: (cells, change) for symbol, cells, change in changes if change}


def _index_rows(indices: dict[str, Cells]) -> tuple[Row, ...]:
    stocks = _stocks(indices)
    rows = []
    for symbol, (_, change) in stocks.items():
        score = say(ramp(change.value, 0, FULL_DAY), "the index {} up on the day", "the index {} down on the day")
        rows.append(Row(f"{symbol}_change_pct", change.text, score.value, score.words, INDICES))
    if stocks:
        up = sum(change.value > 0 for _, change in stocks.values())
        value = 2 * up / len(stocks) - 1
        words = "most indices rise" if value > 0 else "most indices fall" if value < 0 else "as many rise as fall"
        rows.append(Row("indices_up", f"{up} of {len(stocks)} derived", value, words, INDICES))
    return (*rows, *_high_rows(indices.get(MAIN_INDEX, {})))


def _high_rows(cells: Cells) -> tuple[Row, ...]:
    high, last = number(cells, "52w high"), number(cells, "current price")
    if high is None or last is None:
        return ()
    score = near_high(high.value, last.value)
    return (Row(f"{MAIN_INDEX}_high_52w", high.text, score.value, score.words, INDICES),)


def _fear_rows(indices: dict[str, Cells]) -> tuple[Row, ...]:
    level = number(indices.get(VIX, {}), "current price")
    if level is None:
        return ()
    score = fear(level.value)
    return (Row(f"{VIX}_last", level.text, score.value, score.words, INDICES),)


def _regime_rows(prompt: Prompt) -> tuple[Row, ...]:
    """Return the macro regime that the trading analysts read that day too; nothing where it is not known."""
    shown = prompt.figures.get(REGIME, {}).get("regime_score")
    if shown is None:
        return ()
    score = regime(shown.value)
    return (Row("regime_score", shown.text, score.value, score.words, REGIME),)


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
        Row(f"{one.symbol}_change_1d", one.change.text, ramp(one.change.value, 0, 10), f"first of the {words}", MOVERS)
        for category, words in CATEGORIES.items()
        for one in moved.get(category, ())[:1]
    )


def _levels(indices: dict[str, Cells]) -> str:
    lines = [
        f"- {cell(cells, 'index')}: {cell(cells, 'current price')}, {cell(cells, 'change %')} on the day, "
        f"year's range {cell(cells, '52w low')} to {cell(cells, '52w high')}"
        for cells in indices.values()
    ]
    return "\n".join(["The indices:", *lines]) if lines else ""


def _listed(category: str, listed: Sequence[Moved]) -> str:
    head = f"{CATEGORIES[category].capitalize()}, the first {min(NAMED_MOVERS, len(listed))}:"
    return "\n".join([head, *(f"- {one.told}" for one in listed[:NAMED_MOVERS])])


def _traded(moved: dict[str, tuple[Moved, ...]]) -> str:
    """Name the stocks that moved and were traded unusually on the same day."""
    active = {one.symbol for one in moved.get(ACTIVES, ())}
    both = [
        f"{one.symbol} ({one.change.text})"
        for category in (GAINERS, LOSERS)
        for one in moved.get(category, ())
        if one.symbol in active
    ]
    if not active:
        return ""
    if not both:
        return "None of the gainers and losers is among the most active: the moves came without unusual volume."
    return f"Moved and among the most active, so that volume stands behind the move: {', '.join(both)}."


def _concentration(category: str, listed: Sequence[Moved]) -> str:
    """Say which sector holds most of a category, and whether that is much."""
    known = [sector for one in listed if (sector := cell(one.cells, "sector")) != "n/a"]
    if not known:
        return ""
    counts = sorted(Counter(known).items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{sector} {count} of {len(known)}" for sector, count in counts[:3])
    crowded = counts[0][1] / len(known) > CROWDED and counts[0][1] > 1
    return f"The {CATEGORIES[category]} {'concentrate' if crowded else 'are spread'} by sector: {told} (counted)."
