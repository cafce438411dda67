"""What a face offers when it asks for a run. Says whether keys are set, and never what they are."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from tradingagents.agents import roster
from tradingagents.capabilities.registry import titles
from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.dataflows.look_up import default_day, recorded_until
from tradingagents.llm_clients.known_models import KEY_VARIABLES, suggested
from tradingagents.offline.calibration import record_in_short
from tradingagents.schemas.workspace import Choices, ProviderChoice, VendorChoice
from tradingagents.settings import MODEL_PROVIDERS, Settings, analyst_choices

NOT_OFFERED = frozenset({"scripted"})
"""Providers that only Python can use."""
OFFERED_SETTINGS = (
    *("llm_provider", "quick_think_llm", "mid_think_llm", "deep_think_llm", "analysts", "max_debate_rounds"),
    *("max_risk_discuss_rounds", "debate_mode", "fetch_valuation", "budget_usd", "max_llm_calls", "approve", "settle"),
    *("data_vendor", "output_language", "sell_means", "max_position_size"),
)
"""Settings whose present values are shown."""


def choices_of(settings: Settings, environ: Mapping[str, str]) -> Choices:
    """Return what a face offers with these settings and keys."""
    known = settings.model_dump(mode="json", include=set(OFFERED_SETTINGS))
    return Choices(
        version=version("tradingagents"),
        providers=tuple(_provider(name, environ) for name in MODEL_PROVIDERS if name not in NOT_OFFERED),
        vendors=tuple(
            VendorChoice(
                name=name, key_variables=registered.needs, keys_set=all(environ.get(key) for key in registered.needs)
            )
            for name, registered in registrations().items()
        ),
        analysts=analyst_choices(),
        rules_record=record_in_short(),
        defaults={name: known[name] for name in OFFERED_SETTINGS},
        last_session=default_day(settings),
        recorded_until=recorded_until(settings),
        tickers=_examples(settings),
        titles={**titles(), **roster.titles()},
        phases={
            "analyze": roster.phases(roster.trading_agents(analyst_choices())),
            "scan": roster.phases(roster.scan_agents()),
        },
    )


def _provider(name: str, environ: Mapping[str, str]) -> ProviderChoice:
    variable = KEY_VARIABLES.get(name)
    return ProviderChoice(
        name=name,
        models=suggested(name),
        key_variable=variable,
        key_set=variable is None or bool(environ.get(variable)),
    )


def _examples(settings: Settings) -> tuple[str, ...]:
    """Return the companies of the simulated market, which knows no others; none for other markets."""
    if settings.data_vendor != "simulated":
        return ()
    from tradingagents.dataflows.vendors.simulated.companies import COMPANIES

    return tuple(COMPANIES)
