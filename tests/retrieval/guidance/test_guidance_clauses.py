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
        # what an outlook holds: entries of the sentence behind it, `with`, `as follows`, what it is based on
        (("We are reaffirming our 2024 guidance.", "This includes revenue growth of 2% to 3%, and EPS growth of 5%."),
         [("revenue", "", "FY2024", 2.0, 3.0), ("eps", "", "FY2024", 5.0, 5.0)]),
        (("We are initiating 2024 guidance with 7% to 8% organic revenue growth.",),
         [("revenue", "", "FY2024", 7.0, 8.0)]),
        (("We've introduced our 2024 guidance ranges, with core FFO in a range of $1.88 to $1.94 per share.",),
         [("ffo", "", "FY2024", 1.88, 1.94)]),
        (("For the third quarter, we are planning as follows.", "Net sales to be up 2% to 4%."),
         [("revenue", "", "Q3 FY2024", 2.0, 4.0)]),
        (("For 2024, we see EPS of $5 to $5.40 based on sales growth of 8% to 10%, and EBITDA margins of 9% to 10%.",),
         [("eps", "", "FY2024", 5.0, 5.4), ("revenue", "", "FY2024", 8.0, 10.0),
          ("ebitda_margin", "", "FY2024", 9.0, 10.0)]),
        (("We expect 2024 capex to reach $12 million, including line extension spend of about $4 million.",),
         [("capex", "", "FY2024", 12e6, 12e6), ("line extension spend", "", "FY2024", 4e6, 4e6)]),
        # the same growth on another basis, or said behind its level
        (("We expect 2024 revenue of $5 million to $6 million, up 5% to 7%, or up 6% to 8% in constant currency.",),
         [("revenue", "", "FY2024", 5e6, 6e6), ("revenue", "", "FY2024", 5.0, 7.0),
          ("revenue", "", "FY2024", 6.0, 8.0)]),
        (("We expect 2024 revenue of $8 million, growth of 14%.",),
         [("revenue", "", "FY2024", 8e6, 8e6), ("revenue", "", "FY2024", 14.0, 14.0)]),
        (("We expect 2024 EPS of $2.70 to $2.90 representing approximately 13% to 15% EPS growth.",),
         [("eps", "", "FY2024", 2.7, 2.9), ("eps", "", "FY2024", 13.0, 15.0)]),
        # figures as a transcript writes them down
        (("We are guiding to a 2024 FFO range of 452 to 458 per share.",), [("ffo", "", "FY2024", 4.52, 4.58)]),
        (("We expect 2024 adjusted EPS of between 461 and $4.75.",), [("eps", "", "FY2024", 4.61, 4.75)]),
        (("Our guide implies 2024 revenue to be up four to 6%.",), [("revenue", "", "FY2024", 4.0, 6.0)]),
        # the year around a sentence that names none, and a sentence that only refers to the figure before it
        (("We expect 2024 sales of $5 million.", "Moving to slide 14.", "We expect adjusted EPS of $2 to $3.",
          "In 2024, we expect a tax rate of 20%.", "Turning to the second quarter, we see EPS of $0.50."),
         [("revenue", "", "FY2024", 5e6, 5e6), ("eps", "", "FY2024", 2.0, 3.0), ("tax_rate", "", "FY2024", 20.0, 20.0),
          ("eps", "", "Q2 FY2024", 0.5, 0.5)]),
        (("Turning to the second quarter, we anticipate revenue of $15 million.",
          "This reflects a 1% impact of currency on full-year sales growth.", "We expect EPS of $3.26 to $3.30."),
         [("revenue", "", "Q2 FY2024", 15e6, 15e6), ("eps", "", "Q2 FY2024", 3.26, 3.3)]),
        # what is done, owned or authorised, what an effect comes from, and an old range before the new one
        (("In 2024, we will repurchase at least $3 million of shares.",),
         [("share_repurchases", "", "FY2024", 3e6, None)]),
        (("In 2024, we expect to resume share repurchases under the remaining $2 million authorization.",), []),
        (("We expect to acquire $45 million to $60 million of EBITDA in 2024.",), []),
        (("For 2024, we expect to deploy between $2 million and $3 million in capital.",), []),
        (("We see the 2024 impact of missed sales and extraordinary costs will be $25 million to $30 million.",), []),
        (("We raised our 2024 same-store revenue outlook from a range of 0% to 2% to a range of 4% to 6%.",),
         [("same_store_revenue", "", "FY2024", 4.0, 6.0)]),
        (("We reiterate our guidance for Widgets group of 7% to 8% revenue growth in 2024.",),
         [("revenue", "widgets", "FY2024", 7.0, 8.0)]),
        (("We see a strong year in the Widgets segment.", "We see 2024 sales for the segment of $5 million."),
         [("revenue", "widgets", "FY2024", 5e6, 5e6)]),
        (("The $0.22 EPS increase in our 2024 outlook is driven by rents.",), []),
        # other measures: shares, losses on loans, what stands at the end of the year
        (("We estimate that average diluted share count for 2024 will be down about 5% from 2023.",),
         [("share_count", "", "FY2024", -5.0, -5.0)]),
        (("We expect 2024 net charge-offs to be between 40 and 49 basis points.",),
         [("net_charge_off_ratio", "", "FY2024", 40.0, 49.0)]),
        (("We project our diluted shares will be 142 million at the end of 2024.",),
         [("share_count", "", "FY2024", 142e6, 142e6)]),
        # a place behind a figure, of which the next sentence says nothing; an opening clause; effects in a list
        (("We expect 2024 sales growth of 18% to 20% in Norland.", "We see 2024 revenue growth of 4% to 5%."),
         [("revenue", "norland", "FY2024", 18.0, 20.0), ("revenue", "", "FY2024", 4.0, 5.0)]),
        (("For 2024, we project retail sales in Norland, excluding the mine, to grow 1.9% from the 2023 level.",),
         [("revenue", "retail norland", "FY2024", 1.9, 1.9)]),
        (("While Norland is in recession, we project 2024 sales to increase 20%.",), []),
        (("Our 2024 guidance holds currency impacts on revenue of minus $5 million, and EPS of minus $0.04.",), []),
        (("Our tax rate is assumed to be approximately 23% in 2024.",), [("tax_rate", "", "FY2024", 23.0, 23.0)]),
        (("Blended lease rate growth is forecast to be approximately 2.5% in 2024.",),
         [("blended lease rate", "", "FY2024", 2.5, 2.5)]),
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
