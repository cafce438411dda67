"""The data cells of a dossier: every answer of a vendor that a run rests on, recorded and given again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, cast

from tradingagents import errors
from tradingagents.dataflows.gateway.cache import DiskCache, Question, decode, encode
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.gateway.vendor_call import Source, VendorQuestion
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import DataError, NoData, VendorNotConfigured
from tradingagents.settings import Settings
from tradingagents.valuation.canonical import canonical_json

AnyMethod = VendorMethod[..., Any]
Plain = dict[str, Any]
AT_CUTOFF = "cut-off"
"""What stands for the cut-off in the arguments of a request."""


class DataCells:
    """Answers of vendors and what the vendors say of themselves, as JSON, by request."""

    def __init__(self, cutoff: datetime) -> None:
        """Begin with none.

        Args:
            cutoff: The cut-off of the run.
        """
        self._cutoff = cutoff
        self.answers: dict[str, Plain] = {}
        """By request: vendor, method, arguments, and the answer or the error."""
        self.vendors: dict[str, Plain] = {}
        """By name: what each vendor is, or why there is none."""
        self.facts: dict[str, Any] = {}
        """By question about a vendor's coverage or files: the reply."""

    def key(self, vendor: str, method: str, args: tuple[object, ...]) -> str:
        """Return the key of a request."""
        return _digest([vendor, method, self._shown(args)])

    def fact(self, vendor: str, name: str, args: tuple[object, ...]) -> str:
        """Return the key of a question about a vendor."""
        return canonical_json([vendor, name, self._shown(args)])

    def put(self, vendor: str, method: AnyMethod, args: tuple[object, ...], answer: Any) -> None:
        """Record an answer, or the error that was one."""
        key = self.key(vendor, method.name, args)
        given = {"error": _error(answer)} if isinstance(answer, Exception) else {"answer": encode(method, answer)}
        self.answers[key] = {"vendor": vendor, "method": method.name, "args": self._shown(args), **given}

    def _shown(self, args: tuple[object, ...]) -> list[str]:
        return [AT_CUTOFF if arg == self._cutoff else str(arg) for arg in args]


class RecordingVendors(Vendors):
    """Vendors whose answers are recorded as data cells."""

    def __init__(self, settings: Settings, cells: DataCells, *, environ: Mapping[str, str]) -> None:
        """Create the vendors as settings name them."""
        super().__init__(settings, environ=environ)
        self._cells = cells
        self._recorded: dict[str, Vendor] = {}

    def get(self, name: str) -> Vendor:
        """Return a vendor whose statements about itself are recorded. Raises as `Vendors.get` does."""
        try:
            vendor = super().get(name)
        except VendorNotConfigured as error:
            self._cells.vendors[name] = {"error": _error(error)}
            raise
        if name not in self._recorded:
            self._recorded[name] = cast(Vendor, _RecordedVendor(name, vendor, self._cells))
        return self._recorded[name]

    def call_of(self, name: str) -> Source:
        """Return a vendor's methods, whose answers are recorded. Raises as `get` does."""
        return _RecordedCall(name, super().call_of(name), self._cells)


class _RecordedCall:
    """A vendor's methods; what they answer or raise becomes a data cell."""

    def __init__(self, name: str, call: Source, cells: DataCells) -> None:
        self._name, self._call, self._cells = name, call, cells

    def answer(self, question: VendorQuestion) -> Any:
        try:
            answer = self._call.answer(question)
        except (DataError, VendorNotConfigured) as error:
            self._cells.put(self._name, question.method, question.values, error)
            raise
        self._cells.put(self._name, question.method, question.values, answer)
        return answer


class RecordingCache(DiskCache):
    """The answers on disk, of any age; those that are used become data cells."""

    def __init__(self, cells: DataCells, cache: DiskCache) -> None:
        """Read another cache's file."""
        super().__init__(cache.path, expires=False)
        self._cells = cells

    def get(self, question: Question, *, now: datetime) -> Any | None:
        """Return the stored answer and record it; None if there is none. Raises as `DiskCache.get` does."""
        answer = super().get(question, now=now)
        if answer is not None:
            self._cells.put(question.vendor, question.method, question.args, answer)
        return answer

    def put(self, question: Question, answer: Any, *, now: datetime) -> None:
        """Store nothing: a recording changes no cache."""


class ReplayedVendors(Vendors):
    """Vendors that answer from data cells and reach no network."""

    def __init__(self, settings: Settings, cells: DataCells) -> None:
        """Take the place of the vendors that were recorded."""
        super().__init__(settings, environ={})
        self._cells = cells
        self._replayed: dict[str, ReplayedVendor] = {}
        self._not_held: dict[str, None] = {}

    @property
    def not_held(self) -> tuple[str, ...]:
        """Requests so far that the dossier holds no answer to, without duplicates."""
        return tuple(self._not_held)

    def get(self, name: str) -> Vendor:
        """Return a recorded vendor.

        Raises:
            VendorNotConfigured: It was not asked, or not configured then.
        """
        known = self._cells.vendors.get(name)
        if known is None:
            raise VendorNotConfigured(f"The dossier holds nothing of {name}; it was not asked then.")
        if "error" in known:
            raise raised(known["error"])
        if name not in self._replayed:
            self._replayed[name] = ReplayedVendor(name, self._cells)
        return self._replayed[name]

    def call_of(self, name: str) -> Source:
        """Return the methods of a recorded vendor. Raises as `get` does."""
        self.get(name)
        return _ReplayedCall(name, self._cells, self._not_held)


class _ReplayedCall:
    """A recorded vendor's methods."""

    def __init__(self, name: str, cells: DataCells, not_held: dict[str, None]) -> None:
        self._name, self._cells, self._not_held = name, cells, not_held

    def answer(self, question: VendorQuestion) -> Any:
        """Return a recorded answer.

        Raises:
            NoData: The request was not made then.
            TradingAgentsError: What the vendor raised then.
        """
        method = question.method
        cell = self._cells.answers.get(self._cells.key(self._name, method.name, question.values))
        if cell is None:
            self._not_held[f"{self._name} {method.name} {' '.join(map(str, question.args))}"] = None
            raise NoData(f"The dossier holds no answer of {self._name} to this {method.name}; it was not asked then.")
        if "error" in cell:
            raise raised(cell["error"])
        return decode(method, cell["answer"])


class _RecordedVendor:
    """A vendor as it is; what it says of itself is recorded."""

    def __init__(self, name: str, vendor: Vendor, cells: DataCells) -> None:
        self._name, self._vendor, self._cells = name, vendor, cells
        reach = vendor.insiders_reach
        cells.vendors[name] = {
            "local": vendor.local,
            "live_only": sorted(vendor.live_only),
            "insiders_reach": None if reach is None else reach.total_seconds(),
        }

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vendor, name)

    def supports(self, method: AnyMethod) -> bool:
        return bool(self._noted("supports", self._vendor.supports(method), method.name))

    def covers(self, method: str, symbol: str) -> bool:
        return bool(self._noted("covers", self._vendor.covers(method, symbol), method, symbol))

    def was_listed(self, symbol: str, day: date) -> bool:
        return bool(self._noted("was_listed", self._vendor.was_listed(symbol, day), symbol, day))

    def unreadable(self, method: AnyMethod, *args: Any) -> tuple[str, ...]:
        return tuple(self._noted("unreadable", list(self._vendor.unreadable(method, *args)), method.name, *args))

    def place_of(self, fault: Fault) -> str:
        return str(self._noted("place_of", self._vendor.place_of(fault), fault.text(), fault.row))

    def _noted(self, name: str, value: Any, *args: object) -> Any:
        self._cells.facts[self._cells.fact(self._name, name, args)] = value
        return value


class ReplayedVendor(Vendor):
    """What a recorded vendor said of itself; unrecorded questions get the answers of `Vendor`."""

    name: ClassVar[str] = "dossier"

    def __init__(self, name: str, cells: DataCells) -> None:
        """Take the place of a vendor."""
        self._name, self._cells = name, cells
        facts = cells.vendors[name]
        reach = facts["insiders_reach"]
        # Constants of other vendors' classes, here of one vendor:
        self.local = bool(facts["local"])  # type: ignore[misc]
        self.live_only = frozenset(facts["live_only"])  # type: ignore[misc]
        self.insiders_reach = None if reach is None else timedelta(seconds=reach)  # type: ignore[misc]

    def supports(self, method: AnyMethod) -> bool:
        """Tell whether the vendor answered a question at all."""
        return bool(self._answered("supports", False, method.name))

    def covers(self, method: str, symbol: str) -> bool:
        """Tell whether the vendor would have known of rows of a symbol."""
        return bool(self._answered("covers", True, method, symbol))

    def was_listed(self, symbol: str, day: date) -> bool:
        """Tell whether the vendor might have had prices of a day."""
        return bool(self._answered("was_listed", True, symbol, day))

    def unreadable(self, method: AnyMethod, *args: Any) -> tuple[str, ...]:
        """Return what was unreadable."""
        return tuple(self._answered("unreadable", (), method.name, *args))

    def place_of(self, fault: Fault) -> str:
        """Return where a faulty row stood."""
        return str(self._answered("place_of", "", fault.text(), fault.row))

    def _answered(self, name: str, default: Any, *args: object) -> Any:
        return self._cells.facts.get(self._cells.fact(self._name, name, args), default)


def raised(error: Plain) -> errors.TradingAgentsError:
    """Return a recorded error; one of an unknown class as its nearest known base, `DataError`."""
    kind = getattr(errors, str(error["kind"]), DataError)
    known = isinstance(kind, type) and issubclass(kind, DataError | VendorNotConfigured)
    make: Callable[[str], errors.TradingAgentsError] = kind if known else DataError
    return make(str(error["message"]))


def _error(error: Exception) -> Plain:
    return {"kind": type(error).__name__, "message": str(error)}


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
