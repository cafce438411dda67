"""Memory finds what resembles, says how much, and never what was settled later."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tradingagents.memory.situations import FinancialSituationMemory

RISING = "revenue growth accelerates while margins expand and the stock trades above its 200 day average"
DEBT = "heavy debt with rising interest expense and shrinking free cash flow in a slowing industry"


def remembering(*lessons: tuple[str, str], settled_on: date = date(2024, 1, 2)) -> FinancialSituationMemory:
    memory = FinancialSituationMemory("bull_memory")
    memory.add_situations(lessons, settled_on=settled_on)
    return memory


def test_an_empty_memory_and_an_empty_question_give_nothing():
    assert FinancialSituationMemory("bull_memory").get_memories("anything") == []
    assert remembering((RISING, "hold on")).get_memories("") == []


def test_one_document_is_enough_and_an_exact_match_scores_one():
    (match,) = remembering((RISING, "let it run")).get_memories(RISING)
    assert match["recommendation"] == "let it run"
    assert match["matched_situation"] == RISING
    assert match["similarity_score"] == 1.0


def test_the_nearer_situation_comes_first_and_only_as_many_as_asked():
    memory = remembering((DEBT, "stay away"), (RISING, "let it run"))
    matches = memory.get_memories("margins expand and revenue growth accelerates, above the 200 day average", 2)
    assert matches[0]["recommendation"] == "let it run"
    assert len(memory.get_memories(f"{RISING} {DEBT}", 1)) == 1


def test_a_single_shared_word_is_no_match():
    memory = remembering((RISING, "let it run"), (DEBT, "stay away"))
    assert memory.get_memories("the weather in the mountains was mild and the industry of bees rested quietly") == []


def test_a_lesson_without_a_day_is_settled_today_and_so_invisible_to_the_past():
    memory = FinancialSituationMemory("bull_memory")
    memory.add_situations([(RISING, "let it run")])
    assert memory.get_memories(RISING, as_of=date(2024, 5, 10)) == []
    assert len(memory.get_memories(RISING)) == 1


@given(st.dates(date(2020, 1, 1), date(2025, 1, 1)), st.dates(date(2020, 1, 1), date(2025, 1, 1)))
def test_a_lesson_is_visible_from_the_day_it_was_settled(settled: date, as_of: date):
    memory = remembering((RISING, "let it run"), settled_on=settled)
    assert bool(memory.get_memories(RISING, as_of=as_of)) == (settled <= as_of)


@given(st.text(max_size=200), st.text(max_size=200))
def test_similarity_stays_between_nothing_and_one(situation: str, question: str):
    for match in remembering((situation, "x"), (RISING, "y")).get_memories(question):
        assert 0 <= match["similarity_score"] <= 1
