"""Write the pages that come from the code: `python docs/generate.py`, or `--check` them without writing.

Compact pages go to `docs/reference` and are committed. Complete ones, a megabyte in all, go to `docs/build`, which git
ignores; `docs/reference/digests.txt` holds their digests, so that no schema, option or route changes unseen.
Nothing on a page depends on the machine: not on its paths, terminal, clock, locale or time zone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from pages.agents import agents_page
from pages.capabilities import capabilities_page, capabilities_table_page
from pages.cli import cli_page, cli_table_page
from pages.configuration import configuration_page
from pages.data_faults import data_faults_page
from pages.http import http_page, openapi_json
from pages.mcp import mcp_file
from pages.tools import tools_page
from pages.vendors import vendors_page
from pages.watched import Watched, watch_a_run

DOCS = Path(__file__).resolve().parent
REFERENCE, BUILT = DOCS / "reference", DOCS / "build"


def built_pages(watched: Watched) -> Mapping[str, str]:
    """Return the complete pages, which are not committed, by their file names."""
    return {
        "cli.md": cli_page(),
        "tools.md": tools_page(watched),
        "capabilities.md": capabilities_page(),
        "openapi.json": openapi_json(),
        "mcp.json": mcp_file(),
    }


def reference_pages(watched: Watched, built: Mapping[str, str]) -> Mapping[str, str]:
    """Return the committed pages by their file names, with the digests of those that are not."""
    return {
        "configuration.md": configuration_page(),
        "cli.md": cli_table_page(),
        "http.md": http_page(),
        "capabilities.md": capabilities_table_page(),
        "agents.md": agents_page(watched),
        "vendors.md": vendors_page(),
        "data-faults.md": data_faults_page(),
        "digests.txt": digests(built),
    }


def digests(built: Mapping[str, str]) -> str:
    """Return the digest of each page, as `sha256sum` writes and checks them."""
    return "".join(f"{sha256(text.encode()).hexdigest()}  {name}\n" for name, text in built.items())


def stale(written: Mapping[str, str], folder: Path = REFERENCE) -> list[str]:
    """Return the names of the pages that do not stand in the folder as they should."""
    return [
        name
        for name, text in written.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or with `--check` compare the committed ones; return 1 where one is stale."""
    parser = argparse.ArgumentParser(description="Write the generated reference pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a page is stale")
    check: bool = parser.parse_args(arguments).check
    watched = watch_a_run()
    built = built_pages(watched)
    reference = reference_pages(watched, built)
    if check:
        outdated = stale(reference)
        sys.stderr.writelines(f"docs/reference/{name} is stale; run make docs\n" for name in outdated)
        return 1 if outdated else 0
    BUILT.mkdir(exist_ok=True)
    for folder, pages in ((REFERENCE, reference), (BUILT, built)):
        for name in stale(pages, folder):
            (folder / name).write_text(pages[name], encoding="utf-8")
            sys.stdout.write(f"docs/{folder.name}/{name} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
