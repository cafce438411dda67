"""What reads the card of an earlier run says that it is damaged, in one line, and shows nothing of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tradingagents.features.debate.question_kind import finished_debate
from tradingagents.features.deep_report.changes import compare_reports
from tradingagents.files.atomic import UnreadableFile

RUN = "20250314T120000Z-VELQ-2025-03-14-abc123"
READERS: Mapping[str, tuple[Callable[[Path], Any], dict[str, Any]]] = {
    "a debate": (lambda home: finished_debate(home, RUN), {"kind": "debate", "cases": {"bull": {}}}),
    "a deep report": (lambda home: compare_reports(home, RUN, RUN), {"kind": "deep_report"}),
}


@pytest.mark.parametrize("what", READERS)
def test_a_damaged_card_is_named_and_nothing_of_it_is_shown(tmp_path: Path, what: str):
    read, card = READERS[what]
    folder = tmp_path / "runs" / RUN
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"run_id": RUN, **card, "status": ["Private"]}))
    with pytest.raises(UnreadableFile, match="damaged or edited") as refused:
        read(tmp_path)
    assert RUN in str(refused.value)
    assert "Private" not in str(refused.value)
    assert "\n" not in str(refused.value)
