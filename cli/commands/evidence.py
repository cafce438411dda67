"""`tradingagents evidence`: list, show and verify the evidence of deep reports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import NotFound

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import CommandEntry, command_group
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.features.deep_report.evidence import EvidenceStore
    from tradingagents.schemas.evidence import EvidenceItem

HELP = "List, show and verify the evidence that deep reports rest on."
_CODES = "Exit codes: 0 done · 2 usage, or nothing found · 3 configuration, or changed evidence · 130 interrupted."

app = command_group(
    HELP,
    {
        "list": CommandEntry(
            "evidence:list_evidence", "List the stored evidence about a company, the surest first.", _CODES
        ),
        "show": CommandEntry("evidence:show", "Show one item with its quotation and source.", _CODES),
        "verify": CommandEntry("evidence:verify", "Check that every frozen bundle of a company is unchanged.", _CODES),
    },
)


Ticker = Annotated[str, typer.Argument(metavar="TICKER", help="Company, for example AAPL.")]


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the company, for JSON errors."""
    return {"ticker": given["ticker"]}


@with_options(options.LIST, _about)
def list_evidence(ticker: Ticker, *, flags: Flags, terminal: Terminal) -> int:
    """List the stored evidence about a company, the surest first."""
    store = _store(ticker, flags)
    items = store.recall(datetime.now(UTC))
    if terminal.json:
        shown = [item.model_dump(mode="json") for item in items]
        terminal.print_json({"ticker": store.ticker, "items": shown, "bundles": store.bundles()})
        return 0
    for item in items:
        line = (
            f"{item.id}  {item.source.known_at:%Y-%m-%d}  {item.source.kind:<9}  {item.confidence:>4.0%}  {item.claim}"
        )
        terminal.print_text(clean(line))
    for sha256 in store.bundles():
        terminal.print_text(f"bundle {sha256}")
    if not items and not terminal.quiet:
        terminal.err.print(
            f"Nothing is kept about {store.ticker}; write a report with: tradingagents report {store.ticker}",
            markup=False,
            soft_wrap=True,
        )
    return 0


@with_options(options.LIST, _about)
def show(
    ticker: Ticker,
    item: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it, such as E-1a2b.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show one item with its quotation and source."""
    store = _store(ticker, flags)
    found = [known_item for known_item in store.recall(datetime.now(UTC)) if known_item.id.startswith(item)]
    if len(found) != 1:
        what = f"{len(found)} items begin" if found else "no item begins"
        raise NotFound(f"Of {store.ticker}, {what} with {item[:40]!r}; `tradingagents evidence list` has the ids.")
    if terminal.json:
        terminal.print_json(found[0].model_dump(mode="json"))
        return 0
    for line in _lines(found[0]):
        terminal.print_text(clean(line))
    return 0


@with_options(options.LIST, _about)
def verify(ticker: Ticker, *, flags: Flags, terminal: Terminal) -> int:
    """Check that every frozen bundle of a company is unchanged."""
    store = _store(ticker, flags)
    checked = [store.bundle(sha256) for sha256 in store.bundles()]
    if terminal.json:
        rows = [
            {"sha256": snapshot.sha256, "as_of": snapshot.as_of.isoformat(), "items": len(snapshot.items)}
            for snapshot in checked
        ]
        terminal.print_json({"ticker": store.ticker, "bundles": rows})
        return 0
    for snapshot in checked:
        line = f"unchanged  {snapshot.as_of:%Y-%m-%d}  {len(snapshot.items)} items  {snapshot.sha256}"
        terminal.print_text(line)
    if not checked and not terminal.quiet:
        terminal.err.print(f"No bundle of {store.ticker} is frozen.", markup=False)
    return 0


def _store(ticker: str, flags: Flags) -> EvidenceStore:
    from tradingagents.features.deep_report.evidence import EvidenceStore

    settings, _ = read_both(flags)
    return EvidenceStore(settings.home_dir, ticker)


def _lines(item: EvidenceItem) -> list[str]:
    lines = [
        f"{item.id}: {item.claim}",
        f'"{item.quote}"',
        f"Source: {item.source.title}{f', {item.source.place}' if item.source.place else ''} ({item.source.address})",
        f"Known: {item.source.known_at:%Y-%m-%d %H:%M} UTC",
        f"{item.direction} {item.hypothesis}, confidence {item.confidence:.0%}, iteration {item.iteration}",
    ]
    if item.effect is not None:
        years = f"years {item.effect.first_year} to {item.effect.last_year}"
        lines.append(f"Moves {item.effect.driver} by {item.effect.change:+.4f}, {years}")
    return lines
