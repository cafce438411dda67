"""`python -m tradingagents`, and the installed command: runs the command line that came with this package."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from tradingagents.runtime.gc_tuning import collect_rarely


def main() -> None:
    """Run the command line of this installation, even where another package called `cli` comes first on the path."""
    collect_rarely()
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
