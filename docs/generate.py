"""Write the reference pages that come from the code: `python docs/generate.py`, or `--check` them without writing.

Nothing on a page depends on the machine: not on its paths, terminal, clock, locale or time zone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from pages.agents import agents_page
from pages.capabilities import capabilities_page
from pages.cli import cli_page
from pages.configuration import configuration_page
from pages.data_faults import data_faults_page
from pages.http import http_page, openapi_json
from pages.mcp import mcp_file
from pages.tools import tools_page
from pages.vendors import vendors_page
from pages.watched import watch_a_run

REFERENCE = Path(__file__).resolve().parent / "reference"


def pages() -> Mapping[str, str]:
    """Return every generated page by its file's name."""
    watched = watch_a_run()
    return {
        "configuration.md": configuration_page(),
        "cli.md": cli_page(),
        "http.md": http_page(),
        "openapi.json": openapi_json(),
        "tools.md": tools_page(watched),
        "capabilities.md": capabilities_page(),
        "agents.md": agents_page(watched),
        "vendors.md": vendors_page(),
        "data-faults.md": data_faults_page(),
        "mcp.json": mcp_file(),
    }


def stale(written: Mapping[str, str], folder: Path = REFERENCE) -> list[str]:
    """Return the names of the pages that do not stand in the folder as they should."""
    return [
        name
        for name, text in written.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or with `--check` compare them; return 1 where one is stale."""
    parser = argparse.ArgumentParser(description="Write the generated reference pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a page is stale")
    check: bool = parser.parse_args(arguments).check
    written = pages()
    for name in stale(written):
        if check:
            sys.stderr.write(f"docs/reference/{name} is stale; run make docs\n")
        else:
            (REFERENCE / name).write_text(written[name], encoding="utf-8")
            sys.stdout.write(f"docs/reference/{name} written\n")
    return 1 if check and stale(written) else 0


if __name__ == "__main__":
    sys.exit(main())
