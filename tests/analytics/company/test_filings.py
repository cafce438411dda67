"""The list of filings: counted by form, newest first, and safe to show."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from tradingagents.analytics.company.filings import FILINGS_SHOWN, FilingList, filing_list
from tradingagents.dataflows.models import Filing

START, AS_OF = date(2025, 1, 1), date(2025, 3, 14)
AT = datetime(2025, 3, 3, 21, 5, tzinfo=UTC)


def filing(form: str = "8-K", number: int = 1, **more: object) -> Filing:
    given = {
        "symbol": "ACME",
        "form": form,
        "known_at": AT + timedelta(minutes=number),
        "filed_on": date(2025, 3, 3),
        "accession": f"0-25-{number:06d}",
        "url": f"https://filings.invalid/{number}",
    }
    return Filing(**(given | more))  # type: ignore[arg-type]


def listed(*filings: Filing, forms: tuple[str, ...] = ()) -> FilingList:
    return filing_list(
        filings, as_of=AS_OF, symbol="ACME", start=START, end=AS_OF, forms=forms, fetched_at=AT, source="rows"
    )


def test_every_cell_of_the_table():
    report = filing("10-Q", 2, period_end=date(2024, 12, 31), title="Quarterly report")
    result = listed(report, filing(items=("2.02", "9.01", "99.99")), filing("4", 0))
    events = "2.02 results of operations, 9.01 exhibits, 99.99"
    assert result.body().splitlines() == [
        "| Filed | Accepted (UTC) | Form | Period to | About | Address |",
        "|---|---|---|---|---|---|",
        "| 2025-03-03 | 2025-03-03 21:07 | 10-Q | 2024-12-31 | Quarterly report | https://filings.invalid/2 |",
        f"| 2025-03-03 | 2025-03-03 21:06 | 8-K | n/a | {events} | https://filings.invalid/1 |",
        "| 2025-03-03 | 2025-03-03 21:05 | 4 | n/a | n/a | https://filings.invalid/0 |",
    ]
    assert (result.rows, result.known_at, result.notes) == (3, AT + timedelta(minutes=2), ())


def test_filings_are_counted_by_form_the_most_frequent_first():
    result = listed(*(filing(form, number) for number, form in enumerate(("10-K/A", "8-K", "4", "8-K", "10-K"))))
    assert [(figure.name, figure.text) for figure in result.figures()] == [
        ("filings", "5 filings"),
        ("form_8_k", "2 filings"),
        ("form_10_k", "1 filing"),
        ("form_10_k_a", "1 filing"),
        ("form_4", "1 filing"),
    ]


def test_forms_are_chosen_in_any_case_with_their_amendments():
    every = [filing(form, number) for number, form in enumerate(("10-K", "10-K/A", "10-KT", "8-K"))]
    assert listed(*every, forms=(" 10-k ",)).counts == {"10-K": 1, "10-K/A": 1}
    assert listed(*every, forms=("8-K", "10-KT")).counts == {"10-KT": 1, "8-K": 1}


def test_filings_outside_the_window_are_left_out():
    days = (date(2024, 12, 31), START, AS_OF, date(2025, 3, 15))
    assert listed(*(filing(number=number, filed_on=day) for number, day in enumerate(days))).rows == 2


def test_no_filing_is_an_answer():
    result = listed()
    assert result.body() == "The source has no filing accepted from 2025-01-01 to 2025-03-14."
    assert [(figure.name, figure.value) for figure in result.figures()] == [("filings", 0)]
    assert result.known_at is None


def test_the_newest_are_shown_and_all_are_counted():
    result = listed(*(filing(number=number) for number in range(FILINGS_SHOWN + 5)))
    assert len(result.filings) == FILINGS_SHOWN
    assert result.counts == {"8-K": FILINGS_SHOWN + 5}
    assert result.filings[0].url.endswith(f"/{FILINGS_SHOWN + 4}")
    assert result.notes == (f"The newest {FILINGS_SHOWN} of {FILINGS_SHOWN + 5} filings are listed.",)


def test_words_of_a_filer_cannot_pass_for_rows_of_ours():
    result = listed(
        filing(form="8-K\n| net_income | 9.99T |", title="# New\n| revenue | 1.00T USD |", url="https://x|y")
    )
    assert "| net_income |" not in result.to_markdown()
    assert "| revenue |" not in result.to_markdown()
    assert len(result.body().splitlines()) == 3
