"""What is compared of a run: streams, exit code, card, manifest, reports, events, without what differs by nature.

NORMALISATIONS is the whole list of what is taken out, each with its reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

Artifacts = dict[str, str]
"""Normalised texts by name."""

NORMALISATIONS = (
    "ids of runs, sessions, tasks (made of the clock and chance): replaced by kind, subject, day and a number",
    "ends of the ids of theses and conversations: made of the run's id, or chance",
    "paths of the home, the recorded data and the checkout, the model server's port: places of this machine",
    "moments of the day on which the set runs, and the day itself: the clock",
    "keys of durations and of the number of starts (DURATIONS), `took … s` in texts: the clock, and how often it began",
    "key `versions` of cards, and versions of Python and packages in texts; our own version: it names the commit",
    "number of cells of a grid that were read before each: they are read side by side",
    "order of events, and the keys seq, ts and those of durations: threads and the clock",
    "order of the lists in UNORDERED: agents that work side by side",
    "order of rows of costs, numbers of a model server's calls: agents that ask side by side",
    "hash and size of a sealed dossier: it holds the run's id and moments",
    "number of retries, and what events say of them: a loaded machine that does not connect in time",
    "lines of USAGE, only where a killed run is compared: a call in flight when the process died is made again",
)
OWN_VERSION = version("tradingagents")
PACKAGE = re.compile(r"\b(python|langgraph|langchain-core|langchain-openai|pandas|stockstats) \d[\w.]*")
DURATIONS = frozenset({"wall_s", "seconds", "elapsed_s", "starts", "duration_s", "took_s"})
DROPPED = DURATIONS | {"versions"}
CONSTANT = {"retries": 0, "root": "<hash>", "bytes": "<size>"}
UNORDERED = frozenset({"warnings", "data_sheet", "articles_read"})
ID = re.compile(r"\d{8}T\d{6}\d*Z-([A-Za-z_.^=-]+?-\d{4}-\d\d-\d\d|[a-z_]+)-([0-9a-f]{6,8})\b")
SESSION = re.compile(r"\bs-\d{20}-[0-9a-f]{12}\b")
THESIS = re.compile(r"\b(\d{4}-\d\d-\d\d-[A-Z.]+)-[0-9a-f]{8}\b")
CONVERSATION = re.compile(r"\bfilings-[0-9a-f]{8}\b")
TOOK = re.compile(r"\btook (?:\d+ min )?\d+(?:\.\d+)? (?:s|min)\b")
CALL = re.compile(r"\bcall_\d+_\d+\b")
PRICE = r"(?:\$[\d.,]+|price unknown)"
MARKDOWN_ROW = rf"\| [^|\n]+ (?:\| [\d,]+ ){{4}}\| {PRICE} \|\n"
HTML_ROW = rf'[ ]*<tr[^\n]*(?:<td class="right">[\d,]+</td>){{4}}<td class="right">{PRICE}</td></tr>\n'
ROWS = re.compile(rf"^(?:(?:{MARKDOWN_ROW})+|(?:{HTML_ROW})+)", re.MULTILINE)
"""Rows of costs that follow on each other."""
USAGE = re.compile(
    rf'^(?:\s*"(?:llm_calls|(?:input|output|cached)_tokens)": [^\n]*\n|{MARKDOWN_ROW}|{HTML_ROW})', re.MULTILINE
)
SKIPPED = re.compile(r"(^|/)(lock|[^/]+\.(sqlite|lock|db)(-wal|-shm|-journal)?|cache/.*|locks/.*|unfinished/.*)$")
TEXT = (".json", ".jsonl", ".md", ".html", ".csv", ".txt", "")


def digest(text: str) -> str:
    """Return the first 16 digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Normaliser:
    """Takes out of the artifacts of one case what differs by nature.

    Args:
        places: Names by path.
        days: Days on which the case may have run.
    """

    def __init__(self, places: Mapping[str, str], days: Iterable[str]) -> None:
        self._places = sorted(places.items(), key=lambda place: -len(place[0]))
        self._ids: dict[str, str] = {}
        either = "|".join(re.escape(day) for day in sorted(set(days)))
        compact = either.replace("\\-", "").replace("-", "")
        moment = r"[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00| UTC)?"
        self._clock = re.compile(rf"\b(?:{either}){moment}|\b(?:{compact})T\d+Z")
        self._day = re.compile(rf"\b(?:{either})\b")

    def learn(self, home: Path) -> None:
        """Number the runs of a home by what they were asked, since their ids are made of the clock and chance."""
        manifests: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for path in home.glob("runs/*/manifest.json"):
            found = ID.fullmatch(path.parent.name)
            if found:
                content = ID.sub(r"\1", self.json(path.read_text("utf-8")))
                manifests[found[1]].append((content, path.parent.name))
        for stem, named in manifests.items():
            for number, (_, run_id) in enumerate(sorted(named), start=1):
                self._ids[run_id] = f"<{stem}#{number}>"

    def text(self, text: str) -> str:
        """Return a text without what differs."""
        for run_id, name in self._ids.items():
            text = text.replace(run_id, name)
        text = THESIS.sub(r"\1-<thesis>", ID.sub(r"<\1>", text))
        text = CONVERSATION.sub("<conversation>", text)
        return steady(self._plain(TOOK.sub("took <time>", SESSION.sub("<session>", text))))

    def value(self, value: Any) -> Any:
        """Return a value of JSON without what differs."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, dict):
            return {self.text(key): self._entry(key, part) for key, part in value.items() if key not in DROPPED}
        return value

    def json(self, text: str) -> str:
        """Return a JSON document normalised, with one value a line."""
        return json.dumps(self.value(json.loads(text)), indent=1, ensure_ascii=False, sort_keys=True)

    def lines(self, text: str) -> list[str]:
        """Return the lines of a JSON Lines document normalised."""
        return [
            json.dumps(self.value(json.loads(line)), ensure_ascii=False, sort_keys=True) for line in text.splitlines()
        ]

    def _entry(self, key: str, part: Any) -> Any:
        if key in CONSTANT:
            return CONSTANT[key]
        normal = self.value(part)
        if key in UNORDERED and isinstance(normal, list):
            normal.sort(key=lambda entry: json.dumps(entry, sort_keys=True))
        return normal

    def _plain(self, text: str) -> str:
        for path, name in self._places:
            text = text.replace(path, name)
        text = PACKAGE.sub(r"\1 <version>", text.replace(OWN_VERSION, "<version>"))
        return self._day.sub("<day>", self._clock.sub("<clock>", text))


def steady(text: str) -> str:
    """Return a text without what depends on which agent asked first."""
    return ROWS.sub(lambda rows: "".join(sorted(rows[0].splitlines(keepends=True))), CALL.sub("<call>", text))


def without_usage(artifacts: Mapping[str, str]) -> Artifacts:
    """Return artifacts without what they say of the number of calls and tokens."""
    return {name: USAGE.sub("", text) for name, text in artifacts.items()}


def of_output(name: str, text: str, normal: Normaliser) -> Artifacts:
    """Return what a command printed: each line that is JSON as a document, else the text."""
    try:
        documents = [normal.json(line) for line in text.splitlines()]
    except ValueError:
        return {name: normal.text(text)}
    return {name: "\n".join(documents)}


def of_home(home: Path, normal: Normaliser) -> Artifacts:
    """Return the files of a home, and of a run's events what they say in no order."""
    found: Artifacts = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if not path.is_file() or SKIPPED.search(name) or path.suffix not in TEXT:
            continue
        text = path.read_text("utf-8")
        if path.name == "events.jsonl":
            text = "\n".join(sorted(_event(line, normal) for line in text.splitlines() if '"wait_s"' not in line))
        elif path.suffix == ".jsonl":
            text = "\n".join(normal.lines(text))
        elif path.suffix == ".json":
            text = normal.json(text)
        else:
            text = normal.text(text)
        found[normal.text(name)] = text
    return found


def _event(line: str, normal: Normaliser) -> str:
    event = {key: part for key, part in json.loads(line).items() if key not in ("seq", "ts")}
    if event["step"] == "cells" and "cell" in event["data"]:  # how many cells were read before it: threads
        event["message"] = event["message"].partition(" of ")[2]
        event["data"] = {**event["data"], "done": None}
    return json.dumps(normal.value(event), ensure_ascii=False, sort_keys=True)
