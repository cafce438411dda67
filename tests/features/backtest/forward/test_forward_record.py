"""A forward record: committed in time, shown as committed, and every kind of tampering found by the script alone."""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cli.flags import Flags, read_settings
from tests.support.tiers import sampled
from tradingagents.errors import ConfigurationError, NotFound, UsageError
from tradingagents.features.backtest.forward import check_forward_record as script
from tradingagents.features.backtest.forward import record as records
from tradingagents.features.backtest.forward.chain import FIRST, HashChain, canonical, hash_of
from tradingagents.features.backtest.forward.publish import publish
from tradingagents.features.backtest.forward.record import ForwardRecord, anchor, commitment_of
from tradingagents.features.backtest.forward.status import all_records
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.run import run_paper
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.services import Services, open_services

DAYS = [date(2024, 10, day) for day in (1, 2, 3, 4, 7)]
Chains = dict[str, list[dict[str, Any]]]


def services_in(home: Path) -> Services:
    return open_services(read_settings(Flags(offline=True, home=home), {}), {})


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two records, the second begun later and losing, run an hour after each close, with an anchor after each run."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("published")
    anchors: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        clock = datetime(2024, 9, 30, 12, tzinfo=UTC)

        def now() -> datetime:
            return clock

        patch.setattr(records, "utc_now", now)
        ForwardRecord(home, "alpha").start(PaperPlan(name="alpha", tickers=("VELQ", "OMBZ")))
        for day in DAYS:
            if day == DAYS[2]:
                clock = datetime(2024, 10, 3, 12, tzinfo=UTC)
                ForwardRecord(home, "beta").start(PaperPlan(name="beta", tickers=("MODZ",)))
            clock = datetime(day.year, day.month, day.day, 21, tzinfo=UTC)
            for name in ("alpha", "beta"):
                if (home / "records" / f"{name}.jsonl").exists():
                    done = asyncio.run(ForwardRecord(home, name).run(services_in(home), day))
                    assert (done.committed, done.late) == ((day,), ())
                    clock += timedelta(minutes=1)
            anchors.append(canonical(anchor(home)))
        clock = datetime(2024, 10, 8, 14, tzinfo=UTC)
        for name in ("alpha", "beta"):
            assert ForwardRecord(home, name).reveal() == (DAYS[-1],)
            clock += timedelta(minutes=1)
        anchors.append(canonical(anchor(home)))
        publish(home, folder)
    (folder / "anchors.txt").write_text("\n".join(anchors), "utf-8")
    return folder


def checked(folder: Path) -> list[str]:
    """Return what the script finds in a folder."""
    return script.check(folder, folder / "anchors.txt")


def chains_of(folder: Path) -> Chains:
    return {
        path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in folder.glob("*.jsonl")
    }


def chained_anew(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Number, chain and hash lines as their author could."""
    before, made = FIRST, []
    for number, line in enumerate(lines, start=1):
        whole = {**line, "number": number, "previous": before}
        whole["hash"] = before = hash_of(whole)
        made.append(whole)
    return made


def with_states(chains: Chains) -> Chains:
    """Let every line name the registry as it now is, as an author who rewrites everything would."""
    registry = chained_anew(chains["registry"])
    known = {line["name"]: line["hash"] for line in registry}
    told: Chains = {"registry": registry}
    for name, lines in chains.items():
        if name == "registry":
            continue
        for line in lines:
            if "registry" in line:
                count = sum(begun["at"] <= line["at"] for begun in registry)
                line["registry"] = {"lines": count, "head": registry[count - 1]["hash"] if count else FIRST}
            if "begun" in line:
                line["begun"] = known.get(name)
        told[name] = chained_anew(lines)
    return told


# What an author may try; each changes the chains and returns them


def edited(chains: Chains, dice: random.Random) -> Chains:
    lines = chains[dice.choice(sorted(chains))]
    line = dice.choice(lines)
    name = dice.choice([name for name in line if isinstance(line[name], str) and line[name]])
    at = dice.randrange(len(line[name]))
    line[name] = line[name][:at] + ("0" if line[name][at] != "0" else "1") + line[name][at + 1 :]
    return chains


def decided_otherwise(chains: Chains, dice: random.Random) -> Chains:
    """Another action in a session that is shown, with the ledger chained anew."""
    lines = chains[dice.choice(["alpha", "beta"])]
    reveal = dice.choice([line for line in lines if line["kind"] == "reveal"])
    shown = json.loads(reveal["line"])
    decision = next(posting for posting in shown["postings"] if posting["kind"] == "decision")
    decision["action"] = dice.choice([action for action in ("BUY", "SELL", "HOLD") if action != decision["action"]])
    reveal["line"] = canonical(shown)
    return with_states(chains)


def committed_otherwise(chains: Chains, dice: random.Random) -> Chains:
    """Another decision, and its commitment and everything after made to fit."""
    chains = decided_otherwise(chains, dice)
    for lines in (chains["alpha"], chains["beta"]):
        commits = {line["session"]: line for line in lines if line["kind"] == "commit"}
        for line in lines:
            if line["kind"] == "reveal":
                commits[line["session"]]["commitment"] = commitment_of(line["salt"], line["line"])
    return with_states(chains)


def backdated(chains: Chains, dice: random.Random) -> Chains:
    line = dice.choice(chains[dice.choice(sorted(chains))])
    moved = datetime.fromisoformat(line["at"]) - timedelta(minutes=dice.randrange(1, 5000))
    line["at"] = moved.strftime("%Y-%m-%dT%H:%M:%SZ")
    return with_states(chains)


def reordered(chains: Chains, dice: random.Random) -> Chains:
    lines = chains[dice.choice(["alpha", "beta"])]
    at = dice.randrange(1, len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return with_states(chains)


def omitted(chains: Chains, dice: random.Random) -> Chains:
    lines = chains[dice.choice(["alpha", "beta"])]
    del lines[dice.randrange(1, len(lines))]
    return with_states(chains)


def cut_off(chains: Chains, dice: random.Random) -> Chains:
    name = dice.choice(["alpha", "beta"])
    chains[name] = chains[name][: dice.randrange(1, len(chains[name]))]
    return with_states(chains)


def loser_deleted(chains: Chains, dice: random.Random) -> Chains:
    name = dice.choice(["alpha", "beta"])
    del chains[name]
    if dice.random() < 0.5:
        chains["registry"] = [line for line in chains["registry"] if line["name"] != name]
        return with_states(chains) if dice.random() < 0.7 else chains
    return chains


def winner_added(chains: Chains, dice: random.Random) -> Chains:
    """A record made afterwards, with times of before."""
    name = dice.choice(["alpha", "beta"])
    chains["gamma"] = [dict(line) for line in chains[name]]
    begun = {**next(line for line in chains["registry"] if line["name"] == name), "name": "gamma"}
    chains["registry"] = sorted([*chains["registry"], begun], key=lambda line: line["at"])
    return with_states(chains)


TAMPERINGS: tuple[Callable[[Chains, random.Random], Chains], ...] = (
    *(edited, decided_otherwise, committed_otherwise, backdated, reordered, omitted, cut_off),
    *(loser_deleted, winner_added),
)


def test_what_is_published_fits_and_the_script_says_what_it_came_to(published: Path):
    assert checked(published) == []
    found = subprocess.run(
        [sys.executable, "-I", "check_forward_record.py", ".", "anchors.txt"],
        cwd=published,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "Records ever begun: 2 (alpha, beta)" in found.stdout
    assert "alpha: 5 sessions committed, 0 of them too late" in found.stdout
    assert found.stdout.count("opens claimed at 13:30 UTC, longest break 3 days") == 2
    assert found.stdout.endswith("All fits.\n")
    assert not list(published.glob("*salts*"))
    page = (published / "index.html").read_text("utf-8")
    assert "alpha" in page
    assert "beta" in page
    assert len(Path(script.__file__).read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("seed", sampled(range(1_000), every=5))
def test_every_tampering_is_found(published: Path, tmp_path: Path, seed: int):
    dice = random.Random(seed)  # noqa: S311 - which tampering, no secret
    tampering = TAMPERINGS[seed % len(TAMPERINGS)]
    honest = chains_of(published)
    tampered = tampering(chains_of(published), dice)
    assert tampered != honest, f"{tampering.__name__} changed nothing"
    for name, lines in tampered.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{canonical(line)}\n" for line in lines), "utf-8")
    (tmp_path / "anchors.txt").write_bytes((published / "anchors.txt").read_bytes())
    assert checked(tmp_path), f"{tampering.__name__} was not found"


NOT_YET, SEEN, ALL = "2024-10-02T12:00:00Z", "2024-10-02T20:00:00Z", "2024-10-04T20:00:00Z"
"""Before the open that ends the time for the first session, after the close that followed it, after everything."""


@pytest.mark.parametrize(
    ("claimed", "opens", "what"),
    [
        (
            "2024-10-02T23:30:00+14:00",
            "2024-10-02T13:30:00Z",
            "line 2 cannot be of 2024-10-02T23:30:00.14:00, by anchor 1",
        ),
        *(
            (SEEN, opens, "line 3 commits 2024-10-02, which lies before the next open that the commit before it names")
            for opens in ("2024-10-04T13:30:00Z", "2024-10-02T23:30:00-12:00")
        ),
    ],
    ids=["dated in another zone", "a later open", "an open in another zone"],
)
def test_a_commitment_made_too_late_is_found_in_chains_that_were_never_rewritten(
    published: Path, tmp_path: Path, claimed: str, opens: str, what: str
):
    """The author forges from the first day on, so that each anchor is of what was there when it was published."""
    chains = chains_of(published)
    start, commit, reveal, other, revealed = chains["alpha"][:5]
    lines = [start, {**commit, "at": claimed, "next_open": opens}, {**other, "at": "2024-10-02T21:00:00Z"}]
    lines += [{**line, "at": "2024-10-04T14:00:00Z"} for line in (reveal, revealed)]
    forged = with_states({"registry": chains["registry"][:1], "alpha": lines})
    anchors = [
        {
            "at": at,
            "registry": state_of(forged["registry"]),
            "records": {"alpha": state_of(forged["alpha"][:count])},
        }
        for at, count in ((NOT_YET, 1), (ALL, len(lines)))
    ]
    written(tmp_path, forged, anchors)
    assert re.search(what, "\n".join(checked(tmp_path)))


def state_of(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {"lines": len(lines), "head": lines[-1]["hash"]}


def written(folder: Path, chains: Chains, anchors: Sequence[Any]) -> None:
    for name, lines in chains.items():
        (folder / f"{name}.jsonl").write_text("".join(f"{canonical(line)}\n" for line in lines), "utf-8")
    (folder / "anchors.txt").write_text("\n".join(map(canonical, anchors)), "utf-8")


def test_a_folder_without_a_registry_and_anchors_of_nothing_prove_nothing(published: Path, tmp_path: Path):
    assert script.check(tmp_path, None)
    written(tmp_path, chains_of(published), [])
    assert script.check(tmp_path, None) == []
    assert checked(tmp_path)


def test_a_late_commit_is_counted_as_late(tmp_path: Path):
    ForwardRecord(tmp_path, "alpha").start(PaperPlan(name="alpha", tickers=("VELQ",)))
    done = asyncio.run(ForwardRecord(tmp_path, "alpha").run(services_in(tmp_path), DAYS[0]))
    assert (done.committed, done.late, done.revealed) == ((DAYS[0],), (DAYS[0],), ())
    (status,) = all_records(tmp_path)
    assert (status.committed, status.late, status.revealed, status.total_return) == (1, 1, 0, None)
    again = asyncio.run(ForwardRecord(tmp_path, "alpha").run(services_in(tmp_path), DAYS[0]))
    assert (again.committed, again.revealed) == ((), (DAYS[0],))
    entries = ForwardRecord(tmp_path, "alpha").read().entries
    assert [entry["kind"] for entry in entries] == ["start", "commit", "reveal"]
    assert "VELQ" not in canonical(entries[1])


def test_what_is_no_longer_what_was_committed_is_not_revealed(tmp_path: Path):
    ForwardRecord(tmp_path, "alpha").start(PaperPlan(name="alpha", tickers=("VELQ",)))
    asyncio.run(ForwardRecord(tmp_path, "alpha").run(services_in(tmp_path), DAYS[0]))
    salts = tmp_path / "records" / "alpha.salts.json"
    others = {day: "0" * len(salt) for day, salt in json.loads(salts.read_text("utf-8")).items()}
    salts.write_text(json.dumps(others), "utf-8")
    with pytest.raises(ConfigurationError, match="is not what was committed"):
        ForwardRecord(tmp_path, "alpha").reveal()
    assert len(ForwardRecord(tmp_path, "alpha").read()) == 2


def test_names_that_cannot_be_and_records_that_are_not(tmp_path: Path):
    for name in ("registry", "../x", "A", ""):
        with pytest.raises(UsageError):
            ForwardRecord(tmp_path, name)
    with pytest.raises(NotFound, match="There is no record alpha"):
        ForwardRecord(tmp_path, "alpha").read()
    ForwardRecord(tmp_path, "alpha").start(PaperPlan(name="alpha"))
    with pytest.raises(UsageError, match="was begun in this home already"):
        ForwardRecord(tmp_path, "alpha").start(PaperPlan(name="alpha"))
    with pytest.raises(NotFound, match="No record was begun"):
        publish(tmp_path / "other", tmp_path / "to")
    (tmp_path / "to").mkdir(exist_ok=True)
    (tmp_path / "to" / "mine.txt").touch()
    with pytest.raises(ConfigurationError, match=r"it holds other files.*mine\.txt"):
        publish(tmp_path, tmp_path / "to")


def test_a_chain_goes_on_after_a_kill_within_a_line_and_not_after_a_change(tmp_path: Path):
    path = tmp_path / "chain.jsonl"
    HashChain(path).add("one", {"at": "x"})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind":"tw')
    assert len(HashChain(path, to_read=True)) == 1
    assert HashChain(path).add("two", {"at": "y"})["number"] == 2
    path.write_bytes(path.read_bytes().replace(b'"at":"x"', b'"at":"z"'))
    with pytest.raises(UnreadableFile, match="line 1 or one before it was changed"):
        HashChain(path)


def test_what_a_killed_process_left_is_completed_by_the_next(tmp_path: Path):
    """Killed after the count and before the chain; then after the ledger and before the commitment."""
    plan = PaperPlan(name="alpha", tickers=("VELQ",))
    record = ForwardRecord(tmp_path, "alpha")
    record.start(plan)
    record.path.unlink()
    with pytest.raises(UsageError, match="was begun in this home already"):
        record.start(PaperPlan(name="alpha", tickers=("OMBZ",)))
    assert record.start(plan)["number"] == 1
    assert len(HashChain(tmp_path / "records" / "registry.jsonl")) == 1
    asyncio.run(run_paper(services_in(tmp_path), "alpha", DAYS[0]))
    done = asyncio.run(record.run(services_in(tmp_path), DAYS[1]))
    assert done.committed == (DAYS[0], DAYS[1])
    record.reveal()
    publish(tmp_path, tmp_path / "to")
    assert script.check(tmp_path / "to", None) == []
