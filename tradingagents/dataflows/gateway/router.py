"""The router: chooses the vendor of each method, and when to fall back to another one.

The vendors of a method are chosen by `tool_vendors`, then `data_vendor`, then its category. If a vendor fails, the next
one of the list answers only if answers are interchangeable between vendors.
"""

from __future__ import annotations

import copy
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property, partial
from typing import Any, ParamSpec, TypeVar, overload

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.limits import LIMITS_FILE, RateLimiter
from tradingagents.dataflows.gateway.registry import all_methods, registration_of
from tradingagents.dataflows.gateway.resilience import Trust
from tradingagents.dataflows.gateway.vendor_call import (
    NotWhole,
    SingleFlight,
    Source,
    VendorCall,
    VendorQuestion,
    lost_key,
)
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod, methods_of
from tradingagents.errors import (
    AllVendorsFailed,
    NotForPastDate,
    NotInPlan,
    SettingsError,
    UsageError,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.files.environment import readable_environment
from tradingagents.files.redaction import KnownSecrets, secrets_in_environment
from tradingagents.settings import Settings, environment, nearest, secrets_of

LOST_KEPT = 512
"""Questions of which is kept that the answer could not be read whole."""
P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]
Alter = Callable[[AnyMethod, Any], Any]
"""Returns what agents are given instead of an answer, from the method and the vendor's answer."""


class Vendors:
    """The vendors of one graph, each created on first use and shared by its runs. Thread-safe."""

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
            made: Existing vendors by name; they take precedence over settings.
            environ: Source of keys; None reads `.env` and the process environment on first use.
            sleep: Waits between attempts.
        """
        self._settings = settings
        self._environ = environ
        self._made: dict[str, Vendor] = dict(made or {})
        self._given = tuple(self._made.values())
        self._unmade: dict[str, str] = {}
        self._lock = threading.Lock()
        self._wrap: Callable[[Vendor], Vendor] = _as_it_is
        self._limiter = RateLimiter(settings.home_dir / LIMITS_FILE)
        self.trust = Trust(retries=settings.vendor_max_retries, patience=settings.vendor_timeout, sleep=sleep)
        self.flights = SingleFlight()
        self._lost = Memo(LOST_KEPT)
        self.alter: Alter | None = None
        """Alters answers before an agent or a tool reads them; None: they stay as they are."""

    def may_be_second(self, name: str) -> bool:
        """Return whether a vendor may be asked beside another one: where code gives vendors, only those it gives."""
        return not self._given or name in self._made

    def altered_by(self, alter: Alter) -> Vendors:
        """Return the same vendors, whose answers are altered before an agent or a tool reads them.

        For experiments that ask what would be decided on other data. Caches on disk hold the vendors' own answers;
        a memory cache must not be shared between altered and other vendors.

        Args:
            alter: Must return equal answers for equal ones.
        """
        altered = copy.copy(self)
        altered.alter = alter
        return altered

    @property
    def from_settings(self) -> bool:
        """Whether another process makes the same vendors from settings: none was given, wrapped or altered here."""
        return not self._given and self.alter is None and self._wrap is _as_it_is

    def get(self, name: str) -> Vendor:
        """Return a vendor by name.

        Raises:
            SettingsError: Unknown vendor.
            VendorNotConfigured: It lacks a key or a folder.
        """
        with self._lock:
            if name in self._unmade:
                raise VendorNotConfigured(self._unmade[name])
            if name not in self._made:
                try:
                    self._made[name] = self._wrap(registration_of(name).make(self.access(name)))
                except VendorNotConfigured as error:
                    self._unmade[name] = str(error)
                    raise
            return self._made[name]

    def wrapped(self, settings: Settings, wrap: Callable[[Vendor], Vendor]) -> Vendors:
        """Return the same vendors under other settings, each wrapped by a function when it is made.

        Args:
            settings: For vendors that are made from settings.
            wrap: Given each vendor, also those that were given as they are; returns what answers in its place.
        """
        given = {name: wrap(vendor) for name, vendor in self._made.items() if vendor in self._given}
        found = Vendors(settings, given, environ=self._environ)
        found._wrap = wrap
        return found

    def access(self, name: str) -> Access:
        """Return a vendor's configuration."""
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
        """Return a method by its name.

        Raises:
            UsageError: Unknown method; suggests the nearest name.
        """
        if isinstance(method, VendorMethod):
            return method
        if found := self.methods.get(method):
            return found
        raise unknown_method(method, self.methods)

    @cached_property
    def methods(self) -> Mapping[str, AnyMethod]:
        """Every method by name: the library's, those of installed packages, and those of the given vendors."""
        given = [methods_of(type(vendor)) for vendor in self._given]
        return {**all_methods(), **{name: method for declared in given for name, method in declared.items()}}

    @overload
    def answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def answer(self, name: str, method: str, *args: Any, **kwargs: Any) -> Any: ...
    def answer(self, name: str, method: AnyMethod | str, *args: Any, **kwargs: Any) -> Any:
        """Call one vendor with retries and circuit breaker, as it is: uncut, not validated, not cached.

        Raises:
            TradingAgentsError: The vendor's error.
        """
        call, question = self.call_of(name), VendorQuestion(self.method(method), args, kwargs)
        if self.get(name).local:
            return call.answer(question)
        return self.trust.call(name, partial(call.answer, question))

    def call_of(self, name: str) -> Source:
        """Return a vendor's methods, each call a single attempt. Raises as `get` does."""
        return VendorCall(name, self.get(name), self._secrets, self._lost)

    def lost_of(self, name: str, question: VendorQuestion, until: datetime | None = None) -> str:
        """Return what the last answer that a vendor gave to a question lacks; empty for nothing.

        Args:
            name: The vendor.
            question: What was asked.
            until: The cut-off of a run on a past day, which hears of nothing that became known later; None: all.
        """
        found: NotWhole | None = self._lost.get(lost_key(name, question))
        return "" if found is None else found.sentence(until)

    def note_lost(self, name: str, question: VendorQuestion, sentence: str, cutoff: datetime) -> None:
        """Add what a run found missing in the last answer to a question, beside what could not be read of it."""
        key = lost_key(name, question)
        found: NotWhole = self._lost.get(key) or NotWhole(name, "", Counter())
        self._lost.put(key, replace(found, further=(*found.further, (cutoff, sentence))))

    @cached_property
    def _secrets(self) -> KnownSecrets:
        """Secrets to remove from the vendor's data before they reach a prompt, a cache or a report."""
        environ = readable_environment() if self._environ is None else self._environ
        return KnownSecrets(secrets_in_environment(environ) | secrets_of(self._settings))


def _as_it_is(vendor: Vendor) -> Vendor:
    return vendor


def check_tool_vendors(settings: Settings, vendors: Vendors | None = None) -> None:
    """Refuse a `tool_vendors` entry without effect: an unknown tool, or one that is computed from others.

    Raises:
        SettingsError: Names the tool, and suggests the nearest one that has vendors.
    """
    known = all_methods() if vendors is None else vendors.methods
    for tool in settings.tool_vendors:
        if tool not in known:
            close = nearest(tool, known)
            hint = f"did you mean {close}?" if close else f"tools with vendors are: {', '.join(known)}."
            raise SettingsError(f"tool_vendors names {tool!r}, which no vendor answers; {hint}")


def unknown_method(name: str, known: Mapping[str, AnyMethod]) -> UsageError:
    """Return the error for an unknown method; it suggests the nearest name."""
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(known)}."
    return UsageError(f"There is no method {name!r}; {hint}")


def candidates(
    method: AnyMethod | str, *, settings: Settings, vendors: Vendors, past: date | None = None
) -> tuple[tuple[str, ...], Exception | None]:
    """Return the available vendors in order of preference, and why the first of the others isn't available.

    Skipped are vendors without their key or folder, vendors that answer for today only if `past` is a past day, and
    vendors without the method. Skipping isn't a failure: no request was sent.
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
    # If no vendor has the method, the first one raises the error itself.
    return tuple(able or unable[:1]), unmade


def ask_vendors(
    method: AnyMethod | str,
    ask: Callable[[str], R],
    *,
    settings: Settings,
    vendors: Vendors,
    past: date | None = None,
) -> tuple[R, str]:
    """Query the configured vendor of a method, and return which one answered.

    Of a list, the first available vendor answers. If it fails, the next one is used only if answers are interchangeable
    between vendors, or if the first one's plan excludes the request.

    Args:
        ask: Queries one vendor, given its name.
        settings: Chooses the vendors.
        past: The requested day if it is past, so that vendors that answer for today only are skipped. None for today.

    Returns:
        The vendor's answer and the vendor's name.

    Raises:
        NoData: The vendor has no data; no other is queried, since its answer could mean something else.
        NotForPastDate: Every vendor in question answers for today only.
        VendorNotConfigured: Every vendor lacks a key or folder, or the queried one refuses its key.
        AllVendorsFailed: Every vendor in question is unavailable; names method and vendors, chained from the last.
    """
    asked = vendors.method(method)
    names, passed_over = candidates(asked, settings=settings, vendors=vendors, past=past)
    failed: dict[str, VendorUnavailable | VendorNotConfigured] = {}
    for name in names:
        try:
            return ask(name), name
        except (VendorUnavailable, VendorNotConfigured) as error:
            failed[name] = error
            if not may_ask_next(asked, error):
                break
    raise nobody_answered(asked, failed, passed_over)


def may_ask_next(method: AnyMethod, error: VendorUnavailable | VendorNotConfigured) -> bool:
    """Return whether the next vendor may answer instead of one that failed."""
    return method.fungible or isinstance(error, NotInPlan)


def nobody_answered(
    method: AnyMethod, failed: Mapping[str, VendorUnavailable | VendorNotConfigured], passed_over: Exception | None
) -> Exception:
    """Return the error for a method that no vendor answered.

    Args:
        method: The method.
        failed: The errors of those that were asked, by name, in order.
        passed_over: Why the first of the vendors that were not asked wasn't.
    """
    if not failed:
        return passed_over or nobody_named(method)
    errors = tuple(failed.values())
    failure = next((error for error in errors if isinstance(error, VendorUnavailable)), errors[-1])
    if isinstance(failure, VendorNotConfigured):
        return failure
    everybody = AllVendorsFailed(
        f"{method.name} failed at {', '.join(failed)}: {failure} "
        f"Or choose another vendor with data_vendor or data_vendors."
    )
    everybody.__cause__ = failure
    return everybody


def nobody_named(method: AnyMethod) -> VendorNotConfigured:
    """Return the error for a method without a configured vendor."""
    return VendorNotConfigured(f"No vendor is named for {method.name}; choose one with data_vendor or tool_vendors.")
