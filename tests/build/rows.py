"""Landed records built one by one, and the index entries they give.

The functions with a short name make rows as the converter would; `Landing` numbers them,
lands them file by file and returns entries. Times are of one day, UTC; `-` is no parent.
"""

from collections.abc import Iterable

from msgspec import Raw, json
from msgspec.structs import replace

from sessionizer.base.digests import short_sha256
from sessionizer.index.build import entries_of
from sessionizer.index.entry import Entry
from sessionizer.index.readable import text_digest
from sessionizer.landing.record import Header, Part, Row

SESSION = "11111111-1111-4111-8111-111111111111"
DAY = "2026-01-02"
MAIN_SRC = f"-home-dev-app/{SESSION}.jsonl"


def stamp(clock: str) -> str:
    """`10:00:00` as a source writes it; empty stays empty."""
    return f"{DAY}T{clock}.000Z" if clock else ""


def text(words: str, **more: str) -> Part:
    """A text part."""
    return Part(k="text", text=words, state="available", bytes=len(words.encode()), **more)


def reasoning(words: str = "") -> Part:
    """A reasoning part, unavailable without words."""
    state = "available" if words else "unavailable"
    return Part(k="reasoning", text=words, state=state, bytes=len(words.encode()))


def call(tool: str, name: str = "Read", prompt: str = "") -> Part:
    """A request; `prompt` is the text whose digest the part carries."""
    return Part(k="call", data=Raw(b"{}"), id=tool, name=name, prompt=text_digest(prompt), bytes=2)


def result(tool: str) -> Part:
    """A result that says `ok`."""
    return Part(k="result", text="ok", of=tool, state="available", bytes=2)


def document(body: str) -> Part:
    """A data part that holds `body`, which is JSON text."""
    return Part(k="data", data=Raw(body.encode()), state="available", bytes=len(body))


def row(
    record: str,
    parent: str,
    clock: str,
    *parts: Part,
    origin: str = "runtime",
    flags: Iterable[str] = (),
    **more: object,
) -> Row:
    """A row; everything else by keyword, as the fields of `Row`."""
    plain = Row(ord=0, off=0, sha="", bytes=0, id=record, parent="" if parent == "-" else parent)
    return replace(plain, time=stamp(clock), origin=origin, flags=tuple(flags), parts=parts, **more)


def user(record: str, parent: str, clock: str, run: str, *parts: Part | str, **more: object) -> Row:
    """A user record that states a run and no trigger."""
    built = [text(part) if isinstance(part, str) else part for part in parts]
    return row(record, parent, clock, *built, origin="external", run=run, **more)


def human(record: str, parent: str, clock: str, run: str, words: str = "Do it") -> Row:
    """A person's input."""
    return user(record, parent, clock, run, words, trigger="external", flags=("external_input",))


def note(record: str, parent: str, clock: str, run: str, **more: object) -> Row:
    """A notification."""
    return user(record, parent, clock, run, "<note>", trigger="notification", **more)


def agent(
    record: str,
    parent: str,
    clock: str,
    key: str,
    *parts: Part | str,
    finished: bool = False,
    flags: Iterable[str] = (),
    **more: object,
) -> Row:
    """A fragment of a provider call."""
    built = [text(part) if isinstance(part, str) else part for part in parts]
    said = ("finished", *flags) if finished else tuple(flags)
    return row(record, parent, clock, *built, origin="agent", call=key, flags=said, **more)


def reset(record: str, clock: str, continues: str = "") -> Row:
    """A reset of the context."""
    return row(record, "-", clock, document("{}"), flags=("context_reset",), continues=continues)


class Landing:
    """Lands rows file by file, and remembers the entries."""

    def __init__(self, session: str = SESSION) -> None:
        self.session = session
        self.entries: list[Entry] = []
        self.seq = 0
        self._ends: dict[tuple[str, int], int] = {}

    def main(self, *rows: Row, **more: object) -> "Landing":
        """Land rows of the main transcript."""
        return self.land("transcript", MAIN_SRC, *rows, stream="main", **more)

    def child(self, name: str, *rows: Row, **more: object) -> "Landing":
        """Land rows of a child's transcript."""
        src = f"-home-dev-app/{SESSION}/subagents/agent-{name}.jsonl"
        return self.land("transcript", src, *rows, stream=name, **more)

    def sidecar(self, name: str, **fields: object) -> "Landing":
        """Land a child's sidecar."""
        src = f"-home-dev-app/{SESSION}/subagents/agent-{name}.meta.json"
        side = row("", "-", "", document('{"agentType":"x"}'), **{"child": name, **fields})
        return self.land("agent_meta", src, side, stream=name)

    def journal(self, batch: str, *rows: Row) -> "Landing":
        """Land rows of a batch's journal."""
        return self.land("journal", f"-home-dev-app/{batch}/journal.jsonl", *rows, batch=batch)

    def manifest(self, batch: str, label: str) -> "Landing":
        """Land a batch's manifest."""
        whole = row("", "-", "", document("{}"), label=label, batch=batch)
        return self.land("workflow_manifest", f"-home-dev-app/{batch}.json", whole, batch=batch)

    def land(self, kind: str, src: str, *rows: Row, **header: object) -> "Landing":
        """Land one file of any kind; positions in the source go on where the last file ended."""
        self.seq += 1
        head = replace(
            Header(
                seq=self.seq,
                at=stamp("23:00:00"),
                kind=kind,
                adapter="test/1",
                dialect="claude-code/1",
                src=src,
                session=self.session,
            ),
            **header,
        )
        self.entries += entries_of(head, self._placed(head, rows), seq=self.seq)
        return self

    def _placed(self, head: Header, rows: Iterable[Row]) -> Iterable[Row]:
        for built in rows:
            if built.ord:
                yield built
                continue
            key = (head.src, head.gen or 1)
            number = self._ends[key] = self._ends.get(key, 0) + 1
            sha = short_sha256(json.encode(built))
            yield replace(built, ord=number, off=number * 1000, sha=sha, bytes=999)
