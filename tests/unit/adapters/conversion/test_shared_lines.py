"""Several objects on one line: glued records, and messages of a child that a parent carries."""

from typing import Any

from sessionizer.adapters.claude_code_local.convert import convert_line
from sessionizer.base.digests import short_sha256
from sessionizer.landing.contiguity import check_contiguity
from sessionizer.landing.record import Row
from tests.build.conversion import CHILD, MAIN, line, row, rows, user

A = "aac57f5"
BOM = b"\xef\xbb\xbf"


def places(converted: tuple[Row, ...]) -> list[tuple[int, int, int, int]]:
    """Line, offset, length and ordinal on the line of each row."""
    return [(row.ord, row.off, row.bytes, row.glued) for row in converted]


def reasons(converted: tuple[Row, ...]) -> list[str]:
    """What is said of the parts that were not read."""
    return [part.text for row in converted for part in row.parts if part.k == "unknown"]


def test_glued_objects_give_a_row_each() -> None:
    """R16. The next line goes on counting lines, not rows."""
    first = convert_line(MAIN, b'{"a":1}{"b":2}', ord=1, off=0)
    second = convert_line(MAIN, b'{"c":3}', ord=2, off=15)

    assert places(first + second) == [(1, 0, 7, 0), (1, 7, 7, 2), (2, 15, 7, 0)]
    assert check_contiguity([("x.sd", first + second)]).problems == ()


def test_white_space_belongs_to_the_object_before_it() -> None:
    r"""R16. Also the `\r` of a Windows line end, and white space before the first object."""
    body = b' {"a":1} \t{"b":2} {"c":3}\r'

    converted = rows(body)

    assert places(converted) == [(1, 0, 10, 0), (1, 10, 8, 2), (1, 18, 8, 3)]
    assert [row.sha for row in converted] == [
        short_sha256(body[row.off : row.off + row.bytes]) for row in converted
    ]


def test_glued_records_are_converted_like_any() -> None:
    """Two programs wrote them at once; both say what they say."""
    one, two = rows(user("one", origin={"kind": "human"}) + line(type="mode", mode="plan"))

    assert (one.id, one.flags) == ("u1", ("external_input",))
    assert (two.origin, bytes(two.parts[0].data)) == ("runtime", b'{"type":"mode","mode":"plan"}')


def test_a_broken_rest_is_kept_beside_the_whole_object() -> None:
    """R16. The objects before it are whole, and stay."""
    converted = rows(b'{"uuid":"u1"}{"uuid":"u2"} {"uuid":')

    assert places(converted) == [(1, 0, 13, 0), (1, 13, 14, 2), (1, 27, 8, 3)]
    assert [row.id for row in converted] == ["u1", "u2", ""]
    assert reasons(converted) == ["text after the record"]
    assert bytes(converted[2].parts[0].data) == rb'"{\"uuid\":"'


def test_a_line_that_does_not_begin_with_a_whole_object_is_one_row() -> None:
    """R16. Nothing of it is interpreted."""
    for body in (b'{"a":{"b":2}', b'[1]{"b":2}', b'x{"b":2}', b'"a"{"b":2}'):
        converted = rows(body)
        assert places(converted) == [(1, 0, len(body), 0)]
        assert reasons(converted) == ["the record is not valid JSON"]


def test_a_byte_order_mark_belongs_to_the_first_of_glued_objects() -> None:
    """It is skipped for reading only."""
    body = BOM + b'{"uuid":"u1"}{"uuid":"u2"}'

    converted = rows(body, first=True)

    assert places(converted) == [(1, 0, 16, 0), (1, 16, 13, 2)]
    assert [row.id for row in converted] == ["u1", "u2"]
    assert [row.sha for row in converted] == [short_sha256(body[:16]), short_sha256(body[16:])]


def progress(**fields: Any) -> bytes:
    """A progress record of call t1; `data` by keyword."""
    return line(type="progress", uuid="p1", parentUuid="u1", parentToolUseID="t1", **fields)


def test_progress_is_an_entry_that_other_records_hang_on() -> None:
    """R18. Ordinary messages have it as their parent."""
    body = progress(data={"type": "hook_progress", "agentId": A}, toolUseID="x", timestamp="T")

    made = row(body)

    assert (made.id, made.parent, made.time, made.origin) == ("p1", "u1", "T", "runtime")
    assert (made.flags, made.tool, made.child, made.trigger) == (("progress",), "", "", "")
    assert [(part.k, bytes(part.data)) for part in made.parts] == [("data", body)]


def test_a_carried_message_is_a_row_of_the_childs_stream() -> None:
    """R19. It is the embedded object's own bytes, converted like a line of a child."""
    message = {
        "type": "user",
        "uuid": "c1",
        "message": {"content": "look"},
        "origin": {"kind": "human"},
    }
    data = {"message": message, "normalizedMessages": [], "type": "agent_progress", "agentId": A}
    body = progress(data=data)

    host, carried = convert_line(MAIN, body, ord=3, off=100)

    assert (host.tool, host.child, host.flags) == ("t1", A, ("progress",))
    assert bytes(host.parts[0].data) == body
    own = line(**message)
    start = body.index(own)
    assert (carried.ord, carried.off, carried.bytes) == (3, 100 + start, len(own))
    assert carried.sha == short_sha256(own)
    assert (carried.carried, carried.stream, carried.glued) == (True, A, 0)
    assert (carried.id, carried.parts[0].text) == ("c1", "look")
    assert carried.flags == ()


def test_without_one_message_the_list_of_them_is_carried() -> None:
    """R19. Some versions write it so; what is no object among them is no message."""
    one, two = {"type": "user", "uuid": "c1"}, {"type": "user", "uuid": "c2"}
    listed = [one, "x", two, one]
    body = progress(data={"type": "agent_progress", "normalizedMessages": listed, "agentId": A})

    host, *carried = rows(body)

    assert [made.id for made in carried] == ["c1", "c2", "c1"]
    for made in carried:
        assert body[made.off : made.off + made.bytes].startswith(b'{"type":"user","uuid":')
    assert carried[0].off < carried[1].off < carried[2].off
    assert check_contiguity([("x.sd", (host, *carried))]).problems == ()


def test_a_message_that_stands_there_twice_is_found_where_it_belongs() -> None:
    """The same bytes may stand under another key of the line."""
    message = {"type": "user", "uuid": "c1"}
    body = progress(
        copy=message,
        data={"type": "agent_progress", "copy": message, "message": message, "agentId": A},
    )

    _, carried = rows(body)

    assert carried.off == body.index(b'"message":') + len(b'"message":')


def test_the_last_of_repeated_keys_is_carried() -> None:
    """Everywhere else the last one counts too."""
    body = (
        b'{"type":"progress","data":{"type":"agent_progress","agentId":"aac57f5",'
        b'"message":{"uuid":"c1"},"message":{"uuid":"c2"}}}'
    )

    _, carried = rows(body)

    assert (carried.id, body[carried.off : carried.off + carried.bytes]) == ("c2", b'{"uuid":"c2"}')


def test_a_child_without_an_id_is_named_after_its_call() -> None:
    """R19. An id that could not stand in a file name is none."""
    for agent in ({}, {"agentId": "../x"}, {"agentId": "main"}):
        data = {"type": "agent_progress", "message": {"uuid": "c1"}, **agent}
        _, carried = rows(progress(data=data))
        assert carried.stream == "carried-t1"


def test_other_progress_carries_nothing() -> None:
    """Only `agent_progress` embeds messages; a message that is no object is none."""
    message = {"uuid": "c1"}

    assert len(rows(progress(data={"type": "hook_progress", "message": message}))) == 1
    assert len(rows(progress(data={"type": "agent_progress", "message": "hi"}))) == 1
    assert len(rows(progress(data=None))) == 1
    assert len(rows(progress(data="agent_progress"))) == 1
    assert len(rows(line(type="user", data={"type": "agent_progress", "message": message}))) == 1


def test_carried_messages_lie_inside_their_own_object_of_a_glued_line() -> None:
    """R16 and R19 on one line."""
    data = {"type": "agent_progress", "message": {"uuid": "c1"}, "agentId": A}
    body = BOM + line(uuid="u0") + progress(data=data) + b" " + line(uuid="u2")

    converted = rows(body, first=True)

    assert [(made.id, made.glued, made.carried) for made in converted] == [
        ("u0", 0, False),
        ("p1", 2, False),
        ("c1", 0, True),
        ("u2", 3, False),
    ]
    assert check_contiguity([("x.sd", converted)]).problems == ()
    assert all(made.sha == short_sha256(body[made.off :][: made.bytes]) for made in converted)


def test_a_carried_message_with_bad_bytes_is_found_in_the_source() -> None:
    """What had to be replaced to read it has another length than the source."""
    body = (
        b'{"type":"progress","x":"\xff\xff","data":{"type":"agent_progress","agentId":"aac57f5",'
        b'"message":{"type":"user","uuid":"c1","message":{"content":"a\xffb"}}}}'
    )

    host, carried = rows(body)

    own = b'{"type":"user","uuid":"c1","message":{"content":"a\xffb"}}'
    assert body[carried.off : carried.off + carried.bytes] == own
    assert carried.parts[0].text == "a\ufffdb"
    assert [(drop.what, drop.bytes) for drop in (*host.dropped, *carried.dropped)] == [
        ("invalid bytes", 3),
        ("invalid bytes", 1),
    ]


def test_a_child_carries_its_own_child() -> None:
    """An agent that an agent started speaks through both."""
    inner = {"type": "agent_progress", "message": {"uuid": "c2"}, "agentId": "a000002"}
    outer = {"type": "progress", "uuid": "c1", "data": inner}
    body = progress(data={"type": "agent_progress", "message": outer, "agentId": A})

    converted = rows(body, CHILD)

    assert [(made.id, made.stream) for made in converted] == [
        ("p1", ""),
        ("c1", A),
        ("c2", "a000002"),
    ]
    assert check_contiguity([("x.sd", converted)]).problems == ()
