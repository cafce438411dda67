"""Path builders: a value for each year from the few numbers that an analyst states."""

from __future__ import annotations

from tradingagents.valuation.inputs import InadmissibleInput

HIGH_YEARS = 5
"""Years before a rate begins to move to its terminal value."""
YEARS = 10


def flat_path(value: float, years: int = YEARS) -> tuple[float, ...]:
    """Return the same value for every year."""
    return (value,) * years


def fading_path(first: float, stable: float, years: int = YEARS) -> tuple[float, ...]:
    """Return a rate that holds for five years, then moves in a straight line to its terminal value in the last year.

    For growth, tax rate and cost of capital. With five years there is no time to fade.

    >>> [round(rate, 3) for rate in fading_path(0.12, 0.03)]
    [0.12, 0.12, 0.12, 0.12, 0.12, 0.102, 0.084, 0.066, 0.048, 0.03]
    """
    if years <= HIGH_YEARS:
        return (first,) * years
    fade = years - HIGH_YEARS
    faded = (first + (stable - first) * (year - HIGH_YEARS) / fade for year in range(HIGH_YEARS + 1, years))
    return (*(first,) * HIGH_YEARS, *faded, stable)


def converging_path(start: float, target: float, converge_by: int, years: int = YEARS) -> tuple[float, ...]:
    """Return a margin that moves in a straight line from today's to its target by a year, then stays there.

    Args:
        start: The margin of the twelve months before year 1.
        target: The margin to reach.
        converge_by: The year in which it is reached; 1 means at once.
        years: Years of forecast.

    Raises:
        InadmissibleInput: The year is not within the forecast.
    """
    if not 1 <= converge_by <= years:
        raise InadmissibleInput("converge_by", f"must lie between 1 and {years}, not {converge_by}.")
    return tuple(
        target - (target - start) * (converge_by - year) / converge_by if year <= converge_by else target
        for year in range(1, years + 1)
    )


def stepped_path(first: float, later: float, years: int = YEARS) -> tuple[float, ...]:
    """Return one value for the first five years and another one after them."""
    return (first,) * min(years, HIGH_YEARS) + (later,) * max(0, years - HIGH_YEARS)
