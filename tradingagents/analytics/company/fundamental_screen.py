"""The fundamental screens of a company on a day, each with its signals and their inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import ClassVar, Literal

from tradingagents.analytics.company.fiscal_years import FiscalYears, fiscal_years
from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.company.reported_periods import is_current, stale_reason
from tradingagents.analytics.company.screens import (
    SCREEN_NAMES,
    SCREENS,
    ScreenedCompany,
    ScreenName,
    ScreenPart,
    ScreenScore,
    magic_formula,
    screen_figures,
)
from tradingagents.analytics.company.statements import filing_notes
from tradingagents.dataflows.models import Frequency, Statement
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData


class FundamentalScreen(Result):
    """Screens of a company's statements as filed by a day."""

    tabulated: ClassVar[bool] = True

    name: str
    """The company."""
    basis: Literal["ttm", "annual"]
    """`ttm`: years are sums of four quarters; `annual`: fiscal years as filed."""
    years: tuple[date, ...]
    """Ends of the years compared, newest first."""
    scores: tuple[ScreenScore, ...]
    """The screens asked for."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Fundamental screen: {self.name} ({self.symbol})"

    def score(self, framework: ScreenName) -> ScreenScore:
        """Return one screen.

        Raises:
            KeyError: It was not asked for.
        """
        return {score.framework: score for score in self.scores}[framework]

    def figures(self) -> tuple[Figure, ...]:
        """Return each score and its parts."""
        return tuple(figure for score in self.scores for figure in screen_figures(score, self.currency or ""))

    def body(self) -> str:
        """Return a section for each screen: its score and reading, then its parts with their inputs."""
        what = "four quarters" if self.basis == "ttm" else "fiscal year"
        head = f"Years ({what}) to {', '.join(day.isoformat() for day in self.years)}."
        return "\n\n".join((head, *(self._section(score) for score in self.scores)))

    def _section(self, one: ScreenScore) -> str:
        head, *parts = screen_figures(one, self.currency or "")
        texts = {figure.name.partition("_")[2]: figure.text for figure in parts}
        rows = [f"| {head.name} | {head.text} | {one.reading} |"]
        for part in one.parts:
            text = texts.get(part.name)
            if text is not None:
                rows.append(f"| {part.name} | {text} | {part.formula}: {_inputs(part)} |")
        table = "\n".join(("| Figure | Value | Meaning and inputs |", "|---|---|---|", *rows))
        if one.framework == "graham_number":
            table += f"\n\nInputs: {_inputs(one.parts[0])}."
        return f"### {one.title} ({one.reference})\n\n{table}"


def fundamental_screen(
    own: Fundamentals,
    statements: Sequence[Statement],
    *,
    as_of: date,
    known_at: datetime,
    frameworks: Sequence[ScreenName] = SCREEN_NAMES,
    peers: Mapping[str, tuple[Fundamentals, Sequence[Statement]]] | None = None,
) -> FundamentalScreen:
    """Screen a company.

    Args:
        own: Its ratios on the day.
        statements: Its statements of all kinds and frequencies filed by the day, on the share basis of the day.
        known_at: When the last of the data became known.
        frameworks: The screens wanted.
        peers: Ratios and statements of the companies it is ranked with; None: no rank is wanted.

    Raises:
        NoData: There is no year with an income statement and a balance sheet.
    """
    company, years = _company(own, statements)
    if company is None:
        raise NoData(
            f"{own.source} has no income statement with a balance sheet of one date for {own.symbol} by {as_of}; "
            f"choose another vendor, or continue without it."
        )
    if (stale := _stale(years, statements, as_of)) is not None:
        raise NoData(f"{stale} Choose another vendor, or continue without them.")
    others = {symbol: (*_company(*given), given[1]) for symbol, given in (peers or {}).items()}
    known = {
        symbol: multiple
        for symbol, (multiple, of_peer, filed) in others.items()
        if multiple is not None and _stale(of_peer, filed, as_of) is None
    }
    scores = [SCREENS[name](company) if name in SCREENS else magic_formula(company, known) for name in frameworks]
    used = [statement for statement in statements if statement.period_end in {year.end for year in years.years}]
    return FundamentalScreen(
        symbol=own.symbol,
        as_of=as_of,
        source=own.source,
        currency=own.currency,
        known_at=known_at,
        fetched_at=own.fetched_at,
        start=years.years[-1].end,
        end=years.years[0].end,
        rows=len(statements),
        inputs=tuple(known),
        notes=(*_notes(own, years), *filing_notes(used)),
        name=own.name,
        basis=years.basis,
        years=tuple(year.end for year in years.years),
        scores=tuple(scores),
    )


def _company(own: Fundamentals, statements: Sequence[Statement]) -> tuple[ScreenedCompany | None, FiscalYears]:
    by_kind = {
        kind: [statement for statement in statements if statement.kind == kind]
        for kind in ("income", "balance", "cashflow")
    }
    years = fiscal_years(by_kind["income"], by_kind["balance"], by_kind["cashflow"])
    if not years.years:
        return None, years
    return (
        ScreenedCompany(
            years=years.years,
            market_cap=own.market_cap,
            price=own.price,
            eps=own.eps_ttm,
            shares=own.shares,
            sector=own.sector,
            industry=own.industry,
        ),
        years,
    )


def _stale(years: FiscalYears, statements: Sequence[Statement], as_of: date) -> str | None:
    """Return why the newest year is too old for a screen of the day; None where it is not."""
    frequency: Frequency = "quarterly" if years.basis == "ttm" else "annual"
    incomes = [statement for statement in statements if statement.kind == "income" and statement.frequency == frequency]
    newest = next(statement for statement in incomes if statement.period_end == years.years[0].end)
    if is_current(newest, incomes, as_of):
        return None
    return stale_reason("year of statements", newest.period_end, as_of, "the screens")


def _notes(own: Fundamentals, years: FiscalYears) -> tuple[str, ...]:
    notes = list(dict.fromkeys((*own.withheld, *(reason for year in years.years for reason in year.reasons))))
    if own.books_currency != own.currency:
        notes.append(f"Statements are in {own.books_currency}, prices in {own.currency}: what needs both is n/a.")
    if len(years.years) < 2:
        notes.append("One year of statements is known: what compares two years is n/a.")
    elif len(years.years) < 3:
        notes.append("Assets at the start of the year before are not known: both years use those at their end.")
    return tuple(notes)


def _inputs(part: ScreenPart) -> str:
    shown = []
    for name, value in part.inputs.items():
        text = MISSING if value is None else Figure(name, value).text
        shown.append(f"{name.replace('_', ' ')} {text}")
    return ", ".join(shown)
