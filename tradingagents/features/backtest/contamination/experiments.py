"""Services for experiments: the same market under other names, years and levels, mirrored, or under another's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.router import Alter
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.sectors import PEERS
from tradingagents.features.backtest.contamination.altered_data import levels_by_seed, mirrored, rescaled
from tradingagents.features.backtest.contamination.name_mask import Identity, NameMask, made_up
from tradingagents.llm_clients.mask import PromptMask
from tradingagents.runtime.services import MEMO_SIZE, Services

SEED = "20260101"


def disguised(services: Services, tickers: Sequence[str], day: date, *, seed: str = SEED) -> Services:
    """Return services under which models see companies under made-up names, other years, and other levels.

    The companies and their peers are renamed alike everywhere; amounts of money, prices, and counts of shares are
    rescaled, so that ratios and returns stay as they are. Products, people and events keep their names.

    Args:
        services: Of the real market.
        tickers: The companies to disguise, normalised.
        day: As of which sectors and names are read.
        seed: Equal seeds give equal disguises.
    """
    known = _with_peers(services, tickers, day)
    mask = NameMask(made_up(known, seed))
    return _altered(services, f"disguised {seed}", rescaled(levels_by_seed(seed)), mask)


def upside_down(services: Services, day: date) -> Services:
    """Return services under which every price series is mirrored around its close on a day.

    Args:
        services: Of the real market.
        day: The day of the decision.
    """
    return _altered(services, f"mirrored {day}", mirrored(day), None)


def under_name_of(services: Services, ticker: str, other: str, day: date) -> Services:
    """Return services under which models see the data of one company as another's.

    Both names are exchanged wherever they stand.

    Args:
        services: Of the real market.
        ticker: The company whose data are read.
        other: The company under whose name they are shown.
        day: As of which names are read.
    """
    own, shown = identity(services, ticker, day), identity(services, other, day)
    return _altered(services, f"named {other}", None, NameMask({own: shown, shown: own}, years=0))


def identity(services: Services, ticker: str, day: date) -> Identity:
    """Return ticker and name of a company; the ticker stands for a name that no vendor knows."""
    data = MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)
    profile = data.known_profile(ticker)
    return Identity(ticker, profile.name if profile is not None else ticker)


def _with_peers(services: Services, tickers: Sequence[str], day: date) -> list[Identity]:
    """Return the companies and those that a tool may name beside them, each once."""
    data = MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)
    sectors = {one.sector for ticker in tickers if (one := data.known_profile(ticker)) is not None and one.sector}
    named = dict.fromkeys([*tickers, *(peer for sector in sorted(sectors) for peer in PEERS.get(sector, ()))])
    return [identity(services, one, day) for one in named]


def _altered(services: Services, variant: str, alter: Alter | None, mask: PromptMask | None) -> Services:
    vendors = services.vendors if alter is None else services.vendors.altered_by(alter)
    return replace(services, vendors=vendors, mask=mask, memo=Memo(MEMO_SIZE), graphs={}, variant=variant)
