"""Evidence of deep reports: kept for each company, checked against its sources, frozen, and carried into the value."""

from __future__ import annotations

from tradingagents.features.deep_report.evidence.adjustments import (
    CAPS,
    AdjustedValue,
    Cap,
    ValueStep,
    adjust,
    adjusted_inputs,
)
from tradingagents.features.deep_report.evidence.contradictions import Contradiction, contradictions, upheld
from tradingagents.features.deep_report.evidence.depth import depth, growth_of_depth, is_exhausted, source_kinds
from tradingagents.features.deep_report.evidence.evidence_store import EvidenceStore
from tradingagents.features.deep_report.evidence.quotes import faults_of, has_figure, stands_in
from tradingagents.features.deep_report.evidence.scenario_inputs import past_ranges, scenario_inputs
from tradingagents.provenance.evidence_bundle import EvidenceBundle, freeze, read_bundle, write_bundle

__all__ = [
    "CAPS",
    "AdjustedValue",
    "Cap",
    "Contradiction",
    "EvidenceBundle",
    "EvidenceStore",
    "ValueStep",
    "adjust",
    "adjusted_inputs",
    "contradictions",
    "depth",
    "faults_of",
    "freeze",
    "growth_of_depth",
    "has_figure",
    "is_exhausted",
    "past_ranges",
    "read_bundle",
    "scenario_inputs",
    "source_kinds",
    "stands_in",
    "upheld",
    "write_bundle",
]
