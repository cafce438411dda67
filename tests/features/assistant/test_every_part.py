"""Every part of a question is answered, or named as not answered, or the question is declined."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.features.assistant.rules.company.report_dates import _next_end
from tradingagents.features.assistant.rules.requests.figures_told import figures_untold
from tradingagents.offline.questions import answered
from tradingagents.offline.questions.answered import GivenAnswer, unanswered
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.turns import demands
from tradingagents.retrieval.questions.turns.demands import demands_in
from tradingagents.retrieval.questions.turns.question_parts import question_parts

DAY = date(2025, 3, 14)
NOTHING = "The fixed rules give no answer to that question"


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("How often did they raise it, and who decided that?", ("how_often", "who")),
        ("Wie viele Aktien stiegen, und seit wann?", ("how_many", "how_long")),
        ("每股收益是多少,为什么?", ("per_share", "cause")),
        ("which is above its moving average and who is cheaper", ()),
        ("what does the inflation report mean for stocks", ("consequence",)),
        ("what does it mean", ("meaning",)),
        ("which quarter was the best, and the second largest one?", ("superlative", "rank")),
        ("what is the profit if revenue falls, and per day?", ("supposed", "per_unit")),
        ("tell me if it pays a dividend at least, most recent first", ()),
        ("Umsatz zusammen, doppelt so viel?", ("combined", "multiple")),
        ("最差的季度,如果下跌", ("superlative", "supposed")),
    ],
)
def test_what_a_question_demands_of_its_answer(said: str, kinds: tuple[str, ...]):
    assert tuple(demand.kind for demand in demands_in(said)) == kinds


def test_every_demand_is_held_by_some_answers_or_by_none():
    kinds = {kind for _, kind, _ in demands._phrases()}
    assert kinds - {demands._NOTHING} == set(answered._MET_BY)


def test_a_part_that_nothing_in_the_reply_holds_is_named_in_its_own_words():
    parts = question_parts("what is the dividend, and who owns most of it", DAY, None)
    given = GivenAnswer(frozenset({"dividend"}), frozenset({"dividend"}), frozenset({"AAPL"}))
    assert unanswered(parts, given, ()).parts == ("who owns most of it",)


def test_a_figure_that_a_reply_does_not_tell_is_seen():
    shown = {"net_margin": "31.79%", "ttm_net_income": "8.20B USD"}
    told = (ToolFact(tool="get_ttm_analysis", arguments={}, shown=shown),)
    assert figures_untold("gross margin", "net margin: 31.79%", told) == (("gross margin",), True)
    assert figures_untold("net income and revenue", "It earned 8.20B USD.", told) == (("revenue",), False)
    assert figures_untold("free cash flow yield", "the free cash flow yield is not known", ()) == ((), False)


def test_a_question_of_which_nothing_is_answered_is_declined_by_its_words():
    parts = question_parts("how many stocks rose today", DAY, None)
    found = unanswered(parts, GivenAnswer(frozenset({"recap"}), frozenset({"recap"}), frozenset()), ())
    assert (found.declined, found.parts) == ("how many", ())


def test_a_company_or_index_of_which_nothing_was_told_is_named():
    parts = question_parts("how much did Apple and the nasdaq lose this week", DAY, None)
    given = GivenAnswer(frozenset({"price"}), frozenset({"price"}), frozenset({"AAPL"}))
    assert unanswered(parts, given, (("AAPL", "AAPL"), ("^IXIC", "Nasdaq"))).parts == ("Nasdaq",)


DECLINED = (
    "how often has Soapstone raised its dividend?",
    "since when is Vitalune falling?",
    "what was Railhaven's best week by revenue this year",
    "how has Taquill done each year since 2021",
    "in which month does Veltrane report its best quarter",
    "Veltrane's weekly returns in February",
    "what was Veltrane's beta a year ago",
    "how is the S&P against the same time last year",
    "how much is Veltrane up since its low this year",
    "when did Ledgermont last raise its dividend?",
    "Which quarter was Veltrane's best by revenue?",
    "what was Veltrane's highest ever P/E",
    "What was Veltrane's biggest earnings surprise?",
    "Veltrane's profit if revenue falls 5%",
    "Veltrane and Ombrix combined revenue",
    "When did Soapstone start paying dividends?",
    "How did Veltrane react to its last four earnings reports?",
    "Who at Veltrane sold most shares?",
    "fastest growing company by profit",
    "Is Apple's share count falling?",
    "two cheapest and two most expensive tech stocks",
    "Is Soapstone's dividend twice that of Colavine?",
    "Is Veltrane's P/E above the market's?",
)


async def test_an_answer_of_another_kind_than_is_demanded_is_none(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question in DECLINED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert NOTHING in reply, (question, reply)


TOLD = (
    ("biggest loser in the nasdaq today", "Which companies belong to that index is not in these data"),
    ("when's railhaven next earnings and what's expected", "What I cannot say: “what is expected”."),
    (
        "since Soapstone's CFO sold, how far has the stock dropped?",
        "What I cannot say: “how far has the stock dropped”.",
    ),
    ("biggest gainer this week and why?", "Why is not in these data"),
    ("Playquill's one-year chart, how much is it up?", "The prices of PLYZ begin on 2025-03-03 in these data"),
    ("has broquay reported already or is that still to come", "Yes: Broquay Capital (BROQ) reported on 2025-03-13"),
    (
        "CHAZ numbers out yet?",
        "No: as of the close of 2025-03-14 the last results of Chatterbay Social (CHAZ) are those of Q3",
    ),
    (
        "When does Veltrane report?",
        "by that pattern it is expected to report on 2025-03-21, at the latest about 2025-04-10",
    ),
    ("Covenhall发财报了吗?", "Covenhall Insurance (COVZ) 已于 2025-03-13 公布"),
    (
        "Nodewright hat doch am Freitag wegen der Quartalszahlen verloren, oder?",
        "in diesen Tagen sind keine Zahlen bekannt, die letzten kamen am 2024-12-13",
    ),
    (
        "ist Chatterbay nach den Zahlen gefallen?",
        "504.69 USD (Schluss am 2024-10-30) auf 533.19 USD (Schluss am 2024-11-01)",
    ),
    ("Was bedeutet eine inverse Zinskurve, und haben wir gerade eine?", "Nein, nicht invers"),
    ("explain P/E to me like I'm twelve, use Covenhall", "trades at"),
    (
        "did veltrane close above 100 this week",
        "did not close above 100 in these days; the nearest close was 99.53 USD",
    ),
    ("Welche Aktie war am Freitag der größte Gewinner?", "Am stärksten gestiegen am 2025-03-14"),
    ("Which pays more per share, Soapstone or Colavine?", "dividend yield: SOAZ is ahead"),
    ("dividend stocks under $50", "2 of 58 keep the bound (price below 50)"),
    ("Die drei größten Unternehmen nach Umsatz", "3. Groverly Markets (GROQZ): 398.80B USD"),
    ("Add Veltrane to my watch list", "Nothing is put on a list"),
    ("Is Veltrane in the S&P 500?", "Which companies belong to which index is not in these data"),
    ("Which industry is Veltrane in?", "industry Semiconductors"),
    ("btw ty for yesterday!! did gld n tlt really go up while everything else tanked", "| 1-day change | +0.98% |"),
)


async def test_parts_premises_and_spans_are_answered_or_named(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, part in TOLD:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert part in reply, (question, reply)


@pytest.mark.parametrize(
    ("end", "following"),
    [
        (date(2024, 10, 31), date(2025, 1, 31)),
        (date(2024, 11, 30), date(2025, 2, 28)),
        (date(2024, 12, 28), date(2025, 3, 29)),
    ],
)
def test_the_quarter_after_another_ends_on_the_last_of_a_month_or_a_quarter_later(end: date, following: date):
    assert _next_end(end) == following


@pytest.mark.parametrize(
    ("before", "said", "held", "missing"),
    [
        ("", "what does the inflation report mean for stocks?", "mean for stocks", ""),
        ("", "why are treasury yields going up?",
         "Treasury yield, 10 years: down to 2.99% from 3.02% the period before", "unchanged"),
        ("", "is the 2 year yield up?", "Treasury yield, 2 years: down to 2.28%", "10 years: down"),
        ("", "is the 30 year yield up?", "How a yield of that term moved is not in these data", "down to"),
        ("", "did treasury yields fall this week?", "from 3.06% to 2.99% between 2025-03-07 and 2025-03-14", "down to"),
        ("", "how did 10-year yields move over the week?", "from 3.06% to 2.99% between", "Fed"),
        ("", "did Treasury yields rise over the past fortnight?", "between 2025-02-28 and 2025-03-14", "before"),
        ("", "does Railhaven report before Homestrand?", "(HOMQ) 2025-03-26, Railhaven Lines (RAIQ) 2025-05-13", "P/E"),
        ("When does Railhaven report?", "is that before Homestrand?", "(HOMQ) 2025-03-26, Railhaven", "P/E"),
        ("", "Wer berichtet zuerst, Railhaven oder Homestrand?", "(HOMQ) 2025-03-26, Railhaven", "Englisch"),
        ("", "Railhaven和Homestrand谁先发财报", "(HOMQ) 2025-03-26, Railhaven", "没有看懂"),
        ("", "did Soapstone pay its dividend before Colavine did?", "give no answer", "payout"),
        ("", "why did Homestrand and Drillmark rise today?", "It did not rise today: Drillmark", "no such"),
        ("", "why did Soapstone cut its dividend?", "has not cut its dividend", "closed at"),
        ("", "why did insiders of Homestrand buy?", "Purchases on the open market by insiders of H", "give no"),
        ("", "how did Homestrand do in euros this year?", "none is converted", "9.85"),
        ("", "Wie steht Homestrand zur 100-Tage-Linie?", "keine anderen", "RSI"),
        ("", "what is Homestrand's preferred dividend?", "Preferred shares are not told apart", "4.61"),
        ("", "what does Homestrand say about risks in its filing?", "No stored filing of HOMQ", "beta"),
        ("", "sectors since Monday", "their funds from 2025-03-10 to 2025-03-14, the strongest", "not told"),
        ("", "did insiders of Homestrand sell this week?", "From 2025-03-10 to 2025-03-14 no sale or purchase", "- 20"),
        ("", "what is a recession and are we in one?", "Whether it is a recession is not in these data", "Next: FOMC"),
        ("", "have treasury yields fallen over the last year?", "down to 2.99% from 3.49% a year before", ""),
        ("", "what does OAS mean", "option-adjusted spread", "High-yield spread:"),
        ("", "I own 20 VELQ bought at 80. how am I doing, and how was the week for the market?",
         "What I cannot say: “how was the week for the market”", ""),
        ("", "I own 20 VELQ bought at 80, how am I doing today?", "paid 20", "What I cannot say"),
        ("how did VELQ do in february?", "what about the month before that", "2025-01-31", "2025-02"),
        ("how did VELQ do on 3 february?", "and the month before?", NOTHING, ""),
        ("Why is Veltrane's P/E so high?", "and Ombrix's?", "The question before got no answer", "594"),
        ("", "three most profitable companies by net margin", "1. Veltrane Systems (VELQ): 40.60%", "4. "),
        ("", "stocks with a dividend yield between 2 and 3 percent", "yield between 2% and 3%", "5.85%"),
        ("", "companies with a market cap above 1.8 trillion", "3 of 58 keep the bound (market cap above 1.8T)", "4. "),
        ("", "most expensive stock under $40", "price below 40", "ratio below"),
        ("", "Which company has the second largest market cap?", "Number 2 in that order: Cirquell", "3. "),
        ("", "Welche Aktie hat die zweithöchste Dividendenrendite?", "Auf Platz 2 steht: NUQZ", "3. "),
        ("", "any bad news about Veltrane?", "no rule judges", ""),
        ("", "Umsatz von Veltrane und Ombrix zusammen", "gebe deshalb keine Antwort", "liegt vorn"),
    ],
)  # fmt: skip
async def test_kinds_that_strangers_found(tmp_path: Path, before: str, said: str, held: str, missing: str):
    async with AssistantBench(tmp_path, as_of=DAY) as bench:
        if before:
            await bench.say(before)
        reply = await bench.say(said)
    assert held in reply
    assert not missing or missing not in reply


CLOSED = {
    "2025-03-15": (
        ("how did Homestrand do today?", "New York did not trade on 2025-03-15, a Saturday", "+0.00%"),
        ("how did Homestrand do yesterday?", "at that of 2025-03-14: -2.14%", "did not trade"),
    ),
    "2025-03-16": (
        ("how did Homestrand do yesterday?", "New York did not trade on 2025-03-15", " 0.00%"),
        ("Welche Aktien sind heute am meisten gefallen?", "Am 2025-03-16 (Sonntag) wird in New York", "Große"),
        ("how did the market do on Friday?", "at the close of 2025-03-14", "2025-03-16"),
        ("今天哪些板块表现最好", "纽约在 2025-03-16", "截至 2025-03-16"),
    ),
    "2025-03-10": (("sectors today", "Sectors over the day to 2025-03-10", "not told"),),
    "2025-01-01": (
        ("how did Homestrand do this year?", "No session has been held since 2025-01-01", "0.00%"),
        ("how did the market do today?", "New York did not trade on 2025-01-01, a Wednesday", "close of 2025-01-01"),
    ),
}


@pytest.mark.parametrize("day", CLOSED)
async def test_a_day_without_trading_is_said_to_be_one(tmp_path: Path, day: str):
    async with AssistantBench(tmp_path, as_of=date.fromisoformat(day)) as bench:
        for question, said, wrong in CLOSED[day]:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert said in reply, (question, reply)
            assert wrong not in reply, (question, reply)
