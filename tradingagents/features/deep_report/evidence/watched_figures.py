"""Figures that falsifiers may name: of a quarter, of the twelve months to its end, or of a session.

Each is computed from the versions of the statements that had been filed at an instant, so that a figure is never known
before the filing it stands in, and a later restatement does not change what was known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Literal

from tradingagents.analytics.company.multiples import multiples
from tradingagents.analytics.company.trailing import Period, Trailing, total_debt, trailing, year_before
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.dataflows.models import Prices, Profile, Statement
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.features.deep_report.schemas.falsifiers import FigureSource, MeasuredFigure

FigureBasis = Literal["quarter", "twelve_months", "session"]
REACH = timedelta(days=830)
"""How far back the statements of a figure reach: two years of quarters and the balance sheet before them."""
_Value = Callable[[Trailing, Period], float | None]


@dataclass(frozen=True, slots=True)
class WatchedFigure:
    """A figure that a falsifier may name."""

    name: str
    basis: FigureBasis
    unit: str
    """`%`, `x`, or `money`: the currency of the statements or of the price."""
    higher_is_better: bool
    items: tuple[str, ...]
    """Items of statements from which it follows, for its cells."""
    value: _Value | None = None
    """None for figures of a session."""


def _flow(name: str) -> _Value:
    return lambda _books, quarter: quarter.flows[name]


def _margin(name: str) -> _Value:
    return lambda _books, quarter: percent(ratio(quarter.flows[name], _positive(quarter.flows["revenue"])))


def _trailing_flow(name: str) -> _Value:
    return lambda books, _quarter: books.flows[name] if books.basis == "ttm" else None


def _revenue_growth(books: Trailing, quarter: Period) -> float | None:
    before = year_before(quarter, books.quarters)
    then, now = (_positive(before.flows["revenue"]) if before else None), quarter.flows["revenue"]
    return 100 * (now / then - 1) if now is not None and then is not None else None


def _sheet(books: Trailing, quarter: Period) -> Statement | None:
    return books.balance if books.balance is not None and books.balance.period_end == quarter.end else None


def _debt_to_equity(books: Trailing, quarter: Period) -> float | None:
    sheet = _sheet(books, quarter)
    return ratio(total_debt(sheet)[0], _positive(sheet.items.get("equity"))) if sheet is not None else None


def _current_ratio(books: Trailing, quarter: Period) -> float | None:
    sheet = _sheet(books, quarter)
    return ratio(sheet.items.get("current_assets"), sheet.items.get("current_liabilities")) if sheet else None


def _return_on_equity(books: Trailing, quarter: Period) -> float | None:
    sheet = _sheet(books, quarter)
    if sheet is None or books.basis != "ttm":
        return None
    return percent(ratio(books.flows["net_income"], _positive(sheet.items.get("equity"))))


_CASH = ("operating_cash_flow", "capital_expenditure")
WATCHED: Mapping[str, WatchedFigure] = {
    figure.name: figure
    for figure in (
        WatchedFigure("revenue", "quarter", "money", True, ("revenue",), _flow("revenue")),
        WatchedFigure("revenue_yoy", "quarter", "%", True, ("revenue",), _revenue_growth),
        WatchedFigure("gross_margin", "quarter", "%", True, ("gross_profit", "revenue"), _margin("gross_profit")),
        WatchedFigure(
            "operating_margin", "quarter", "%", True, ("operating_income", "revenue"), _margin("operating_income")
        ),
        WatchedFigure("net_margin", "quarter", "%", True, ("net_income", "revenue"), _margin("net_income")),
        WatchedFigure("net_income", "quarter", "money", True, ("net_income",), _flow("net_income")),
        WatchedFigure(
            "operating_cash_flow", "quarter", "money", True, ("operating_cash_flow",), _flow("operating_cash_flow")
        ),
        WatchedFigure("free_cash_flow", "quarter", "money", True, _CASH, _flow("free_cash_flow")),
        WatchedFigure(
            "debt_to_equity",
            "quarter",
            "x",
            False,
            ("total_debt", "short_term_debt", "long_term_debt", "equity"),
            _debt_to_equity,
        ),
        WatchedFigure("current_ratio", "quarter", "x", True, ("current_assets", "current_liabilities"), _current_ratio),
        WatchedFigure("ttm_revenue", "twelve_months", "money", True, ("revenue",), _trailing_flow("revenue")),
        WatchedFigure("ttm_net_income", "twelve_months", "money", True, ("net_income",), _trailing_flow("net_income")),
        WatchedFigure(
            "ttm_operating_cash_flow",
            "twelve_months",
            "money",
            True,
            ("operating_cash_flow",),
            _trailing_flow("operating_cash_flow"),
        ),
        WatchedFigure("ttm_free_cash_flow", "twelve_months", "money", True, _CASH, _trailing_flow("free_cash_flow")),
        WatchedFigure("roe", "twelve_months", "%", True, ("net_income", "equity"), _return_on_equity),
        WatchedFigure("price", "session", "money", True, ("close",)),
        WatchedFigure("pe_ttm", "session", "x", False, ("close", "eps_diluted")),
    )
}
"""By name. Names are those of `tradingagents.analytics.company.metric_names`, so that each has a label."""


@dataclass(frozen=True)
class FigureHistory:
    """What a company filed and how it traded, with the instant at which each became known."""

    versions: tuple[Statement, ...]
    """Every version of the quarterly statements of all kinds, in the shares of one day."""
    profile: Profile | None = None
    prices: Prices | None = None
    """As traded on the last day; None where no session is looked at."""
    calendar: Sessions | None = None
    """Sessions of the exchange; needed with `prices`."""

    @cached_property
    def _ends(self) -> tuple[date, ...]:
        return tuple(sorted({statement.period_end for statement in self.versions if statement.kind == "income"}))

    def unknown_close(self, after: date, by: date) -> date | None:
        """Return the first session in (after, by] whose close is not known; None if there is none, or no prices.

        A session without a trade had no close. One whose bar is missing, withheld or left out may have met a condition,
        and so may one without a trade that the window begins with: no close in it says what the price was by then.
        """
        if self.prices is None or self.calendar is None:
            return None
        window = list(self.calendar.between(after + timedelta(days=1), by))
        closes = set(self.prices.days.tolist())
        if window and window[0] in self.prices.untraded:
            return window[0]
        return next((day for day in window if day not in closes and day not in self.prices.untraded), None)

    def measured(
        self, name: str, *, after: date = date.min, by: date = date.max, until: datetime
    ) -> Iterator[MeasuredFigure]:
        """Yield a figure of each period or session in (after, by] as it became known by an instant, in order.

        A period whose figure was restated is yielded again, at the instant of the restatement.
        """
        figure = WATCHED[name]
        found = self._of_sessions(figure, after, by) if figure.value is None else self._of_quarters(figure, after, by)
        yield from sorted(
            (measured for measured in found if measured.known_at <= until), key=lambda measured: measured.known_at
        )

    def _of_quarters(self, figure: WatchedFigure, after: date, by: date) -> Iterator[MeasuredFigure]:
        for end in self._ends:
            if after < end <= by:
                yield from self._of_quarter(figure, end)

    def _of_quarter(self, figure: WatchedFigure, end: date) -> Iterator[MeasuredFigure]:
        """Yield the figure of one quarter whenever a filing gives it another value."""
        near = [statement for statement in self.versions if end - REACH <= statement.period_end <= end]
        first = min(
            statement.known_at for statement in near if statement.period_end == end and statement.kind == "income"
        )
        last: float | None = None
        for instant in sorted({statement.known_at for statement in near if statement.known_at >= first}):
            known = [statement for statement in near if statement.known_at <= instant]
            books = _books(known, self.profile, end)
            quarter = next((quarter for quarter in books.quarters if quarter.end == end), None)
            value = figure.value(books, quarter) if figure.value is not None and quarter is not None else None
            if value is not None and value != last:
                last = value
                cells = tuple(_cells(figure, known, books, end))
                yield MeasuredFigure(figure=figure.name, value=value, period_end=end, known_at=instant, cells=cells)

    def _of_sessions(self, figure: WatchedFigure, after: date, by: date) -> Iterator[MeasuredFigure]:
        if self.prices is None or self.calendar is None:
            return
        for at, day in enumerate(self.prices.days.tolist()):
            if not after < day <= by:
                continue
            close, known_at = float(self.prices.close[at]), self.calendar.close_of(day)
            cells = [_close(day, close, known_at, self.prices.vendor)]
            value: float | None = close
            if figure.name == "pe_ttm":
                known = [
                    statement
                    for statement in self.versions
                    if statement.known_at <= known_at and statement.period_end > day - REACH
                ]
                books = _books(known, self.profile, day)
                income = [statement for statement in known if statement.kind == "income"]
                value = multiples(self.prices.upto(day), books, income, self.profile).multiples.pe_ttm
                cells += _cells(figure, known, books, day)
            if value is not None:
                yield MeasuredFigure(
                    figure=figure.name, value=value, period_end=day, known_at=known_at, cells=tuple(cells)
                )


def _books(known: Iterable[Statement], profile: Profile | None, as_of: date) -> Trailing:
    parts: dict[str, list[Statement]] = {"income": [], "balance": [], "cashflow": []}
    for statement in known:
        parts[statement.kind].append(statement)
    return trailing(parts["income"], parts["balance"], parts["cashflow"], profile, as_of=as_of)


def _cells(figure: WatchedFigure, known: Sequence[Statement], books: Trailing, end: date) -> Iterator[FigureSource]:
    """Yield the cells of statements that a figure rests on, each in the version known last."""
    ends = {end}
    if figure.basis != "quarter":
        ends |= {period.end for period in books.periods}
    elif figure.name == "revenue_yoy":
        quarter = next((quarter for quarter in books.quarters if quarter.end == end), None)
        before = year_before(quarter, books.quarters) if quarter is not None else None
        ends |= {before.end} if before is not None else set()
    by_age = sorted(known, key=attrgetter("known_at"))
    latest = {(statement.period_end, statement.kind): statement for statement in by_age}
    for (period_end, kind), statement in sorted(latest.items(), key=itemgetter(0), reverse=True):
        if period_end not in ends or (kind == "balance" and period_end != max(ends)):
            continue
        for item in figure.items:
            if item in statement.items:
                yield FigureSource(
                    item=item,
                    value=statement.items[item],
                    period_end=period_end,
                    known_at=statement.known_at,
                    source=statement.source,
                )


def _close(day: date, close: float, known_at: datetime, vendor: str) -> FigureSource:
    return FigureSource(item="close", value=close, period_end=day, known_at=known_at, source=vendor)


def _positive(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None
