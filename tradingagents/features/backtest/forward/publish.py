"""The folder that publishes all forward records of a home: chains, the script that checks them, and a page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from tradingagents.errors import ConfigurationError, NotFound
from tradingagents.features.backtest.capabilities.forward_records import RecordStatus
from tradingagents.features.backtest.forward.chain import HashChain
from tradingagents.features.backtest.forward.record import FOLDER, REGISTRY, names_in, registry_path
from tradingagents.features.backtest.forward.status import all_records
from tradingagents.files.atomic import replace_whole
from tradingagents.reports.document import Card, Document, Line, Masthead, Section, Table
from tradingagents.reports.render.html import to_html

SCRIPT = "check_forward_record.py"
PAGE = "index.html"
NOT_OURS = "it holds other files; name a new folder or the one of an earlier publication"


def publish(home: Path, folder: Path) -> tuple[Path, ...]:
    """Write every record of a home, none left out, the script that checks them, and a page; salts stay at home.

    Args:
        folder: Made where it is missing; files of an earlier publication are replaced.

    Returns:
        The files, the page first.

    Raises:
        NotFound: No record was ever begun.
        ConfigurationError: The folder holds other files, or cannot be written.
    """
    registry = HashChain(registry_path(home), to_read=True)
    if not len(registry):
        raise NotFound("No record was begun in this home; `tradingagents record start` begins one.")
    names = names_in(registry)
    content = {
        PAGE: to_html(records_document(all_records(home), registry.head)).encode(),
        SCRIPT: files(__package__).joinpath(SCRIPT).read_bytes(),
        REGISTRY: registry_path(home).read_bytes(),
        **{f"{name}.jsonl": (home / FOLDER / f"{name}.jsonl").read_bytes() for name in names},
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if strange := sorted({path.name for path in folder.iterdir()} - {*content, "anchors.jsonl"}):
            raise ConfigurationError(f"Nothing is published in {folder}: {NOT_OURS} ({strange[0]}).")
        for name, written in content.items():
            replace_whole(folder / name, written, private_file=False)
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return tuple(folder / name for name in content)


def records_document(records: Sequence[RecordStatus], head: str) -> Document:
    """Return all records of a home as a document.

    Args:
        records: Every one that was ever begun, whatever it came to.
        head: Hash of the registry.
    """
    rows = [
        (
            record.name,
            f"{record.first} to {record.last}" if record.committed else "no session yet",
            str(record.committed),
            str(record.late),
            str(record.revealed),
            "n/a" if record.total_return is None else f"{record.total_return:+.2%}",
            record.head[:16],
        )
        for record in records
    ]
    header = ("Record", "Sessions", "Committed", "Too late", "Revealed", "Return", "Head")
    terms = (
        ("Records ever begun", str(len(records)), "in this home; none is left out"),
        ("Sessions committed", str(sum(record.committed for record in records)), "before their decisions were shown"),
        ("Committed too late", str(sum(record.late for record in records)), "after the next open: they prove nothing"),
    )
    return Document(
        title="Forward records",
        facts=[],
        masthead=Masthead(
            title="Forward records",
            eyebrow="Forward records",
            heading="Decisions committed before the next open",
            detail="",
            facts=[("Records ever begun", str(len(records)))],
            identity=f"Registry {head}",
        ),
        sections=[
            Section("Result", [Card("value_terms", (terms,), [Table(("What", "Value", "More"), terms)])], id="result"),
            Section("Records", [Table(header, rows)], id="records", menu="Records"),
            Section("How to check them", [Line(HOW_TO_CHECK)], id="check", menu="Check"),
        ],
    )


HOW_TO_CHECK = (
    f"`python {SCRIPT} .` in this folder needs nothing but Python 3.11. It checks that no line was changed, that every "
    "session is shown as it was committed, and that no record is missing. With a file of anchors after the folder it "
    "checks the times, too: these are states of the chains that were published elsewhere, by somebody whose dates you "
    "trust. Without them the times are claims of the author, who may also have begun records in another home, which no "
    "file can show."
)
