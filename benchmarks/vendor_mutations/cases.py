"""A case: a seed, the world, endpoint and change that are drawn from it, and what became of it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.vendor_mutations.asking import Asker, Heard
from benchmarks.vendor_mutations.documents import Document
from benchmarks.vendor_mutations.judging import TOLD_APART, Posts, Verdict, judge
from benchmarks.vendor_mutations.kinds import KINDS, Changed, NotApplicable
from benchmarks.vendor_mutations.worlds import World
from tests.support.vendor_server import Reply
from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.vendors.posts import count, instant, shortened, words

TRIES = 600
FULL = 5000
"""The first seed of the worlds of later."""
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
    asked_before: bool
    """Whether the vendor's answer of the day before is stored."""
    verdict: Verdict

    @property
    def line(self) -> str:
        """The case on one line."""
        before = ", asked before" if self.asked_before else ""
        kind = f"{self.kind} ({self.changed.variant}{before})"
        what = f"{self.seed} {kind} {self.world} {self.endpoint}: {self.changed.what}"
        return f"{self.verdict.outcome}: {what}: {'; '.join(self.verdict.findings)[:400]}"


@dataclass(frozen=True)
class Known:
    """A world as it is when nothing is changed."""

    heard: Heard
    endpoints: Mapping[str, tuple[str, ...]]
    """The questions that ask each endpoint."""
    replies: Mapping[str, Reply]
    """The longest reply of each."""
    stored: Path
    """The cache of a home in which all was asked the day before."""
    posts: Posts
    """Every post of the replies."""


def posts_of(reply: Reply) -> Iterator[tuple[str, str]]:
    """Yield minute and first words of each post in a reply: of each object with an instant and a text of its own."""

    def walk(node: Any) -> Iterator[tuple[str, str]]:
        if isinstance(node, dict):
            body, at = node.get("body", node.get("title")), node.get("created_at", node.get("created_utc"))
            moment = instant(at) if isinstance(at, str) else datetime.fromtimestamp(at, UTC) if count(at) else None
            if moment is not None and (text := shortened(body)):
                more = words(node.get("selftext"))
                yield f"{moment:%Y-%m-%d %H:%M}", f"{text} {more}"[:TOLD_APART] if more else text[:TOLD_APART]
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from walk(child)

    try:
        yield from walk(json.loads(reply.bytes()))
    except ValueError:
        return


class Cases:
    """Draws and runs cases; the answers of unchanged worlds are kept."""

    def __init__(self, worlds: Sequence[World], home: Path) -> None:
        """Start the servers."""
        self._worlds = {world.name: world for world in worlds}
        self._home = home
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
            if crashes := [answer.crash for answer in whole.answers.values() if answer.crash]:
                raise RuntimeError(f"{world.name} crashes though nothing is changed: {crashes}")
            answered = [one for one in world.questions if not whole.answers[one[0]].refused]
            for question in answered:
                self._asker.ask(replace(world, questions=(question,)))
                for name, reply in self._asker.asked:
                    endpoints.setdefault(name, [])
                    if question[0] not in endpoints[name]:
                        endpoints[name].append(question[0])
                    if name not in replies or len(reply.bytes()) > len(replies[name].bytes()):
                        replies[name] = reply
            named = {name: tuple(questions) for name, questions in endpoints.items()}
            posts = frozenset(post for reply in replies.values() for post in posts_of(reply))
            self._known[world.name] = Known(whole, named, replies, self._asked_before(world), posts)
        return self._known[world.name]

    def _asked_before(self, world: World) -> Path:
        """Return the cache after a world's questions, its answers dated to the day before and none of them in use."""
        path = self._home / "stored" / f"{len(self._known)}.sqlite"
        self._asker.ask(world, cache=DiskCache(path))
        with closing(sqlite3.connect(path)) as connection, connection:
            stamp = (world.now - timedelta(days=1)).astimezone(UTC).isoformat(timespec="microseconds")
            connection.execute("DELETE FROM answers")
            connection.execute("UPDATE earlier SET stored_at = ?", (stamp,))
        return path

    def heard_again(self, world: World) -> Heard:
        """Return the unchanged answers where they are held against those of the day before."""
        return self._asker.ask(world, cache=self._cache(self.known(world)))

    def _cache(self, known: Known) -> DiskCache:
        path = self._home / "cache.sqlite"
        for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            name.unlink(missing_ok=True)
        shutil.copyfile(known.stored, path)
        return DiskCache(path)

    def run(self, seed: int) -> Case:
        """Draw a case, change, ask and judge; every second one of each kind is asked of a vendor asked before."""
        kind = list(KINDS)[seed % len(KINDS)]
        names = [name for name, world in self._worlds.items() if world.is_later == (seed >= FULL)]
        for attempt in range(TRIES):
            rng = Random(f"{kind} {seed} {attempt}")  # noqa: S311
            world = self._worlds[rng.choice(names)]
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
        changed: dict[bytes, Reply] = {}

        def change(reply: Reply) -> Reply:
            body = reply.bytes()
            if body not in changed:
                try:
                    changed[body] = self._change(kind, world, reply, salt).reply
                except (NotApplicable, ValueError, IndexError, KeyError, TypeError):
                    changed[body] = reply
            return changed[body]

        names = known.endpoints[endpoint]
        names = tuple(Random(salt).sample(names, min(len(names), MOST_QUESTIONS)))  # noqa: S311
        asked = tuple(question for question in world.questions if question[0] in names)
        asked_before = seed // len(KINDS) % 2 == 1
        cache = self._cache(known) if asked_before else None
        given = self._asker.ask(replace(world, questions=asked), endpoint, change, cache)
        verdict = judge(world.vendor, drawn, known.heard, given, known.posts)
        return Case(seed, kind, world.name, world.vendor, endpoint, drawn, asked_before, verdict)

    def _change(self, kind: str, world: World, reply: Reply, salt: str) -> Changed:
        rng = Random(f"change {salt}")  # noqa: S311
        try:
            document = Document(reply, world.vendor)
        except ValueError:
            if kind not in ON_THE_WIRE:
                raise
            document = Document(Reply({"text": reply.bytes().decode("utf-8", "replace")}), world.vendor)
        return KINDS[kind](document, rng)
