"""Routes of the watch list: the tickers that the user studies regularly."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from tradingagents.schemas.workspace import WatchedTickers, WireModel
from tradingagents.service.http.routes.common import AskedWorkspace, as_json

router = APIRouter(prefix="/v1/watchlist", tags=["watch list"])
LONGEST_TICKER = 40
MOST_AT_ONCE = 300
Ticker = Annotated[str, Path(max_length=LONGEST_TICKER, description="Such as AAPL.")]


class Watched(WireModel):
    """Tickers to add."""

    tickers: list[Annotated[str, Field(max_length=LONGEST_TICKER)]] = Field(min_length=1, max_length=MOST_AT_ONCE)


@router.get("", response_model=WatchedTickers)
async def watch_list(workspace: AskedWorkspace) -> Response:
    """Return the tickers of the watch list; the capability `watchlist` shows how they stand."""
    return as_json(await workspace.watch_list())


@router.post("", response_model=WatchedTickers)
async def watch(wanted: Watched, workspace: AskedWorkspace) -> Response:
    """Add tickers, and return the list. Those on it already stay where they are."""
    return as_json(await workspace.watch(wanted.tickers))


@router.delete("/{ticker}", response_model=WatchedTickers)
async def unwatch(ticker: Ticker, workspace: AskedWorkspace) -> Response:
    """Remove a ticker, and return the list. One that is not on it changes nothing."""
    return as_json(await workspace.unwatch(ticker))
