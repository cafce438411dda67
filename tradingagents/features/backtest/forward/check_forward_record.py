"""Check forward records without the library that wrote them: `python check_forward_record.py FOLDER [ANCHORS]`.

FOLDER holds `registry.jsonl`, which counts every record ever begun, and a chain `NAME.jsonl` for each. ANCHORS holds
their states, one a line, from a source whose dates you trust, such as a mailing list: without them the times are claims
of the author, who can write all chains anew. Needs Python 3.11 and nothing else.
"""

import hashlib
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

FIRST, LONGEST_BREAK = "0" * 64, timedelta(days=10)
Line = dict[str, Any]
problems = list[str]()
instant = datetime.fromisoformat


def fault(where: str, what: str) -> None:
    """Note a fault."""
    problems.append(f"{where}: {what}")


def sha256(text: str) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def plain(line: Line) -> str:
    """Return a line without its hash as the text that is hashed."""
    line = {name: line[name] for name in line if name != "hash"}
    return json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def read_chain(path: Path) -> list[Line]:
    """Return the lines of a chain, each checked against its own hash, its number, and the line before it."""
    lines = list[Line]()
    for number, text in enumerate(path.read_text("utf-8").splitlines(), start=1):
        line = json.loads(text)
        before = lines[-1]["hash"] if lines else FIRST
        if (line["number"], line["previous"], line["hash"]) != (number, before, sha256(plain(line))):
            fault(path.name, f"line {number} was changed or moved, or one before it is missing")
        if lines and instant(line["at"]) < instant(lines[-1]["at"]):
            fault(path.name, f"line {number} is older than the line before it")
        lines.append(line)
    return lines


def had_state(lines: list[Line], state: Line) -> bool:
    """Whether a chain was, at some time, as a state says: so many lines, the last of them with this hash."""
    return bool(dict(enumerate([FIRST, *(line["hash"] for line in lines)])).get(state["lines"]) == state["head"])


def check_record(name: str, lines: list[Line], registry: list[Line]) -> None:
    """Check that each session was committed once, in order, and shown later as it was committed."""
    if [line["hash"] for line in registry if line["name"] == name] != [line.get("begun") for line in lines[:1]]:
        return fault(name, "it was not begun as the registry says")
    commits, shown = dict[str, Line](), dict[str, Line]()
    for line in lines[1:]:
        day, where = line["session"], f"line {line['number']}"
        if line["kind"] == "commit":
            if commits and day <= max(commits):
                fault(name, f"{where} commits {day} twice or out of order")
            if commits and instant(commits[max(commits)]["next_open"]) > instant(f"{day}T23:59:59Z"):
                fault(name, f"{where} commits {day}, which lies before the next open that the commit before it names")
            if not timedelta(0) < instant(line["next_open"]) - instant(f"{day}T00:00:00Z") < LONGEST_BREAK:
                fault(name, f"{where} names a next open that cannot be, {line['next_open']}")
            commits[day] = line
        elif line["kind"] != "reveal" or day not in commits or day in shown:
            fault(name, f"{where} shows a session that was not committed, or shows one twice")
        else:
            if sha256(line["salt"] + line["line"]) != commits[day]["commitment"]:
                fault(name, f"{where} shows {day} otherwise than it was committed")
            if instant(line["at"]) < instant(commits[day]["next_open"]):
                fault(name, f"{where} shows {day} before the next session opened")
            shown[day] = json.loads(line["line"])
    for day in sorted({*sorted(commits)[:-1]} - {*shown}):  # the last may wait for its next open
        fault(name, f"the session {day} was committed and never shown")
    return check_ledger(name, commits, shown)


def check_ledger(name: str, commits: dict[str, Line], shown: dict[str, Line]) -> None:
    """Check that what is shown is one ledger, whose lines are chained too, and print what it came to."""
    before = FIRST
    for day, line in shown.items():
        if line["mark"]["day"] != day or line["hash"] != sha256(before + plain(line)):
            fault(name, f"the session {day} does not follow the one before it in the ledger")
        before = line["hash"]
    late = sum(instant(line["at"]) >= instant(line["next_open"]) for line in commits.values())
    decided = sum(posting["kind"] == "decision" for line in shown.values() for posting in line["postings"])
    worth = [line["mark"]["equity"] / 100 for line in shown.values()]
    moved = f", worth {worth[0]:,.2f}, then {worth[-1]:,.2f} ({worth[-1] / worth[0] - 1:+.2%})" if worth else ""
    print(f"{name}: {len(commits)} sessions committed, {late} of them too late to prove anything; {len(shown)} shown,")
    opens = sorted({f"{instant(line['next_open']).astimezone(UTC):%H:%M}" for line in commits.values()})
    longest = max([0, *((instant(to) - instant(day)).days for day, to in zip(commits, [*commits][1:], strict=False))])
    print(f"  with {decided} decisions{moved}; opens claimed at {', '.join(opens)} UTC, longest break {longest} days")


def check_registry(registry: list[Line], chains: dict[str, list[Line]]) -> None:
    """Check that every record ever begun is there, and that none of them forgets another."""
    for name in dict.fromkeys([*(line["name"] for line in registry), *chains]):
        for line in (line for line in chains.get(name, []) if line["kind"] in ("start", "commit")):
            if not had_state(registry, line["registry"]):
                fault(name, f"line {line['number']} knows other records than the registry: some are missing or changed")
            elif any(instant(begun["at"]) < instant(line["at"]) for begun in registry[line["registry"]["lines"] :]):
                fault(name, f"line {line['number']} leaves out a record that was begun before it")
        if name in chains:
            check_record(name, chains[name], registry)
        else:
            fault(name, "the record was begun, and its chain is missing")


def check_anchors(path: Path, registry: list[Line], chains: dict[str, list[Line]]) -> None:
    """Check that all chains hold what was published, and that what came later does not claim to be older."""
    for number, text in enumerate(path.read_text("utf-8").splitlines() or [""], start=1):  # none is a fault
        anchor = json.loads(text)
        states = {"registry": anchor["registry"], **anchor["records"]}
        for name in {"registry": 0, **chains, **states}:
            lines = registry if name == "registry" else chains.get(name, [])
            state = states.get(name, {"lines": 0, "head": FIRST})
            if not had_state(lines, state):
                fault(name, f"it is not what anchor {number} published at {anchor['at']}")
            for line in (line for line in lines if instant(line["at"]) != instant(anchor["at"])):
                if (line["number"] <= state["lines"]) != (instant(line["at"]) < instant(anchor["at"])):
                    fault(name, f"line {line['number']} cannot be of {line['at']}, by anchor {number}")


def check(folder: Path, anchors: Path | None) -> list[str]:
    """Check a folder and print what its records came to; return what does not fit."""
    problems.clear()
    try:
        chains = {path.stem: read_chain(path) for path in sorted(folder.glob("*.jsonl"))}
        registry = chains.pop("registry")
        print(f"Records ever begun: {len(registry)} ({', '.join(line['name'] for line in registry)})")
        check_registry(registry, chains)
        if anchors:
            check_anchors(anchors, registry, chains)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        fault(str(folder), f"a line is none of a record: {error!r}")
    return problems


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    faults = check(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
    print("\n".join(faults) or ("All fits." if len(sys.argv) == 3 else "All fits; without anchors, times are claims."))
    sys.exit(bool(faults))
