"""The hosted models that are known: context, knowledge cut-off, tier. One dated table, and what follows from it.

A figure without a source is left out. Where a provider names a month, the cut-off is its last day; where it names a
reliable date and a later end of the training data, the later one: a model may know whatever it was trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from tradingagents.settings import Tier

READ_ON = date(2026, 11, 27)
"""The day on which the table was made; models that were released later are missing."""
SOURCES: Mapping[str, str] = {
    "profiles": "model profiles of langchain-openai 1.7.3, langchain-anthropic 1.7.7, langchain-google-genai 4.4.2",
    "prices": "price list of genai-prices 0.2.3, of the provider's own models",
    "pages": "model pages of OpenAI, Anthropic and Google, read by 2026-11-23",
    "openai": "developers.openai.com/api/docs/models",
    "openai-cn": "w3cschool.cn/openai_api, a translation of OpenAI's model page",
    "box": "developer.box.com/guides/box-ai/ai-models, the model's card",
    "oxen": "docs.oxen.ai/inference-api/reference/models, the model's page",
    "aionekit": "aionekit.com/fr/ai/gpt-5-4, which quotes OpenAI's model page",
    "claude": "platform.claude.com/docs/models, the comparison of models and each model's page",
    "claude-46": "platform.claude.com/docs/about-claude/models/overview, training data cut-off",
}
"""Where the figures of the table are from, by the keys that its rows name."""
HOSTED = ("openai", "anthropic", "google")
"""Providers whose models the table lists."""
KEY_VARIABLES: Mapping[str, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
}
"""Variable of each provider's key; providers that are missing here need none of their own."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What is known of a model."""

    provider: str
    name: str
    context: int | None = None
    """Tokens of prompt and reply; of the prompt alone where the provider states the two apart."""
    context_source: str = ""
    """A key of `SOURCES`."""
    cutoff: date | None = None
    """Last day of the training data; None: no source was found."""
    cutoff_source: str = ""
    tier: Tier | None = None
    """The tier that it is suggested for; None: it is not suggested."""


_JAN_2025, _JUN_2026 = date(2025, 1, 31), date(2026, 6, 30)
_TABLE = (
    KnownModel("openai", "gpt-5-mini", 272_000, "profiles", date(2024, 5, 31), "pages", "quick"),
    KnownModel("openai", "gpt-6-luna", 1_050_000, "profiles", date(2026, 5, 18), "oxen", "quick"),
    KnownModel("openai", "gpt-6.1-terra", 1_050_000, "profiles", date(2026, 6, 1), "box", "mid"),
    KnownModel("openai", "gpt-5.2", 272_000, "profiles", date(2025, 8, 31), "pages", "deep"),
    KnownModel("openai", "gpt-6.1-sol", 1_050_000, "profiles", date(2026, 4, 30), "openai-cn", "deep"),
    KnownModel("openai", "gpt-6-astra", 1_050_000, "profiles", date(2026, 4, 30), "openai", "deep"),
    KnownModel("openai", "gpt-6-sol", 1_050_000, "profiles"),
    KnownModel("openai", "gpt-5.6", 1_050_000, "profiles", date(2026, 2, 16), "openai"),
    KnownModel("openai", "gpt-5.6-sol", 1_050_000, "profiles", date(2026, 2, 16), "openai"),
    KnownModel("openai", "gpt-5.6-terra", 1_050_000, "profiles", date(2026, 2, 16), "openai"),
    KnownModel("openai", "gpt-5.6-luna", 1_050_000, "profiles", date(2026, 2, 16), "openai"),
    KnownModel("openai", "gpt-5.5", 1_050_000, "profiles"),
    KnownModel("openai", "gpt-5.4", 1_050_000, "profiles", date(2025, 8, 31), "aionekit"),
    KnownModel("openai", "gpt-5.4-mini", 400_000, "profiles"),
    KnownModel("openai", "gpt-5.4-nano", 400_000, "profiles"),
    KnownModel("openai", "gpt-5.1", 272_000, "profiles", date(2024, 9, 30), "pages"),
    KnownModel("openai", "gpt-5", 272_000, "profiles", date(2024, 9, 30), "pages"),
    KnownModel("openai", "gpt-5-nano", 272_000, "profiles", date(2024, 5, 31), "pages"),
    KnownModel("openai", "gpt-4.1", 1_047_576, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "gpt-4.1-mini", 1_047_576, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "gpt-4.1-nano", 1_047_576, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "gpt-4o", 128_000, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "gpt-4o-mini", 128_000, "profiles", date(2023, 10, 31), "pages"),
    KnownModel("openai", "gpt-4-turbo", 128_000, "profiles", date(2023, 12, 31), "pages"),
    KnownModel("openai", "gpt-3.5-turbo", 16_385, "profiles", date(2021, 9, 30), "pages"),
    KnownModel("openai", "o4-mini", 200_000, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "o3", 200_000, "profiles", date(2024, 6, 30), "pages"),
    KnownModel("openai", "o3-mini", 200_000, "profiles", date(2023, 10, 31), "pages"),
    KnownModel("openai", "o1", 200_000, "profiles", date(2023, 10, 31), "pages"),
    KnownModel("anthropic", "claude-haiku-5-5", 1_000_000, "profiles", _JUN_2026, "claude", "quick"),
    KnownModel("anthropic", "claude-sonnet-5-5", 1_000_000, "profiles", _JUN_2026, "claude", "mid"),
    KnownModel("anthropic", "claude-opus-5-5", 1_000_000, "profiles", _JUN_2026, "claude", "deep"),
    KnownModel("anthropic", "claude-fable-5-2", 1_000_000, "prices", _JUN_2026, "claude", "deep"),
    KnownModel("anthropic", "claude-fable-5-1", 1_000_000, "profiles", _JUN_2026, "claude"),
    KnownModel("anthropic", "claude-fable-5", 1_000_000, "profiles"),
    KnownModel("anthropic", "claude-opus-5", 1_000_000, "profiles", date(2026, 5, 31), "claude"),
    KnownModel("anthropic", "claude-sonnet-5", 1_000_000, "profiles"),
    KnownModel("anthropic", "claude-opus-4-8", 1_000_000, "profiles"),
    KnownModel("anthropic", "claude-opus-4-7", 1_000_000, "profiles"),
    KnownModel("anthropic", "claude-opus-4-6", 1_000_000, "profiles", date(2025, 8, 31), "claude-46"),
    KnownModel("anthropic", "claude-sonnet-4-6", 1_000_000, "profiles"),
    KnownModel("anthropic", "claude-opus-4-5", 200_000, "profiles", date(2025, 8, 31), "pages"),
    KnownModel("anthropic", "claude-sonnet-4-5", 200_000, "profiles", date(2025, 7, 31), "pages"),
    KnownModel("anthropic", "claude-haiku-4-5", 200_000, "profiles", date(2025, 7, 31), "pages"),
    KnownModel("anthropic", "claude-opus-4-1", 200_000, "prices", date(2025, 3, 31), "pages"),
    KnownModel("anthropic", "claude-opus-4", 200_000, "prices", date(2025, 3, 31), "pages"),
    KnownModel("anthropic", "claude-sonnet-4", 200_000, "prices", date(2025, 3, 31), "pages"),
    KnownModel("anthropic", "claude-3-7-sonnet", 200_000, "prices", date(2024, 11, 30), "pages"),
    KnownModel("anthropic", "claude-3-5-sonnet", 200_000, "prices", date(2024, 4, 30), "pages"),
    KnownModel("anthropic", "claude-3-5-haiku", 200_000, "prices", date(2024, 7, 31), "pages"),
    KnownModel("anthropic", "claude-3-opus", 200_000, "prices", date(2023, 8, 31), "pages"),
    KnownModel("anthropic", "claude-3-haiku", 200_000, "prices", date(2023, 8, 31), "pages"),
    KnownModel("google", "gemini-3.5-flash-lite", 1_048_576, "profiles", tier="quick"),
    KnownModel("google", "gemini-3.8-flash", 1_048_576, "profiles", tier="mid"),
    KnownModel("google", "gemini-4-argon", 1_048_576, "profiles", tier="deep"),
    KnownModel("google", "gemini-3.6-flash", 1_048_576, "profiles"),
    KnownModel("google", "gemini-3.1-flash-lite", 1_048_576, "profiles"),
    KnownModel("google", "gemini-3.1-pro-preview", 1_048_576, "profiles"),
    KnownModel("google", "gemini-3-flash-preview", 1_048_576, "profiles", _JAN_2025, "box"),
    KnownModel("google", "gemini-3-pro", cutoff=_JAN_2025, cutoff_source="pages"),
    KnownModel("google", "gemini-2.5-pro", 1_048_576, "profiles", _JAN_2025, "pages"),
    KnownModel("google", "gemini-2.5-flash", 1_048_576, "profiles", _JAN_2025, "pages"),
    KnownModel("google", "gemini-2.5-flash-lite", 1_048_576, "profiles", _JAN_2025, "pages"),
    KnownModel("google", "gemini-2.0-flash", 1_000_000, "prices", date(2024, 8, 31), "pages"),
    KnownModel("google", "gemini-2.0-flash-lite", 1_000_000, "prices", date(2024, 8, 31), "pages"),
    KnownModel("google", "gemini-1.5-pro", 1_000_000, "prices", date(2024, 5, 31), "pages"),
    KnownModel("google", "gemini-1.5-flash", 1_000_000, "prices", date(2024, 5, 31), "pages"),
)
KNOWN_MODELS: Mapping[tuple[str, str], KnownModel] = {(model.provider, model.name): model for model in _TABLE}
"""By provider and name. Names with a date or `latest` behind them count as the model."""


def suggested(provider: str) -> tuple[str, ...]:
    """Return the models that are suggested of a provider, quick ones first; any other can be named."""
    return tuple(model.name for model in _TABLE if model.provider == provider and model.tier is not None)


def known_model(label: str) -> KnownModel | None:
    """Return what is known of the model labelled `provider/model`; None for one that is not in the table."""
    provider, _, model = label.partition("/")
    if found := KNOWN_MODELS.get((provider, model)):
        return found
    names = sorted((model.name for model in _TABLE if model.provider == provider), key=len, reverse=True)
    for name in names:
        rest = model.removeprefix(f"{name}-")
        if rest != model and (rest == "latest" or rest.replace("-", "").isdecimal()):
            return KNOWN_MODELS[provider, name]
    return None


def not_in_table(labels: Iterable[str], own: Iterable[str] = ()) -> str:
    """Return a warning that names the hosted models that the table lacks; empty for none.

    Args:
        labels: `provider/model` of each.
        own: Models, or labels, whose cut-off the user has named; these are known.
    """
    named = set(own)
    hosted = [label for label in dict.fromkeys(labels) if label.partition("/")[0] in HOSTED]
    missing = [label for label in hosted if known_model(label) is None and not named & {label, label.partition("/")[2]}]
    if not missing:
        return ""
    return (
        f"{', '.join(missing)}: not in the table of models of {READ_ON}, so newer or misspelt; context and knowledge "
        "cut-off are not known. Check the name; name the cut-off with knowledge_cutoffs."
    )


FORGETFUL = frozenset({"offline", "scripted"})
"""Providers whose models answer by rules or from a script and remember nothing."""


@dataclass(frozen=True, slots=True)
class ModelKnowledge:
    """How far one model's knowledge reaches."""

    label: str
    """`provider/model`."""
    remembers: bool
    """False for models that answer by rules."""
    cutoff: date | None
    """Last day of its training data; None where it is not known, or the model remembers nothing."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How far the knowledge of all models of a run reaches."""

    models: tuple[ModelKnowledge, ...]

    @property
    def remembers(self) -> bool:
        """Whether any model may remember anything."""
        return any(model.remembers for model in self.models)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Labels of the models that may remember the past and whose cut-off is not known."""
        return tuple(model.label for model in self.models if model.remembers and model.cutoff is None)

    @property
    def cutoff(self) -> date | None:
        """The latest cut-off; None where one is not known, or no model remembers anything."""
        days = [model.cutoff for model in self.models if model.cutoff is not None]
        return max(days) if days and not self.unknown else None

    def may_know(self, day: date) -> bool:
        """Tell whether a model may have been trained on what became known on a day."""
        if not self.remembers:
            return False
        last = self.cutoff
        return last is None or day <= last


def knowledge_of(labels: Iterable[str], own: Mapping[str, date] | None = None) -> Knowledge:
    """Return how far the knowledge of models reaches.

    Args:
        labels: `provider/model` of each.
        own: Cut-offs by model or `provider/model` that take precedence over the table.
    """
    return Knowledge(tuple(_known(label, own or {}) for label in dict.fromkeys(labels)))


def _known(label: str, own: Mapping[str, date]) -> ModelKnowledge:
    provider, _, model = label.partition("/")
    if provider in FORGETFUL:
        return ModelKnowledge(label, remembers=False, cutoff=None)
    given = own.get(label) or own.get(model)
    known = known_model(label)
    return ModelKnowledge(label, remembers=True, cutoff=given or (known.cutoff if known else None))


CONTEXT_NEEDS: Mapping[str, int] = {"analyze": 10_500, "scan": 13_500, "chat": 11_500, "filings": 6_000}
"""Measured with the tokenizer of SmolLM2 (`benchmarks.context_needs`; 3 characters a token), with tool definitions and
replies of the full length that prompts ask for, and rounded up. The longest prompt of an analysis is the Risk
Manager's, of a scan the Industry Deep Dive's; the chat's is the definitions of its tools."""
