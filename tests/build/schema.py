"""A check of a JSON value against a JSON Schema, as far as our own schema files go.

Stricter than the standard in two ways: a key that the schema does not list is wrong, and so is
a word of the schema that this check does not know.
"""

from collections.abc import Iterator
from typing import Any

_ABOUT = {"$schema", "$defs", "title", "description", "default", "discriminator"}
_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def schema_problems(value: Any, schema: dict[str, Any]) -> list[str]:
    """What is wrong, each with the place where; empty when nothing is."""
    return list(_problems(value, schema, schema["$defs"], "$"))


def _problems(value: Any, schema: dict[str, Any], defs: dict[str, Any], at: str) -> Iterator[str]:
    for word, rule in schema.items():
        if word in _ABOUT:
            continue
        if word == "$ref":
            yield from _problems(value, defs[rule.removeprefix("#/$defs/")], defs, at)
        elif word == "type":
            if not _is_of(value, rule):
                yield f"{at}: {value!r:.60} is no {rule}"
        elif word == "enum":
            if value not in rule:
                yield f"{at}: {value!r:.60} is none of {rule}"
        elif word == "anyOf":
            if all(list(_problems(value, one, defs, at)) for one in rule):
                yield f"{at}: {value!r:.60} fits none of {len(rule)}"
        elif word == "required":
            yield from (f"{at}: {key} is missing" for key in rule if key not in value)
        elif word == "properties" and isinstance(value, dict):
            yield from (f"{at}: unknown key {key}" for key in value if key not in rule)
            for key, inner in rule.items():
                if key in value:
                    yield from _problems(value[key], inner, defs, f"{at}.{key}")
        elif word == "additionalProperties" and isinstance(value, dict):
            for key, inner in value.items():
                yield from _problems(inner, rule, defs, f"{at}.{key}")
        elif word == "items" and isinstance(value, list):
            for number, inner in enumerate(value):
                yield from _problems(inner, rule, defs, f"{at}[{number}]")
        elif word not in ("properties", "additionalProperties", "items"):
            yield f"{at}: the check does not know the word {word}"


def _is_of(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])
