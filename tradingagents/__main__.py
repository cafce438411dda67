"""`python -m tradingagents`, and the installed command: runs the command line that came with this package."""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path

_THRESHOLDS = (50_000, 20, 20)
"""For the garbage collector of the command's own process: what the libraries make as they load stays for good, and to
look through it again and again takes a tenth of the start."""


def main() -> None:
    """Run the command line of this installation, even where another package called `cli` comes first on the path."""
    gc.set_threshold(*_THRESHOLDS)
    beside = str(Path(__file__).resolve().parent.parent)
    sys.path.insert(0, beside)
    try:
        importlib.import_module("cli")
    finally:
        sys.path.remove(beside)  # the packages that lie there must not come before the standard library
    from cli.main import main as run

    run()


if __name__ == "__main__":
    main()
