"""Read both ends of a transcript for `csift list`. Its middle is never read.

The head ends with the first message of a person. The tail goes backward until the last
messages of both sides are found, or until its limit.
"""

# ruff: noqa: PTH123

import os
import re
from typing import BinaryIO

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.gates import is_message_line
from sessionizer.transcripts.labels import BOUNDARY_SUBTYPE
from sessionizer.transcripts.previews import preview_agent, preview_user
from sessionizer.transcripts.reading import PhysicalLine
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.summary import Preview, Summary
from sessionizer.transcripts.when import parse_timestamp
from sessionizer.transcripts.windows import iter_backward, iter_forward, tail_limit

BUFFER_BYTES = 64 * 1024

_TITLES = (b'-title"', b'"summary"')
_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]+)"')


def read_summary(file: TranscriptFile) -> Summary:
    """Read the two windows of a transcript.

    Raises:
        OSError: It cannot be read.
    """
    ends = _Ends(file)
    with open(file.path, "rb", buffering=BUFFER_BYTES) as opened:
        size = os.fstat(opened.fileno()).st_size
        head_stop = ends.read_head(opened)
        ends.read_tail(opened, size, head_stop)
    return ends.summary()


class _Ends:
    """What has been found so far at both ends of one file."""

    def __init__(self, file: TranscriptFile) -> None:
        self.file = file
        self.skipped = 0
        self.cwd: str | None = None
        self.versions: list[str | None] = [None, None]
        self.branches: list[str | None] = [None, None]
        self.first_user: Preview | None = None
        self.last_user: Preview | None = None
        self.last_agent: Preview | None = None
        self.stopped = False
        self.boundary: str | None = None
        self.dated = False
        self.custom: dict[int, str] = {}
        self.ai: dict[int, str] = {}
        self.leaves: dict[int, tuple[str, str]] = {}
        self.uuids: set[str] = set()

    def read_head(self, opened: BinaryIO) -> int:
        """Read until the first message of a person; where the head stops, in bytes."""
        for number, (offset, body) in enumerate(iter_forward(opened), start=1):
            for one in self.take(body, offset, number, count=True):
                self.cwd = self.cwd or one.record.cwd
                self.versions[0] = self.versions[0] or one.record.version
                self.branches[0] = self.branches[0] or one.record.git_branch
                self.first_user = self.first_user or self.preview(one, user=True)
            if self.first_user is not None:
                return offset + len(body)
        return opened.tell()

    def read_tail(self, opened: BinaryIO, size: int, head_stop: int) -> None:
        """Read backward until both last messages are found; the head's lines count once."""
        limit = size - tail_limit(self.file)
        number = 0  # unknown from this end; only the first line of a file may hold a mark
        for offset, body in iter_backward(opened, size):
            if offset + len(body) < limit:
                self.stopped = True
                return
            number = 1 if offset == 0 else 2
            for one in reversed(self.take(body, offset, number, count=offset >= head_stop)):
                self.versions[1] = self.versions[1] or one.record.version
                self.branches[1] = self.branches[1] or one.record.git_branch
                self.last_user = self.last_user or self.preview(one, user=True)
                self.last_agent = self.last_agent or self.preview(one, user=False)
            if self.last_user is not None and self.last_agent is not None:
                return

    def take(self, body: bytes, offset: int, number: int, *, count: bool) -> list[TranscriptRecord]:
        """The messages on a line; what else it tells is remembered."""
        cleaned, stripped = clean_line(body, number=number)
        if not cleaned:
            self.skipped += count and stripped
            return []
        self.uuids.update(found.decode("utf-8", "replace") for found in _UUID.findall(cleaned))
        is_message = is_message_line(cleaned)
        is_title = not is_message and any(marker in cleaned for marker in _TITLES)
        if not (is_message or is_title or not self.dated):
            self.skipped += count and not is_framed(cleaned)
            return []
        damage = Damage()
        records = list(decode_line(PhysicalLine(number, offset, body), damage))
        if is_message:
            self.skipped += count and damage.skipped
        elif count:
            self.skipped += not is_framed(cleaned)
        for one in records:
            self.note(one, offset)
        return [one for one in records if one.type in ("user", "assistant")] if is_message else []

    def note(self, one: TranscriptRecord, offset: int) -> None:
        """Titles, and whether the file begins with a reset."""
        record = one.record
        if not self.dated and parse_timestamp(record.timestamp) is not None:
            self.dated = True
            if record.type == "system" and record.subtype == BOUNDARY_SUBTYPE:
                self.boundary = record.uuid
        if record.type == "custom-title" and record.custom_title:
            self.custom[offset] = record.custom_title
        elif record.type == "ai-title" and record.ai_title:
            self.ai[offset] = record.ai_title
        elif record.type == "summary" and record.summary and record.leaf_uuid:
            self.leaves[offset] = (record.leaf_uuid, record.summary)

    def preview(self, one: TranscriptRecord, *, user: bool) -> Preview | None:
        """A message as the list shows it; agents' records in a session's file are not its own."""
        if one.record.is_sidechain and not self.file.is_subagent:
            return None
        if user and self.file.is_internal:
            return None
        excerpt = preview_user(one) if user else preview_agent(one)
        return None if excerpt is None else Preview(one.record.timestamp, excerpt)

    def summary(self) -> Summary:
        """All of it as a value."""
        return Summary(
            cwd=self.cwd,
            version_first=self.versions[0],
            version_last=self.versions[1],
            branch_first=self.branches[0],
            branch_last=self.branches[1],
            first_user=self.first_user,
            last_user=self.last_user,
            last_agent=self.last_agent,
            last_user_unread=self.stopped and self.last_user is None and not self.file.is_internal,
            last_agent_unread=self.stopped and self.last_agent is None,
            skipped_lines=self.skipped,
            boundary=None if self.file.is_subagent else self.boundary,
            custom_title=_last(self.custom),
            ai_title=_last(self.ai),
            leaf_titles=tuple(pair for _, pair in sorted(self.leaves.items())),
            uuids=frozenset(self.uuids),
        )


def _last(found: dict[int, str]) -> str | None:
    return found[max(found)] if found else None
