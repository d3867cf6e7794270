# ruff: noqa: E501 - rows stand as the file holds them
"""F4: single source lines, and what the file holds of each after its place."""

import pytest

from tests.build.conversion import row, written

F4_RECORDS = (
    (
        "",
        r'{"from":"runtime","parts":[{"k":"unknown","text":"the record is not valid JSON","data":"","state":"available"}]}',
    ),
    (
        r'{"type":"user",',
        r'{"from":"runtime","parts":[{"k":"unknown","text":"the record is not valid JSON","data":"{\"type\":\"user\",","state":"available","bytes":15}]}',
    ),
    (
        r"[1,2]",
        r'{"from":"runtime","parts":[{"k":"unknown","text":"the record is not an object","data":"[1,2]","state":"available","bytes":5}]}',
    ),
    (
        r'{"type":"ai-title","aiTitle":"Count tags"}',
        r'{"label":"Count tags","from":"runtime","parts":[{"k":"data","data":{"type":"ai-title","aiTitle":"Count tags"},"state":"available","bytes":42}]}',
    ),
    (
        r'{"type":"user","uuid":"x1","isMeta":true,"origin":{"kind":"human"},"promptId":"p9","message":{"content":"Caveat"}}',
        r'{"id":"x1","run":"p9","from":"external","trigger":"external","flags":["injected"],"parts":[{"k":"text","text":"Caveat","state":"available","bytes":6}]}',
    ),
    (
        r'{"type":"attachment","uuid":"t1","parentUuid":"u1","attachment":{"type":"todo_reminder","itemCount":2}}',
        r'{"id":"t1","parent":"u1","from":"runtime","flags":["injected"],"parts":[{"k":"data","data":{"type":"todo_reminder","itemCount":2},"state":"available","bytes":38}]}',
    ),
    (
        r'{"type":"attachment","uuid":"q1","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"also test","origin":{"kind":"human"}}}',
        r'{"id":"q1","from":"runtime","trigger":"external","flags":["external_input"],"parts":[{"k":"data","data":{"type":"queued_command","commandMode":"prompt","prompt":"also test","origin":{"kind":"human"}},"state":"available","bytes":95}]}',
    ),
    (
        r'{"type":"system","subtype":"away_summary","uuid":"n1"}',
        r'{"id":"n1","from":"runtime","flags":["notice"],"parts":[{"k":"data","data":{"type":"system","subtype":"away_summary","uuid":"n1"},"state":"available","bytes":54}]}',
    ),
)

F4_ASSISTANT_BLOCKS = (
    (
        r'{"type":"redacted_thinking","data":"zzzz"}',
        r'"parts":[{"k":"reasoning","state":"redacted"}],"dropped":[{"what":"redacted reasoning","bytes":4,"why":"encrypted by the provider"}]',
    ),
    (
        r'{"type":"fallback","from":"x"}',
        r'"parts":[{"k":"unknown","text":"block type \"fallback\" is not one this dialect describes","data":"{\"type\":\"fallback\",\"from\":\"x\"}","state":"available","bytes":30}]',
    ),
    (
        r'{"type":"tool_use","id":"t9","name":"N","input":{ "b": 1.0, "a": "x y", "b": 2 }}',
        r'"parts":[{"k":"call","data":{"b":1.0,"a":"x y","b":2},"id":"t9","name":"N","state":"available","bytes":25}]',
    ),
)

F4_USER_LINES = (
    (
        r'{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t6","is_error":true,"content":"boom"}]},"toolUseResult":"Error: boom"}',
        r'"parts":[{"k":"result","text":"boom","of":"t6","failed":true,"state":"available","bytes":4}],"dropped":[{"what":"structured result","bytes":13,"why":"repeats the text"}]',
    ),
    (
        r'{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t7","content":[{"type":"tool_reference","tool_name":"X"}]}]}}',
        r'"parts":[{"k":"result","data":[{"type":"tool_reference","tool_name":"X"}],"of":"t7","state":"available","bytes":43}]',
    ),
    (
        r'{"type":"user","promptSource":"typed","message":{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}}',
        r'"parts":[{"k":"media","data":"aGk=","media":"image/png","state":"available","bytes":4}]',
    ),
)


@pytest.mark.parametrize(("source", "kept"), F4_RECORDS)
def test_a_record_is_kept_as_printed(source: str, kept: str) -> None:
    """F4, one row each."""
    assert written(row(source.encode())) == kept


def test_an_empty_line_is_a_record_of_no_bytes() -> None:
    """F4. Its place must be known, or the next line could not be proven to join on."""
    empty = row(b"")

    assert (empty.ord, empty.off, empty.sha, empty.bytes) == (1, 0, "e3b0c44298fc", 0)


@pytest.mark.parametrize(("block", "kept"), F4_ASSISTANT_BLOCKS)
def test_a_block_of_the_agent_is_kept_as_printed(block: str, kept: str) -> None:
    """F4, the cases of an assistant's message."""
    source = '{"type":"assistant","uuid":"a1","message":{"content":[' + block + "]}}"

    assert written(row(source.encode())) == '{"id":"a1","call":"a1","from":"agent",' + kept + "}"


@pytest.mark.parametrize(("source", "kept"), F4_USER_LINES)
def test_what_came_from_outside_is_kept_as_printed(source: str, kept: str) -> None:
    """F4, the cases of a user's message."""
    assert written(row(source.encode())) == '{"from":"external",' + kept + "}"
