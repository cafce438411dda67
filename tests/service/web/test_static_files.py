"""The files of the web page: what is sent, with which headers, and what is not there."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from posixpath import dirname, normpath

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tradingagents.service import web
from tradingagents.service.web import mount, page

MOST_BYTES = 250_000
"""Of all files as browsers get them, which is compressed."""
OUTSIDE = re.compile(rb"""(?:src|href)\s*=\s*["'](?:https?:)?//|@import|url\(\s*["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    mount(app)
    return TestClient(app)


def test_the_whole_page_is_small() -> None:
    shown = page()
    assert sum(len(file.compressed) for file in (shown.index, *shown.files.values())) <= MOST_BYTES


def test_the_index_names_the_present_version_of_every_file(client: TestClient) -> None:
    text = client.get("/").text
    paths = re.findall(r'(?:href|src)="(/static/[^"]+)"', text)
    assert len(paths) >= 4
    for path in paths:
        assert client.get(path).status_code == 200, path
    assert "{{" not in text


def test_the_first_paint_waits_for_the_page_alone() -> None:
    """Its styles stand in it, allowed by their hash; scripts are modules, which wait for the page."""
    text = page().index.content.decode()
    assert 'rel="stylesheet"' not in text
    assert re.findall(r"<script ([a-z]+)", text) == ["type"]
    (styles,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}';" in page().policy
    assert len(page().index.compressed) <= 20_000


def test_the_page_names_every_module_that_it_imports() -> None:
    named = set(re.findall(rf'<link rel="modulepreload" href="/static/v/{page().version}/([^"]+)">',
                           page().index.content.decode()))  # fmt: skip
    wanted, waiting = set[str](), ["app.js"]
    while waiting:
        name = waiting.pop()
        if name in wanted:
            continue
        wanted.add(name)
        text = page().files[name].content.decode()
        waiting += [
            normpath(f"{dirname(name)}/{target}").lstrip("/")
            for target in re.findall(r'(?:from|import) "(\.[^"]+)"', text)
        ]
    assert named == wanted


def test_every_import_of_a_module_leads_to_a_file() -> None:
    files = page().files
    for name, file in files.items():
        if not name.endswith(".js"):
            continue
        for target in re.findall(r'(?:from|import) "(\.[^"]+)"', file.content.decode()):
            parts = name.split("/")[:-1]
            for part in target.split("/"):
                parts = parts[:-1] if part == ".." else parts if part == "." else [*parts, part]
            assert "/".join(parts) in files, f"{name} imports {target}"


def test_nothing_but_descriptions_is_left_out_of_what_is_sent() -> None:
    folder = Path(web.__file__).parent / "static"
    for path in folder.rglob("*.js"):
        sent = page().files[path.relative_to(folder).as_posix()].content.decode()
        left_out = [line for line in path.read_text("utf-8").splitlines() if line not in sent.splitlines()]
        assert all(line.lstrip().startswith(("/**", "*")) for line in left_out), path.name


def test_browsers_that_take_it_get_a_file_compressed_and_others_as_it_is(client: TestClient) -> None:
    found = page().files["app.css"]
    for asked, sent in (("gzip, br", "gzip"), ("identity", None)):
        answer = client.get("/static/app.css", headers={"accept-encoding": asked})
        assert answer.headers.get("content-encoding") == sent
        assert (answer.content, answer.headers["vary"]) == (found.content, "Accept-Encoding")


def test_nothing_is_loaded_from_elsewhere() -> None:
    shown = page()
    for name, file in {"index.html": shown.index, **shown.files}.items():
        assert not OUTSIDE.search(file.content), name


def test_no_module_parses_text_into_the_document() -> None:
    forbidden = re.compile(rb"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc")
    for name, file in page().files.items():
        assert not forbidden.search(file.content), name


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("/company/AAPL", "/#/company/AAPL"),
        ("/company/BRK-B?day=2025-03-14", "/#/company/BRK-B?day=2025-03-14"),
        ("/company/%5EGSPC", "/#/company/%5EGSPC"),
        ("/company/a%0d%0ab?day=//evil.example", "/#/company/a%0D%0Ab?day=%2F%2Fevil.example"),
    ],
)
def test_the_address_of_a_company_leads_to_its_page(client: TestClient, asked: str, shown: str) -> None:
    response = client.get(asked, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (307, shown)


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/app.css", "/static/core/dom.js"])
def test_headers(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert policy == page().policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-cache"


def test_an_unchanged_file_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/static/app.js")
    again = client.get("/static/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_file_of_a_version_is_kept_for_ever_and_of_another_version_not_found(client: TestClient) -> None:
    response = client.get(f"/static/v/{page().version}/app.js")
    assert "immutable" in response.headers["cache-control"]
    assert client.get("/static/v/0123456789abcdef/app.js").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/static/../__init__.py",
        "/static/%2e%2e/__init__.py",
        "/static/..%2f__init__.py",
        "/static//etc/passwd",
        "/static/index.html",
        "/static/core",
        "/static/",
    ],
)
def test_only_files_of_the_page_are_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
