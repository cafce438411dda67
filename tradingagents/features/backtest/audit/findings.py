"""What an audit finds: faults with their kind and place, and which checks were made or could not be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
"""`error`: the result is wrong or rests on the future. `warning`: a reader must judge it. `note`: worth knowing."""
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")

KINDS: Mapping[str, str] = {
    # Futures
    "leak_prices": "An answer on prices changes with prices that became known later.",
    "leak_fundamentals": "An answer on statements or filings changes with what was filed later.",
    "leak_news": "An answer on news changes with articles published later.",
    "leak_insiders": "An answer on insider trades changes with trades reported later.",
    "leak_macro": "An answer on the economy changes with later releases or revisions.",
    "leak_social": "An answer on posts changes with later posts or counts.",
    "leak_calendar": "An answer on a calendar changes with results or releases of later days.",
    "leak_memory": "A decision uses lessons that were learned later.",
    "leak_decision": "A decision changes with what became known later, though no tool's answer does.",
    "worded_otherwise": "An answer has other words in another future, and the same kind, figures and days.",
    "decision_not_reproduced": "The stored decision is not what its evidence gives.",
    # Ledger and book
    "ledger_chain": "A line of the ledger does not have the hash of its content and the line before.",
    "ledger_unreadable": "A line of the ledger cannot be read.",
    "ledger_not_of_result": "The result names another ledger than the one in the folder.",
    "book_not_folded": "Cash or equity are not what the postings add up to.",
    "unexpected_posting": "Money or shares appear that no trade, dividend or deposit explains, such as a gift.",
    "interest_wrong": "Interest on cash is missing, or is not that of the bill rate known at the close before.",
    "negative_cash": "Cash is below zero.",
    "fractional_shares": "Shares are not whole.",
    "sold_more_than_held": "More shares are sold than are held.",
    "mark_price": "A position is valued at a price that is not the session's close.",
    # Sessions
    "sessions_wrong": "The ledger's days are not the sessions of the period.",
    "warm_up_counted": "The result covers sessions before the first decision could be traded.",
    # Fills
    "fill_without_order": "A fill has no order from an earlier close, or is larger than it.",
    "fill_before_next_open": "An order is filled before the open that follows its decision.",
    "fill_at_close": "An order is filled at a close, or at another price of the session than its open.",
    "fill_price": "A fill's price is not the open with spread and impact.",
    "fill_value": "A fill's value is not shares times price.",
    "costs_left_out": "Spread or impact is missing from a fill, or has the wrong sign.",
    "commission_left_out": "A commission is missing or wrong.",
    "borrow_fee_wrong": "A fee for borrowed shares is missing or wrong.",
    "fill_beyond_volume": "A fill takes more of the session's volume than allowed.",
    "fill_in_halt": "An order is filled in a session without trade.",
    "order_lost": "An order is neither filled nor ended.",
    # Stops and targets
    "exit_missed": "A bar reaches a stop or target, and the position is not closed.",
    "exit_wrong": "A position is closed at a stop or target that its bar does not reach, or for another price or size.",
    "levels_wrong": "Stop and target are not those of the newest decision, restated for splits.",
    "void_plan_traded": "A position is opened at an open that lies beyond its own stop or target.",
    # Corporate actions
    "dividend_twice": "A dividend is paid twice.",
    "dividend_wrong": "A dividend has the wrong amount, day or number of shares, or is missing.",
    "dividends_missing": "A position is paid less in dividends than adjusted closes contain; its result is too low.",
    "split_wrong": "A split has the wrong ratio or number of shares, or is missing.",
    "split_wrong_day": "A split is posted on another session than its own.",
    "delisting_wrong": "A delisting is missing, or a symbol is closed that trades on.",
    "end_of_data_as_delisting": "The end of a recording closes a position as if the company had ended.",
    "window_end_as_delisting": "The end of the period closes a position that trades on.",
    # Decisions and orders
    "decision_store_edited": "A decision in the store differs from the one that was tested.",
    "constant_decider": "All decisions are the same: what they are compared with says nothing of how they were made.",
    "no_decision_traded": "NO_DECISION, HOLD or a failed run is traded.",
    "order_without_decision": "Orders are given on a day without decisions.",
    "orders_not_from_decisions": "Orders are not what decisions, weights and limits give.",
    "limit_exceeded": "A risk limit is not held.",
    "model_cost_left_out": "The cost of the models is not charged as stated.",
    # Scores
    "equity_not_of_ledger": "The equity is not that of the ledger.",
    "metrics_wrong": "A figure does not follow from the equity.",
    "annualised_wrong": "An annual figure does not count 252 sessions a year.",
    "totals_not_of_ledger": "Costs, dividends or counts are not those of the ledger.",
    "halt_as_zero_return": "Days without a session count as days without a return.",
    "baseline_wrong": "A baseline is not what its prices give.",
    "benchmark_shifted": "A baseline is shifted by a session.",
    "benchmark_sign": "A comparison with a baseline has the wrong sign.",
    "benchmark_currency": "A baseline is in another currency.",
    "coverage_wrong": "Counts of decisions are not those of the decisions.",
    "no_decision_counted": "NO_DECISION counts as a decision.",
    "call_quality_wrong": "Hit rate, Brier score or rank correlation do not follow from decisions and later closes.",
    "report_edited": "The report is not that of the result.",
    "survivorship_untold": "The result does not say that its tickers were chosen with hindsight.",
    "other_request": "Settings, data or request are not those of the result.",
    "plan_changed": "A sealed plan was changed: it does not have the hash of its content.",
    "plan_not_of_result": "The result is not that of its sealed plan.",
    "bar_not_of_vendor": "A bar that an account recorded is not what vendors give now.",
    # Data
    "duplicate_session": "A session has two bars, or bars are out of order.",
    "missing_sessions": "Sessions have no bar.",
    "bar_without_session": "A bar lies on a day without a session, as by another time zone.",
    "shifted_by_a_day": "Bars move with the market's next or last session.",
    "halt_filled": "A halt is filled with copies of the last bar.",
    "zero_volume_move": "A price moves without volume.",
    "unadjusted_split": "A price jumps like a split that is not listed, or a listed split is not adjusted for.",
    "adjusted_where_raw": "Prices are said to be as traded, and are adjusted for dividends.",
    "bar_inconsistent": "A high lies below, or a low above, open or close.",
    "filed_too_early": "A statement is known before its period ended, or before it was filed.",
    "news_too_early": "An article is known before it was published.",
    "insider_too_early": "An insider trade is known before it was reported.",
    "macro_too_early": "An economic figure is known before its period ended.",
    "naive_time": "An instant has no time zone.",
    "mixed_currency": "Prices are in several currencies.",
    "only_survivors": "Every ticker trades to the end of the data.",
}
"""Every kind of finding, with what it says."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One fault, where it is, and what should be there."""

    kind: str
    """One of `KINDS`."""
    where: str
    """File and line, or tool, in words."""
    expected: str
    found: str
    severity: Severity = "error"
    ticker: str = ""
    """Empty where it is about no single symbol."""
    day: str = ""
    """YYYY-MM-DD; empty where it is about no single day."""

    @property
    def symbol_and_day(self) -> str:
        """What it is about, with a colon after it; empty for neither."""
        about = " ".join(part for part in (self.ticker, self.day) if part)
        return f"{about}: " if about else ""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON with what its kind says."""
        return {**asdict(self), "says": KINDS[self.kind]}


@dataclass(frozen=True)
class AuditReport:
    """What an audit found."""

    subject: str
    """The folder that was audited, or the request."""
    findings: tuple[AuditFinding, ...]
    checked: Mapping[str, str]
    """What was checked, by check, with how much of it."""
    not_checked: Mapping[str, str] = field(default_factory=dict)
    """What could not be checked, with the reason."""

    @property
    def convicted(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of errors and warnings found."""
        return frozenset(finding.kind for finding in self.findings if finding.severity != "note")

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        counts = {severity: sum(finding.severity == severity for finding in self.findings) for severity in SEVERITIES}
        return {
            "kind": "backtest_audit",
            "subject": self.subject,
            "convicted": self.convicted,
            "counts": counts,
            "findings": [finding.to_json() for finding in self.findings],
            "checked": dict(self.checked),
            "not_checked": dict(self.not_checked),
        }

    def to_markdown(self) -> str:
        """Return it in Markdown: the verdict, findings by kind, what was checked and what was not."""
        parts = [f"# Audit of {self.subject}", f"**{self.verdict()}**"]
        for severity in SEVERITIES:
            own = [finding for finding in self.findings if finding.severity == severity]
            if own:
                parts += [f"## {severity.capitalize()}s", _table(own)]
        parts += ["## Checked", _lines(self.checked)]
        if self.not_checked:
            parts += ["## Not checked", _lines(self.not_checked)]
        return "\n\n".join(parts) + "\n"

    def verdict(self) -> str:
        """Say in a sentence what was found."""
        errors = [finding for finding in self.findings if finding.severity == "error"]
        if not errors:
            warnings = sum(finding.severity == "warning" for finding in self.findings)
            counted = "1 warning remains" if warnings == 1 else f"{warnings} warnings remain"
            rest = f" {counted} to be judged." if warnings else ""
            return f"No fault was found in what was checked.{rest}"
        kinds = list(dict.fromkeys(KINDS[finding.kind] for finding in errors))
        more = f" And {len(kinds) - 3} further kinds of fault." if len(kinds) > 3 else ""
        return f"{len(errors)} fault{'' if len(errors) == 1 else 's'}. {' '.join(kinds[:3])}{more}"


SHOWN = 8
"""Findings of one kind that a report lists; the others are counted."""


def _table(findings: Sequence[AuditFinding]) -> str:
    rows = ["| kind | where | ticker | day | expected | found |", "|---|---|---|---|---|---|"]
    for kind in dict.fromkeys(finding.kind for finding in findings):
        own = [finding for finding in findings if finding.kind == kind]
        rows += [
            "| "
            + " | ".join(
                map(_cell, (kind, finding.where, finding.ticker, finding.day, finding.expected, finding.found))
            )
            + " |"
            for finding in own[:SHOWN]
        ]
        if len(own) > SHOWN:
            rows.append(f"| {kind} | {len(own) - SHOWN} more | | | | |")
    return "\n".join(rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:300]


def _lines(facts: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {how}" for name, how in facts.items())
