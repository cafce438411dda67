"""A deep report in a few lines, as the terminal shows it."""

from __future__ import annotations

from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord


def lines_in_short(record: DeepReportRecord) -> list[str]:
    """Return the report in a few lines: rating, value against price, thesis, quality."""
    value, scores = record["valuation"], record["scores"]
    lines = [f"{record['name']} ({record['ticker']}), {record['as_of']}: {record['rating'] or 'not rated'}"]
    if value is None:
        lines.append(f"No valuation: {record['no_valuation'] or 'the run ended before it'}")
    else:
        span = [scenario["value_per_share"] for scenario in value["scenarios"]]
        lines.append(
            f"Expected value {value['expected_value']:,.2f} {value['currency']} a share, price {value['price']:,.2f} "
            f"({value['upside']:+.1%}); scenarios {min(span):,.2f} to {max(span):,.2f}"
        )
        lines += [f"Not rated: {doubt}" for doubt in value.get("doubts", ())]
    lines += [
        f"  {hypothesis['status']:<10} {hypothesis['confidence']:>4.0%}  {hypothesis['title']}"
        for hypothesis in record["hypotheses"]
    ]
    kinds = f"{scores['items']} items of evidence from {scores['diversity']} types of source"
    lines.append(
        f"Quality {scores['overall']:.1f} of 10; {kinds}; {scores['coverage']:.0%} of the claims name evidence"
    )
    lines += [f"Below the standard: {shortfall}" for shortfall in scores["shortfalls"]]
    return lines
