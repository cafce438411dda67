"""The assistant by fixed rules: questions as strangers write them, with side remarks, days in words, funds, people."""
# ruff: noqa: RUF001

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.features.assistant.rules.insiders import is_named
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.funds import with_funds
from tradingagents.retrieval.questions.names import in_english
from tradingagents.retrieval.questions.spans import completed

DAY = date(2025, 3, 14)
KNOWN = Instruments(
    [("AAPL", ["Apple"]), ("AURZ", ["Auroque Gold"]), ("GLD", []), ("TLT", []), ("^DJI", []), ("V", ["Visa"])]
)
ASKED = (
    ("my wife says i am nuts, how did Homestrand do since january?", ("9.85%", "Left aside", "“i am nuts”")),
    ("my uncle swears that covenhall crashed today, why?", ("did not fall today", "+5.48%")),
    ("is Curazel losing money?", ("Yes, it makes a loss",)),
    ("macht Curazel noch Verlust?", ("Ja, es macht Verlust",)),
    ("why is Curazel so profitable?", ("No, it makes a loss",)),
    ("welche Dow-Aktien sind heute am meisten gefallen?", ("Welche Firmen zu diesem Index gehören",)),
    (
        "I had 12 modista shares before the split, how many do I have now?",
        ("12 shares before the split of 2024-06-10",),
    ),
    ("vergleiche mit Covenhall", ("to be compared?",)),
    ("which stock rose most this month?", ("others may have moved further",)),
    ("are the sales of pixelmoor shrinking?", ("Yes, it is shrinking.",)),
    ("Homestrand margin over the last 12 months", ("is not about",)),
    ("how did Homestrand do the day after the crash", ("cannot be told",)),
    ("when did the S&P last fall this much?", ("-2.86%", "2025-01-24 (-4.24%)")),
    ("how's gold doing this year?", ("gold is read as GLD", "2024-12-31", "2025-03-14")),
    ("黄金最近怎么样？", ("GLD", "69.62 USD")),
    ("Haben Insider in letzter Zeit irgendwo gekauft?", ("Käufe am offenen Markt", "2025-03-11: Leon Kestreldale")),
    ("did klara ivorsen sell veltrane?", ("No purchase or sale by klara ivorsen",)),
    ("did leon kestreldale buy anything", ("2025-03-11: Leon Kestreldale (Chief Financial Officer), bought, PIXZ",)),
    ("Has Chatterbay filed its 2024 annual report?", ("No such report of CHAZ for a period that ended in 2024",)),
    ("did Homestrand file a 10-K this year?", ("No filing of that kind by HOMQ is known from 2024-12-31",)),
    ("Should I sell my Homestrand shares?", ("No book of yours is stored", "What is known of Homestrand Depot")),
    ("who had the better twelve months, homestrand or covenhall?", ("2024-03-14",)),
    ("how far is homestrand off its high this year?", ("from 2025-01-01 to 2025-03-14",)),
    ("how many days did Veltrane rise in march", ("VELQ rose on 5 of 10 sessions",)),
    ("did the S&P fall more than 2% on any day this month", ("fell by 2% or more on 1 of 10 sessions",)),
    ("was Veltrane down every day this week", ("VELQ fell on", "of 5 sessions")),
    ("what was veltrane's highest intraday price this year", ("from 2025-01-01", "Highest price within a session")),
    ("Which sector is doing best this year?", ("- Industrials: +8.65%",)),
    ("Which sector is up the most YTD?", ("- Industrials: +8.65%",)),
    ("Welche Branche lief im letzten Jahr am besten?", ("2023-12-29", "2024-12-31", "- Technologie: +52.14%")),
    ("今年哪个行业涨得最多", ("+8.65%",)),
    ("which industry is strongest today", ("- Industrials: -0.23%",)),
    ("Which sector is Veltrane in?", ("sector Technology",)),
    ("Gridmarch beat estimates last quarter didnt it?", ("did not beat the estimates: on 2025-02-27",)),
    (
        "Voltamere's been falling all week, is this a dip to buy?",
        ("did not fall this week", "+9.95%", "whether to buy"),
    ),
    ("anything bad out on Soapstone this week?", ("News on SOAZ", "2025-03-13", "probe")),
    ("How do you work out a P/E ratio?", ("price of a share divided by",)),
    ("how is free cash flow calculated?", ("what a business earns in cash",)),
    ("What will Pixelmoor be worth at the end of 2026?", ("No rule says what lies ahead",)),
    ("Ist Covenhall nach dem Sprung heute teuer?", ("22.95",)),
    ("did Seequest do better then last year in q2?", ("give no answer", "the year or the quarter")),
    ("how far is it?", ("has started no task",)),
    ("Veltrane in q2 last year", ("give no answer", "write it like Q2 2024")),
    ("How much does Marketarch need to rise to get back to its high?", ("670.90 USD on 2024-09-18", "rise by 48.8%")),
    ("How much would Marketarch have to climb to get back to its best close of the past year?", ("rise by 48.8%",)),
    ("how much does Marketarch need to rise to get back to 500?", ("do not understand", "500")),
    ("how far is veltrane off its high over the last twelve months", ("twelve months",)),
    ("where will the s&p be on monday", ("No rule says what lies ahead", "What happened in the market today?")),
    ("did veltrane do better in 2024 or 2023", ("2022-12-30", "2023-12-29", "2024-12-31")),
    ("veltrane in q4 2024", ("close of 2024-09-30", "that of 2024-12-31")),
    ("Wie hat sich Veltrane seit dem 3.1.2025 entwickelt?", ("(Schluss am 2025-01-03)", "(Schluss am 2025-03-14)")),
    ("An welchem Tag fiel Veltrane dieses Jahr am stärksten?", ("schlechtester Tag",)),
    ("Veltrane今年下跌了几天?", ("2025-01-02 至 2025-03-14", "天下跌")),
    ("Veltrane上个月涨了多少?", ("2025-01-31", "2025-02-28")),
    ("what were Veltrane's three worst days this year?", ("the 3 worst sessions", "close against close")),
    ("Veltrane's longest losing streak in 2024", ("longest run of sessions in which it fell is",)),
    ("most volatile dow stock this year", ("Which companies belong to that index is not in these data",)),
    ("did veltrane close at a record today", ("highest close of twelve months",)),
    ("how did veltrane do before the election", ("From which day on",)),
    ("how many points did the nasdaq lose yesterday", ("That is", "points.")),
    ("500 dollars a month into veltrane since january 2023, worth now?", ("not", "You can ask")),
    ("5000 dollars in veltrane from 2023-01-03 to 2024-01-03", ("nothing is added up",)),
    ("Veltrane at the end of 2024 and now", ("close of 2024-12-31", "that of 2025-03-14")),
    ("top 3 stocks of 2024", ("3. ",)),
    ("where did homestrand close today, how far is that from its 52-week high?", ("highest close of twelve months",)),
    ("Hätte ich Ende letzten Jahres 100 Genquist gekauft, wie viel hätte ich verloren?", ("-7,510.00 USD",)),
    ("Steigt der S&P am Montag?", ("Diese Frage lese ich nicht",)),
    ("which stock has the highest free cash flow yield?", ("by free cash flow yield", "1. Nuclane Generation (NUQZ)")),
    ("cheapest banks by price to book", ("by P/B ratio", "1. Truscombe Regional Bank (TRUZ): 1.57x")),
    ("EV/EBITDA of VELQ vs PIXZ", ("Pixelmoor Semiconductor (PIXZ) is lower", "8.42x", "28.96x")),
    ("P/E of VELQ against its peers", ("41.99x on 2025-03-14", "is 34.21x: it stands above that", "TAQZ 48.88")),
    ("is VELQ expensive against its own history", ("2024-03-14 44.77x", "below their median")),
    ("when does TOBQ go ex-dividend next", ("No ex-date of TOBQ after", "the next one is due about 2025-05-19")),
    ("did the boss of Voltamere sell stock lately", ("Sales by the chief executive officer", "none is reported")),
    ("has VELQ been buying back shares?", ("FY2024: 9.29B USD", "17.95B shares in FY2024, -6.2%")),
    ("is Wattbourne a defensive stock? show me why", ("beta 0.19",)),
    ("Wie hoch ist der Streubesitz von Pixelmoor?", ("Streubesitz stehen nicht in diesen Daten",)),
    ("how much did voltamere make last quarter", ("net income of",)),
    ("when was modista's last split", ("was last split on 2024-06-10, 1 for 10",)),
    ("what happened to modista around june 10 last year, did it collapse 90%?", ("did not move by 90%", "1 for 10")),
    ("哪家公司市值最大？", ("按市值排序", "1. Ombrix Software (OMBZ)")),
    ("which stock has the highest p/e?", ("by P/E ratio", "1. Genquist Biologics (GENQZ): 134.75x")),
    ("biggest insider sale this month?", ("the largest first.\n- 2025-03-06", "PETQZ: 39,820 shares, 5,527,016 USD")),
    ("which insiders bought on 2025-03-11?", ("2025-03-11 to 2025-03-11: 1", "bought, PIXZ")),
    ("which insiders bought in february", ("2025-02-01 to 2025-02-28: 8",)),
    ("Haben Insider von Petrazone im März verkauft?", ("2025-03-01 bis 2025-03-14, wie gemeldet: 1 Verkäufe",)),
    ("how much did insiders of petrazone sell in february", ("From 2025-02-01 to 2025-02-28 no sale or purchase",)),
    ("Any important economic numbers due next week?", ("2025-03-19: Interest rate decision",)),
    ("what will the fed do next week", ("No rule says what lies ahead", "2.75% (2025-01-15)")),
    ("how did Homestrand do this year and over the past year", ("2024-12-31", "2024-03-14")),
    ("what did the dow and the nasdaq do this week", ("Dow Jones", "Nasdaq Composite", "is ahead")),
    ("if id put 1000 bucks in voltamere at new year what would i have now", ("close of 2024-12-31", "1,072.87 USD")),
    ("i heard gridmarch has no debt, true?", ("GRIQ is not free of debt: it owes 73.67B USD",)),
)
"""Questions with what the answer must say."""


async def test_questions_in_strangers_words_are_answered_with_the_figures_of_the_data(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, parts in ASKED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)
        bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
        await bench.say("How has Railhaven done lately?")
        assert "reported on 2025-02-21" in await bench.say("why?")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("since christmas", "since 2024-12-25"),
        ("at new year", "on 2025-01-01"),
        ("since thanksgiving", "since 2024-11-28"),
        ("last friday", "on 2025-03-07"),
        ("on friday", "on 2025-03-14"),
        ("since monday", "since 2025-03-10"),
        ("what happens next monday", "what happens next monday"),
        ("over the past couple of weeks", "over past two weeks"),
        ("a fortnight ago", "over the last two weeks"),
        ("seit Weihnachten", "since 2024-12-25"),
        ("letzten Freitag", "on 2025-03-07"),
        ("seit Freitag letzter Woche", "since 2025-03-07"),
        ("上周五", "on 2025-03-07"),
        ("从周一", "since 2025-03-10"),
        ("happy new year", "happy new year"),
        ("the day after the election", "on 2024-11-06"),
        ("am Tag nach der US-Wahl", "on 2024-11-06"),
        ("大选后第二天", "on 2024-11-06"),
        ("the day before the election", "on 2024-11-04"),
        ("in the week after the election", "from 2024-11-05 to 2024-11-12"),
        ("the day before yesterday", "on 2025-03-12"),
        ("vorgestern", "on 2025-03-12"),
        ("前天", "on 2025-03-12"),
        ("vs end of january", "since 2025-01-31"),
        ("seit Ende Januar", "since 2025-01-31"),
        ("自1月底以来", "since 2025-01-31"),
        ("at the end of june", "on 2024-06-30"),
        ("over the last 5 sessions", "from 2025-03-07 to 2025-03-14"),
        ("in the fourth quarter of 2024", "in Q4 2024"),
        ("compare the first and second quarter of 2024", "compare Q1 2024 and Q2 2024"),
    ],
)
def test_days_in_words_are_dates(said: str, written: str):
    assert completed(in_english(said), DAY).strip() == written


@pytest.mark.parametrize(
    ("said", "fund"),
    [
        ("gold price now", "$GLD now"),
        ("wie steht der Goldpreis?", "wie steht der $GLD ?"),
        ("how did bonds do", "how did $TLT do"),
        ("which gold miners rose", ""),
        ("how is Auroque Gold doing", ""),
        ("hows auroqe gold", ""),
        ("price of silver", ""),
        ("are bond yields up", ""),
    ],
)
def test_what_a_fund_follows_is_read_as_the_fund_where_the_data_have_it(said: str, fund: str):
    assert with_funds(said, KNOWN)[0] == (fund or said)


@pytest.mark.parametrize(
    ("person", "name", "same"),
    [
        ("tim cook", "COOK TIMOTHY D", True),
        ("cook", "COOK TIMOTHY D", True),
        ("tim cook", "COOK SUSAN", False),
        ("tim cook", "TIMOTHY BAKER", False),
    ],
)
def test_a_person_is_told_by_surname_and_first_letters(person: str, name: str, same: bool):
    assert is_named(person, name) == same


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("did tim cook sell any shares", ("insiders_across",)),
        ("which insiders are buying", ("insiders_across",)),
        ("any recent filings by apple?", ("filings",)),
        ("when did apple file its last 10-Q?", ("filings",)),
        ("has tim cook been selling apple stock", ("insiders",)),
        ("who sold apple stock recently, levinson or others?", ("insiders",)),
        ("did apple sell its yachts", ()),
        ("sell my apple", ()),
        ("did oil fall this week", ("oil",)),
        ("how is oil against a year ago", ("oil",)),
    ],
)
def test_what_is_asked_of_insiders_and_oil(said: str, parts: tuple[str, ...]):
    tools = {name: OfferedTool(name=name, required=("ticker",)) for name in ("market_snapshot", "earnings")}
    brief = ConversationBrief(now=AskedQuestion(question=said), day=DAY, instruments=KNOWN, tools=tools)
    assert read_request(brief).parts == parts
