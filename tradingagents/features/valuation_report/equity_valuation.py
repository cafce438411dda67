"""The report of a company whose equity is valued: by excess returns, by dividends, or by funds from operations."""

from __future__ import annotations

from tradingagents.features.valuation_report.company_valuation import missing_multiples, peer_ranges
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.features.valuation_report.valuation import (
    assumption_table,
    case_bar,
    case_blocks,
    football_blocks,
    over_price,
)
from tradingagents.reports import formatting as words
from tradingagents.reports.charts.value_bars import ValueBar, bars_css
from tradingagents.reports.document import Block, Bullets, Card, Document, Line, Masthead, Section, Table
from tradingagents.valuation import EquityValuation
from tradingagents.valuation.company.answer_parts import TITLES
from tradingagents.valuation.company.doubts import why_not_compared
from tradingagents.valuation.company.results import CompanyValuation, RelativeValuation

NO_GRID = "Sensitivity grid and tornado: they are computed for the model fcff only."


def equity_document(
    found: CompanyValuation, *, relative: RelativeValuation | None = None, refusals: tuple[str, ...] = ()
) -> Document:
    """Return the report of a company that is valued by a model of its equity.

    Args:
        found: The valuation.
        relative: Prices at the multiples of its peers.
        refusals: What else could not be computed, and why.

    Raises:
        TypeError: It is valued by its free cash flow.
    """
    value, money, title = found.valuation, found.currency or "", TITLES[found.model]
    if not isinstance(value, EquityValuation):
        raise TypeError(f"{found.symbol} is valued by {found.model}, not by its equity.")
    facts = [("As of", str(found.as_of)), ("Price of", str(found.price_day)), ("Currency", money), ("Model", title)]
    bars = [case_bar(found.cases)]
    if (second := found.second_view) is not None:
        bars.append((ValueBar("Value, properties at a capitalisation rate", *(second,) * 3), "less claims"))
    bars += [(ValueBar(one.label, one.low, one.high, one.middle), one.note) for one in peer_ranges(relative)]
    warnings, missing = found.notes, (*refusals, *missing_multiples(relative), NO_GRID)
    return Document(
        title=f"Valuation: {found.name}",
        facts=facts,
        masthead=Masthead(
            title=f"Valuation of {found.name}",
            eyebrow="Valuation",
            heading=found.name,
            detail=found.symbol or "",
            facts=[(name, text) for name, text in facts if text],
            identity=f"Computed without a language model, kernel {found.kernel_version}",
        ),
        sections=[
            Section(
                "Value",
                [*([Bullets(found.opening)] if found.opening else []), *_summary(found)],
                id="value",
                menu="Value",
            ),
            Section("Warnings", [Card("warnings", (warnings,))] if warnings else [], only="page"),
            Section("Warnings", [Bullets(warnings)] if warnings else [], only="file"),
            Section("Football field", football_blocks(bars, found.price, money, found.name), id="field", menu="Field"),
            Section("Cases", case_blocks(found.cases), id="cases"),
            Section("What the price implies", _implied(found), id="implied", menu="Expectations"),
            Section("From the model to the share", [_bridge(found)], id="bridge", menu="Bridge"),
            Section("Forecast", [_forecast(value)], id="forecast", menu="Forecast"),
            Section("Assumptions and sources", assumption_table(found.assumptions), id="sources", menu="Sources"),
            Section("Not available", [Bullets(missing)], id="missing"),
        ],
        style="valuation.css",
        inline_styles=(bars_css(),),
    )


def _summary(found: CompanyValuation) -> list[Block]:
    money = found.currency or ""
    terms = [
        ("Value per share", f"{words.price(found.value_per_share)} {money}".strip(), ""),
        ("Price", f"{words.price(found.price)} {money}".strip(), f"close of {found.price_day}"),
        ("Value over price", *over_price(found.upside, why_not_compared(found.assumptions))),
        (f"Implied {label(found.implied_name).lower()}", words.percent(found.implied, 2), "by the price"),
    ]
    rows = [(name, f"{value} ({gloss})" if gloss else value) for name, value, gloss in terms]
    return [Card("value_terms", (terms,), [Table(("Figure", "Value"), rows)])]


def _implied(found: CompanyValuation) -> list[Block]:
    implied = "no rate explains the price" if found.implied is None else words.percent(found.implied, 2)
    lead = f"What it would have to be for the value to equal the price of {words.price(found.price)}."
    when = "every year and for ever" if found.implied_name == "return_on_equity" else "every year of the forecast"
    return [Line(lead), Table(("Driver", "Implied by the price"), [(f"{label(found.implied_name)}, {when}", implied)])]


def _bridge(found: CompanyValuation) -> Table:
    rows = [(label(name), words.figure(amount)) for name, amount in found.bridge() if amount]
    return Table(("Step", "Amount"), rows)


def _forecast(value: EquityValuation) -> Table:
    funds = any(year.funds is not None for year in value.years)
    earned = "Adjusted funds" if funds else "Net income"
    head = ("Year", "Book equity", earned, "Dividends", "Above its cost", "Cost of equity", "Discount factor")
    rows = [
        (
            str(year.t),
            *map(words.figure, (year.book_equity, year.funds or year.net_income, year.dividend, year.excess_return)),
            words.percent(year.cost_of_equity, 2),
            f"{year.discount_factor:.4f}",
            words.figure(year.pv),
        )
        for year in value.years
    ]
    return Table((*head, "Present value"), rows)
