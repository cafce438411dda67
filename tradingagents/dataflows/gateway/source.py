"""`RunSource.answer(method, arguments)`: the one path of a question from a run to a vendor.

From the outside in:

1. `OncePerRun`: the same question is put once; who asks meanwhile waits for the answer.
2. `RunSource._chosen`: the vendors of the settings; where one fails the next, if it may answer instead.
3. `RunSource._wrapped`: the wrappers around one vendor, in order: what is invalid is removed, rows without a date get
   one, answers come from memory or disk, failed calls are repeated.
4. `VendorCall`: the vendor's method. Remote vendors keep to their rate limits there, before each request.

`MarketData` cuts answers at the cut-off afterwards: caches hold what a vendor gave.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import Any, ParamSpec, TypeVar

from tradingagents.dataflows.data_sheet import DataSheet
from tradingagents.dataflows.gateway.answers.cache import DiskCache
from tradingagents.dataflows.gateway.answers.lru import Memo
from tradingagents.dataflows.gateway.known_since import REGULATOR, KnownSince
from tradingagents.dataflows.gateway.point_in_time import PointInTime
from tradingagents.dataflows.gateway.router import Vendors, candidates, may_ask_next, nobody_answered, nobody_named
from tradingagents.dataflows.gateway.vendor_call import OncePerRun, Source, VendorQuestion
from tradingagents.dataflows.gateway.wrappers import Alteration, DiskAnswers, Memory, Retries, Validation, Wrapper
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import DataError, NotInPlan, VendorNotConfigured, VendorUnavailable
from tradingagents.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]


class RunSource:
    """The vendors as one run asks them. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        at: PointInTime,
        *,
        vendors: Vendors,
        cache: DiskCache | None,
        memo: Memo | None,
        sheet: DataSheet,
        asked_at: datetime,
    ) -> None:
        """Make the source of a run.

        Args:
            settings: Chooses the vendors.
            at: The moment that the run is bound to.
            vendors: The vendors.
            cache: Disk cache for answers of remote vendors; None: no disk cache.
            memo: Memory cache for final answers, shared with other runs; None: not shared.
            sheet: Lists what was wrong with answers.
            asked_at: When the run began, UTC.
        """
        self.settings = settings
        self.at = at
        self.vendors = vendors
        self.cache = cache
        self.memo = memo
        self.sheet = sheet
        self.asked_at = asked_at
        self.stood_in: dict[tuple[str, str], tuple[str, ...]] = {}
        """Unavailable vendors, by method and the vendor that answered instead."""
        self.unusable_prices: dict[str, Prices] = {}
        """Prices that were refused as a whole, by symbol: their splits may be listed all the same."""
        self.regulator_silent = threading.Event()
        """Set once the list of filings that dates other vendors' rows can't be asked."""
        self.once = OncePerRun()
        self._able: dict[str, tuple[tuple[str, ...], Exception | None]] = {}

    def with_sheet(self, sheet: DataSheet) -> RunSource:
        """Return the same source, which records what is wrong with answers in another data sheet."""
        view = object.__new__(RunSource)  # copy.copy takes five times as long, and a run asks for dozens
        vars(view).update(vars(self), sheet=sheet)
        return view

    def answer(self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, str]:
        """Answer with the vendor that settings choose, and name it; once per run for the same question."""
        question = VendorQuestion(method, args, kwargs)
        found: tuple[R, str] = self.once.answer((method.name, *question.values), partial(self._chosen, question))
        return found

    def answer_of(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Answer with one vendor, once per run, for requests that more than one vendor answers."""
        question, source = VendorQuestion(method, args, kwargs), self._wrapped(name)
        found: R = self.once.answer((name, method.name, *question.values), partial(source.answer, question))
        return found

    def answers_of_all(
        self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> dict[str, R | DataError | VendorNotConfigured]:
        """Query every available vendor in parallel; return each one's answer or error by name.

        Raises:
            VendorNotConfigured: No vendor is available.
        """
        able, passed_over = self.candidates(method)
        if not able:
            raise passed_over or nobody_named(method)

        def answer_or_error(name: str) -> R | DataError | VendorNotConfigured:
            try:
                return self.answer_of(name, method, *args, **kwargs)
            except (DataError, VendorNotConfigured) as error:
                return error

        if len(able) == 1:
            return {able[0]: answer_or_error(able[0])}
        with ThreadPoolExecutor(max_workers=len(able)) as pool:
            return dict(zip(able, pool.map(answer_or_error, able), strict=True))

    def candidates(self, method: AnyMethod | str) -> tuple[tuple[str, ...], Exception | None]:
        """Return the vendors available for the day, and the reason why the first of the others isn't."""
        name = method if isinstance(method, str) else method.name
        if name not in self._able:
            self._able[name] = candidates(method, settings=self.settings, vendors=self.vendors, past=self.at.past)
        return self._able[name]

    def _chosen(self, question: VendorQuestion) -> tuple[Any, str]:
        """Return the answer of the first vendor that can give one, and the vendor's name; errors as `ask_vendors`."""
        method = question.method
        able, passed_over = self.candidates(method)
        failed: dict[str, VendorUnavailable | VendorNotConfigured] = {}
        for name in able:
            try:
                answer = self._wrapped(name).answer(question)
            except (VendorUnavailable, VendorNotConfigured) as error:
                failed[name] = error
                if not may_ask_next(method, error):
                    break
            else:
                absent = tuple(other for other, error in failed.items() if not isinstance(error, NotInPlan))
                if absent:
                    self.stood_in[method.name, name] = absent
                return answer, name
        raise nobody_answered(method, failed, passed_over)

    def _wrapped(self, name: str) -> Source:
        """Return a vendor in its wrappers.

        Raises:
            SettingsError: Unknown vendor.
            VendorNotConfigured: It lacks a key or a folder.
        """
        vendor = self.vendors.get(name)
        wrappers: list[type[Wrapper]] = [Validation]
        if self.vendors.alter is not None:
            wrappers.append(Alteration)
        if vendor.local:
            wrappers.append(Memory)
        elif name == REGULATOR:  # it stamps to the second what it accepts
            wrappers += [DiskAnswers, Retries]
        else:
            wrappers += [KnownSince, DiskAnswers, Retries]
        source: Source = self.vendors.call_of(name)
        for wrapper in reversed(wrappers):
            source = wrapper(source, name, vendor, self)
        return source
