"""The layers, for the landing script; not committed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_layers():
    subprocess.run([str(Path(sys.executable).with_name("lint-imports"))], check=True, cwd=Path(__file__).parents[2])
