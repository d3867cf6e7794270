"""The conversations of a storage root, loaded when asked for and kept while they are read.

Nothing here writes or locks: a collector and a parser may run beside it. A loaded
conversation never changes; a new round makes a new one, and requests in progress go on with
the one they have.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from sessionizer.base.errors import SessionizerError
from sessionizer.base.text import clip_utf8, normalise
from sessionizer.index.readable import readable_text
from sessionizer.landing.zone import Zone
from sessionizer.rounds.chain import continue_chain, read_chain, read_head, read_members
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.store import conversation_ids, head_generation
from sessionizer.views.conversation import Conversation, build_conversation, times_wanted
from sessionizer.views.conversations import (
    ConversationRow,
    broken_row,
    count_row,
    counted_span,
    stated_span,
)
from sessionizer.views.errors import UnknownConversationError
from sessionizer.views.evidence import Evidence
from sessionizer.views.facts import read_facts
from sessionizer.views.native import NativeWords
from sessionizer.views.outline import build_outline, position_of
from sessionizer.views.overview import Overview, title_of
from sessionizer.views.sources import read_project, read_state
from sessionizer.views.texts import quote

KEPT_CONVERSATIONS: Final = 8
ASK_BYTES: Final = 300


class Head(Struct, frozen=True):
    """The newest round of a conversation."""

    rounds: int
    digest: str
    through_seq: int


class Version(Struct, frozen=True):
    """Which round is the newest, without reading it.

    A file that was edited keeps its name, so its size and time are part of it.
    """

    generation: int
    round: int
    short_digest: str
    size: int
    mtime_ns: int


class _Kept(Struct, frozen=True):
    version: Version
    conversation: Conversation


class _CountedRow(Struct, frozen=True):
    version: Version
    session: str
    row: ConversationRow


class Library:
    """All conversations below `root`; `clock` gives seconds since 1970.

    `note` is one line about all of them, shown above their list: that they are invented, say.
    """

    def __init__(
        self,
        root: Path,
        *,
        words: NativeWords | None = None,
        note: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.zone = Zone(root)
        self.words = words or NativeWords()
        self.note = note
        self._clock = clock
        self._lock = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._rows: dict[str, _CountedRow] = {}
        self._heads: dict[str, tuple[Version, Head]] = {}

    def ids(self) -> tuple[str, ...]:
        """Ids of the conversations that have a round, sorted."""
        return conversation_ids(self.zone.conversations_directory)

    def head(self, conversation: str) -> Head:
        """The newest round.

        Raises:
            UnknownConversationError: There is no such conversation.
            RefusedRoundError, BrokenChainError: The newest round fails a check.
        """
        directory = self._directory(conversation)
        version = _version(directory)
        known = self._heads.get(conversation)
        if known is not None and known[0] == version:
            return known[1]
        loaded = self._kept.get(conversation)
        if loaded is not None and loaded.version == version:
            folded = loaded.conversation.chain.folded
            head = Head(folded.round, folded.digest, folded.through_seq)
        else:
            newest = read_head(directory)
            if newest is None:
                raise UnknownConversationError(conversation)
            head = Head(newest.header.round, newest.digest, newest.header.through_seq)
        self._heads[conversation] = (version, head)
        return head

    def load(self, conversation: str) -> Conversation:
        """The conversation as it is now.

        Raises:
            UnknownConversationError: There is no such conversation.
            RefusedRoundError, BrokenChainError: Its chain fails a check.
        """
        directory = self._directory(conversation)
        with self._lock:
            loading = self._loading.setdefault(conversation, threading.Lock())
        with loading:
            known = self._kept.get(conversation)
            version = _version(directory)
            if known is None or known.version != version:
                known = _Kept(version, self._read(directory, version, known))
            with self._lock:
                self._kept[conversation] = known
                self._kept.move_to_end(conversation)
                while len(self._kept) > KEPT_CONVERSATIONS:
                    self._kept.popitem(last=False)
        return known.conversation

    def overview(self, conversation: str) -> Overview:
        """The overview of a conversation, with the state of its source now.

        Raises:
            UnknownConversationError, RefusedRoundError, BrokenChainError: As for `load`.
        """
        overview = self.load(conversation).overview
        last_ms = max((talk.to for talk in overview.talks), default=0)
        return structs.replace(overview, state=self._state(overview.session, last_ms))

    def rows(self) -> tuple[ConversationRow, ...]:
        """A row for every conversation, sorted by id. Only what changed is folded."""
        continued = _continued(read_members(self.zone.conversations_directory))
        return tuple(
            structs.replace(row, continued_in=continued.get(row.id, ""))
            for row in map(self._row, self.ids())
        )

    def _row(self, conversation: str) -> ConversationRow:
        directory = self.zone.conversations_directory / conversation
        try:
            version = _version(directory)
            known = self._rows.get(conversation)
            if known is None or known.version != version:
                known = self._count(directory, version)
                self._rows[conversation] = known
        except (SessionizerError, OSError) as error:
            self._rows.pop(conversation, None)
            return broken_row(conversation, str(error))
        return structs.replace(known.row, state=self._state(known.session, known.row.to))

    def _count(self, directory: Path, version: Version) -> _CountedRow:
        """The row of a conversation, from what is loaded or from its chain alone."""
        loaded = self._kept.get(directory.name)
        if loaded is not None and loaded.version == version:
            folded = loaded.conversation.chain.folded
        else:
            folded = read_chain(directory).folded
        span = stated_span(folded)
        if span is None:
            outline = build_outline(folded)
            facts = read_facts(self.zone, folded.sessions, times_wanted(outline))
            span = counted_span(outline, facts)
        row = count_row(
            folded,
            span,
            ask="" if title_of(folded) else self._ask(folded),
            project=read_project(self.zone, folded.session),
        )
        return _CountedRow(version, folded.session, row)

    def _ask(self, folded: Folded) -> str:
        """The beginning of the first thing a person wrote, as the newest header finds it."""
        ref = None if folded.summary is None else folded.summary.ask
        if ref is None:
            return ""
        sessions = tuple(covered.session for covered in folded.sessions)
        position = position_of(ref, sessions)
        rows = Evidence(self.zone, sessions).iter_rows([position])
        text = next((readable_text(row) for _, row in rows), "")
        return clip_utf8(normalise(quote(text).text), ASK_BYTES)

    def _read(self, directory: Path, version: Version, before: _Kept | None) -> Conversation:
        same_generation = before is not None and before.version.generation == version.generation
        if before is None or not same_generation:
            return build_conversation(self.zone, read_chain(directory), self.words)
        known = before.conversation
        if before.version.round < version.round:
            chain = continue_chain(directory, known.chain)
        else:
            chain = read_chain(directory)
        return build_conversation(self.zone, chain, self.words, memory=known.memory)

    def _directory(self, conversation: str) -> Path:
        """Where a conversation lies: found among those there are, never made from its name."""
        try:
            found = {path.name: path for path in self.zone.conversations_directory.iterdir()}
        except OSError:
            found = {}
        if conversation not in found:
            raise UnknownConversationError(conversation)
        return found[conversation]

    def _state(self, session: str, last_ms: int) -> str:
        return read_state(self.zone, session, last_ms=last_ms, now_s=self._clock())


def _continued(members: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Sessions whose own conversation goes on in another one, with that one."""
    return {
        session: conversation
        for conversation, sessions in members.items()
        for session in sessions
        if sessions != (conversation,) and members.get(session) == (session,)
    }


def _version(directory: Path) -> Version:
    generation = head_generation(directory)
    if not generation.files:
        raise UnknownConversationError(directory.name)
    newest = generation.files[-1]
    found = newest.path.stat()
    return Version(
        generation.number, newest.number, newest.short_digest, found.st_size, found.st_mtime_ns
    )
