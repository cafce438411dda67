"""Key evidence that no figure of the data stands behind says so: in the card, the report, the page, the terminal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from rich.console import Console

from cli.output import print_result
from tests.reports.rendered import render_html, report_files, run_of
from tests.reports.sample import sample_record
from tests.support.graph_factory import COMPANY, DAY, scripted, trading_graph, verdict

NO_FIGURE = "names no figure of the data"
UNTRACED = "its figures are not in the data"


async def test_the_card_says_which_evidence_names_no_figure_of_the_data():
    evidence = [
        {"claim": "The last close is 96.58", "source": "get_stock_data"},
        {"claim": "The brand is strong", "source": "get_fundamentals"},
        {"claim": "Revenue grew 777.77 %", "source": "get_ttm_analysis"},
    ]
    run = await trading_graph(scripted({"Risk Manager": verdict(key_evidence=evidence)})).arun(COMPANY, DAY)
    for decision in (run.record["decision"], run.record["decisions"]["final_trade_decision"]):
        assert [item.unsupported for item in decision.key_evidence] == ["", "no_figure", "untraced"]
    report = Path(run.record["paths"]["report"]).read_text("utf-8")
    assert f"The brand is strong (get_fundamentals) [{NO_FIGURE}]" in report


def marked() -> Any:
    record = sample_record()
    first, second, third = record["decision"]["key_evidence"]
    record["decision"]["key_evidence"] = [
        first,
        {**second, "unsupported": "untraced"},
        {**third, "unsupported": "no_figure"},
    ]
    return record


def test_report_page_and_terminal_say_so_beside_the_claim():
    report, page, written = report_files(marked())["complete_report.md"], render_html(marked(), None), io.StringIO()
    print_result(Console(file=written, width=200), run_of(marked()))
    for text in (report, page, written.getvalue()):
        assert text.count(NO_FIGURE) == text.count(UNTRACED) == 1
    assert NO_FIGURE not in report_files(sample_record())["complete_report.md"]
