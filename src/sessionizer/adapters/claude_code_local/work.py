"""What one session's pass carries from source to source."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.claims import Place
from sessionizer.adapters.claude_code_local.contract import ADAPTER, DIALECT
from sessionizer.adapters.claude_code_local.cursors import CursorBook
from sessionizer.adapters.claude_code_local.plans import find_slugs
from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.adapters.claude_code_local.tally import Tally
from sessionizer.index.drafts import Drafts
from sessionizer.landing.cursor import SOURCE_GONE, Cursor
from sessionizer.landing.record import TRANSCRIPT, Header, Row
from sessionizer.landing.transaction import SessionPass

MAX_WINDOWS: Final = 65


class SessionWork:
    """The pass over one session: where things land, what is counted, what was learned.

    Attributes:
        current: The session's pass.
        book: Its cursors.
        tally: The counters of the whole pass.
        window_bytes: How much of a growing source one delta takes.
        flush_tails: Keep every unterminated last line now.
        should_stop: Asked between deltas; true ends the pass early, in good order.
        drafts: What the index will hold of what was staged.
    """

    def __init__(
        self,
        *,
        current: SessionPass,
        book: CursorBook,
        tally: Tally,
        window_bytes: int,
        flush_tails: bool,
        should_stop: Callable[[], bool],
    ) -> None:
        self.current = current
        self.book = book
        self.tally = tally
        self.window_bytes = window_bytes
        self.flush_tails = flush_tails
        self.should_stop = should_stop
        self.drafts = Drafts()
        self._landed_sources: set[str] = set()

    @property
    def now_ns(self) -> int:
        """When the pass began."""
        return self.current.now_ns

    def header(
        self, source: Source, generation: int, *, kind: str | None = None, src: str | None = None
    ) -> Header:
        """The header of the next delta of a source; takes a sequence number."""
        return Header(
            seq=self.current.take_seq(),
            at=self.current.at,
            kind=kind or source.kind,
            adapter=ADAPTER,
            dialect=DIALECT,
            src=src or source.src,
            session=self.current.session,
            stream=source.stream,
            batch=source.batch,
            file_class=source.file_class,
            gen=generation if generation > 1 else None,
            role=source.role,
        )

    def take_staged(
        self, source: Source, header: Header, rows: tuple[Row, ...], size: int | None = None
    ) -> None:
        """Count a staged delta; `size` where the rows do not say how many bytes it holds."""
        self.drafts.add(header, rows)
        if source.src not in self._landed_sources:
            self._landed_sources.add(source.src)
            self.tally.landed += 1
        self.tally.records += len(rows)
        own = sum(row.bytes for row in rows if not row.carried)
        self.tally.bytes += own if size is None else size

    def learn_slugs(self, source: Source, body: bytes) -> None:
        """Remember the plan names that consumed lines of a transcript state."""
        if source.kind != TRANSCRIPT:
            return
        known = self.current.state.slugs or ()
        if new := find_slugs(body, known=known):
            self.current.state = replace(self.current.state, slugs=(*known, *new))

    def mark_gone(self, place: Place, generation: int, cursor: Cursor | None) -> None:
        """A source vanished: its cursor says so; nothing is removed."""
        if cursor is not None and cursor.state != SOURCE_GONE:
            gone = replace(cursor, state=SOURCE_GONE, updated_at=self.current.at)
            self.book.set(place, generation, gone)

    def publish_full_group(self) -> None:
        """Publish what is staged once it is a group."""
        if self.current.is_group_full:
            self.current.commit()
