"""Golden files: compare, or with `UPDATE_GOLDEN=1` write them anew for a reviewer to read."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "reports"


def assert_golden(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path} differs; UPDATE_GOLDEN=1 writes it anew"
