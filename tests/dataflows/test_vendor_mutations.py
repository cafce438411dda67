"""Vendors' answers changed on the wire: what reaches an agent is right, stated as missing, or the next vendor's.

A sample of `python -m benchmarks.vendor_mutations`. Some changes leave an answer that could as well be true; docs
tell which, and how many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.data_corruptions.asking import Reply as Answered
from benchmarks.data_corruptions.asking import Shown
from benchmarks.vendor_mutations.__main__ import PAGE, known_wrong, risen
from benchmarks.vendor_mutations.asking import Heard
from benchmarks.vendor_mutations.cases import FULL, Case, Cases
from benchmarks.vendor_mutations.judging import is_unconfirmed, judge
from benchmarks.vendor_mutations.kinds import KINDS, Changed
from benchmarks.vendor_mutations.worlds import World, every_world, small_worlds
from tests.support.tiers import is_fast
from tests.support.vendor_server import Reply

NEVER_WRONG = frozenset(
    {"page", "error with 200", "cut body", "wrong charset", "new field", "reordered", "renamed", "text for a number"}
)
"""Kinds of which every answer shows that it was changed, or was not."""
SMALL = range(36)
"""Two of each kind, on made-up answers."""
RECORDED = range(150)
MOST_WRONG = 0.08
"""Share of the sample that may be silently wrong: changes that nothing in the answer shows."""


UNSEEN = ("other currency", "shifted rows", "truncated history")
"""Kinds that the answer alone does not show."""
MOST_WRONG_AGAIN = 0.08
"""Share of these that may be silently wrong though the answer of the day before is stored."""
FEW = ("yfinance prices AAPL 2025-10-29", "alpha_vantage statements IBM", "stocktwits AAPL")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cases]:
    cases = Cases(small_worlds(), tmp_path_factory.mktemp("small"))
    yield cases
    cases.close()


def problems(cases: list[Case]) -> list[str]:
    """What must not be: an error that is none of ours, and a wrong figure of an answer that shows its change."""
    crashed = [case.line for case in cases if case.verdict.outcome == "crash"]
    wrong = [case for case in cases if case.verdict.outcome == "silently wrong"]
    return [*crashed, *(case.line for case in wrong if case.kind in NEVER_WRONG)]


def test_small_answers_that_are_changed(small: Cases):
    cases = [small.run(seed) for seed in (SMALL[: len(KINDS)] if is_fast() else SMALL)]
    assert {case.kind for case in cases} == set(KINDS)
    assert not problems(cases)


def test_unchanged_answers_agree_with_those_of_the_day_before(small: Cases):
    assert not alarms(small, small_worlds())


@pytest.mark.parametrize(
    ("vendor", "question", "what"),
    [
        ("stocktwits", "get_social_sentiment", "number and times of these posts"),
        ("finnhub", "get_news", "number and times of these articles"),
        ("financial_datasets", "get_news", "number and times of these articles"),
        ("alpha_vantage", "get_news", "times of these articles"),
        ("sec_edgar", "get_filings", "number and times of these filings"),
        ("yfinance", "get_news", ""),
        ("sec_edgar", "get_income_statement", ""),
    ],
)
def test_a_list_that_nothing_confirms_says_whose_it_is(small: Cases, vendor: str, question: str, what: str):
    world = next(world for world in small_worlds() if world.name == f"{vendor} small")
    text = small.known(world).heard.texts[question]
    assert re.findall(r"(\w+) alone gives the ([a-z ]+): nothing", text) == ([(vendor, what)] if what else [])


def test_what_one_source_alone_gives_is_told_apart_from_what_is_silently_wrong():
    said = "stocktwits alone gives the number of these posts: nothing confirms them."
    count, moved = "posts is 2 posts, was 3 posts", "post 'a' is of 2025-03-12 00:00, and was not"
    assert is_unconfirmed("stocktwits", said, [count])
    assert not is_unconfirmed("stocktwits", said, [count, moved])
    assert not is_unconfirmed("stocktwits", said, ["last_close is 3 USD, was 300 USD"])
    assert not is_unconfirmed("finnhub", said, [count])
    assert not is_unconfirmed("stocktwits", "", [count])
    said = "alpha_vantage alone gives the prices and volumes of these movers: nothing confirms them."
    assert is_unconfirmed(
        "alpha_vantage", said, ["ACMQ_price is 11.5 USD, was 12.5 USD", "cell ACMQ Volume is 1, was 2"]
    )
    assert not is_unconfirmed("alpha_vantage", said, ["ACMQ_market_cap is 1 USD, was 2 USD"])


def test_a_filing_at_another_time_is_wrong():
    row = "| 2026-06-01 | 2026-06-02 {}:07 | 144 | n/a | 144 | https://www.sec.gov/a.xml |"
    said = "sec_edgar alone gives the number and times of these filings: nothing confirms them."
    truth = Heard({"filings": Answered()}, {"filings": "sec_edgar"}, {"filings": row.format("00")})
    for more, outcome in (("", "silently wrong"), (said, "wrong, of one source")):
        heard = Heard({"filings": Answered()}, {"filings": "sec_edgar"}, {"filings": f"{row.format('01')}\n{more}"})
        assert judge("sec_edgar", Changed(Reply({}), "moved", "times are moved"), truth, heard).outcome == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("| HAS | 69.06 USD | n/a |", "stated gap"),
        ("| market_cap | n/a |", "unstated gap"),
        ("| HAS | 69.06 USD |", "unstated gap"),
    ],
)
def test_a_figure_that_is_gone_is_stated_in_the_row_of_its_symbol(text: str, outcome: str):
    whole, given = Answered({"HAS_market_cap": Shown(9.63e9, "USD")}), Answered()
    truth, heard = (Heard({"movers": one}, {"movers": "yfinance"}, {"movers": text}) for one in (whole, given))
    changed = Changed(Reply({}), "in", "marketCap is null in 2 of 5 rows")
    assert judge("yfinance", changed, truth, heard).outcome == outcome


def alarms(cases: Cases, worlds: Sequence[World]) -> list[str]:
    """Questions whose answers are others where they are held against the same ones of the day before."""
    return [
        f"{world.name} {question}"
        for world in worlds
        for again in [cases.heard_again(world).answers]
        for question, answer in cases.known(world).heard.answers.items()
        if again[question] != answer
    ]


def test_what_was_asked_the_day_before_shows_most_changes(small: Cases):
    seeds = [seed for seed in range(400) if seed // len(KINDS) % 2 == 1 and list(KINDS)[seed % len(KINDS)] in UNSEEN]
    found = [small.run(seed) for seed in (seeds[:8] if is_fast() else seeds)]
    assert all(case.asked_before for case in found)
    wrong = [case.line for case in found if case.verdict.outcome == "silently wrong"]
    assert len(wrong) <= max(1, MOST_WRONG_AGAIN * len(found)), wrong


def test_a_case_is_the_same_each_time(small: Cases):
    one, other = small.run(3), small.run(3)
    assert (one.line, one.changed.what) == (other.line, other.changed.what)


def test_what_rises_above_the_page_is_named():
    known = sorted(known_wrong())
    rows = [{"seed": seed, "outcome": "silently wrong"} for seed in (*known, 9_999)]
    rows += [{"seed": 1, "outcome": "crash"}, {"seed": 2, "outcome": "stated gap"}]
    assert [row["seed"] for row in risen(rows)] == [9_999, 1]
    stated = re.search(r"\| all \| \d+ \| (\d+) \(", PAGE.read_text(encoding="utf-8"))
    assert stated is not None
    assert int(stated[1]) == sum(seed < FULL for seed in known)


@pytest.mark.real_data
def test_recorded_answers_that_are_changed(test_data: Path, tmp_path: Path):
    worlds = every_world(test_data)
    cases = Cases(worlds, tmp_path)
    try:
        found = [cases.run(seed) for seed in (RECORDED[::6] if is_fast() else RECORDED)]
        assert not alarms(cases, [world for world in worlds if world.recorded and (not is_fast() or world.name in FEW)])
    finally:
        cases.close()
    assert not problems(found)
    wrong = [case.line for case in found if case.verdict.outcome == "silently wrong"]
    assert len(wrong) <= max(2, MOST_WRONG * len(found)), wrong
