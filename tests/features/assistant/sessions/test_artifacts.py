"""Artifacts: files of the home folder only, whatever stands in their place later, and ids nobody can guess."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.features.assistant.sessions.conftest import SECRET
from tradingagents.features.assistant.sessions import (
    ArtifactRefused,
    ArtifactStore,
    NoSuchArtifact,
    NoSuchSession,
    SessionStore,
)
from tradingagents.features.assistant.sessions.artifacts import MEDIA_TYPES, ArtifactKind
from tradingagents.settings import Settings


@pytest.fixture
def artifacts(settings: Settings) -> Iterator[ArtifactStore]:
    with closing(ArtifactStore(settings, environ={"MY_TOKEN": SECRET})) as store:
        yield store


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "runs" / "r-1" / "reports" / "report.html"
    path.parent.mkdir(parents=True)
    path.write_text("<p>Buy</p>")
    return path


def test_a_file_of_the_home_folder_is_found_by_its_id(artifacts: ArtifactStore, report: Path):
    info = artifacts.register(report, kind="report", title=f"Apple {SECRET}\n<b>", run_id="r-1")
    assert re.fullmatch("a-[0-9a-f]{32}", info.artifact_id)
    assert (info.media_type, info.size, info.run_id, info.title) == ("text/html", 10, "r-1", "Apple *** <b>")
    assert artifacts.get(info.artifact_id) == info
    assert artifacts.content(info.artifact_id) == b"<p>Buy</p>"
    assert artifacts.list() == (info,)


def test_the_same_file_of_the_same_session_keeps_its_id(artifacts: ArtifactStore, store: SessionStore, report: Path):
    session = store.create("assistant").session_id
    first = artifacts.register(report, kind="report", title="One", session_id=session)
    report.write_text("<p>Sell</p>")
    again = artifacts.register(report, kind="report", title="Two", session_id=session)
    other = artifacts.register(report, kind="report", title="Of nobody")
    assert (again.artifact_id, again.title, again.size) == (first.artifact_id, "Two", 11)
    assert other.artifact_id != first.artifact_id
    assert store.get(session).artifacts == (first.artifact_id,)
    assert [info.artifact_id for info in artifacts.list(session)] == [first.artifact_id]
    with pytest.raises(NoSuchSession):
        artifacts.register(report, kind="report", title="x", session_id="s-20250314210000000000-0123456789ab")


def test_what_a_hidden_session_makes_belongs_to_the_one_that_consulted_it(
    artifacts: ArtifactStore, store: SessionStore, report: Path
):
    parent = store.create("assistant").session_id
    hidden = store.create("value", hidden=True, parent=parent).session_id
    info = artifacts.register(report, kind="report", title="x", session_id=hidden)
    assert info.session_id == parent
    assert artifacts.list(hidden) == ()
    store.delete(parent)
    assert artifacts.get(info.artifact_id).session_id is None


@pytest.mark.parametrize(
    "path",
    ["../outside.html", "runs/../../outside.html", "/etc/passwd", "", ".", "sessions/sessions.sqlite", "memory.json",
     "tasks/t/x.json", "runs/none.html", "runs", "runs/r-1/reports/pipe.html"],
)  # fmt: skip
def test_what_is_no_result_in_the_home_folder_is_refused(
    artifacts: ArtifactStore, report: Path, tmp_path: Path, path: str
):
    (tmp_path.parent / "outside.html").write_text("x")
    (tmp_path / "memory.json").write_text("{}")
    os.mkfifo(report.with_name("pipe.html"))
    for given in (Path(path), tmp_path / path):
        with pytest.raises(ArtifactRefused):
            artifacts.register(given, kind="report", title="x")
    assert artifacts.list() == ()


def test_links_lead_nowhere_also_when_they_come_later(artifacts: ArtifactStore, report: Path, tmp_path: Path):
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "report.html").write_text("secret")
    (tmp_path / "runs" / "link").symlink_to(outside)
    (report.parent / "link.html").symlink_to(outside / "report.html")
    (report.parent / "inner.html").symlink_to(report)
    for path in (tmp_path / "runs/link/report.html", report.parent / "link.html", report.parent / "inner.html"):
        with pytest.raises(ArtifactRefused, match="link"):
            artifacts.register(path, kind="report", title="x")

    info = artifacts.register(report, kind="report", title="x")
    report.unlink()
    for replace in (
        lambda: report.symlink_to(outside / "report.html"),
        lambda: (report.unlink(), report.parent.rmdir(), report.parent.symlink_to(outside)),
    ):
        (report.parent / "link.html").unlink(missing_ok=True)
        (report.parent / "inner.html").unlink(missing_ok=True)
        replace()
        for attempt in (artifacts.get, artifacts.content):
            with pytest.raises(NoSuchArtifact):
                attempt(info.artifact_id)
        assert artifacts.list() == ()


@pytest.mark.parametrize("bad", ["", "..", "a-1", "../../etc/passwd", "a-" + "g" * 32, "a-" + "0" * 32])
def test_unknown_ids(artifacts: ArtifactStore, report: Path, bad: str):
    for _ in range(2):
        for attempt in (artifacts.get, artifacts.content):
            with pytest.raises(NoSuchArtifact):
                attempt(bad)
        artifacts.register(report, kind="report", title="x")


def test_the_media_type_follows_from_kind_and_ending(artifacts: ArtifactStore, tmp_path: Path):
    def registered(kind: ArtifactKind, ending: str) -> str:
        path = tmp_path / "artifacts" / f"file{ending}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
        return artifacts.register(path, kind=kind, title="x").media_type

    for kind, endings in MEDIA_TYPES.items():
        for ending, media_type in endings.items():
            assert registered(kind, ending.upper()) == media_type
    for kind, ending in (("chart", ".exe"), ("workbook", ".html"), ("data", ""), ("report", ".js")):
        with pytest.raises(ArtifactRefused, match="cannot end with"):
            registered(kind, ending)
