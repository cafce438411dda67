"""Recorded answers of StockTwits, served as they were: every message must come out with its own values."""

from __future__ import annotations

import html
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.contracts.sources.stocktwits import SOURCE
from tests.support.vendor_server import vendor_server

pytestmark = pytest.mark.real_data


@pytest.mark.parametrize(("symbol", "file"), [("AAPL", "AAPL_2020-04-24.json"), ("F", "F_2019-04-26.json")])
def test_every_message_of_a_recorded_page(symbol: str, file: str, test_data: Path, tmp_path: Path):
    folder = test_data / "market" / "vendor_payloads" / "stocktwits" / "streams_symbol"
    recorded = json.loads((folder / file).read_text(encoding="utf-8"))
    last_page = {**recorded, "cursor": {**recorded["cursor"], "more": False}}
    with vendor_server() as server:
        server.answer(f"/streams/symbol/{symbol}.json", last_page)
        found = SOURCE.open(server, tmp_path).get_social_posts(
            symbol, datetime(2019, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
        )
    assert len(found) == len(recorded["messages"]) == 30
    by_number = {int(post.url.rpartition("/")[2]): post for post in found if post.url}
    for message in recorded["messages"]:
        post, tag = by_number[message["id"]], message["entities"]["sentiment"]
        assert post.posted_at == datetime.fromisoformat(message["created_at"])
        assert post.text == " ".join(html.unescape(message["body"]).split())[:500].rstrip()
        assert post.author == message["user"]["username"]
        assert post.sentiment == (tag["basic"].lower() if tag else None)
        assert post.score == (message["likes"]["total"] if "likes" in message else None)
