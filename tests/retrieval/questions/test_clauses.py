"""Clauses of a question that ask nothing are left out whole; every other clause stays."""
# ruff: noqa: RUF001

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.turns.clauses import without_asides

DAY = date(2025, 3, 14)
KNOWN = Instruments([("AAPL", ["Apple"]), ("TSLA", ["Tesla"]), ("INTC", ["Intel", "英特尔"]), ("KO", ["Coca-Cola"])])
CORES = {
    "en": ("how did apple do this year?", "which sectors did best this month?", "what is the unemployment rate?"),
    "de": ("wie lief Apple dieses Jahr?", "welche Branchen liefen diesen Monat am besten?"),
    "zh": ("苹果今年表现怎么样？", "今天哪些股票跌得最多？"),
}
BEFORE = {
    "en": (
        "my wife says i am nuts, ",
        "not gonna lie, i am losing sleep here. ",
        "I'm writing an essay for school - ",
        "sorry to bother you, i am totally new to this: ",
        "everyone at the gym keeps asking me, ",
        "since my grandma cannot use a computer, ",
    ),
    "de": ("Ich verstehe nichts davon. ", "Weil mein Chef ständig fragt: ", "Ganz ehrlich, mir raucht der Kopf, "),
    "zh": ("我老婆说我疯了，", "不好意思打扰了，", "我同事一直在念叨。"),
}
BEHIND = {
    "en": (" No rush, whenever you have a minute.", " it's for a bet with my neighbor", " asking for a friend"),
    "de": (" Danke im Voraus, mein Opa wartet schon.", " Ich frage für einen Kumpel."),
    "zh": ("我只是好奇。", "谢谢你！"),
}


@pytest.mark.parametrize("language", CORES)
def test_what_its_writer_says_of_himself_and_others_is_left_out(language: str):
    for core in CORES[language]:
        for side in BEFORE[language]:
            assert without_asides(f"{side}{core}", DAY, KNOWN).text == core, side
        for side in BEHIND[language]:
            assert without_asides(f"{core}{side}", DAY, KNOWN).text.rstrip("?？") == core.rstrip("?？"), side


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("my uncle swears that apple fell 20% this year, is that right?", "apple fell 20% this year, is that right?"),
        ("i read somewhere that intel cut its dividend. true?", "intel cut its dividend. true?"),
        ("my boss keeps asking me what tesla closed at", "what tesla closed at"),
        ("before i buy apple, what is its P/E?", "apple, what is its P/E?"),
        ("my dad used to work at apple, how is the stock doing", "apple, how is the stock doing"),
        ("my brother owns tesla, how did apple do?", "how did apple do?"),
        ("Mein Nachbar behauptet, dass Intel gefallen ist.", "dass Intel gefallen ist."),
        ("朋友说特斯拉今年涨了50%，对吗？", "特斯拉今年涨了50%，对吗？"),
    ],
)
def test_of_what_people_say_the_claim_stays(said: str, left: str):
    assert without_asides(said, DAY, KNOWN).text == left


@pytest.mark.parametrize(
    "said",
    [
        "I only want green companies. which sectors did best this month?",
        "my country is Norway, what is inflation?",
        "if my bank fails, what happens to apple?",
        "in norway, what is inflation?",
        "how did apple do, and my brother wants to know about tesla too",
        "tell me a joke. how did apple do?",
        "my company got bought by a rival. how much did it cost?",
        "i do not think that apple pays a dividend, does it?",
        "Taquill signed that huge contract. how big is it?",
        "i bought apple in january, what has it done?",
        "my portfolio is a mess, how risky is it?",
        "I cannot own tobacco. which companies pay the best dividend?",
        "without my favourite sector, which did best?",
        "Ich suche nur nachhaltige Firmen. Welche zahlen Dividende?",
        "如果我不卖，苹果会怎样？",
        "my wife says i am nuts",
    ],
)
def test_what_changes_the_answer_stays(said: str):
    kept = without_asides(said, DAY, KNOWN).text
    assert kept.replace(",", "").split() == said.replace(",", "").split() or "tesla" in kept, kept


def test_what_no_table_knows_is_told_to_be_left_aside():
    assert without_asides("my wife says i am nuts, how is apple?", DAY, KNOWN).asides == ("i am nuts",)
    assert without_asides("thanks in advance! how is apple?", DAY, KNOWN).asides == ()


@pytest.mark.parametrize(
    "said", ["how is apple doing ? ?", "? how is apple", "... how is apple !", "- how is apple, , ?"]
)
def test_signs_without_words_are_no_clause_that_is_read(said: str):
    assert "apple" in without_asides(said, DAY, KNOWN).text
