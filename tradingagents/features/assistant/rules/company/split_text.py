"""Sentences on the splits of a share: when it was last split and how, and that prices are adjusted for one."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.wording import BEFORE_OR_AFTER

CHANGE = "get_price_change"


def split_text(found: TurnAnswers, symbol: str) -> str:
    """Return when a share was last split and the splits before; that none is listed where there is none."""
    changes = found.changes(symbol)
    if not changes:
        return found.missing(CHANGE, symbol)
    fact = next((change for change in reversed(changes) if "split_ratio" in change.facts), None)
    if fact is None:
        return found.say("split_unlisted", who=found.who(symbol))
    beside = found.say("split_beside") if BEFORE_OR_AFTER & found.frame.words else ""
    own = next((change for change in found.all(CHANGE, symbol) if not change.failed), fact)  # of the days asked
    if found.frame.dated and own is not fact and "split_ratio" in own.facts:
        named, known = _listed(found, symbol, own), _listed(found, symbol, fact)
        told = [named] if _splits_to(own, own.facts.get("last_day", "")) else [named, known]
    else:
        told = [_listed(found, symbol, fact)]
    count = _shares_after(found, fact)
    return " ".join(text for text in dict.fromkeys((count, *told, "" if count else beside)) if text)


def _shares_after(found: TurnAnswers, fact: ToolFact) -> str:
    """Return how many shares those that a question names became by the last split; empty where it asks no such."""
    counts, splits = found.frame.asked.numbers, _splits_to(fact, fact.facts.get("last_day", fact.as_of))
    if "how_many" not in found.frame.demands or len(counts) != 1 or not counts[0].isdigit() or not splits:
        return ""
    last = splits[-1]
    after = int(counts[0]) * float(last["ratio"])
    given = {"before": counts[0], "after": f"{round(after, 4):g}", "ratio": _ratio(found, last)}
    return found.say("split_shares", split_day=last["day"], **given)


def _listed(found: TurnAnswers, symbol: str, fact: ToolFact) -> str:
    """Return the splits that a price change lists."""
    last_day = fact.facts.get("last_day", fact.as_of)
    given = {"who": found.who(symbol), "first_day": fact.facts.get("first_day", ""), "day": last_day}
    splits = _splits_to(fact, last_day)
    if not splits:
        none = found.say("split_none", **given)
        return none if found.frame.dated else f"{none} {found.say('split_earlier')}"
    last = splits[-1]
    said = [found.say("splits", **given, split_day=last["day"], ratio=_ratio(found, last))]
    if len(splits) > 1:
        each = ", ".join(f"{split['day']} ({_ratio(found, split)})" for split in splits[:-1])
        said.append(found.say("splits_before", **given, each=each))
    return " ".join(said)


def split_within_text(found: TurnAnswers, fact: ToolFact) -> str:
    """Return that a share was split in the days of a price change; empty where it was not."""
    within = _splits_to(fact, fact.facts.get("last_day", ""))
    return "\n".join(found.say("split_within", ratio=_ratio(found, split), split_day=split["day"]) for split in within)


def _splits_to(fact: ToolFact, last_day: str) -> list[Mapping[str, str]]:
    """Return the splits that a price change lists up to a day; it lists those after its last day too."""
    rows = [row for _, row in places(fact, "splits") if row.get("day") and row.get("ratio")]
    return [row for row in rows if row["day"] <= last_day]


def _ratio(found: TurnAnswers, split: Mapping[str, str]) -> str:
    """Return a split as it is spoken of: 10 for 1, or 1 for 10 where shares were put together."""
    ratio = float(split["ratio"])
    new, old = (ratio, 1.0) if ratio >= 1 else (1.0, 1 / ratio)
    return found.say("held_split_ratio", new=f"{round(new, 4):g}", old=f"{round(old, 4):g}")
