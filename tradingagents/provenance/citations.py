"""Citations in an answer: which sources it cites, and whether each claim and figure stands at its citation.

A citation is a label in brackets: `[10K1]`, `[T2]`, `[N1]`, `[X1]`; `[10K-1]` is read as `[10K1]`. A citation covers
the line in which it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tradingagents.provenance.numbers import Number, read_numbers

_CITATION = re.compile(r"\[\s*((?:10K|T|N|X)-?\d{1,3}(?:\s*[,;]\s*(?:10K|T|N|X)-?\d{1,3})*)\s*\]", re.IGNORECASE)
_LABEL = re.compile(r"(10K|T|N|X)-?(\d{1,3})", re.IGNORECASE)
_PRINTED = re.compile(r"(?<![\w.,])\(?-?[$€£]?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\w,]|\.\d)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NOT_FOUND = re.compile(
    r"\b(?:(?:not|cannot be) (?:found|given|stated|disclosed|available|in the sources|reported)|no source"
    r"|cannot be (?:answered|found))\b",
    re.IGNORECASE,
)
SCALES = (1.0, 1e3, 1e6, 1e9, 1e12)
"""Factors between a printed figure and the one it stands for, where a passage doesn't tell its scale."""
_SCALE_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_TELLS_SCALE = re.compile(r"\b(?:in|of) (?:u\.?s\.? )?(?:dollars in )?(?:thousands|millions|billions)\b", re.IGNORECASE)
_SCALE_WORD = re.compile(r"\b(thousand|million|billion|trillion)s?\b", re.IGNORECASE)
WITHHELD = "[figure withheld: it is not at its citation]"
UNSUPPORTED = "*(no source given)*"
LEAST_WORDS = 5
"""Words from which a line without a citation counts as a claim."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of an answer that its sources don't support."""

    kind: str
    """uncited, unknown_source or withheld."""
    text: str


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer after its citations were checked."""

    text: str
    """Labels in their canonical form; unsupported claims marked; figures that are not at their citation withheld."""
    cited: tuple[str, ...]
    """Known labels that it cites, in order of appearance, each once."""
    problems: tuple[Problem, ...]


def canonical(text: str) -> str:
    """Return a text with every citation in its canonical form, one label in each pair of brackets."""
    return _CITATION.sub(lambda match: "".join(f"[{label}]" for label in _labels(match[1])), text)


def cited_labels(text: str) -> tuple[str, ...]:
    """Return the labels that a text cites, in order of appearance, each once."""
    return tuple(dict.fromkeys(label for match in _CITATION.finditer(text) for label in _labels(match[1])))


def unknown_labels(text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that a text cites and that were not given."""
    given = frozenset(known)
    return tuple(label for label in cited_labels(text) if label not in given)


def check_answer(text: str, sources: Mapping[str, str], *, given: str = "") -> CheckedAnswer:
    """Check an answer line by line against the passages it cites.

    A figure is supported if a passage cited in its line prints it, rounded or not, in any of the usual scales, or if it
    stands in `given`. Headings, lead-ins that end with a colon, and statements that something was not found need no
    citation.

    Args:
        text: The answer, as Markdown.
        sources: Text of each source by label.
        given: Text whose figures may be repeated, such as the question.

    Returns:
        The answer with unknown citations removed, unsupported claims marked and unsupported figures withheld.
    """
    question = Printed.of(given)
    read: dict[str, Printed] = {}
    problems: list[Problem] = []
    lines = []
    for line in canonical(text).splitlines():
        labels = cited_labels(line)
        unknown = [label for label in labels if label not in sources]
        problems += [Problem("unknown_source", f"[{label}]") for label in unknown]
        for label in unknown:
            line = line.replace(f" [{label}]", "").replace(f"[{label}]", "")  # noqa: PLW2901
        known = [label for label in labels if label in sources]
        if not known:
            claim = bool(unknown) or _is_claim(line)
            lines.append(f"{line.rstrip()} {UNSUPPORTED}" if claim else line)
            problems += [Problem("uncited", line.strip())] if claim else []
            continue
        for label in known:
            if label not in read:
                read[label] = Printed.of(sources[label])
        passages = (question, *(read[label] for label in known))
        line, missing = _without_unsupported(line, passages)  # noqa: PLW2901
        problems += [Problem("withheld", figure) for figure in missing]
        lines.append(line)
    checked = "\n".join(lines)
    return CheckedAnswer(checked, tuple(label for label in cited_labels(checked) if label in sources), tuple(problems))


@dataclass(frozen=True, slots=True)
class Printed:
    """The figures that a passage prints."""

    values: tuple[float, ...]
    """Each once, unscaled and without signs."""
    scales: tuple[float, ...]
    """Factors from a printed figure to the one it stands for: those that the passage tells, else all usual ones."""

    @classmethod
    def of(cls, text: str) -> Printed:
        """Read a passage."""
        told = {_SCALE_WORDS[match[1].lower()] for match in _SCALE_WORD.finditer(text)}
        return cls(_printed(text), (1.0, *sorted(told)) if _TELLS_SCALE.search(text) else SCALES)

    def holds(self, number: Number) -> bool:
        """Tell whether it holds a number, rounded as it is written, with either sign."""
        slack = max(number.half, 1e-9 * abs(number.value)) * (1 + 1e-9)
        target = abs(number.value)
        scales = (1.0, 100.0, 0.01) if number.unit in ("%", "points", "bps", "x") else self.scales
        return any(abs(value * scale - target) <= slack for value in self.values for scale in scales)


def _without_unsupported(line: str, passages: Sequence[Printed]) -> tuple[str, list[str]]:
    """Return a line without the figures that stand in none of its sources, and those figures."""
    plain = _CITATION.sub(lambda match: " " * len(match[0]), line)
    missing = [number for number in read_numbers(plain) if not any(one.holds(number) for one in passages)]
    found = [line[number.start : number.end] for number in missing]
    for number in reversed(missing):
        line = line[: number.start] + WITHHELD + line[number.end :]
    return line, found


def _printed(text: str) -> tuple[float, ...]:
    """Return the values of all figures that a passage prints, each once, unscaled and without signs."""
    plain = (match[1].replace(",", "") for match in _PRINTED.finditer(text))
    return tuple({**{float(one): None for one in plain}, **{abs(one.value): None for one in read_numbers(text)}})


def _is_claim(line: str) -> bool:
    """Tell whether a line without citations says something that needs one."""
    plain = line.strip()
    if not plain or plain.startswith(("#", "|", ">", "```")) or plain.rstrip("*_ ").endswith((":", "?")):
        return False
    return len(_WORD.findall(plain)) >= LEAST_WORDS and not _NOT_FOUND.search(plain)


def _labels(text: str) -> list[str]:
    return [f"{match[1].upper()}{int(match[2])}" for match in _LABEL.finditer(text)]
