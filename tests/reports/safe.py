"""What every page must hold whatever a record says: well formed, nothing loaded, nothing run, safe links."""

from __future__ import annotations

import base64
import hashlib
import re

from tests.reports.page import Page

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "figure"),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "span",
        "strong",
        "em",
        "s",
        "i",
        "mark",
        "small",
        "code",
        "pre",
        "blockquote",
    ),
    *("a", "ul", "ol", "li", "dl", "dt", "dd", "div", "details", "summary", "br", "hr"),
    *("table", "thead", "tbody", "tfoot", "tr", "th", "td", "svg", "desc", "g", "path", "text", "rect"),
}
ATTRIBUTES = {
    *("id", "class", "href", "rel", "target", "lang", "charset", "name", "content", "http-equiv", "open", "role"),
    *("aria-label", "aria-labelledby", "aria-hidden", "scope", "title", "colspan", "start", "data-label"),
    *("d", "x", "y", "width", "height", "viewbox", "xmlns", "preserveaspectratio"),
}


def assert_safe(html: str) -> Page:
    """Return the page, read strictly, after holding it to what every page must hold."""
    page = Page(html)
    assert {tag for tag, _ in page.elements} <= TAGS
    assert {name for _, attrs in page.elements for name in attrs} <= ATTRIBUTES
    assert all(re.match(r"#|https?://|(\.\./)+[^:]*$", attrs["href"]) for attrs in page.of("a"))
    assert "url(" not in "".join(sheets(html))
    assert "@import" not in "".join(sheets(html))
    assert_policy(html, page)
    return page


def assert_policy(html: str, page: Page) -> None:
    """The policy names our style sheets by their hashes, and nothing else."""
    (policy,) = [attrs["content"] for attrs in page.of("meta") if attrs.get("http-equiv")]
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}'" for css in sheets(html)]
    assert policy == (
        f"default-src 'none'; style-src {' '.join(dict.fromkeys(hashes))}; base-uri 'none'; form-action 'none'"
    )


def assert_links_within(page: Page) -> None:
    """Ids are given once, and each link within the page leads to one."""
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {attrs["href"][1:] for attrs in page.of("a") if attrs["href"].startswith("#")} <= set(ids)


def heading_levels(page: Page) -> list[int]:
    return [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]


def sheets(html: str) -> list[str]:
    return re.findall(r"<style>(.*?)</style>", html, flags=re.DOTALL)
