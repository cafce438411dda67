"""`python -m tradingagents`, and the installed command: runs the command line that came with this package."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from tradingagents.runtime.gc_tuning import collect_rarely


def main() -> None:
    """Run the command line of this installation."""
    collect_rarely()
    _command_line().main()


def _command_line() -> ModuleType:
    """Import the command: `tradingagents.cli` where a wheel is installed, the folder `cli` of a checkout elsewhere.

    In a checkout it is the folder beside this package, even where another package called `cli` comes first on the path.
    """
    if importlib.util.find_spec("tradingagents.cli"):
        return importlib.import_module("tradingagents.cli.main")
    checkout = str(Path(__file__).resolve().parent.parent)
    sys.path.insert(0, checkout)
    try:
        importlib.import_module("cli")
    finally:
        sys.path.remove(checkout)  # the packages of the checkout must not come before the standard library
    return importlib.import_module("cli.main")


if __name__ == "__main__":
    main()
