"""A case: a seed, the world, endpoint and change that are drawn from it, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.vendor_mutations.asking import Asker, Heard
from benchmarks.vendor_mutations.documents import Document
from benchmarks.vendor_mutations.judging import Verdict, judge
from benchmarks.vendor_mutations.kinds import KINDS, Changed, NotApplicable
from benchmarks.vendor_mutations.worlds import World
from tests.support.vendor_server import Reply

TRIES = 60
MOST_QUESTIONS = 3
ON_THE_WIRE = ("page", "error with 200", "empty", "cut body")
"""Kinds that apply to answers that are no JSON too."""


@dataclass(frozen=True)
class Case:
    """A case and what became of it."""

    seed: int
    kind: str
    world: str
    vendor: str
    endpoint: str
    changed: Changed
    verdict: Verdict

    @property
    def line(self) -> str:
        """The case on one line."""
        what = f"{self.seed} {self.kind} ({self.changed.variant}) {self.world} {self.endpoint}: {self.changed.what}"
        return f"{self.verdict.outcome}: {what}: {'; '.join(self.verdict.findings)[:400]}"


@dataclass(frozen=True)
class Known:
    """A world as it is when nothing is changed."""

    heard: Heard
    endpoints: Mapping[str, tuple[str, ...]]
    """The questions that ask each endpoint."""
    replies: Mapping[str, Reply]
    """The longest reply of each."""


class Cases:
    """Draws and runs cases; the answers of unchanged worlds are kept."""

    def __init__(self, worlds: Sequence[World], home: Path) -> None:
        """Start the servers."""
        self._worlds = {world.name: world for world in worlds}
        self._asker = Asker(home)
        self._known: dict[str, Known] = {}

    def close(self) -> None:
        """Stop the servers."""
        self._asker.close()

    def known(self, world: World) -> Known:
        """Return a world as it is when nothing is changed; questions that it cannot answer are left out."""
        if world.name not in self._known:
            endpoints: dict[str, list[str]] = {}
            replies: dict[str, Reply] = {}
            whole = self._asker.ask(world)
            answered = [
                one for one in world.questions if not (whole.answers[one[0]].refused or whole.answers[one[0]].crash)
            ]
            for question in answered:
                self._asker.ask(replace(world, questions=(question,)))
                for name, reply in self._asker.asked:
                    endpoints.setdefault(name, [])
                    if question[0] not in endpoints[name]:
                        endpoints[name].append(question[0])
                    if name not in replies or len(reply.bytes()) > len(replies[name].bytes()):
                        replies[name] = reply
            named = {name: tuple(questions) for name, questions in endpoints.items()}
            self._known[world.name] = Known(whole, named, replies)
        return self._known[world.name]

    def run(self, seed: int) -> Case:
        """Draw a case, change, ask and judge."""
        kind = list(KINDS)[seed % len(KINDS)]
        for attempt in range(TRIES):
            rng = Random(f"{kind} {seed} {attempt}")  # noqa: S311
            world = self._worlds[rng.choice(list(self._worlds))]
            known = self.known(world)
            if not known.endpoints:
                continue
            endpoint = rng.choice(
                [name for name in world.endpoints or sorted(known.endpoints) if name in known.endpoints]
            )
            try:
                drawn = self._change(kind, world, known.replies[endpoint], f"{seed} {attempt}")
            except (NotApplicable, ValueError, IndexError, KeyError, TypeError):
                continue
            return self._judged(seed, kind, world, known, endpoint, drawn, f"{seed} {attempt}")
        raise LookupError(f"{kind} applies to no answer drawn for seed {seed}")

    def _judged(
        self, seed: int, kind: str, world: World, known: Known, endpoint: str, drawn: Changed, salt: str
    ) -> Case:
        def change(reply: Reply) -> Reply:
            try:
                return self._change(kind, world, reply, salt).reply
            except (NotApplicable, ValueError, IndexError, KeyError, TypeError):
                return reply

        names = known.endpoints[endpoint]
        names = tuple(Random(salt).sample(names, min(len(names), MOST_QUESTIONS)))  # noqa: S311
        asked = tuple(question for question in world.questions if question[0] in names)
        given = self._asker.ask(replace(world, questions=asked), endpoint, change)
        verdict = judge(world.vendor, drawn, known.heard, given)
        return Case(seed, kind, world.name, world.vendor, endpoint, drawn, verdict)

    def _change(self, kind: str, world: World, reply: Reply, salt: str) -> Changed:
        rng = Random(f"change {salt}")  # noqa: S311
        try:
            document = Document(reply, world.vendor)
        except ValueError:
            if kind not in ON_THE_WIRE:
                raise
            document = Document(Reply({"text": reply.bytes().decode("utf-8", "replace")}), world.vendor)
        return KINDS[kind](document, rng)
