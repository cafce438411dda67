"""The annual and quarterly reports of the simulated companies, as HTML with the figures of their statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

from tradingagents.dataflows.models import Filing, FilingDocument, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import ITEMS, PER_SHARE, SHARES
from tradingagents.dataflows.vendors.simulated.companies import Company

_BREAK = '<hr style="page-break-after:always"/>'
_TITLES: Mapping[StatementKind, str] = {
    "income": "CONSOLIDATED STATEMENTS OF INCOME",
    "balance": "CONSOLIDATED BALANCE SHEETS",
    "cashflow": "CONSOLIDATED STATEMENTS OF CASH FLOWS",
}
_LABELS = {
    "revenue": "Total revenues",
    "cost_of_revenue": "Cost of revenues",
    "eps_basic": "Basic earnings per share",
    "eps_diluted": "Diluted earnings per share",
    "shares_basic": "Weighted average shares, basic",
    "shares_diluted": "Weighted average shares, diluted",
    "cash": "Cash and cash equivalents",
    "current_assets": "Total current assets",
    "current_liabilities": "Total current liabilities",
    "equity": "Total shareholders' equity",
    "operating_cash_flow": "Net cash provided by operating activities",
    "investing_cash_flow": "Net cash used in investing activities",
    "financing_cash_flow": "Net cash used in financing activities",
    "capital_expenditure": "Capital expenditures",
    "selling_general_administrative": "Selling, general and administrative",
    "ebitda": "EBITDA",
    "income_tax": "Income tax expense",
    "pretax_income": "Income before income taxes",
    "net_change_in_cash": "Net change in cash, end of period",
}
_YEARLY = (
    ("I", (("1", "Business"), ("1A", "Risk Factors"), ("2", "Properties"), ("3", "Legal Proceedings"))),
    (
        "II",
        (
            ("5", "Market for Registrant's Common Equity"),
            ("7", "Management's Discussion and Analysis of Financial Condition and Results of Operations"),
            ("7A", "Quantitative and Qualitative Disclosures About Market Risk"),
            ("8", "Financial Statements and Supplementary Data"),
            ("9A", "Controls and Procedures"),
        ),
    ),
    (
        "III",
        (
            ("10", "Directors, Executive Officers and Corporate Governance"),
            ("11", "Executive Compensation"),
            ("12", "Security Ownership of Certain Beneficial Owners and Management"),
            ("13", "Certain Relationships and Related Transactions"),
            ("14", "Principal Accountant Fees and Services"),
        ),
    ),
    ("IV", (("15", "Exhibits and Financial Statement Schedules"),)),
)
_QUARTERLY = (
    (
        "I",
        (
            ("1", "Financial Statements"),
            ("2", "Management's Discussion and Analysis of Financial Condition and Results of Operations"),
            ("3", "Quantitative and Qualitative Disclosures About Market Risk"),
            ("4", "Controls and Procedures"),
        ),
    ),
    ("II", (("1", "Legal Proceedings"), ("1A", "Risk Factors"), ("6", "Exhibits"))),
)


def write_report(
    company: Company, filing: Filing, statements: Mapping[StatementKind, Sequence[Statement]]
) -> FilingDocument:
    """Return a filing as filed.

    Args:
        company: Who files.
        statements: Of each kind, the statement of the period and then the one of the year before, where there is one;
            empty for an 8-K.
    """
    body = _current_report(company, filing) if filing.form == "8-K" else _periodic(company, filing, statements)
    head = f'<meta charset="utf-8"/><title>{escape(filing.title)}</title>'
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'
    return FilingDocument(
        symbol=filing.symbol,
        accession=filing.accession,
        form=filing.form,
        known_at=filing.known_at,
        filed_on=filing.filed_on,
        url=filing.url,
        content_type="text/html",
        content=page.encode(),
        period_end=filing.period_end,
    )


def _current_report(company: Company, filing: Filing) -> str:
    return "\n".join(
        [
            *_cover(company, "FORM 8-K", f"Date of report (date of earliest event reported): {_day(filing.filed_on)}"),
            _heading("Item 2.02 Results of Operations and Financial Condition"),
            _text(f"{company.name} announced its results on {_day(filing.filed_on)} ({filing.title})."),
            _heading("Item 9.01 Financial Statements and Exhibits"),
            _text("None."),
            _heading("SIGNATURES"),
        ]
    )


def _periodic(company: Company, filing: Filing, statements: Mapping[StatementKind, Sequence[Statement]]) -> str:
    yearly = filing.form == "10-K"
    newest = statements["income"][0]
    period = "fiscal year" if yearly else "quarterly period"
    parts = [
        _tags(company, filing, newest),
        *_cover(company, f"FORM {filing.form}", f"For the {period} ended {_day(newest.period_end)}"),
        _BREAK,
    ]
    texts = _yearly_texts(company, statements) if yearly else _quarterly_texts(company, statements)
    for part, items in _YEARLY if yearly else _QUARTERLY:
        name = "" if yearly else " - FINANCIAL INFORMATION" if part == "I" else " - OTHER INFORMATION"
        parts.append(_heading(f"PART {part}{name}"))
        for item, title in items:
            key = item if yearly else f"{part}-{item}"
            parts.append(f'<div id="item{key.replace("-", "_")}"></div>{_heading(f"Item {item}. {title}")}')
            parts.append(texts.get(key, _text("None.")))
            if key in ("1A", "7", "8", "I-1"):
                parts.append(_BREAK)
    return "\n".join([*parts, _heading("SIGNATURES"), _text(f"Signed on behalf of {company.name}.")])


def _cover(company: Company, form: str, period: str) -> list[str]:
    return [
        _text(form),
        _text(period),
        _text(company.name),
        _text("(Exact name of registrant as specified in its charter)"),
        _text(f"Common Stock {company.symbol} New York Stock Exchange"),
    ]


def _tags(company: Company, filing: Filing, newest: Statement) -> str:
    """Return the hidden header with the facts of the cover page."""
    quarter = newest.fiscal_period if filing.form == "10-Q" else "FY"
    facts = {
        "DocumentType": filing.form,
        "EntityRegistrantName": company.name,
        "TradingSymbol": company.symbol,
        "DocumentFiscalYearFocus": str(newest.fiscal_year),
        "DocumentFiscalPeriodFocus": quarter,
        "DocumentPeriodEndDate": newest.period_end.isoformat(),
        "CurrentFiscalYearEndDate": f"--{company.year_end:02d}-28",
    }
    tags = "".join(
        f'<ix:nonNumeric name="dei:{name}" contextRef="period">{escape(value)}</ix:nonNumeric>'
        for name, value in facts.items()
    )
    start = newest.period_start or newest.period_end
    context = (
        f'<xbrli:context id="period"><xbrli:period><xbrli:startDate>{start}</xbrli:startDate>'
        f"<xbrli:endDate>{newest.period_end}</xbrli:endDate></xbrli:period></xbrli:context>"
    )
    return f'<div style="display:none"><ix:header><ix:hidden>{tags}</ix:hidden>{context}</ix:header></div>'


def _yearly_texts(company: Company, statements: Mapping[StatementKind, Sequence[Statement]]) -> dict[str, str]:
    proxy = _text("The information is incorporated by reference to the proxy statement for the annual meeting.")
    return {
        "1": _text(
            f"{company.name} works in {company.industry.lower()}. It sells to customers in its home market and "
            f"abroad. For its figures see Item 8."
        ),
        "1A": "".join(map(_text, _RISKS)) + _text("See Item 7 for how these risks showed in the year."),
        "7": _discussion(statements, "year"),
        "7A": _text("A change of interest rates by one percentage point would change interest on debt. See Item 7."),
        "8": _statements(statements, "Year Ended"),
        "9A": _text("Disclosure controls and procedures were effective at the end of the period."),
    } | dict.fromkeys(("10", "11", "12", "13", "14"), proxy)


def _quarterly_texts(company: Company, statements: Mapping[StatementKind, Sequence[Statement]]) -> dict[str, str]:
    return {
        "I-1": _statements(statements, "Three Months Ended"),
        "I-2": _discussion(statements, "quarter"),
        "I-4": _text("Disclosure controls and procedures were effective at the end of the period."),
        "II-1A": _text(f"There were no material changes to the risk factors in the annual report of {company.name}."),
    }


_RISKS = (
    "Demand for what we sell follows the economy; in a recession our revenues and margins would fall.",
    "We depend on suppliers; a failure of one of them would delay deliveries and raise our costs.",
    "Competitors with more capital may cut their prices, and we may lose customers to them.",
    "Higher interest rates would raise the cost of our debt.",
)


def _discussion(statements: Mapping[StatementKind, Sequence[Statement]], period: str) -> str:
    sentences = []
    for kind, item, words in (
        ("income", "revenue", "Revenues"),
        ("income", "net_income", "Net income"),
        ("cashflow", "operating_cash_flow", "Cash from operating activities"),
    ):
        found = statements[kind]  # type: ignore[index]
        now = found[0].items.get(item)
        before = found[1].items.get(item) if len(found) > 1 else None
        if now is None:
            continue
        compared = "" if before is None else f", compared with {_amount(before)} million a year before"
        sentences.append(_text(f"{words} of the {period}: {_amount(now)} million{compared}."))
    return "".join(sentences) + _text("See the statements and their notes in this report.")


def _statements(statements: Mapping[StatementKind, Sequence[Statement]], span: str) -> str:
    tables = []
    for kind in ("income", "balance", "cashflow"):
        tables.append(_heading(_TITLES[kind]))
        tables.append(_text("(In millions, except per share data)"))
        tables.append(_table(kind, statements[kind], "" if kind == "balance" else span))
        tables.append(_BREAK)
    return "".join(tables)


def _table(kind: StatementKind, found: Sequence[Statement], span: str) -> str:
    rows = []
    if span:
        rows.append(f'<tr><td></td><td colspan="{len(found)}">{span}</td></tr>')
    headers = "".join(f"<td>{_day(statement.period_end)}</td>" for statement in found)
    rows.append(f"<tr><td></td>{headers}</tr>")
    for item in ITEMS[kind]:
        values = [statement.items.get(item) for statement in found]
        if all(value is None for value in values):
            continue
        cells = "".join(f"<td>{_figure(item, value)}</td>" for value in values)
        rows.append(f"<tr><td>{escape(_LABELS.get(item, item.replace('_', ' ').capitalize()))}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _figure(item: str, value: float | None) -> str:
    if value is None:
        return ""
    if item in PER_SHARE:
        text = f"{abs(value):.2f}"
    elif item in SHARES:
        text = f"{abs(value) / 1e6:,.3f}"
    else:
        return _amount(value)
    return f"({text})" if value < 0 else text


def _amount(value: float) -> str:
    text = f"{abs(value) / 1e6:,.3f}"
    return f"({text})" if value < 0 else text


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _heading(text: str) -> str:
    return f"<p><b>{escape(text)}</b></p>"


def _text(text: str) -> str:
    return f"<p>{escape(text)}</p>"
