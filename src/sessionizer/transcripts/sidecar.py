"""Questions that wait for a person: the markers that a hook writes beside a session.

A question is often absent from the transcript until it is answered. Source: docs/formats/
labels.md, "Elicitation sidecar".
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.text import normalise
from sessionizer.claude_code.values import decode_text, decode_value
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.labels import PENDING, RESOLVED
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import SIDECAR, TranscriptRecord, is_tool_use
from sessionizer.transcripts.when import parse_timestamp

SENTINEL = "elicitation-marker-v1"
NOTE = "with elicitation sidecar"
QUESTION, PLAN, SERVER = "AskUserQuestion", "ExitPlanMode", "mcp-elicitation"


class Sidecar(Struct, frozen=True, kw_only=True):
    """The open questions of a session, oldest first, and lines that could not be read."""

    pending: tuple[TranscriptRecord, ...] = ()
    skipped_lines: int = 0


def read_sidecar(path: str) -> Sidecar:
    """Read the markers of a session. A missing file has none."""
    damage = Damage()
    markers: list[TranscriptRecord] = []
    unknown = 0
    try:
        for line in iter_physical_lines(path):
            for one in decode_line(line, damage):
                if one.record.csift != SENTINEL:
                    continue
                if one.record.csift_phase in (PENDING, RESOLVED):
                    markers.append(one)
                else:
                    unknown += 1
    except FileNotFoundError:
        return Sidecar()
    return Sidecar(pending=fold_markers(markers), skipped_lines=damage.skipped + unknown)


def fold_markers(markers: Iterable[TranscriptRecord]) -> tuple[TranscriptRecord, ...]:
    """The latest marker of every key that is not closed, by time, undated last."""
    latest: dict[str, TranscriptRecord] = {}
    closed = set()
    for marker in markers:
        key = marker_key(marker)
        if marker.record.csift_phase == RESOLVED:
            closed.add(key)
        else:
            latest[key] = marker
    waiting = [
        replace(marker, line=None, offset=0, size=0, source=SIDECAR)
        for key, marker in latest.items()
        if key not in closed
    ]
    waiting.sort(key=_order)
    # The runtime numbers lines; these have none, and still have to differ.
    return tuple(replace(one, carried=-number) for number, one in enumerate(waiting, start=1))


def drop_ghosts(
    pending: Iterable[TranscriptRecord], native_ids: frozenset[str]
) -> tuple[TranscriptRecord, ...]:
    """Without questions that stand in the transcript itself: a rejection closes no marker."""
    return tuple(
        marker
        for marker in pending
        if marker.record.csift_kind == SERVER or marker_key(marker) not in native_ids
    )


def marker_key(marker: TranscriptRecord) -> str:
    """What a marker's pending and resolved lines share."""
    return marker.record.csift_key or "unknown"


def pending_text(marker: TranscriptRecord) -> str:
    """What a waiting question asks, for a list."""
    kind = marker.record.csift_kind or ""
    given = next((decode_value(block.input) for block in marker.blocks if is_tool_use(block)), None)
    members = given if isinstance(given, dict) else {}
    if kind == QUESTION:
        questions = [one for one in members.get("questions") or () if isinstance(one, dict)]
        more = f" (+{len(questions) - 1} more)" if len(questions) > 1 else ""
        return f"{QUESTION}: {_question(questions[0]) if questions else ''}{more}"
    if kind == PLAN:
        plan = members.get("plan")
        shown = normalise(plan) if isinstance(plan, str) else ""
        return f"{PLAN}: {shown}" if shown else PLAN
    whole = decode_value(marker.whole)
    server = next(
        (
            whole[name]
            for name in ("server", "serverName", "mcpServer")
            if isinstance(whole, dict) and isinstance(whole.get(name), str)
        ),
        "?",
    )
    return f"{kind or SERVER}: [{server}] {normalise(decode_text(marker.record.content) or '')}"


def _question(question: dict[str, object]) -> str:
    for name in ("question", "header", "prompt"):
        text = question.get(name)
        if isinstance(text, str) and text.strip():
            return normalise(text)
    return ""


def _order(marker: TranscriptRecord) -> tuple[bool, int]:
    instant = parse_timestamp(marker.record.timestamp)
    return (instant is None, instant or 0)
