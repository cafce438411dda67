"""Earlier decisions on a page: of earlier days only, of the same market only, with outcomes that were known by then."""

from __future__ import annotations

from pathlib import Path

from tests.reports.page import Page
from tradingagents.graph.trading_graph import TradingAgentsGraph


def decide(home: Path, day: str, seed: int = 7) -> str:
    """Run the offline analysts for a day; return what the page says of earlier decisions."""
    config = {
        "llm_provider": "offline",
        "data_vendor": "simulated",
        "home": str(home),
        "simulated_seed": seed,
        "analysts": ["market"],
    }
    graph = TradingAgentsGraph(config=config)
    graph.propagate("VELQ", day)
    newest = max((home / "runs").iterdir(), key=lambda folder: (folder / "run.json").stat().st_mtime_ns)
    text = Page((newest / "reports" / "report.html").read_text(encoding="utf-8")).text()
    assert f"Trade date {day}" in text
    _, found, rest = text.partition("What the stock did then")
    return rest.partition("Data sheet")[0] if found else ""


def test_a_page_shows_what_was_decided_for_earlier_days_and_what_had_become_of_it(tmp_path: Path):
    assert decide(tmp_path, "2024-06-14") == ""
    assert decide(tmp_path, "2025-03-14") != ""
    between = decide(tmp_path, "2025-03-07")
    assert "2024-06-14" in between
    assert "2025-03-14" not in between
    assert "benchmark" in between  # settled at the start of the second run
    assert decide(tmp_path, "2025-03-17", seed=8) == ""
    soon = decide(tmp_path, "2025-03-17")
    assert soon.index("2025-03-14") < soon.index("2025-03-07") < soon.index("2024-06-14")
    assert soon.count("not settled by then") == 2
