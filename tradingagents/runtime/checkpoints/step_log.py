"""A run's steps in one file that is only appended to, and that nobody reads but the next start of the run.

LangGraph's own SQLite saver writes the whole state with every step, in a transaction of its own: together a tenth of a
batch's processor time. Here a step adds one record, with what it changed.
"""

from __future__ import annotations

import inspect
import struct
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.base import SerializerProtocol

from tradingagents.errors import ConfigurationError
from tradingagents.files.private_files import private

_NAME = b"tradingagents steps "
"""What the first line of the file begins with in every version."""
HEADER = _NAME + b"3\n"
"""First line of the file."""
_FRAME = struct.Struct(">II")
"""Before each record: its length and its CRC-32. What a killed process or a power cut left incomplete is not read."""


class StepLogError(Exception):
    """The file cannot be used; the message says why."""


class StepsOfAnotherVersion(ConfigurationError):
    """A run's steps were saved in a form that this version does not read."""


@contextmanager
def _using() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StepLogError(error.strerror or type(error).__name__) from error


class OnLoop(BaseCheckpointSaver[Any]):
    """Answers asynchronous calls on the event loop: nobody else uses a run's file, and a call takes 0.1 ms."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; see `BaseCheckpointSaver.get_tuple`."""
        return self.get_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints; see `BaseCheckpointSaver.list`."""
        for checkpoint in self.list(config, filter=filter, before=before, limit=limit):
            yield checkpoint

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint; see `BaseCheckpointSaver.put`."""
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task did; see `BaseCheckpointSaver.put_writes`."""
        self.put_writes(config, writes, task_id, task_path)


# LangGraph looks at the signature of this method whenever a graph or a part of one begins, twelve times a run.
OnLoop.aput_writes.__signature__ = inspect.signature(OnLoop.aput_writes)  # type: ignore[attr-defined]


class StepLog(OnLoop):
    """The steps of one run. Each is in the file when the call returns, so that a killed process loses none."""

    def __init__(self, path: Path, serde: SerializerProtocol) -> None:
        """Open the file, or make it. Raises StepLogError."""
        super().__init__(serde=serde)
        self._records = _Records(path, HEADER)
        self._held = {_place(self._loaded(record)["config"]) for record in self._records.read()}
        """Threads and namespaces with steps in the file."""

    def close(self) -> None:
        """Close the file."""
        self._records.close()

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; see `BaseCheckpointSaver.get_tuple`."""
        return self._read().get_tuple(config) if _place(config) in self._held else None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints; see `BaseCheckpointSaver.list`."""
        yield from self._read().list(config, filter=filter, before=before, limit=limit)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint; see `BaseCheckpointSaver.put`."""
        values = checkpoint["channel_values"]
        self._append(
            {
                "config": _address(config),
                "checkpoint": {
                    **checkpoint,
                    "channel_values": {name: values[name] for name in new_versions if name in values},
                },
                "metadata": get_checkpoint_metadata(config, metadata),
                "new_versions": new_versions,
            }
        )
        address = _address(config)
        address["configurable"]["checkpoint_id"] = checkpoint["id"]
        return address

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task did; see `BaseCheckpointSaver.put_writes`."""
        plain = [[name, value] for name, value in writes]
        self._append({"config": _address(config), "writes": plain, "task_id": task_id, "task_path": task_path})

    def _append(self, record: dict[str, Any]) -> None:
        _, content = self.serde.dumps_typed(record)
        self._records.append(content)
        self._held.add(_place(record["config"]))

    def _read(self) -> InMemorySaver:
        """Return the steps as LangGraph holds them in memory."""
        steps = InMemorySaver(serde=self.serde)
        for content in self._records.read():
            record = self._loaded(content)
            if "writes" in record:
                record["writes"] = [(name, value) for name, value in record["writes"]]
                steps.put_writes(**record)
            else:
                steps.put(**record)
        return steps

    def _loaded(self, content: bytes) -> dict[str, Any]:
        record: dict[str, Any] = self.serde.loads_typed(("msgpack", content))
        return record


class _Records:
    """The records of a file, each with its length and checksum."""

    def __init__(self, path: Path, header: bytes) -> None:
        """Open the file, or make it; an incomplete last record is removed.

        Raises:
            StepLogError: It cannot be opened, or is no log of steps.
            StepsOfAnotherVersion: It is a log of steps of another version.
        """
        self._path, self._header = path, header
        with _using():
            content = path.read_bytes() if path.exists() else b""
            self._file = open(path, "ab", buffering=0, opener=private)  # noqa: SIM115 - closed with the log
        if not content.startswith(header) and not header.startswith(content):
            self._file.close()
            if not content.startswith(_NAME):
                raise StepLogError("it is no log of steps")
            raise StepsOfAnotherVersion(
                f"The steps in {path} were written by another version of tradingagents: resume the run with the "
                "version that began it, or start it anew."
            )
        sizes = [_FRAME.size + len(record) for record in self._whole(content)]
        with _using():
            self._file.truncate(len(header) + sum(sizes) if sizes else 0)
        if not sizes:
            self._write(header)

    def append(self, record: bytes) -> None:
        """Add a record; it is in the file when this returns. Raises StepLogError."""
        self._write(_FRAME.pack(len(record), zlib.crc32(record)) + record)

    def read(self) -> Iterator[bytes]:
        """Yield the records, up to the first incomplete or damaged one."""
        return self._whole(self._path.read_bytes())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _whole(self, content: bytes) -> Iterator[bytes]:
        at = len(self._header)
        while at + _FRAME.size <= len(content):
            length, checksum = _FRAME.unpack_from(content, at)
            record = content[at + _FRAME.size : at + _FRAME.size + length]
            if len(record) < length or zlib.crc32(record) != checksum:
                return
            yield record
            at += _FRAME.size + length

    def _write(self, content: bytes) -> None:
        try:  # `_using` would take as long as the write
            while content:
                content = content[self._file.write(content) :]
        except OSError as error:
            raise StepLogError(error.strerror or type(error).__name__) from error


def _address(config: RunnableConfig) -> RunnableConfig:
    """Return the parts of a configuration that name a step."""
    known = config["configurable"]
    names = ("thread_id", "checkpoint_ns", "checkpoint_id")
    return {"configurable": {"checkpoint_ns": "", **{name: known[name] for name in names if name in known}}}


def _place(config: RunnableConfig) -> tuple[str, str]:
    known = config["configurable"]
    return known["thread_id"], known.get("checkpoint_ns", "")
