"""One reading of a question: companies, periods, days, figures, and what is not understood."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.retrieval.questions.companies import Instruments, capital_runs, listed_instruments
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.spans import named_days

DAY = date(2025, 3, 14)


@pytest.mark.parametrize(
    ("question", "figure", "years"),
    [
        ("What was Coca-Cola's revenue in fiscal 2023?", "revenue", (2023,)),
        ("Wie hoch war der Umsatz von SAP im Geschäftsjahr 2023?", "revenue", (2023,)),
        ("Quel était le bénéfice net de LVMH en 2022 ?", "net_income", (2022,)),
        ("¿Cuál fue el margen operativo de Iberdrola en 2023?", "operating_income / revenue", (2023,)),
        ("BABA 2023年的营业收入是多少?", "revenue", (2023,)),
        ("Sonyの2022年度の営業利益は?", "operating_income", (2022,)),
    ],
)
def test_figures_and_periods_are_read_in_every_language(question: str, figure: str, years: tuple[int, ...]):
    read = QuestionReading(question, DAY).figure
    assert (read.expression, read.years, read.asks_figure) == (figure, years, True)


@pytest.mark.parametrize(
    ("question", "quarter"),
    [("Umsatz von SAP im 3. Quartal 2024", 3), ("NVDA 2024年第二季度收入", 2), ("AAPL Q1 2024 revenue", 1)],
)
def test_quarters_are_read_in_every_language(question: str, quarter: int):
    assert QuestionReading(question, DAY).figure.quarter == quarter


@pytest.mark.parametrize(
    ("question", "tickers", "unknown"),
    [
        ("price of $msft", ("MSFT",), ()),
        ("How is microsoft doing?", ("MSFT",), ()),
        ("Wo steht die Siemens-Aktie?", ("SIE.DE",), ()),
        ("比较AAPL和MSFT", ("AAPL", "MSFT"), ()),
        ("Is Target cheap?", ("TGT",), ()),
        ("Target price of Boeing?", ("BA",), ()),
        ("Revenue of Foobarson Industries", (), ("Foobarson Industries",)),
        ("What is ZZQX trading at?", (), ("ZZQX",)),
        ("IS IT GOOD TO BUY ALL OF IT NOW?", (), ()),
    ],
)
def test_companies_are_those_that_are_known(question: str, tickers: tuple[str, ...], unknown: tuple[str, ...]):
    reading = QuestionReading(question, DAY)
    assert (reading.tickers, reading.unknown) == (tickers, unknown)


def test_a_source_that_lists_its_instruments_decides_what_is_known():
    known = Instruments([("VELQ", ("Veltrane Systems",))])
    reading = QuestionReading("Compare VELQ, Veltrane Systems and AAPL", DAY, instruments=known)
    assert (reading.tickers, reading.unknown) == (("VELQ",), ("AAPL",))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is ZZQX trading at?", "Nothing is known of ZZQX"),
        ("Will Apple's shares rise next month?", "what lies ahead"),
        ("How many employees does Boeing have?", "No source holds that"),
        ("How do I cook rice?", "no question about companies"),
        ("qwer asdf", "What can be asked: What is AAPL trading at?"),
        ("Is it overvalued?", "Which company is meant"),
    ],
)
def test_what_is_not_answered_is_said(question: str, said: str):
    assert said in QuestionReading(question, DAY).declined


def test_the_question_of_a_request_is_what_follows_it():
    assert QuestionReading("Can you look into the debt of F?", DAY).after_lead("research") == "the debt of F?"
    assert QuestionReading("Untersuche, ob SAP wächst", DAY).after_lead("research") == "ob SAP wächst"


def test_names_of_companies_are_told_from_words_of_figures():
    assert capital_runs("How fast did Procter & Gamble grow in FY2024?") == ["Procter & Gamble"]
    assert capital_runs("Which of V, Home Depot and IBM had the higher P/E in Q3?") == ["V", "Home Depot", "IBM"]


def test_without_its_day_a_question_gives_figures_and_no_days():
    read = QuestionReading("Revenue of VELQ in fiscal 2023")
    assert read.figure.years == (2023,)
    with pytest.raises(ValueError, match="without its day"):
        _ = read.days


@pytest.mark.parametrize(
    ("question", "symbols"),
    [
        ("what were the visa costs of foreign workers?", []),
        ("how large is the gap between costs and sales", []),
        ("what were visa's costs in 2024?", ["V"]),
        ("what were Visa costs in 2024?", ["V"]),
        ("visa revenue in 2024", ["V"]),
    ],
)
def test_a_name_that_is_a_common_word_before_some_words_is_none_in_small_letters(
    question: str, symbols: list[str]
) -> None:
    assert [mention.symbol for mention in listed_instruments().mentions(question)] == symbols


@pytest.mark.parametrize(
    ("words", "base", "end"),
    [
        ("week", date(2025, 2, 21), date(2025, 2, 28)),
        ("month", date(2024, 12, 31), date(2025, 1, 31)),
        ("quarter", date(2024, 6, 30), date(2024, 9, 30)),
        ("year", date(2022, 12, 31), date(2023, 12, 31)),
    ],
)
def test_the_one_before_last_is_two_of_the_calendar_back(words: str, base: date, end: date) -> None:
    found = named_days(f"how did it do the {words} before last", date(2025, 3, 14))
    assert (found.base, found.end) == (base, end)
