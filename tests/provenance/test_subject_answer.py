"""What a model says that a text is about, held against the names of the company studied."""

from __future__ import annotations

import pytest

from tradingagents.provenance.company_mentions import OWN, company_book
from tradingagents.provenance.subject_answer import SubjectAnswer, answered_subject


def read(symbol: str, name: str, text: str, *answer: str) -> str | None:
    return answered_subject(SubjectAnswer(*answer), text, company_book(symbol, name))


@pytest.mark.parametrize(
    ("symbol", "name", "answer"),
    [
        ("GOOGL", "Alphabet Inc.", ("Google",)),
        ("GOOGL", "Alphabet Inc.", ("Alphabet Inc. (GOOG)",)),
        ("GOOG", "Alphabet Inc.", ("Alphabet", "GOOGL")),
        ("BRK-B", "Berkshire Hathaway Inc.", ("Berkshire Hathaway", "BRK.A")),
        ("BRK-B", "Berkshire Hathaway Inc.", ("GEICO",)),
        ("META", "Meta Platforms, Inc.", ("Instagram",)),
        ("META", "Meta Platforms, Inc.", ("Facebook, Inc.", "FB")),
        ("MCD", "McDonald's Corporation", ("Golden Arches", "", "McDonald\u2019s")),
        ("XYZ", "Block, Inc.", ("Square", "SQ", "Block")),
        ("JPM", "JPMorgan Chase & Co.", ("J.P. Morgan",)),
        ("HSY", "The Hershey Company", ("Hershey Co.",)),
        ("F", "Ford Motor Company", ("Ford",)),
        ("BK", "The Bank of New York Mellon Corporation", ("BNY Mellon",)),
        ("NESN.SW", "Nestl\u00e9 S.A.", ("Nestle",)),
        ("7974.T", "Nintendo Co., Ltd.", ("\u4efb\u5929\u5802", "7974.T")),
        ("0700.HK", "Tencent Holdings Limited", ("\u817e\u8baf", "", "Tencent")),
        ("AAPL", "Apple Inc.", ("AAPL",)),
        ("AAPL", "Apple Inc.", ("none named", "NASDAQ: AAPL")),
        ("WMT", "Walmart Inc.", ("Walmart Connect", "", "Walmart")),
    ],
)
def test_names_of_the_subject_are_known(symbol: str, name: str, answer: tuple[str, ...]) -> None:
    assert read(symbol, name, "A text.", *answer) == OWN


@pytest.mark.parametrize(
    ("symbol", "name", "text", "answer", "found"),
    [
        ("COHU", "Cohu, Inc.", "FormFactor's site cost $55 million.", ("FormFactor", "FORM"), "FormFactor"),
        (
            "SONY",
            "Sony Group Corporation",
            "\u4efb\u5929\u5802\u306e\u58f2\u4e0a",
            ("\u4efb\u5929\u5802", "", "Nintendo"),
            "\u4efb\u5929\u5802",
        ),
        (
            "STZ",
            "Constellation Brands, Inc.",
            "Constellation Energy sells power.",
            ("Constellation Energy",),
            "Constellation Energy",
        ),
        ("U", "Unity Software Inc.", "Unity Bancorp (UNTY) lends.", ("Unity Bancorp", "UNTY"), "Unity Bancorp"),
        (
            "AAPL",
            "Apple Inc.",
            "Apple Hospitality REIT lets rooms.",
            ("Apple Hospitality REIT", "", "Apple Hospitality REIT"),
            "Apple Hospitality REIT",
        ),
        ("ETSY", "Etsy, Inc.", "# ETSY\nWayfair has turned the corner.", ("Wayfair", "ETSY"), "Wayfair"),
        ("ABNB", "Airbnb, Inc.", "booking holdings had room nights up.", ("Booking Holdings",), "Booking Holdings"),
        ("AAPL", "Apple Inc.", "MSFT trades at 33 times earnings.", ("Microsoft", "MSFT"), "Microsoft"),
    ],
)
def test_another_company_that_stands_in_the_text_is_found(
    symbol: str, name: str, text: str, answer: tuple[str, ...], found: str
) -> None:
    assert read(symbol, name, text, *answer) == found


@pytest.mark.parametrize(
    "answer",
    [
        ("none named",),
        ("None",),
        ("N/A", "null"),
        ("",),
        ("Microsoft",),
        ("Zorvex Dynamics", "ZVX"),
        ("Federal Reserve",),
        ("S&P 500",),
        ("Apple Hospitality REIT",),
        ("\u82f9\u679c",),
        ("Fruit Maker", "AAPL"),
        ("Stars are everything", "Stars are everything"),
        ("Which company a text is about.",),
    ],
    ids=[
        *("none", "none as a word", "not given", "empty", "known, not in the text", "unknown, not in the text"),
        *("authority", "index", "may be the subject", "other letters", "unknown name with the subject's ticker"),
        *("a sentence of the text", "the question"),
    ],
)
def test_other_answers_decide_nothing(answer: tuple[str, ...]) -> None:
    text = (
        "Stars are everything. The Federal Reserve met; the S&P 500 rose. Apple Hospitality REIT, \u82f9\u679c and a "
        "Fruit Maker fell."
    )
    assert read("AAPL", "Apple Inc.", text, *answer) is None
