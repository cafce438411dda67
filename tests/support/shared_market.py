"""One simulated market for all graphs of a test process: a market is the same whoever makes it, and takes 0.5 to 1.5 s.

What it answered is kept too, where finding the answer takes milliseconds: hundreds of runs of one day ask the same. So
is what a graph keeps for its own later runs of rows that were checked, and of what capabilities worked out: that is
half of what a run with a scripted model takes.

The tests of the simulated market itself (`tests/dataflows/vendors/test_simulated*.py`) compare markets that were made
separately; they carry the marker `own_market`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import pytest

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.run_market import RunMarket
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendors import universe
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.settings import DEFAULT_TOOL_VENDORS

KEPT = 3
"""Markets kept at a time, by seed; one takes up to 30 MB."""
WORLD = (("world",), ("archive",), ("global",), ("world-news",), ("economy",))
"""What a vendor makes from the seed alone."""
WITHOUT_TEXTS = (("world",), ("economy",))
"""The part of it that takes a fifth of the time and is enough for prices, statements and calendars."""
SEARCHED = ("get_topic_news", "get_market_movers", "get_news", "get_global_news", "get_social_posts")
"""Questions whose answers, tuples of frozen rows, are kept."""
ANSWERS_KEPT = 256
"""Answers kept of one market."""
RESULTS_KEPT = 1024
"""What is kept of one market that was checked or worked out: rows of a question, parts of answers, answers."""
WORKED_OUT = (
    *("get_earnings_calendar", "get_fundamentals", "get_global_news", "get_indicators", "get_insider_transactions"),
    *("get_macro_regime", "get_market_indices", "get_market_movers", "get_news", "get_peer_comparison"),
    *("get_peer_multiples", "get_sector_performance", "get_sector_relative", "get_social_sentiment", "get_stock_data"),
    *("get_topic_news", "get_ttm_analysis"),
)
"""Capabilities that answer from the market alone."""
PARTS = (
    *("books at hand", "earnings_calendar", "fundamentals", "known_instruments", "prices", "sound", "simulated"),
    *("statements", "stocks at hand"),
)
"""What else rests on the market alone: parts of answers, checked rows, and the vendor's own."""
DATA_SETTINGS = (
    *("price_history_days", "news_article_limit", "global_news_article_limit", "global_news_lookback_days"),
    *("benchmark_ticker", "output_language"),
)
"""Settings on which those depend."""


class SharedMarkets:
    """What the simulated vendors of a process have made, by seed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.shared = True
        """Whether vendors made from now on share."""
        self._markets: OrderedDict[int, SimulatedVendor] = OrderedDict()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        """Have vendors of one seed share what they make, until the patch is undone.

        A vendor of a derived class shares what no method of its own can change. One with another calendar makes its
        own market.
        """
        make, open_one = SimulatedVendor.__init__, SimulatedVendor.__dict__["open"].__func__

        def shared(vendor: SimulatedVendor, seed: int = 7, **options: Any) -> None:
            make(vendor, seed, **options)
            if not self.shared or options.get("calendar") is not None:
                return
            if type(vendor) is not SimulatedVendor:
                vendor.__dict__["_made"] = _SharedWorld(SimulatedVendor(seed))
            else:
                self._join(vendor, seed)

        def opened(kind: type[SimulatedVendor], access: Access) -> SimulatedVendor:
            vendor: SimulatedVendor = open_one(kind, access)
            if self.shared and type(vendor) is SimulatedVendor and "worked_out" not in vars(vendor):
                self._join(vendor, access.settings.simulated_seed)  # one that was made while nothing was shared
            return vendor

        patch.setattr(SimulatedVendor, "__init__", shared)
        patch.setattr(SimulatedVendor, "open", classmethod(opened))
        for name in SEARCHED:
            patch.setattr(SimulatedVendor, name, _answered_once(getattr(SimulatedVendor, name)))
        patch.setattr(RunMarket, "__init__", self._remembering(RunMarket.__init__))

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Have vendors made meanwhile share nothing with those made before or afterwards.

        The library gives a graph the vendor that another graph holds, and garbage may hold one for long.
        """
        self.shared = False
        universe._OPEN.clear()
        try:
            yield
        finally:
            self.shared = True
            universe._OPEN.clear()

    def _remembering(self, make: Callable[..., None]) -> Callable[..., None]:
        """Return what makes the market of a run that remembers what runs of other graphs have checked and worked out.

        Only what a graph keeps for its own later runs; only on the market as it is: of no other vendor, with none
        replaced, wrapped or altered, and with no method of the simulated vendor patched by a test.
        """
        unchanged = _methods()

        @wraps(make)
        def remembering(market: RunMarket, *arguments: Any, **named: Any) -> None:
            make(market, *arguments, **named)
            settings, vendors = market.settings, market._vendors
            if (
                market.memo is None
                or isinstance(market.memo, _CommonMemo)
                or not vendors.from_settings
                or settings.data_vendor != "simulated"
                or settings.tool_vendors not in ({}, DEFAULT_TOOL_VENDORS)  # none: as `--offline` sets
                or _methods() != unchanged
            ):
                return
            common: Memo | None = vars(vendors.get("simulated")).get("worked_out")
            if common is not None:
                given = tuple(str(settings[name]) for name in DATA_SETTINGS)
                market.memo = market.source.memo = _CommonMemo(market.memo, common, (market.at.exchange, *given))

        return remembering

    def _join(self, vendor: SimulatedVendor, seed: int) -> None:
        """Give a vendor what the first one of its seed has made."""
        first = self._markets.setdefault(seed, vendor)
        vendor.__dict__.update(_made=first._made, _companies=first._companies, _lock=first._lock)
        vendor.__dict__["answered"] = first.__dict__.setdefault("answered", Memo(ANSWERS_KEPT))
        vendor.__dict__["worked_out"] = first.__dict__.setdefault("worked_out", Memo(RESULTS_KEPT))
        self._keep(seed)

    def _keep(self, seed: int) -> None:
        self._markets.move_to_end(seed)
        while len(self._markets) > KEPT:
            self._markets.popitem(last=False)


def _methods() -> dict[str, Any]:
    """Return what the simulated vendor answers with: its functions, and whether it counts as local."""
    return {name: one for name, one in vars(SimulatedVendor).items() if callable(one) or name == "local"}


class _CommonMemo(Memo):
    """What one graph keeps for its runs, of which all graphs share what rests on the market alone."""

    def __init__(self, own: Memo, common: Memo, given: tuple[str, ...]) -> None:
        """Begin with what others have kept.

        Args:
            own: The memo of the graph.
            common: What all graphs on the market share.
            given: The settings on which that depends.
        """
        self._own = own
        self._common = common
        self._given = given

    def get(self, key: Hashable) -> Any | None:
        return self._common.get((*self._given, key)) if _rests_on_the_market(key) else self._own.get(key)

    def put(self, key: Hashable, answer: Any) -> None:
        if _rests_on_the_market(key):
            self._common.put((*self._given, key), answer)
        else:
            self._own.put(key, answer)

    def hold(self, key: Hashable, value: Any) -> None:
        self._own.hold(key, value)

    def put_first(self, key: Hashable, answer: Any) -> Any:
        return self._own.put_first(key, answer)

    def pop(self, key: Hashable) -> Any | None:
        return self._own.pop(key)

    def __len__(self) -> int:
        return len(self._own)


def _rests_on_the_market(key: Hashable) -> bool:
    """Tell whether a graph keeps by this key what follows from the market, the day and the question.

    An answer of a capability is kept by its name, the cut-off and its arguments; a part of one has the cut-off last.
    """
    if not isinstance(key, tuple):
        return False
    return key[0] in PARTS or (key[0] in WORKED_OUT and len(key) == 3 and isinstance(key[1], Cutoff))


class _SharedWorld(dict[tuple[str, ...], Any]):
    """What a vendor of a derived class has made, and on demand what the plain vendor makes from the seed alone.

    The plain vendor is asked, so that no method that the derived class may have of its own has a part in it.
    """

    def __init__(self, plain: SimulatedVendor) -> None:
        """Begin with nothing.

        Args:
            plain: The vendor of the same seed that makes the world.
        """
        super().__init__()
        self._plain = plain

    def __contains__(self, key: object) -> bool:
        if not super().__contains__(key) and key in WORLD:
            self.update(_of_the_world(self._plain, whole=key not in WITHOUT_TEXTS))
        return super().__contains__(key)


def _of_the_world(vendor: SimulatedVendor, *, whole: bool) -> dict[tuple[str, ...], Any]:
    """Return what a vendor makes from the world alone: with all articles, which take longest, or without."""
    day = datetime(2025, 1, 2, tzinfo=UTC)
    vendor.get_economic_calendar(day.date(), day.date())
    if whole:
        vendor.get_topic_news("energy", day, day)
    return {key: vendor._made[key] for key in (WORLD if whole else WITHOUT_TEXTS)}


def _answered_once(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Return a vendor's method that gives a question's first answer again, on vendors that share."""

    @wraps(ask)
    def asked(vendor: SimulatedVendor, *arguments: Any, **named: Any) -> Any:
        memo = vendor.__dict__.get("answered")
        if memo is None or named:
            return ask(vendor, *arguments, **named)
        key = (ask.__name__, *arguments)
        found = memo.get(key)
        if found is None:
            found = ask(vendor, *arguments)
            memo.put(key, found)
        return found

    return asked
