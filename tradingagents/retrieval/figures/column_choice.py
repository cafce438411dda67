"""Which column of a statement a question means: by period, length, basis and currency; else which columns there are.

`choose_cells` gives the cell of a row; where none or several fit, `ColumnChoice.refusal` names the columns found and
why none is taken: a column is said to be missing only where there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tradingagents.dataflows.reference.currencies import DOLLARS
from tradingagents.retrieval.models import Column, ColumnBasis, Row, TableCell

QUARTER_DAYS = (75, 105)
YEAR_DAYS = (340, 385)
_DAYS_A_MONTH = 30.4
_MOST_NAMED = 8
"""Columns that a refusal names."""
_OWN: tuple[tuple[ColumnBasis, ...], ...] = (("",), ("restated",), ("as reported",), ("successor", "predecessor"))
"""Bases of a question that names none, in order of preference: what is withdrawn gives way to what is restated."""

_COUNTED: tuple[ColumnBasis, ...] = ("", "restated", "successor", "predecessor")
"""Bases on which a column states figures of the company for its period."""


@dataclass(frozen=True, slots=True)
class WantedColumn:
    """What a question says of the column that it means, besides the year."""

    quarter: int | None = None
    currency: str = ""
    """ISO code, or `$` for dollars; empty for the currency in which the company reports."""
    basis: ColumnBasis = ""
    column: Column | None = None
    """The very column, for whoever reads a statement column by column; the year, quarter and basis then say nothing."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The cell of a period in a row, or why there is none."""

    cells: tuple[tuple[TableCell, Column], ...] = ()
    note: str = ""
    """Which of several columns of the period was taken; empty where there is one only."""
    refusal: str = ""
    """What stands in the way, beginning in small letters; empty with a cell."""


@dataclass(frozen=True, slots=True)
class StatementColumns:
    """What a choice needs to know of a statement."""

    columns: tuple[Column, ...]
    flow: bool
    """Whether its figures are of a length of time."""
    name: str
    """Such as `income statement`."""
    reporting: str = ""
    """Currency in which the company reports; empty where the document does not say."""
    quarters: tuple[int | None, ...] = field(default=())
    """Which quarter of the fiscal year each column ends; empty where the whole document is of one quarter."""


def choose_cells(row: Row, statement: StatementColumns, year: int, wanted: WantedColumn) -> ColumnChoice:
    """Return the cell of a fiscal year, or of its quarter, in a row."""
    if wanted.column is not None:
        return _in_column(row, statement, wanted.column)
    period = f"Q{wanted.quarter} of fiscal {year}" if wanted.quarter else f"fiscal {year}"
    of_year = [at for at, column in enumerate(statement.columns) if column.fiscal_year == year]
    untold = [at for at, column in enumerate(statement.columns) if _may_be_of(column, year)]
    if not of_year and untold:
        return ColumnChoice(
            refusal=f"The {statement.name} has {_named(statement, untold)}, but the filing does not tell of which "
            f"fiscal year {'it is' if len(untold) == 1 else 'they are'}."
        )
    if not of_year:
        return ColumnChoice(refusal=f"No column of the {statement.name} is for {period}; {_all_named(statement)}.")
    lasting = [at for at in of_year if _fits(statement, at, wanted.quarter)]
    if not lasting:
        return ColumnChoice(
            refusal=f"The {statement.name} has {_named(statement, of_year)} for fiscal {year}, but {_not(of_year)} "
            f"{'of that quarter' if wanted.quarter else 'for the whole year'}."
        )
    printed = [at for at in lasting if (cell := row.cells[at]) is not None and cell.value is not None]
    printed = [at for at in printed if (cell := row.cells[at]) is not None and "%" not in cell.text]
    if not printed:
        return ColumnChoice(
            refusal=f"The row {row.label!r} of the {statement.name} has no figure that could be read in "
            f"{_named(statement, lasting)}, for {period}."
        )
    return _narrowed(row, statement, printed, period, wanted)


def _in_column(row: Row, statement: StatementColumns, column: Column) -> ColumnChoice:
    """Return the cell of a row in a column; none where two columns are alike and print different figures."""
    cells = [row.cells[at] for at, each in enumerate(statement.columns) if each == column]
    printed = [cell for cell in cells if cell is not None and cell.value is not None and "%" not in cell.text]
    if not printed or len({cell.value for cell in printed}) > 1:
        return ColumnChoice(refusal=f"The row {row.label!r} has no one figure in the column {column.name!r}.")
    return ColumnChoice(((printed[0], column),))


def own_columns(statement: StatementColumns) -> tuple[Column, ...]:
    """Return the columns with a company's own figures in the currency in which it reports, each once.

    What is shown as reported before a restatement, pro forma or as an adjustment is left out, and so is a translation
    into another currency.
    """
    own = [at for at, column in enumerate(statement.columns) if column.basis in _COUNTED]
    return tuple(dict.fromkeys(statement.columns[at] for at in _in_currency(statement, own, "")))


def _narrowed(
    row: Row, statement: StatementColumns, found: list[int], period: str, wanted: WantedColumn
) -> ColumnChoice:
    """Choose among columns of the period: by basis, currency, and the last day of a balance sheet."""
    of_basis = _of_basis(statement, found, wanted.basis)
    if not of_basis:
        what = (
            f"figures {wanted.basis!r} are asked for" if wanted.basis else "none of them has the company's own figures"
        )
        return ColumnChoice(refusal=f"The {statement.name} has {_named(statement, found)} for {period}, but {what}.")
    in_currency = _in_currency(statement, of_basis, wanted.currency)
    if not in_currency:
        asked = "dollars" if wanted.currency == "$" else wanted.currency
        return ColumnChoice(
            refusal=f"The {statement.name} has {_named(statement, of_basis)} for {period}, but {_not(of_basis)} "
            f"in {asked}."
        )
    chosen = in_currency
    if len(chosen) > 1 and wanted.quarter and not statement.flow:
        ends = [end for at in chosen if (end := statement.columns[at].period_end) is not None]
        chosen = [at for at in chosen if ends and statement.columns[at].period_end == max(ends)]
    cells = [(cell, statement.columns[at]) for at in chosen if (cell := row.cells[at]) is not None]
    if len({(cell.value, column.currency) for cell, column in cells}) > 1:
        return ColumnChoice(
            refusal=f"The {statement.name} has {len(chosen)} columns for {period}, {_named(statement, chosen)}, and "
            "nothing tells which of them is meant."
        )
    return ColumnChoice((cells[0],), _note(statement, found, chosen[:1]))


def _note(statement: StatementColumns, found: Sequence[int], chosen: Sequence[int]) -> str:
    """Say which column was taken where the period has several, or where its figures are of another basis."""
    others = [at for at in found if at not in chosen]
    if not others and not statement.columns[chosen[0]].basis:
        return ""
    rest = f", not {_named(statement, others)}" if others else ""
    return f"Taken from the column {_named(statement, chosen)}{rest}."


def _may_be_of(column: Column, year: int) -> bool:
    """Whether a column whose fiscal year is not told names the year, or ends in it or just after it."""
    if column.fiscal_year is not None:
        return False
    ends = () if column.period_end is None else (column.period_end.year, column.period_end.year - 1)
    return str(year) in column.header or year in ends


def _not(found: Sequence[int]) -> str:
    return "it is not" if len(found) == 1 else "none of them is"


def _fits(statement: StatementColumns, at: int, quarter: int | None) -> bool:
    """Whether a column is of the length wanted, and ends the quarter wanted."""
    if quarter and statement.quarters and statement.quarters[at] != quarter:
        return False
    if not statement.flow:
        return True
    days = _days(statement.columns[at])
    low, high = QUARTER_DAYS if quarter else YEAR_DAYS
    return quarter is None if days is None else low <= days <= high


def _days(column: Column) -> float | None:
    if column.period_start is not None and column.period_end is not None:
        return (column.period_end - column.period_start).days + 1
    return None if column.months is None else column.months * _DAYS_A_MONTH


def lasts_a_quarter(column: Column) -> bool:
    """Return whether a column is told to be of a quarter."""
    days = _days(column)
    return days is not None and QUARTER_DAYS[0] <= days <= QUARTER_DAYS[1]


def _of_basis(statement: StatementColumns, found: Sequence[int], basis: ColumnBasis) -> list[int]:
    if basis:
        return [at for at in found if statement.columns[at].basis == basis]
    for bases in _OWN:
        fitting = [at for at in found if statement.columns[at].basis in bases]
        if fitting:
            return fitting
    return []


def _in_currency(statement: StatementColumns, found: Sequence[int], currency: str) -> list[int]:
    """Return the columns in the currency asked for, else in that of the company's reports."""
    own = [statement.columns[at].currency for at in found]
    if not any(own):
        return list(found)
    if currency == "$":
        dollars = [at for at in found if statement.columns[at].currency == "USD"]
        return dollars or [at for at in found if statement.columns[at].currency in DOLLARS]
    wanted = currency or _reporting(statement)
    return [at for at in found if statement.columns[at].currency == wanted] if wanted else list(found)


def _reporting(statement: StatementColumns) -> str:
    """Return the currency of a company's reports: as stated, else that of most columns; empty where neither tells."""
    counted = Counter(column.currency for column in statement.columns if column.currency)
    if statement.reporting in counted:
        return statement.reporting
    ranked = counted.most_common(2)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else ""


def _named(statement: StatementColumns, found: Sequence[int]) -> str:
    """Return columns by their names, such as `2024 (CNY)` and `2024 (USD)`."""
    names = [f"\u201c{statement.columns[at].name or f'column {at + 1}'}\u201d" for at in found[:_MOST_NAMED]]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return (", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 and not more else ", ".join(names)) + more


def _all_named(statement: StatementColumns) -> str:
    """Return what columns a statement has, for a refusal."""
    if not any(column.name for column in statement.columns):
        return f"none of its {len(statement.columns)} columns has a head that could be read"
    return f"its columns are {_named(statement, range(len(statement.columns)))}"
