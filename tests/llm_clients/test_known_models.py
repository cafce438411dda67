"""The table of hosted models: each figure has a source, the suggestions cover the tiers, what it lacks is said."""

from __future__ import annotations

from datetime import date

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tradingagents.llm_clients.known_models import (
    HOSTED,
    KNOWN_MODELS,
    READ_ON,
    SOURCES,
    known_model,
    not_in_table,
    suggested,
)
from tradingagents.llm_clients.pricing import is_priced
from tradingagents.llm_clients.tiers import build_tiers
from tradingagents.settings import Settings


def test_every_figure_has_a_source_and_no_cut_off_lies_after_the_table():
    for one in KNOWN_MODELS.values():
        assert (one.context is None) == (one.context_source == "")
        assert (one.cutoff is None) == (one.cutoff_source == "")
        assert {one.context_source, one.cutoff_source} <= {"", *SOURCES}
        assert one.cutoff is None or date(2021, 1, 1) < one.cutoff < READ_ON
    assert {one.context_source for one in KNOWN_MODELS.values()} <= {"", "profiles", "prices"}


def test_contexts_are_those_of_the_clients_own_profiles():
    for one in KNOWN_MODELS.values():
        if one.provider == "openai" and one.context_source == "profiles":
            profile = ChatOpenAI(model=one.name, api_key=SecretStr("sk-test")).profile
            assert profile is not None
            assert profile["max_input_tokens"] == one.context, one.name


@pytest.mark.parametrize("provider", HOSTED)
def test_a_priced_model_is_suggested_for_every_tier(provider: str):
    labels = [f"{provider}/{name}" for name in suggested(provider)]
    assert {known_model(label).tier for label in labels} == {"quick", "mid", "deep"}  # type: ignore[union-attr]
    assert all(is_priced(label, {}) for label in labels)


def test_the_default_models_are_suggested():
    settings = Settings()
    assert {settings.quick_think_llm, settings.deep_think_llm} <= set(suggested("openai"))
    assert suggested("ollama") == ()


def test_a_hosted_model_that_the_table_lacks_is_named_with_the_tables_date():
    said = not_in_table(["openai/gpt-9", "openai/gpt-5-mini-2025-08-07", "ollama/new", "openai_compatible/gpt-9"])
    assert said.startswith(f"openai/gpt-9: not in the table of models of {READ_ON}, so newer or misspelt;")
    assert not_in_table(["openai/gpt-5", "offline/rules"]) == ""
    assert not_in_table(["openai/gpt-9"], {"gpt-9": date(2026, 1, 1)}) == ""


def test_every_run_of_such_a_model_warns():
    named = Settings(deep_think_llm="gpt-9")
    (warning,) = build_tiers(named, {"OPENAI_API_KEY": "sk-test"}).warnings
    assert warning.startswith("openai/gpt-9: not in the table")
    assert build_tiers(Settings(), {"OPENAI_API_KEY": "sk-test"}).warnings == ()
