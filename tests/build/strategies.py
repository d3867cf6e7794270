"""Invented records of every kind, and the ways in which a line may be written."""

import json
import re
from typing import Any

from hypothesis import strategies as st

from tests.build.home import stamp

# Words with every trap: case partners beyond ASCII, escapes, JSON's own characters, what the
# program writes of its own accord, and halves of a character.
WORDS = (
    "foo",
    "Bar",
    "kiss",
    "Task",
    "agent",
    "completed",
    "monitor",
    "AskUserQuestion",
    "subagent",
    "question",
    "plan",
    "boundary",
    "trigger=auto",
    "(Env)",
    "naïve",
    "織雪",
    "\u212aelvin",
    "\u017fnake",
    "\x1b[31mred",
    "u001b",
    "12345",
    "v1.50",
    'say"so',
    "C:\\new",
    "a/b",
    "x\ndef",
    "tab\there",
    "\U0001f642",
    "\ufffd",
    "half\ud83d",
    "redacted",
    "{brace}",
)
_ESCAPED = 0xE000  # private use: stands for the escape of the ASCII character beside it

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Some words; now and then a letter that will be written as an escape."""
    joiner = draw(st.sampled_from([" ", "\n", "  ", ""]))
    text = joiner.join(draw(words))
    if draw(st.integers(0, 3)) == 0:
        index = draw(st.integers(0, len(text) - 1))
        if text[index].isascii() and text[index].isprintable():
            text = f"{text[:index]}{chr(_ESCAPED + ord(text[index]))}{text[index + 1 :]}"
    return text


numbers = st.sampled_from([0, 7, 12345, 1.5, 1e3, -2, True, None])


def inputs() -> st.SearchStrategy[Any]:
    """Inputs of tools: nested, with numbers of every spelling."""
    values = st.recursive(
        st.one_of(texts(), numbers),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.sampled_from(["content", "edits", "n"]), inner, max_size=2),
        ),
        max_leaves=4,
    )
    return st.dictionaries(st.sampled_from(["command", "content", "edits"]), values, max_size=3)


CALLS = ("t1", "t2", "t3")
calls = st.sampled_from(CALLS)
tools = st.sampled_from(["Bash", "Write", "Task", "SendMessage", "ExitPlanMode", "AskUserQuestion"])


@st.composite
def uses(draw: st.DrawFn) -> dict[str, Any]:
    """A tool use."""
    given = draw(inputs())
    if draw(st.booleans()):
        given["planFilePath"] = draw(texts())
    return {"type": "tool_use", "id": draw(calls), "name": draw(tools), "input": given}


def text_blocks() -> st.SearchStrategy[Any]:
    """A text block, or a bare string."""
    return st.one_of(texts(), texts().map(lambda text: {"type": "text", "text": text}))


def assistant_contents() -> st.SearchStrategy[Any]:
    """What an agent says and does."""
    thinking = texts().map(lambda text: {"type": "thinking", "thinking": text, "signature": "x"})
    redacted = st.just({"type": "redacted_thinking", "data": "x"})
    block = st.one_of(
        texts().map(lambda text: {"type": "text", "text": text}), thinking, redacted, uses()
    )
    return st.one_of(texts(), st.lists(block, min_size=1, max_size=3))


@st.composite
def result_blocks(draw: st.DrawFn) -> dict[str, Any]:
    """A tool result: text, parts, an answer, a refusal."""
    text = draw(texts())
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": draw(calls)}
    kind = draw(st.sampled_from(["text", "parts", "answer", "refusal", "error"]))
    if kind == "parts":
        block["content"] = [{"type": "text", "text": text}, draw(text_blocks())]
    elif kind == "answer":
        block["content"] = f"User has answered your questions: {text}"
    elif kind == "refusal":
        block["content"] = (
            "The user doesn't want to proceed with this tool use. "
            f"To tell you how to proceed, the user said:\n{text}"
        )
        block["is_error"] = True
    else:
        block["content"] = text
        if kind == "error":
            block["is_error"] = True
    return block


@st.composite
def special_texts(draw: st.DrawFn) -> str:
    """Texts that the harness writes in a person's place."""
    text = draw(texts())
    return draw(
        st.sampled_from(
            [
                text,
                f"<task-notification><task-id>b1</task-id><summary>{text}</summary>"
                "</task-notification>",
                f"<task-notification><summary>Agent done</summary><result>{text}</result>"
                "</task-notification>",
                f'<teammate-message teammate_id="lead">{text}</teammate-message>',
                f"<command-name>/demo</command-name>\n<command-args>{text}</command-args>",
                f"2 background agents were stopped by the user {text}",
                f"<local-command-stdout>{text}</local-command-stdout>",
                "[Request interrupted by user]",
            ]
        )
    )


def user_contents() -> st.SearchStrategy[Any]:
    """What a person, a tool or the harness says."""
    return st.one_of(
        special_texts(),
        st.lists(text_blocks(), min_size=1, max_size=2),
        st.lists(result_blocks(), min_size=1, max_size=2),
        st.tuples(result_blocks(), text_blocks()).map(list),
    )


@st.composite
def answers(draw: st.DrawFn) -> dict[str, Any]:
    """The structured side of an answer to a question."""
    question = draw(texts())
    return {
        "questions": [
            {
                "question": question,
                "header": draw(texts()),
                "options": [{"label": draw(texts()), "description": draw(texts())}],
            }
        ],
        "answers": {question: draw(st.one_of(texts(), numbers))},
    }


@st.composite
def records(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """One record of any kind."""
    kind = draw(st.sampled_from(_KINDS))
    uuid = draw(st.sampled_from([f"u{number}", f"u{max(number - 1, 0)}"]))
    record: dict[str, Any] = {
        "type": kind,
        "uuid": uuid,
        "parentUuid": draw(st.sampled_from([None, "u0", f"u{max(number - 1, 0)}"])),
        "timestamp": stamp(f"10:00:{number:02}"),
        "sessionId": "s",
    }
    if draw(st.integers(0, 5)) == 0:
        record["isSidechain"] = True
    if kind in ("user", "assistant"):
        content = draw(user_contents() if kind == "user" else assistant_contents())
        record["message"] = {"role": kind, "content": content}
        if kind == "user" and draw(st.integers(0, 3)) == 0:
            record["toolUseResult"] = draw(st.one_of(answers(), texts(), st.just([])))
        if kind == "user" and draw(st.integers(0, 7)) == 0:
            record[draw(st.sampled_from(["isMeta", "isCompactSummary"]))] = True
    elif kind == "system":
        record |= draw(_systems())
    elif kind == "attachment":
        record["attachment"] = {
            "type": draw(st.sampled_from(["queued_command", "hook_additional_context", "file"])),
            "prompt": draw(texts()),
            "content": [draw(texts())],
        }
    elif kind == "queue-operation":
        record = {"type": kind, "operation": draw(_OPERATIONS), "timestamp": stamp("10:00:00")}
        if draw(st.booleans()):
            record["content"] = draw(special_texts())
    elif kind == "progress":
        message = {
            "type": "user",
            "uuid": f"c{number}",
            "message": {"role": "user", "content": draw(texts())},
        }
        record["data"] = {"type": "agent_progress", "agentId": "aac57f5", "message": message}
    elif kind == "ai-title":
        record = {"type": kind, "aiTitle": draw(texts())}
    return record


_KINDS = (
    ("user",) * 4
    + ("assistant",) * 4
    + (
        "system",
        "attachment",
        "queue-operation",
        "progress",
        "ai-title",
    )
)
_OPERATIONS = st.sampled_from(["enqueue", "enqueue", "dequeue", "remove", "popAll"])


@st.composite
def _systems(draw: st.DrawFn) -> dict[str, Any]:
    return draw(
        st.sampled_from(
            [
                {
                    "subtype": "compact_boundary",
                    "content": draw(texts()),
                    "compactMetadata": {"trigger": "auto", "preTokens": 12345},
                },
                {"subtype": "turn_duration", "durationMs": 64911},
                {"subtype": "away_summary", "content": draw(texts())},
                {"subtype": "other", "content": {"n": 1.50, "text": draw(texts())}},
            ]
        )
    )


@st.composite
def transcripts(draw: st.DrawFn) -> list[bytes]:
    """The lines of a transcript, each written in one of the ways that occur."""
    count = draw(st.integers(1, 7))
    lines = [draw(written(draw(records(number)))) for number in range(count)]
    if draw(st.booleans()):  # so that results have calls
        blocks = [{"type": "tool_use", "id": call, "name": "Bash", "input": {}} for call in CALLS]
        message = {"role": "assistant", "content": blocks}
        first = {"type": "assistant", "uuid": "u99", "message": message}
        lines.insert(0, json.dumps(first).encode())
    return lines


@st.composite
def written(draw: st.DrawFn, record: dict[str, Any]) -> bytes:
    """A record as a line: compact or spaced, escaped or not, once in a while damaged."""
    spaced = draw(st.booleans())
    text = json.dumps(
        record,
        ensure_ascii=draw(st.booleans()),
        separators=(", ", ": ") if spaced else (",", ":"),
    )
    # Written as an escape, the private-use character is one already.
    text = re.sub(r"\\ue0([0-7][0-9a-f])", r"\\u00\1", text)
    text = re.sub("[\ue000-\ue07f]", lambda found: f"\\u{ord(found[0]) - _ESCAPED:04x}", text)
    if draw(st.booleans()):
        text = text.replace("\\u001b", "\\u001B")
    body = text.encode("utf-8", "surrogatepass")
    damage = draw(st.integers(0, 19))
    if damage == 0:
        body = b"\0\0" + body
    elif damage == 1:
        body = body.replace(b"foo", b"f\xff\xfeoo")
    elif damage == 2:
        body = body + body
    return body
