"""Services that know another future: the same settings and vendors, in a home of their own, with tampered data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot.vendor import SnapshotVendor
from tradingagents.features.backtest.audit.tampering.folder import tampered_folder
from tradingagents.features.backtest.audit.tampering.rows import MARK, TamperedFuture
from tradingagents.features.backtest.audit.tampering.vendor import tampered_vendor
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import MEMORY_NAMES, new_memories
from tradingagents.runtime.services import MEMO_SIZE, Services

MEMORY = "memory.sqlite"


def untouched(services: Services, home: Path) -> Services:
    """Return services that share nothing with earlier runs: no cache, no memory, a home of their own.

    Args:
        services: Of the backtest.
        home: A folder for what runs write.
    """
    settings = services.settings.model_copy(update={"home": home})
    made = replace(services, settings=settings, vendors=services.vendors.wrapped(settings, _same))
    return _in_home(services, home, made)


def with_future(services: Services, home: Path, future: TamperedFuture, situations: Sequence[str]) -> Services:
    """Return services whose vendors and memories know another future.

    A folder of recorded data is tampered with as a copy, and its vendor opened on that; every other vendor is served a
    tampered future from beneath and from above. Every memory holds lessons that are learned later.

    Args:
        services: Of the backtest.
        home: A folder for what runs write, and for the copy.
        future: The cut-off, and what becomes of what was known only after it.
        situations: Texts of the day that a later lesson resembles, so that it would be found.
    """
    folder = services.settings.data_dir
    copied = None if folder is None else home / "data"
    if folder is not None and copied is not None and not copied.exists():
        tampered_folder(folder, copied, future)
    settings = services.settings.model_copy(update={"home": home, "data_dir": copied})

    plain = services.vendors.wrapped(settings, _same)

    def wrap(vendor: Vendor) -> Vendor:
        if isinstance(vendor, SnapshotVendor) and copied is not None:
            return type(vendor).open(plain.access(vendor.name))
        return tampered_vendor(vendor, future)

    made = replace(services, settings=settings, vendors=services.vendors.wrapped(settings, wrap))
    found = _in_home(services, home, made)
    _teach(found.lessons, future.day, situations)
    return found


def _same(vendor: Vendor) -> Vendor:
    return vendor


def _in_home(services: Services, home: Path, found: Services) -> Services:
    home.mkdir(parents=True, exist_ok=True)
    lessons = LessonStore(home / MEMORY, services.cohort)
    return replace(
        found,
        memo=Memo(MEMO_SIZE),
        cache=DiskCache(home / CACHE_FILE),
        lessons=lessons,
        memories=new_memories(lessons),
        outcomes=OutcomeStore(home / MEMORY, services.cohort),
        graphs={},
    )


def _teach(lessons: LessonStore, day: date, situations: Sequence[str]) -> None:
    later = [Lesson(text, f"{MARK}: it fell.", day + timedelta(days=after)) for text in situations for after in (1, 40)]
    for name in MEMORY_NAMES if later else ():
        lessons.add(name, later)
