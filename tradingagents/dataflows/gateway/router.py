"""The router: which vendor answers a question, and when another one may.

The vendors of a question are chosen by `tool_vendors`, then `data_vendor`, then its category. The next vendor of a list
answers for one that fails only where answers mean the same from any vendor.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from typing import Any, ParamSpec, TypeVar, overload

from tradingagents.dataflows.gateway.limits import LIMITS_FILE, RateLimiter
from tradingagents.dataflows.gateway.registry import all_methods, registration_of
from tradingagents.dataflows.gateway.resilience import Trust
from tradingagents.dataflows.gateway.single_flight import SingleFlight
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.row_text import cleaned
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod, methods_of
from tradingagents.environment import readable_environment
from tradingagents.errors import (
    AllVendorsFailed,
    DataError,
    NoData,
    NotForPastDate,
    NotInPlan,
    SettingsError,
    UsageError,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.redaction import KnownSecrets, secrets_in_environment
from tradingagents.settings import Settings, environment, nearest, secrets_of

P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]


class Vendors:
    """The vendors of one graph, each made when first asked and then shared by its runs. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        made: Mapping[str, Vendor] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare the vendors.

        Args:
            settings: Says how each vendor is made.
            made: Vendors by name that exist already; they win over those made from settings.
            environ: Where keys are read; None reads `.env` and the process environment when first needed.
            sleep: Waits between attempts.
        """
        self._settings = settings
        self._environ = environ
        self._made: dict[str, Vendor] = dict(made or {})
        self._given = tuple(self._made.values())
        self._unmade: dict[str, str] = {}
        self._lock = threading.Lock()
        self._limiter = RateLimiter(settings.home_dir / LIMITS_FILE)
        self.trust = Trust(retries=settings.vendor_max_retries, patience=settings.vendor_timeout, sleep=sleep)
        self.flights = SingleFlight()

    def get(self, name: str) -> Vendor:
        """Return a vendor by name.

        Raises:
            SettingsError: No vendor is called that.
            VendorNotConfigured: It lacks a key or a folder.
        """
        with self._lock:
            if name in self._unmade:
                raise VendorNotConfigured(self._unmade[name])
            if name not in self._made:
                try:
                    self._made[name] = registration_of(name).make(self.access(name))
                except VendorNotConfigured as error:
                    self._unmade[name] = str(error)
                    raise
            return self._made[name]

    def access(self, name: str) -> Access:
        """Return how a vendor is reached."""
        if self._environ is None:
            self._environ = environment()
        known = registration_of(name)
        return Access(
            name,
            settings=self._settings,
            environ=self._environ,
            url=known.url,
            variables=(*known.needs, *known.takes),
            rates=known.rates,
            limiter=self._limiter,
            sign_up=known.sign_up,
        )

    @overload
    def method(self, method: VendorMethod[P, R]) -> VendorMethod[P, R]: ...
    @overload
    def method(self, method: str) -> AnyMethod: ...
    def method(self, method: AnyMethod | str) -> AnyMethod:
        """Return a question by its name.

        Raises:
            UsageError: There is none of that name; names the nearest.
        """
        if isinstance(method, VendorMethod):
            return method
        if found := self.methods.get(method):
            return found
        raise unknown_method(method, self.methods)

    @cached_property
    def methods(self) -> Mapping[str, AnyMethod]:
        """Every question by name: this library's, those of installed packages, and those of the vendors given."""
        given = [methods_of(type(vendor)) for vendor in self._given]
        return {**all_methods(), **{name: method for one in given for name, method in one.items()}}

    @overload
    def ask(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def ask(self, name: str, method: str, *args: Any, **kwargs: Any) -> Any: ...
    def ask(self, name: str, method: AnyMethod | str, *args: Any, **kwargs: Any) -> Any:
        """Ask one vendor: again where a failure may pass, not at all for a while after several.

        Raises:
            TradingAgentsError: What the vendor raised.
        """
        vendor = self.get(name)
        answer = self.method(method).of(vendor)
        if answer is None:
            raise NoData(f"{name} has no {self.method(method).name}; choose another vendor in tool_vendors.")
        given = answer(*args, **kwargs) if vendor.local else self.trust.call(name, lambda: answer(*args, **kwargs))
        return cleaned(given, self._secrets)

    @cached_property
    def _secrets(self) -> KnownSecrets:
        """What a source that quotes it must not bring into a prompt, a cache or a report."""
        environ = readable_environment() if self._environ is None else self._environ
        return KnownSecrets(secrets_in_environment(environ) | secrets_of(self._settings))


def check_tool_vendors(settings: Settings, vendors: Vendors | None = None) -> None:
    """Refuse a `tool_vendors` entry that would do nothing: an unknown tool, or one that is computed from others.

    Raises:
        SettingsError: Names the tool and the nearest that has vendors.
    """
    known = all_methods() if vendors is None else vendors.methods
    for tool in settings.tool_vendors:
        if tool not in known:
            close = nearest(tool, known)
            hint = f"did you mean {close}?" if close else f"tools with vendors are: {', '.join(known)}."
            raise SettingsError(f"tool_vendors names {tool!r}, which no vendor answers; {hint}")


def unknown_method(name: str, known: Mapping[str, AnyMethod]) -> UsageError:
    """Return the error for a question that does not exist; it names the nearest."""
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(known)}."
    return UsageError(f"There is no method {name!r}; {hint}")


def candidates(
    method: AnyMethod | str, *, settings: Settings, vendors: Vendors, past: date | None = None
) -> tuple[tuple[str, ...], Exception | None]:
    """Return who can be asked, in order of preference, and why the first of the others cannot.

    Passed over are vendors without their key or folder, those that know today only where `past` is a day that is over,
    and those that do not answer the method at all. None of that is a failure: nobody was asked.
    """
    asked = vendors.method(method)
    able: list[str] = []
    unable: list[str] = []
    today_only: list[str] = []
    unmade: Exception | None = None
    for name in settings.vendors_for(asked.name, asked.category):
        try:
            vendor = vendors.get(name)
        except VendorNotConfigured as error:
            unmade = unmade or error
            continue
        if not vendor.supports(asked):
            unable.append(name)
        elif past is not None and asked.name in vendor.live_only:
            today_only.append(name)
        else:
            able.append(name)
    if today_only:
        return tuple(able), NotForPastDate(
            f"{', '.join(today_only)} answers {asked.name} for today only, not for {past}; for a past date use "
            f"recorded data (data_vendor='snapshot'), or choose another vendor in tool_vendors."
        )
    # Where none has the method, the first one says so itself.
    return tuple(able or unable[:1]), unmade


def ask_vendors(
    method: AnyMethod | str,
    ask: Callable[[str], R],
    *,
    settings: Settings,
    vendors: Vendors,
    past: date | None = None,
) -> tuple[R, str]:
    """Ask the vendor that settings choose for a question, and say which one answered.

    Of several vendors the first that can be asked answers. When it fails, the next one is asked only where answers
    mean the same from any vendor, or where the first one's plan does not include the question.

    Args:
        method: The question.
        ask: Puts it to one vendor, by the vendor's name.
        settings: Chooses the vendors.
        vendors: Where they live.
        past: The day asked about, where it is over: vendors that know today only are passed over. None for today.

    Returns:
        The vendor's answer and the vendor's name.

    Raises:
        NoData: The vendor has nothing; no other is asked, since the answer would be another question's.
        NotForPastDate: Every vendor that may answer knows today only.
        VendorNotConfigured: Every vendor lacks a key or folder, or the one asked refuses its key.
        AllVendorsFailed: Every vendor that may answer is unavailable; names method and vendors, chained from the last.
    """
    asked = vendors.method(method)
    able, passed_over = candidates(asked, settings=settings, vendors=vendors, past=past)
    failure: DataError | VendorNotConfigured | None = None
    failed: list[str] = []
    for name in able:
        failed.append(name)
        try:
            return ask(name), name
        except (VendorUnavailable, VendorNotConfigured) as error:
            if not isinstance(failure, VendorUnavailable):
                failure = error
            if not asked.fungible and not isinstance(error, NotInPlan):
                break
    if failure is None:
        raise passed_over or nobody_named(asked)
    if isinstance(failure, VendorNotConfigured):
        raise failure
    raise AllVendorsFailed(
        f"{asked.name} failed at {', '.join(failed)}: {failure} "
        f"Or choose another vendor with data_vendor or data_vendors."
    ) from failure


def nobody_named(method: AnyMethod) -> VendorNotConfigured:
    """Return the error for a question that settings name no vendor for."""
    return VendorNotConfigured(f"No vendor is named for {method.name}; choose one with data_vendor or tool_vendors.")
