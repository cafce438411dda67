"""Which risks a filing names more often than annual reports usually do, counted in its risk factors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tradingagents.retrieval.figures.filed_figures import NamedRisk
from tradingagents.retrieval.models import ItemSection, SourceDocument

RISK_ITEMS = ("1A", "II-1A")
LEAST_MENTIONS = 5


@dataclass(frozen=True, slots=True)
class RiskTheme:
    """A risk by the words that name it."""

    words: tuple[str, ...]
    usual: float
    """Mentions for 10,000 characters of risk factors: the median of 19 annual reports of large companies of the United
    States, filed in 2024 and 2025."""


THEMES: Mapping[str, RiskTheme] = {
    "tariffs": RiskTheme(("tariff", "trade restriction", "trade war", "export control"), 0.48),
    "competition": RiskTheme(("competit",), 3.92),
    "antitrust action": RiskTheme(("antitrust", "competition law", "digital markets act"), 0.26),
    "litigation": RiskTheme(("litigation", "lawsuit", "legal proceeding"), 2.6),
    "cyber attacks": RiskTheme(("cyber", "security breach", "data breach", "unauthorized access"), 2.28),
    "supply shortages": RiskTheme(("supplier", "supply chain", "shortage"), 3.07),
    "currency moves": RiskTheme(("exchange rate", "foreign currenc"), 0.5),
    "lost patents": RiskTheme(("patent", "exclusivity", "biosimilar"), 0.45),
    "artificial intelligence": RiskTheme(("artificial intelligence", " ai "), 1.31),
    "rising interest rates": RiskTheme(("interest rate", "indebtedness", "credit rating"), 0.55),
    "faulty products": RiskTheme(("defect", "recall", "product liability", "quality issue"), 1.03),
    "weak consumers": RiskTheme(("consumer spending", "consumer confidence", "recession", "housing"), 0.17),
    "privacy rules": RiskTheme(("privacy", "data protection"), 2.14),
}


def named_risks(document: SourceDocument) -> tuple[NamedRisk, ...]:
    """Return the risks that the risk factors of a filing name more often than usual, the most unusual first."""
    text = " ".join(_texts(document)).lower()
    if not text:
        return ()
    found = []
    for theme, words in THEMES.items():
        mentions = sum(text.count(word) for word in words.words)
        times = mentions / len(text) * 10_000 / words.usual
        if mentions >= LEAST_MENTIONS and times > 1:
            found.append(
                NamedRisk(theme=theme, mentions=mentions, times_usual=round(times, 1), document=document.info.name)
            )
    return tuple(sorted(found, key=lambda one: -one.times_usual))


def _texts(document: SourceDocument) -> Iterable[str]:
    for section in document.sections:
        if section.item in RISK_ITEMS and section.sure:
            yield from _pages(document, section)


def _pages(document: SourceDocument, section: ItemSection) -> Iterable[str]:
    for number in range(section.first_page, min(section.last_page, len(document.pages) - 1) + 1):
        text = document.pages[number].text
        begin = section.first_offset if number == section.first_page else 0
        end = section.last_offset if number == section.last_page else len(text)
        yield text[begin:end]
