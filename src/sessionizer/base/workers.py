"""Spread independent work over processes, where that is safe and pays.

The one place that starts processes for work. The caller says what to do with one item, and
gets results as they come; it decides nothing about where they were made.
"""

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Item_contra = TypeVar("_Item_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)

MOST_WORKERS: Final = 8
# What a process costs to start, in source bytes that could be read instead.
_FORK_BYTES: Final = 16 << 20
_SPAWN_BYTES: Final = 64 << 20
_LOOK_SECONDS: Final = 0.1
_NEWS_SECONDS: Final = 0.1
_GOODBYE_SECONDS: Final = 5.0


class Work(Protocol[_Item_contra, _Result_co]):
    """What to do with one item. Where processes are spawned it must be picklable."""

    def __call__(
        self, item: _Item_contra, /, *, should_stop: Callable[[], bool], tell: Callable[[int], None]
    ) -> _Result_co:
        """Do it. `tell` takes how much is done of it so far, in any unit."""


class Lost(Struct, frozen=True):
    """The process that had an item ended before it was done: with this exit code."""

    exit_code: int | None


class WorkFailedError(Exception):
    """The work raised; the message is its traceback. This is a defect of the work."""


def count_workers(size: int, items: int) -> int:
    """How many processes `items` of together `size` bytes are worth; 1 is none but this one."""
    worth = size // (_FORK_BYTES if _can_fork() else _SPAWN_BYTES)
    return max(1, min(_count_cores(), MOST_WORKERS, items, worth + 1 if worth else 1))


def run_all(
    work: Work[_Item, _Result],
    items: Sequence[_Item],
    *,
    workers: int,
    should_stop: Callable[[], bool],
    on_news: Callable[[int, int], None],
) -> Iterator[tuple[int, _Result | Lost]]:
    """Do `work` with every item; yield (number of the item, from 0; result) as they come.

    Items are begun in their order: the longest should be first. After a stop no other item is
    begun, and what was not begun has no result.

    Args:
        work: What to do.
        items: With what.
        workers: In how many processes; 1 means in this one, in order.
        should_stop: Asked between results, and by the work itself.
        on_news: Told the number of an item and how much of it is done.

    Raises:
        WorkFailedError: The work raised.
    """
    if workers <= 1:
        for number, item in enumerate(items):
            if should_stop():
                return
            tell = _Teller(number, on_news)
            yield number, work(item, should_stop=should_stop, tell=tell)
        return
    with _Crew(work, items, workers) as crew:
        yield from crew.run(should_stop, on_news)


class _Teller:
    def __init__(self, number: int, on_news: Callable[[int, int], None]) -> None:
        self._number = number
        self._on_news = on_news

    def __call__(self, amount: int) -> None:
        self._on_news(self._number, amount)


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_fork() -> bool:
    """Whether a copy of this process is whole: other threads would be missing in it.

    Elsewhere system libraries start threads of their own, so only Linux is trusted.
    """
    return sys.platform == "linux" and threading.active_count() == 1


class _Crew(Generic[_Item, _Result]):
    """Worker processes, each with one item at a time."""

    def __init__(self, work: Work[_Item, _Result], items: Sequence[_Item], workers: int) -> None:
        import multiprocessing  # most runs do without
        from ctypes import c_bool

        self._work = work
        self._items = items
        self._count = workers
        self._context: BaseContext = multiprocessing.get_context("fork" if _can_fork() else "spawn")
        self._stop: Any = self._context.RawValue(c_bool, False)
        self._members: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, int] = {}

    def __enter__(self) -> "_Crew[_Item, _Result]":
        return self

    def __exit__(self, *error: object) -> None:
        """After an error nobody waits for what is still going on."""
        for connection, process in self._members.items():
            if error[0] is not None or not _say_goodbye(connection):
                process.terminate()
        for process in self._members.values():
            process.join(_GOODBYE_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()
        for connection in self._members:
            connection.close()

    def run(
        self, should_stop: Callable[[], bool], on_news: Callable[[int, int], None]
    ) -> Iterator[tuple[int, _Result | Lost]]:
        from multiprocessing.connection import wait

        waiting = iter(range(len(self._items)))
        for _ in range(self._count):
            self._give(self._hire(), waiting)
        while self._busy:
            if should_stop():
                self._stop.value = True
                waiting = iter(())
            for connection in wait(list(self._busy), _LOOK_SECONDS):
                assert connection in self._members
                yield from self._hear(connection, waiting, on_news)

    def _hear(
        self,
        connection: "Connection",
        waiting: Iterator[int],
        on_news: Callable[[int, int], None],
    ) -> Iterator[tuple[int, _Result | Lost]]:
        number = self._busy[connection]
        try:
            kind, value = connection.recv()
        except (EOFError, OSError):
            process = self._members.pop(connection)
            del self._busy[connection]
            process.join()
            yield number, Lost(process.exitcode)
            self._give(self._hire(), waiting)
            return
        if kind == "news":
            on_news(number, value)
            return
        if kind == "failed":
            raise WorkFailedError(value)
        del self._busy[connection]
        self._give(connection, waiting)
        yield number, value

    def _hire(self) -> "Connection":
        ours, theirs = self._context.Pipe()
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_serve,
            args=(self._work, self._items, theirs, self._stop, os.getpid()),
            daemon=True,
        )
        process.start()
        theirs.close()
        self._members[ours] = process
        return ours

    def _give(self, connection: "Connection", waiting: Iterator[int]) -> None:
        number = next(waiting, None)
        if number is not None:
            connection.send(number)
            self._busy[connection] = number


def _say_goodbye(connection: "Connection") -> bool:
    try:
        connection.send(None)
    except OSError:
        return False
    return True


def _serve(
    work: Work[_Item, _Result],
    items: Sequence[_Item],
    connection: "Connection",
    stop: Any,
    parent: int,
) -> None:
    """The life of a worker process: items by number, until there are no more."""
    # Ctrl-c reaches every process of a terminal. The parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def should_stop() -> bool:
        return bool(stop.value) or os.getppid() != parent

    try:
        while (number := _await_number(connection, parent)) is not None:
            tell = _Messenger(connection)
            message: tuple[str, object]
            try:
                message = "done", work(items[number], should_stop=should_stop, tell=tell)
            except Exception:
                message = "failed", traceback.format_exc()
            connection.send(message)
    except (EOFError, OSError):
        return


def _await_number(connection: "Connection", parent: int) -> int | None:
    """The next item; None when there is none, or nobody who would want it done."""
    # Other workers hold copies of the pipe, so that it does not break when the parent dies.
    while not connection.poll(_LOOK_SECONDS):
        if os.getppid() != parent:
            return None
    number: int | None = connection.recv()
    return number


class _Messenger:
    """Sends news not more often than somebody could read them."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._sent = time.monotonic()

    def __call__(self, amount: int) -> None:
        now = time.monotonic()
        if now - self._sent >= _NEWS_SECONDS:
            self._sent = now
            self._connection.send(("news", amount))
