"""Ids of entities, built from evidence and never from a counter.

So late evidence cannot renumber what is already published. Parts are joined with `/`;
inside a part every `/` becomes `_`; empty parts are left out.
"""


def make_id(*parts: str) -> str:
    """Join `parts` to an id: `make_id("tool", "a/b")` is `tool/a_b`."""
    return "/".join([part.replace("/", "_") for part in parts if part])


def scoped(session: str, name: str | int) -> str:
    """A stream's name or a landed file's number inside an id: `main`, `<session>:main`.

    `session` is empty for the conversation's first.
    """
    return f"{session}:{name}" if session else str(name)


def position_id(
    prefix: str, seq: int, row: int, block: int | None = None, *, session: str = ""
) -> str:
    """An id from a position: `input/1/4`, with a block `msg/1/5:0`, `input/<session>:1/4`."""
    place = f"{prefix}/{session}:{seq}/{row}" if session else f"{prefix}/{seq}/{row}"
    return place if block is None else f"{place}:{block}"


def relation_id(relation_type: str, source: str, target: str) -> str:
    """`rel/<type>/<from>/<to>`, each end being one part."""
    return make_id("rel", relation_type, source, target)


def unresolved_id(kind: str, ref: str) -> str:
    """`unres/<kind>/<reference>`."""
    return make_id("unres", kind, ref)


def id_sort_key(entity_id: str) -> bytes:
    """Ids are compared as UTF-8 bytes."""
    return entity_id.encode("utf-8", "surrogatepass")
