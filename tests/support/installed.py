"""A package with entry points, installed as pip would leave it, from the code blocks of a guide."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.docs.blocks import blocks
from tradingagents.dataflows.gateway.registry import registrations


@contextmanager
def installed(site: Path, module: str, code: str, entry_points: str) -> Iterator[None]:
    """Install one module in a folder of its own; it is gone afterwards.

    Args:
        site: A new folder.
        module: Name of the module.
        code: Its source.
        entry_points: As in pyproject.toml.
    """
    package = module.replace("_", "-")
    info = site / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (site / f"{module}.py").write_text(code, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    points = entry_points.replace("project.entry-points.", "").replace('"', "")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    sys.path.insert(0, str(site))
    registrations.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        sys.modules.pop(module, None)
        registrations.cache_clear()


def example_of(guide: Path, number: int = 0) -> tuple[str, str]:
    """Return a guide's Python file and the entry points that belong to it, of its first or a later example."""
    found = blocks(guide)
    code = [block.text for block in found if block.language == "python"]
    points = [block.text for block in found if block.language == "toml"]
    return code[number], points[number]
