"""How far the knowledge of a run's models reaches: the last day of their training data, from the table of models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from tradingagents.llm_clients.known_models import known_model

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
    known = known_model(label)
    return ModelKnowledge(label, remembers=True, cutoff=given or (known.cutoff if known else None))
