"""Write one transcript file, record by record, and keep what the next record refers to."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from benchmarks.corpus.anatomy import encode
from benchmarks.corpus.needles import COUNTED
from benchmarks.corpus.workshop import Workshop

Record = dict[str, Any]

LAST = "last"
KEPT_FOR_REPLAY = 120
LARGEST_REPLAYED_LINE = 40_000
COUNTED_BYTES = tuple(needle.text.encode() for needle in COUNTED)
"""A line that holds one of these is never written twice: its number of lines is promised."""


class Era(NamedTuple):
    """What a generation of the runtime writes, and how.

    Attributes:
        version: The version its records carry.
        steering: Records carry prompt ids, origins and their source.
        attachments: Injected context stands in records of its own.
        final_usage: Main fragments carry the final usage and the stop reason.
        thinking_text: The reasoning itself stands beside its signature.
        progress: Hooks, shells and children write `progress` records.
        plants: Needles may be planted; not where one text stands in several lines.
    """

    version: str
    steering: bool
    attachments: bool
    final_usage: bool
    thinking_text: bool
    progress: bool
    plants: bool


NEW = Era("2.1.251", True, True, True, False, False, True)
MIDDLE = Era("2.1.39", False, False, False, True, True, False)
FIRST = Era("1.0.98", False, False, False, True, False, False)


class Session(NamedTuple):
    """What stays the same in every file of one session."""

    id: str
    project: Path
    cwd: str
    branch: str
    slug: str
    era: Era

    @property
    def companion(self) -> Path:
        """The directory beside the main transcript: children, runs, spilled output."""
        return self.project / self.id


def format_instant(milliseconds: int) -> str:
    """An instant as the runtime writes it, UTC with milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{rest:03d}Z"


class Transcript:
    """One file being written. `agent` is None for a main transcript."""

    def __init__(
        self, shop: Workshop, session: Session, path: Path, now: int, *, agent: str | None = None
    ) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.shop = shop
        self.session = session
        self.agent = agent
        self.now = now
        self.parent: str | None = None
        self.prompt_id = shop.ids.uuid()
        self.last_prompt = ""
        self.last_tool_use = ""
        self.lines = 0
        self.unnamed = 0
        self.progress = 0
        self.recent: deque[Record] = deque(maxlen=KEPT_FOR_REPLAY)
        self._path = path
        self._file = path.open("wb")
        self._sidechain = agent is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file and give it the time of its last record, so that runs agree."""
        self._file.close()
        os.utime(self._path, ns=(self.now * 1_000_000,) * 2)
        self.shop.ledger.count_file("child" if self.agent else "main", 0)

    @property
    def is_main(self) -> bool:
        """Whether this is a session's own transcript."""
        return self.agent is None

    @contextmanager
    def inside_child(self) -> Iterator[None]:
        """Write a child's records into this file; its chain starts anew, ours goes on after."""
        parent, self.parent, self._sidechain = self.parent, None, True
        try:
            yield
        finally:
            self.parent, self._sidechain = parent, False

    def add(
        self,
        kind: str,
        body: Record,
        *,
        parent: str | None = LAST,
        milliseconds: int | None = None,
    ) -> str:
        """Write a record of the conversation and return its uuid.

        Args:
            kind: The record's type.
            body: Its own keys.
            parent: The uuid it follows; `LAST` is the record written before it.
            milliseconds: Its time; a little after the last record's when left out.
        """
        shop, session = self.shop, self.session
        uuid = shop.ids.uuid()
        self.now += 1 + int(shop.random.expovariate(1 / 2_500))
        record: Record = {
            "parentUuid": self.parent if parent == LAST else parent,
            "isSidechain": self._sidechain,
        }
        if self.agent and session.era.steering:
            record["agentId"] = self.agent
        if kind == "user" and session.era.steering:
            record["promptId"] = self.prompt_id
        record["type"] = kind
        record |= body
        record["uuid"] = uuid
        record["timestamp"] = format_instant(milliseconds or self.now)
        record["userType"] = "external"
        if session.era.steering:
            record["entrypoint"] = "cli"
        record |= {
            "cwd": session.cwd,
            "sessionId": session.id,
            "version": session.era.version,
            "gitBranch": session.branch,
        }
        if session.era is not FIRST:
            record["slug"] = session.slug
        self._write(record)
        self.parent = uuid
        return uuid

    def note(self, kind: str, body: Record) -> None:
        """Write a metadata line: no uuid, keyed by the session alone."""
        self.unnamed += 1
        self.shop.ledger.tally["unnamed_main_lines"] += self.is_main
        self._write({"type": kind, **body, "sessionId": self.session.id})

    def replay(self, count: int) -> int:
        """Write the last `count` records again, envelope changed; return how many it were.

        The later copy is the poorer one: its prompt id is that of the moment, and captured
        output may be blank.
        """
        copies = list(self.recent)[-count:] if count else []
        for record in copies:
            copy = {**record}
            if "promptId" in copy:
                copy["promptId"] = self.prompt_id
            result = copy.get("toolUseResult")
            if isinstance(result, dict) and "stdout" in result:
                copy["toolUseResult"] = {**result, "stdout": ""}
            self._write(copy, replayed=True)
        return len(copies)

    def _write(self, record: Record, *, replayed: bool = False) -> None:
        line = encode(record).encode() + b"\n"
        self._file.write(line)
        self.lines += 1
        self.shop.ledger.count_line(record, line, replayed=replayed)
        self.shop.ledger.tally["main_lines"] += self.is_main
        self.shop.ledger.tally["replayed_records"] += replayed
        counted = any(needle in line for needle in COUNTED_BYTES)
        if "uuid" in record and not replayed and not counted and len(line) < LARGEST_REPLAYED_LINE:
            self.recent.append(record)
