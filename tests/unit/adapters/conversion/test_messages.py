"""What user, assistant and system records say of themselves, and their blocks."""

import pytest

from sessionizer.landing.record import Drop, Usage
from tests.build.conversion import CHILD, MAIN, assistant, line, row, user, written

TEXT = {"type": "text", "text": "Done."}


def test_a_call_is_keyed_by_message_then_request_then_record() -> None:
    """R25. Gateways leave the message id out, old versions the request id."""
    stated = line(
        type="assistant", uuid="a1", requestId="r7", message={"id": "m1", "content": [TEXT]}
    )
    no_message_id = line(type="assistant", uuid="a1", requestId="r7", message={"content": [TEXT]})
    no_id = line(type="assistant", uuid="a1", message={"content": [TEXT]})

    assert [row(body).call for body in (stated, no_message_id, no_id)] == ["m1", "r7", "a1"]


def test_a_synthetic_record_is_no_piece_of_its_request() -> None:
    """R25. The client made it itself; the request it names was answered by somebody else."""
    message = {"model": "<synthetic>", "content": [TEXT]}

    made = row(line(type="assistant", uuid="a1", requestId="r7", message=message))

    assert (made.call, made.flags) == ("a1", ("synthetic",))


def test_only_an_answer_of_the_agent_belongs_to_a_call() -> None:
    """R25. A result repeats the request id of the call it answers."""
    assert row(user("hello", requestId="r7")).call == ""


@pytest.mark.parametrize(
    ("stop_reason", "flags"),
    [("end_turn", ("finished",)), ("", ()), (None, ()), (7, ())],
)
def test_a_stop_reason_finishes_a_call(stop_reason: object, flags: tuple[str, ...]) -> None:
    """Only a stated one: null is what every fragment of older versions has."""
    message = {"id": "m1", "stop_reason": stop_reason, "content": [TEXT]}

    assert row(line(type="assistant", uuid="a1", message=message)).flags == flags


def test_counters_of_zero_and_absent_ones_are_left_out() -> None:
    """A usage object without any counter is still a usage object."""
    some = {"input_tokens": 3, "output_tokens": 0, "cache_creation_input_tokens": 9}

    def usage(counters: object) -> Usage | None:
        message = {"content": [TEXT], "usage": counters}
        return row(line(type="assistant", message=message)).usage

    assert usage(some) == Usage(input=3, cache_write=9)
    assert usage({}) == Usage()
    assert usage(None) is None
    assert usage("much") is None
    assert '"usage":{}' in written(row(line(type="assistant", message={"usage": {}})))


def test_a_strange_counter_costs_no_other() -> None:
    """A counter that is no whole number reads as absent."""
    strange = {"input_tokens": "3", "output_tokens": 5, "cache_read_input_tokens": 1.5}

    made = row(line(type="assistant", message={"content": [TEXT], "usage": strange}))

    assert made.usage == Usage(output=5)


@pytest.mark.parametrize(
    ("subtype", "flag"),
    [
        ("compact_boundary", "context_reset"),
        ("microcompact_boundary", "notice"),
        ("api_error", "error"),
        ("turn_duration", "turn_duration"),
        ("local_command", "command"),
        ("away_summary", "notice"),
        (None, "notice"),
    ],
)
def test_a_system_record_is_told_by_its_subtype(subtype: str | None, flag: str) -> None:
    """R38. Trimmed results are no reset, and what is new is a notice."""
    made = row(line(type="system", subtype=subtype, logicalParentUuid="b0"))

    assert (made.origin, made.flags, made.continues) == ("runtime", (flag,), "b0")


def test_flags_stand_in_their_fixed_order() -> None:
    """Equal sets of flags must be equal bytes."""
    outcome = {"status": "completed"}

    made = row(line(type="system", isMeta=True, isCompactSummary=True, toolUseResult=outcome))

    assert made.flags == ("reset_summary", "injected", "child_result", "notice")


def test_a_summary_over_a_reset_is_no_input() -> None:
    """P8. It has the shape of a prompt, and the runtime wrote it."""
    made = row(user("Summary", promptId="p1", isCompactSummary=True))

    assert (made.flags, made.trigger, made.run) == (("reset_summary",), "", "p1")


def test_a_copied_record_names_the_session_it_was_copied_from() -> None:
    """R17. Fields of the copy's own place are not carried."""
    copied = user("hi", forkedFrom={"sessionId": "s0", "messageUuid": "u0"})

    assert row(copied).copied_from == "s0"
    assert row(user("hi", forkedFrom="s0")).copied_from == ""


def test_reasoning_is_judged_block_by_block() -> None:
    """Text of reasoning is present in most blocks, absent in some, of one and the same version."""
    made = row(
        assistant(
            {"type": "thinking", "thinking": "Hm ü", "signature": "abc"},
            {"type": "thinking", "thinking": "", "signature": "abcd"},
            {"type": "thinking"},
            {"type": "redacted_thinking"},
        )
    )

    assert [(part.text, part.state, part.bytes) for part in made.parts] == [
        ("Hm ü", "available", 5),
        ("", "unavailable", 0),
        ("", "unavailable", 0),
        ("", "redacted", 0),
    ]
    assert [(drop.what, drop.bytes) for drop in made.dropped] == [
        ("reasoning signature", 3),
        ("reasoning signature", 4),
    ]


def test_a_call_of_a_server_tool_is_a_call() -> None:
    """The provider runs it, but the model asked for it."""
    (part,) = row(
        assistant({"type": "server_tool_use", "id": "t1", "name": "web_search", "input": {}})
    ).parts

    assert (part.k, part.id, part.name, bytes(part.data)) == ("call", "t1", "web_search", b"{}")


@pytest.mark.parametrize("absent", [{}, {"input": None}])
def test_a_call_without_input_has_no_data(absent: dict[str, object]) -> None:
    """An empty value would not be JSON."""
    made = row(assistant({"type": "tool_use", "id": "t1", "name": "N", **absent}))

    assert '"parts":[{"k":"call","id":"t1","name":"N","state":"available"}]' in written(made)


def test_a_prompt_is_digested_without_the_white_space_at_its_ends() -> None:
    """R21. A child's first line carries the same text, and is found by it."""
    spaced, bare, none, other = row(
        assistant(
            {"type": "tool_use", "id": "t1", "name": "Agent", "input": {"prompt": " look\n"}},
            {"type": "tool_use", "id": "t2", "name": "Agent", "input": {"prompt": "look"}},
            {"type": "tool_use", "id": "t3", "name": "Read", "input": {"path": "prompt"}},
            {"type": "tool_use", "id": "t4", "name": "Read", "input": {"prompt": ["look"]}},
        )
    ).parts

    assert spaced.prompt == bare.prompt == "3c01eba119e0"
    assert (none.prompt, other.prompt) == ("", "")


def test_an_open_name_is_kept_as_it_is() -> None:
    """Tool names are open text."""
    (part,) = row(
        assistant({"type": "tool_use", "id": "t1", "name": 'a "b"\nc', "input": {}})
    ).parts

    assert part.name == 'a "b"\nc'


def test_a_string_among_the_blocks_is_a_message() -> None:
    """R26."""
    made = row(assistant("hello", TEXT))

    assert [(part.k, part.text) for part in made.parts] == [("text", "hello"), ("text", "Done.")]


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (7, "the block is not an object"),
        (None, "the block is not an object"),
        ([{"type": "text", "text": "x"}], "the block is not an object"),
        ({"type": "image", "source": {"type": "url", "url": "x"}}, "an image without data"),
        ({"type": "document", "source": {"data": 5}}, "a document without data"),
        ({"type": "image"}, "an image without data"),
        ({"type": "text"}, "a text block without text"),
        ({"type": "text", "text": 5}, "a text block without text"),
        ({"type": "thinking", "thinking": ["x"]}, "a thinking block without text"),
        ({"text": "x"}, 'block type "" is not one this dialect describes'),
        ({"type": 5}, 'block type "" is not one this dialect describes'),
    ],
)
def test_a_block_that_no_rule_describes_is_kept_whole(block: object, reason: str) -> None:
    """Never a guess, and never lost; the blocks beside it are read as ever."""
    unknown, text = row(assistant(block, TEXT)).parts

    source = line(x=block).decode().removeprefix('{"x":').removesuffix("}")
    assert (unknown.k, unknown.text, unknown.bytes) == ("unknown", reason, len(source))
    assert bytes(unknown.data) == line(x=source).removeprefix(b'{"x":').removesuffix(b"}")
    assert text.text == "Done."


def test_a_key_of_a_block_named_as_ours_changes_nothing() -> None:
    """What we add to a block while reading is not read from the source."""
    block = {"type": "fallback", "whole": "x", "raw": "y"}

    (part,) = row(assistant(block)).parts

    assert bytes(part.data) == rb'"{\"type\":\"fallback\",\"whole\":\"x\",\"raw\":\"y\"}"'


def test_a_document_is_kept_like_an_image() -> None:
    """R26. The data is the source's own string, escapes and all."""
    body = (
        rb'{"type":"user","message":{"content":[{"type":"document","source":'
        rb'{"media_type":"text/plain","data":"a\/b\u00fc"}}]}}'
    )

    (part,) = row(body).parts

    assert (part.k, part.media, part.bytes) == ("media", "text/plain", 5)
    assert bytes(part.data) == rb'"a\/b\u00fc"'


@pytest.mark.parametrize("content", [5, {"type": "text"}, True])
def test_content_of_another_kind_is_kept_whole(content: object) -> None:
    """Content is text or a list of blocks."""
    (part,) = row(user(content)).parts

    assert (part.k, part.text) == ("unknown", "the content is neither text nor a list of blocks")


@pytest.mark.parametrize("content", [None, []])
def test_a_record_without_content_is_kept_whole(content: object) -> None:
    """The last rule: every record has at least one part."""
    body = user(content)

    (part,) = row(body).parts

    assert (part.k, bytes(part.data), part.bytes) == ("data", body, len(body))


def test_empty_text_is_a_text() -> None:
    """There is nothing to read, and that is what is said."""
    assert written(row(user(""))).endswith('"parts":[{"k":"text","state":"available"}]}')


def test_a_whole_record_is_compacted_and_states_the_size_of_its_source() -> None:
    """Numbers, repeated keys, order and escapes stay as the source spelled them."""
    body = rb'{ "type" : "mode", "n": 1.0, "n": 1e3, "big": 12345678901234567890, "u": "\u003c" }'

    (part,) = row(body).parts

    assert bytes(part.data) == (
        rb'{"type":"mode","n":1.0,"n":1e3,"big":12345678901234567890,"u":"\u003c"}'
    )
    assert part.bytes == len(body)


@pytest.mark.parametrize("field", ["text", "content"])
def test_the_prose_of_an_attachment_becomes_its_text(field: str) -> None:
    """The rest of the attachment is left behind, and that is said."""
    attachment = {"type": "skill_listing", field: "Skills: ü"}

    made = row(line(type="attachment", uuid="t1", attachment=attachment))

    assert [(part.k, part.text, part.bytes) for part in made.parts] == [("text", "Skills: ü", 10)]
    size = len(line(**attachment))
    assert made.dropped == (
        Drop("attachment fields", size, "only the prose of this attachment is carried"),
    )


def test_an_attachment_that_is_no_object_is_kept_with_its_record() -> None:
    """There is nothing in it to carry alone."""
    body = line(type="attachment", uuid="t1", attachment="x")

    made = row(body)

    assert (made.flags, bytes(made.parts[0].data)) == (("injected",), body)


@pytest.mark.parametrize(
    ("attachment", "fields", "flag"),
    [
        ({"type": "queued_command", "commandMode": "prompt"}, {}, "external_input"),
        ({"type": "queued_command", "commandMode": "task-notification"}, {}, "injected"),
        ({"type": "queued_command"}, {}, "injected"),
        ({"type": "todo", "commandMode": "prompt"}, {}, "injected"),
        ({"type": "queued_command", "commandMode": "prompt"}, {"isMeta": True}, "injected"),
        ({"type": "queued_command", "commandMode": "prompt", "isMeta": True}, {}, "injected"),
    ],
)
def test_only_a_queued_prompt_among_attachments_is_input(
    attachment: dict[str, object], fields: dict[str, object], flag: str
) -> None:
    """Both its type and its mode are needed: the same type carries notifications."""
    assert row(line(type="attachment", attachment=attachment, **fields)).flags == (flag,)


def test_a_queued_prompt_of_another_agent_is_no_persons_input() -> None:
    """Where the source states who sent it, the mode proves nothing."""
    attachment = {"type": "queued_command", "commandMode": "prompt", "origin": {"kind": "peer"}}

    made = row(line(type="attachment", attachment=attachment))

    assert (made.trigger, made.flags) == ("unknown", ("injected",))


def test_a_queued_prompt_in_a_childs_file_is_injected() -> None:
    """R27. A child's prompt is never a person's."""
    attachment = {"type": "queued_command", "commandMode": "prompt"}
    body = line(type="attachment", attachment=attachment)

    assert row(body, MAIN).flags == ("external_input",)
    assert row(body, CHILD).flags == ("injected",)


def test_titles_are_told_apart_by_who_gave_them() -> None:
    """R24. A summary names the last record of what it sums up, often of another session."""
    custom = row(line(type="custom-title", customTitle="Mine", sessionId="s1"))
    own = row(line(type="ai-title", aiTitle="Its own"))
    summary = row(line(type="summary", summary="Of old", leafUuid="x9"))

    assert (custom.label, custom.flags) == ("Mine", ("custom_title",))
    assert (own.label, own.flags) == ("Its own", ())
    assert (summary.label, summary.continues, summary.flags) == ("Of old", "x9", ("summary_title",))
