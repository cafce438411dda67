"""The first page of a deep report: rating, value range against price, and the thesis in five lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tradingagents.features.deep_report.graph.judgement import STOPPED
from tradingagents.features.deep_report.report.citations import Citations
from tradingagents.features.deep_report.report.exhibits import Exhibits, case_names, value_bars
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, HypothesisRecord, ThesisValuation
from tradingagents.files.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Bullets, Card, Heading, Line, Notice, Table, one_line_of_markdown
from tradingagents.valuation import ValuationInputs

LINES = 5
_IMPACTS = ("HIGH", "MED", "LOW")
_STANDINGS: Mapping[str, str] = {
    "validated": "supported",
    "rejected": "not supported",
    "uncertain": "not researched, because a source or model failed",
    "open": "undecided",
}
MOST_CHARS, MOST_CLAIM = 170, 110
"""Characters of a line of the thesis from which on it has one item on either side, and those of one claim."""
_LEANING = 0.5
"""Confidence from which on a hypothesis leans to being supported."""
_NEEDED: Mapping[str, Callable[[float, float], str]] = {
    "sales_growth": lambda now, needed: (
        f"growth {abs(100 * (needed - now)):.1f} points {'higher' if needed > now else 'lower'} each year"
    ),
    "oper_margin": lambda _now, needed: f"a margin of {words.percent(needed, 1)}",
    "wacc": lambda _now, needed: f"capital at {words.percent(needed, 1)}",
}
"""What the price needs of the drivers that a reader can judge, from the level of the report and the level needed."""
NARROW = 0.05
"""Scenarios that lie closer together, as a part of the price, say little about the range of value."""


def summary_blocks(record: DeepReportRecord, citations: Citations, exhibits: Exhibits) -> list[Block]:
    """Return the summary."""
    value = record.valuation
    terms = _terms(record)
    plain = Table(
        ("Figure", "Value"), [(name, f"{shown} ({gloss})" if gloss else shown) for name, shown, gloss in terms]
    )
    blocks: list[Block] = [Card("value_terms", (terms,), [plain])]
    if value is not None and record.rating:
        blocks.append(Line(_reason(record.rating, value)))
    if value is not None and value.doubts:
        blocks.append(Notice(f"Not rated, because {'; '.join(value.doubts)}."))
    if value is None:
        reason = one_line_of_markdown(record.no_valuation or "the run ended before it")
        blocks.append(Notice(f"There is no valuation: {reason}"))
    thesis = thesis_lines(record.hypotheses, citations)
    if thesis:
        blocks += [Heading("The thesis in five lines" if len(thesis) == LINES else "The thesis"), Bullets(thesis)]
    if value is not None:
        blocks += [exhibits.football(), *_remarks(value)]
    return blocks


def thesis_lines(hypotheses: Iterable[HypothesisRecord], citations: Citations) -> list[str]:
    """Return a line for each of the five hypotheses that matter most: what holds, how surely, and on what evidence."""
    chosen = sorted(hypotheses, key=lambda hypothesis: (_impact(hypothesis), -hypothesis.confidence))[:LINES]
    return [_line(hypothesis, citations) for hypothesis in chosen]


def _impact(hypothesis: HypothesisRecord) -> int:
    return _IMPACTS.index(hypothesis.impact) if hypothesis.impact in _IMPACTS else len(_IMPACTS)


def _line(hypothesis: HypothesisRecord, citations: Citations) -> str:
    own = [item for item in citations.items.values() if item["hypothesis"] == hypothesis.id]
    sides = {name: [item for item in own if item["direction"] == name] for name in ("supports", "contradicts")}
    first, second = ("contradicts", "supports") if hypothesis.status == "rejected" else ("supports", "contradicts")
    own_side, other = surest(sides[first])[:2], surest(sides[second])[:1]
    head = f"{one_line(hypothesis.title).rstrip('.')}: {standing_of(hypothesis, bool(own_side or other))}, confidence"
    head = f"{head} {words.percent(hypothesis.confidence)}"
    if len(head) + sum(len(item["claim"]) for item in (*own_side, *other)) > MOST_CHARS:
        del own_side[1:]  # one on either side
    shown = [*own_side, *other]
    said = "; ".join(f"{_short(item['claim'])} {citations.mark(item['id'])}" for item in shown)
    return f"{head}. {said}." if said else f"{head}. No evidence speaks for or against it."


def _short(claim: str) -> str:
    """Return a claim for the first page; the appendix has the whole."""
    words_of_claim = one_line(claim).rstrip(".")
    if len(words_of_claim) <= MOST_CLAIM:
        return words_of_claim
    return f"{words_of_claim[:MOST_CLAIM].rpartition(' ')[0].rstrip(',;')} …"


def standing_of(hypothesis: HypothesisRecord, judged: bool = True) -> str:
    """Return how a hypothesis stands, in words; one that is neither supported nor rejected says where it leans.

    Args:
        hypothesis: The hypothesis.
        judged: Whether any evidence speaks for or against it; without any it is undecided.
    """
    if not judged and hypothesis.status in ("rejected", "exhausted"):
        return "undecided"
    if hypothesis.status == "exhausted":
        return "leaning to supported" if round(hypothesis.confidence, 2) >= _LEANING else "undecided"
    return _STANDINGS.get(hypothesis.status, hypothesis.status)


def surest(items: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return items ordered by confidence, the surest first."""
    return sorted(items, key=lambda item: (-item["confidence"], item["id"]))


def _terms(record: DeepReportRecord) -> list[tuple[str, str, str]]:
    """Return name, value and remark of the figures of the first page."""
    value, scores = record.valuation, record.scores
    terms: list[tuple[str, str, str]] = []
    if value is not None:
        terms += [
            ("Price", money(value, value.price), f"close of {value.price_day}"),
            _expected_term(value),
            *_range_terms(value),
        ]
    stopped = STOPPED.get(record.stopped)
    iterations = len(record.iterations)
    rounds = f"after {iterations} iteration{'' if iterations == 1 else 's'}"
    terms += [
        ("Confidence", words.percent(record.confidence), f"{rounds}; {stopped}" if stopped else rounds),
        (
            "Quality",
            f"{scores.overall:.1f} of 10",
            "meets its standard" if scores.passed else "below its standard",
        ),
    ]
    return terms


def _range_terms(value: ThesisValuation) -> list[tuple[str, str, str]]:
    bars = {bar.label: bar for bar, _ in value_bars(value, None)}
    low_name, high_name = case_names(value)
    named = (
        ("Scenarios", f"{low_name.removesuffix(' case')} to {high_name.lower()}", ""),
        ("Free cash flow, over the grid", "Sensitivity", "cost of capital and terminal growth"),
    )
    found = []
    for key, title, note in named:
        if key in bars:
            low, high = words.price(bars[key].low), words.price(bars[key].high)
            alike = "the same in every case: no evidence moves it" if low == high else note or value.currency
            found.append((title, low if low == high else f"{low} to {high}", alike))
    return found


def _expected_term(value: ThesisValuation) -> tuple[str, str, str]:
    """Return the expected value; one that no share can have is named as what it is."""
    if value.expected_value <= 0:
        return "Expected value", "not above 0", f"computed: {money(value, value.expected_value)}"
    upside = f"{words.change(100 * value.upside)} against the price"
    return "Expected value", money(value, value.expected_value), upside


def _reason(rating: str, value: ThesisValuation) -> str:
    """Say why the rating is what it is, what the forecast assumes, and what the price would need instead."""
    inputs, needs = ValuationInputs.from_dict(value.inputs), {need["driver"]: need for need in value.price_needs}
    first, last = (words.percent(rate, 1) for rate in (inputs.sales_growth[0], inputs.stable_growth))
    margin, capital = (words.percent(rate, 1) for rate in (inputs.oper_margin[-1], inputs.wacc[0]))
    assumed = (
        f"{rating}: the base case has growth of {first} in year 1 and {last} after year {inputs.years}, an operating "
        f"margin of {margin} and a cost of capital of {capital}."
    )
    found = [
        needed(need["base_level"], need["level"])
        for driver, needed in _NEEDED.items()
        if (need := needs.get(driver)) is not None and need["level"] is not None
    ]
    return f"{assumed} The price needs {_either(found)}." if found else assumed


def _either(options: Sequence[str]) -> str:
    return options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"


def _remarks(value: ThesisValuation) -> list[Block]:
    """Return what a reader has to know to read the range."""
    cases = [scenario.value_per_share for scenario in value.scenarios]
    if max(cases) - min(cases) >= NARROW * value.price:
        return []
    moving = len(value.steps)
    drivers = (
        "no item of evidence moves"
        if not moving
        else f"only {moving} item{'' if moving == 1 else 's'} of evidence move{'s' if moving == 1 else ''}"
    )
    past = "moves them little" if value.past else "is not known"
    return [
        Line(
            f"The scenarios lie close together, because {drivers} a driver of the value and the company's past {past}: "
            "they are no measure of the risk. The grid shows how far the value moves with its inputs."
        )
    ]


def money(value: ThesisValuation, amount: float) -> str:
    """Write an amount a share with its currency."""
    return f"{words.price(amount)} {value.currency}".rstrip()
