"""Positions that a question states in everyday words, and the sums that it asks for."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.retrieval.questions.holdings import without_holdings
from tradingagents.retrieval.questions.positions.position_names import with_names
from tradingagents.retrieval.questions.positions.position_tokens import NO_NUMBER, may_state_positions, plain_value
from tradingagents.retrieval.questions.positions.stated_positions import (
    CASH,
    MARKET,
    SPOKEN_OF,
    PositionsQuestion,
    read_positions,
)
from tradingagents.retrieval.questions.reading import QuestionReading

TODAY = date(2025, 3, 14)


def read(text: str) -> PositionsQuestion | None:
    return read_positions(QuestionReading(text, TODAY), TODAY)


def found(text: str) -> PositionsQuestion:
    question = read(text)
    assert question is not None, text
    assert not question.left, (text, question.left)
    return question


@pytest.mark.parametrize(
    ("text", "line", "asks"),
    [
        ("I've got 40 apple at 180 and 15 nvidia, how am I doing?", "40 AAPL at 180 and 15 NVDA", ("gain",)),
        ("bought 25 tesla at 380, where do i stand", "25 TSLA at 380", ("gain",)),
        ("I have 20 nvda @140 and 15 msft @ 400, total gain or loss?", "20 NVDA at 140 and 15 MSFT at 400", ("gain",)),
        ("I own 100 apple. what would a 20% drop do to me", "100 AAPL", ("move",)),
        ("Ich habe 50 Apple zu 125,50 gekauft. Wie stehe ich da?", "50 AAPL at 125.5", ("gain",)),
        ("hab 60 Coca-Cola und 15 Pepsi. wieviel dividende kommt da im jahr?", "60 KO and 15 PEP", ("dividends",)),
        ("我有100股英伟达,成本120,现在赚了多少?", "100 NVDA at 120", ("gain",)),
        ("我以120美元买了100股英伟达,现在怎么样?", "100 NVDA at 120 USD", ("value",)),
        ("I paid 185 each for my 40 apple shares. at what price do i break even", "40 AAPL at 185", ("even",)),
        ("I own 30 microsoft. at what price is that worth 15,000?", "30 MSFT", ("goal",)),
        ("half apple, half microsoft: how did that do this year?", "50% AAPL and 50% MSFT", ("change",)),
        ("zwei drittel in Apple, der rest in Microsoft. was wenn apple 10% fällt",
         "66.6666666667% AAPL and 33.3333333333% MSFT", ("move",)),
        ("half my money is in TSLA rest cash, what if it drops 20 %", "50% TSLA and 50% CASH", ("move",)),
        ("what's 15 nvda and 20 msft worth together", "15 NVDA and 20 MSFT", ("value",)),
    ],
)  # fmt: skip
def test_positions_and_what_is_asked(text: str, line: str, asks: tuple[str, ...]):
    question = found(text)
    assert (question.line, question.asks) == (line, asks)


@pytest.mark.parametrize(
    ("text", "money", "day"),
    [
        ("if i bought 10k of nvidia on 3 jan 2023 whats that worth", [10_000.0], date(2023, 1, 3)),
        ("Wie viel hätte ich heute wenn ich am 3.1.2023 10.000 Dollar in Microsoft gesteckt hätte?", [10_000.0],
         date(2023, 1, 3)),
        ("bought 1000 of apple and 1000 of tesla (in $) on 2024-03-14, where am i now", [1000.0, 1000.0],
         date(2024, 3, 14)),
        ("我2024年1月3日投了5000美元买苹果,现在值多少?", [5000.0], date(2024, 1, 3)),
    ],
)  # fmt: skip
def test_sums_of_money_with_the_day_of_their_buying(text: str, money: list[float], day: date):
    question = found(text)
    assert [position.money for position in question.positions] == money
    assert question.bought is not None
    assert question.bought.days == (day,)
    assert question.line == ""


def test_each_sum_has_the_day_that_stands_behind_it():
    question = found("I put $10,000 in nvidia on 2023-01-03 and $5,000 in microsoft on 2024-01-02, what do I have now?")
    assert [position.bought.days[0].year for position in question.positions if position.bought] == [2023, 2024]
    assert question.bought is None


def test_money_that_is_held_is_what_it_is_worth_now():
    assert found("i have 10k in apple, what if it drops 20%").positions[0].is_worth
    assert not found("I put 10k in apple in January, what is it worth").positions[0].is_worth


@pytest.mark.parametrize(
    ("text", "subject", "percent", "price"),
    [
        ("40 nvda, what if the market falls 10%?", MARKET, -10.0, None),
        ("40 nvda, what if the S&P 500 falls 10%?", MARKET, -10.0, None),
        ("I have 60% apple and 40% nvidia, what if nvidia halves?", "NVDA", -50.0, None),
        ("if apple goes to 250, what are my 40 shares worth", "AAPL", None, 250.0),
        ("I have 50 shares of apple, if it goes up 10% how much do i make", "", 10.0, None),
        ("what happens to my apple shares if they fall 30 percent", "AAPL", -30.0, None),
        ("如果英伟达跌20%,我持有的50股会亏多少?", "NVDA", -20.0, None),
    ],
)
def test_moves_that_are_supposed(text: str, subject: str, percent: float | None, price: float | None):
    (move,) = found(text).moves
    assert (move.subject, move.percent, move.price) == (subject, percent, price)


@pytest.mark.parametrize(
    "text",
    ["bought apple at 150, should I be happy?", "what if apple falls 20%?", "put 5k into MSFT, what is it worth"],
)
def test_positions_without_a_number_of_shares_are_no_line(text: str):
    assert found(text).line == ""


def test_cash_and_what_was_spoken_of():
    half = found("half my money is in TSLA rest cash, what if it drops 20 %")
    assert [position.symbol for position in half.positions] == ["TSLA", CASH]
    spoken = found("i got 15 of them at 142, am i underwater")
    assert spoken.positions[0].symbol == SPOKEN_OF
    filled = spoken.of_spoken(("NVDA",))
    assert filled is not None
    assert filled.line == "15 NVDA at 142"
    assert spoken.of_spoken(("NVDA", "AMD")) is None


@pytest.mark.parametrize(
    "text",
    [
        "I own about 100 apple, how am i doing",
        "I sold 10 apple at 200 that I bought at 150",
        "short 20 tesla at 300, how am i doing",
        "I own 40 apple, is it overbought?",
        "I own 40 apple and my wife has 20 more, what is it all worth?",
        "I own 40 apple, what if oil rises 10%?",
        "Ich habe 1,250 Apple, was ist das wert?",
    ],
)
def test_what_is_half_understood_is_not_added_up(text: str):
    question = read(text)
    assert question is not None
    assert question.left


@pytest.mark.parametrize(
    "text",
    [
        "got 5000 dollars to invest, what should i buy",
        "buy 10 shares of AMD for me at market",
        "sell all my tesla right now!!",
        "top 10 apple suppliers",
        "what is the 200 day average of apple",
        "compare apple and microsoft over the last 2 years",
        "did apple fall 5% today",
        "what does the 10k of apple say about risk",
        "why did nvidia fall 8% on monday",
        "Did Tim Cook sell 20 million of Apple?",
    ],
)
def test_other_questions(text: str):
    assert read(text) is None


@pytest.mark.parametrize(
    ("written", "language", "value"),
    [
        ("1,250", "en", 1250.0),
        ("1.250", "de", 1250.0),
        ("1,250", "de", NO_NUMBER),
        ("1.250", "en", NO_NUMBER),
        ("310,50", "de", 310.5),
        ("310.50", "de", 310.5),
        ("12.345,6", "de", 12345.6),
    ],
)
def test_numbers_that_may_mean_two_are_none(written: str, language: str, value: float):
    assert plain_value(written, language) == value


def test_names_written_in_haste():
    assert with_names("i own 10 aple at 180 and 50 ko", None) == (
        "i own 10 $AAPL at 180 and 50 $KO",
        ("aple is read as Apple (AAPL).",),
    )
    assert with_names("40 nvidia and 30 johnson and johnson", None)[0] == "40 nvidia and 30 johnson & johnson"
    assert with_names("how did it do over 10 days in 5 sectors", None) == (
        "how did it do over 10 days in 5 sectors",
        (),
    )


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("put 5k into MSFT in January, what's it worth now", "put … into MSFT in January, what's it worth now"),
        ("I have twenty nvda @140", "I have … nvda @…"),
        ("i got 15 of them at 142, am i underwater", "i got … of them at …, am i underwater"),
        ("half my money is in TSLA", "… my money is in TSLA"),
        ("我以120买了100股英伟达", "我以…买了…股英伟达"),
        ("How did AAPL do in 2024?", "How did AAPL do in 2024?"),
        ("Compare AAPL and MSFT over 5 years", "Compare AAPL and MSFT over 5 years"),
    ],
)
def test_amounts_reach_no_title_and_no_log(text: str, masked: str):
    assert without_holdings(text) == masked
    assert may_state_positions(text) == (masked != text)
