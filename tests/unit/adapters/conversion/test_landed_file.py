# ruff: noqa: E501 - rows stand as the file holds them
"""F1: six source lines to one landed file, every byte of which is printed here."""

import hashlib

import msgspec

from sessionizer.adapters.claude_code_local.contract import ADAPTER, DIALECT
from sessionizer.adapters.claude_code_local.convert import convert_line
from sessionizer.landing.record import TRANSCRIPT, Header, Row
from sessionizer.landing.session_data import encode_landed
from tests.build.conversion import MAIN
from tests.build.six_lines import F1_LINES, F1_SESSION

F1_ROWS = (
    r'{"ord":1,"off":0,"sha":"9c92e4a9ad1b","bytes":183,"id":"u1","run":"p1","from":"external","time":"2026-01-02T03:04:05.000Z","trigger":"external","flags":["external_input"],"parts":[{"k":"text","text":"Count the <b> tags","state":"available","bytes":18}]}',
    r'{"ord":2,"off":184,"sha":"c9ab114d1d1f","bytes":292,"id":"a1","parent":"u1","call":"msg_1","from":"agent","time":"2026-01-02T03:04:06.000Z","flags":["finished"],"usage":{"in":10,"out":25},"parts":[{"k":"reasoning","state":"unavailable"}],"dropped":[{"what":"reasoning signature","bytes":12,"why":"a provider verifies it; a reader cannot read it"}]}',
    r'{"ord":3,"off":477,"sha":"44ae80c3971c","bytes":325,"id":"a2","parent":"a1","call":"msg_1","from":"agent","time":"2026-01-02T03:04:07.000Z","flags":["finished"],"usage":{"in":10,"out":25},"parts":[{"k":"call","data":{"command":"grep -c \"<b>\" x.html"},"id":"toolu_1","name":"Bash","state":"available","bytes":36}]}',
    r'{"ord":4,"off":803,"sha":"b3219d08e8c0","bytes":279,"id":"r1","parent":"a2","run":"p1","from":"external","time":"2026-01-02T03:04:08.500Z","parts":[{"k":"result","text":"2","data":{"stdout":"2","stderr":"","interrupted":false},"of":"toolu_1","failed":false,"state":"available","bytes":1}]}',
    r'{"ord":5,"off":1083,"sha":"8c445bb15fe8","bytes":297,"id":"a3","parent":"r1","call":"msg_2","from":"agent","time":"2026-01-02T03:04:09.000Z","flags":["finished"],"usage":{"in":40,"out":5,"cache_read":10},"parts":[{"k":"text","text":"There are 2.","state":"available","bytes":12}]}',
    r'{"ord":6,"off":1381,"sha":"4181506d346e","bytes":130,"id":"s1","parent":"a3","from":"runtime","time":"2026-01-02T03:04:09.100Z","flags":["turn_duration"],"parts":[{"k":"data","data":{"type":"system","subtype":"turn_duration","uuid":"s1","parentUuid":"a3","timestamp":"2026-01-02T03:04:09.100Z","durationMs":4100},"state":"available","bytes":130}]}',
)


def convert_f1() -> list[Row]:
    converted: list[Row] = []
    off = 0
    for number, text in enumerate(F1_LINES, start=1):
        body = text.encode()
        converted += convert_line(MAIN, body, ord=number, off=off, first=number == 1)
        off += len(body) + 1
    return converted


def test_six_lines_give_these_six_rows_byte_for_byte() -> None:
    """F1. The rows are the format: whoever reads them may rely on every byte."""
    assert [msgspec.json.encode(row).decode() for row in convert_f1()] == list(F1_ROWS)


def test_the_whole_file_has_the_printed_digest() -> None:
    """F1. Header, rows and closing line together are 2220 bytes."""
    header = Header(
        seq=1,
        at="2026-01-02T03:05:00.123456789Z",
        kind=TRANSCRIPT,
        adapter=ADAPTER,
        dialect=DIALECT,
        src=f"-home-dev-app/{F1_SESSION}.jsonl",
        session=F1_SESSION,
        stream="main",
    )

    body = encode_landed(header, convert_f1())

    assert len(body) == 2220
    assert (
        hashlib.sha256(body).hexdigest()
        == "ecedc087faf85ecfe32bb1a64647010805999ba2e901530824707ab35436ec2f"
    )
