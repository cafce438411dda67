"""The measurement of guidance counts calls of a folder by the labels that stand beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.guidance import folder_score

LABELS = """ACMQ 2024Q1|a tax rate of 16%|guidance|tax rate|FY2024|16|16|percent|
ACMQ 2024Q1|gross margin of 46%|guidance|gross margin|FY2024|46|46|percent|non-GAAP
ACMQ 2024Q1|up 50 basis points|optional|gross margin|FY2024|50|50|bps|
ACMQ 2024Q1|revenue was|none|reported|||||
"""


def test_calls_of_a_folder_are_counted_by_the_labels_beside_them(tmp_path: Path) -> None:
    said = "For fiscal 2024, we expect a tax rate of 16%.\nWe expect revenue of $2 billion in fiscal 2024.\n"
    (tmp_path / "ACMQ_2024_1_AcmeQuarterly.txt").write_text(said, encoding="utf-8")
    (tmp_path / "labels.txt").write_text(LABELS, encoding="utf-8")
    score = folder_score(tmp_path)
    assert (score.right, len(score.missed), len(score.wrong)) == (1, 1, 1)
    assert [label.basis for label in score.missed] == ["adjusted"]
    (tmp_path / "labels.txt").write_text("ACMQ 2024Q1|16%|guidance|tax rate|FY2024|16|16|miles|\n", encoding="utf-8")
    with pytest.raises(ValueError, match="miles"):
        folder_score(tmp_path)
