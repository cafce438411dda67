"""Candidates and picks of a scan: which stocks, how many, and which answers are invalid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.agents.scan_states import Seen, known_name
from tradingagents.agents.schemas import Pick, ScanSummary
from tradingagents.analytics.market.scanned import SeenStock
from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, ModelFailure
from tradingagents.schemas.scan_summary import PickRecord, ScanSummaryRecord

FEWEST, MOST = 8, 10
"""Number of picks if the settings name none."""
HEADER = "| Ticker | Name | Sector | 1-Day | 1-Week | 1-Month | Seen in |\n|---|---|---|---|---|---|---|"
FIGURES = ("change_1d", "return_1w", "return_1m")
NAMED = 12
"""Most tickers named in an error."""
_SHARE_CLASS = re.compile(r"\bclass [a-z]\b.*", re.IGNORECASE)


class NoSummary(ModelFailure):
    """The model gave no valid summary; the message says what was wrong with the last one."""


@dataclass(frozen=True, slots=True)
class PickCount:
    """The number of picks to ask for."""

    least: int
    most: int
    shortage: str | None
    """Why there are fewer than usual; None with enough candidates."""

    @property
    def words(self) -> str:
        """The number as written in the prompt."""
        return f"exactly {self.most}" if self.least == self.most else f"{self.least} to {self.most}"


def asked_for(wanted: int | None, candidates: int) -> PickCount:
    """Return how many picks to ask for: as many as wanted (None: 8 to 10), at most one per candidate."""
    least, most = (FEWEST, MOST) if wanted is None else (wanted, wanted)
    short = f"Only {candidates} candidates stood in what was read, fewer than the {least} picks wanted."
    return PickCount(min(least, candidates), min(most, candidates), short if candidates < least else None)


def studyable(seen: Seen) -> Seen:
    """Return the stocks that can be studied.

    Tickers that mean something else are left out: for a stock called SPX every tool would return the index. Of a
    company's share classes one is kept: the one in most answers, ties by ticker.
    """
    plain = {ticker: stock for ticker, stock in seen.items() if _means_itself(ticker)}
    best: dict[str, str] = {}
    for ticker in sorted(plain, key=lambda ticker: (-len(plain[ticker].tools), ticker)):
        best.setdefault(_company(ticker, plain[ticker]), ticker)
    return {ticker: stock for ticker, stock in plain.items() if ticker in best.values()}


def candidates_table(seen: Seen) -> str:
    """Return the table of candidates with their figures, by ticker."""
    rows = (
        f"| {ticker} | {_cell(stock.name)} | {_sector(stock.sector) or 'n/a'} "
        f"| {' | '.join(_percent(stock.figures.get(figure)) for figure in FIGURES)} | {', '.join(stock.tools)} |"
        for ticker, stock in sorted(seen.items())
    )
    return "\n".join([HEADER, *rows])


def problem_with(picks: Sequence[Pick], seen: Seen, asked: PickCount) -> str | None:
    """Return why picks are invalid: invented or repeated tickers, too few or too many; None if they are valid."""
    tickers = [known_ticker(pick.ticker, seen) or pick.ticker for pick in picks]
    invented = [ticker for ticker in dict.fromkeys(tickers) if ticker not in seen]
    repeated = [ticker for ticker, count in Counter(tickers).items() if count > 1]
    problems = [
        f"not among the candidates: {', '.join(invented[:NAMED])}" if invented else "",
        f"named more than once: {', '.join(repeated[:NAMED])}" if repeated else "",
        ""
        if asked.least <= len(set(tickers)) <= asked.most
        else f"{len(set(tickers))} different stocks where {asked.words} are asked",
    ]
    return "; ".join(f"stocks_to_investigate: {problem}" for problem in problems if problem) or None


def known_ticker(written: str, seen: Seen) -> str | None:
    """Return the candidate that a model's ticker means, in any spelling; None if there is none."""
    plain = written.strip().lstrip("$").upper()
    if plain in seen:
        return plain
    try:
        symbol = normalise(plain)
    except BadSymbol:
        return None
    return symbol if symbol in seen else None


def recorded(summary: ScanSummary, seen: Seen) -> ScanSummaryRecord:
    """Return a checked summary as the card holds it, with tickers, names, sectors and sources from the data.

    Without a name in the data the model's name is used; its sector too if it is one of the eleven.
    """
    picks = [_recorded(pick, seen) for pick in summary.stocks_to_investigate]
    return ScanSummaryRecord.model_validate(summary.as_json() | {"stocks_to_investigate": picks})


def _company(ticker: str, stock: SeenStock) -> str:
    """Return a key common to a company's share classes: its name without the class, else the ticker."""
    name = _SHARE_CLASS.sub("", known_name(ticker, stock) or "").casefold()
    return "".join(letter for letter in name if letter.isalnum()) or ticker


def _means_itself(ticker: str) -> bool:
    try:
        return normalise(ticker) == ticker
    except BadSymbol:
        return False


def _recorded(pick: Pick, seen: Seen) -> PickRecord:
    ticker = known_ticker(pick.ticker, seen) or pick.ticker
    stock = seen[ticker]
    sector = _sector(stock.sector or sector_key(pick.sector)) or "unknown"
    name = known_name(ticker, stock) or pick.name or ticker
    known = {"ticker": ticker, "name": name, "sector": sector, "seen_in": stock.tools}
    return PickRecord.model_validate(pick.as_json() | known)


def _sector(key: str | None) -> str | None:
    return DISPLAY.get(key) if key else None


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{value:+.2f}%"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:80] or "n/a"
