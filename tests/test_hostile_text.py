"""Hostile text of models and vendors: no file or output of a run carries what drives a terminal or runs in a page."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.cli.conftest import environment
from tests.reports.hostile import hostile_batch, hostile_record, hostile_scan
from tests.reports.rendered import batch_report, report_files, scan_report_files
from tests.support.graph_factory import VERDICT
from tests.support.snapshot_folder import read_lines, write_lines, write_snapshot
from tests.support.warm import WarmProcess
from tradingagents.reports.model_text import harmless_markdown

DAY = "2025-03-14"
MARK = "hostile words"
"""Stands in every hostile text, so that a test can tell that it arrived."""
SPOIL = (
    f"{MARK} \x1b[2J\x1b]52;c;aGk=\x07\x9b31m\x9d0;owned\x9c\u202egnp.exe\u2066\x08\x7f <script>alert(1)</script>"
    '<img src=x onerror=alert(1)><svg onload=alert(1)> [a](javascript:alert(1)) <!-- <a href="data:text/html,x">'
)
CLOSED = "The last close is 37.88"
"""A figure of the data: what names none is no report and no evidence."""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
STYLE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")
"""Colours and links that the command line itself writes."""
VENDOR_TEXTS = {
    "news.jsonl.gz": ("title", "summary", "source", "url"),
    "insider.jsonl.gz": ("insider", "relation", "text"),
    "social.jsonl.gz": ("text",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a snapshot whose texts are all hostile."""
    made = write_snapshot(tmp_path_factory.mktemp("market"))
    for name, fields in VENDOR_TEXTS.items():
        rows = read_lines(made / name)
        for row in rows:
            row.update({field: f"{row.get(field) or ''} {SPOIL}" for field in fields})
        write_lines(made / name, rows)
    profiles = json.loads((made / "profiles.json").read_text("utf-8"))
    for row in profiles.values():
        row.update({field: f"{row[field]} {SPOIL}" for field in ("name", "industry") if row.get(field)})
    (made / "profiles.json").write_text(json.dumps(profiles), "utf-8")
    return made


def hostile_verdict() -> Answer:
    texts = ("rationale", "dissent", "would_change")
    evidence = [{"claim": SPOIL, "source": SPOIL}, {"claim": CLOSED, "source": "get_stock_data"}]
    changes: dict[str, Any] = {**dict.fromkeys(texts, SPOIL), "key_evidence": evidence}
    return Answer(
        tool_calls=(ToolCall("Verdict", {**VERDICT, **changes, "entry": None, "stop": None, "target": None}),)
    )


@pytest.fixture(scope="module", params=["text", "json"])
def ran(request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run on hostile data with a hostile model, stdout and stderr on a terminal; return the home and what was shown."""
    home = tmp_path_factory.mktemp("home")
    with OpenAIServer() as server:
        server.always(Answer(text=f"# Report\n\n{CLOSED}. {SPOIL}\n\n| a | b |\n|---|---|\n| {SPOIL} | 1 |\n"))
        for role in ("Research Manager", "Trader", "Risk Manager"):
            server.always(hostile_verdict(), role=role)
        arguments = (
            "analyze",
            "ACMQ",
            DAY,
            "--data-dir",
            str(folder),
            "--data-vendor",
            "snapshot",
            "--home",
            str(home),
        )
        model = ("--llm-provider", "openai_compatible", "--backend-url", server.url, "--quick-model", "m")
        debate = ("--deep-model", "m", "--debate-rounds", "1", "--risk-rounds", "1")
        form = ("--json", "--analysts", "market,news,social") if request.param == "json" else ()
        log = {"TRADINGAGENTS_LOG_FILE": str(home / "run.log"), "TRADINGAGENTS_LOG_FORMAT": request.param}
        shown = on_terminal([*arguments, *model, *debate, *form], **log, TRADINGAGENTS_LOG_LEVEL="debug")
    return home, shown


def on_terminal(arguments: list[str], code: int = 0, **changes: str) -> str:
    terminal, child = pty.openpty()
    process = WarmProcess(
        ["-m", "cli.main", *arguments],
        stdout=child,
        stderr=child,
        env=environment(TERM="dumb", COLUMNS="100", LINES="40", **changes),
    )
    os.close(child)
    shown = b"".join(_pieces(terminal))
    os.close(terminal)
    assert process.wait(60) == code, shown.decode(errors="replace")[-3000:]
    return shown.decode()


def _pieces(terminal: int) -> Iterator[bytes]:
    try:
        while piece := os.read(terminal, 65536):
            yield piece
    except OSError:  # Linux tells in this way that the other side is closed
        return


def files_of(home: Path, *suffixes: str) -> list[Path]:
    found = [path for path in home.rglob("*") if path.suffix in suffixes]
    assert found
    return found


def test_the_hostile_texts_arrived(ran: tuple[Path, str]):
    home, shown = ran
    (card,) = home.glob("runs/*/run.json")
    record = json.loads(card.read_text("utf-8"))
    assert MARK in record["decision"]["rationale"]
    assert MARK in record["reports"]["market_report"]
    assert MARK in record["instrument"]["name"]
    assert MARK in shown
    (complete,) = home.glob("runs/*/reports/complete_report.md")
    assert complete.read_text("utf-8").count(MARK) > 20


def test_nothing_shown_on_a_terminal_drives_it(ran: tuple[Path, str]):
    _, shown = ran
    assert CONTROLS.findall(STYLE.sub("", shown.replace("\r\n", "\n"))) == []


def test_no_file_drives_the_terminal_that_it_is_shown_on(ran: tuple[Path, str]):
    home, _ = ran
    for path in files_of(home, ".md", ".log", ".json", ".jsonl", ".html"):
        found = CONTROLS.search(text := path.read_text("utf-8"))
        assert found is None, (path, text[max(0, found.start() - 300) : found.end() + 30])


def test_no_markdown_file_holds_html_or_a_link_that_runs(ran: tuple[Path, str]):
    home, _ = ran
    for path in files_of(home, ".md"):
        assert_harmless(path.read_text("utf-8"))


@pytest.mark.parametrize("reports", [scan_report_files(hostile_scan(SPOIL)), report_files(hostile_record(SPOIL))])
def test_no_report_of_a_hostile_record_holds_either(reports: dict[str, str]):
    assert MARK in reports["complete_report.md"]
    for name, text in reports.items():
        if name.endswith(".md"):
            assert_harmless(harmless_markdown(text))
        else:
            assert CONTROLS.findall(text) == []


@pytest.mark.parametrize(
    ("symbol", "code"),
    [pytest.param(SPOIL, 4, id="of no known exchange"), pytest.param(SPOIL.replace(".", ""), 0, id="of New York")],
)
def test_a_check_of_a_hostile_folder_drives_no_terminal(folder: Path, tmp_path: Path, symbol: str, code: int):
    shutil.copytree(folder, damaged := tmp_path / "damaged")
    rows = read_lines(damaged / "insider.jsonl.gz")
    write_lines(damaged / "insider.jsonl.gz", [{**row, "symbol": symbol} for row in rows])
    shown = on_terminal(["data", "check", str(damaged)], code)
    assert MARK in shown
    assert CONTROLS.findall(STYLE.sub("", shown.replace("\r\n", "\n"))) == []


def test_no_report_of_a_hostile_batch_holds_either():
    assert_harmless(harmless_markdown(batch_report(hostile_batch(SPOIL))))


def assert_harmless(markdown: str) -> None:
    """Hold a Markdown file to what each must hold, whatever shows it."""
    assert CONTROLS.findall(markdown) == []
    blocks = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    tokens = [token for block in blocks for token in (block, *(block.children or ()))]
    assert [token.content for token in tokens if token.type in ("html_block", "html_inline", "image")] == []
    links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    assert [link for link in links if re.match(r"(?:javascript|data|file|vbscript):", link, re.IGNORECASE)] == []
