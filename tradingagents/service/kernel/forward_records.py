"""Forward records of the home folder, for the capabilities `forward_records` and `reveal_forward_record`."""

from __future__ import annotations

from tradingagents.dataflows.results import Result
from tradingagents.features.backtest.capabilities.forward_records import ForwardRecords, RevealedSessions
from tradingagents.features.backtest.forward.record import ForwardRecord
from tradingagents.features.backtest.forward.status import all_records
from tradingagents.settings import Settings


def with_forward_records(result: Result, settings: Settings) -> Result:
    """Add every record ever begun, with its sessions until the day of the question.

    Raises:
        UnreadableFile: A file of one is damaged.
    """
    if not isinstance(result, ForwardRecords):
        raise TypeError("forward records belong to a list of forward records")
    return result.model_copy(update={"records": all_records(settings.home_dir, result.as_of)})


def with_sessions_revealed(result: Result, settings: Settings) -> Result:
    """Reveal what may be revealed of a record, and add which sessions these were.

    Raises:
        UsageError: The name is none of a record.
        NotFound: There is no such record.
        RecordBusy: Another process adds to the records.
        UnreadableFile: A file of it is damaged.
    """
    if not isinstance(result, RevealedSessions):
        raise TypeError("revealed sessions belong to a forward record")
    return result.model_copy(update={"revealed": ForwardRecord(settings.home_dir, result.record).reveal()})
