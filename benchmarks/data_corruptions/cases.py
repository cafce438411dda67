"""A case: a kind and a seed, what was corrupted, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.data_corruptions.asking import Asker, Replies
from benchmarks.data_corruptions.companies import Company, Recorded, picked
from benchmarks.data_corruptions.judging import Verdict, judge
from benchmarks.data_corruptions.kind import Changed, Kind, NotApplicable
from benchmarks.data_corruptions.other_kinds import OTHER_KINDS
from benchmarks.data_corruptions.price_kinds import PRICE_KINDS
from benchmarks.data_corruptions.statement_kinds import STATEMENT_KINDS

KINDS: Mapping[str, Kind] = {**PRICE_KINDS, **STATEMENT_KINDS, **OTHER_KINDS}
"""Every kind by name."""
TRIES = 200
"""How often a company and a day are drawn until the kind applies."""


@dataclass(frozen=True)
class Outcome:
    """A case and what became of it."""

    kind: str
    seed: int
    variant: str
    symbol: str
    day: date
    what: str
    verdict: Verdict


class Cases:
    """Runs cases on a recorded market; the answers of clean copies are kept."""

    def __init__(self, folder: Path, home: Path, *, sampled: int = 10) -> None:
        """Open the market.

        Args:
            folder: The recorded market.
            home: For what runs leave.
            sampled: Of so many seeds one makes a trading run, and asks about the whole market, too.
        """
        self.recorded = Recorded(folder)
        self.asker = Asker(self.recorded, folder, home)
        self._sampled = sampled
        self._clean: dict[tuple[str, date, bool], Replies] = {}

    def draw(self, kind: str, seed: int) -> tuple[Company, date, Changed]:
        """Return the company and the day of a case, and the corrupted company."""
        found = KINDS[kind]
        for attempt in range(TRIES):
            company, day = self.recorded.draw(found.pool, Random(f"{found.pool} {seed} {attempt}"))  # noqa: S311
            try:
                return company, day, found.corrupt(company, day, Random(f"{kind} {seed} {attempt}"))  # noqa: S311
            except NotApplicable:
                continue
        raise LookupError(f"{kind} applies to no company drawn for seed {seed}")

    def run(self, kind: str, seed: int) -> Outcome:
        """Corrupt, ask and judge."""
        company, day, changed = self.draw(kind, seed)
        more = seed % self._sampled == 0
        if changed.truth is not None:
            truth = self.asker.ask(changed.truth, day, wider=more, run=more)
        else:
            key = (company.symbol, day, more)
            if key not in self._clean:
                self._clean[key] = self.asker.ask(company, day, wider=more, run=more)
            truth = self._clean[key]
        given = self.asker.ask(changed.company, day, wider=more, run=more)
        remaining = tuple(self._remaining(changed.truth or company, changed, day, given, more=more))
        verdict = judge(f"{kind} {changed.variant}", changed.rows, truth, given, remaining)
        return Outcome(kind, seed, changed.variant, company.symbol, day, changed.what, verdict)

    def _remaining(
        self, clean: Company, changed: Changed, day: date, given: Replies, *, more: bool
    ) -> Iterator[Replies]:
        """Yield the answers of a clean copy without the bars that some answers say are withheld or left out."""
        told = " ".join(sentence for reply in given.values() for sentence in reply.sentences)
        found = re.findall(rf"{re.escape(clean.symbol)} before (\d{{4}}-\d{{2}}-\d{{2}}) are withheld", told)
        if found:
            since = clean.prices.since(date.fromisoformat(max(found)))
            if len(since):
                yield self.asker.ask(replace(clean, prices=since), day, wider=more, run=more)
        elif changed.company.prices is not clean.prices and any(row.isoformat() in told for row in changed.rows):
            gone = np.array(changed.rows, "datetime64[D]")
            left = picked(clean.prices, np.flatnonzero(~np.isin(clean.prices.days, gone)))
            yield self.asker.ask(replace(clean, prices=left), day, wider=more, run=more)
