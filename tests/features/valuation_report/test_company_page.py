"""The page of a valued company: the sentences of its answer, its cases in the football field, sums by their parts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.features.valuation_report.valuation_sample import sample_valuation
from tests.valuation.company.test_capabilities import market
from tradingagents.capabilities.valuation import valuation
from tradingagents.features.valuation_report.company_valuation import company_report
from tradingagents.features.valuation_report.equity_valuation import equity_document
from tradingagents.features.valuation_report.valuation import valuation_document
from tradingagents.features.valuation_report.workbook import valuation_workbook
from tradingagents.reports.document import Document
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.results import CompanyValuation


def document_of(company: CompanyValuation) -> Document:
    return equity_document(company) if company.model != "fcff" else valuation_document(company_report(company))


@pytest.mark.parametrize(("symbol", "model"), [("VELQ", "auto"), ("LEDQ", "auto"), ("WATZ", "dividend_discount")])
def test_the_page_shows_the_sentences_and_the_cases_of_the_answer(symbol: str, model: str) -> None:
    company = valuation.ask(market(), ticker=symbol, model=model)
    text = to_markdown(document_of(company))
    for sentence in company.opening:
        assert f"- {sentence}" in text
    low, base, high = (f"{one.value_per_share:,.2f}" for one in company.cases.all)
    assert f"| Cases, low to high | {low} | {base} | {high} |" in text
    assert f"| Low | {' | '.join(f'{level:.1%}' for _, level in company.cases.low.levels)} | {low} |" in text
    assert base == f"{company.value_per_share:,.2f}"
    assert "over the grid" not in text


def test_a_sum_is_called_what_it_holds_on_page_and_workbook() -> None:
    report = sample_valuation()
    inputs = report.inputs.with_values(minority_interest=7.0)
    parts = (("debt", inputs.debt - 9), ("pension_deficit", 9.0), ("minority_interest", 0.0), ("preferred_equity", 7.0))
    rows = tuple(ValuationAssumption(name, amount, "data", "the balance sheet") for name, amount in parts)
    summed = replace(report, inputs=inputs, assumptions=rows)
    text = to_markdown(valuation_document(summed))
    assert "| Debt and pension deficit |" in text
    assert "| Preferred stock | " in text
    assert "| Minority interest | -" not in text
    cells = [
        str(cell.value) for sheet in valuation_workbook(summed).sheets for _, row in sheet.rows() for _, cell in row
    ]
    assert {"Debt and pension deficit", "Less debt and pension deficit", "Less preferred stock"} <= set(cells)
