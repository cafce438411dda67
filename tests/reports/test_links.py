import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.reports.links import links_from, page_of

PARTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1), min_size=1, max_size=4)


def test_a_link_leads_from_the_pages_folder():
    link = links_from("/home/pat/batches/b1/report.html")
    assert link("/home/pat/runs/r1/reports/report.html") == "../../runs/r1/reports/report.html"
    assert link("/home/pat/batches/b1/scan.html") == "scan.html"


def test_moving_the_home_changes_no_link():
    links = {
        links_from(f"{home}/batches/b1/report.html")(f"{home}/runs/r1/report.html")
        for home in ("/home/pat/.ta", "/mnt/backup")
    }
    assert links == {"../../runs/r1/report.html"}


@pytest.mark.parametrize("page", [None, "", "report.html"])
def test_there_is_no_link_where_the_page_is_not_known(page):
    assert links_from(page)("/home/pat/runs/r1/report.html") == ""


@pytest.mark.parametrize("path", ["", "runs/r1/report.html", "javascript:alert(1)", "//", "https://evil.example/"])
def test_what_is_no_absolute_path_leads_nowhere_else(path):
    assert links_from("/home/pat/report.html")(path) in ("", "../..", "../../")


@given(PARTS)
def test_a_link_is_always_a_plain_relative_path_that_leads_there(parts):
    path = "/" + "/".join(parts)
    link = links_from("/home/pat/batches/b1/report.html")(path)
    assert not set(link) & set(":<>\"' ()[]|\\?#")
    assert posixpath.normpath(posixpath.join("/home/pat/batches/b1", unquote(link))) == posixpath.normpath(path)


def test_a_run_without_a_page_has_no_link():
    assert page_of({"folder": "/home/pat/runs/r1"}, links_from("/home/pat/report.html")) == ""
