# ruff: noqa: E501 - rows stand as the file holds them
"""Sources that are read whole: one row each, whatever they hold."""

import base64

import msgspec
import pytest

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.convert import (
    convert_history_line,
    convert_kept_file,
    convert_snapshot,
)
from sessionizer.base.digests import sha256_hex, short_sha256
from sessionizer.landing.record import (
    AGENT_META,
    SESSION_TITLE,
    WORKFLOW_MANIFEST,
    WORKFLOW_SCRIPT,
    Row,
)
from tests.build.conversion import written

SIDECAR = SourceContext(kind=AGENT_META, stream="a1111111111111111")
MANIFEST = SourceContext(kind=WORKFLOW_MANIFEST, batch="wf_abc-1")
SCRIPT = SourceContext(kind=WORKFLOW_SCRIPT, batch="wf_abc-1")
TITLE = SourceContext(kind=SESSION_TITLE, stream="main", main=True)


def snapshot(source: SourceContext, body: bytes) -> Row:
    """The one row of a snapshot; it stands at the start of its source."""
    (made,) = convert_snapshot(source, body)
    assert (made.ord, made.off) == (1, 0)
    return made


def test_a_sidecar_names_its_child_and_its_call() -> None:
    """P5."""
    body = b'{"agentType":"general-purpose","description":"Look around","toolUseId":"t1"}'

    assert written(snapshot(SIDECAR, body)) == (
        '{"tool":"t1","child":"a1111111111111111","label":"Look around","from":"runtime",'
        '"parts":[{"k":"data","data":' + body.decode() + ',"state":"available","bytes":76}]}'
    )


def test_a_manifest_is_one_document() -> None:
    """P6. Its own id of the run wins over the name of its directory."""
    stated = snapshot(MANIFEST, b'{"runId":"wf_x-2","workflowName":"sweep"}')
    silent = snapshot(MANIFEST, b'{ "workflowName": "sweep", "uuid": "u1", "description": "d" }')

    assert (stated.batch, stated.label, stated.origin) == ("wf_x-2", "sweep", "runtime")
    assert (silent.batch, silent.label, silent.id) == ("wf_abc-1", "sweep", "")
    assert bytes(silent.parts[0].data) == b'{"workflowName":"sweep","uuid":"u1","description":"d"}'


@pytest.mark.parametrize("source", [SIDECAR, MANIFEST, TITLE])
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "the record is not valid JSON"),
        (b'{"a":1}{"b":2}', "the record is not valid JSON"),
        (b"[]", "the record is not an object"),
        (b'{"a":' + b"[" * 600 + b"]" * 600 + b"}", "the record is not valid JSON"),
    ],
)
def test_a_damaged_snapshot_is_kept_and_not_interpreted(
    source: SourceContext, body: bytes, reason: str
) -> None:
    """Always one row: a snapshot is not split."""
    made = snapshot(source, body)

    (part,) = made.parts
    assert (part.k, part.text, part.bytes) == ("unknown", reason, len(body))
    assert (made.child, made.batch, made.label, made.flags) == ("", "", "", ())


def test_a_script_is_a_program_and_no_data() -> None:
    """Even if it happens to be JSON."""
    made = snapshot(SCRIPT, b'{"a":1}')

    assert written(made) == (
        r'{"from":"runtime","parts":[{"k":"unknown","text":"the source is a program, not data","data":"{\"a\":1}","state":"available","bytes":7}]}'
    )


def test_a_script_that_is_no_text_is_kept_exactly() -> None:
    """As base64."""
    (part,) = snapshot(SCRIPT, b"a\xffb").parts

    assert (part.encoding, part.bytes) == ("base64", 3)
    assert base64.b64decode(msgspec.json.decode(part.data)) == b"a\xffb"


def test_a_title_file_names_the_session() -> None:
    """R24."""
    made = snapshot(TITLE, b'{"customTitle": "Mine"}')

    assert (made.label, made.flags, made.origin) == ("Mine", ("custom_title",), "runtime")
    assert bytes(made.parts[0].data) == b'{"customTitle":"Mine"}'


@pytest.mark.parametrize("source", [SIDECAR, MANIFEST, SCRIPT, TITLE])
def test_line_ends_behind_a_snapshot_do_not_count(source: SourceContext) -> None:
    """R14. Otherwise a rewritten file with one more newline would be another version."""
    body = b'{"a":1}'

    for ending in (b"", b"\n", b"\r\n", b"\n\n\r\n"):
        made = snapshot(source, body + ending)
        assert (made.bytes, made.sha) == (7, short_sha256(body))


def test_a_kept_file_is_named_and_its_content_left_in_the_kept_bytes() -> None:
    """R12. It is not kept twice."""
    (made,) = convert_kept_file("b1.txt", 14_000, sha256_hex(b"x"))

    assert (made.ord, made.off, made.bytes, made.sha) == (1, 0, 14_000, short_sha256(b"x"))
    assert written(made) == (
        '{"from":"runtime","parts":[{"k":"data","name":"b1.txt","state":"omitted","bytes":14000}]}'
    )


def test_an_empty_kept_file_is_a_row() -> None:
    """R14."""
    (made,) = convert_kept_file("empty", 0, sha256_hex(b""))

    assert (made.sha, made.bytes) == ("e3b0c44298fc", 0)
    assert written(made) == (
        '{"from":"runtime","parts":[{"k":"data","name":"empty","state":"omitted"}]}'
    )


def test_a_line_of_the_typed_history_is_kept_whole() -> None:
    """R13. It repeats what stands in the session; nothing of it is interpreted."""
    body = b'{"display":"look","timestamp":1789891200000,"sessionId":"s1","type":"user","uuid":"x"}'

    (made,) = convert_history_line(body, ord=2, off=90)

    assert (made.ord, made.off, made.bytes, made.sha) == (2, 90, len(body), short_sha256(body))
    assert written(made) == (
        '{"from":"runtime","parts":[{"k":"data","data":'
        + body.decode()
        + f',"state":"available","bytes":{len(body)}}}]}}'
    )


def test_damaged_and_glued_lines_of_the_history_are_kept_like_others() -> None:
    """R16."""
    (broken,) = convert_history_line(b'{"display":', ord=1, off=0)
    glued = convert_history_line(b'{"a":1}{"b":2}', ord=1, off=0)

    assert broken.parts[0].text == "the record is not valid JSON"
    assert [(made.off, made.bytes, made.glued) for made in glued] == [(0, 7, 0), (7, 7, 2)]
