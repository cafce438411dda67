"""How the command is started: as a module, and with another package called `cli` on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = [sys.executable, "-c", "import sys; from tradingagents.__main__ import main; sys.exit(main())"]
"""What the installed command does."""


@pytest.mark.parametrize("command", [[sys.executable, "-m", "tradingagents"], SCRIPT], ids=["module", "script"])
def test_another_package_called_cli_does_not_come_first(tmp_path: Path, command: list[str]):
    other = tmp_path / "cli"
    other.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('the wrong cli')")
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(
        [*command, "--version"], check=False, env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("tradingagents ")


def test_the_folder_of_the_packages_does_not_stay_first_on_the_path():
    code = (
        "import sys; before = list(sys.path); sys.argv = ['tradingagents', '--version']\n"
        "from tradingagents.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert sys.path == before, sys.path"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
