"""Conditions on figures, such as those that prove a hypothesis wrong, looked up in what was filed and traded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.errors import DataError, NoData, UsageError, VendorNotConfigured
from tradingagents.features.deep_report.evidence.falsifiers import condition, outcome_of, shown
from tradingagents.features.deep_report.evidence.watched_figures import WATCHED, FigureHistory
from tradingagents.features.deep_report.schemas.falsifiers import (
    Comparison,
    Falsifier,
    FalsifierOutcome,
    MeasuredFigure,
)

MOST_CONDITIONS = 50
_UNKNOWN = (
    "Conditions on closes are not judged from {day} on: no close of {symbol} on that session is known (the known ones "
    "begin on {first}), and it may have met one first. Name a start after the last such session."
)


class FalsifierReplay(Result):
    """Conditions on figures of a company, each with the first filing or close that met it."""

    tabulated: ClassVar[bool] = True

    outcomes: tuple[FalsifierOutcome, ...]
    unjudged: bool = False
    """Whether conditions on closes or statements could not all be judged; `notes` say why."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Conditions on figures: {self.symbol}, {self.start} to {self.end}"

    def figures(self) -> tuple[Figure, ...]:
        """Return how many there are and how many were met: n/a where some could not be judged."""
        fired = None if self.unjudged else sum(outcome.state == "fired" for outcome in self.outcomes)
        return (Figure("conditions", len(self.outcomes)), Figure("conditions_met", fired))

    def body(self) -> str:
        """Return a table of the conditions with what became of them."""
        rows = (f"| {condition(outcome.falsifier)} | {' | '.join(self._found(outcome))} |" for outcome in self.outcomes)
        return "\n".join(("| Condition | State | Figure |", "|---|---|---|", *rows))

    def _found(self, outcome: FalsifierOutcome) -> tuple[str, str]:
        """Return the state and the figure of an outcome in words."""
        if self.unjudged and outcome.last is None and _on_closes(outcome.falsifier.figure):
            return "not judged", "n/a"
        return outcome.state, described(outcome.falsifier, outcome.event or outcome.last)


def described(falsifier: Falsifier, figure: MeasuredFigure | None) -> str:
    """Return a figure with its period, its cells and the day of the filing or close; words where there is none."""
    if figure is None:
        return "no figure yet"
    value = shown(falsifier, figure.value)
    if WATCHED[falsifier.figure].basis == "session":
        return f"{value} at the close of {figure.period_end}"
    cells = ", ".join(f"{cell.item} {Figure('', cell.value).text} ({cell.period_end})" for cell in figure.cells[:6])
    return f"{value}, period to {figure.period_end}, filed {figure.known_at:%Y-%m-%d}: {cells}"


@capability(
    title="Conditions replayed",
    returns=FalsifierReplay,
    requires={"get_income_statement"},
    uses={"get_balance_sheet", "get_cashflow", "get_stock_data", "get_profile"},
    example={"conditions": "gross_margin below 90; price above 1"},
)
def replay_falsifiers(
    data: MarketData, ticker: str, conditions: str, start_date: date, end_date: date
) -> FalsifierReplay:
    """Look conditions on a company's figures up in its filings and closes: which met them first, and when it was known.

    Args:
        ticker: Ticker, for example AAPL.
        conditions: Such as `gross_margin below 43; price above 200`, separated by semicolons; margins and growth in
            percent, of a quarter.
        start_date: Only periods that end, and sessions, after this day count, YYYY-MM-DD.
        end_date: Last day of the periods and sessions that count, YYYY-MM-DD.
    """
    if start_date >= end_date:
        raise UsageError(f"The window begins on {start_date}, not before its end on {end_date}; exchange the two.")
    texts = [text.strip() for text in conditions.split(";") if text.strip()]
    if not 1 <= len(texts) <= MOST_CONDITIONS:
        raise UsageError(f"Give 1 to {MOST_CONDITIONS} conditions, such as: gross_margin below 43")
    read = [_read(text) for text in texts]
    by_session = any(_on_closes(name) for name, _, _ in read)
    days, missing = (data.as_of - start_date).days + 10, ""
    if by_session:
        missing = _without_closes(data, ticker, days)
    history = figure_history(data, ticker, days=days if by_session and not missing else 0)
    if not missing and not all(_on_closes(name) for name, _, _ in read):
        missing = _withheld_in(history.versions, start_date, end_date)
    if not missing and any("gross" in name for name, _, _ in read):  # nothing shows what a gross profit means
        missing = who.withheld if (who := data.known_profile(ticker)) is not None else ""
    currency = history.versions[0].currency if history.versions else ""
    made = [_condition(test, currency, (start_date, end_date)) for test in read]
    outcomes = tuple(outcome_of(falsifier, history, data.cutoff.instant) for falsifier in made)
    if (unknown := _unknown_close(history, start_date, end_date)) is not None:
        judged = tuple(_without_unknown(outcome, unknown) for outcome in outcomes)
        if judged != outcomes:
            first = history.prices.days[0] if history.prices is not None else unknown
            why = _UNKNOWN.format(day=unknown, symbol=normalise(ticker), first=first)
            missing = f"{missing} {why}".strip()
        outcomes = judged
    known = [outcome.last.known_at for outcome in outcomes if outcome.last is not None]
    return FalsifierReplay(
        symbol=normalise(ticker),
        as_of=data.as_of,
        source="+".join(dict.fromkeys(version.source for version in history.versions)),
        currency=currency or None,
        known_at=max(known, default=None),
        fetched_at=data.asked_at,
        start=start_date,
        end=end_date,
        rows=len(history.versions),
        notes=(missing,) if missing else (),
        outcomes=outcomes,
        unjudged=bool(missing),
    )


def _withheld_in(versions: Sequence[Statement], start: date, end: date) -> str:
    """Return why conditions on statements of a window cannot all be judged; empty where none of them is withheld."""
    within = (row for row in versions if start < row.period_end <= end)
    reason = next((reason for row in within for reason in row.withheld.values()), "")
    return f"Conditions on statements are not all judged: {reason}" if reason else ""


def figure_history(data: MarketData, ticker: str, *, days: int) -> FigureHistory:
    """Return what a company filed by the day, in every version, and its closes of so many calendar days; 0 for none.

    Raises:
        NoData: No quarterly income statement was filed.
    """
    kinds: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
    versions = tuple(version for kind in kinds for version in _versions(data, ticker, kind))
    if not any(version.kind == "income" for version in versions):
        raise NoData(f"No quarterly income statement of {ticker} was filed by {data.as_of}; watch its price instead.")
    symbol = normalise(ticker)
    return FigureHistory(
        versions,
        profile=data.known_profile(symbol),
        prices=_prices(data, symbol, days) if days else None,
        calendar=sessions(exchange_of(symbol)),
    )


def _versions(data: MarketData, ticker: str, kind: StatementKind) -> tuple[Statement, ...]:
    try:
        return data.statement_versions(ticker, kind)
    except NoData:
        return ()


def _on_closes(name: str) -> bool:
    return WATCHED[name].basis == "session"


def _without_closes(data: MarketData, ticker: str, days: int) -> str:
    """Return why conditions on closes cannot be judged; empty if closes are known."""
    try:
        _judged_prices(data, ticker, days)
    except (DataError, VendorNotConfigured) as error:
        return f"Conditions on closes are not judged: {error}"
    return ""


def _unknown_close(history: FigureHistory, start: date, end: date) -> date | None:
    """Return the first session of a window, up to the newest close, whose close is not known; None if there is none."""
    if history.prices is None or not len(history.prices):
        return None
    return history.unknown_close(start, min(end, history.prices.days[-1].item()))


def _without_unknown(outcome: FalsifierOutcome, unknown: date) -> FalsifierOutcome:
    """Return an outcome without its figures where a session whose close is not known may have met the condition first.

    Args:
        outcome: The outcome by the closes that are known.
        unknown: The first session whose close is not.
    """
    if not _on_closes(outcome.falsifier.figure) or (outcome.event is not None and outcome.event.period_end < unknown):
        return outcome
    return FalsifierOutcome(falsifier=outcome.falsifier, state="open")


def _prices(data: MarketData, symbol: str, days: int) -> Prices | None:
    try:
        return _judged_prices(data, symbol, days)
    except (DataError, VendorNotConfigured):
        return None


def _judged_prices(data: MarketData, symbol: str, days: int) -> Prices:
    """Return prices of so many calendar days or more: of a short window the gate would not see what came before it."""
    return data.prices(symbol, days=max(days, data.settings.price_history_days))


def _read(text: str) -> tuple[str, Comparison, float]:
    """Read `gross_margin below 43`."""
    words = text.split()
    if len(words) == 3 and words[0] in WATCHED and words[1] in ("below", "above"):
        try:
            threshold = float(words[2].rstrip("%x"))
        except ValueError:
            threshold = float("nan")
        if abs(threshold) < float("inf"):
            return words[0], "below" if words[1] == "below" else "above", threshold
    raise UsageError(
        f"{text[:60]!r} is no condition; write for example: gross_margin below 43. Figures: {', '.join(WATCHED)}."
    )


def _condition(read: tuple[str, Comparison, float], currency: str, window: tuple[date, date]) -> Falsifier:
    name, comparison, threshold = read
    unit = WATCHED[name].unit
    return Falsifier(
        hypothesis="",
        figure=name,
        comparison=comparison,
        threshold=threshold,
        unit=currency if unit == "money" else unit,
        after=window[0],
        by=window[1],
        origin="thesis",
        reason="Asked.",
        value_then=0.0,
    )
