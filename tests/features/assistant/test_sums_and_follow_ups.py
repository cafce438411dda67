"""The assistant by fixed rules: shares for an amount of dividends, days of buying, short follow-ups."""
# ruff: noqa: RUF001

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.positions.position_tokens import tokens_of

DAY = date(2025, 3, 14)
KNOWN = Instruments(
    [("LOW", ["Lowe's Companies", "Lowe's"]), ("L", ["Loews"]), ("AAPL", ["Apple"]), ("JPM", ["JPMorgan"])]
)
ASKED = (
    (("how many Tobermont shares do I need for 1000 a year in dividends",), ("would have paid 1,000.00 a year",)),
    (("Wie viele Tobermont Aktien brauche ich für 100 Dollar Dividende im Monat?",), ("hätten 1,200.00 im Jahr",)),
    (("bought 10 covenhall on 2024-03-14 at 200, how am I doing",), ("paid 10 × 200.00 = 2,000.00 USD",)),
    (("which did better this month, gold or the S&P?",), ("price change: ", "S&P 500")),
    (("Dividend of Tobermont?", "and the yield?"), ("5.85% of the price",)),
    (("Dividend of Tobermont?", "so what yield is that at the current price?"), ("5.85% of the price",)),
    (("RSI of Ombrix?", "is that a lot?"), ("neither overbought (70) nor oversold (30)",)),
    (("What does Ombrix do?", "is that a lot?"), ("no rule says",)),
    (("How did the S&P do this week?", "and tech?"), ("Technology as a whole: +1.23% over a week to 2025-03-14",)),
    (("How did Homestrand do in January?", "and the market?"), ("2025-01-31", "S&P 500")),
    (
        ("52-week range of Gridmarch?",),
        ("highest close of twelve months 146.40", "lowest close of twelve months 114.86"),
    ),
    (("how many stocks hit a new 52-week high?",), ("At a high of the past year: 1",)),
    (("rank the sectors year to date",), ("Industrials: +8.65%",)),
    (("how many ppl work at ombrix",), ("Employees, founders and headquarters are not in these data",)),
    (("is ombrix abv its 200 day avg or nah",), ("200-day average",)),
    (("three worst stocks of the month",), ("by price change", "(2025-02-28 / 2025-03-14)")),
    (("hat Tobermont dieses Jahr den Markt geschlagen?",), ("S&P 500",)),
    (("Ombrix this month", "and over one year?"), ("at the close of 2024-03-14",)),
    (("Wie lief Ombrix diese Woche?", "und über ein Jahr?"), ("Schluss am 2024-03-14",)),
    (("how did Ombrix do last week",), ("at the close of 2025-02-28", "at that of 2025-03-07")),
    (("vix now vs a week ago",), ("went from 25.88 at the close of 2025-03-07 to 27.38", "+5.80%")),
    (("which sector was worst in february",), ("their funds from 2025-01-31 to 2025-02-28, the weakest first",)),
    (
        ("$5,000 in Ombrix and Cirquell a year ago, what's it worth now",),
        ("into equal parts: 2,500.00 USD each", "Cirquell Devices (CIRQZ): 2,500.00 USD would be", "Together: "),
    ),
    (("how much would 1,000 in the S&P 500 a year ago be worth today?",), ("S&P 500: 1,000.00 USD would be",)),
    (("how did inflation come in versus expectations this month",), ("for 2025-02: 2.30%, 2.40% expected",)),
    (("which stock was the most jumpy over the last month?",), ("by 20-day volatility", "1. Voltamere Motors")),
    (("which stock had the deepest drawdown of the past year?",), ("by largest fall of the past year", "1. Vitalune")),
    (("since when is Playquill listed?",), ("begin on 2025-03-03", "-5.45%")),
    (("PCE inflation?",), ("PCE is not in these data",)),
    (("mortgage rates?",), ("That series is not in these data",)),
    (("when is the next market holiday?",), ("2025-04-18 (Friday, Good Friday)", "09:30 to 16:00")),
    (("Ist die Börse morgen geöffnet?",), ("2025-03-15 (Samstag): geschlossen",)),
    (("is Veltrane's volume unusual today?",), ("1.08 times the average of the last 20 sessions",)),
    (("how did Ombrix do in the first half of 2024",), ("2023-12-29", "2024-06-28")),
    (("how far did Ombrix get since the election?",), ("at the close of 2024-11-05",)),
    (("top movers today",), ("rose most on 2025-03-14", "fell most on 2025-03-14")),
    (("Ombrix -3.7%?? is that right",), ("-3.72% on the day",)),
    (("how do I start a full analysis of Ombrix?",), ("Nothing has been started now",)),
    (("Was kannst du?",), ("Ich antworte hier nach festen Regeln",)),
    (("welche Aktie schwankte seit Januar weniger, Ombrix oder Cirquell?",), ("49 Handelstage vom 2025-01-02",)),
    (("什么是股票回购？",), ("买回自己的股票",)),
    (("worst day for Ombrix this year",), ("worst day 2025-02-11 (",)),
    (("how often did Ombrix fall more than 3% in a day this year?",), (" of 49 sessions from 2025-01-02",)),
    (("do Veltrane and Pixelmoor move together",), ("correlation of daily changes of 0.42 over 250 sessions",)),
    (("how many days in a row has the S&P risen?",), ("S&P 500 fell on 1 sessions in a row",)),
    (("worst day for Ombrix ever?",), ("over 3 years at most",)),
    (("what was Ombrix's low in february",), ("563.25 USD on 2025-02-25", "554.94 on 2025-02-26")),
    (("Höchster Kurs von Ombrix dieses Jahr?",), ("höchster Schlusskurs vom 2025-01-01",)),
    (("how did the market open today",), ("give no answer",)),
)
"""Messages in turn, with what the last answer must say."""


async def test_sums_and_what_is_left_out_are_told_with_their_figures(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for messages, parts in ASKED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            replies = [await bench.say(message) for message in messages]
            assert all(part in replies[-1] for part in parts), (messages, replies[-1])


@pytest.mark.parametrize(
    ("said", "symbols"),
    [("how's lowes doing", ("LOW",)), ("Lowe's this year", ("LOW",)), ("Loews this year", ("L",))],
)
def test_a_name_is_known_without_its_apostrophe_and_is_no_other(said, symbols):
    assert read(said).symbols == symbols


def test_a_day_of_buying_is_read_before_the_price_too():
    written = tokens_of("bought 10 \ue000 on 2024-01-16 at 563", "en")
    assert [token.said for token in written][-1] == "on 2024-01-16"


@pytest.mark.parametrize("said", ["and the market?", "the market"])
def test_a_scan_is_started_by_no_question_on_the_market(said):
    tools = {"start_scan": OfferedTool(name="start_scan")}
    brief = ConversationBrief(
        now=AskedQuestion(question=said), day=DAY, instruments=KNOWN, tools=tools, kinds=("scan", "analyze")
    )
    assert read_request(brief).wish != "task"


def read(said: str):
    return read_request(ConversationBrief(now=AskedQuestion(question=said), day=DAY, instruments=KNOWN))
