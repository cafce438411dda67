"""Where tasks live: `<home>/tasks/<task_id>/`, and the marks by which unfinished ones are found.

`task.json`     how the task stands, replaced whole
`state.json`    what the work remembers between processes: its answer, how often it was taken over, notes of the kind
`events.jsonl`  the journal, see `service.tasks.journal`
`lock`          held by the process that works on the task
`cancel`        a request to stop it for good, by any process

`open/<task_id>` exists while a task is queued or running: a restart looks at these alone, however many tasks there
were. `by-session/<session_id>/<task_id>` exists for tasks that a session started.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.files.atomic import as_json, read_object, unreadable, write_whole, writing
from tradingagents.files.lock import locked
from tradingagents.files.private_files import FILE_MODE, FOLDER_MODE, make_folder
from tradingagents.files.redaction import Redactor, shown_value
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.tasks.errors import NoSuchTask

TASKS, OPEN, BY_SESSION, KEYS = "tasks", "open", "by-session", "keys"
INFO, STATE, EVENTS, LOCK, CANCEL = "task.json", "state.json", "events.jsonl", "lock", "cancel"
WAY_OUT = "delete its folder, or restore the file"
_ID = re.compile(r"[0-9]{8}T[0-9]{9}Z-[a-z][a-z0-9_]{0,39}-[0-9a-f]{8}")


class TaskFolder:
    """The folder of one task."""

    def __init__(self, home: Path, task_id: str) -> None:
        """Set the path; nothing is read or written yet."""
        self.home, self.task_id = home, task_id
        self.path = home / TASKS / task_id
        self.events = self.path / EVENTS
        self._open_mark = home / TASKS / OPEN / task_id

    def info(self) -> TaskInfo:
        """Return how the task stands on disk.

        Raises:
            NoSuchTask: It has no `task.json`.
            UnreadableFile: That is damaged.
        """
        found = read_object(self.path / INFO, way_out=WAY_OUT)
        if found is None:
            raise NoSuchTask(f"There is no task {self.task_id}; `tradingagents tasks list` shows those there are.")
        try:
            info = TaskInfo.model_validate(found)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise unreadable(self.path / INFO, f"{where}: {first['msg']}", WAY_OUT) from None
        if info.task_id != self.task_id:
            raise unreadable(self.path / INFO, "it belongs to another task", WAY_OUT)
        return info

    def write_info(self, info: TaskInfo) -> None:
        """Replace `task.json`. Raises HomeNotWritable."""
        with writing(self.home):
            write_whole(self.path / INFO, as_json(info.model_dump(mode="json")))

    def state(self) -> dict[str, Any]:
        """Return what the work remembers; empty at first. Raises UnreadableFile."""
        return read_object(self.path / STATE, way_out=WAY_OUT) or {}

    def write_state(self, state: dict[str, Any]) -> None:
        """Replace `state.json`. Raises HomeNotWritable."""
        with writing(self.home):
            write_whole(self.path / STATE, as_json(state))

    def hold(self) -> ExitStack:
        """Take the task's lock and return what releases it.

        Raises:
            Locked: A process, maybe this one, works on the task.
            HomeNotWritable: The lock cannot be made.
        """
        with ExitStack() as stack:
            with writing(self.home):
                stack.enter_context(locked(self.path / LOCK))
            return stack.pop_all()

    def remove_drafts(self) -> None:
        """Remove what a killed process left of its writes, `.task.json.1a2b3c`; for whoever holds the lock."""
        for draft in self.path.glob(".*.??????"):
            with suppress(OSError):
                draft.unlink()

    def mark_open(self) -> None:
        """Have the next `recover` find the task. Raises HomeNotWritable."""
        with writing(self.home):
            make_folder(self._open_mark.parent)
            self._open_mark.touch(FILE_MODE)

    def unmark_open(self) -> None:
        """Have no `recover` look at the task again. Raises HomeNotWritable."""
        with writing(self.home):
            self._open_mark.unlink(missing_ok=True)

    @property
    def cancel_requested(self) -> bool:
        """Whether some process asked that the task be stopped for good."""
        return (self.path / CANCEL).exists()

    def request_cancel(self) -> None:
        """Ask whoever works on the task to stop it for good. Raises HomeNotWritable."""
        with writing(self.home):
            (self.path / CANCEL).touch(FILE_MODE)


class TaskFolders:
    """The tasks of a home folder."""

    def __init__(self, home: Path) -> None:
        """Set the path; nothing is read or written yet."""
        self.home, self.path = home, home / TASKS
        self._lock, self._newest = threading.Lock(), datetime.min.replace(tzinfo=UTC)

    def create(self, kind: str, session_id: str | None) -> TaskFolder:
        """Make the folder of a new task. Raises HomeNotWritable."""
        folder = TaskFolder(self.home, self._new_id(kind))
        with writing(self.home):
            make_folder(folder.path.parent)
            folder.path.mkdir(FOLDER_MODE)
            if session_id is not None:
                mark = self.path / BY_SESSION / session_id / folder.task_id
                make_folder(mark.parent)
                mark.touch(FILE_MODE)
        return folder

    def of(self, task_id: str) -> TaskFolder:
        """Return the folder of a task.

        Raises:
            NoSuchTask: The id is malformed, or there is no such task.
        """
        if not isinstance(task_id, str) or _ID.fullmatch(task_id) is None:
            shown = shown_value(task_id, Redactor({}), 60)
            raise NoSuchTask(f"{shown} is not a task id; `tradingagents tasks list` shows those there are.")
        folder = TaskFolder(self.home, task_id)
        if not folder.path.is_dir():
            raise NoSuchTask(f"There is no task {task_id}; `tradingagents tasks list` shows those there are.")
        return folder

    def open_ones(self) -> list[TaskFolder]:
        """Return the tasks that are marked as queued or running, oldest first."""
        return [TaskFolder(self.home, name) for name in sorted(_names(self.path / OPEN)) if _ID.fullmatch(name)]

    def newest_first(self, session_id: str | None = None) -> Iterator[TaskFolder]:
        """Yield the tasks of a session, or all, newest first; `kind_of` tells their kinds without reading them."""
        if session_id is not None and not is_component(session_id):
            return
        place = self.path if session_id is None else self.path / BY_SESSION / session_id
        for name in sorted(_names(place), reverse=True):
            if _ID.fullmatch(name) and (self.path / name).is_dir():
                yield TaskFolder(self.home, name)

    def _new_id(self, kind: str) -> str:
        """Return an id that sorts after those made before: it begins with a millisecond that no other task has here."""
        with self._lock:
            self._newest = moment = max(datetime.now(UTC), self._newest + timedelta(milliseconds=1))
        stamp = f"{moment:%Y%m%dT%H%M%S}{moment.microsecond // 1000:03d}Z"
        return f"{stamp}-{kind}-{secrets.token_hex(4)}"


def kind_of(task_id: str) -> str:
    """Return the kind of a task by its id."""
    return task_id.split("-")[1]


def created_at(task_id: str) -> datetime:
    """Return when a task was created by its id."""
    stamp = task_id.partition("Z")[0]
    return datetime.strptime(f"{stamp[:-3]}.{stamp[-3:]}", "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC)


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
