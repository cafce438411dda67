"""A company's own figures as the rules read them, and what its filings print as sources of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tradingagents.context import RunContext
from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT, scale_word
from tradingagents.dataflows.results import Result
from tradingagents.features.deep_report.graph.found_source import FoundSource, answer_of, candidate, figures_of_source
from tradingagents.features.deep_report.rules.brief import CompanyProfile, RevenuePart, SourceFigure
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.figures.filed_figures import FiledCell, FiledFigures
from tradingagents.retrieval.figures.read_figures import BALANCE_ITEMS
from tradingagents.retrieval.results import DocumentPage
from tradingagents.settings import Tier
from tradingagents.valuation.company.results import PriceExpectations

PROFILED = ("get_ttm_analysis", "get_fundamentals", "get_peer_multiples", "reverse_valuation")
"""Capabilities whose figures make the profile; the first that has a figure counts."""
PAST_GROWTH = "growth_years_1_to_5"
"""Assumption of the valuation that holds the growth of the past."""
LONGEST_LABEL, LONGEST_ACRONYM = 70, 5


def by_rules(models: TierModels, *tiers: Tier) -> bool:
    """Tell whether rules answer for one of the tiers."""
    return any(getattr(models.of(tier), "needs_brief", False) for tier in tiers)


async def company_profile(context: RunContext, ticker: str) -> CompanyProfile:
    """Return the company's figures; what no source gives is absent. What was asked before is not asked again."""
    answers = [await answer_of(context, name, {"ticker": ticker}) for name in PROFILED]
    figures: dict[str, SourceFigure] = {}
    for answer in (answer for answer in answers if answer is not None):
        for figure in figures_of_source(answer, answer.to_markdown()):
            figures.setdefault(figure.name, figure)
    filed = await filed_figures(context, ticker)
    return _profile(context, figures, _past_growth(answers), filed)


async def filed_figures(context: RunContext, ticker: str) -> FiledFigures | None:
    """Return what the newest stored filings print; None where there is none."""
    found = await answer_of(context, "get_filed_figures", {"ticker": ticker})
    return found if isinstance(found, FiledFigures) and found.rows else None


async def rule_sources(context: RunContext, ticker: str) -> list[FoundSource]:
    """Return the pages of filings that print figures, and what the price implies."""
    filed = await filed_figures(context, ticker)
    found = await _pages(context, filed) if filed is not None else []
    prices = await answer_of(context, "reverse_valuation", {"ticker": ticker})
    if prices is not None and prices.known_at is not None:
        text = prices.to_markdown()
        source = candidate("prices", prices.title, f"reverse_valuation:{ticker}", "", prices.known_at, text)
        found.append(FoundSource(source, prices))
    return found


def _profile(
    context: RunContext, figures: dict[str, SourceFigure], growth: float | None, filed: FiledFigures | None
) -> CompanyProfile:
    if filed is None:
        return CompanyProfile(as_of=context.data.as_of, figures=figures, growth_before=growth)
    balance = filed.balance
    cash = balance.cash if balance is not None else None
    if balance is not None and cash is not None:
        cash += balance.long_term_investments or 0.0
    risk = filed.risks[0] if filed.risks else None
    return CompanyProfile(
        as_of=context.data.as_of,
        currency=filed.currency or "",
        figures=figures,
        growth_before=growth,
        year=filed.year,
        flows={flow.name: (flow.value, flow.before) for flow in filed.flows},
        parts=tuple(
            RevenuePart(label=part_label(part.label), value=part.value, before=part.before)
            for part in filed.parts
            if part.before is not None
        ),
        lines={f"filed_{cell.name}": cell.line for cell in filed.cells() if cell.name != "part" and cell.line},
        balance_parts={cell.name: cell.value for cell in balance.cells} if balance is not None else {},
        cash=cash,
        debt=balance.debt if balance is not None else None,
        risk=risk.theme if risk is not None else "",
        risk_times=risk.times_usual if risk is not None else 0.0,
        risk_document=risk.document if risk is not None else "",
    )


def part_label(label: str) -> str:
    """Return a part of revenue without footnote marks and words that every row has.

    >>> part_label("Services (1)"), part_label("Net sales \u2013 in the U.S."), part_label("iPhone")
    ('Services', 'In the U.S.', 'iPhone')
    """
    words = label.rpartition(" (")[0].strip() if label.endswith(")") else label.strip()
    if words.isupper() and len(words) > LONGEST_ACRONYM:
        words = words.capitalize()
    if len(words) > LONGEST_LABEL:
        words = words[:LONGEST_LABEL].rpartition(" ")[0]
    for start in ("Net sales", "Revenues", "Revenue"):
        for dash in ("\u2013", "-"):
            if words.startswith(f"{start} {dash} "):
                rest = words[len(start) + 3 :].strip()
                return rest[:1].upper() + rest[1:]
    return words


def _past_growth(answers: Sequence[Result | None]) -> float | None:
    """Return the growth of the past in percent, where it comes from statements."""
    for answer in answers:
        if isinstance(answer, PriceExpectations):
            for assumption in answer.assumptions:
                if assumption.name == PAST_GROWTH and assumption.kind == "data":
                    return 100 * assumption.value
    return None


async def _pages(context: RunContext, filed: FiledFigures) -> list[FoundSource]:
    """Return a source for each page that prints figures: its text from the first of them to the last."""
    cells = sorted(
        (cell for cell in filed.cells() if cell.line and cell.value), key=lambda cell: (cell.key, cell.page, cell.start)
    )
    found = []
    for (key, number), group in groupby(cells, key=lambda cell: (cell.key, cell.page)):
        own = list(group)
        page = await answer_of(context, "read_filing_page", {"document": key, "page": number})
        begin, end = own[0].start, own[-1].start + len(own[-1].line)
        text = page.text[begin:end] if isinstance(page, DocumentPage) else ""
        if not all(cell.line in text for cell in own):
            begin, text = -1, "\n".join(dict.fromkeys(cell.line for cell in own))
        place = f"page {number}" + (f", Item {page.item}" if isinstance(page, DocumentPage) and page.item else "")
        address = f"{key}#{number}:{own[0].start}"
        source = candidate("filing", own[0].document, address, place, own[0].known_at, text, start=begin)
        found.append(FoundSource(source, figures=tuple(_figure(cell, filed.year) for cell in own)))
    return found


def _figure(cell: FiledCell, year: int | None) -> SourceFigure:
    name = f"part {part_label(cell.label)}" if cell.name == "part" else f"filed_{cell.name}"
    return SourceFigure(name=name, value=cell.value, shown=cell.text, row=cell.line, claim=_claim(cell, year))


def _claim(cell: FiledCell, year: int | None) -> str:
    """Return a figure as printed, with that of a year earlier where the same line prints it."""
    on_sheet = cell.name in BALANCE_ITEMS
    before = _printed(cell)
    when = "on the balance sheet before" if on_sheet else "a year earlier"
    earlier = f" against {before} {when}" if before else ""
    word = scale_word(cell.scale)
    scale = (
        f"{word}s, {cell.unit}"
        if word and cell.unit == UNSTATED_UNIT
        else f"{word}s of {cell.unit}"
        if word
        else cell.unit
    )
    period = cell.column.partition(" (")[0].removeprefix("As of ") if on_sheet else f"fiscal {year}"
    kind = " (long-term)" if cell.name.startswith("long_term") and "long" not in cell.label.lower() else ""
    return f"{part_label(cell.label)}{kind}, {period}: {_bare(cell.text)}{earlier} ({scale})."[:600]


def _printed(cell: FiledCell) -> str:
    """Return the figure of a year earlier as the line prints it; empty where it does not."""
    if cell.before is None:
        return ""
    shown = (f"{abs(cell.before) / cell.scale:,.{places}f}" for places in (0, 1, 2))
    return next((figure for figure in shown if figure in cell.line and figure != _bare(cell.text)), "")


def _bare(text: str) -> str:
    """Return a printed figure without brackets and currency; a loss keeps its sign in the filing's words."""
    return text.strip("$() ")
