"""What an installation of a wheel takes: packages, space, seconds, the first decision, for each Python.

    python benchmarks/installation.py dist/*.whl python3.11 python3.12

makes a new environment for each Python in a temporary folder, installs the wheel and nothing else, takes the first
decision in a folder of its own, and prints a row of a Markdown table. It needs no package, so that it also runs in a
bare system. `--largest` prints the largest packages too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

HEAD = """| Python | packages | MB | with bytecode | installed in | first decision |
|---|---|---|---|---|---|"""
FIRST = ("analyze", "VELQ", "2025-03-14", "--offline", "--json")
NOT_OURS = ("pip", "setuptools", "wheel")
"""What a new environment holds before anything is installed."""


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


def size_of(found: Distribution, *, bytecode: bool = False) -> int:
    """Return the bytes of a distribution's files.

    Args:
        found: An installed distribution.
        bytecode: Whether to count what pip compiles after unpacking.
    """
    files = [Path(str(file.locate())) for file in found.files or () if bytecode or file.suffix != ".pyc"]
    return sum(file.lstat().st_size for file in files if file.is_file())


def measure(python: str, wheel: Path) -> dict[str, object]:
    """Return what an installation by one Python takes; MB are 1,000,000 bytes.

    Raises:
        CalledProcessError: A step failed; its output is on standard error.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bin_folder = folder / "env" / "bin"
        _run(python, "-m", "venv", str(folder / "env"))
        began = time.monotonic()
        _run(str(bin_folder / "python"), "-m", "pip", "install", "--no-cache-dir", "--quiet", str(wheel.resolve()))
        seconds = time.monotonic() - began
        sizes = json.loads(_run(str(bin_folder / "python"), str(Path(__file__).resolve()), "--sizes"))
        began = time.monotonic()
        home = folder / "home"
        (folder / "elsewhere").mkdir()
        told = _run(str(bin_folder / "tradingagents"), *FIRST, "--home", str(home), folder=folder / "elsewhere")
        return {
            "python": _run(
                str(bin_folder / "python"), "-c", "import platform; print(platform.python_version())"
            ).strip(),
            "sizes": sizes,
            "seconds": seconds,
            "decided in": time.monotonic() - began,
            "decision": json.loads(told.splitlines()[0])["decision"]["action"],
        }


def _run(*command: str, folder: Path | None = None) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("TRADINGAGENTS_", "PYTHON"))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environ)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise subprocess.CalledProcessError(done.returncode, command)
    return done.stdout


def _sizes() -> dict[str, tuple[float, float]]:
    """Return the MB of each package of this environment, without and with bytecode, largest first."""
    found = {normalised(one.metadata["Name"]): one for one in distributions()}
    sizes = {
        name: (size_of(one) / 1e6, size_of(one, bytecode=True) / 1e6)
        for name, one in found.items()
        if name not in NOT_OURS
    }
    return dict(sorted(sizes.items(), key=lambda entry: -entry[1][0]))


def main() -> None:
    """Print a row for each Python."""
    parser = argparse.ArgumentParser(description="Measure installations of a wheel.")
    parser.add_argument("wheel", type=Path, nargs="?")
    parser.add_argument("pythons", nargs="*", default=[sys.executable])
    parser.add_argument("--largest", type=int, default=0, help="how many of the largest packages to print")
    parser.add_argument("--sizes", action="store_true", help="print the sizes of this environment's packages as JSON")
    given = parser.parse_args()
    if given.sizes:
        print(json.dumps(_sizes()))
        return
    print(HEAD)
    for python in given.pythons:
        found = measure(python, given.wheel)
        sizes: dict[str, tuple[float, float]] = found["sizes"]  # type: ignore[assignment]
        plain, whole = (sum(size[place] for size in sizes.values()) for place in (0, 1))
        print(
            f"| {found['python']} | {len(sizes)} | {plain:.0f} | {whole:.0f} | {found['seconds']:.0f} s "
            f"| {found['decision']} in {found['decided in']:.1f} s |",
            flush=True,
        )
        for name, (own, compiled) in list(sizes.items())[: given.largest]:
            print(f"  {name}: {own:.1f} ({compiled:.1f})")


if __name__ == "__main__":
    main()
