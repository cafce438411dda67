"""The cost of model calls in USD, by the tokens that a provider billed or will bill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PriceTable = Mapping[str, tuple[float, float, float]]
"""USD per million tokens (input, cached input, output), by model or `provider/model`."""

FREE_PROVIDERS = frozenset({"offline", "scripted", "ollama"})
LISTED_PROVIDERS = frozenset({"openai", "anthropic", "google"})
"""Providers with a known price list; an `openai_compatible` server has its own prices."""
MILLION = 1_000_000


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call. `cached` is the part of `input` that the provider read from its cache."""

    input: int
    output: int
    cached: int = 0


def cost_usd(label: str, tokens: Tokens, prices: PriceTable) -> float | None:
    """Return the cost of a call in USD; None if the model's price is unknown.

    Args:
        label: The model as `provider/model`.
        tokens: The tokens of the call.
        prices: Prices that take precedence over the public list.
    """
    provider, _, model = label.partition("/")
    own = prices.get(label) or prices.get(model)
    if own is not None:
        fresh, cached, output = own
        return ((tokens.input - tokens.cached) * fresh + tokens.cached * cached + tokens.output * output) / MILLION
    if provider in FREE_PROVIDERS:
        return 0.0
    return _listed(provider, model, tokens) if provider in LISTED_PROVIDERS else None


def price_words(label: str, prices: PriceTable) -> str:
    """Return a model's price as text: USD per million input and output tokens.

    Args:
        label: The model as `provider/model`.
        prices: Prices that take precedence over the public list.
    """
    read, written = (cost_usd(label, Tokens(*count), prices) for count in ((1000, 0), (0, 1000)))
    if read is None or written is None:
        return "price unknown"
    return f"${read * 1000:.2f} in, ${written * 1000:.2f} out per million tokens" if read or written else "free"


def is_priced(label: str, prices: PriceTable) -> bool:
    """Whether the price of a model is known."""
    return cost_usd(label, Tokens(1, 1), prices) is not None


def how_to_price(label: str) -> str:
    """Return a sentence that explains how to set a price."""
    model = label.partition("/")[2] or label or "the model"
    return (
        f"The price of {model} is not known, so neither is its cost; set it in USD per million tokens: "
        f"TRADINGAGENTS_MODEL_PRICES='{{\"{model}\": [input, cached input, output]}}'."
    )


def _listed(provider: str, model: str, tokens: Tokens) -> float | None:
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=tokens.input, cache_read_tokens=tokens.cached, output_tokens=tokens.output)
    try:
        return float(calc_price(usage, model, provider_id=provider).total_price)
    except LookupError:
        return None
