"""What is computed over the figures of lines: growth, averages, sums, differences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.calculation import CalculationRequest, CitedOperand, Output, calculate
from tradingagents.retrieval.lines.line_answer import LineResult, LineValue, shown
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.rows.asked_line import TOLD_IN_ORDER, AskedLine

_FEWEST = 2
_OF_SEVERAL = ("cagr", "multiple", "sum", "growth", "sequential", "since_highest", "since_lowest")
_OF_ONE = "it needs figures of several periods, and one is named"
_OF_AMOUNT = re.compile(
    r"(?i)\bhow (?:much|many)\b|\bnet add(?:s|itions?)\b"
    r"|\b(?:changes?|difference|lost|gained|dollars?|absolute(?:ly)?|amounts?)\b|\$"
)
"""What asks for a change in its unit beside that in per cent."""
_QUARTERS = 4
BESIDE_A_YEAR = "a year is not computed together with quarters"
_TREND = re.compile(r"(?i)\b(?:trend|trajectory|progression|evolution)\b")
DIFFERENCE = "Difference"
"""With it begins the name of a change in the unit of the figures; those in per cent begin with `Growth`."""
IN_SIZE = "Growth in size"
"""With it begins the name of the growth of payments, which tables print in brackets."""
_PAID = re.compile(
    r"(?i)\b(?:purchases?|payments?|paid|repayments?|repurchases?|additions?|expenditures?|investments? in"
    r"|acquisitions?|dividends?|costs?|expenses?|provision|deductions?|used|incentives?|discounts?|allowances?|rebates?"
    r"|depreciation|amortization)\b"
)
"""Rows whose figures stand in brackets for what goes out or is taken off."""
_RESULT = re.compile(
    r"(?i)\b(?:income|profits?|earnings|loss(?:es)?|cash|gains?|margins?|results?|equity|deficit|benefits?|ebitd?a|capital)\b"
)
"""Rows whose figures may fall below zero."""
CHANGE = "Change"
"""With it begins the name of a change of percentages, which is one in points."""
IN_POINTS = " in percentage points"
POINTS = "percentage points"
"""Unit of the difference of two percentages."""
Contestant = tuple[str, float | None, str]
"""Who is compared, the figure that decides, and its unit."""


def line_results(asked: LineQuestion, line: AskedLine, values: Sequence[LineValue]) -> Iterator[LineResult]:
    """Yield what is computed over the figures of a line."""
    own = [value for value in values if (value.company, value.line) == (line.books.name, line.name)]
    quarters = [value for value in own if value.period.startswith("Q")]
    if asked.functions and 0 < len(quarters) < len(own):
        if not _are_whole_years(own):
            names = [f"{function.capitalize()} of {line.name}, {line.books.name}" for function in asked.functions]
            yield from (LineResult(name=name, refusal=BESIDE_A_YEAR) for name in names)
            return
        own = quarters
    for function in asked.functions:
        if line.growth:
            continue
        if len(own) < _FEWEST and function in _OF_SEVERAL:
            yield LineResult(name=f"{function.capitalize()} of {line.name}, {line.books.name}", refusal=_OF_ONE)
            continue
        name = f"of {line.name}, {line.books.name}"
        if function in ("growth", "sequential"):
            steps = [*pairwise(own), *([(own[0], own[-1])] if len(own) > 2 else [])]
            for before, after in steps:
                title = f"Growth {name}, {before.period} to {after.period}"
                yield _over(own, before, after, "growth({0}, {1})", title, "percent")
            told = len(own) == _FEWEST and (own[0].value or 0.0) < 0  # by the change from a negative figure
            if own[0].unit != "percent" and _OF_AMOUNT.search(asked.text) and not told:
                title = f"{DIFFERENCE} {name}, {_span_of(own)}"
                yield _over(own, own[0], own[-1], "{1} - {0}", title, _output_of(own[0].unit))
        elif function == "multiple" and len(own) > 1:
            yield _over(own, own[0], own[-1], "{1} / {0}", f"Multiple {name}, {_span_of(own)}", "times")
        elif function in ("since_highest", "since_lowest"):
            yield from _since_extreme(own, name, highest=function == "since_highest")
        elif function == "cagr":
            yield _cagr(own, name)
        elif function == "average":
            formula = f"average({', '.join(f'{{{at}}}' for at in range(len(own)))})"
            yield _computed(formula, f"Average {name}, {_span_of(own)}", own, "number")
        elif function == "sum" and len(own) > 1:
            formula = " + ".join(f"{{{at}}}" for at in range(len(own)))
            yield _computed(formula, f"Sum {name}, {_span_of(own)}", own, "number")
        elif function == "weighted":
            yield _weighted(line, own, name)


_OF_LOSS = re.compile(
    r"(?i)\bloss(?:es)?\b|\b(?:lost|los(?:es?|ing)) (?:the )?(?:more |most |less |least |any |how much )?money\b"
)
"""What asks for a loss, which is told as a sum by itself; tables show it as a negative result."""


def losses(asked: LineQuestion, line: AskedLine, values: Sequence[LineValue]) -> Iterator[LineResult]:
    """Yield each negative result of a line as the loss that it is, where a question asks for losses by that word."""
    if not _OF_LOSS.search(asked.text) or line.growth:
        return
    for value in values:
        own = (value.company, value.line) == (line.books.name, line.name)
        if own and value.value is not None and value.value < 0 and is_money(value.unit.partition("/")[0]):
            title = f"Loss: {line.name} of {line.books.name} below zero, {value.period}"
            yield _computed("absolute({0})", title, (value,), _output_of(value.unit))


def _are_whole_years(own: Sequence[LineValue]) -> bool:
    """Whether every year that stands beside quarters has all four of them: what is computed is then of the quarters."""
    years = {value.period[-4:] for value in own}
    return len(own) == (1 + _QUARTERS) * len(years)


def _output_of(unit: str) -> Output:
    return "per_share" if unit.endswith("/share") else "money" if is_money(unit) else "number"


def growth_of(line: AskedLine, before: LineValue, after: LineValue) -> LineResult:
    """Return the growth of a line from one period to the next."""
    title = f"Growth of {line.name}, {line.books.name}, {before.period} to {after.period}"
    return _over((before, after), before, after, "growth({0}, {1})", title, "percent")


def differences(
    asked: LineQuestion, values: Sequence[LineValue], contestants: Sequence[Contestant]
) -> Iterator[LineResult]:
    """Yield the difference of two figures that are set against each other, and of amounts also their ratio."""
    if asked.against:
        yield from _between_bases(values)
    contest = [(name, value, unit) for name, value, unit in contestants if value is not None]
    if (asked.against or asked.direction) and len({value.period.startswith("Q") for value in values}) > 1:
        yield LineResult(name=DIFFERENCE, refusal=BESIDE_A_YEAR)
        return
    periods = not asked.over_periods and len({value.period for value in values}) > 1 and "growth" in asked.functions
    if not (asked.against or asked.direction) or len(contest) != 2 or periods:
        return
    if len({unit for *_, unit in contest}) > 1:
        return
    listed = [contest, contest[::-1]] if float(contest[0][1] or 0.0) < float(contest[1][1] or 0.0) else [contest]
    for pair in listed:
        yield from _difference(pair[0], pair[1], values, ratio=pair is listed[-1])


def changes_of_percentages(
    asked: LineQuestion, lines: Sequence[AskedLine], values: Sequence[LineValue]
) -> Iterator[LineResult]:
    """Yield how a percentage, or what a trend is asked of, moved over the periods, where nothing else is computed."""
    if asked.functions or asked.direction or asked.of_companies or not asked.span.has_several:
        return
    trend = bool(_TREND.search(asked.text))
    for line in lines:
        own = [value for value in values if (value.company, value.line) == (line.books.name, line.name)]
        whole = len(own) >= _FEWEST and all(value.value is not None for value in own)
        whole = whole and len({value.period.startswith("Q") for value in own}) == 1
        if not whole or line.growth or (not trend and any(value.restated for value in own)):
            continue
        if trend and own[0].unit != "percent":
            title = f"{DIFFERENCE} of {line.name}, {line.books.name}, {_span_of(own)}"
            yield _over(own, own[0], own[-1], "{1} - {0}", title, _output_of(own[0].unit))
        if trend or own[0].unit == "percent":
            title = f"Growth of {line.name}, {line.books.name}, {own[0].period} to {own[-1].period}"
            yield _over(own, own[0], own[-1], "growth({0}, {1})", title, "percent")


def without_points(asked: LineQuestion, results: Sequence[LineResult]) -> Iterator[LineResult]:
    """Yield what says that a change in percentage points was asked for, where no result is one."""
    given = any(result.name.startswith(CHANGE) or result.name.endswith(IN_POINTS) for result in results)
    if asked.in_points and not given:
        reason = "it needs percentages of two periods, or two that are set against each other"
        yield LineResult(name=f"{CHANGE}{IN_POINTS}", refusal=reason)


def _between_bases(values: Sequence[LineValue]) -> Iterator[LineResult]:
    """Yield the difference of a figure on another basis, such as non-GAAP, and of the same as reported."""
    told = re.compile(rf"(?:(?:{'|'.join(TOLD_IN_ORDER)}) |\(non-GAAP\) )+")
    reported = {(value.company, value.line, value.period): value for value in values if not told.match(value.line)}
    for value in values:
        basis = told.match(value.line)
        other = reported.get((value.company, value.line[basis.end() :], value.period)) if basis else None
        if basis is None or other is None or value.value is None or other.value is None or value.unit != other.unit:
            continue
        first, second = ((one.line, one.value, one.unit) for one in (value, other))
        yield from _difference(first, second, (value, other), ratio=False)


def _since_extreme(own: Sequence[LineValue], name: str, *, highest: bool) -> Iterator[LineResult]:
    """Yield the change from the highest, or the lowest, of the figures to the last one."""
    word = "highest" if highest else "lowest"
    title = f"since the {word} {name}"
    if missing := [value.period for value in own if value.value is None]:
        yield LineResult(name=f"Growth {title}", refusal=f"{', '.join(missing)} is missing")
        return
    extreme = (max if highest else min)(own, key=lambda value: value.value or 0.0)
    if extreme is own[-1]:
        yield LineResult(name=f"Growth {title}", refusal=f"{extreme.period}, the last one, is the {word} itself")
        return
    title = f"{title}, {extreme.period} to {own[-1].period}"
    yield _over(own, extreme, own[-1], "growth({0}, {1})", f"Growth {title}", "percent")
    if own[0].unit != "percent":
        yield _over(own, extreme, own[-1], "{1} - {0}", f"{DIFFERENCE} {title}", _output_of(own[0].unit))


def _cagr(own: Sequence[LineValue], name: str) -> LineResult:
    name = f"Compound annual growth {name}, {_span_of(own)}"
    if len(own) < 2 or own[0].value is None or own[-1].value is None:
        return LineResult(name=name, refusal="its first or its last figure is missing")
    years = int(own[-1].period[-4:]) - int(own[0].period[-4:])
    return _over(own, own[0], own[-1], f"cagr({{0}}, {{1}}, {years})", name, "percent")


def _weighted(line: AskedLine, own: Sequence[LineValue], name: str) -> LineResult:
    """Return the sum of all numerators over the sum of all denominators."""
    name = f"Weighted average {name}, {_span_of(own)}"
    parts = line.measure.expression.split(" / ") if line.measure else []
    if len(parts) != 2 or any(value.value is None for value in own):
        return LineResult(name=name, refusal="a weighted average needs a ratio of two items in every period")
    operands = {operand.name: operand for value in own for operand in value.operands}
    years = [value.period[-4:] for value in own]
    sums = [" + ".join(f"{part.strip('()')}@{year}" for year in years) for part in parts]
    request = CalculationRequest(
        expression=f"({sums[0]}) / ({sums[1]})", operands=tuple(operands.values()), output="percent"
    )
    result = calculate(request)
    return LineResult(
        name=name,
        value=result.value,
        unit=result.unit,
        formula=result.formula,
        operands=result.operands,
        refusal=result.refusal,
    )


def _difference(
    first: tuple[str, float | None, str],
    second: tuple[str, float | None, str],
    values: Sequence[LineValue],
    *,
    ratio: bool,
) -> Iterator[LineResult]:
    """Yield one figure less another, and over it where that is asked for too: a percentage has no such ratio."""
    (name, one, unit), (other_name, other, _) = first, second
    cells = tuple(operand for value in values for operand in value.operands)
    if one is None or other is None:
        return
    points = IN_POINTS if unit == "percent" else ""
    formula = f"{shown(one, unit)} - {shown(other, unit)}"
    yield LineResult(
        name=f"{name} less {other_name}{points}",
        value=one - other,
        unit=POINTS if points else unit,
        formula=formula,
        operands=cells,
    )
    if ratio and unit not in ("percent", "times") and other:
        formula = f"{shown(one, unit)} / {shown(other, unit)}"
        yield LineResult(
            name=f"{name} over {other_name}", value=one / other, unit="times", formula=formula, operands=cells
        )


def _span_of(values: Sequence[LineValue]) -> str:
    return f"{values[0].period} to {values[-1].period}" if len(values) > 1 else values[0].period if values else ""


def _over(
    own: Sequence[LineValue], before: LineValue, after: LineValue, formula: str, name: str, output: Output
) -> LineResult:
    """Return a change between two figures of a line; refused where they are on different bases."""
    between = own[own.index(before) + 1 : own.index(after) + 1]
    if restated := next((value.restated for value in between if value.restated), ""):
        return LineResult(name=name, refusal=f"the figures are on different bases: {restated}")
    return _computed(formula, name, (before, after), output)


def _computed(formula: str, name: str, values: Sequence[LineValue], output: Output) -> LineResult:
    """Return a formula over figures of the answer; refused where one of them is missing."""
    if missing := [value.period for value in values if value.value is None]:
        return LineResult(name=name, refusal=f"{', '.join(missing)} is missing")
    names = [f"{value.period.replace(' ', '_')}" for value in values]
    operands = tuple(
        CitedOperand(name=label, label=value.line, column=value.period, value=value.value or 0.0, unit=value.unit)
        for label, value in zip(names, values, strict=True)
    )
    if formula.startswith("growth") and (values[0].value or 0.0) < 0 and values[0].unit != "percent":
        return _from_negative(name, values)
    of_points = output == "percent" and formula.startswith("growth") and values[0].unit == "percent"
    if of_points:
        formula = "{1} - {0}"
        name = name.replace("Growth", f"{CHANGE}{IN_POINTS}", 1)
    request = CalculationRequest(expression=formula.format(*names), operands=operands, output=output)
    result = calculate(request)
    cells = tuple(operand for value in values for operand in value.operands)
    return LineResult(
        name=name,
        value=result.value,
        unit=POINTS if of_points and result.unit else result.unit,
        formula=result.formula,
        operands=cells,
        refusal=result.refusal,
    )


def _from_negative(name: str, values: Sequence[LineValue]) -> LineResult:
    """Return the change from a negative figure in its unit: a percentage of it says neither way nor size.

    What tables print in brackets on both sides, as payments, grows in size, and that is a percentage.
    """
    before, after = values
    if is_outgo(before, after):
        title = f"{IN_SIZE} {name.removeprefix('Growth ')}"
        return _computed("absolute({1}) / absolute({0}) - 1", title, values, "percent")
    title = f"{DIFFERENCE} {name.removeprefix('Growth ')} (no growth in per cent: {before.period} is negative)"
    return _computed("{1} - {0}", title, values, _output_of(before.unit))


def is_outgo(*values: LineValue) -> bool:
    """Return whether negative figures stand in brackets for what goes out: then the larger is the more negative."""
    rows = [value.row.rpartition(" / ")[2] for value in values if (value.value or 0.0) < 0]
    return len(rows) == len(values) and all(_PAID.search(row) and not _RESULT.search(row) for row in rows)


def is_of_unclear_sign(value: LineValue) -> bool:
    """Return whether nothing says if a negative figure of a row is a sum below zero or one that goes out."""
    return (value.value or 0.0) < 0 and bool(value.row) and not _RESULT.search(value.row.rpartition(" / ")[2])
