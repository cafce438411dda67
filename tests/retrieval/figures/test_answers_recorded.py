"""The rules on recorded filings: development questions, generated questions, and figures that two filings share."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path
from random import Random

import pytest

from benchmarks.filings.answers import score_answer
from benchmarks.filings.question_files import read_documents, rows
from tradingagents.retrieval.calculation import CalculationRequest, calculate
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.line_items import line_items, metrics
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

pytestmark = pytest.mark.real_data

GENERATED = 1000
RESTATED = 0.03
"""Share of figures that a later filing of the same company may state anew."""
FOUND = {
    "revenue": 0.97,
    "net_income": 0.97,
    "total_assets": 0.97,
    "operating_cash_flow": 0.95,
    "capital_expenditure": 0.95,
    "depreciation_and_amortization": 0.95,
    "income_tax": 0.95,
    "fixed_assets": 0.95,
    "current_liabilities": 0.95,
    "accounts_payable": 0.9,
    "total_liabilities": 0.95,
    "equity": 0.95,
    "eps_diluted": 0.95,
}
"""Share of annual reports in which an item that each of them prints is found."""


@pytest.fixture(scope="module")
def share(request: pytest.FixtureRequest) -> int:
    """One company in how many is read: to read the tables of a filing takes 0.7 seconds of processor time."""
    return 1 if request.config.getoption("--all") else 4


@pytest.fixture(scope="module")
def filings(request: pytest.FixtureRequest, share: int) -> dict[str, SourceDocument]:
    """The filings of all companies; of every fourth one without `--all`."""
    folder: Path = request.getfixturevalue("test_data") / "financebench"
    if not folder.is_dir():
        pytest.skip("no recorded filings")
    found = read_documents(folder / "pages.jsonl.gz", folder / "documents.jsonl")
    companies = set(sorted({one.info.company for one in found.values()})[::share])
    return {name: with_text_tables(one) for name, one in found.items() if one.info.company in companies}


@pytest.fixture(scope="module")
def annual(filings: dict[str, SourceDocument]) -> dict[str, SourceDocument]:
    return {name: one for name, one in filings.items() if one.info.form == "10-K"}


def test_development_questions_are_answered_from_cells(
    filings: dict[str, SourceDocument], test_data: Path, share: int
) -> None:
    verdicts = []
    for row in rows(test_data / "financebench" / "questions_dev.jsonl"):
        if row["question_type"] != "metrics-generated" or row["doc"] not in filings:
            continue
        document = filings[row["doc"]]
        answer = answer_from_documents(row["question"], [document])
        verdicts.append(score_answer(row["question"], row["answer"], answer))
        for operand in answer.operands:
            assert operand.place is not None
            assert document.text(operand.place) == operand.text
            assert operand.label
            assert operand.column
    assert len(verdicts) >= 20 // share
    assert verdicts.count("right") >= 0.9 * len(verdicts)
    assert verdicts.count("wrong") <= 1


def test_line_items_are_found_in_annual_reports(annual: dict[str, SourceDocument]) -> None:
    read = {name: FilingStatements(one) for name, one in annual.items()}
    found = {
        key: sum(not statements.read(key, statements.years[0]).refusal for statements in read.values()) / len(read)
        for key in FOUND
    }
    assert {key: share for key, share in found.items() if share < FOUND[key]} == {}


def test_two_filings_of_a_company_agree_on_a_year(annual: dict[str, SourceDocument], share: int) -> None:
    values: defaultdict[tuple[str, str, int], list[float]] = defaultdict(list)
    for one in annual.values():
        statements = FilingStatements(one)
        for key, year in product(line_items(), statements.years[:3]):
            reading = statements.read(key, year)
            result = calculate(CalculationRequest(expression=reading.expression or "0", operands=reading.operands))
            if not reading.refusal and result.value is not None:
                values[one.info.company, key, year].append(result.value)
    shared = [found for found in values.values() if len(found) > 1]
    differ = [found for found in shared if max(found) - min(found) > 0.01 * max(map(abs, found))]
    assert len(shared) > 500 // share
    assert len(differ) <= RESTATED * len(shared)


def test_generated_questions_cite_no_other_company_and_no_other_year(
    annual: dict[str, SourceDocument], share: int
) -> None:
    documents = tuple(annual.values())
    names = [each.names[0] for each in line_items().values()] + [each.names[0] for each in metrics().values()]
    asked = [
        (f"What is {one.info.company}'s FY{one.info.fiscal_year} {name}?", one.info.company, one.info.fiscal_year or 0)
        for one, name in product(documents, names)
    ]
    answered = 0
    for question, company, year in Random(13).sample(asked, GENERATED // share**2):  # noqa: S311
        answer = answer_from_documents(question, [one for one in documents if one.info.company[:1] == company[:1]])
        answered += answer.value is not None
        _cites_only(answer, {one.info.key: one for one in documents}, company, year)
    assert answered >= 0.7 * (GENERATED // share**2)


def _cites_only(answer: ExtractiveAnswer, documents: dict[str, SourceDocument], company: str, year: int) -> None:
    for operand in answer.operands:
        assert operand.place is not None
        document = documents[operand.place.document]
        assert document.info.company == company, answer.text
        assert int(operand.name.partition("@")[2]) in (year, year - 1), answer.text
        assert str(year) in operand.column or str(year - 1) in operand.column or str(year + 1) in operand.column
        assert document.text(operand.place) == operand.text
