"""Figures of models' texts traced to data: the rate on the written test set, and each rule by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.provenance.grounding_sentences import SENTENCES
from tradingagents.provenance.figure_check import Given, untraced, words_around

FOLDER = Path(__file__).parent / "grounding_given"
SUBJECTS = {"nodq": ("NODQ", "Nodewright Networks"), "groqz": ("GROQZ", "Groverly Markets"), "scan": ()}


@lru_cache
def given(name: str) -> Given:
    answers = (FOLDER / f"{name}.md").read_text(encoding="utf-8").split("<!-- answer -->")
    return Given(answers, subject=SUBJECTS[name])


def parted(sentence: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a sentence without its braces, and where the figures stand that were planted in it."""
    text, planted = "", []
    for part in re.split(r"(\{[^}]*\})", sentence):
        plain = part.strip("{}") if part.startswith("{") else part
        if plain != part:
            planted.append((len(text), len(text) + len(plain)))
        text += plain
    return text, planted


@dataclass
class Rate:
    planted: int = 0
    found: int = 0
    right: int = 0
    """Sentences without a planted figure."""
    marked: int = 0
    """Of these, sentences with a mark."""
    misses: list[str] = field(default_factory=list)

    def take(self, name: str, sentence: str) -> None:
        text, planted = parted(sentence)
        marks = untraced(given(name).places(text))
        found = [one for one in planted if any(mark.start < one[1] and one[0] < mark.end for mark in marks)]
        self.planted += len(planted)
        self.found += len(found)
        if len(found) < len(planted):
            self.misses.append(f"not found: {sentence}")
        wrongly = [
            text[mark.start : mark.end]
            for mark in marks
            if not any(mark.start < end and start < mark.end for start, end in planted)
        ]
        if wrongly:
            self.misses.append(f"marked though right ({', '.join(wrongly)}): {sentence}")
        if not planted:
            self.right += 1
            self.marked += bool(wrongly)


def rate(*, held_out: bool | None = None) -> Rate:
    result = Rate()
    for name, sentences in SENTENCES.items():
        for at, sentence in enumerate(sentences):
            if held_out is None or (at % 3 == 2) == held_out:
                result.take(name, sentence)
    return result


def test_planted_figures_are_found_and_right_ones_are_not_marked():
    result = rate()
    assert sum(map(len, SENTENCES.values())) >= 200
    assert result.planted >= 100
    assert result.right >= 100
    assert result.found >= 0.95 * result.planted, "\n".join(result.misses)
    assert result.marked <= 0.05 * result.right, "\n".join(result.misses)


def test_the_sentences_held_out_do_nearly_as_well():
    result = rate(held_out=True)
    assert result.found >= 0.9 * result.planted, "\n".join(result.misses)
    assert result.marked <= 0.1 * result.right, "\n".join(result.misses)


ANSWER = """## Stock data: ACME

| Figure | Value |
|---|---|
| last_close | 148.25 USD |
| change_1m | -5.12% |
| rsi | 62.40 |
| market_cap | 1.23B USD |
| debt_to_equity | 0.46x |

| Quarter to | revenue |
|---|---|
| 2024-03-31 | 400.00M |
| 2023-12-31 | 320.00M |
"""


def missed(text: str, *answers: str, english: bool = True) -> list[str]:
    held = Given([ANSWER, *answers], subject=("ACME", "Acme Works"), english=english)
    return [text[place.start : place.end] for place in untraced(held.places(text))]


@pytest.mark.parametrize(
    "text",
    [
        "The last close was 148.25 USD.",
        "The stock closed at $148.3.",
        "The stock closed at about 150.",
        "Market cap is $1.2bn.",
        "Market cap is 1,230 million USD.",
        "The shares fell 5.1% over the month.",
        "The one-month change is -5.12%.",
        "The month brought a 5.1 per cent decline.",
        "Debt is 46% of equity by debt-to-equity.",
        "Revenue rose 25% from 320.0M to 400.0M.",
        "Revenue grew by 80.0M, the difference between 320.0M and 400.0M.",
        "Revenue was 1.25 times that of the quarter before, 400M against 320M.",
        "| RSI | 62.4 |",
        "| | Mar-24 | Dec-23 |\n|---|---|---|\n| Revenue ($bn) | 0.40 | 0.32 |",
        "| Metric | Latest quarter | Prior quarter |\n|---|---|---|\n| Revenue | $400M | $320M |",
        "Revenue of the two quarters came to 720M.",
        "Revenue by quarter: 320M, 400M.",
        "Debt/Equity 0.46x",
    ],
)
def test_a_figure_is_traced_however_it_is_written(text: str):
    assert missed(text) == []


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("The last close was 148.52 USD.", ["148.52 USD"]),
        ("The RSI stands at 148.25.", ["148.25"]),
        ("The shares rose 5.1% over the month.", ["5.1%"]),
        ("The shares fell 5.1% over three months.", ["5.1%"]),  # it is of one month
        ("Market cap is $1.2m.", ["$1.2m"]),
        ("Revenue rose 35% from 320.0M to 400.0M.", ["35%"]),
        ("| RSI | 64.2 |", ["64.2"]),
        ("Margins of 12.7% impress.", ["12.7%"]),
        ("| | Mar-24 | Dec-23 |\n|---|---|---|\n| Revenue ($bn) | 0.32 | 0.32 |", ["0.32"]),
        ("| | Mar-24 | Dec-23 |\n|---|---|---|\n| Revenue ($m) | 0.40 | 320 |", ["0.40"]),
        ("Revenue of the two quarters came to 730M.", ["730M"]),
    ],
)
def test_a_figure_that_is_not_of_the_data_is_not_traced(text: str, figures: list[str]):
    assert missed(text) == figures


@pytest.mark.parametrize(
    "text",
    [
        "On 2024-05-10, in Q1 2024 and FY2023, over 3 months, the 50-day SMA and RSI(14) of the S&P 500 matter.",
        "1. The first of 3 reasons, the top 5 names and Form 10-K.",
        "Enter at 147.5 with a stop at 139.90, a target of 171 and 4% of the portfolio.",
        "If the close falls below 131, sell.",
        "An RSI above 70 would be overbought.",
    ],
)
def test_what_names_or_proposes_is_no_figure(text: str):
    assert Given([ANSWER], subject=("ACME", "Acme Works")).places(text) == ()


def test_a_figure_of_another_company_is_not_this_one_s():
    peers = "## Peers\n\n| Symbol | 1-Month |\n|---|---|\n| ACME | -5.12% |\n| BOLT | 7.31% |"
    assert missed("BOLT gained 7.31% over the month.", peers) == []
    assert missed("ACME gained 7.31% over the month.", peers) == ["7.31%"]
    assert missed("BOLT lost 5.12% over the month.", peers) == ["5.12%"]


def test_a_headline_s_figures_are_given_too():
    news = "### Acme to cut 4,000 jobs (The Post, 2024-05-08 12:00 UTC)\nIt takes a charge of $310 million."
    assert missed("Acme cuts 4,000 jobs and books a charge of $310m.", news) == []
    assert missed("Acme cuts 7,000 jobs and books a charge of $410m.", news) == ["7,000", "$410m"]


def test_other_languages_are_traced_by_value_in_either_notation():
    assert missed("Der Schlusskurs liegt bei 148,25 USD, der RSI bei 62,4.", english=False) == []
    assert missed("Der Schlusskurs liegt bei 152,25 USD.", english=False) == ["152,25 USD"]


def test_figures_named_beside_the_answers_count():
    held = Given(
        [], figures=[("ACME", {"last_close": 148.25}), (None, {"MODZ_change_1d": 3.22})], subject=("ACME", "Acme")
    )
    assert untraced(held.places("The last close is 148.25, and MODZ rose 3.22% on the day.")) == []
    assert len(untraced(held.places("The last close is 184.25."))) == 1


def test_a_text_s_figures_are_shown_with_the_words_around_them():
    text = "A long opening sentence that says nothing.\n\nThe last close was 999.99 USD, which\nis wrong."
    (place,) = untraced(Given([ANSWER]).places(text))
    assert text[place.start : place.end] == "999.99 USD"
    assert words_around(text, place) == "that says nothing. The last close was 999.99 USD, which is wrong."


def test_nothing_given_and_nothing_written_is_nothing_found():
    assert Given([]).places("") == ()
    assert len(untraced(Given([]).places("Revenue was 12.5B."))) == 1


@hypothesis.given(cents=st.integers(10_000, 99_999), places=st.integers(0, 2))
def test_what_is_rounded_is_traced_and_what_is_off_by_a_digit_is_not(cents: int, places: int):
    close = cents / 100
    held = Given([f"| Figure | Value |\n|---|---|\n| last_close | {close:.2f} USD |\n| rsi | 61.07 |"])
    shown = round(close, places)
    assert untraced(held.places(f"The last close was ${shown:.{places}f}.")) == []
    off = shown + 2 * 10**-places
    assert len(untraced(held.places(f"The last close was ${off:.{places}f}."))) == 1


@pytest.mark.parametrize(
    "piece", ["1 111", "rose 1.5% ", "|1", "-1", "of the a an ", "a_", "price          ", "(1", "1-"]
)
def test_no_text_takes_longer_than_its_length_is_worth(piece: str):
    text = piece * 2_000 + "1"
    held = Given([text])
    assert sum(place.end - place.start for place in held.places(text)) <= len(text)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Revenue was 400.0M against 320.0M in the quarter before.", []),
        ("Revenue came to 320.0M, after 400.0M in the quarter before.", ["400.0M"]),  # that is the latest quarter
        ("Revenue fell 25% from 320.0M to 400.0M.", ["25%"]),
    ],
)
def test_quarters_and_directions_are_those_of_the_data(text: str, figures: list[str]):
    found = missed(text)
    assert found == figures or (figures and figures[0] in found)


BY_CHANCE = (
    "{} percent sure",
    "We are {} sure",
    "Hold it for a gain of {} %",
    "There is a {} chance that it goes well",
)


def test_a_number_that_the_data_have_by_chance_is_no_evidence():
    said = [one.format(number) for one in BY_CHANCE for number in range(1, 120)]
    for name in SENTENCES:
        traced = [text for text in said if any(place.traced for place in given(name).places(text))]
        assert len(traced) > 10, "data hold many numbers"
        assert [text for text in said if given(name).supports(text)] == []


def test_a_figure_that_is_named_or_leaves_no_doubt_is_evidence():
    right = [(name, one) for name, sentences in SENTENCES.items() for one in sentences if "{" not in one]
    traced = [(name, one) for name, one in right if any(place.traced for place in given(name).places(one))]
    refused = [one for name, one in traced if not given(name).supports(one)]
    assert len(traced) > 150
    assert refused == []


@pytest.mark.parametrize(
    ("claim", "supports"),
    [
        ("The last close was 148.25 USD", True),
        ("We act at 148.25", True),
        ("RSI of 62", True),
        ("The debt-to-equity ratio is 0.46", True),
        ("Revenue rose 25%", True),
        ("46% of the time this works", False),
        ("62 of them agree", False),
        ("Growth is strong", False),
        ("The last close was 158.25 USD", False),
    ],
)
def test_evidence_states_a_figure_by_its_value_and_its_name(claim: str, supports: bool):
    assert Given([ANSWER], subject=("ACME", "Acme Works")).supports(claim) is supports
