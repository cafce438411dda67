"""Answers of StockTwits and Reddit in the shape they have, about companies that do not exist."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

Payload = dict[str, Any]


def message(number: int, created_at: str, body: str = "$ACMQ looks fine", **more: Any) -> Payload:
    """One message of StockTwits, untagged and liked by nobody; further fields win."""
    return {
        "id": number,
        "body": body,
        "created_at": created_at,
        "user": {"id": 7, "username": "quillfan", "name": "Quill Fan", "followers": 3},
        "source": {"id": 2269, "title": "StockTwits Web"},
        "symbols": [{"id": 1, "symbol": "ACMQ", "title": "Acme Quark Devices"}],
        "entities": {"sentiment": None},
    } | more


def stream(messages: Sequence[Any], *, more: bool = False, oldest: int | None = None) -> Payload:
    """A page of a symbol's stream."""
    return {
        "response": {"status": 200},
        "symbol": {"id": 1, "symbol": "ACMQ", "title": "Acme Quark Devices", "watchlist_count": 12},
        "cursor": {"more": more, "since": _newest(messages), "max": oldest},
        "messages": list(messages),
    }


def _newest(messages: Sequence[Any]) -> int | None:
    """The id that the cursor names as the newest of its page."""
    numbers = [found["id"] for found in messages if isinstance(found, dict) and isinstance(found.get("id"), int)]
    return max(numbers, default=None)


def submission(number: int, created_utc: float, title: str = "ACMQ earnings", **more: Any) -> Payload:
    """One post in Reddit's JSON; further fields win."""
    return {
        "kind": "t3",
        "data": {
            "id": f"x{number}",
            "name": f"t3_x{number}",
            "title": title,
            "selftext": "What do you think?",
            "created_utc": created_utc,
            "author": "quill_reader",
            "subreddit": "stocks",
            "score": 12,
            "num_comments": 5,
            "permalink": f"/r/stocks/comments/x{number}/a_title/",
        }
        | more,
    }


def listing(children: Sequence[Any], *, after: str | None = None) -> Payload:
    """A page of a search in Reddit's JSON."""
    return {"kind": "Listing", "data": {"after": after, "dist": len(children), "children": list(children)}}


def entry(number: int, published: str, title: str = "ACMQ earnings", text: str | None = "What do you think?") -> str:
    """One entry of Reddit's feed; without a text it is only a link."""
    written = f'<!-- SC_OFF --><div class="md"><p>{text}</p></div><!-- SC_ON -->' if text is not None else ""
    tail = ' &#32; submitted by &#32; <a href="https://www.reddit.com/user/quill_reader"> /u/quill_reader </a>'
    return f"""<entry>
      <author><name>/u/quill_reader</name><uri>https://www.reddit.com/user/quill_reader</uri></author>
      <category term="stocks" label="r/stocks"/>
      <content type="html">{escape(written + tail)}</content>
      <id>t3_x{number}</id>
      <link href="https://www.reddit.com/r/stocks/comments/x{number}/a_title/"/>
      <updated>{published}</updated><published>{published}</published>
      <title>{escape(title)}</title>
    </entry>"""


def feed(*entries: str) -> str:
    """Reddit's answer as a feed."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>search results</title>{''.join(entries)}</feed>"
    )
