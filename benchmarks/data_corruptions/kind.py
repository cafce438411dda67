"""What a kind of corruption is, and what it makes of a company."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from benchmarks.data_corruptions.companies import Company, Pool


class NotApplicable(Exception):
    """The drawn company or day has nothing that this kind could corrupt."""


@dataclass(frozen=True)
class Changed:
    """A corrupted company."""

    company: Company
    variant: str
    """Which form of the kind."""
    what: str
    """What was done, in one sentence with its rows."""
    rows: tuple[date, ...]
    """Days or period ends of the rows that were changed, added or removed."""
    truth: Company | None = None
    """The clean copy, where that is not the company as recorded."""


Corrupt = Callable[[Company, date, Random], Changed]


@dataclass(frozen=True)
class Kind:
    """One way in which data are wrong."""

    name: str
    pool: Pool
    corrupt: Corrupt

    @property
    def source(self) -> str:
        """Where such a fault comes from."""
        return (self.corrupt.__doc__ or "").strip()


def named(*kinds: Kind) -> Mapping[str, Kind]:
    """Return kinds by name."""
    return {kind.name: kind for kind in kinds}
