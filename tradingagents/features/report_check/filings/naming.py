"""What a report calls a figure: the words of its sentence, or of its row, that name it."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.features.report_check.filings.cells import CompanyFilings
from tradingagents.features.report_check.filings.names import FigureName, NameReader, has_item, is_part
from tradingagents.features.report_check.grammar.sentence import FigureSentence
from tradingagents.provenance.numbers import Number


def name_in_sentence(
    sentence: FigureSentence, number: Number, heading: str, dated: bool, reader: NameReader, filings: CompanyFilings
) -> FigureName:
    """Return what a sentence calls one of its numbers.

    Args:
        sentence: The sentence.
        number: One of its figures.
        heading: The heading above it.
        dated: Whether the text right around the number says its period.
        reader: Reads names.
        filings: The company's filings: words that they do not use name nothing.
    """
    names = reader.phrases(sentence.text, filings.known, filings.whole_names)
    ranked = sentence.named_by(number, names)
    near = ranked[0].means if ranked else frozenset()
    if not any(map(is_part, near)) and len(ranked) > 1:  # `In Europe, sales were $5bn`
        near |= ranked[1].means
    around = reader.words(sentence.text) | reader.words(heading)
    return FigureName(near, around, dated, sentence.is_change(number))


def name_in_row(
    row: Sequence[str], above: Sequence[str], is_change: bool, reader: NameReader, filings: CompanyFilings
) -> FigureName:
    """Return what a table calls one of its cells.

    Args:
        row: Its label and the title of its column.
        above: The caption and the heading of the table.
        is_change: Whether they call it a change.
        reader: Reads names.
        filings: The company's filings: words that they do not use name nothing.
    """
    own = reader.words(row[0].rpartition(" / ")[2]) | reader.words(row[1])
    near = own & filings.known | {token for token in own if not is_part(token)}
    said = frozenset().union(*map(reader.words, above))
    if not has_item(near):
        near |= {token for token in said if token.startswith("#")}
    return FigureName(near, own | said | reader.words(row[0]), True, is_change)
