"""Contents and hit rates of the disk cache, and how much of each vendor's rate limit is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Held
from tradingagents.dataflows.gateway.limits import LIMITS_FILE, Rate, RateLimiter, parse_rates
from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.settings import Settings

HOUR, DAY = 3600, 86400


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests sent to one vendor from this home, with any key."""

    vendor: str
    last_hour: int
    last_day: int
    rates: tuple[tuple[Rate, int], ...]
    """Each rate limit, and the requests within its window."""


@dataclass(frozen=True, slots=True)
class DataStatus:
    """Statistics of the cache and of requests."""

    path: Path
    size: int
    """Size of the cache file and its journal in bytes; 0 if there is none."""
    kinds: tuple[Held, ...]
    requests: tuple[Requests, ...]
    """Vendors with a rate limit."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "path": str(self.path),
            "size": self.size,
            "kinds": [
                {
                    **asdict(kind),
                    "oldest": kind.oldest.isoformat() if kind.oldest else None,
                    "newest": kind.newest.isoformat() if kind.newest else None,
                    "hit_rate": kind.hit_rate,
                }
                for kind in self.kinds
            ],
            "requests": [
                {
                    "vendor": request.vendor,
                    "last_hour": request.last_hour,
                    "last_day": request.last_day,
                    "rates": [{"rate": str(rate), "used": used} for rate, used in request.rates],
                }
                for request in self.requests
            ],
        }


def data_status(settings: Settings, *, clock: Callable[[], float] | None = None) -> DataStatus:
    """Read the cache and the request counts of a home folder; sends no requests.

    Args:
        settings: Home folder and rate limits.
        clock: Seconds since the epoch; None: the system's.

    Raises:
        HomeNotWritable: A file can't be read.
        SettingsError: A rate limit is invalid.
    """
    cache = DiskCache(settings.home_dir / CACHE_FILE)
    limits = settings.home_dir / LIMITS_FILE
    limiter = RateLimiter(limits, clock=clock) if clock else RateLimiter(limits)

    def requests(vendor: str, rates: tuple[Rate, ...]) -> Requests:
        def used(seconds: float) -> int:
            return limiter.used(f"{vendor}:", seconds)

        return Requests(vendor, used(HOUR), used(DAY), tuple((rate, used(rate.seconds)) for rate in rates))

    kept = {name: settings.vendor_rates.get(name, known.rates) for name, known in registrations().items()}
    files = (cache.path, cache.path.with_name(f"{cache.path.name}-wal"))
    return DataStatus(
        path=cache.path,
        size=sum(file.stat().st_size for file in files if file.exists()),
        kinds=cache.held(),
        requests=tuple(requests(name, parse_rates(text)) for name, text in kept.items() if text),
    )
