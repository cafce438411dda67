"""Financial statements from the first vendor that has them, cross-checked against others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.gateway.router import nobody_named
from tradingagents.dataflows.gateway.share_gateway import ShareGateway
from tradingagents.dataflows.models import Books, Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.share_classes import equal_classes
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed, DataError, NoData, VendorNotConfigured

METHOD = Vendor.get_statements.named("get_financials")
STATEMENT_METHOD: Mapping[StatementKind, str] = {
    "income": "get_income_statement",
    "balance": "get_balance_sheet",
    "cashflow": "get_cashflow",
}
_Given = tuple[Statement, ...] | DataError | VendorNotConfigured


class FinancialSources(ShareGateway):
    """The gateway for statements, which may query more than one source."""

    def financials(
        self, symbol: str, kinds: Sequence[StatementKind], freq: Frequency, *, cross_check: bool = True
    ) -> Books:
        """Return the statements of the first vendor that has any filed by the cut-off, all from that vendor.

        An exception to failing fast (`interface.FALLBACK_ALLOWED`): a vendor that fails, lacks its key or has no data
        is skipped and listed. Every queried vendor is recorded in the data sheet.

        Args:
            symbol: Any spelling.
            kinds: The statements; a vendor that lacks one of them but has another is used.
            freq: Quarterly or annual.
            cross_check: Whether to query the vendors after the one that answered too.

        Raises:
            NoData: No vendor has any.
            VendorNotConfigured: No vendor is configured.
            NotForPastDate: All vendors answer for today only.
            AllVendorsFailed: No vendor answered, for different reasons or because of an outage; names each.
        """
        symbol = normalise(symbol)
        able, passed_over = self.source.candidates(METHOD)
        passed: dict[str, DataError | VendorNotConfigured] = {}
        for name in able:
            given = self._filed_at(name, symbol, kinds, freq)
            self._note_answer(name, symbol, given)
            if not isinstance(given, tuple):
                passed[name] = given
                continue
            others = self._others(able[len(passed) + 1 :], symbol, kinds, freq) if cross_check else {}
            return Books(
                vendor=name,
                statements=given,
                passed={vendor: str(error) for vendor, error in passed.items()},
                others={vendor: rows for vendor, rows in others.items() if isinstance(rows, tuple)},
                silent={vendor: str(rows) for vendor, rows in others.items() if not isinstance(rows, tuple)},
            )
        if not passed:
            raise passed_over or nobody_named(METHOD)
        raise _nobody(symbol, passed)

    def _others(
        self, names: Sequence[str], symbol: str, kinds: Sequence[StatementKind], freq: Frequency
    ) -> dict[str, _Given]:
        """Query vendors in parallel."""
        if not names:
            return {}
        with ThreadPoolExecutor(max_workers=len(names)) as pool:
            answers = list(pool.map(lambda name: self._filed_at(name, symbol, kinds, freq), names))
        for name, given in zip(names, answers, strict=True):
            self._note_answer(name, symbol, given)
        return dict(zip(names, answers, strict=True))

    def _filed_at(self, name: str, symbol: str, kinds: Sequence[StatementKind], freq: Frequency) -> _Given:
        """Return one vendor's statements of these kinds, filed by the cut-off, or the reason why there are none."""
        found: list[Statement] = []
        nothing: NoData | None = None
        for kind in kinds:
            try:
                rows = self._company_rows(name, symbol, kind, freq)
            except NoData as error:
                nothing = nothing or error
            except (DataError, VendorNotConfigured) as error:
                return error
            else:
                found += self._statements_in_shares_of_the_day(symbol, last_filed(self.at.known(rows)))[0]
        if found:
            return tuple(found)
        return nothing or NoData(
            f"{name} has no {freq} statement of {symbol} filed by {self.cutoff.session}; choose another vendor."
        )

    def _company_rows(self, name: str, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return one vendor's statements; see `statements_of_company`."""
        method = Vendor.get_statements.named(STATEMENT_METHOD[kind])

        def under(listed: str) -> tuple[tuple[Statement, ...], str]:
            return self.source.answer_of(name, method, listed, kind, freq), name

        return statements_of_company(symbol, under)[0]

    def _note_answer(self, name: str, symbol: str, given: _Given) -> None:
        if isinstance(given, tuple):
            ends: list[date] = sorted(row.period_end for row in given)
            known_at = max(row.known_at for row in given)
            row = self._row(METHOD.name, symbol, name, rows=len(given), start=ends[0], end=ends[-1], known_at=known_at)
            self.sheet.add(replace(row, notes=gate_notes(given)))
        else:
            row = DataSheetRow(METHOD.name, symbol, name, rows=0, fetched_at=self.asked_at, notes=(str(given),))
            self.sheet.add(row)


def statements_of_company(
    symbol: str, ask: Callable[[str], tuple[tuple[Statement, ...], str]]
) -> tuple[tuple[Statement, ...], str]:
    """Return the statements of a symbol; where there are none of this class of shares, those under another class.

    Statements are of the company as a whole, so that they are those of each class with an equal claim.

    Args:
        ask: Returns the statements under a symbol and who gave them.

    Raises:
        NoData: There are none of the symbol, nor of another class.
    """
    try:
        own = ask(symbol)
        missing = None
    except NoData as error:
        own, missing = ((), ""), error
    if own[0]:
        return own
    for other in equal_classes(symbol):
        try:
            rows, vendor = ask(other)
        except NoData:
            continue
        if rows:
            note = f"Statements of {symbol} are those of its company under {other}, another class of its shares."
            return tuple(replace(row, symbol=symbol, gate_notes=(*row.gate_notes, note)) for row in rows), vendor
    if missing is not None:
        raise missing
    return own


def last_filed(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return the statements of one kind and frequency, newest period first; of each period the last known version."""
    by_period = {row.period_end: row for row in sorted(statements, key=lambda row: row.known_at)}
    return tuple(by_period[end] for end in sorted(by_period, reverse=True))


def gate_notes(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return what the gate withholds from statements, and what else their readers must know; each once."""
    found: dict[str, None] = {}
    for statement in statements:
        found |= dict.fromkeys((*statement.withheld.values(), *statement.gate_notes))
    return tuple(found)


def _nobody(symbol: str, passed: Mapping[str, DataError | VendorNotConfigured]) -> Exception:
    """Return the error if no vendor answered: the common error if all agree."""
    reasons = " ".join(str(error) for error in passed.values())
    for kind in (NoData, VendorNotConfigured):
        if all(isinstance(error, kind) for error in passed.values()):
            return kind(reasons)
    failed = AllVendorsFailed(
        f"{METHOD.name} of {symbol} failed at {', '.join(passed)}: {reasons} Or choose another vendor in tool_vendors."
    )
    failed.__cause__ = next((error for error in passed.values() if not isinstance(error, NoData)), None)
    return failed
