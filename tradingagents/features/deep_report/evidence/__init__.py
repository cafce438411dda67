"""Evidence of deep reports: kept for each company, checked against its sources, frozen, and carried into the value."""

from __future__ import annotations

from tradingagents.features.deep_report.evidence.adjustments import (
    CAPS,
    AdjustedValue,
    Cap,
    adjust,
    adjusted_inputs,
    past_ranges,
    scenario_inputs,
)
from tradingagents.features.deep_report.evidence.contradictions import contradictions, upheld
from tradingagents.features.deep_report.evidence.evidence_store import EvidenceStore
from tradingagents.features.deep_report.evidence.quotes import faults_of, has_figure, stands_in
from tradingagents.provenance.evidence_bundle import EvidenceBundle, freeze, read_bundle, write_bundle

__all__ = [
    "CAPS",
    "AdjustedValue",
    "Cap",
    "EvidenceBundle",
    "EvidenceStore",
    "adjust",
    "adjusted_inputs",
    "contradictions",
    "faults_of",
    "freeze",
    "has_figure",
    "past_ranges",
    "read_bundle",
    "scenario_inputs",
    "stands_in",
    "upheld",
    "write_bundle",
]
