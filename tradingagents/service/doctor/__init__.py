"""Check the installation: what works, what would fail, and the variable or command that fixes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.look_up import recorded_until
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import ConfigurationError, DataError
from tradingagents.llm_clients.known_models import CONTEXT_NEEDS
from tradingagents.llm_clients.tiers import TIERS
from tradingagents.service.doctor.data import CapabilityState, VendorState, examine_data
from tradingagents.service.doctor.models import TierState, examine_models
from tradingagents.service.doctor.surroundings import Surroundings, examine_surroundings
from tradingagents.settings import Settings

__all__ = ["CapabilityState", "CommandCheck", "Examination", "Surroundings", "TierState", "VendorState", "examine"]

NEEDED = {
    "analyze": ("get_stock_data",),
    "scan": ("get_stock_data", "get_sector_performance", "get_market_movers"),
    "chat": (),
    "filings": (),
}
"""Data methods that a command needs. If another one fails, the command's reports say so and it continues."""
CONFIGURATION, DATA = ConfigurationError.exit_code, DataError.exit_code


@dataclass(frozen=True, slots=True)
class CommandCheck:
    """Whether a command would succeed today."""

    command: str
    troubles: tuple[str, ...]
    """What prevents it, each with a way out; empty if nothing does."""
    exit_code: int
    """0 if it would succeed; 3 if the configuration must be changed, 4 if a vendor does not answer."""


@dataclass(frozen=True, slots=True)
class Examination:
    """All results of the check."""

    as_of: date
    """The day of a question that names none: the last closed session, or the last one of recorded data."""
    recorded_until: date | None
    """The last day of the folder that prices come from; `None` where they come from a vendor."""
    past: date
    """The day used to check questions about the past."""
    network: bool
    """Whether vendors and model servers were contacted."""
    surroundings: Surroundings
    models: tuple[TierState, ...]
    vendors: tuple[VendorState, ...]
    capabilities: tuple[CapabilityState, ...]
    verdicts: tuple[CommandCheck, ...]

    @property
    def exit_code(self) -> int:
        """0 if every command would succeed; 3 if the configuration prevents one, else 4."""
        codes = {verdict.exit_code for verdict in self.verdicts}
        return CONFIGURATION if CONFIGURATION in codes else max(codes, default=0)

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON."""
        plain = asdict(self)
        until = self.recorded_until and self.recorded_until.isoformat()
        plain.update(as_of=self.as_of.isoformat(), recorded_until=until, past=self.past.isoformat())
        plain["exit_code"] = self.exit_code
        return plain


def examine(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    network: bool = True,
    hosted_models: bool = False,
    now: Callable[[], datetime] = utc_now,
) -> Examination:
    """Check keys, packages, folders, models and vendors, and which vendor would answer each tool.

    Args:
        settings: The settings that `analyze` and `scan` would use.
        environ: Environment variables with keys; their values are never shown.
        network: Whether to contact vendors (one request each) and self-hosted model servers.
        hosted_models: Whether to ask hosted providers for their model lists too.
    """
    surroundings = examine_surroundings(settings, environ, now())
    recorded = recorded_until(settings)
    as_of = surroundings.as_of if recorded is None else min(surroundings.as_of, sessions().on_or_before(recorded))
    with ThreadPoolExecutor(max_workers=1) as pool:
        models = pool.submit(examine_models, settings, environ, network=network, hosted=network and hosted_models)
        data = examine_data(settings, environ, as_of, network=network, now=now)
        tiers = models.result()
    verdicts = tuple(_verdict(command, surroundings, tiers, data.capabilities) for command in NEEDED)
    return Examination(
        as_of=as_of,
        recorded_until=recorded,
        past=data.past,
        network=network,
        surroundings=surroundings,
        models=tiers,
        vendors=data.vendors,
        capabilities=data.capabilities,
        verdicts=verdicts,
    )


def _is_too_short(command: str, tier: TierState) -> bool:
    """Whether a tier's own model, not a fallback, has less context than a command needs."""
    return tier.tier in TIERS and tier.context is not None and tier.context < CONTEXT_NEEDS[command]


def _too_short(command: str, tier: TierState) -> str:
    return (
        f"{command} needs a context of about {CONTEXT_NEEDS[command]:,} tokens, and {tier.model} at {tier.host} has "
        f"{tier.context:,}; start the server with a longer one, or use another model."
    )


def _verdict(
    command: str, surroundings: Surroundings, tiers: tuple[TierState, ...], capabilities: tuple[CapabilityState, ...]
) -> CommandCheck:
    configuration = [*surroundings.troubles, *(tier.trouble for tier in tiers if tier.trouble)]
    configuration += [_too_short(command, tier) for tier in tiers if _is_too_short(command, tier)]
    data: list[str] = []
    for capability in capabilities:
        if capability.method in NEEDED[command] and capability.today.vendor is None:
            (configuration if capability.today.configuration else data).append(capability.today.trouble)
    troubles = tuple(dict.fromkeys((*configuration, *data)))
    return CommandCheck(command, troubles, CONFIGURATION if configuration else DATA if data else 0)
