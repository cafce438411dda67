"""How far the knowledge of models reaches."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.llm_clients.known_models import knowledge_of


@pytest.mark.parametrize(
    ("label", "cutoff"),
    [
        ("openai/gpt-5", date(2024, 9, 30)),
        ("openai/gpt-5-mini-2025-08-07", date(2024, 5, 31)),
        ("openai/gpt-4o-mini", date(2023, 10, 31)),
        ("openai/gpt-5-turbo", None),
        ("anthropic/claude-sonnet-4-5-20250929", date(2025, 7, 31)),
        ("anthropic/claude-sonnet-4-20250514", date(2025, 3, 31)),
        ("anthropic/claude-3-5-haiku-latest", date(2024, 7, 31)),
        ("openai/gpt-6-astra", date(2026, 4, 30)),
        ("openai/gpt-5.5", None),
        ("anthropic/claude-opus-5-5", date(2026, 6, 30)),
        ("openai_compatible/gpt-5", None),
        ("ollama/llama3", None),
    ],
)
def test_a_dated_name_counts_as_its_model_and_another_model_does_not(label: str, cutoff: date | None):
    (found,) = knowledge_of([label]).models
    assert found.remembers
    assert found.cutoff == cutoff


def test_the_latest_cut_off_counts_and_an_unknown_one_leaves_every_day_in_doubt():
    both = knowledge_of(["openai/gpt-5", "anthropic/claude-opus-4-5"])
    assert both.cutoff == date(2025, 8, 31)
    assert both.may_know(date(2025, 8, 31))
    assert not both.may_know(date(2025, 9, 1))
    unknown = knowledge_of(["openai/gpt-5", "ollama/llama3"])
    assert (unknown.cutoff, unknown.unknown) == (None, ("ollama/llama3",))
    assert unknown.may_know(date(2026, 9, 1))
    rules = knowledge_of(["offline/rules", "offline/rules"])
    assert len(rules.models) == 1
    assert not rules.remembers
    assert not rules.may_know(date(2020, 1, 1))


def test_own_cut_offs_take_precedence():
    own = {"ollama/llama3": date(2024, 3, 31), "gpt-5": date(2025, 1, 1)}
    assert knowledge_of(["ollama/llama3", "openai/gpt-5"], own).cutoff == date(2025, 1, 1)
