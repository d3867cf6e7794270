"""Source lines, and the rows they are converted to."""

import json

import msgspec

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.convert import convert_line
from sessionizer.landing.record import JOURNAL, TRANSCRIPT, Row

MAIN = SourceContext(kind=TRANSCRIPT, stream="main", main=True)
CHILD = SourceContext(kind=TRANSCRIPT, stream="a1111111111111111")
RUN_JOURNAL = SourceContext(kind=JOURNAL, batch="wf_abc-1")


def line(**fields: object) -> bytes:
    """A source line as the agent writes one: compact JSON, keys in the order given."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def user(content: object, **fields: object) -> bytes:
    """A user record with this content."""
    return line(type="user", uuid="u1", **fields, message={"role": "user", "content": content})


def assistant(*blocks: object, **fields: object) -> bytes:
    """An assistant record with these blocks; further fields of the record by keyword."""
    message = {"id": "m1", "role": "assistant", "model": "m-1", "content": list(blocks)}
    return line(type="assistant", uuid="a1", **fields, message=message)


def rows(body: bytes, source: SourceContext = MAIN, *, first: bool = False) -> tuple[Row, ...]:
    """The rows of a line that stands alone in its source."""
    return convert_line(source, body, ord=1, off=0, first=first)


def row(body: bytes, source: SourceContext = MAIN) -> Row:
    """The row of a line that gives one."""
    (only,) = rows(body, source)
    return only


def written(converted: Row) -> str:
    """A row as the file holds it, from the key after `bytes` on."""
    body = msgspec.json.encode(converted).decode()
    place = f'{{"ord":{converted.ord},"off":{converted.off},"sha":"{converted.sha}",'
    place += f'"bytes":{converted.bytes},'
    assert body.startswith(place)
    return "{" + body.removeprefix(place)
