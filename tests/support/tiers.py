"""The tiers of the tests, and what `make test` samples and `make test-all` runs whole.

Each test belongs to one tier, which pytest knows as a marker (`-m unit`):

unit          a module by itself: no process, no server, no whole run
integration   several parts together: vendors and models behind local servers, whole runs, the command line
process       runs that are killed and resumed, several processes at once, installed packages
chaos         runs against servers that fail, random settings and damaged folders
docs          the examples of the documentation
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest

PART = re.compile(r"(\d{1,4})/(\d{1,4})")
TIERS = ("unit", "integration", "process", "chaos", "docs")
FAST, THOROUGH = "fast", "thorough"
"""Profiles of hypothesis: `make test` tries the same few examples each time, `--all` many, others each time."""
FAST_EXAMPLES = 15
_BUSY: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
"""How long an example takes depends on what else the machine does."""
hypothesis.settings.register_profile(FAST, max_examples=FAST_EXAMPLES, derandomize=True, database=None, **_BUSY)
hypothesis.settings.register_profile(THOROUGH, max_examples=100, print_blob=True, **_BUSY)
_UNIT = (
    "analytics",
    "capabilities",
    "dataflows",
    "features/deep_report/report",
    "features/deep_report/rules",
    "features/debate/rules",
    "features/report_check",
    "features/research/rules",
    "features/valuation_report",
    "files",
    "memory",
    "offline",
    "provenance",
    "reports",
    "retrieval",
    "runtime/runs",
    "valuation",
)
"""Folders whose modules are unit tests, except those that use what `_TOGETHER` names."""
_TOGETHER = re.compile(
    r"\b(subprocess|multiprocessing|TradingAgentsGraph|ScannerGraph|graph_on|trading_graph|scanner_graph|cli)\b"
    r"|_server\b|served_runs|vendor_of|test_data|check_report|reader_process|\bbuilt_in\(\)"
)
_PROCESS = (
    "cli/test_process.py",
    "cli/test_startup.py",
    "cli/commands/test_runs_resume.py",
    "graph/evaluation/test_processes.py",
    "golden_set/",
    "graph/test_resume",
    "service/http/test_processes.py",
    "graph/test_studio_server.py",
    "features/assistant/sessions/test_transcript_file.py",
    "test_packaging.py",
    "test_two_processes.py",
    "test_warm.py",
)
_CHAOS = ("chaos/", "fuzz/")


def tier_of(path: Path, tests: Path) -> str:
    """Return the tier of a test module.

    Args:
        path: The module's file.
        tests: The folder of all tests.
    """
    place = path.relative_to(tests).as_posix()
    if place.startswith("docs/"):
        return "docs"
    if place.startswith(_CHAOS):
        return "chaos"
    if place.startswith(_PROCESS):
        return "process"
    alone = place.startswith(tuple(f"{folder}/" for folder in _UNIT)) and not _TOGETHER.search(_source(path))
    return "unit" if alone else "integration"


@lru_cache(maxsize=1)
def _source(path: Path) -> str:
    return path.read_text("utf-8")


def sampled(cases: Iterable[Any], *, every: int, name: Callable[[Any], str] | None = None) -> list[Any]:
    """Return cases for `parametrize`: one in so many runs each time, the others with `--all`.

    Args:
        cases: One value each, or a tuple of values.
        every: One in how many; take one that has no factor in common with the length of a pattern in the cases.
        name: Gives a case its id; None leaves that to pytest.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=name(case) if name else None,
            marks=() if number % every == 0 else pytest.mark.nightly,
        )
        for number, case in enumerate(cases)
    ]


def examples(count: int, *, fast: int = FAST_EXAMPLES) -> int:
    """Return how many examples hypothesis tries of a law.

    Args:
        count: How many with `--all`.
        fast: How many at most otherwise.
    """
    return min(count, fast) if is_fast() else count


def is_fast() -> bool:
    """Tell whether large matrices are sampled: `--all` was not given."""
    return hypothesis.settings.get_current_profile_name() == FAST


def is_in_part(module: Path, tests: Path, part: str) -> bool:
    """Tell whether a module of tests belongs to a part, such as `2/7`: each belongs to one, whatever others there are.

    Raises:
        pytest.UsageError: There is no such part.
    """
    named = PART.fullmatch(part)
    number, count = map(int, named.groups()) if named else (0, 0)
    if not 1 <= number <= count:
        raise pytest.UsageError(f"--part is {part}; name one such as 2/7")
    return zlib.crc32(module.relative_to(tests).as_posix().encode()) % count == number - 1
