"""The three model tiers: quick for analysts and risk debaters, mid for debate and trader, deep for managers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from langchain_core.language_models import BaseChatModel

from tradingagents.llm_clients.known_models import not_in_table
from tradingagents.llm_clients.model_profile import ignored_settings
from tradingagents.llm_clients.providers import OFFLINE_MODEL, PROVIDERS, create_chat_model
from tradingagents.llm_clients.servers import SharedConnections, secrets_in_model, server_of
from tradingagents.settings import Settings, Tier, assert_provider

TIERS: tuple[Tier, ...] = ("quick", "mid", "deep")


@dataclass(frozen=True)
class Choice:
    """The model used by a tier."""

    provider: str
    model: str
    url: str | None

    @property
    def label(self) -> str:
        """`provider/model`."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True)
class NamedModel:
    """A model and its label."""

    llm: BaseChatModel
    label: str
    """`provider/model`; empty if unknown."""


@dataclass(frozen=True)
class TierModels:
    """One model per tier."""

    quick: BaseChatModel
    mid: BaseChatModel
    deep: BaseChatModel
    names: Mapping[Tier, str] = field(default_factory=dict)
    """`provider/model`, if known better than from the model object."""
    connections: SharedConnections | None = None
    warnings: tuple[str, ...] = ()
    """Settings that were given but aren't supported by a model."""
    fallbacks: Mapping[Tier, NamedModel] = field(default_factory=dict)
    """Fallback models by tier; tiers not listed have none."""

    @classmethod
    def same(cls, model: BaseChatModel) -> TierModels:
        """Use one model for all three tiers."""
        return cls(model, model, model)

    def of(self, tier: Tier) -> BaseChatModel:
        """Return a tier's model."""
        return {"quick": self.quick, "mid": self.mid, "deep": self.deep}[tier]

    def label(self, tier: Tier) -> str:
        """Return `provider/model` of a tier."""
        if tier in self.names:
            return self.names[tier]
        server = server_of(self.of(tier))
        return f"{server.provider}/{server.model}"

    @property
    def labels(self) -> dict[Tier, str]:
        """`provider/model` of every tier."""
        return {tier: self.label(tier) for tier in TIERS}

    @property
    def every_label(self) -> tuple[str, ...]:
        """`provider/model` of every model that may be used, fallbacks included, without duplicates."""
        return tuple(dict.fromkeys([*self.labels.values(), *(choice.label for choice in self.fallbacks.values())]))

    @property
    def secrets(self) -> set[str]:
        """The keys of all models, fallbacks included."""
        models = (*map(self.of, TIERS), *(choice.llm for choice in self.fallbacks.values()))
        return {secret for model in models for secret in secrets_in_model(model)}

    async def aclose(self) -> None:
        """Close the running event loop's connections; a later call opens new ones."""
        if self.connections is not None:
            await self.connections.aclose()


def choices(settings: Settings) -> dict[Tier, Choice]:
    """Return the model of each tier, with the documented defaults.

    Model: mid defaults to quick. Provider: mid to quick, quick and deep to `llm_provider`. URL: likewise, and finally
    to `backend_url`; but a URL is passed on only to a tier of the same provider (so Anthropic's key is never sent to
    the local server that `backend_url` names), or to `openai_compatible`, which has no URL of its own.
    """
    top = Choice(settings.llm_provider, "", settings.backend_url)
    quick = _choice(
        settings.quick_think_llm_provider, settings.quick_think_llm, settings.quick_think_backend_url, (top,)
    )
    mid_model = settings.mid_think_llm or settings.quick_think_llm
    mid = _choice(settings.mid_think_llm_provider, mid_model, settings.mid_think_backend_url, (quick, top))
    deep = _choice(settings.deep_think_llm_provider, settings.deep_think_llm, settings.deep_think_backend_url, (top,))
    return {"quick": quick, "mid": mid, "deep": deep}


def fallback_choices(settings: Settings) -> dict[Tier, Choice]:
    """Return the fallback model of each tier; tiers without one are left out.

    A fallback is given as a model, at the tier's own provider and URL, or as `provider/model`. The part before the
    first slash is a provider only if it is a known one: many model names contain slashes. A fallback of another
    provider uses that provider's own address; `openai_compatible`, which has none, uses the tier's URL or
    `backend_url`. The mid tier's fallback defaults to the quick tier's. A tier's own model is ignored as its fallback.
    """
    chosen, top = choices(settings), Choice(settings.llm_provider, "", settings.backend_url)
    quick = _fallback(settings.quick_fallback_llm, chosen["quick"], top)
    mid = _fallback(settings.mid_fallback_llm, chosen["mid"], top) or quick
    found = {"quick": quick, "mid": mid, "deep": _fallback(settings.deep_fallback_llm, chosen["deep"], top)}
    return {tier: one for tier in TIERS if (one := found[tier]) is not None and one != chosen[tier]}


def _fallback(named: str | None, own: Choice, top: Choice) -> Choice | None:
    if named is None:
        return None
    provider, slash, model = named.partition("/")
    if not slash or provider not in PROVIDERS:
        return replace(own, model=named)
    return _choice(provider, model, None, (own, top))


def build_tiers(settings: Settings, environ: Mapping[str, str]) -> TierModels:
    """Create the models; tiers with the same provider, model and URL share one, and all share their connections.

    Raises:
        ModelNotConfigured: A key, URL, package or model name is missing.
        SettingsError: Unknown provider.
    """
    chosen, fallbacks, connections = choices(settings), fallback_choices(settings), SharedConnections()
    models = {
        choice: create_chat_model(
            choice.provider,
            choice.model,
            base_url=choice.url,
            settings=settings,
            environ=environ,
            connections=connections,
        )
        for choice in dict.fromkeys([*chosen.values(), *fallbacks.values()])
    }
    quick, mid, deep = (models[chosen[tier]] for tier in TIERS)
    labels = {tier: choice.label for tier, choice in chosen.items()}
    warnings = dict.fromkeys(
        sentence for choice in models for sentence in ignored_settings(choice.provider, choice.model, settings)
    )
    if unlisted := not_in_table((choice.label for choice in models), settings.knowledge_cutoffs):
        warnings[unlisted] = None
    named = {tier: NamedModel(models[choice], choice.label) for tier, choice in fallbacks.items()}
    return TierModels(quick, mid, deep, labels, connections, tuple(warnings), named)


def _choice(provider: str | None, model: str, url: str | None, above: tuple[Choice, ...]) -> Choice:
    """Return a tier's own choice, with missing parts taken from those above it, nearest first."""
    chosen = provider or above[0].provider
    assert_provider(chosen)
    if chosen in ("offline", "scripted"):
        return Choice(chosen, OFFLINE_MODEL if chosen == "offline" else chosen, None)
    heirs = (choice.url for choice in above if chosen in (choice.provider, "openai_compatible"))
    return Choice(chosen, model, url or next((one for one in heirs if one), None))
