"""Disguises: the same market under other names, years and levels, mirrored, or under another company's name.

A mask over prompts gives companies other names and moves every year; replies are turned back. Years are moved by 28,
after which every date falls on the same day of the week. Products, people and events are not renamed: a mask is a
diagnostic and no cure.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import count
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.router import Alter
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.company_names import known_names, plain_name
from tradingagents.dataflows.reference.sectors import PEERS
from tradingagents.features.backtest.contamination.altered_data import levels_by_seed, mirrored, rescaled
from tradingagents.llm_clients.run_context import PromptMask
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
    return [identity(services, ticker, day) for ticker in named]


def _altered(services: Services, variant: str, alter: Alter | None, mask: PromptMask | None) -> Services:
    vendors = services.vendors if alter is None else services.vendors.altered_by(alter)
    return replace(services, vendors=vendors, mask=mask, memo=Memo(MEMO_SIZE), graphs={}, variant=variant)


YEARS = 28
_YEAR = re.compile(r"(?:(?<=FY)|(?<=CY)|(?<![\w.,$€£¥]))(1[89]\d\d|20\d\d)(?![\d%]|[.,]\d)")
_SHORT_YEAR = re.compile(r"(?<![A-Za-z])(FY'?|CY'?|[QH][1-4]\s?(?:FY|CY)?')(\d\d)(?!\d)")
_FIRST = ("Bra", "Cor", "Del", "Fen", "Gal", "Hex", "Jor", "Kel", "Lum", "Mor", "Nor", "Pol", "Quen", "Ros", "Tal")
_SECOND = ("vani", "dola", "mira", "tesso", "luno", "rivo", "sanda", "pello", "zoro", "wena", "kiro", "bento")
_THIRD = ("x", "n", "tec", "ra", "lis", "do", "mar", "via")
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


@dataclass(frozen=True, slots=True)
class Identity:
    """Under which ticker and name a company is shown."""

    ticker: str
    name: str


class NameMask:
    """Shows companies under other names, and moves years; see `PromptMask`."""

    def __init__(self, identities: Mapping[Identity, Identity], *, years: int = -YEARS) -> None:
        """Make the mask.

        Args:
            identities: The identity shown of each company; no two companies may be shown alike.
            years: By how many years dates are moved; 0: not at all.

        Raises:
            ValueError: Two companies would be shown under one ticker.
        """
        if len({shown.ticker for shown in identities.values()}) < len(identities):
            raise ValueError("two companies are shown under one ticker")
        self._hide = _Words({(company, _terms(company)): shown for company, shown in identities.items()}, years)
        self._reveal = _Words({(shown, _terms(shown)): company for company, shown in identities.items()}, -years)

    def hidden(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Return the conversation as a model is sent it."""
        return [_rewritten(message, self._hide) for message in messages]

    def revealed(self, reply: AIMessage) -> AIMessage:
        """Return a reply, its tool calls included, as agents read it."""
        read: AIMessage = _rewritten(reply, self._reveal)
        return read

    def shown(self, text: str) -> str:
        """Return a text as a model is shown it."""
        return self._hide(text)


def made_up(companies: Collection[Identity], seed: str) -> dict[Identity, Identity]:
    """Return for each company a ticker and a name that no company has, from hashes of the seed and the ticker."""
    found: dict[Identity, Identity] = {}
    taken = {part for company in companies for part in (company.ticker, company.name)}
    for company in companies:
        shown = next(drawn for drawn in _draws(company.ticker, seed) if taken.isdisjoint((drawn.ticker, drawn.name)))
        taken |= {shown.ticker, shown.name}
        found[company] = shown
    return found


def _draws(ticker: str, seed: str) -> Iterator[Identity]:
    for number in count():
        drawn = hashlib.sha256(f"{seed} {ticker} {number}".encode()).digest()
        name = "".join(part[byte % len(part)] for part, byte in zip((_FIRST, _SECOND, _THIRD), drawn, strict=False))
        letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in drawn[3:7])
        yield Identity(f"{letters}Q", name)


class _Words:
    """Rewrites the names and years of a text."""

    def __init__(self, identities: Mapping[tuple[Identity, tuple[str, ...]], Identity], years: int) -> None:
        self._years = years
        self._names: dict[str, str] = {}
        for (company, terms), shown in identities.items():
            self._names |= {term.casefold(): plain_name(shown.name) or shown.ticker for term in terms}
            self._names[company.ticker] = shown.ticker
        tickers = sorted((company.ticker for company, _ in identities), key=len, reverse=True)
        names = sorted({name for _, found in identities for name in found}, key=len, reverse=True)
        # Tickers as written; names in any case, for headlines in capitals. `(?!)` matches nothing.
        plain, words = ("|".join(map(re.escape, terms)) or "(?!)" for terms in (tickers, names))
        self._pattern = re.compile(rf"(?<![\w&])(?:({plain})|((?i:{words})))(?![\w&])")

    def __call__(self, text: str) -> str:
        text = self._pattern.sub(self._other_name, text)
        if not self._years:
            return text
        text = _YEAR.sub(lambda found: str(int(found[1]) + self._years), text)
        return _SHORT_YEAR.sub(lambda found: f"{found[1]}{(int(found[2]) + self._years) % 100:02d}", text)

    def _other_name(self, found: re.Match[str]) -> str:
        return self._names[found[1] or found[2].casefold()]


def _terms(company: Identity) -> tuple[str, ...]:
    """Return the names of a company, longest first, without its ticker."""
    return tuple(
        name for name in known_names(company.ticker, company.name) if name.casefold() != company.ticker.casefold()
    )


def _rewritten(message: Any, words: _Words) -> Any:
    """Return a message whose texts, tool calls and tool results are rewritten."""
    deep = partial(_deep, words=words)
    changes: dict[str, Any] = {"content": deep(message.content), "additional_kwargs": deep(message.additional_kwargs)}
    if isinstance(message, AIMessage):
        calls, broken = message.tool_calls, message.invalid_tool_calls
        changes["tool_calls"] = [{**call, "args": deep(call["args"])} for call in calls]
        changes["invalid_tool_calls"] = [{**call, "args": deep(call["args"])} for call in broken]
    return message.model_copy(update=changes)


def _deep(value: Any, words: _Words) -> Any:
    if isinstance(value, str):
        return words(value)
    if isinstance(value, list):
        return [_deep(part, words) for part in value]
    if isinstance(value, dict):
        return {key: _deep(part, words) for key, part in value.items()}
    return value
