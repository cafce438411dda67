"""Which company a text is about: rates over templates, and each way of naming one by hand.

Four sets of texts were written one after the other, with companies of their own, and measured once before anybody saw
what was missed. Of the texts about another company 84.3 %, 67.3 %, 85.0 % and 90.0 % were found, of the others 13.0 %,
0 %, 10.8 % and 1.5 % refused; before the last, the list of companies was made longer. After each the rule was changed
with that set in sight. The last one is `subject_texts/*_aside.md`, the others are `*_tuned.md`; the bounds hold what is
measured now. Whoever changes the rule writes other texts first.

`stranger.jsonl` are 240 texts of somebody else: first 108 of 120 were found and 7 of 120 others refused. The rule was
then changed with every second one (odd index) in sight; the rest was measured only.

Two more strangers wrote 440 harder texts, most of them short and many on companies that no list holds: before, 151 of
220 texts about another company were found and 2 of 220 others refused; with the rule on the opening of a text, changed
with 120 other texts in sight, 167 and 2. What is missed is mostly a company that no list holds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from tests.support.company_texts import Case, Half, about_another, about_its_own
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.provenance.company_mentions import company_book
from tradingagents.provenance.text_subject import is_named_most, is_subject_clear, other_subject

MADE_UP = tuple((company.symbol, company.name) for company in COMPANIES.values())
GERMAN = ("Umsatz", "Kurs", "Durchschnitt", "Dividende", "Gewinn")


book_of = lru_cache(maxsize=None)(company_book)
"""The texts go through two hundred subjects, several times: more than a process keeps the books of."""


@pytest.fixture(autouse=True, scope="module")
def _books_are_dropped() -> Iterator[None]:
    yield
    book_of.cache_clear()


def found(
    text: str, symbol: str = "AAPL", name: str = "Apple Inc.", given: str = "", *, english: bool = True
) -> str | None:
    return other_subject(text, book_of(symbol, name, MADE_UP), given, english=english)


def refused(cases: list[Case], given: str | None = None) -> int:
    """Return how many texts are said to be about another company."""
    count = 0
    for case in cases:
        english = not any(word in case.text for word in GERMAN)
        known = case.given if given is None else given.format(case.other.symbol, case.other.short)
        count += found(case.text, case.own.symbol, case.own.name, known, english=english) is not None
    return count


@pytest.mark.parametrize("half", ["tuned", "aside"])
def test_texts_about_another_company_are_found(half: Half) -> None:
    assert refused(about_another(half, 200)) >= 0.98 * 200


@pytest.mark.parametrize("half", ["tuned", "aside"])
def test_texts_that_name_peers_and_customers_are_not_refused(half: Half) -> None:
    assert refused(about_its_own(half, 200)) <= 0.01 * 200


@pytest.mark.parametrize(("half", "least"), [("tuned", 0.9), ("aside", 0.95)])
def test_where_the_other_one_is_a_peer_in_the_data_less_is_found(half: Half, least: float) -> None:
    """Texts without the subject's name that name the peer once: a sentence on a peer looks the same."""
    assert refused(about_another(half, 200), "| {} | 17.5x |\n{} in the news") >= least * 200


def outcome(file: str, half: int, *, about_another: bool) -> tuple[int, int]:
    """Return how many texts of a file are refused, of how many.

    Args:
        file: A file of `subject_texts`.
        half: 0 or 1 for every second line; -1 for all.
        about_another: Whether the texts counted are about another company.
    """
    lines = (Path(__file__).parent / "subject_texts" / file).read_text("utf-8").splitlines()
    rows = [json.loads(line) for at, line in enumerate(lines) if half in (-1, at % 2)]
    counted = [row for row in rows if row["about_another"] == about_another]
    said = [found(row["text"], row["symbol"], row["name"], row["given"]) for row in counted]
    return sum(one is not None for one in said), len(said)


@pytest.mark.parametrize(("half", "least", "most"), [(1, 60, 0), (0, 57, 0)])
def test_texts_of_a_stranger_are_told_apart(half: int, least: int, most: int) -> None:
    refused_rightly, others = outcome("stranger.jsonl", half, about_another=True)
    refused_wrongly, own = outcome("stranger.jsonl", half, about_another=False)
    assert (others, own) == (60, 60)
    assert refused_rightly >= least
    assert refused_wrongly <= most


def test_short_tickers_and_brands_are_told_apart() -> None:
    """Other companies by a short ticker, as a peer, below a title with the subject; own texts full of a peer."""
    assert outcome("short_tickers_and_brands.jsonl", -1, about_another=True) == (30, 30)
    assert outcome("short_tickers_and_brands.jsonl", -1, about_another=False) == (0, 38)


APPLE = "Apple closed at 210.20, above its 50-day average. "


@pytest.mark.parametrize(
    "text",
    [
        "Microsoft (MSFT) closed at 410.20. The RSI is 61.",
        "# Microsoft Corporation\n\nRevenue grew 12 %. The margin is 44 %.",
        "**Ticker:** MSFT\n\nThe trend is up.",
        "Ticker: XKCD\n\nThe trend is up.",
        "$MSFT broke out on volume of 31 million.",
        "NASDAQ: MSFT trades at 33 times earnings.",
        "Siemens' Umsatz stieg um 4 %.",
        "Microsoft's revenue rose, and Microsoft's margin is 44 %.",
        "microsoft's revenue rose 12 % and its margin is 44 %.",
        "american express's loan book grew 9 %. Write-offs are low.",
        f"{APPLE}Recommendation: Buy Microsoft.",
        f"{APPLE}FINAL TRANSACTION PROPOSAL: **SELL MSFT**",
        "Bitcoin closed at 84,000, and Bitcoin's volatility is 52 %.",
        "Quelltor Systems (QLTR) closed at 12.10. The RSI is 61.",
        "Hapfner Werke AG earned 2.14 a share.",
        "shares of Brindlewood fell 2 %. The stock is down 8 % this month.",
        "The S&P 500 rose 1.2 %. The S&P 500 trades at 22 times earnings. The S&P 500's trend is up.",
        "| Metric | MSFT | Comment |\n|---|---|---|\n| P/E | 33 | high |",
    ],
)
def test_a_text_about_another_company_is_found(text: str) -> None:
    assert found(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Revenue grows and the price stands above its averages.",
        f"{APPLE}Microsoft's margin is 44 %. Microsoft trades at 33 times earnings.",
        "The stock is cheap against Microsoft and Alphabet.",
        "AAPL trades at 28 times earnings, MSFT at 33 times.",
        "aapl is up 2 %. Apple's iPhone revenue grew, iPad sales fell, and Services revenue rose 14 %.",
        "The Relative Strength Index (RSI) is 61, the Average True Range (ATR) 3.2, the Moving Average (MA) 205.",
        "Bollinger Bands (BB) are tight. Price Target: 250. The Target is 250, the Gap was filled. Visa rules ease.",
        "IT spending rises, ALL segments grew, and NOW is the time. The CAT scan is a metaphor.",
        "The Fed held rates. Trump's tariffs weigh, and Powell's remarks were hawkish. China's exports fell.",
        "Goldman Sachs raised its target to 250. Morgan Stanley rates it overweight.",
        f"{APPLE}Hold Apple.\nShort Microsoft as a hedge.",
        "Among customers of the group, Microsoft is the largest.",
        "## Peers\nMicrosoft's margin is 44 %. Microsoft grew 12 %. Microsoft has cash.\n\n## View\nApple grew 4 %.",
        "",
        "   \n\n",
    ],
)
def test_a_text_that_is_not_is_let_pass(text: str) -> None:
    assert found(text, given="| MSFT | 33x |\nMicrosoft, Alphabet") is None


@pytest.mark.parametrize(
    ("symbol", "name", "text"),
    [
        ("GOOG", "Alphabet Inc.", "GOOGL closed at 170.20. Google's revenue rose 12 %. YouTube's revenue rose 14 %."),
        ("BRK-A", "Berkshire Hathaway Inc.", "BRK.B closed at 480. Berkshire's cash is 300 billion. BRK-B is dear."),
        ("META", "Meta Platforms, Inc.", "Facebook's revenue rose 22 %. Instagram sells more. Facebook is a buy."),
        ("F", "Ford Motor Company", "Ford closed at 9.80. Ford's margin fell to 4 %. F is a hold."),
        ("TGT", "Target Corporation", "Target closed at 104. Target's margin is 4.6 %. The price target is 120."),
        ("ALL", "The Allstate Corporation", "Allstate's combined ratio is 91. ALL closed at 207."),
        ("AAL", "American Airlines Group Inc.", "American Airlines burns cash. AAL is 8 % below its high."),
        ("BTC-USD", "Bitcoin USD", "Bitcoin closed at 84,000. BTC is 20 % below its high."),
        ("^GSPC", "S&P 500", "The S&P 500 closed at 5,600. The S&P 500's trend is down. SPY follows it."),
        ("SPY", "SPDR S&P 500 ETF Trust", "SPY closed at 560. The S&P 500 is down 3 %."),
        ("NESN.SW", "Nestlé S.A.", "Nestlé wächst um 2 %. Nestlés Marge ist 17 %."),
        ("VELQ", "Veltrane Systems", "Veltrane's margin is 52 %. VELQ closed at 96.58."),
        ("RHM.DE", "Rheinmetall AG", "$RHM broke out. Rheinmetall's order book is 60 billion."),
        (
            "QLTR",
            "QLTR",
            "Quelltor Systems (QLTR) closed at 12. Quelltor's margin is 14 %. Quelltor Systems Inc. grows.",
        ),
        ("XLK", "Technology Select Sector SPDR", "The largest holdings are Apple and Nvidia. XLK is up 4 %."),
        ("ZZZQ", "ZZZQ", "ZZZQ closed at 12. ZZZQ's trend is up."),
    ],
)
def test_the_subject_is_known_by_all_its_names(symbol: str, name: str, text: str) -> None:
    assert found(text, symbol, name) is None


@pytest.mark.parametrize(
    ("symbol", "name", "text"),
    [
        ("AAL", "American Airlines Group Inc.", "American Express earned 3.64 a share. American Express's loans grew."),
        ("AXP", "American Express Company", "American Airlines burns cash. American Airlines is 8 % below its high."),
        ("GM", "General Motors Company", "General Electric's backlog grew 12 %. General Electric trades at 38 times."),
        ("WMT", "Walmart Inc.", "Target closed at 104. Target's margin is 4.6 %."),
        ("MSFT", "Microsoft Corporation", "Google's revenue rose 12 %. GOOGL closed at 170."),
        ("AAPL", "Apple Inc.", "Facebook's revenue rose 22 %. Its margin is 41 %."),
    ],
)
def test_names_that_share_words_with_the_subject_are_told_from_it(symbol: str, name: str, text: str) -> None:
    assert found(text, symbol, name) is not None


def test_the_half_of_a_text_about_another_company_is_found() -> None:
    half = "Microsoft closed at 410. Microsoft's cloud grew 20 %. Microsoft raised its dividend by 10 %."
    assert found(f"{APPLE}Its RSI is 61.\n\n{half}") == "Microsoft"
    assert found(f"{APPLE}Its RSI is 61.\n\n## Competitors\n{half}") is None


def test_most_claims_on_another_company_are_found() -> None:
    book = company_book("AAPL", "Apple Inc.", MADE_UP)
    assert (
        is_named_most(["Microsoft closed at 410", "Microsoft's RSI is 61", "The margin is 44 %"], book) == "Microsoft"
    )
    assert is_named_most(["Microsoft closed at 410", "The RSI is 61", "The margin is 44 %"], book) is None
    assert is_named_most(["Microsoft closed at 410", "MSFT's RSI is 61", "Apple's margin is 44 %"], book) is None
    assert is_named_most([], book) is None


@pytest.mark.parametrize(
    "unit", ["Microsoft (MSFT) ", "A", "MSFT's ", "| MSFT |\n", "**", "(", "Buy ", "$", "\n", "X. ", "AG "]
)
def test_the_time_grows_with_the_length_of_a_text(unit: str) -> None:
    book = company_book("AAPL", "Apple Inc.", MADE_UP)
    began = time.process_time()
    other_subject(unit * (20_000 // len(unit)), book, unit * (20_000 // len(unit)))
    assert time.process_time() - began < 1.0


OPENINGS = (
    "Airbus handed over 71 jets in May and keeps its goal for the year. The backlog covers eleven years of output.",
    "Garmin sold 14 % more watches than a year ago. Inventory is lean, and the cash pile needs a use.",
    "Size matters here. Humana lost 300,000 members and still raised its forecast. The stock has halved in a year.",
    "Veldora Technologies reported $212 million of revenue, up 9 %. The company sells valves for chip plants.",
    "# Market report: AAPL\n\nHarbin Foods rose 6 % on the day. The 50-day average lies at 31.20, never in danger.",
)
"""Texts that name the subject in a heading at most and open with another company."""


@pytest.mark.parametrize("text", OPENINGS)
def test_a_text_without_the_subject_is_about_the_company_that_it_opens_with(text: str) -> None:
    assert found(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Revenue grew 9 %, and the backlog is full. The stock trades at 18 times earnings.",
        "The S&P 500 fell 3 % in the week. The stock held up, and its 50-day average rises.",
    ],
)
def test_a_text_without_any_name_of_its_own_may_open_with_its_market(text: str) -> None:
    assert found(text) is None


def test_a_subject_named_in_passing_does_not_carry_a_text_that_judges_another_company() -> None:
    text = "Garmin grew 14 % and has no debt. Apple sells watches, too. At 20 times earnings Garmin is inexpensive."
    assert found(text) == "Garmin"
    assert found(text.replace("Garmin is inexpensive", "Apple is inexpensive")) is None


@pytest.mark.parametrize(
    "text",
    [
        "Apple closed at 189. Apple's margin is 44 %. Samsung grew too.",
        "Apple closed at 189, and the trend is up.",
        "RSI(14) is 63 and MACD crossed above its signal line; the trend is up.",
        "The close of 189 is above the average of 200 days, and volume confirms the trend.",
    ],
    ids=["two sentences", "nobody else", "no name", "nobody"],
)
def test_what_a_text_is_about_is_clear(text: str) -> None:
    assert is_subject_clear(text, company_book("AAPL", "Apple Inc."))


@pytest.mark.parametrize(
    "text",
    [
        "Apple's strike helps little. Airbus delivered 62 aircraft in October.",
        "Dynatrace added $66 million of revenue, and its logs product has doubled.",
        "Apple grew. Apple has cash. Samsung grew. Samsung has debts. Samsung is cheap.",
        "# Apple (AAPL)\n\nThe group's Farmers Branch site will not contribute until 2026.",
        "booking holdings had room nights up 8 % and europe stayed firm.",
        "\u4efb\u5929\u5802\u306e\u4e0a\u671f\u58f2\u4e0a\u9ad8\u306f1\u514656\u5104\u5186\u3068\u306a\u3063\u305f\u3002",
    ],
    ids=["once", "a name on no list", "another more often", "in the title only", "small letters", "other letters"],
)
def test_what_a_text_is_about_is_unclear(text: str) -> None:
    assert not is_subject_clear(text, company_book("AAPL", "Apple Inc."))


def test_a_word_that_the_data_write_in_small_letters_is_no_name() -> None:
    text, book = "Elevated volume at 96.58 confirms the trend.", company_book("AAPL", "Apple Inc.")
    assert not is_subject_clear(text, book)
    assert is_subject_clear(text, book, "volume is elevated")
