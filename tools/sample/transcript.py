"""One transcript in the making: envelopes, chain, clock and token counters."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sample import ids
from sample.workspace import Answer

Record = dict[str, Any]


class Era(NamedTuple):
    """What differs between the versions the sample shows."""

    version: str
    entry_point: bool  # userType, entrypoint: every version has the first, newer ones both
    prompts: bool  # promptId, origin, promptSource
    envelope_first: bool  # older versions write the envelope before the message


NEW = Era("2.1.284", entry_point=True, prompts=True, envelope_first=False)
MIDDLE = Era("2.0.76", entry_point=False, prompts=False, envelope_first=True)
OLD = Era("1.0.117", entry_point=False, prompts=False, envelope_first=True)


class Use(NamedTuple):
    """A tool use of the story: a label that names its id, what is asked, what comes back."""

    label: str
    name: str
    given: Mapping[str, Any]
    answer: Answer | None
    seconds: float = 0.3


class Call(NamedTuple):
    """The sums of one answer of the model, for the program's own cost totals."""

    model: str
    given: int
    out: int
    read: int
    write: int


def text(words: str) -> Record:
    """A text block."""
    return {"type": "text", "text": words}


def thinking(words: str, signature: str) -> Record:
    """A thinking block; the text is empty where the runtime did not keep it."""
    return {"type": "thinking", "thinking": words, "signature": signature}


class Clock:
    """The time of the story. Milliseconds follow from a counter, so they look like real ones."""

    def __init__(self, start: str) -> None:
        self.now = datetime.fromisoformat(start)
        self._ticks = 0

    def set(self, start: str) -> None:
        """Jump, for example to the next morning."""
        self.now = datetime.fromisoformat(start)

    def pass_seconds(self, seconds: float) -> str:
        """Let time pass and return the stamp after it."""
        self._ticks += 1
        jitter = int.from_bytes(ids.digest_of(f"tick/{self._ticks}")[:2], "big") % 400
        self.now += timedelta(milliseconds=round(seconds * 1000) + jitter)
        return self.stamp()

    def stamp(self) -> str:
        """The time now, as transcripts write it."""
        return self.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"

    def millis(self) -> int:
        """The time now in milliseconds since 1970."""
        return round(self.now.timestamp() * 1000)


class Transcript:
    """Appends records of one file. `name` makes its ids, `last` is the next record's parent."""

    def __init__(
        self,
        name: str,
        session_id: str,
        clock: Clock,
        *,
        era: Era,
        cwd: str,
        branch: str,
        model: str,
        slug: str | None = None,
        agent_id: str | None = None,
        context: int = 14_000,
        stub_usage: bool = False,
    ) -> None:
        self.name = name
        self.session_id = session_id
        self.clock = clock
        self.era = era
        self.cwd = cwd
        self.branch = branch
        self.model = model
        self.slug = slug
        self.agent_id = agent_id
        self.records: list[Record] = []
        self.calls: list[Call] = []
        self.last: str | None = None
        self.prompt_id: str | None = None
        self.sidechain = agent_id is not None
        self._context = context
        self._fresh = 2_400  # tokens the next call writes to the cache
        self._stub_usage = stub_usage
        self._count = 0

    # -------------------------------------------------------------- lines

    def bare(self, kind: str, **fields: Any) -> Record:
        """A line outside the chain: no uuid, no parent."""
        record = {"type": kind, **fields}
        self.records.append(record)
        return record

    def chained(self, kind: str, fields: Mapping[str, Any], *, seconds: float, **more: Any) -> str:
        """A record of the chain; returns its uuid. `parent` and `id` may be given in `more`."""
        self._count += 1
        uuid = more.pop("id", None) or ids.uuid_of(f"{self.name}/{self._count}")
        parent = more.pop("parent", self.last)
        head = {"parentUuid": parent, **more, "isSidechain": self.sidechain}
        if self.agent_id is not None:
            head["agentId"] = self.agent_id
        body = {**fields, "type": kind}
        tail = {"uuid": uuid, "timestamp": self.clock.pass_seconds(seconds)}
        late = body.pop("late", {})
        if self.era.envelope_first:
            record = {**head, **self._envelope(), **body, **tail, **late}
        else:
            record = {**head, **body, **tail, **late, **self._envelope()}
        self.records.append(record)
        self.last = uuid
        return uuid

    def replay(self, uuid: str) -> None:
        """Write the record with this uuid once more, byte for byte."""
        self.records.append(next(r for r in self.records if r.get("uuid") == uuid))

    # -------------------------------------------------------------- people and runtime

    def user(self, content: Any, *, seconds: float = 0.0, **late: Any) -> str:
        """A user record of any sort."""
        fields: Record = {"message": {"role": "user", "content": content}, "late": late}
        if self.era.prompts and self.prompt_id:
            fields = {"promptId": self.prompt_id, **fields}
        self._grow(content)
        return self.chained("user", fields, seconds=seconds)

    def human(self, label: str, content: Any, **late: Any) -> str:
        """A prompt typed by a person; `label` names its promptId."""
        self.prompt_id = ids.uuid_of(f"prompt/{label}")
        if not self.era.prompts:
            return self.user(content, **late)
        return self.user(
            content,
            **{"permissionMode": "acceptEdits", **late},
            origin={"kind": "human"},
            promptSource="typed",
        )

    def notify(self, label: str, content: str) -> str:
        """A task notification that starts a run of its own."""
        self.prompt_id = ids.uuid_of(f"prompt/{label}")
        uuid = ids.uuid_of(f"notification/{label}")
        self.queue("enqueue", content, seconds=0.2)
        self.queue("dequeue", seconds=0.1)
        late = {"origin": {"kind": "task-notification"}, "promptSource": "system"}
        fields = {"promptId": self.prompt_id, "message": {"role": "user", "content": content}}
        self._grow(content)
        return self.chained("user", {**fields, "late": late}, seconds=0.1, id=uuid)

    def queue(self, operation: str, content: str | None = None, *, seconds: float = 0.0) -> None:
        """A queue-operation line."""
        fields = {
            "operation": operation,
            "timestamp": self.clock.pass_seconds(seconds),
            "sessionId": self.session_id,
        }
        self.bare("queue-operation", **fields, **({} if content is None else {"content": content}))

    def attach(self, kind: str, *, seconds: float = 0.0, **payload: Any) -> str:
        """An attachment record."""
        fields = {"attachment": {"type": kind, **payload}}
        return self.chained("attachment", fields, seconds=seconds)

    def system(self, subtype: str, *, seconds: float = 0.0, **fields: Any) -> str:
        """A system record."""
        return self.chained("system", {"subtype": subtype, **fields}, seconds=seconds)

    def reset(self, *, seconds: float = 0.0, **fields: Any) -> str:
        """A compact_boundary: no parent, but the id of the record before it."""
        body = {"subtype": "compact_boundary", **fields}
        before = {"parent": None, "logicalParentUuid": self.last}
        return self.chained("system", body, seconds=seconds, **before)

    # -------------------------------------------------------------- the model

    def answer(
        self,
        label: str,
        *blocks: Record | Use,
        interleave: bool = True,
        model: str | None = None,
        **late: Any,
    ) -> None:
        """One answer of the model: a record per block, and the results of its tool uses.

        The result of a use follows it at once (`interleave`) or after the last block. Only the
        last record carries the final counters and the stop reason.
        """
        model = model or self.model
        waiting: list[tuple[Use, str]] = []
        spoken = sum(_weight(block) for block in blocks)
        out = 8 if self._stub_usage else 12 + spoken // 3
        call = Call(model, 3 + len(blocks), out, self._context, self._fresh)
        uses = [block for block in blocks if isinstance(block, Use)]
        stop = "tool_use" if uses else "end_turn"
        for index, block in enumerate(blocks):
            final = index == len(blocks) - 1
            shown = _tool_block(block, self.era) if isinstance(block, Use) else block
            message = self._message(
                label,
                model,
                shown,
                stop if final and self.era is NEW and not self._stub_usage else None,
                call if final else call._replace(out=min(out, 1 + index)),
            )
            fields: Record = {"message": message, "requestId": ids.request_id(self._key(label))}
            if self.era is NEW:
                fields["apiBlockIndex"] = index
                fields["late"] = {"effort": "high", **late}
            uuid = self.chained("assistant", fields, seconds=0.9 + _weight(block) / 160)
            if isinstance(block, Use):
                waiting.append((block, uuid))
            if interleave or final:
                for use, source in waiting:
                    self._result(use, source)
                waiting.clear()
        self.calls.append(call)
        self._context += self._fresh
        self._fresh = out + 60 + sum(_result_weight(use) for use in uses) // 3

    def turn_duration(self, since: datetime, **more: Any) -> None:
        """The record that ends a turn: how long it took."""
        spent = round((self.clock.now - since).total_seconds() * 1000)
        count = len([r for r in self.records if r["type"] in ("user", "assistant")])
        self.system(
            "turn_duration", durationMs=spent, messageCount=count, isMeta=False, seconds=0.1, **more
        )

    def shrink_context(self, tokens: int) -> int:
        """Forget all but `tokens`; returns how many stood there before."""
        before = self._context + self._fresh
        self._context, self._fresh = 14_000, tokens - 14_000
        return before

    def enter_sidechain(self, on: bool) -> None:
        """Old versions: the records that follow belong to a child without a file of its own."""
        self.sidechain = on

    def body(self, *, final_newline: bool = True) -> str:
        """The file's content."""
        lines = [
            json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in self.records
        ]
        return "\n".join(lines) + ("\n" if final_newline else "")

    # -------------------------------------------------------------- inside

    def _key(self, label: str) -> str:
        return f"{self.name}/{label}"

    def _envelope(self) -> Record:
        envelope: Record = {"userType": "external"}
        if self.era.entry_point:
            envelope["entrypoint"] = "cli"
        envelope |= {
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": self.era.version,
            "gitBranch": self.branch,
        }
        return envelope if self.slug is None else {**envelope, "slug": self.slug}

    def _message(
        self, label: str, model: str, block: Record, stop: str | None, call: Call
    ) -> Record:
        return {
            "model": model,
            "id": ids.message_id(self._key(label)),
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": call.given,
                "cache_creation_input_tokens": call.write,
                "cache_read_input_tokens": call.read,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": call.write,
                    "ephemeral_1h_input_tokens": 0,
                },
                "output_tokens": call.out,
                "service_tier": "standard",
            },
        }

    def _result(self, use: Use, source: str) -> None:
        if use.answer is None:
            return
        block: Record = {
            "tool_use_id": ids.tool_id(use.label),
            "type": "tool_result",
            "content": use.answer.content,
        }
        if use.answer.failed is not None:
            block["is_error"] = use.answer.failed
        late: Record = {}
        # Children keep no structured results in their own files.
        if use.answer.structured is not None and self.agent_id is None and not self.sidechain:
            late["toolUseResult"] = use.answer.structured
        if self.era is NEW:
            # Newer versions hang each result under its own use, also when several wait.
            late["sourceToolAssistantUUID"] = source
            self.last = source
        self.user([block], seconds=use.seconds, **late)

    def _grow(self, content: Any) -> None:
        self._fresh += len(json.dumps(content, ensure_ascii=False)) // 4


def sum_calls(calls: Sequence[Call]) -> dict[str, dict[str, int]]:
    """Counters per model, in the order of first use."""
    sums: dict[str, dict[str, int]] = {}
    for call in calls:
        of_model = sums.setdefault(call.model, dict.fromkeys(("given", "out", "read", "write"), 0))
        of_model["given"] += call.given
        of_model["out"] += call.out
        of_model["read"] += call.read
        of_model["write"] += call.write
    return sums


def _tool_block(use: Use, era: Era) -> Record:
    block: Record = {
        "type": "tool_use",
        "id": ids.tool_id(use.label),
        "name": use.name,
        "input": dict(use.given),
    }
    return {**block, "caller": {"type": "direct"}} if era is NEW else block


def _weight(block: Record | Use) -> int:
    """How much there is to write, in characters."""
    spoken = dict(block.given) if isinstance(block, Use) else block
    return len(json.dumps(spoken, ensure_ascii=False))


def _result_weight(use: Use) -> int:
    return 0 if use.answer is None else len(json.dumps(use.answer.content, ensure_ascii=False))
