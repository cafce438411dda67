"""The archive of the press: every article about every company, small enough to keep for searching them all.

As objects the hundred thousand headlines of a market take 23 megabytes, and making them again takes a third of a
second: too much to keep, too slow to repeat with each search. As columns of numbers they take four. An article is
written when a window is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendors.simulated.books import accounts_of
from tradingagents.dataflows.vendors.simulated.news import Headline, Kind, Results, headlines_of, write
from tradingagents.dataflows.vendors.simulated.world import World

_KINDS: tuple[Kind, ...] = get_args(Kind)
_COLUMNS = np.dtype(
    [
        ("published", np.int64),
        ("kind", np.int8),
        ("tone", np.int8),
        ("session", np.int32),
        ("choice", np.float64),
        ("company", np.int16),
        ("results", np.int32),
    ]
)


@dataclass(frozen=True, slots=True)
class Archive:
    """Headlines of all companies by time of publication, as columns of numbers."""

    headlines: npt.NDArray[Any]
    """`company` is a position in `symbols`; `results` one in `results`, -1 for none."""
    results: tuple[Results, ...]
    """What the articles on filings quote."""
    symbols: tuple[str, ...]


def make_archive(world: World) -> Archive:
    """File the headlines of every company away, one company after the other."""
    results: list[Results] = []
    columns = []
    for company, share in enumerate(world.shares.values()):
        accounts = accounts_of(share.company, share.traits, share.quarters)
        found = headlines_of(share, accounts, world.seed, world.timeline)
        columns.append(np.array([_row(headline, company, results) for headline in found], _COLUMNS))
    filed = np.concatenate(columns)
    # Stable: of articles of one second, the company that comes first in the roster stays first.
    ordered = filed[np.argsort(filed["published"], kind="stable")]
    ordered.flags.writeable = False
    return Archive(ordered, tuple(results), tuple(world.shares))


def _row(headline: Headline, company: int, results: list[Results]) -> tuple[float, ...]:
    """Return a headline as a row of `_COLUMNS`; what it quotes of a filing is added to `results`."""
    place = -1
    if headline.results is not None:
        place = len(results)
        results.append(headline.results)
    kind = _KINDS.index(headline.kind)
    return headline.published, kind, headline.tone, headline.session, headline.choice, company, place


def archived(archive: Archive, world: World, start: datetime, end: datetime) -> Iterator[NewsItem]:
    """Write the articles published in [start, end], newest first."""
    published = archive.headlines["published"]
    first = int(np.searchsorted(published, start.timestamp(), side="left"))
    last = int(np.searchsorted(published, end.timestamp(), side="right"))
    for seconds, kind, tone, session, choice, company, place in archive.headlines[first:last][::-1].tolist():
        results = archive.results[place] if place >= 0 else None
        headline = Headline(seconds, _KINDS[kind], tone, session, choice, results)
        yield write(world.shares[archive.symbols[company]], headline, world.timeline)
