"""The documentation is true: its examples run and print what it says, its links lead somewhere, its pages are fresh."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from cli.main import run
from tests.docs.blocks import (
    ROOT,
    anchors,
    blocks,
    links,
    markdown_files,
    offline_commands,
    prose,
    python_blocks,
)
from tradingagents.agents.roster import roster
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.graph.trading_graph import TradingAgentsGraph

README, TOUR, QUICKSTART = ROOT / "README.md", ROOT / "docs" / "tour.md", ROOT / "docs" / "quickstart.md"
CONCEPTS = ROOT / "docs" / "concepts"
PLAYED = (
    README,
    TOUR,
    QUICKSTART,
    *(CONCEPTS / f"{name}.md" for name in ("agents", "scanner", "simulated-market", "costs", "memory", "valuation")),
    CONCEPTS / "filings.md",
    ROOT / "docs" / "guides" / "filings.md",
)
"""Pages whose examples and offline commands are run."""
SOURCES = ("tradingagents", "cli", "tests", "benchmarks", "docs")


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def typed(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run a command as someone types it, in this process; return its exit code and what it printed."""
    _, *arguments = shlex.split(line, comments=True)
    return run(arguments), *capsys.readouterr()


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell, with the scripts of this Python first on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],  # noqa: S607 - bash is wherever it is
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PATH": path},
        check=False,
    )


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.name)
def test_examples_run_and_print_what_the_page_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples, commands = python_blocks(page), offline_commands(page)
    assert examples
    assert commands or page.parent == CONCEPTS
    for block in examples:
        place = f"{page.name}:{block.line}"
        exec(compile(block.text, place, "exec"), {"__name__": place})  # noqa: S102 - the documented example
        printed = capsys.readouterr().out
        assert block.output is None or printed == block.output, place
    # The commands after the examples, which write what some of them read.
    for line, code in commands.items():
        if "|" in line:  # see test_the_json_example_prints_a_line_a_ticker
            continue
        ended, out, err = typed(line, capsys)
        assert ended == code, f"{line}\n{err}"
        assert bool(out) == (code == 0), line


def test_the_only_command_with_a_pipe_is_that_of_the_json_example() -> None:
    piped = {(page.name, line) for page in PLAYED for line in offline_commands(page) if "|" in line}
    assert [(page, "--json" in line) for page, line in piped] == [("tour.md", True)]


def test_the_result_shown_is_that_of_make_demo(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(
        r"^\t\$\(BIN\)/(tradingagents .*) --home .*$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    shown = next(block.text for block in blocks(README) if block.language == "text")
    _, out, _ = typed(command, capsys)
    printed = [line.rstrip() for line in out.splitlines()]
    expected = shown.splitlines()
    assert expected.pop() == "…"
    assert printed[: len(expected)] == expected


def test_the_first_pages_are_short() -> None:
    readme = README.read_text("utf-8")
    assert len(readme.split()) <= 900
    assert readme.index("![") < readme.index("\n## "), "the picture stands on the first screen"
    for name, most in {"CHANGELOG.md": 120, "CONTRIBUTING.md": 60}.items():
        assert len((ROOT / name).read_text("utf-8").splitlines()) <= most, name
    assert [path.name for path in (ROOT / "docs" / "reference").iterdir() if path.stat().st_size > 30_000] == []


def test_the_simulated_market_s_companies_are_those_of_the_page() -> None:
    page = prose(CONCEPTS / "simulated-market.md").rpartition("## Companies")[2]
    listed = dict(re.findall(r"`([A-Z]+)` ([^,|]+?)(?:,| \|)", page))
    assert listed == {company.symbol: company.name for company in COMPANIES.values()}


def test_the_json_example_prints_a_line_a_ticker() -> None:
    line = next(line for line in offline_commands(TOUR) if "--json" in line)
    done = shell(line)
    assert done.returncode == 0, done.stderr
    decided = dict(row.split() for row in done.stdout.splitlines())
    assert decided == {"VELQ": "BUY", "OMBZ": "BUY", "MODZ": "SELL"}


@pytest.mark.parametrize("page", markdown_files(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target, anchor in links(text):
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), f"{target} of {page.name}"
        assert not anchor or anchor in anchors(found.read_text("utf-8")), f"{target}#{anchor} of {page.name}"


@pytest.fixture(scope="module")
def sources() -> list[str]:
    """The path of every source file, with a slash first."""
    return [f"/{path.relative_to(ROOT).as_posix()}" for top in SOURCES for path in (ROOT / top).rglob("*.py")]


@pytest.mark.parametrize("page", markdown_files(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_source_file_named_exists(page: Path, sources: list[str]) -> None:
    for name in re.findall(r"`([\w/]+\.py)`", prose(page)):
        assert any(source.endswith(f"/{name}") for source in sources), name


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The generator, imported as the script imports itself."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("generate")


@pytest.mark.nightly  # that they are fresh on this machine is what `make check` sees
def test_the_reference_pages_are_fresh_whatever_the_machine_and_the_home_say(
    generate: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, value in {"COLUMNS": "40", "FORCE_COLOR": "1", "TRADINGAGENTS_LLM_PROVIDER": "ollama"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("TRADINGAGENTS_HOME")
    used = TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated"})
    used.propagate("VELQ", "2024-06-14")
    assert len(used.settle("2025-03-14").outcomes) == 1
    assert tmp_path in used.config.home_dir.parents, "the user's own home, which the generator must not read"
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.nightly  # building the pages takes ten seconds of processor time
def test_every_link_of_a_built_page_leads_somewhere(generate: ModuleType) -> None:
    built = generate.built_pages(generate.watch_a_run())
    pages = {name: text for name, text in built.items() if name.endswith(".md")}
    assert len(pages) == 3
    for name, text in pages.items():
        for target, anchor in links(text):
            committed = (generate.BUILT / target).resolve()  # of a checkout in which nothing was built yet too
            linked = pages[target or name] if (target or name) in pages else committed.read_text("utf-8")
            assert not anchor or anchor in anchors(linked), f"{target}#{anchor} of {name}"


def test_a_page_that_is_not_committed_changes_its_digest(generate: ModuleType) -> None:
    assert generate.digests({"mcp.json": "{}\n", "cli.md": ""}).splitlines() == [
        "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356  mcp.json",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  cli.md",
    ]


def test_the_page_of_agents_has_all_of_them(generate: ModuleType) -> None:
    rows = re.findall(r"^\| \[(.+?)\]", (ROOT / "docs" / "reference" / "agents.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 17
    assert rows == [spec.name for spec in roster().every]


def test_a_stale_and_a_missing_page_are_named(generate: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "fresh.md").write_text("as it is\n")
    (tmp_path / "stale.md").write_text("as it was\n")
    written = {"fresh.md": "as it is\n", "stale.md": "as it is\n", "missing.md": "as it is\n"}
    assert generate.stale(written, tmp_path) == ["stale.md", "missing.md"]
