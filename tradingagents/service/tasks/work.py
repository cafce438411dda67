"""`TaskWork`: a task that this process works on, from taking its lock to its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

from tradingagents.capabilities.tools import told_of_holdings
from tradingagents.errors import Interrupted
from tradingagents.events import Event
from tradingagents.files.redaction import KnownSecrets
from tradingagents.schemas.workspace import ENDED, ErrorInfo, Progress, TaskInfo, TaskStatus
from tradingagents.service.tasks.folder import TaskFolder
from tradingagents.service.tasks.follow import STATUS
from tradingagents.service.tasks.journal import TaskJournal

SAVE_SECONDS = 1.0
"""How old the progress in `task.json` may be; changes of status are written at once."""
OPEN_STATUSES: frozenset[TaskStatus] = frozenset({"queued", "running"})


class TaskWork:
    """The journal and the state of a task, while this process holds its lock. Thread-safe."""

    def __init__(self, folder: TaskFolder, info: TaskInfo, held: ExitStack, secrets: KnownSecrets) -> None:
        """Open the journal.

        Args:
            info: How it stands.
            held: Releases the task's lock.
            secrets: Removed from whatever is written.

        Raises:
            UnreadableFile: `state.json` is damaged.
            HomeNotWritable: The journal cannot be opened.
        """
        self.folder, self._info, self._held = folder, info, held
        self._lock = threading.RLock()
        self._saved, self._own_total, self._closed = 0.0, False, False
        self.state = folder.state()
        self.journal = TaskJournal(folder.home, folder.events, folder.task_id, secrets)

    @classmethod
    def take(cls, folder: TaskFolder, secrets: KnownSecrets) -> TaskWork:
        """Take over a task.

        Raises:
            Locked: Some process works on it.
            NoSuchTask: It has no `task.json`.
            UnreadableFile: Its files are damaged.
            HomeNotWritable: They cannot be opened.
        """
        held = folder.hold()
        try:
            folder.remove_drafts()
            return cls(folder, folder.info(), held, secrets)
        except BaseException:
            held.close()
            raise

    @property
    def task_id(self) -> str:
        """The task's id."""
        return self.folder.task_id

    @property
    def info(self) -> TaskInfo:
        """How the task stands."""
        with self._lock:
            return self._info

    def change(self, **values: Any) -> TaskInfo:
        """Change fields of `task.json`, and write it at once.

        Raises:
            Interrupted: The task was stopped, and some thread works on; this applies to `remember` and
                `note_progress` too.
        """
        with self._lock:
            self._assert_held()
            self._info = self._info.model_copy(update=values)
            self._save()
            return self._info

    def set_status(
        self,
        status: TaskStatus,
        message: str = "",
        *,
        result: Mapping[str, Any] | None = None,
        error: ErrorInfo | None = None,
        resumable: bool = False,
        told: bool = True,
    ) -> TaskInfo:
        """Change the status in `task.json`, and then write the event that tells it.

        A task that has ended is unmarked after that. If the process dies in between, `recover` finds the mark and
        completes the rest.

        Args:
            status: The new status.
            message: For the event; empty for a usual one.
            result: What came out.
            error: What ended it.
            resumable: Whether it can be continued from there.
            told: Whether to write the event; otherwise `tell_status` does.
        """
        now = datetime.now(UTC)
        times: dict[str, Any] = {"finished_at": now if status in ENDED else None}
        if status == "running" and self.info.started_at is None:
            times["started_at"] = now
        if status in OPEN_STATUSES:
            self.folder.mark_open()
        out = None if result is None else dict(result)
        info = self.change(status=status, result=out, error=error, resumable=resumable, **times)
        if told:
            self.tell_status(message)
        return info

    def tell_status(self, message: str = "") -> None:
        """Write the event that tells the present status."""
        info = self.info
        data: dict[str, Any] = {"status": info.status}
        if info.result is not None:
            data["result"] = info.result
        if info.error is not None:
            data["error"] = info.error.model_dump(mode="json")
        if info.status in ENDED:
            data["artifacts"] = list(info.artifacts)
        self.journal.append(STATUS, message or _said(info), data=data)

    def remember(self, **values: Any) -> None:
        """Change what later processes are told, and write it at once."""
        with self._lock:
            self._assert_held()
            self.state = {**self.state, **values}
            self.folder.write_state(self.state)

    def on_event(self, event: Event) -> None:
        """Write an event of a run to the journal, and note how far the run came. For `RunOptions.subscribers`."""
        message, data = told_of_holdings(event)
        self.journal.append(
            event.type,
            message,
            run_id=event.run_id or None,
            node=event.node,
            step=event.step,
            data=data,
            ts=event.ts,
        )
        if event.type in ("node_start", "node_end"):
            with self._lock:
                if self._closed:
                    return
                before = self._info.progress
                ended = event.type == "node_end" and not self._own_total
                self._note(
                    Progress(
                        step=event.step or before.step,
                        message=event.node or before.message,
                        done=before.done + ended if before.total is None else min(before.done + ended, before.total),
                        total=before.total,
                    )
                )

    def note_progress(
        self, *, step: str | None, message: str | None, done: int | None, total: int | None, parts: bool
    ) -> None:
        """Note how far the task has come; see `TaskControl.progress`."""
        with self._lock:
            self._assert_held()
            before = self._info.progress
            self._own_total = self._own_total or parts
            self._note(
                Progress(
                    step=before.step if step is None else step,
                    message=before.message if message is None else message,
                    done=before.done if done is None else done,
                    total=before.total if total is None else total,
                )
            )

    def close(self) -> None:
        """Close the journal and release the task: nothing is written any more."""
        with self._lock:
            self._closed = True
            self.journal.close()
            self._held.close()

    def _assert_held(self) -> None:
        if self._closed:
            raise Interrupted(f"Task {self.task_id} was stopped.")

    def _note(self, progress: Progress) -> None:
        self._info = self._info.model_copy(update={"progress": progress})
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()

    def _save(self) -> None:
        self.folder.write_info(self._info)
        self._saved = time.monotonic()


def _said(info: TaskInfo) -> str:
    """Return a status as one line."""
    if info.error is not None:
        return info.error.message
    return f"{info.title}: {info.status.replace('_', ' ')}"
