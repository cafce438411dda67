"""The fenced blocks of a Markdown page, and its links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDS_KEY = "# needs a key"
PLACEHOLDER = "path/to"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
_EXIT_CODE = re.compile(r"# exit code (\d+)$")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    line: int
    output: str | None = None
    """The text block right below a Python block: what it prints."""


def blocks(page: Path) -> list[Block]:
    """Return a page's fenced blocks, in order."""
    text = page.read_text(encoding="utf-8")
    found = list(_BLOCK.finditer(text))
    result = []
    for match, below in zip(found, [*found[1:], None], strict=True):
        adjacent = below is not None and below[1] == "text" and not text[match.end() : below.start()].strip()
        line = text.count("\n", 0, match.start()) + 2
        result.append(Block(match[1], match[2], line, below[2] if below and adjacent else None))
    return result


def python_blocks(page: Path) -> list[Block]:
    """Return the Python examples that can be run by anyone."""
    return [block for block in blocks(page) if block.language == "python" and NEEDS_KEY not in block.text]


def offline_commands(page: Path) -> dict[str, int]:
    """Return the offline commands that name no place of the reader's, with the exit codes they should end with."""
    commands = {}
    for block in blocks(page):
        for line in block.text.replace("\\\n", "").splitlines() if block.language == "sh" else ():
            if line.startswith("tradingagents ") and "--offline" in line and PLACEHOLDER not in line:
                said = _EXIT_CODE.search(line)
                commands[line] = int(said[1]) if said else 0
    return commands


def markdown_files() -> list[Path]:
    """Return every committed page for readers: at the root, and under docs."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(page for page in pages if ROOT / "docs" / "build" not in page.parents)


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return without_blocks(page.read_text(encoding="utf-8"))


def without_blocks(text: str) -> str:
    """Return a text without its fenced blocks."""
    return _BLOCK.sub("", text)


def links(text: str) -> Iterator[tuple[str, str]]:
    """Yield target and anchor of every link of a page's text within the project."""
    for target, anchor in _LINK.findall(without_blocks(text)):
        if not target.startswith(("http://", "https://", "mailto:")):
            yield target, anchor


def anchors(text: str) -> set[str]:
    """Return the anchors that the headings of a page's text get."""
    headings = re.findall(r"^#+ (.+)$", without_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
