"""The assistant by fixed rules: questions read word by word, in whole, over the simulated market and its figures."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from string import Formatter

import pytest

from tests.support.assistant_bench import AssistantBench
from tests.support.warm import WarmProcess
from tradingagents.features.assistant.rules.texts import TEXT_LANGUAGES, text_table
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.aspects import read_aspects, spoken_language
from tradingagents.retrieval.questions.companies import Instruments, two_slips
from tradingagents.retrieval.questions.slips import in_full
from tradingagents.retrieval.questions.vocabulary import parts_of_word, right_word

DAY = date(2025, 3, 14)
KNOWN = Instruments(
    [("VELQ", ["Veltrane Systems", "Veltrane"]), ("OMBZ", ["Ombrix Software", "Ombrix"]), ("TGT", ["Target"])]
)
TOOLS = {
    name: OfferedTool(name=name, required=("ticker",)) for name in ("market_snapshot", "earnings", "get_ttm_analysis")
}
ASKED = (
    ("Vitalune: deepest slump from a peak in the past 12 months?", ("-45.46%, from 2024-04-10 to 2024-11-13",)),
    ("biggest fall of Vitalune from its high this year", ("-14.51%, from 2025-01-14 to 2025-03-07",)),
    ("vitalune worst slump past year", ("-45.46%",)),
    ("is pixelmoor still shrinking", ("revenue of 16.89B USD in Q4 of fiscal 2024", "-2.6%")),
    ("has Pixelmoor shrunk?", ("revenue of 16.89B USD",)),
    ("schrumpft Pixelmoor?", ("16.89B USD", "Q4")),
    ("5.000 in Paintmere Anfang des Jahres gesteckt, was ist daraus geworden?", ("3,982.50 USD",)),
    ("5000 into Railhaven, what is it worth one year back", ("7,127.74 USD", "close of 2024-03-14")),
    ("Top 5 in the first half of 2024", ("1. Electrane Controls (ELCQ): +37.98%",)),
    ("fear and greed index now?", ("not the index of that name that is published elsewhere",)),
    ("wie ist die stimmung am markt", ("nicht der anderswo veröffentlichte Index",)),
    ("what is the mood of the market", ("not the index of that name",)),
    ("what was the price of modista before the split", ("last split on 2024-06-10", "is not told here")),
    (
        "why is Covenhall up so much",
        ("+5.48% on the day", "4.95 USD a share, 4.46 USD expected (10.99%)", "to 2025-03-14 the S&P 500 moved"),
    ),
    ("how did Homestrand do since january", ("9.85%",)),
    ("wie lief Homestrand seit Januar?", ("+9.85%",)),
    (
        "Colavine or Soapstone for the dividend?",
        ("SOAZ is ahead (SOAZ 3.95%", "| payout of earnings | 34.12% | 38.36% |"),
    ),
    ("campare Ombrix, Cirquell and Taquill on groth and margins", ("| gross margin | 61.08% | 65.01% | 61.57% |",)),
    ("which sector won this week", ("- Communication services: +8.37%\n- Industrials: +5.95%",)),
    (
        "which had more annual revenue, VELQ or PIXZ?",
        ("VELQ is ahead (VELQ 88.40B USD in fiscal year 2024",),
    ),
    ("what was VELQ's quarterly revenue?", ("Q3 of fiscal 2025 (to 2024-10-31): revenue: 27.12B USD",)),
    ("VELQ's revenue last full fiscal year", ("fiscal year 2024 (to 2024-01-31): revenue: 88.40B USD",)),
    (
        "did VELQ or PIXZ have the higher gross margin in the last fiscal year?",
        ("fiscal year 2024 (to 2024-01-31): gross margin: 68.12%",),
    ),
    (
        "did VELQ or PIXZ have the higher gross margin in Q2 2024?",
        ("VELQ 68.09% in Q2 of fiscal 2024",),
    ),
    ("was VELQ's or PIXZ's debt higher in Q2 2024?", ("VELQ, Q2 of fiscal 2024 (to 2023-07-31): debt: 15.95B USD",)),
    ("which lost more this year, VELQ or PIXZ?", ("PIXZ is lower (PIXZ -19.03%, VELQ -8.25%)",)),
    ("Has an insider bought - not sold - at Pixelmoor this week?", ("1 purchases (678395.40 USD)",)),
    ("Seequest net margin last quarter?", ("net margin of 10.50% in Q4 of fiscal 2024 (to 2024-12-31)", "+0.6 points")),
    ("VELQ free cash flow last quarter", ("Q3 of fiscal 2025 (to 2024-10-31): free cash flow: 9.72B USD",)),
    ("was VELQ over 120 on monday?", ("92.53 USD at that of 2025-03-10",)),
    ("inflation?", ("2.30%", "published 2025-03-12", "on 2025-04-09")),
    (
        "Welche Versorger zahlen die höchste Dividende?",
        ("1. Nuclane Generation (NUQZ): 5.58%", "nach Dividendenrendite"),
    ),
    ("Was macht Drillmark Petroleum heute so?", ("auf 126.02 USD (Schluss am 2025-03-14): -4.44%",)),
    ("今天跌得最多的股票是哪些", ("2025-03-14 跌幅最大的股票", "STRQ): -7.49%")),
    (
        "covenhall missed estimates, how come the stock went up",
        ("did not miss the estimates: on 2025-03-13",),
    ),
    ("Digmoor has halved over the last year, is it a bargain now?", ("did not fall over the last year", "+97.26%")),
    ("helvane's rsi is at 85, time to sell?", ("RSI, is 45.84, not 85.",)),
    ("i bought 50 covenhall at 300, where do i stand", ("19,521.50 USD", "30.14%")),
    ("filngs brouqay capitl this yr", ("- 2025-03-13: 10-K, Annual report for Q4 2024",)),
    ("hows ombirx softwre doin", ("ombirx is read as Ombrix (OMBZ).", "594.11 USD")),
    ("are these real companies?", ("This market is simulated",)),
    ("sell all my veltrane right now!!", ("No order is sent from here",)),
    ("where will ombrix trade in 12 months", ("No rule says what lies ahead",)),
    ("Wo steht der DAX gerade?", ("ist nicht in diesen Daten",)),
    ("whats the devidend on tobermont and the yeild", ("yeild is read as yield.", "5.85% of the price")),
    (
        "show me stocks with a yield above 5%",
        ("dividend yield above 5%", "1. Tobermont Leaf (TOBQ): 5.85%", "2. NUQZ: 5.58%"),
    ),
    ("有没有市盈率低于12的股票", ("低于 12", "SOAZ", "SANQ")),
    ("is the s&p in a correction?", ("Usually a fall of 10% from a high is called a correction",)),
    ("is the yield curve inverted?", ("No, not inverted", "+0.71%")),
    ("Gridmarch beat estimates last quarter didnt it?", ("did not beat the estimates",)),
    ("Chatterbay reported this morning, by how much did they beat?", ("No results of CHAZ", "2024-10-31")),
    ("if I'd put 5000 in aerolith a year ago what would it be now", ("5,000.00 USD", "would be 6,8")),
    ("price of the AERQ june 300 call?", ("Options, futures and warrants are not in these data",)),
    ("was is eigentlich ne dividendenrendite", ("geteilt durch den Kurs",)),
    ("what are people saying online about veltrane", ("13 posts, of which 6 bullish",)),
    ("brindlewick foods share price pls", ("“brindlewick”", "a made-up market")),
    (
        "is inflation coming down?",
        ("Consumer prices against a year before: down to 2.30% from 2.50% the period before",),
    ),
    ("biggest winners in the s&p today", ("Covenhall Insurance (COVZ): +5.48%",)),
    (
        "Vitalune doubled in a year, time to take profits?",
        ("did not rise over twelve months", "Vitalune Health Plans (VITZ) is down"),
    ),
    ("When did the VIX last close above 30", ("last closed above 30 on 2025-03-04, at 30.14",)),
    ("Sanoquel doesnt pay a dividend does it", ("0.80", "2025-02-21")),
    ("utilities up more than 10% this year?", ("year-to-date return above 10%",)),
    ("give me everything on Ombrix", ("594.11 USD", "40.33 times", "balance sheet to")),
    ("Curazel is profitable now, right?", ("No, it makes a loss",)),
    ("which tech stock has the best free cash flow margin", ("give no answer",)),
    ("Which stocks hit a new low today?", ("give no answer",)),
    ("What was VELQ's close on the last trading day of 2024?", ("to 105.27 USD at that of 2024-12-31",)),
    ("how has the policy rate changed over the past two years", ("the policy rate went from 2.25% to 2.75%",)),
    ("what did the market do after the last Fed decision", ("give no answer",)),
    (
        "stocks down more than 20% from their high with P/E below 15",
        ("3 of 57 keep the bound (current drawdown below -20%, P/E ratio below 15)", "(P/E ratio 11.52x)"),
    ),
    ("Was GDP growth higher than inflation?", ("Real growth, annualised: down to 2.20%", "Consumer prices against")),
    ("Did VELQ beat revenue estimates?", ("Estimates of revenue are not in these data",)),
    ("How did VELQ do after its last three earnings reports?", ("give no answer",)),
    ("What percent of VELQ's revenue is R&D?", ("give no answer", "r&d")),
    ("average revenue growth of VELQ over 5 years", ("ask for its CAGR",)),
    ("What is the risk free rate?", ("Treasury yield, 10 years: 2.99%",)),
    ("largest utilities by revenue", ("by 12-month revenue", "1. Wattbourne Electric (WATZ): 76.85B USD")),
    ("Who has the highest gross margin in tech?", ("by gross margin", "1. Veltrane Systems (VELQ): 69.18%")),
    ("Which energy company has the lowest debt?", ("by total debt", "1. Pipewell Midstream (PIPQ): 7.72B USD")),
    ("most indebted energy stocks", ("by debt to equity", "1. Refinora Fuels (REFQ): 0.71x")),
    ("Which tech company has the most cash?", ("by cash and cash equivalents", "1. Cirquell Devices (CIRQZ): 273.50B")),
    ("Hat VELQ mehr Barmittel als TAQZ?", ("Barmittel: VELQ liegt vorn (VELQ 125.42B USD", "TAQZ 36.19B USD")),
    ("Hat VELQ mehr Schulden als TAQZ?", ("TAQZ liegt niedriger (TAQZ 11.27B USD, VELQ 20.69B USD)",)),
    (
        "fastest growing healthcare companies",
        ("by year-on-year revenue growth", "1. Genquist Biologics (GENQZ): +15.75%"),
    ),
    ("Did any sector finish the week higher?", ("over a week to 2025-03-14", "Communication services: +8.37%")),
    ("What share of days did VELQ rise this year?", ("rose on 21 of 49 sessions",)),
    ("best sector this week and its best stock", ("give no answer", "best stock")),
    ("Welche Dow-Aktie war diese Woche am schwächsten?", ("gebe deshalb keine Antwort",)),
    ("How did VELQ do on Monday and on Tuesday?", ("at the close of 2025-03-07 to", "at that of 2025-03-11")),
    ("companies with falling revenue", ("10 of 58 keep the bound (year-on-year revenue growth below 0%)", "1. NUQZ")),
    ("companies with falling profits", ("give no answer",)),
    ("stocks with rising prices and growing revenue", ("give no answer",)),
    (
        "revenue growth above 10% and falling price",
        (
            "11 of 58 keep the bound (year-on-year revenue growth above 10%, year-to-date return below 0%)",
            "1. Veltrane",
        ),
    ),
    ("stocks with a P/E below 15 that fell this year", ("(P/E ratio below 15, year-to-date return below 0%)",)),
    ("which companies are growing revenue but fell this year", ("(year-to-date return below 0%)", "+20.74%")),
    ("how did VELQ do the week before last", ("close of 2025-02-21 to 92.08 USD at that of 2025-02-28: -15.64%",)),
    ("wie lief VELQ im vorletzten Monat", ("(Schluss am 2024-12-31) auf 99.79 USD (Schluss am 2025-01-31): -5.21%",)),
    ("VELQ earnings in the year before last", ("give no answer",)),
    ("was the VIX above 30 at any time this month?", ("Yes: ", "closed above 30", "at 30.65 on 2025-03-03")),
    ("How have VELQ's margins developed?", ("gross margin rising, operating margin rising, net margin rising",)),
    ("VELQ all-time high", ("of twelve months (earlier closes are not looked up here)",)),
    (
        "who grew sales more over three years VELQ or CIRQZ",
        ("VELQ is ahead (VELQ +19.7%, CIRQZ +7.2%)", "VELQ: revenue from 51.60B USD (FY2021) to 88.40B USD (FY2024)"),
    ),
    (
        "Show me VELQ's income statement",
        ("VELQ, income statement of the quarter to", "- gross profit: ", "- net income: "),
    ),
    ("VELQ annual cash flow statement", ("cash-flow statement of the fiscal year to", "- free cash flow: ")),
    ("Gewinn- und Verlustrechnung von VELQ", ("Gewinn- und Verlustrechnung", "- Bruttogewinn: ")),
    ("VELQ的现金流量表", ("的现金流量表", "- 经营现金流: ")),
    ("ombrix revenue vs cirquell revenue last year", ("revenue: ", " is ahead", "in fiscal year 2024")),
    ("What is inflation running at in Norway, and is it falling?", ("give no answer",)),
    ("veltrane was flying yesterday, why is it down today", ("yesterday today", "not about")),
    ("how many shares of Ombrix could I buy for $5000", ("do not understand", "5000")),
    ("playquill ytd?", ("has no close on 2024-12-31", "2025-03-03")),
    ("Gewinner der Woche?", ("Änderung in einer Woche", "1. Seequest Media (SEEQZ): +13.22%")),
    ("Verlierer des Monats", ("(2025-02-28 / 2025-03-14)",)),
    ("Railhaven up 20%+ in a month, is growth behind it?", ("moved +15.98%", "+2.8% on the year before")),
    ("who reported this week and who beat?", ("(COVZ), 4.95 USD a share, 4.46 USD expected: beat", "STRQ), 8.28 USD")),
    ("cheapest bank by P/E?", ("Banks: 2 companies", "1. Truscombe Regional Bank (TRUZ): 17.43x")),
    ("最便宜的半导体股票是哪个", ("2 家公司", "1. Pixelmoor Semiconductor (PIXZ): 28.08x")),
    ("Does Voltamere have net cash or net debt?", ("more cash (30.00B USD)", "net cash of 13.57B USD")),
    ("Playquill - is this a new listing?", ("begin on 2025-03-03", "-5.45%")),
    ("Wie weit ist der breite Markt vom Hoch entfernt?", ("S&P 500 schloss 5.7% unter",)),
    ("10 year minus 2 year?", ("+0.71%",)),
    ("Ombrix vs Taquill: which did better over 6 months and this year", ("OMBZ +23.68%", "OMBZ +59.65%")),
    ("Kaufst du mir bitte 10 Aktien von Kilnbrook?", ("Aufträge nimmt ein Broker an",)),
    ("Why did the central bank hike rates in January?", ("2025-01-31 the policy rate did not change: 2.75%",)),
    ("jobs report - good or bad?", ("95.00 thousand, 128.00 thousand expected", "less than expected")),
    ("veltrane umsatzwachstum letztes quartal?", ("27.12B USD", "+20.7% gegenüber dem Vorjahr")),
    ("What should I know about Ombrix before buying?", ("594.11 USD", "balance sheet to", "40.33 times")),
    ("What does a reverse split do to my shares?", ("several become one",)),
    ("highest dividend yield in this market?", ("1. Tobermont Leaf (TOBQ): 5.85%",)),
    ("biggest company by revenue", ("by 12-month revenue", "1. Marketarch Online (MRKZ): 746.44B USD")),
    ("fastest growing companies", ("year-on-year revenue growth", "1. Veltrane Systems (VELQ): +20.74%")),
    ("which company has the most debt?", ("by total debt", "1. Seequest Media (SEEQZ): 357.11B USD")),
    ("which bank fell furthest from its peak?", ("Banks: 2 companies, by current drawdown",)),
    ("how was the market today and what's the VIX?", ("S&P 500: 7922.27 (-2.86%)", "27.38 (+20.04%)")),
    ("which stocks are near their lows?", ("near their lows",)),
    ("The market has been rising since Thursday, right?", ("did not rise on 2025-03-14",)),
    ("Sind die Banken dieses Jahr besser gelaufen als der Gesamtmarkt?", ("gebe deshalb keine Antwort",)),
    ("riskiest gold miners", ("Gold miners", "Auroque Gold (AURZ)")),
    ("how did the market do this week and which sector led?", ("S&P 500: 7922.27 (+2.50%", "services: +8.37%")),
    ("how did the market do and is veltrane up?", ("What I cannot say: “how did the market do”", "-2.96% on the day")),
    ("sector performance this week, best to worst", ("first:\n- Communication services: +8.37%",)),
)
FOLLOWED = (
    (("wattbourne or gridmarch?", "how much debt does the second one have"), ("GRIQ, balance sheet", "Debt is 2.19x")),
    (("how did playquill do today", "and since it went public?"), ("402.88", "2025-03-03", "-5.4")),
    (
        ("how is VELQ doing this year", "and compared to the s&p?"),
        ("S&P 500 is ahead", "-8.25%"),
    ),
    (("Wie hat sich Veltrane in den letzten 12 Monaten entwickelt?", "und der gesamtmarkt?"), ("S&P 500", "+23.9")),
    (("Which sectors did best today?", "why did the second one go up?"), ("No company of that place was named",)),
    (("Which stocks rose most today?", "why did the second one go up?"), ("Digmoor Machinery (DIGZ) went", "+3.72%")),
    (("if i bought 50 shares of digmoor a year ago, whats my profit", "and if i sell at 1000?"), ("50,000.00 USD",)),
    (("highest dividend yield in this market?", "is that dividend covered by earnings?"), ("Which company is meant?",)),
    (("lowest P/E?", "is it growing?"), ("Which company is meant?",)),
    (("streamorrow earnings - beat or miss?", "and how were the margins vs a year before"), ("56.77%", "-2.4 points")),
    (("Show me Paylark's key figures", "and its debt?", "what about Broquay's?"), ("BROQ", "debt")),
)
"""Questions that leave out what the ones before said, with what the last answer must say."""
"""Questions in investors' words, with what the answer must say."""


async def test_questions_in_investors_words_are_answered_with_the_figures_of_the_data(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, parts in ASKED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)


async def test_what_a_question_leaves_out_is_taken_from_the_one_before(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for questions, parts in FOLLOWED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            replies = [await bench.say(question) for question in questions]
            assert all(part in replies[-1] for part in parts), (questions, replies[-1])


async def test_what_a_company_says_is_quoted_from_its_documents_with_the_page(tmp_path: Path):
    command = ["-m", "tradingagents", "filings", "add", "WATZ", "--offline", "--quiet", "--home", str(tmp_path)]
    assert WarmProcess(command).wait(timeout=120) == 0
    async with AssistantBench(tmp_path) as bench:
        reply = await bench.say("What does Wattbourne say about competition?")
        assert "From the stored filings of WATZ" in reply
        assert re.search(r"^- WATZ 10-K 202\d, page \d+.*: “.*[Cc]ompet.*”$", reply, re.MULTILINE), reply
        reply = await bench.say("What did management of Wattbourne say about competition?")
        assert reply.startswith("No stored call of WATZ")


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("what does velq say about supply constraints?", "search_filings"),
        ("what did veltrane's 10-K say about export controls", "search_filings"),
        ("What does the CEO of Veltrane say about tariffs?", "search_transcripts"),
        ("What do analysts say about Veltrane?", ""),
        ("what does the press say about veltrane", ""),
        ("what does veltrane say", ""),
    ],
)
def test_what_a_company_says_of_anything_is_looked_up_in_its_own_documents(said: str, tool: str):
    request = _read(said)
    assert (request.lookup is not None and request.lookup.tool == tool) == bool(tool)


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("yeild", "yield"),
        ("devidend", "dividend"),
        ("bougth", "bought"),
        ("morning", ""),
        ("chips", ""),
        ("jbos", "jobs"),
    ],
)
def test_a_slip_is_mended_where_one_word_can_be_meant(written: str, right: str):
    assert right_word(written) == right


def test_what_german_joins_is_read_in_its_parts():
    assert parts_of_word("techsektor") == ("tech", "sektor")
    assert parts_of_word("bilanz") is None


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("why is it down so much", ()),
        ("was macht es heute so", ()),
        ("最近一个季度的营收是多少", ()),
        ("best pizza around here", ("pizza",)),
        ("how much rent do i pay on the dividend", ("rent",)),
    ],
)
def test_a_word_that_means_nothing_here_is_left_over(said: str, left: tuple[str, ...]):
    assert read_aspects(said).left == left


@pytest.mark.parametrize(
    "said",
    [
        "Which companies did not fall today?",
        "How did Veltrane not do this year?",
        "Veltrane margins in Q3 2019",
        "Veltrane dividend in the last two weeks",
        "which dow stocks are oversold",
    ],
)
def test_what_the_answer_would_leave_out_is_no_reading_by_words(said: str):
    assert _read(said).wish != "aspects"


@pytest.mark.parametrize("said", ["should I sell Veltrane at 250?", "Gewinner im Monat", "is Veltrane a buy at 40"])
def test_a_number_or_a_unit_of_time_that_is_not_read_is_never_passed_over(said: str):
    assert _read(said).wish == "unread"


def test_a_name_in_small_letters_slips_and_haste_are_read():
    assert _read("whats velq trading at rn").symbols == ("VELQ",)
    assert in_full("hows teh mkt") == "how is the market"
    assert in_full("AT&T and r&d") == "AT&T and r&d"
    assert two_slips("catapillar", "caterpillar")
    assert not two_slips("caterpillar", "catering")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Zahlt Exxon eigentlich ne gute Dividende?", "de"),
        ("微软贵不贵", "zh"),
        ("is it a die cast", ""),
        ("was VELQ profitable?", ""),
        ("was kostet VELQ", "de"),
        ("¿cuánto vale Apple?", ""),
    ],
)
def test_the_language_of_a_question_is_told_by_its_small_words(text: str, language: str):
    assert spoken_language(text) == language


@pytest.mark.parametrize("language", TEXT_LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_values(language: str):
    own, english = text_table(language), text_table("en")
    assert own.keys() == english.keys()
    for key, text in english.items():
        if isinstance(text, str):
            assert _values(str(own[key])) == _values(text), key
        elif isinstance(text, list):
            assert list(map(_values, own[key])) == list(map(_values, text)), key


def _values(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _read(said: str):
    brief = ConversationBrief(now=AskedQuestion(question=said), day=DAY, instruments=KNOWN, tools=TOOLS)
    return read_request(brief)
