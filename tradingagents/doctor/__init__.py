"""What works here, what would not, and the variable or command that mends it: `examine`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.doctor.data import CapabilityState, VendorState, examine_data
from tradingagents.doctor.models import TierState, examine_models
from tradingagents.doctor.surroundings import Surroundings, examine_surroundings
from tradingagents.errors import ConfigurationError, DataError
from tradingagents.settings import Settings

NEEDED = {
    "analyze": ("get_stock_data",),
    "scan": ("get_stock_data", "get_sector_performance", "get_market_movers"),
}
"""Questions without whose answer a command comes to nothing. Whatever else is missing, its reports say so."""
CONFIGURATION, DATA = ConfigurationError.exit_code, DataError.exit_code


@dataclass(frozen=True, slots=True)
class CommandCheck:
    """Whether a command would come to a result today."""

    command: str
    troubles: tuple[str, ...]
    """What keeps it from that, each with the way out; () for nothing."""
    exit_code: int
    """0 where nothing does; else 3 where the set-up must be mended, 4 where a vendor does not answer."""


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that was found out."""

    as_of: date
    """Today: the last session that has closed."""
    past: date
    """The day that stands for a past one."""
    network: bool
    """Whether vendors and model servers were asked."""
    surroundings: Surroundings
    models: tuple[TierState, ...]
    vendors: tuple[VendorState, ...]
    capabilities: tuple[CapabilityState, ...]
    verdicts: tuple[CommandCheck, ...]

    @property
    def exit_code(self) -> int:
        """0 where every command would work; 3 where the set-up keeps one from it, else 4."""
        codes = {verdict.exit_code for verdict in self.verdicts}
        return CONFIGURATION if CONFIGURATION in codes else max(codes, default=0)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        plain = asdict(self)
        plain.update(as_of=self.as_of.isoformat(), past=self.past.isoformat(), exit_code=self.exit_code)
        return plain


def examine(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    network: bool = True,
    hosted_models: bool = False,
    now: Callable[[], datetime] = utc_now,
) -> Examination:
    """Look at keys, packages, folders, models, vendors and what each tool would use.

    Args:
        settings: What `analyze` and `scan` would be told.
        environ: Where keys are read; values are shown nowhere.
        network: Whether to ask vendors (one request each) and model servers of one's own.
        hosted_models: Whether to ask the providers for their list of models too.
        now: The clock.
    """
    surroundings = examine_surroundings(settings, environ, now())
    with ThreadPoolExecutor(max_workers=1) as pool:
        models = pool.submit(examine_models, settings, environ, network=network, hosted=network and hosted_models)
        data = examine_data(settings, environ, surroundings.as_of, network=network, now=now)
        tiers = models.result()
    verdicts = tuple(_verdict(command, surroundings, tiers, data.capabilities) for command in NEEDED)
    return Examination(
        as_of=surroundings.as_of,
        past=data.past,
        network=network,
        surroundings=surroundings,
        models=tiers,
        vendors=data.vendors,
        capabilities=data.capabilities,
        verdicts=verdicts,
    )


def _verdict(
    command: str, surroundings: Surroundings, tiers: tuple[TierState, ...], capabilities: tuple[CapabilityState, ...]
) -> CommandCheck:
    configuration = [*surroundings.troubles, *(tier.trouble for tier in tiers if tier.trouble)]
    data: list[str] = []
    for capability in capabilities:
        if capability.method in NEEDED[command] and capability.today.vendor is None:
            (configuration if capability.today.configuration else data).append(capability.today.trouble)
    troubles = tuple(dict.fromkeys((*configuration, *data)))
    return CommandCheck(command, troubles, CONFIGURATION if configuration else DATA if data else 0)
