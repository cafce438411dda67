"""Heads of columns that plain text prints in words over several lines, and the readings that are refused."""

from __future__ import annotations

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.lines.test_lines import annual, answered, asked, figures
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.models import FiledTable, SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

REVENUE = (1452, 1320, 232, 198, 150, 120)
BRIDGE = """\
Year ended December 31, 2025
Worldwide Sales Change
By Business Segment Organic sales Acquisitions Divestitures Translation Total sales change
Orbital Goods 3.2 % 1.0 % (0.5) % (1.2) % 2.5 %
Lunar Goods (0.9) — (0.4) (2.6) (3.9)
Total Company 1.2 0.5 (0.5) (2.0) (0.8)
"""
CURRENCY = """\
The breakdown of revenues is as follows:
(Dollars in millions) FISCAL 2025 FISCAL 2024 % CHANGE
% CHANGE
EXCLUDING
CURRENCY
CHANGES(1) FISCAL 2023 % CHANGE
% CHANGE
EXCLUDING
CURRENCY
CHANGES(1)
North America $ 216 $ 180 20 % 20 % $ 150 20 % 21 %
Greater China 72 75 -4 % 4 % 80 -6 % -13 %
TOTAL REVENUES $ 288 $ 255 13 % 15 % $ 230 11 % 10 %
"""
GROUPS = """\
2025 2024 % change
(Dollars in millions) Net Sales % of Total
Operating
Income (Loss) Net Sales % of Total
Operating
Income (Loss) Net Sales
Operating Income
(Loss)
Business Segments
Orbital Goods $ 1,100 75.0 % $ 220 $ 1,000 75.2 % $ 180 10.0 % 22.2 %
Lunar Goods 352 25.0 12 320 24.8 18 10.0 (33.3)
Total Company $ 1,452 100.0 % $ 232 $ 1,320 100.0 % $ 198 10.0 % 17.2 %
"""
QUARTERS = """\
Consolidated financial highlights (unaudited)
(in millions, except per share data)
1Q25 4Q24 3Q24 2Q24 1Q24
Selected income statement data
Total net revenue $ 322 $ 293 $ 292 $ 330 $ 282
Net income 143 121 94 46 28
Tangible book value per share (\u201cTBVPS\u201d) 66.56 66.11 63.93 61.76 60.71
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, REVENUE, *pages)


def heads(page: str) -> list[str]:
    """The heads of the last table of a page."""
    document = readable(with_text_tables(filing([page], symbol="VELQ", company="Velquor Systems", year=2025)))
    return [column.header for column in last_table(document).columns]


def last_table(document: SourceDocument) -> FiledTable:
    return max(document.tables, key=lambda table: table.number)


def test_the_parts_of_a_change_are_columns_of_their_own() -> None:
    answer = answered("VELQ organic sales change in 2025 for Orbital Goods and for Lunar Goods", velq(BRIDGE))
    assert [value.value for value in answer.values] == [3.2, -0.9]
    reported = answered("VELQ organic and reported sales change of Lunar Goods in 2025", velq(BRIDGE))
    assert {value.value for value in reported.values} == {-0.9, -3.9}


def test_parts_of_a_change_that_do_not_add_up_are_not_read() -> None:
    scrambled = BRIDGE.replace(
        "Organic sales Acquisitions Divestitures Translation", "Translation Acquisitions Divestitures Organic sales"
    )
    assert "organic sales change percent 2025" in heads(BRIDGE)
    document = velq(scrambled.replace("3.2 %", "9.9 %").replace("(0.9) —", "7.7 —"))
    answer = asked("VELQ organic sales change in 2025 for Orbital Goods and for Lunar Goods", document)
    assert answer is None or answer.refusal or not answer.complete


def test_a_change_without_currency_stands_beside_the_reported_one() -> None:
    question = "VELQ revenue change in Greater China in fiscal 2025, excluding currency and reported"
    answer = answered(question, velq(CURRENCY))
    assert [value.value for value in answer.values] == [4.0, -4.0]
    before = answered(question.replace("2025", "2024"), velq(CURRENCY))
    assert [value.value for value in before.values] == [-13.0, -6.0]


def test_years_stand_over_groups_of_columns() -> None:
    answer = answered("VELQ operating margin of Orbital Goods and Lunar Goods in 2024 and 2025", velq(GROUPS))
    assert [value.value for value in answer.values] == [
        pytest.approx(18.0), pytest.approx(20.0), pytest.approx(100 * 18 / 320), pytest.approx(100 * 12 / 352)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "by"),
    [
        ("Acquisitions Divestitures", "Acquisitions"),  # fewer heads than columns
        ("Acquisitions Divestitures", "Acquisitions Divestitures Flurbs"),  # a word that is no head
        ("2.5 %", "9.5 %"),  # parts that do not add up in one of two rows
    ],
)
def test_a_line_that_may_be_read_otherwise_is_left_alone(changed: str, by: str) -> None:
    two_rows = BRIDGE.replace("Total Company 1.2 0.5 (0.5) (2.0) (0.8)\n", "")
    assert not any("organic" in head for head in heads(two_rows.replace(changed, by)))


def test_a_change_that_its_amounts_contradict_is_left_alone() -> None:
    wrong = CURRENCY.replace("20 % 20 %", "55 % 20 %").replace("-4 % 4 %", "44 % 4 %")
    assert not any("currency" in head for head in heads(wrong))


def test_a_quarter_is_read_beside_others_in_a_later_report() -> None:
    page = f"Velquor Systems\nForm 10-Q\n{QUARTERS}"
    document = with_text_tables(
        filing([page], form="10-Q", year=2025, symbol="VELQ", company="Velquor Systems", quarter=1)
    )
    answer = answered("VELQ tangible book value per share for the last three quarters up to Q1 2025", document)
    assert [value.value for value in answer.values] == [63.93, 66.11, 66.56]
    assert figures(answered("VELQ net income in Q2 2024 and Q3 2024", document)) == {
        ("VELQ", "Q2 FY2024"): 46, ("VELQ", "Q3 FY2024"): 94
    }  # fmt: skip
    nothing = asked("VELQ tangible book value per share in Q3 2023 and Q4 2023", document)
    assert nothing is None or nothing.refusal


TWICE = """\
Reported sales of the goods against the year before ($MM)
SECOND QUARTER SIX MONTHS
2025 2024 Reported Operational (1) Currency 2025 2024 Reported Operational (1) Currency
ORBITAL GOODS
US {first} {second} 7.5% 7.5% - 1,333 1,457 9.3% 9.3% -
Abroad 818 947 15.7% 19.0% -3.3% 1,609 1,844 14.6% 19.4% -4.8%
Both 1,482 1,659 12.0% 13.9% -1.9% 2,943 3,301 12.2% 14.8% -2.6%
"""


def test_rates_tell_which_of_two_columns_is_the_newer() -> None:
    """The rates are of 663 to 712, and in no order of years of 663 to 700: then no column has a year."""
    page = with_text_tables(filing([TWICE.format(first="663", second="712")], form="EX-99.1", year=2025, quarter=2))
    columns = last_table(readable(page)).columns
    years = [(column.fiscal_year, column.months) for column in columns]
    assert years[:5] == [(2024, 3), (2025, 3), (2025, 3), (None, None), (None, None)]
    assert years[5:] == [(2024, 6), (2025, 6), (2025, 6), (None, None), (None, None)]
    told = TWICE.format(first="663", second="700").replace("12.0%", "19.0%")
    assert {
        column.fiscal_year
        for column in last_table(
            readable(with_text_tables(filing([told], form="EX-99.1", year=2025, quarter=2)))
        ).columns
    } == {None}
    right = TWICE.format(first="712", second="663").replace("818 947", "947 818").replace("1,482 1,659", "1,659 1,482")
    right = right.replace("1,333 1,457", "1,457 1,333").replace("1,609 1,844", "1,844 1,609")
    right = right.replace("2,943 3,301", "3,301 2,943")
    columns = last_table(readable(with_text_tables(filing([right], form="EX-99.1", year=2025, quarter=2)))).columns
    assert [column.header.split()[0] for column in columns[:5]] == ["2025", "2024", "total", "operations", "currency"]
