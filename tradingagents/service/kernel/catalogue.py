"""The catalogue: every capability with its policy, and whether the present settings and keys can answer it."""

from __future__ import annotations

from typing import Any

from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.gateway.registry import registration_of
from tradingagents.dataflows.gateway.router import Vendors, candidates, nobody_named
from tradingagents.errors import ConfigurationError
from tradingagents.schemas.workspace import CapabilityInfo, CapabilityPolicy
from tradingagents.service.kernel.home_steps import HOME_STEPS, HomeSteps
from tradingagents.settings import Settings


def capability_info(capability: Capability, settings: Settings, vendors: Vendors) -> CapabilityInfo:
    """Describe a capability, with the reason where no vendor can be asked."""
    reason = why_unavailable(capability, settings, vendors)
    return CapabilityInfo(
        name=capability.name,
        title=capability.known_as,
        summary=capability.summary,
        aliases=capability.aliases,
        arguments=arguments_schema(capability),
        returns=capability.returns.__name__,
        policy=CapabilityPolicy(
            writes=capability.writes,
            outside_text=capability.outside_text,
            needs_key=_needs_key(capability, settings, vendors),
            needs_session=HOME_STEPS.get(capability.name, HomeSteps()).reads_session,
        ),
        available=reason is None,
        reason=reason,
    )


def arguments_schema(capability: Capability) -> dict[str, Any]:
    """Return the JSON schema of a capability's arguments."""
    return capability.arguments.model_json_schema()


def why_unavailable(capability: Capability, settings: Settings, vendors: Vendors) -> str | None:
    """Return why a capability cannot be answered, with what to do; None where it can.

    No vendor is asked: a key that a vendor refuses is found out at the first question.
    """
    for method in sorted(capability.requires):
        asked = vendors.method(method)
        able, skipped = candidates(asked, settings=settings, vendors=vendors)
        if not any(vendors.get(name).supports(asked) for name in able):
            without = ConfigurationError(f"{', '.join(able)} has no {method}; choose another vendor with tool_vendors.")
            return str(skipped or (without if able else nobody_named(asked)))
    return None


def _needs_key(capability: Capability, settings: Settings, vendors: Vendors) -> bool:
    """Return whether some required method is answered by vendors with keys only."""
    return any(
        all(registration_of(name).needs for name in settings.vendors_for(method, vendors.method(method).category))
        for method in capability.requires
    )
