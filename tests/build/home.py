"""A Claude home built line by line: real files, written at once, under a test's folder.

`Home` and `Transcript` append to files, so a test can grow a source between two passes.
`U`, `A` and `R` are the one-line shorthand of the acceptance cases; they only return text.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

S1 = "aaaaaaaa-1111-4222-8333-000000000001"
S2 = "aaaaaaaa-1111-4222-8333-000000000002"
S3 = "aaaaaaaa-1111-4222-8333-000000000003"
AGENT = "a1111111111111111"
AGENT2 = "a2222222222222222"
AGENT3 = "a3333333333333333"
BATCH = "wf_abc-1"

DAY = "2026-03-01"
PROJECT = "-work-demo"
CWD = "/work/demo"

# 1x1, opaque, 8 bit grey: the smallest picture every decoder accepts.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

Block = dict[str, Any]
_AUTO = "\0auto"  # no JSON id looks like this, so None stays free for a null parent


def encode_line(record: Mapping[str, Any]) -> str:
    """`record` as Claude Code writes it: compact JSON, characters unescaped, no newline."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def stamp(at: str, day: str = DAY) -> str:
    """`10:00:00` or `10:00:00.5` of `day` as an ISO stamp with milliseconds; full stamps pass."""
    if "T" in at:
        return at
    clock, _, fraction = at.partition(".")
    return f"{day}T{clock}.{fraction:0<3.3}Z"


# ------------------------------------------------------------------ blocks


def txt(text: str) -> Block:
    """A text block."""
    return {"type": "text", "text": text}


def think(text: str, signature: str | None = None) -> Block:
    """A thinking block, signed when `signature` is given."""
    block = {"type": "thinking", "thinking": text}
    return block if signature is None else {**block, "signature": signature}


def use(tool_id: str, name: str, given: Mapping[str, Any] | None = None, **more: Any) -> Block:
    """A tool_use block whose input is `given` and the keywords together."""
    return {"type": "tool_use", "id": tool_id, "name": name, "input": {**(given or {}), **more}}


def result_block(tool_id: str, content: Any, *, err: bool | None = None) -> Block:
    """A tool_result block; `is_error` only when `err` is given."""
    block: Block = {"type": "tool_result", "tool_use_id": tool_id, "content": content}
    return block if err is None else {**block, "is_error": err}


def image(data: str = PNG, media: str = "image/png") -> Block:
    """An image block with base64 data."""
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}


def usage(out: int, *, given: int = 10, read: int = 0, write: int = 0) -> dict[str, int]:
    """A usage object: output, input, cache read and cache write tokens."""
    return {
        "input_tokens": given,
        "cache_creation_input_tokens": write,
        "cache_read_input_tokens": read,
        "output_tokens": out,
    }


# ------------------------------------------------------------------ shorthand


def _envelope(kind: str, uuid: str, parent: str | None, at: str) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": None if parent == "-" else parent,
        "timestamp": stamp(at),
        "sessionId": S1,
        "cwd": CWD,
        "version": "2.1.0",
        "gitBranch": "main",
    }


def U(  # noqa: N802 - the acceptance cases write it so
    uuid: str, parent: str | None, at: str, content: Any, *, meta: bool = False, **extra: Any
) -> str:
    """A user line. `parent` is an id, None or `-`; `extra` adds or replaces top-level keys."""
    line = _envelope("user", uuid, parent, at)
    line["message"] = {"role": "user", "content": content}
    if meta:
        line["isMeta"] = True
    return encode_line({**line, **extra})


def A(  # noqa: N802 - the acceptance cases write it so
    uuid: str, parent: str | None, at: str, *blocks: Block, **extra: Any
) -> str:
    """An assistant line whose message id is `m-<uuid>`; `extra` sets top-level keys."""
    line = _envelope("assistant", uuid, parent, at)
    message = {"role": "assistant", "id": f"m-{uuid}", "model": "model-x", "content": list(blocks)}
    return encode_line({**line, "message": message, **extra})


def R(  # noqa: N802 - the acceptance cases write it so
    uuid: str,
    parent: str | None,
    at: str,
    tool_id: str,
    content: Any,
    *,
    err: bool = False,
    tur: Any = None,
    **extra: Any,
) -> str:
    """A user line with one tool_result; `err` is the suffix `!err`, `tur` is `toolUseResult`."""
    line = _envelope("user", uuid, parent, at)
    block = result_block(tool_id, content, err=True if err else None)
    line["message"] = {"role": "user", "content": [block]}
    if tur is not None:
        line["toolUseResult"] = tur
    return encode_line({**line, **extra})


# ------------------------------------------------------------------ files


class Home:
    """A `<claude-home>` below `path`; nothing exists before the first call that writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.projects = path / "projects"
        self._transcripts: dict[Path, Transcript] = {}
        self._ids = 0

    def transcript(
        self,
        session_id: str = S1,
        project: str = PROJECT,
        *,
        cwd: str = CWD,
        day: str = DAY,
        version: str = "2.1.0",
    ) -> "Transcript":
        """The main transcript of a session, empty on the first call, the same object later."""
        path = self.projects / project / f"{session_id}.jsonl"
        return self.open(path, session_id, cwd=cwd, day=day, version=version)

    def open(
        self,
        path: Path,
        session_id: str,
        *,
        agent_id: str | None = None,
        cwd: str = CWD,
        day: str = DAY,
        version: str = "2.1.0",
    ) -> "Transcript":
        """A transcript at any place, created empty unless it is known already."""
        known = self._transcripts.get(path)
        if known is None:
            known = Transcript(
                self, path, session_id, agent_id=agent_id, cwd=cwd, day=day, version=version
            )
            self._transcripts[path] = known
        return known

    def file(self, relative: str, body: str | bytes = "") -> Path:
        """Write one file below the home, parents included, and return its path."""
        path = self.path / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
        return path

    def document(self, relative: str, value: Any) -> Path:
        """Write one JSON document without a final newline and return its path."""
        return self.file(relative, encode_line(value))

    def next_uuid(self) -> str:
        """A new uuid, distinct within this home and the same in every run."""
        self._ids += 1
        return f"00000000-0000-4000-8000-{self._ids:012x}"


class Transcript:
    """One `.jsonl` file. Every method appends whole lines at once and returns the transcript.

    Records get an uuid of their own, the record before them as parent (`parent=None` writes
    null) and a time one second later than the one before (from 10:00:00 on `day`).
    Further keywords add or replace top-level keys; a value of `...` drops the key.

    Attributes:
        path: The file.
        last: The uuid of the record appended last, None before the first.
        folder: `<project>/<session id>/`, where children and further files of the session lie.
    """

    def __init__(
        self,
        home: Home,
        path: Path,
        session_id: str,
        *,
        agent_id: str | None,
        cwd: str,
        day: str,
        version: str,
    ) -> None:
        self.home = home
        self.path = path
        self.session_id = session_id
        self.agent_id = agent_id
        self.cwd = cwd
        self.day = day
        self.version = version
        self.last: str | None = None
        self._second = 10 * 3600 - 1
        project = path.relative_to(home.projects).parts[0]
        self.folder = home.projects / project / session_id
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    # -------------------------------------------------------------- anything

    def raw(self, line: str | bytes, *, newline: bool = True) -> Self:
        """Append a line exactly as given."""
        body = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
        with self.path.open("ab") as file:
            file.write(body + b"\n" if newline else body)
        return self

    def lines(self, *lines: str) -> Self:
        """Append ready lines, such as those of `U`, `A` and `R`."""
        for line in lines:
            self.raw(line)
        return self

    def line(self, record: Mapping[str, Any]) -> Self:
        """Append a record of any shape; its uuid, if any, becomes the next parent."""
        uuid = record.get("uuid")
        self.last = uuid if isinstance(uuid, str) else self.last
        return self.raw(encode_line(record))

    # -------------------------------------------------------------- records

    def user(
        self,
        content: Any,
        *,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        prompt: str | None = None,
        origin: str | None = None,
        meta: bool = False,
        **extra: Any,
    ) -> Self:
        """A user record. `prompt` is its promptId, `origin` the kind, `meta` sets isMeta."""
        fields: dict[str, Any] = {"message": {"role": "user", "content": content}}
        if prompt is not None:
            fields["promptId"] = prompt
        if origin is not None:
            fields["origin"] = {"kind": origin}
        if meta:
            fields["isMeta"] = True
        return self._append("user", {**fields, **extra}, uuid=uuid, parent=parent, at=at)

    def human(self, prompt: str, content: Any, **more: Any) -> Self:
        """A prompt as newer versions write it: promptId and `origin.kind` human."""
        return self.user(content, prompt=prompt, origin="human", **more)

    def note(self, prompt: str, content: Any, **more: Any) -> Self:
        """A task notification: promptId and `origin.kind` task-notification."""
        return self.user(content, prompt=prompt, origin="task-notification", **more)

    def assistant(
        self,
        *blocks: Block,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        call: str | None = None,
        stop: str | None = None,
        model: str = "model-x",
        usage: Mapping[str, Any] | None = None,
        **extra: Any,
    ) -> Self:
        """An assistant record with `blocks`. `call` is message.id, by default `m-<uuid>`."""
        uuid = uuid or self.home.next_uuid()
        message: dict[str, Any] = {
            "role": "assistant",
            "id": call or f"m-{uuid}",
            "model": model,
            "content": list(blocks),
            "stop_reason": stop,
        }
        if usage is not None:
            message["usage"] = dict(usage)
        fields = {"message": message, **extra}
        return self._append("assistant", fields, uuid=uuid, parent=parent, at=at)

    def result(
        self,
        tool_id: str,
        content: Any = "ok",
        *,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        prompt: str | None = None,
        err: bool | None = None,
        tur: Any = None,
        **extra: Any,
    ) -> Self:
        """A user record with one tool_result. `err` is is_error, `tur` toolUseResult."""
        block = result_block(tool_id, content, err=err)
        fields: dict[str, Any] = {"message": {"role": "user", "content": [block]}}
        if prompt is not None:
            fields["promptId"] = prompt
        if tur is not None:
            fields["toolUseResult"] = tur
        return self._append("user", {**fields, **extra}, uuid=uuid, parent=parent, at=at)

    def system(
        self,
        subtype: str,
        *,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        **extra: Any,
    ) -> Self:
        """A system record."""
        fields = {"subtype": subtype, **extra}
        return self._append("system", fields, uuid=uuid, parent=parent, at=at)

    def compact(
        self,
        *,
        after: str | None = None,
        uuid: str | None = None,
        at: str | None = None,
        trigger: str = "auto",
        tokens: int = 150_000,
        **extra: Any,
    ) -> Self:
        """A compact_boundary with null parent; `after` is logicalParentUuid, by default `last`."""
        fields = {
            "logicalParentUuid": after or self.last,
            "content": "Conversation compacted",
            "compactMetadata": {"trigger": trigger, "preTokens": tokens},
            **extra,
        }
        return self.system("compact_boundary", uuid=uuid, parent=None, at=at, **fields)

    def attachment(
        self,
        kind: str,
        *,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        **payload: Any,
    ) -> Self:
        """An attachment record; keywords are keys of the attachment object."""
        fields = {"attachment": {"type": kind, **payload}}
        return self._append("attachment", fields, uuid=uuid, parent=parent, at=at)

    def progress(
        self,
        kind: str,
        *,
        tool: str | None = None,
        uuid: str | None = None,
        parent: str | None = _AUTO,
        at: str | None = None,
        **data: Any,
    ) -> Self:
        """A progress record; `tool` is the parent tool use, keywords are keys of `data`."""
        fields = {
            "data": {"type": kind, **data},
            "toolUseID": f"{kind}-{tool}",
            "parentToolUseID": tool,
        }
        return self._append("progress", fields, uuid=uuid, parent=parent, at=at)

    def queue(self, operation: str, content: str | None = None, *, at: str | None = None) -> Self:
        """A queue-operation line: no uuid, no parent."""
        fields = {
            "type": "queue-operation",
            "operation": operation,
            "timestamp": self._time(at),
            "sessionId": self.session_id,
        }
        return self.line(fields if content is None else {**fields, "content": content})

    def summary(self, title: str, leaf: str | None = None) -> Self:
        """A summary line; `leaf` is leafUuid, by default the record before."""
        return self.line({"type": "summary", "summary": title, "leafUuid": leaf or self.last})

    # -------------------------------------------------------------- other files of the session

    def child(
        self, agent_id: str = AGENT, *, workflow: str | None = None, beside: bool = False
    ) -> "Transcript":
        """A child transcript: below `subagents/`, of a workflow run, or beside the session."""
        name = f"agent-{agent_id}.jsonl"
        path = self.folder.parent / name if beside else self._agents(workflow) / name
        return self.home.open(
            path,
            self.session_id,
            agent_id=agent_id,
            cwd=self.cwd,
            day=self.day,
            version=self.version,
        )

    def meta(self, agent_id: str = AGENT, *, workflow: str | None = None, **fields: Any) -> Self:
        """Write (or replace) a child's `.meta.json`."""
        path = self._agents(workflow) / f"agent-{agent_id}.meta.json"
        return self._write(path, encode_line(fields))

    def journal(self, batch: str = BATCH, *events: Mapping[str, Any]) -> Self:
        """Append events to a workflow run's journal."""
        path = self._agents(batch) / "journal.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.writelines(encode_line(event).encode() + b"\n" for event in events)
        return self

    def manifest(self, batch: str = BATCH, **fields: Any) -> Self:
        """Write (or replace) a workflow run's manifest; runId is `batch` unless given."""
        path = self.folder / "workflows" / f"{batch}.json"
        return self._write(path, encode_line({"runId": batch, **fields}))

    def script(self, batch: str = BATCH, label: str = "sweep", text: str = "export {}\n") -> Self:
        """Write a workflow run's script."""
        return self._write(self.folder / "workflows" / "scripts" / f"{label}-{batch}.js", text)

    def stored_result(self, tool_id: str, text: str) -> Self:
        """Write `tool-results/<tool id>.txt`."""
        return self._write(self.folder / "tool-results" / f"{tool_id}.txt", text)

    # -------------------------------------------------------------- inside

    def _agents(self, workflow: str | None) -> Path:
        below = self.folder / "subagents"
        return below if workflow is None else below / "workflows" / workflow

    def _write(self, path: Path, text: str) -> Self:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return self

    def _time(self, at: str | None) -> str:
        if at is None:
            self._second += 1
            minutes, second = divmod(self._second, 60)
            return stamp(f"{minutes // 60:02}:{minutes % 60:02}:{second:02}", self.day)
        written = stamp(at, self.day)
        hour, minute, second = (int(part) for part in written[11:19].split(":"))
        self._second = hour * 3600 + minute * 60 + second
        return written

    def _append(
        self,
        kind: str,
        fields: Mapping[str, Any],
        *,
        uuid: str | None,
        parent: str | None,
        at: str | None,
    ) -> Self:
        record: dict[str, Any] = {
            "type": kind,
            "uuid": uuid or self.home.next_uuid(),
            "parentUuid": self.last if parent == _AUTO else parent,
            "timestamp": self._time(at),
            "sessionId": self.session_id,
            "cwd": self.cwd,
            "version": self.version,
            "gitBranch": "main",
        }
        if self.agent_id is not None:
            record |= {"isSidechain": True, "agentId": self.agent_id}
        record |= fields
        return self.line({key: value for key, value in record.items() if value is not ...})
