"""Write the texts of a trading run's final state as files, named as in the folder of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.agents.debates import RESEARCH, RISK
from tradingagents.agents.roster import trading_texts
from tradingagents.agents.states import Turn
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.files.atomic import write_whole, writing
from tradingagents.files.private_files import make_folder
from tradingagents.reports.document import Document, Masthead
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.reports.render.markdown import COMPLETE, markdown_files
from tradingagents.reports.trading import text_files, text_sections


def write_report_tree(final_state: Mapping[str, Any], ticker: str, save_path: str | Path) -> Path:
    """Write the reports of a final state into a folder; return the complete one.

    Each text has its own file, such as `1_analysts/market.md`, and `complete_report.md` holds them all. Files of the
    same names are replaced. What only the run's card knows (the data sheet, the costs, the chart) is not in the state:
    it is in the folder of the run.

    Args:
        final_state: What `propagate` returned.
        ticker: The ticker, any spelling.
        save_path: The folder; it is made where it is missing.

    Raises:
        UsageError: The state holds no report.
        BadSymbol: The ticker is none.
        HomeNotWritable: The folder cannot be written.
    """
    folder, symbol = Path(save_path), normalise(ticker)
    reports = {key: text for key in trading_texts() if (text := str(final_state.get(key) or "").strip())}
    if not reports:
        raise UsageError("The state holds no report; give the final state that propagate returned.")
    debates = {debate.phase: [_plain(turn) for turn in debate.turns(final_state)] for debate in (RESEARCH, RISK)}
    day = str(final_state.get("trade_date") or "")
    subject = f"{symbol}, {day}" if day else symbol
    title = f"Trading report: {subject}"
    document = Document(
        title=title,
        facts=[("Ticker", symbol), ("Trade date", day)],
        masthead=Masthead(title, "Trading report", symbol, detail=day, facts=(), identity=""),
        sections=text_sections(reports, debates, decided=False),
        files=text_files(subject, reports, debates),
    )
    with writing(folder):
        for name, text in markdown_files(document).items():
            make_folder((folder / name).parent)
            write_whole(folder / name, harmless_markdown(text))
    return folder / COMPLETE


def _plain(turn: Turn) -> dict[str, str]:
    return {"speaker": turn["speaker"], "text": turn["text"]}
