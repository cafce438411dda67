"""A report made in two steps, as far as it is known and at the end, is the report made at once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.sample import sample_prices, sample_record
from tests.reports.scan_sample import sample_scan
from tradingagents.reports.charts import layers
from tradingagents.reports.document import Document, Table
from tradingagents.reports.render.ahead import prerender, rendered_sheet
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import block_markdown, markdown_files
from tradingagents.reports.report_parts import ReportParts
from tradingagents.reports.scan import scan_document
from tradingagents.reports.trading import price_charts, trading_document
from tradingagents.schemas.records import DecisionRecord, RunRecord, ScanRecord

FINAL = "final_trade_decision"


def copied(record: Any) -> Any:
    """Return an equal record whose lists and objects are others."""
    return deepcopy(record)


def undecided(record: RunRecord) -> RunRecord:
    """Return a run as it is known before its last decision."""
    reports = {key: text for key, text in record["reports"].items() if key != FINAL}
    return cast(RunRecord, {**copied(record), "decision": None, "reports": reports})


def files(document: Document, parts: ReportParts | None = None) -> dict[str, str]:
    return {**markdown_files(document, parts), "report.html": to_html(document, parts)}


def of_run(record: RunRecord, parts: ReportParts) -> dict[str, str]:
    sheet = parts.made("sheet", record["data_sheet"], rendered_sheet)
    return files(trading_document(record, sample_prices(), sheet=sheet, parts=parts), parts)


def moved(decision: DecisionRecord, *names: str) -> DecisionRecord:
    """Return a decision of which some levels are higher by a thousandth."""
    levels = {name: decision[name] * 1.001 for name in names}  # type: ignore[literal-required]
    return cast(DecisionRecord, {**decision, **levels})


def test_a_part_is_made_anew_where_anything_that_it_is_made_of_has_changed():
    parts, made = ReportParts(), list[int]()

    def length(of: list[str]) -> int:
        made.append(len(of))
        return len(of)

    assert [parts.made("n", of, length) for of in (["a"], ["a"], ["a", "b"], ["a"])] == [1, 1, 2, 1]
    assert made == [1, 2, 1]
    parts.forget()
    assert parts.made("n", ["a"], length) == 1
    assert made == [1, 2, 1, 1]


def test_a_run_whose_report_was_begun_ahead_has_the_report_made_at_once():
    record, parts = sample_record(), ReportParts()
    known = undecided(record)
    sheet = parts.made("sheet", known["data_sheet"], rendered_sheet)
    ahead = prerender(trading_document(known, sheet=sheet, parts=parts), parts)
    wanted = files(trading_document(record, sample_prices()))
    assert of_run(copied(record), parts) == wanted
    assert {path: wanted[path] for path in ahead} == ahead
    assert len(ahead) > 5


def test_what_changed_since_the_report_was_begun_is_in_the_report():
    record, parts = sample_record(), ReportParts()
    prerender(trading_document(undecided(record), parts=parts), parts)
    changed = copied(record)
    changed["reports"]["market_report"] += "\n\nAnd one more *word*."
    changed["debates"]["research"][0]["text"] = "Nothing of what was said."
    changed["data_sheet"][0]["rows"] += 1
    changed["articles_read"] = []
    assert of_run(changed, parts) == files(trading_document(changed, sample_prices()))


def test_a_scan_whose_report_was_begun_ahead_has_the_report_made_at_once():
    record, parts = sample_scan(), ReportParts()
    known = cast(ScanRecord, {**copied(record), "summary": None})
    sheet = parts.made("sheet", known["data_sheet"], rendered_sheet)
    prerender(scan_document(known, sheet, parts), parts)
    assert files(scan_document(copied(record), sheet, parts), parts) == files(scan_document(record))


@pytest.mark.parametrize(("names", "again"), [((), 0), (("entry", "stop"), 0), (("target",), 2)])
def test_bars_are_drawn_again_only_where_the_decision_moves_the_axis(
    names: tuple[str, ...], again: int, monkeypatch: pytest.MonkeyPatch
):
    """The target of the sample lies above all bars: it is the end of the axis, on both charts."""
    record, prices, parts = sample_record(), sample_prices(), ReportParts()
    proposed = record["decision"]
    assert proposed is not None
    price_charts(record, prices, None, proposed, parts)
    drawn = list[object]()
    candles = layers.candles
    monkeypatch.setattr(layers, "candles", lambda plot: [drawn.append(plot), candles(plot)][1])
    decided = moved(proposed, *names)
    shown = price_charts(record, prices, None, decided, parts)
    assert len(drawn) == again
    assert shown == price_charts(record, prices, None, decided, ReportParts())


@given(
    st.lists(st.lists(st.text(st.sampled_from("ab|<> \t\n\\1é\u00a0")) | st.text(), min_size=1, max_size=4), max_size=4)
)
def test_a_row_of_a_table_reads_as_if_each_cell_had_been_looked_at(rows: list[list[str]]):
    lines = block_markdown(Table(("h",), rows)).split("\n")[2:]
    cells = [[" ".join(cell.split()).replace("<", "&lt;").replace("|", "\\|") for cell in row] for row in rows]
    assert lines == ["| " + " | ".join(row) + " |" for row in cells]
