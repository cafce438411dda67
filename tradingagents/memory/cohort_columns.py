"""Migration that fills in the cohort of lessons and outcomes stored by earlier versions."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, select, update

from tradingagents.memory.cohort import REAL, SIMULATED, Cohort, cohort_of
from tradingagents.memory.tables import LESSONS, OUTCOMES
from tradingagents.settings import Settings


def assign_cohorts(connection: Connection, column: str) -> None:
    """Fill in the cohort column that was just added to a table.

    A lesson takes the cohort of its run's outcome. A lesson without an outcome was added by hand: it gets the cohort
    of the real market and language models.
    """
    if column == "outcomes.cohort":
        runs = connection.execute(select(OUTCOMES.c.run_id, OUTCOMES.c.vendor, OUTCOMES.c.models)).all()
        found = [{"run": run_id, "its": str(_cohort(vendor, models))} for run_id, vendor, models in runs]
        if not found:
            return
        connection.execute(
            update(OUTCOMES).where(OUTCOMES.c.run_id == bindparam("run")).values(cohort=bindparam("its")), found
        )
        # Read the lessons once, each joined with its outcome by key.
        of_its_run = select(OUTCOMES.c.cohort).where(OUTCOMES.c.run_id == LESSONS.c.run_id).scalar_subquery()
        connection.execute(
            update(LESSONS).where(LESSONS.c.run_id.in_(select(OUTCOMES.c.run_id))).values(cohort=of_its_run)
        )
    elif column == "lessons.cohort":
        connection.execute(update(LESSONS).values(cohort=str(Cohort(REAL, "models"))))


def _cohort(vendor: str, models: Mapping[str, str]) -> Cohort:
    return cohort_of(Settings(data_vendor=SIMULATED if SIMULATED in vendor else None), models)
