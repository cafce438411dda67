"""The assistant by fixed rules: what the sessions of a price add up to, and what is declined of it."""

from __future__ import annotations

from pathlib import Path

from tests.support.assistant_bench import AssistantBench

NOTHING = ("give no answer", "gebe deshalb keine Antwort", "没有看懂")
TOLD = (
    ("what was Railhaven's best week this year", "RAIQ, whole calendar weeks from 2025-01-06 to 2025-03-14: best "),
    ("which of the last three months was Veltrane's worst", "Not whole yet: 2025-03 "),
    ("In which month of 2024 did Ombrix fall the most?", "whole calendar months from 2024-01-02 to 2024-12-31"),
    ("how did Ombrix do each month in 2024", "Each of them: 2024-01 "),
    ("Was war der beste Monat des S&P 500 im Jahr 2024?", "ganze Monate des Kalenders vom 2024-01-02"),
    ("Ombrix 2024年表现最差的月份是哪个月?", "2024-01-02 至 2024-12-31 的完整日历月"),
    ("What was Ombrix's best month since 2015?", "over 3 years at most"),
    ("What was Ombrix's highest volume since 2015?", "over 3 years at most"),
    ("What was Ombrix's volume yesterday?", "shares were traded on 2025-03-13"),
    ("what was Ombrix's highest volume this year", "shares were traded in 49 sessions from 2025-01-02"),
    ("Wie hoch war das Handelsvolumen von Ombrix gestern?", "am 2025-03-13 wurden"),
    ("When was the VIX last above 25?", "VIX closed above 25 on 2025-03-14, the last session"),
    ("When did Ombrix first close above 600?", "Ombrix Software (OMBZ) first closed above 600 on "),
    ("why was Ombrix above 600 in 2024", "did not close above 600 in these days; the nearest close was 528.92"),
    ("was there anything unusual about Ombrix's volume yesterday?", "times the average of the 20 sessions before"),
    ("What was Taquill's P/E at the end of 2024?", "on 2024-12-31"),
    ("Wie hoch war die Dividendenrendite von Soapstone vor einem Jahr?", "am 2024-03-14"),
    ("What are the biggest tech stocks other than Cirquell and Ombrix?", "Left out, as asked: "),
    ("Welche Tech-Aktien liefen dieses Jahr am besten, außer Ombrix?", "Wie gewünscht ausgelassen: Ombrix"),
    ("除了Ombrix,今年哪些科技股涨得最多?", "按要求剔除"),
    ("How much free cash flow as a percentage of revenue did Ombrix have last year?", "cash flow to revenue: 24.79%"),
    ("Wann schloss Ombrix zuletzt unter 100?", "unter 100; frühere werden hier nicht nachgesehen"),
)
DECLINED = (
    "How did Veltrane do this year without Ombrix?",
    "What was Ombrix's revenue last quarter versus expectations?",
    "Wie lief der Markt ohne Ombrix?",
    "Which month had the highest inflation?",
    "best month for Ombrix by revenue",
    "was Ombrix's volume unusual last week?",
    "Ombrix lost nearly 4 percent today, has it made any of that back?",
)


async def test_months_volumes_and_levels_are_told_from_the_sessions_of_a_price(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, part in TOLD:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert part in reply, (question, reply)


async def test_what_the_sessions_of_a_price_do_not_tell_is_declined(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question in DECLINED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert any(said in reply for said in NOTHING), (question, reply)
