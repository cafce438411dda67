"""Sizes of installed packages, and which of them a requirement brings.

Run by the Python of an environment: `python benchmarks/installed_size.py [NAME]` prints, as JSON, what the requirement
brings, in bytes without the bytecode that is compiled later.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Return the installed distributions that requirements bring, with what those bring, by normalised name.

    Args:
        requirements: As in the metadata of a package, `name[extra]>=1; marker`.

    Raises:
        PackageNotFoundError: One is not installed.
    """
    from packaging.requirements import Requirement

    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        wanted = waiting.pop()
        name = normalised(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            found[name] = distribution(name)
            needs = [Requirement(text) for text in found[name].requires or ()]
            waiting += [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
    return found


def normalised(name: str) -> str:
    """Return a name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def size_of(found: Distribution) -> int:
    """Return the bytes of a distribution's files, without bytecode; links count as what they are."""
    files = [Path(str(file.locate())) for file in found.files or () if file.suffix != ".pyc"]
    return sum(file.lstat().st_size for file in files if file.is_file())


def main() -> None:
    """Print the sizes of what a requirement brings, largest first, in MB (1,000,000 bytes)."""
    found = closure(sys.argv[1:2] or ["tradingagents"])
    sizes = {name: size_of(one) / 1e6 for name, one in found.items()}
    print(json.dumps(dict(sorted(sizes.items(), key=lambda entry: -entry[1]))))


if __name__ == "__main__":
    main()
