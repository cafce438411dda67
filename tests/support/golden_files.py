"""Golden files: compare, or with `UPDATE_GOLDEN=1` write them anew for a reviewer to read."""

from __future__ import annotations

import os
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def assert_golden(name: str, text: str) -> None:
    """Compare a text with `tests/golden/<name>`."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path} is missing; UPDATE_GOLDEN=1 writes it"
    assert path.read_text(encoding="utf-8") == text, f"{path} differs; UPDATE_GOLDEN=1 writes it anew"
