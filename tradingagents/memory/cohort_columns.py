"""Cohorts of the lessons and outcomes that an earlier version kept without: read from what it kept of their runs."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select, update

from tradingagents.cohort import REAL, SIMULATED, Cohort, cohort_of
from tradingagents.memory.lesson_rows import LESSONS
from tradingagents.memory.outcome_rows import OUTCOMES
from tradingagents.settings import Settings


def assign_cohorts(connection: Connection, column: str) -> None:
    """Fill in the cohort column that was just added to a table.

    A lesson takes the cohort of its run's outcome. One without an outcome was added by hand: it counts as a lesson
    about the real market for language models.
    """
    if column == "outcomes.cohort":
        runs = connection.execute(select(OUTCOMES.c.run_id, OUTCOMES.c.vendor, OUTCOMES.c.models)).all()
        for run_id, vendor, models in runs:
            cohort = str(_cohort(vendor, models))
            connection.execute(update(OUTCOMES).where(OUTCOMES.c.run_id == run_id).values(cohort=cohort))
            connection.execute(update(LESSONS).where(LESSONS.c.run_id == run_id).values(cohort=cohort))
    elif column == "lessons.cohort":
        connection.execute(update(LESSONS).values(cohort=str(Cohort(REAL, "models"))))


def _cohort(vendor: str, models: Mapping[str, str]) -> Cohort:
    return cohort_of(Settings(data_vendor=SIMULATED if SIMULATED in vendor else None), models)
