"""How far the knowledge of models reaches: the last day of their training data, as their providers state it.

Sources: the model pages of OpenAI, Anthropic and Google, read by 2026-11-23. Where a provider names a month, the table
has its last day; where it names a reliable date and a later end of the training data, the table has the later one: a
model may know whatever it was trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

FORGETFUL = frozenset({"offline", "scripted"})
"""Providers whose models answer by rules or from a script and remember nothing."""
CUTOFFS: Mapping[str, Mapping[str, date]] = {
    "openai": {
        "gpt-3.5-turbo": date(2021, 9, 30),
        "gpt-4-turbo": date(2023, 12, 31),
        "gpt-4o": date(2024, 6, 30),
        "gpt-4o-mini": date(2023, 10, 31),
        "gpt-4.1": date(2024, 6, 30),
        "gpt-4.1-mini": date(2024, 6, 30),
        "gpt-4.1-nano": date(2024, 6, 30),
        "o1": date(2023, 10, 31),
        "o3": date(2024, 6, 30),
        "o3-mini": date(2023, 10, 31),
        "o4-mini": date(2024, 6, 30),
        "gpt-5": date(2024, 9, 30),
        "gpt-5-mini": date(2024, 5, 31),
        "gpt-5-nano": date(2024, 5, 31),
        "gpt-5.1": date(2024, 9, 30),
        "gpt-5.2": date(2025, 8, 31),
    },
    "anthropic": {
        "claude-3-haiku": date(2023, 8, 31),
        "claude-3-opus": date(2023, 8, 31),
        "claude-3-5-sonnet": date(2024, 4, 30),
        "claude-3-5-haiku": date(2024, 7, 31),
        "claude-3-7-sonnet": date(2024, 11, 30),
        "claude-sonnet-4": date(2025, 3, 31),
        "claude-opus-4": date(2025, 3, 31),
        "claude-opus-4-1": date(2025, 3, 31),
        "claude-sonnet-4-5": date(2025, 7, 31),
        "claude-haiku-4-5": date(2025, 7, 31),
        "claude-opus-4-5": date(2025, 8, 31),
    },
    "google": {
        "gemini-1.5-flash": date(2024, 5, 31),
        "gemini-1.5-pro": date(2024, 5, 31),
        "gemini-2.0-flash": date(2024, 8, 31),
        "gemini-2.0-flash-lite": date(2024, 8, 31),
        "gemini-2.5-flash": date(2025, 1, 31),
        "gemini-2.5-flash-lite": date(2025, 1, 31),
        "gemini-2.5-pro": date(2025, 1, 31),
        "gemini-3-pro": date(2025, 1, 31),
    },
}
"""Last day of the training data by provider and model. Names with a date or `latest` behind them count as the model."""


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
        return any(one.remembers for one in self.models)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Labels of the models that may remember the past and whose cut-off is not known."""
        return tuple(one.label for one in self.models if one.remembers and one.cutoff is None)

    @property
    def cutoff(self) -> date | None:
        """The latest cut-off; None where one is not known, or no model remembers anything."""
        days = [one.cutoff for one in self.models if one.cutoff is not None]
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
    return ModelKnowledge(label, remembers=True, cutoff=given or _listed(provider, model))


def _listed(provider: str, model: str) -> date | None:
    known = CUTOFFS.get(provider, {})
    if model in known:
        return known[model]
    for name in sorted(known, key=len, reverse=True):
        rest = model.removeprefix(f"{name}-")
        if rest != model and (rest == "latest" or rest.replace("-", "").isdecimal()):
            return known[name]
    return None
