"""Theses on companies: saving one, and reading those that were saved."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.errors import UsageError
from tradingagents.features.deep_report.schemas.saved_thesis import StoredThesis
from tradingagents.files.plain_text import one_line

LONGEST_THESIS = 20_000
MOST_LISTED = 50


class SavedThesis(Result):
    """A thesis as it is saved, or the request for it where nothing is stored."""

    tabulated: ClassVar[bool] = True

    thesis: str
    breakers: tuple[str, ...] = ()
    run_id: str | None = None
    stored: StoredThesis | None = None
    """None outside a home folder, where nothing is saved."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Thesis on {self.symbol}: {'saved' if self.stored else 'not saved'}"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures: those of a thesis belong to the run that it was drawn from."""
        return ()

    def body(self) -> str:
        """Return the thesis."""
        return "" if self.stored is None else thesis_text(self.stored)


class SavedTheses(Result):
    """The saved theses, the latest day of study first."""

    tabulated: ClassVar[bool] = True

    theses: tuple[StoredThesis, ...] = ()

    @property
    def title(self) -> str:
        """Heading."""
        return f"Saved theses: {self.symbol or 'all companies'}"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures."""
        return ()

    def body(self) -> str:
        """Return the theses."""
        return "\n\n".join(map(thesis_text, self.theses)) or "No thesis is saved for this day or an earlier one."


def thesis_text(thesis: StoredThesis) -> str:
    """Return a thesis as Markdown."""
    origin = f", from run {thesis.run_id}" if thesis.run_id else ""
    lines = [f"**{thesis.thesis_id}**: {thesis.ticker}, known on {thesis.known_on}{origin}", "", thesis.thesis]
    if thesis.breakers:
        lines += ["", "It breaks if:", *(f"- {one_line(breaker)}" for breaker in thesis.breakers)]
    if thesis.figures:
        lines += ["", "Figures:"]
        lines += [
            f"- {figure.name} {figure.value:,g} {figure.unit}".rstrip()
            + f" ({', '.join(filter(None, (figure.source, figure.period)))})"
            for figure in thesis.figures
        ]
    return "\n".join(lines)


@capability(
    title="Saved thesis",
    returns=SavedThesis,
    requires=(),
    example={"thesis": "Margins hold while the market grows.", "breakers": "the margin falls below 40%"},
    writes=True,
)
def save_thesis(data: MarketData, ticker: str, thesis: str = "", breakers: str = "", run_id: str = "") -> SavedThesis:
    """Save a thesis on a company, with what would prove it wrong and the figures of the run that it was drawn from.

    Args:
        ticker: The company.
        thesis: The thesis in words; empty takes the answer or the rationale of the run.
        breakers: What would prove it wrong; conditions are separated by semicolons or new lines.
        run_id: Id of the run that it was drawn from, whose figures on the company are saved with it.
    """
    words, run = thesis.strip(), run_id.strip()
    if not words and not run:
        raise UsageError("A thesis needs words or a run; give thesis, or run_id.")
    if len(words) > LONGEST_THESIS:
        raise UsageError(f"The thesis has {len(words)} characters; at most {LONGEST_THESIS} are saved.")
    return SavedThesis(
        symbol=normalise(ticker),
        as_of=data.as_of,
        source="user",
        fetched_at=datetime.now(UTC),
        thesis=words,
        breakers=tuple(one_line(text) for text in breakers.replace("\n", ";").split(";") if text.strip()),
        run_id=run or None,
    )


@capability(returns=SavedTheses, requires=(), quotes_documents=True)
def saved_theses(data: MarketData, ticker: str = "") -> SavedTheses:
    """Show the saved theses on a company, or on all, that were known on the day of the question.

    Args:
        ticker: The company; empty for all.
    """
    symbol = normalise(ticker) if ticker.strip() else None
    return SavedTheses(symbol=symbol, as_of=data.as_of, source="home folder", fetched_at=datetime.now(UTC))
