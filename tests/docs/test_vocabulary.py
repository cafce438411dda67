"""The vocabulary: class names are unique, the glossary names code that exists, private words stay out of the pages."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, markdown_files, prose
from tradingagents.settings import Settings

GLOSSARY = ROOT / "docs" / "glossary.md"
ARCHITECTURE = ROOT / "docs" / "concepts" / "architecture.md"
PACKAGES = ("tradingagents", "cli")
DUPLICATE_CLASS_NAMES = frozenset(
    {
        "Answer",
        "Answers",
        "Bars",
        "Column",
        "Crowd",
        "Evidence",
        "Facts",
        "Fault",
        "Market",
        "Mention",
        "Plan",
        "Question",
        "Reading",
        "Recorded",
        "Request",
        "Row",
        "Settled",
        "Stance",
        "Topic",
        "Unreadable",
        "_Books",
    }
)
"""Class names that mean more than one thing. This set may only shrink: give a new class a name of its own."""

PRIVATE_WORDS: Mapping[str, str] = {
    r"desks?": "team, services or preamble",
    r"doors?": "gateway or entry point",
    r"faces?": "entry point",
    r"surroundings": "environment or context",
    r"garbage": "unreachable objects, unless it is Python's garbage collector",
    r"whole files": "atomic writes",
    r"mend(?:s|ed|ing)?": "fix or repair",
    r"settled answers?": "final answers",
    r"(?:came|comes) of": "outcome or result",
    r"(?:are|is|be) (?:not )?(?:to be )?had": "available",
    r"(?:go|goes|going|went) on": "continue or resume",
    r"beside": "next to, together with or in addition to",
    r"kept": "stored, saved or written",
    r"told": "reported, stated or informed",
    r"several": "more than one, or many",
    r"look(?:s|ing)? after": "manage",
}
"""Words with a private or literary meaning, as patterns, and what to write instead."""
ALLOWED_PHRASES = ("garbage collector", "garbage collection")
"""Standard terms that contain one of the words."""
UNREVISED_PAGES: frozenset[str] = frozenset()
"""Pages that still contain private words. This set may only shrink."""

_TERM = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")


_CLASS = re.compile(r"^ *class (\w+)[(:\[]", re.MULTILINE)
_DEFINED = re.compile(r"""^ *(?:class|(?:async )?def) (\w+)|^ *(\w+) *: |"([^"\n]*)\"""", re.MULTILINE)
"""Names that a text defines, and its string constants: its syntax tree takes ten times as long and 280 MB for all."""


@cache
def texts() -> Mapping[str, str]:
    """Return the source of every module of the packages, by its dotted name."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {_dotted(path): path.read_text(encoding="utf-8") for path in paths}


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def class_names() -> Mapping[str, list[str]]:
    """Return the modules in which each class name is defined."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module, text in texts().items():
        for name in _CLASS.findall(text):
            found[name].append(module)
    return found


def test_class_names_are_unique() -> None:
    duplicates = {name: modules for name, modules in class_names().items() if len(modules) > 1}
    added = {name: duplicates[name] for name in duplicates.keys() - DUPLICATE_CLASS_NAMES}
    assert not added, "rename the new class: the name is already taken"
    unneeded = sorted(DUPLICATE_CLASS_NAMES - duplicates.keys())
    assert not unneeded, "remove these from DUPLICATE_CLASS_NAMES: they are unique now"


@cache
def code_names() -> frozenset[str]:
    """Return every name that the packages define, every string constant, and the modules themselves."""
    named = (name for text in texts().values() for found in _DEFINED.findall(text) for name in found)
    return frozenset((*texts(), *named))


def exists(code: str) -> bool:
    """Tell whether a piece of code that the glossary names is defined: a name, setting, file, symbol or command."""
    return code in code_names() or code in Settings.model_fields or all(word in code_names() for word in code.split())


def test_the_glossary_names_code_that_exists() -> None:
    named = set(_CODE.findall(prose(GLOSSARY)))
    assert {"RunHandle", "trade_date", "run.json"} <= named
    assert sorted(code for code in named if not exists(code)) == []
    assert not exists("NoSuchClass")
    assert not exists("memory no_such_command")


def test_every_term_of_the_glossary_is_explained_elsewhere_and_stands_in_order() -> None:
    for section in prose(GLOSSARY).split("\n## ")[1:]:
        terms = _TERM.findall(section)
        assert len(terms) > 20
        assert terms == sorted(terms, key=str.casefold)
        entries = section.split("\n- ")[1:]
        assert [entry for entry in entries if "](" not in entry] == []


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_glossary_is_linked_from_the_entry_pages(page: str) -> None:
    assert "glossary.md)" in prose(ROOT / page)


def private_words(text: str) -> list[str]:
    """Return the private words of a text, outside of code and of the standard terms that contain them."""
    plain = _CODE.sub("", text)
    plain = re.sub(r"\]\([^)]*\)", "]", plain)  # the target of a link is a file's name
    for phrase in ALLOWED_PHRASES:
        plain = re.sub(phrase.replace(" ", r"\s+"), "", plain, flags=re.IGNORECASE)
    patterns = (pattern.replace(" ", r"\s+") for pattern in PRIVATE_WORDS)
    found = (match[0] for pattern in patterns for match in re.finditer(rf"(?i)\b(?:{pattern})\b", plain))
    return sorted(" ".join(word.split()).lower() for word in found)


def test_private_words_are_found_as_whole_words_only() -> None:
    assert private_words("The prices are to be had at the\ndoor; it goes\non.") == ["are to be had", "door", "goes on"]
    assert private_words("Outdoor desktops, interface, `kept`, the garbage collector, [a](doors.md).") == []


@pytest.mark.parametrize("page", markdown_files(), ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_contain_no_private_words(page: Path) -> None:
    found = private_words(prose(page))
    if page.relative_to(ROOT).as_posix() in UNREVISED_PAGES:
        assert found, "remove the page from UNREVISED_PAGES: it has no private words any more"
    else:
        assert not found, "; ".join(f"{pattern}: write {plain}" for pattern, plain in PRIVATE_WORDS.items())


def layers_of_the_page() -> list[str]:
    """Return the rows of layers of the architecture page."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("## Layers")[2]
    return text.split("```\n")[1].splitlines()


def folders_of_the_page() -> list[str]:
    """Return the folders of the library that the architecture page shows."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("## Where things are")[2]
    return re.findall(r"^  (\w+)/ ", text, re.MULTILINE)


def test_the_architecture_page_has_each_folder_on_one_row_of_layers() -> None:
    rows = layers_of_the_page()
    assert len(rows) == 13, "the command line, and 12 rows of the library"
    named = [name for row in rows for name in re.split(" [|:] ", row)]
    public = ["backtest", "portfolio", "reporting"]
    modules = ["__main__", "context", "default_config", "settings", "errors", "events", "lazy_names", *public]
    assert sorted(named) == sorted(["cli", *folders_of_the_page(), *modules])


def test_the_architecture_page_shows_every_folder() -> None:
    packages = [path.parent.name for path in (ROOT / "tradingagents").glob("*/__init__.py")]
    assert sorted(folders_of_the_page()) == sorted(packages)


def test_the_architecture_page_lists_the_layers_that_imports_are_held_to() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    assert contract["type"] == "layers"
    assert layers_of_the_page() == ["cli", *contract["layers"]]
