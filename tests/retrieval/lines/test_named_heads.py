"""Heads of columns that are names of parts of a company, and tables of the quarters of a year."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import answered, asked
from tests.retrieval.lines.test_worded_heads import heads, last_table, velq
from tradingagents.retrieval.lines.read_tables import readable

PARTS = """\
Revenues by segment for the years ended December 31:
2025 2024
Orbital Goods $ 900 $ 820
Lunar Freight & Towing 400 380
Moon Huts 152 120
Total $ 1,452 $ 1,320
"""
NAMED = """\
YEAR ENDED DECEMBER 31, 2025
(Dollars in millions)
ORBITAL
GOODS
LUNAR
FREIGHT &
TOWING MOON HUTS TOTAL
Revenues by:
Footwear $ 600 $ 300 $ 100 $ 1,000
Apparel 300 100 50 450
Other — — 2 2
"""
UNDER_NAMES = """\
Results of the segments were as follows (in millions):
Orbital Goods Lunar Freight & Towing Moon Huts
2025 2024 2025 2024 2025 2024
Net sales $ 900 $ 820 $ 400 $ 380 $ 152 $ 120
Segment profit 90 80 44 41 9 7
"""
GROUPS = """\
Fair value of the hedges:
December 31, 2025 December 31, 2024
(In millions) Assets Liabilities Assets Liabilities
Interest rate contracts $ 17 $ 4 $ 21 $ 6
Commodity contracts 8 3 5 2
Currency contracts 1 2 3 4
"""
GOODWILL = """\
The changes in goodwill by segment were as follows (in millions):
Orbital Goods Moon Huts Total
Balance at December 31, 2023 $ 50 $ 20 $ 70
Acquired 5 1 6
Balance at December 31, 2024 $ 55 $ 21 $ 76
"""
QUARTERS = """\
Selected operating results of each quarter (unaudited) ($ in millions):
Quarter 12-Month
1st 2nd 3rd 4th 2025
Revenue $ 322 $ 343 $ 355 $ 432 $ 1,452
Comparable sales % change (0.1)% 0.8% 1.8% (0.7)% 0.3%
Gross profit 100 110 120 140 470
"""


def test_names_of_parts_over_several_lines_head_their_columns() -> None:
    assert heads(f"{PARTS}\n\n{NAMED}") == [
        f"{name} YEAR ENDED DECEMBER 31, 2025"
        for name in ("ORBITAL GOODS", "LUNAR FREIGHT & TOWING", "MOON HUTS", "TOTAL")
    ]  # fmt: skip
    answer = answered("VELQ footwear revenue in Orbital Goods in fiscal 2025", velq(PARTS, NAMED))
    assert [value.value for value in answer.values] == [600e6]


def test_years_stand_under_each_of_several_names() -> None:
    assert heads(f"{PARTS}\n\n{UNDER_NAMES}")[2:4] == ["Lunar Freight & Towing 2025", "Lunar Freight & Towing 2024"]
    answer = answered("VELQ segment profit of Moon Huts in 2024", velq(PARTS, UNDER_NAMES))
    assert [value.value for value in answer.values] == [7e6]
    untold = UNDER_NAMES.replace("Net sales", "Fees").replace("Segment profit", "Total").replace("Orbital", "Solar")
    answer = asked(
        "VELQ solar goods in 2024", velq(PARTS.replace("Orbital", "Solar").partition("2025 2024")[0], untold)
    )
    assert answer is None or not answer.complete  # a total of what


SAID = """\
The company pays for pensions and for health care and life insurance of those who have left it, and the benefits are
paid from its own funds. It counts those who are insured and those whom it serves by contracts of their own.
{heads}
Noncurrent assets $ 376 $ 5 $ 8 $ 9
Current liabilities (55) (63) (748) (721)
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("(dollars in millions)\nPension Health Care and Life\nAt December 31, 2025 2024 2025 2024",
         ["Pension", "Pension", "Health Care and Life", "Health Care and Life"]),
        ("As of December 31:\n2025 2024\n(In thousands) Insured Served Insured Served",
         ["Insured", "Served", "Insured", "Served"]),
        ("(in millions)\nPension Funds Life Funds\nYear Ended Year Ended\n2025 2024 2025 2024",
         ["Pension Funds", "Pension Funds", "Life Funds", "Life Funds"]),
        ("(in millions)\nYear Ended December 31, 2025\nPension Funds Life Funds Health Funds Other Funds\nRevenue",
         ["Pension Funds", "Life Funds", "Health Funds", "Other Funds"]),
        ("(in millions)\nHealth Care\nPension Life Insurance\n2025 2024 2025 2024", None),  # on two lines
        ("(in millions)\nLife Insurance Health\n2025 2024 2025 2024", ["Life Insurance", None, "Health", None]),
        ("(in millions)\nHealth Care and Life\n2025 2024 2025 2024", None),  # one name
        ("(in millions)\nSecond Quarter First Half\n2025 2024 2025 2024", None),  # periods
    ],
)  # fmt: skip
def test_sentences_tell_where_a_name_ends(lines: str, expected: list[str | None] | None) -> None:
    columns = last_table(readable(velq(SAID.format(heads=lines)))).columns
    assert all(column.fiscal_year in (2025, 2024) for column in columns)
    names = [column.header.removesuffix(str(column.fiscal_year)).strip(" ,") for column in columns]
    for name, own in zip(names, expected or [], strict=False):
        assert own is None or name.startswith(own)
    assert expected or not any("Life" in name or "Pension" in name for name in names)


def test_the_year_of_all_columns_stands_behind_the_caption() -> None:
    page = GOODWILL.replace(
        "(in millions):\nOrbital Goods Moon Huts Total",
        "as follows:\n(dollars in millions) 2024 Orbital Goods Moon Huts Total",
    )
    lines = "".join(line for line in page.splitlines(keepends=True) if "Balance" not in line)
    columns = last_table(readable(velq(PARTS, lines + "Sold 3 2 5\nMoved 2 2 4\n"))).columns
    assert [(column.header.partition(" 2024")[0], column.fiscal_year) for column in columns][:2] == [
        ("Orbital Goods", 2024), ("Moon Huts", 2024)
    ]  # fmt: skip


def test_days_stand_over_groups_of_names() -> None:
    columns = last_table(readable(velq(GROUPS))).columns
    assert [(column.header.split()[0], column.fiscal_year) for column in columns] == [
        ("Assets", 2025), ("Liabilities", 2025), ("Assets", 2024), ("Liabilities", 2024)
    ]  # fmt: skip


def test_rows_of_balances_and_of_changes_between_them_tell_the_periods_of_columns_of_parts() -> None:
    document = velq(PARTS, GOODWILL)
    tables = [table for table in readable(document).tables if table.page == len(document.pages) - 1]
    assert [
        (row.label, table.columns[0].header, table.columns[0].fiscal_year, table.columns[0].months)
        for table in tables
        for row in table.rows
    ] == [
        ("Balance at December 31, 2023", "Orbital Goods", 2023, None),
        ("Acquired", "Orbital Goods", 2024, 12),
        ("Balance at December 31, 2024", "Orbital Goods", 2024, None),
    ]
    assert [value.value for value in answered("VELQ goodwill acquired in Moon Huts in 2024", document).values] == [1e6]
    later = GOODWILL.replace("Balance at December 31, 2023", "Balance at December 31, 2022")  # of two years together
    (between,) = [
        table for table in readable(velq(PARTS, later)).tables if any(row.label == "Acquired" for row in table.rows)
    ]
    assert {column.fiscal_year for column in between.columns} == {None}


LEVELS = """\
The company holds notes of other companies and of a bank, and some of its own shares, at the prices of the market.
{said}
Level 1 Level 2 Level 3 Total
Assets:
Harbour notes $ 29 $ 4 $ 1 $ 34
Bank notes 11 2 1 14
Own shares of workers 7 3 2 12
Deposits abroad 5 1 1 7
"""


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("At Fair Value as of December 31, 2024", 2024),
        ("The fair values of the assets and liabilities of the company as of December 31, 2024 were as follows:", 2024),
        ("(in millions)\nDecember 31, 2025", 2025),
        ("December 31, 2025 and changes since December 31, 2024", None),
        ("Expected values as of December 31, 2025", None),
        ("Values as of July 31, 2025", None),
    ],
)
def test_one_period_above_a_table_of_names_is_that_of_all_its_columns(said: str, year: int | None) -> None:
    columns = last_table(readable(velq(PARTS, LEVELS.format(said=said)))).columns
    assert {column.fiscal_year for column in columns} == {year}
    assert [column.header.split(" December")[0] for column in columns] == ["Level 1", "Level 2", "Level 3", "Total"]


@pytest.mark.parametrize(
    ("changed", "by"),
    [
        ("MOON HUTS TOTAL", "MOON TENTS TOTAL"),  # a name that no row has
        ("MOON HUTS TOTAL", "MOON HUTS"),  # fewer names than columns
        ("(Dollars in millions)\n", "(Dollars in millions)\nGLOBAL\n"),  # a word more
    ],
)
def test_names_that_may_be_read_otherwise_are_left_alone(changed: str, by: str) -> None:
    assert not any("ORBITAL" in head for head in heads(f"{PARTS}\n\n{NAMED.replace(changed, by)}"))
    question = "VELQ footwear revenue in Orbital Goods in fiscal 2025"
    answer = asked(question, velq(PARTS, NAMED.replace(changed, by)))
    assert answer is None or answer.refusal or not answer.complete


def test_two_names_that_are_one_together_are_not_told_apart() -> None:
    both = PARTS.replace("Moon Huts 152 120\n", "Moon 100 100\nHuts 40 10\nMoon Huts 12 10\n")
    page = "Sales (in millions):\nMoon Huts Total\n2025 2024 2025 2024 2025 2024\nNet sales 1 2 3 4 5 6\n"
    assert heads(f"{both}\n\n{page}") == ["2025", "2024"] * 3


def test_the_quarters_of_a_year_are_columns() -> None:
    assert heads(QUARTERS) == ["Q1 2025", "Q2 2025", "Q3 2025", "Q4 2025", "Year 2025"]
    assert heads(QUARTERS.replace("1st 2nd 3rd 4th 2025", "First Second Third Fourth Fiscal Year").replace(
        "Quarter 12-Month", "Fiscal 2025"))[0] == "Q1 2025"  # fmt: skip
    assert heads(QUARTERS.replace(" 2025\n", " Year\n"))[0] != "Q1 2025"
    ended = (
        "Selected metrics (in millions):\nThree Months Ended\n{days}\n"
        "Volume handled $ 322 $ 343 $ 355 $ 432\nCharges 100 110 120 140\n"
    )
    days = "March 31, 2025 December 31, 2024 September 30, 2024 June 30, 2024"  # of a fiscal year that ends in March
    assert heads(ended.format(days=days)) == ["Q4 2025", "Q3 2025", "Q2 2025", "Q1 2025"]


def test_a_row_in_dollars_has_no_scale_of_its_caption() -> None:
    page = (
        "Selected statistics\n(Millions, except where said)\n2025 2024\nVolume $ 90 $ 80\n"
        "Spending a card (dollars) $ 16,352 $ 15,100\n"
    )
    table = last_table(readable(velq(page)))
    assert [row.cells[0].value for row in table.rows if row.cells[0]] == [90e6, 16_352.0]
