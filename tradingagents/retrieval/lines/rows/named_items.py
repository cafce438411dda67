"""Whether a text of a table names a line item, such as `net sales`, rather than another one with its words in it."""

from __future__ import annotations

import re
from functools import lru_cache

from tradingagents.retrieval.line_items import LineItem, line_items, plain_label
from tradingagents.retrieval.lines.cells.found_cells import WantedLine
from tradingagents.retrieval.lines.heads.row_comments import DESCRIBED
from tradingagents.retrieval.lines.rows.label_words import stems_of
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.models import FiledTable, Row

SHARE_OF = re.compile(
    r"(?i)(?:%|\bper ?cent\w*|\bas an? [\w ]{1,20}|\bratio) (?:of|to) (?:\w+ )?(?:sales"
    r"|revenues?)\b"
)
"""What says that figures are a share of sales: they are no sales themselves."""


NOT_EARNED = re.compile(r"(?i)\b(?:unearned|deferred|unbilled|remaining)(?: performance| net)? (?:revenues?|sales)\b")


COST_OF = re.compile(r"(?i)\bcosts? of (?:\w+ )?(?:revenues?|sales|goods)\b")
"""What has the name of sales in it and is another item."""


LOSS = re.compile(r"\b(operating|net)(?: \(?(?:income|earnings)\)?)? \(?loss(?:es)?\)?")


OF_GROWTH = re.compile(r"(?i)\b(?:growth|percent(?:age)?|changes?)\b")


def is_named(item: LineItem, text: str) -> bool:
    """Return whether a text names a line item."""
    named = NOT_EARNED.sub(" ", SHARE_OF.sub(" ", text))
    if not any(name.startswith("cost") for name in item.names):
        named = COST_OF.sub(" ", named)
    plain = LOSS.sub(r"\1 income", row_words(plain_label(named))).replace("loss per", "earnings per")
    if item.excluded is not None and item.excluded.search(plain.replace("non-gaap", "")):
        return False
    return any(re.search(rf"(?<![\w-]){re.escape(name)}s?(?![\w-])", plain) for name in item.names)


def names_item(wanted: WantedLine, *texts: str) -> bool:
    """Return whether texts of a row name the item of a line that is wanted."""
    if wanted.measure:
        return True
    item = line_items()[wanted.item]
    if wanted.growth:  # the name of an item in that of its growth, as in `organic sales growth`
        texts = tuple(OF_GROWTH.sub(" ", text) for text in texts)
    return any(is_named(item, text) for text in texts)


@lru_cache(maxsize=256)
def item_words(item: str) -> frozenset[str]:
    """Return the stems of the words by which an item is called."""
    words = stems_of(
        "loss (loss) income earnings" if item in ("operating_income", "net_income") else "common ordinary loss"
    )
    return words.union(*(stems_of(name) for name in line_items()[item].names))


NARROWER = re.compile(
    r"(?i)\b(subscription|products?|services?|licen[sc]e|membership|advertising|non-?interest|intersegment|rental|deferred"
    r"|recurring|comparable) (?:net )?(?:revenues?|sales)\b"
)
"""What a title says of its figures where they are a part of the sales of each row."""


def names_narrower(wanted: WantedLine, row: Row, table: FiledTable, asked: frozenset[str]) -> bool:
    """Whether a title names a part of the item alone, as `Subscription revenue by segment`, that nothing asks for."""
    if is_named(line_items()[wanted.item], " ".join((row.label, *row.headings[-2:]))) or DESCRIBED.search(table.title):
        return False  # a table of products has the whole revenue of each
    found = NARROWER.findall(table.title[-160:])
    return bool(found) and not any(stems_of(word) <= asked for word in found)
