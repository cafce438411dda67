"""Routes of the book: what the user holds, by day. Holdings stand in bodies only, never in an address."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from tradingagents.errors import UsageError
from tradingagents.schemas.portfolio import Currency, Finite
from tradingagents.schemas.workspace import StoredBook, WireModel
from tradingagents.service.http.routes.common import AskedWorkspace, as_json

router = APIRouter(prefix="/v1", tags=["books"])
LONGEST_DAY = 40
OfDay = Annotated[str | None, Query(max_length=LONGEST_DAY, description="The newest book of this day or earlier.")]
BookDay = Annotated[str, Path(max_length=LONGEST_DAY, description="Such as 2025-03-14.")]


class BookFile(WireModel):
    """A file with what is held: one of `text` and `base64`."""

    text: str | None = None
    """Content of a CSV or JSON file."""
    base64: str | None = None
    """Content of any file, such as XLSX, in Base64."""
    day: str | None = Field(None, max_length=LONGEST_DAY)
    """Of the holdings, where the file names none; None: today, or the last recorded session."""
    cash: dict[Currency, Finite] = Field(default_factory=dict)
    """Amounts by currency, in place of the file's."""
    store: bool = True
    """False only reads the file, and returns what would be stored."""


@router.get("/books", response_model=list[StoredBook])
async def books(workspace: AskedWorkspace) -> Response:
    """List what the user holds, by day, newest first."""
    return as_json(await workspace.books())


@router.post("/books", response_model=StoredBook, status_code=201)
async def store_book(file: BookFile, workspace: AskedWorkspace) -> Response:
    """Store what the user holds from a file as brokers export it, in place of the book of the same day."""
    found = await workspace.store_book(_content_of(file), day=file.day, cash=file.cash, store=file.store)
    return as_json(found, 201 if file.store else 200)


@router.get("/book", response_model=StoredBook)
async def book(workspace: AskedWorkspace, day: OfDay = None) -> Response:
    """Return the newest book of a day or earlier, at no prices; the capability `book` values it."""
    return as_json(await workspace.book(day))


@router.delete("/books/{day}", status_code=204)
async def remove_book(day: BookDay, workspace: AskedWorkspace) -> Response:
    """Delete the stored book of a day."""
    await workspace.remove_book(day)
    return Response(status_code=204)


def _content_of(file: BookFile) -> bytes:
    """Return the bytes of a file. Raises UsageError."""
    if file.text is not None and file.base64 is None:
        return file.text.encode()
    if file.base64 is None or file.text is not None:
        raise UsageError("Give the content of the file, either as text or as base64.")
    try:
        return b64decode(file.base64, validate=True)
    except ValueError:
        raise UsageError("The field base64 is not in Base64; encode the content of the file.") from None
