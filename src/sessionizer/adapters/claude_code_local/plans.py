"""The plan names of a session: a `slug` on its lines names the plans that belong to it.

Source: docs/formats/storage.md, "What is kept".
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.claude_code.discovery import list_plans

_STATED: Final = re.compile(rb'"slug"\s*:\s*"([A-Za-z0-9][A-Za-z0-9_-]{0,199})"')

_CHILD: Final = re.compile("-agent-")


class _Line(Struct, frozen=True):
    slug: str = ""


_LINE: Final = msgspec.json.Decoder(_Line)


class PlanShelf:
    """The plans of a home, listed once and looked up by slug."""

    def __init__(self, home: Path | None) -> None:
        self._home = home
        self._by_slug: dict[str, list[str]] | None = None

    def paths(self, slugs: Iterable[str]) -> list[str]:
        """Paths of the plans written under one of `slugs`, as `find_plans` finds them."""
        if self._home is None:
            return []
        if self._by_slug is None:
            self._by_slug = _group_by_slug(list_plans(str(self._home)))
        return sorted({path for slug in slugs for path in self._by_slug.get(slug, ())})


def _group_by_slug(plans: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, path in plans:
        if not name.endswith(".md"):
            continue
        groups.setdefault(name.removesuffix(".md"), []).append(path)
        for match in _CHILD.finditer(name):
            groups.setdefault(name[: match.start()], []).append(path)
    return groups


def find_slugs(body: bytes, *, known: Collection[str]) -> tuple[str, ...]:
    """Slugs that lines of `body` state at their top level, without the known ones, in order.

    The same text deeper in a line says nothing. Only a plain name counts, because it becomes
    part of a path.
    """
    found: dict[str, None] = {}
    refused: set[tuple[int, bytes]] = set()
    for match in _STATED.finditer(body):
        slug = match[1].decode("ascii")
        if slug in known or slug in found:
            continue
        start = body.rfind(b"\n", 0, match.start()) + 1
        if (start, match[1]) in refused:
            continue
        stop = body.find(b"\n", match.end())
        if _states(body[start : stop if stop >= 0 else len(body)], slug):
            found[slug] = None
        else:
            refused.add((start, match[1]))
    return tuple(found)


def find_slugs_in(bodies: Iterable[bytes]) -> tuple[str, ...]:
    """Slugs of several pieces of a session, in order of first appearance."""
    found: tuple[str, ...] = ()
    for body in bodies:
        found += find_slugs(body, known=found)
    return found


def _states(line: bytes, slug: str) -> bool:
    try:
        return _LINE.decode(line).slug == slug
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # A line that does not decode may still be the session's own: a plan more is no loss.
        return True
