"""Cash and debt of a filing where the vendor's statements give none: sourced to the rows and the page."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.retrieval.figures.filed_figures import FiledBalance
from tradingagents.valuation.company.claims import Claims, Sourced
from tradingagents.valuation.company.facts import CompanyFacts

OLDEST = timedelta(days=460)
"""A balance sheet that is older than a year and the time to file the next one is not used."""
CASH = ("cash", "short_term_investments")
DEBT = ("short_term_debt", "long_term_debt")
SECURITIES = ("long_term_investments",)


def with_balance(facts: CompanyFacts, sheet: FiledBalance, as_of: date) -> CompanyFacts:
    """Return facts with what a filed balance sheet says of cash, debt and marketable securities.

    Cash and debt are taken from one sheet, so that no debt is counted without the cash that it brought. What the sheet
    does not print stays as the vendor gives it. Bonds and shares held for longer than a year are non-operating assets.

    Args:
        facts: What the vendor's statements say.
        sheet: The newest balance sheet of the stored filings, in the currency of the facts.
        as_of: The day.
    """
    if sheet.end is not None and as_of - sheet.end > OLDEST:
        return facts
    cash, debt = sheet.cash, sheet.debt
    claims = _claims(facts, sheet)
    years = facts.years
    if years and cash is not None and debt is not None and facts.equity is not None and sheet.end == years[0].end:
        others = claims.minority_interest.value + claims.finance_leases.value + claims.pension_deficit.value
        capital = facts.equity.value + others + debt - cash - claims.investments.value
        years = (replace(years[0], invested_capital=capital), *years[1:])
    told = facts.notes if cash is None else tuple(note for note in facts.notes if note not in facts.claims.notes)
    return replace(
        facts,
        cash=facts.cash if cash is None else Sourced(cash, _source(sheet, CASH)),
        debt=facts.debt if debt is None else Sourced(debt, _source(sheet, DEBT)),
        claims=claims,
        years=years,
        notes=(*told, *_notes(facts, sheet)),
    )


def _claims(facts: CompanyFacts, sheet: FiledBalance) -> Claims:
    """Return the claims with the sheet's securities: those of the short term are a part of its cash.

    The statements' investments hold stakes by equity method too, so that they stay where they are of the same day.
    """
    claims, held = facts.claims, sheet.long_term_investments
    if sheet.cash is not None:
        counted = Sourced(0.0, "default: 0, cash of the filed sheet holds them", assumed=True)
        claims = replace(claims, short_term_investments=counted)
    same_day = bool(facts.years) and facts.years[0].end == sheet.end
    if held is None or (same_day and not claims.investments.assumed):
        return claims
    return replace(claims, investments=Sourced(held, _source(sheet, SECURITIES)))


def _notes(facts: CompanyFacts, sheet: FiledBalance) -> list[str]:
    """Say what the sheet is of where the statements reach further."""
    newest = facts.years[0].end if facts.years else None
    if sheet.end is None or newest is None or sheet.end >= newest:
        return []
    return [
        f"Cash and debt are those of {sheet.end}, the newest balance sheet filed; the statements reach to {newest}."
    ]


def _source(sheet: FiledBalance, names: tuple[str, ...]) -> str:
    """Return the items that a number is made of, and where they stand; in words of ours, not of the filing."""
    cells = [cell for cell in sheet.cells if cell.name in names]
    rows = " + ".join(f"{cell.name} {Figure('', cell.value, cell.unit).text}" for cell in cells)
    when = f"{sheet.end}, " if sheet.end is not None else ""
    return f"get_filed_figures: {rows}, {when}{cells[0].document}, page {cells[0].page}"
