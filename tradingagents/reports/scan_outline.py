"""What a scan's report holds, in order: its texts, why it may be partial, what a pick is in a few words."""

from __future__ import annotations

from tradingagents.agents import roster
from tradingagents.agents.spec import ReportAgent
from tradingagents.reports.degraded import degraded_notice
from tradingagents.reports.sections import Section, section_of, told
from tradingagents.schemas.records import IndexRecord, PickRecord, ScanRecord

SUMMARY_JSON = "3_synthesis/macro_scan_summary.json"
SUMMARY = "3_synthesis/macro_scan_summary.md"

_ENDINGS = {
    "done": "This is a partial report: some of the scan is missing.",
    "no_summary": "The scan ended without a summary: the model gave no usable one.",
    "failed": "This is a partial report: the scan failed.",
    "budget": "This is a partial report: the scan used up its budget and stopped.",
    "interrupted": "This is a partial report: the scan was interrupted.",
}


def sections() -> tuple[Section, ...]:
    """Return a scan's reports, in running order; its summary has a place of its own."""
    return tuple(section_of(spec) for spec in roster.scan_agents() if isinstance(spec, ReportAgent))


def notice(record: ScanRecord) -> str | None:
    """Say at the top why a scan is partial or degraded and what is missing; None for a complete one."""
    status, missing = record["status"], _missing(record)
    degraded = degraded_notice(record)
    if status == "done" and not missing:
        return degraded or None
    ending = _ENDINGS.get(status, f"This is a partial report: the scan's status is {status}.")
    return f"{told(ending, record.get('error', ''), missing)} {degraded}".rstrip()


def _missing(record: ScanRecord) -> list[str]:
    reports = {section.title.lower(): record["reports"].get(section.key, "").strip() for section in sections()}
    tables = {"sector returns": record["sectors"], "index table": record["indices"], "summary": record["summary"]}
    return [name for name, given in {**reports, **tables}.items() if not given]


def pick_words(pick: PickRecord) -> str:
    """Tell a pick in a few words: stance, sector, angle, conviction."""
    said = (stance_words(pick), pick["sector"], pick["thesis_angle"], conviction_words(pick["conviction"]))
    return " · ".join(word for word in said if word)


def stance_words(pick: PickRecord) -> str:
    """Write a pick's stance for people; empty where an earlier version named none."""
    return pick.get("stance", "").replace("_", " ")


def conviction_words(conviction: str | None) -> str:
    """Write a conviction for people; empty for none."""
    return f"{conviction} conviction" if conviction else ""


def place_in_year(index: IndexRecord) -> float | None:
    """Return where an index stands between its lows and highs of 52 weeks, 0 to 1; None where these are one number."""
    width = index["high_52w"] - index["low_52w"]
    if width <= 0:
        return None
    return min(1.0, max(0.0, (index["last"] - index["low_52w"]) / width))
