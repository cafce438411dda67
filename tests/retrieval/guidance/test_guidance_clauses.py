"""A figure is read from its own clause: what the next clause says of it changes neither it nor whether it holds."""

from __future__ import annotations

import pytest

from tests.retrieval.guidance.calls import call
from tradingagents.retrieval.guidance.statements import read_guidance

Row = tuple[str, str, str, float | None, float | None]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            (
                "For 2024, we now expect revenue of $9.7 billion an increase of $70 million.",
                "Umbrix global sales of $1.5 billion an increase of $60 million reflecting more stores.",
            ),
            [("revenue", "", "FY2024", 9.7e9, 9.7e9), ("revenue", "umbrix", "FY2024", 1.5e9, 1.5e9)],
        ),
        (("We expect 2024 capital spending of $70 million to $80 million, though we could see some of it pushed out.",),
         [("capex", "", "FY2024", 70e6, 80e6)]),
        (("We expect 2024 R&D expense of $90 million reflecting additional investment for long-term growth.",),
         [("research_and_development", "", "FY2024", 90e6, 90e6)]),
        (("In 2024, we expect EPS between $3.26 and $3.30 This guidance does not include what may be incurred.",),
         [("eps", "", "FY2024", 3.26, 3.3)]),
        (("We expect first quarter sales of less than 25% of the full year.",), []),
        (("For 2024, we expect SG&A expense of about 15% of sales.",),
         [("selling_general_administrative_rate", "", "FY2024", 15.0, 15.0)]),
        (("We expect 2024 EPS of $2.33 to $2.47 based on 84 million estimated diluted shares outstanding.",),
         [("eps", "", "FY2024", 2.33, 2.47), ("share_count", "", "FY2024", 84e6, 84e6)]),
        (("For 2024, we're planning for $35 million fully diluted shares outstanding.",),
         [("share_count", "", "FY2024", 35e6, 35e6)]),
        (("For 2024, we expect 30 million weighted average sales outstanding.",),
         [("share_count", "", "FY2024", 30e6, 30e6)]),
        (("Our full-year expectation for capex has reduced to $1.3 billion from our prior expectation of $2 billion.",),
         [("capex", "", "FY2024", 1.3e9, 1.3e9)]),
        (("Our tax rate was discussed.", "This rate is expected to be 25% in fiscal 2024."),
         [("tax_rate", "", "FY2024", 25.0, 25.0)]),
        (("We expect our average store count in 2024 to be up 3% to 5%.",),
         [("average store count", "", "FY2024", 3.0, 5.0)]),
        (
            (
                "And for widgets, we expect 2024 sales of $5 billion.",
                "Turning to the second quarter, we anticipate revenue of $15 billion.",
            ),
            [("revenue", "widgets", "FY2024", 5e9, 5e9), ("revenue", "", "Q2 FY2024", 15e9, 15e9)],
        ),
        (
            (
                "Turning to our guidance for 2024, we expect net sales to grow 2%.",
                "In Dolls, a new film will help.",
                "Adjusted operating income is expected to be $740 million to $760 million.",
            ),
            [("revenue", "", "FY2024", 2.0, 2.0), ("operating_income", "", "FY2024", 740e6, 760e6)],
        ),
        (("For 2024, EPS is expected to be $1.66 to $1.72 compared to $1.62, an increase of 2% to 6%.",),
         [("eps", "", "FY2024", 1.66, 1.72), ("eps", "", "FY2024", 2.0, 6.0)]),
        (("In 2024, our capital allocation strategy considers dividends of around $20 million.",),
         [("dividends", "", "FY2024", 20e6, 20e6)]),
        (("We plan to spend $90 million in capex in 2024, including $60 million for stores, and $30 million for IT.",),
         [("capex", "", "FY2024", 90e6, 90e6), ("capex for stores", "", "FY2024", 60e6, 60e6),
          ("capex for it", "", "FY2024", 30e6, 30e6)]),
        (("In 2024, we expect adjusted EBIT of minus 8% to minus 5%.",), [("ebit", "", "FY2024", -8.0, -5.0)]),
        (("In 2024, we expect EBIT of 5% to 8% versus fiscal 2023.",), [("ebit", "", "FY2024", 5.0, 8.0)]),
        (("In 2024, we expect EBIT of 5% to 8%.",), [("ebit_margin", "", "FY2024", 5.0, 8.0)]),
        (("For 2024, our board announced the authorization of a $1 billion share repurchase program.",), []),
        (("We expect 2024 sales growth of 7% to 9% from pre-COVID levels.",), []),
        (("We expect 2024 same-restaurant sales growth of 2%.",), [("comparable_sales", "", "FY2024", 2.0, 2.0)]),
        (("Turning to doll services.", "We expect 2024 to be another year of revenue growth of 10%."), []),
        (("Costs fell in our Widgets segment.", "We expect 2024 adjusted operating income of $20 million."), []),
        (("And finally, clean energy.", "We are raising our 2024 net earnings range to $8 million to $9 million."), []),
        # what one sentence implies of its own figure, what guidance includes, a range behind a part of the company
        (("We expect 2024 revenue of $5 million to $6 million, implying 3% growth at the midpoint.",),
         [("revenue", "", "FY2024", 5e6, 6e6), ("revenue", "", "FY2024", 3.0, 3.0)]),
        (("We expect 2024 revenue of $5 million to $6 million, which implies growth of 2% to 4%.",),
         [("revenue", "", "FY2024", 5e6, 6e6), ("revenue", "", "FY2024", 2.0, 4.0)]),
        (("We reaffirm our 2024 guidance ranges, which include organic revenue growth of 2% to 4%.",),
         [("revenue", "", "FY2024", 2.0, 4.0)]),
        (("Widgets sales rose.", "Prices held.", "For 2024, we expect revenue of $2 to $3 million."),
         [("revenue", "", "FY2024", 2e6, 3e6)]),
        (("First, starting orders.", "We expect second quarter new orders to be in the range of 170 to 180 homes."),
         [("new orders", "", "Q2 FY2024", 170.0, 180.0)]),
        # a single figure whose item stands behind it: nothing says that the company expects it, or it is a share of it
        (("In 2024, our board will see a 10% increase in our dividend per share.",), []),
        (("These assets will generate $1.5 billion of free cash flow in 2024.",), []),
        (("We expect to generate $1.5 billion of free cash flow in 2024.",),
         [("free_cash_flow", "", "FY2024", 1.5e9, 1.5e9)]),
        (("We anticipate a 10% average increase in service cost in 2024.",), []),
        (("Our 2024 outlook assumes a 200 basis point moderation of demand.",), []),
        # half of a range, and ends of which a transcript has lost a digit
        (("We expect 2024 EPS of $21 and $23 per share.",), []),
        (("2024 EPS is expected to be in the range of $0.03 to $3.06.",), []),
        (("We expect 2024 net sales in the range of a 2% decline to flat.",), [("revenue", "", "FY2024", -2.0, 0.0)]),
        (("We expect a 2024 gross margin of 48%, plus or minus one percentage point.",),
         [("gross_margin", "", "FY2024", 47.0, 49.0)]),
        (("We expect 2024 earnings per share of $1, plus or minus 10 cents.",), [("eps", "", "FY2024", 0.9, 1.1)]),
        (("We expect a 2024 gross margin of 48%, plus or minus $1 million.",), []),
        # what others do, what moves an item, a number of a year, a name that is none
        (("For 2024, we expect the markets in which we compete to deliver sales growth of 3% to 4%.",), []),
        (("In 2024, we anticipate 21 cents of EPS pickup from new rates.",), []),
        (("We are guiding to 17,000 closings in the third quarter of 24 with a tax rate of 20%.",),
         [("closings", "", "Q3 FY2024", 17000.0, 17000.0), ("tax_rate", "", "Q3 FY2024", 20.0, 20.0)]),
        (("Our new assets continue to excel and are expected to average 170,000 units in 2024.",), []),
        # growths of one quarter on two bases, and a part of the year that is guided for
        (("We expect second quarter expenses to be up 8% compared to the first quarter.",
          "We expect average total loans to increase 2% in the second quarter."),
         [("expenses", "", "Q2 FY2024", 8.0, 8.0)]),
        # a period that is only held
        (("Our 2024 outlook is for EPS of $2 to $3.", "We manage to a leverage ratio of 3 times."),
         [("eps", "", "FY2024", 2.0, 3.0)]),
        (("Our outlook for 2028 is for EPS of $9 to $10.", "We expect organic sales growth of 1% to 3%."),
         [("eps", "", "FY2028", 9.0, 10.0)]),
        (("For 2024, we see EPS of $2 to $3.", "We see net debt to EBITDA of 2 times at the end of the third quarter."),
         [("eps", "", "FY2024", 2.0, 3.0), ("leverage_ratio", "", "Q3 FY2024", 2.0, 2.0)]),
    ],
)  # fmt: skip
def test_a_figure_is_read_from_its_own_clause(sentences: tuple[str, ...], expected: list[Row]) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", *sentences)).statements
    assert [(row.item, row.part, row.period.label, row.low, row.high) for row in found] == expected
