from __future__ import annotations

import pytest

from tradingagents.llm_clients.pricing import Tokens, cost_usd, how_to_price, is_priced


def test_own_prices_price_fresh_cached_and_output_tokens_apart() -> None:
    # 600 000 fresh x 2 USD/M + 400 000 cached x 0.5 USD/M + 100 000 out x 10 USD/M = 1.2 + 0.2 + 1.0
    cost = cost_usd("openai_compatible/mine", Tokens(1_000_000, 100_000, 400_000), {"mine": (2.0, 0.5, 10.0)})
    assert cost == pytest.approx(2.4)


def test_the_public_list_prices_openai_models() -> None:
    # gpt-4o-mini: 0.15 USD/M in, 0.075 cached, 0.60 out: 600k x 0.15 + 400k x 0.075 + 1M x 0.60 = 0.09 + 0.03 + 0.60
    assert cost_usd("openai/gpt-4o-mini", Tokens(1_000_000, 1_000_000, 400_000), {}) == pytest.approx(0.72)


def test_the_default_models_are_priced() -> None:
    assert is_priced("openai/gpt-5-mini", {})
    assert is_priced("openai/gpt-5.2", {})


def test_own_prices_win_over_the_list_and_a_full_label_over_a_model() -> None:
    prices = {"gpt-4o-mini": (1.0, 1.0, 1.0), "openai/gpt-4o-mini": (3.0, 3.0, 3.0)}
    assert cost_usd("openai/gpt-4o-mini", Tokens(1_000_000, 0), prices) == 3.0
    assert cost_usd("openai_compatible/gpt-4o-mini", Tokens(1_000_000, 0), prices) == 1.0


@pytest.mark.parametrize("label", ["offline/rules", "scripted/scripted", "ollama/llama3.1"])
def test_what_runs_here_is_free(label: str) -> None:
    assert cost_usd(label, Tokens(10_000, 10_000), {}) == 0.0


@pytest.mark.parametrize(
    "label", ["openai/no-such-model", "openai_compatible/gpt-4o-mini", "", "elsewhere/gpt-4o-mini"]
)
def test_an_unknown_price_is_none_not_zero(label: str) -> None:
    assert cost_usd(label, Tokens(1000, 1000), {}) is None


def test_the_way_to_set_a_price_names_variable_and_model() -> None:
    assert "TRADINGAGENTS_MODEL_PRICES='{\"mine\": [input, cached input, output]}'" in how_to_price(
        "openai_compatible/mine"
    )
