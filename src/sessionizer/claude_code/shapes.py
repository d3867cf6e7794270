"""Read an object into a struct, field by field: a member of another kind reads as absent."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeVar, cast, get_args

import msgspec
from msgspec import Raw, Struct

from sessionizer.claude_code.values import decode_members, decode_text

Shape = TypeVar("Shape", bound=Struct)
Reader = Callable[[Raw], Any]


def read_shape(decoder: msgspec.json.Decoder[Shape], raw: bytes | Raw) -> Shape | None:
    """The object `raw` as the struct of `decoder`; None for anything but an object."""
    try:
        return decoder.decode(raw)
    except RecursionError:
        return None
    except msgspec.DecodeError:
        return _read_nested(cast("type[Shape]", decoder.type), raw)


def read_members(struct: type[Shape], members: Mapping[str, Raw]) -> Shape:
    """The struct made of those `members` that it knows and that fit."""
    values = {}
    for attribute, key, read in _list_readers(struct):
        if key in members and (value := read(members[key])) is not None:
            values[attribute] = value
    return struct(**values)


@cache
def _list_readers(struct: type[Struct]) -> tuple[tuple[str, str, Reader], ...]:
    return tuple(
        (field.name, field.encode_name, _choose_reader(field.type))
        for field in msgspec.structs.fields(struct)
    )


def _choose_reader(kind: Any) -> Reader:
    if kind is Raw:
        return _keep
    if kind is str or str in get_args(kind):
        return decode_text
    for choice in get_args(kind):
        if isinstance(choice, type) and issubclass(choice, Struct):
            return partial(_read_nested, choice)
    return partial(_read_exactly, msgspec.json.Decoder(kind))


def _keep(raw: Raw) -> Raw:
    return raw


def _read_nested(struct: type[Shape], raw: bytes | Raw) -> Shape | None:
    members = decode_members(raw)
    return None if members is None else read_members(struct, members)


def _read_exactly(decoder: msgspec.json.Decoder[Any], raw: Raw) -> Any:
    try:
        return decoder.decode(raw)
    except msgspec.DecodeError:
        return None
