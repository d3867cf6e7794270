"""One pass over one session: repair, collect each source, say what is gone, hand to the index.

Source: docs/formats/storage.md, "One pass".
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.claims import (
    Claim,
    Place,
    assign_claims,
    place_of,
    unify_case,
)
from sessionizer.adapters.claude_code_local.collect_append import collect_append
from sessionizer.adapters.claude_code_local.collect_snapshot import collect_snapshot
from sessionizer.adapters.claude_code_local.cursors import TAIL_PREFIX, CursorBook
from sessionizer.adapters.claude_code_local.deriving import CLAUDE_CODE
from sessionizer.adapters.claude_code_local.plans import PlanShelf, find_slugs_in
from sessionizer.adapters.claude_code_local.sources import (
    Source,
    history_source,
    plan_source,
)
from sessionizer.adapters.claude_code_local.tally import Tally
from sessionizer.adapters.claude_code_local.work import SessionWork
from sessionizer.base.errors import SessionizerError
from sessionizer.index.drafts import Drafts
from sessionizer.landing.cursor import (
    CLOSED,
    CONFLICT,
    SOURCE_GONE,
    SUPERSEDED,
    AppendCursor,
    stored_source,
)
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.raw import read_raw
from sessionizer.landing.reading import FileSource, ViewSource, is_prefix_of
from sessionizer.landing.record import JOURNAL, PREFIX_OF_KIND, TRANSCRIPT
from sessionizer.landing.repair import needs_repair, repair_session
from sessionizer.landing.tail import tail_digest
from sessionizer.landing.transaction import SessionPass
from sessionizer.landing.zone import LandedFile

_GROWING = frozenset({TRANSCRIPT, JOURNAL})


class Indexed(Struct, frozen=True, kw_only=True):
    """What the index says after a session was handed to it.

    Attributes:
        entries: Entries in the session's index, when it was written; else 0.
        reindexed: Of these, entries that an earlier pass had landed and not indexed.
    """

    entries: int = 0
    reindexed: int = 0


class Handover(Struct, frozen=True, kw_only=True):
    """A session after its cursors were written.

    Attributes:
        landed: Every landed file of it, by seq.
        fresh: Those of them that this pass landed, by seq.
        highest_seq: The highest number in any name of the session.
        drafts: What the index will hold of the fresh ones.
    """

    session: str
    landed: tuple[LandedFile, ...]
    fresh: tuple[LandedFile, ...]
    highest_seq: int
    drafts: Drafts


OnLanded = Callable[[Handover], Indexed | None]


class Settings(Struct, frozen=True, kw_only=True):
    """What holds for every session of a pass.

    Attributes:
        source_root: The projects directory.
        plans: The plans of the Claude home around it.
        window_bytes: How much of a growing source one delta takes.
        flush_tails: Keep every unterminated last line now.
        closed: What could not be looked into, as absolute paths.
    """

    source_root: Path
    plans: PlanShelf
    window_bytes: int
    flush_tails: bool
    closed: tuple[str, ...]

    def is_out_of_sight(self, src: str) -> bool:
        """Whether a source lies below something that could not be looked into."""
        if not self.closed:
            return False
        path = os.path.abspath(self.source_root / src)  # noqa: PTH100 - `..` goes, links stay
        return any(path == each or path.startswith(each + os.sep) for each in self.closed)


class History(Struct, frozen=True, kw_only=True):
    """A session's lines of the shared history; `body` None when they need no look."""

    path: Path
    body: bytes | None
    mtime_ns: int
    exists: bool


def collect_session(
    current: SessionPass,
    sources: tuple[Source, ...],
    *,
    history: History | None,
    accepts: bool,
    settings: Settings,
    tally: Tally,
    should_stop: Callable[[], bool],
    on_landed: OnLanded,
) -> None:
    """Collect one session under its lock, which the caller holds.

    An error of one source is counted and the next one follows. An error while publishing
    ends the session's pass; the next one repairs what it left.

    Args:
        current: The session's pass.
        sources: What was found of it.
        history: Its lines of the shared history.
        accepts: Whether a person accepts its conflicts.
        settings: What holds for every session.
        tally: Where to count.
        should_stop: Asked between deltas; true ends the pass early, in good order.
        on_landed: Given the session when its cursors are written.
    """
    work = SessionWork(
        current=current,
        book=_repair(current, tally),
        tally=tally,
        window_bytes=settings.window_bytes,
        flush_tails=settings.flush_tails,
        should_stop=should_stop,
    )
    if accepts:
        _accept_conflicts(work)
    _recall_slugs(current)
    seen = {stored_source(source.src) for source in sources}
    _collect_all(work, sources, accepts=accepts)
    plans = _find_plans(current, settings.plans)
    seen |= {stored_source(source.src) for source in plans}
    _collect_all(work, plans, accepts=accepts)
    if history is not None and history.exists:
        seen.add(stored_source(history_source(history.path).src))
        _collect_history(work, history)
    _mark_gone(work, seen, settings)
    _report_conflicts(work)
    current.commit()
    indexed = on_landed(_hand_over(work))
    if indexed is not None:
        tally.touched.add(current.session)
        tally.indexed += indexed.entries
        tally.reindexed += indexed.reindexed
    current.close()


# ------------------------------------------------------------------ before


def _repair(current: SessionPass, tally: Tally) -> CursorBook:
    """Put in order what an earlier pass left, and read the cursors."""
    book = CursorBook(current)
    problems: tuple[str, ...] = ()
    if needs_repair(current, CLAUDE_CODE) or book.is_behind():
        problems = repair_session(current, CLAUDE_CODE).problems
        tally.errors += [f"{current.session}: {problem}" for problem in problems]
        current.commit()
        current.refresh()
        book = CursorBook(current)
    if not problems:
        current.state = replace(current.state, dialect=CLAUDE_CODE.name)
    return book


def _accept_conflicts(work: SessionWork) -> None:
    for place, generation, cursor in work.book.items():
        if cursor.state == CONFLICT:
            accepted = replace(cursor, state=SUPERSEDED, updated_at=work.current.at)
            work.book.set(place, generation, accepted)


def _recall_slugs(current: SessionPass) -> None:
    """The plan names of the session; when the state lost them they stand in the kept bytes."""
    if current.state.slugs is not None:
        return
    slugs = find_slugs_in(_iter_transcripts(current))
    current.state = replace(current.state, slugs=slugs)


def _iter_transcripts(current: SessionPass) -> Iterator[bytes]:
    prefixes = {PREFIX_OF_KIND[TRANSCRIPT], TAIL_PREFIX}
    for directory in current.directories.values():
        for raw in directory.raws:
            if raw.name.prefix in prefixes and directory.relative.startswith("streams/"):
                try:
                    yield read_raw(raw.path).body
                except DamagedFileError:
                    continue  # `verify` names it; a plan less is found


def _find_plans(current: SessionPass, plans: PlanShelf) -> tuple[Source, ...]:
    paths = plans.paths(current.state.slugs or ())
    return tuple(plan_source(path, f"../plans/{Path(path).name}") for path in paths)


# ------------------------------------------------------------------ sources


def _collect_all(work: SessionWork, sources: Iterable[Source], *, accepts: bool) -> None:
    sources = tuple(sources)
    work.tally.sources += len(sources)
    if work.current.zone.is_case_insensitive(work.current.session):
        sources = unify_case(sources, work.book.directories())
    for claim in assign_claims(sources, work.book.generations()):
        if work.should_stop():
            return
        try:
            _collect_claim(work, claim, accepts=accepts)
        except (SessionizerError, OSError, ValueError, RecursionError) as error:
            work.tally.errors.append(_explain(claim.source, error))


def _collect_claim(work: SessionWork, claim: Claim, *, accepts: bool) -> None:
    generation = claim.generation
    if generation is None and claim.owner is not None:
        if is_prefix_of(claim.source.path, claim.owner.path):
            return
        if not accepts:
            work.tally.conflicts += 1
            work.tally.errors.append(
                f"{claim.source.src}: lands where {claim.owner.src} does; "
                "refusing to interleave the two"
            )
            return
        generation = len(work.book.generations().get(place_of(claim.source), ())) + 1
    if claim.source.kind in _GROWING:
        collect_append(work, claim.source, generation or 1, FileSource(claim.source.file))
    else:
        collect_snapshot(work, claim.source, generation or 1)


def _explain(source: Source, error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if text.startswith(source.src) else f"{source.src}: {text}"


def _collect_history(work: SessionWork, history: History) -> None:
    source = history_source(history.path)
    place = place_of(source)
    known = _newest(work.book, place)
    if known is not None or history.body:
        work.tally.sources += 1
    if history.body is None:
        return
    if not history.body and known is None:
        return
    if known is not None and _holds(known, history.body):
        return
    generation = max(len(work.book.generations().get(place, ())), 1)
    try:
        collect_append(work, source, generation, ViewSource(history.body, history.mtime_ns))
    except (SessionizerError, OSError, ValueError, RecursionError) as error:
        work.tally.history_failed = True
        work.tally.errors.append(_explain(source, error))


def _newest(book: CursorBook, place: Place) -> AppendCursor | None:
    generation = len(book.generations().get(place, ()))
    try:
        return book.append_cursor(place, generation) if generation else None
    except SessionizerError:
        return None


def _holds(cursor: AppendCursor, body: bytes) -> bool:
    return (
        cursor.state not in CLOSED | {SOURCE_GONE}
        and cursor.offset == len(body)
        and cursor.tail_sha256 == tail_digest(body)
    )


# ------------------------------------------------------------------ after


def _hand_over(work: SessionWork) -> Handover:
    current = work.current
    return Handover(
        session=current.session,
        landed=current.all_landed(),
        fresh=tuple(current.landed),
        highest_seq=current.highest_seq,
        drafts=work.drafts,
    )


def _mark_gone(work: SessionWork, seen: set[str], settings: Settings) -> None:
    """Every cursor whose source was not found says so, and is counted in every pass."""
    for place, generation, cursor in work.book.items():
        if place[1] == TAIL_PREFIX or cursor.state in CLOSED or cursor.source in seen:
            continue
        if settings.is_out_of_sight(cursor.source):
            continue
        work.tally.gone += 1
        work.mark_gone(place, generation, cursor)


def _report_conflicts(work: SessionWork) -> None:
    """Say every conflict in every pass until a person accepts it."""
    for _, _, cursor in work.book.items():
        if cursor.state == CONFLICT:
            work.tally.conflicts += 1
            work.tally.errors.append(f"{cursor.source}: {cursor.reason}")
