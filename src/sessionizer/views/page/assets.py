"""The static files of the page: read from the package once, looked up by whole path."""

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from msgspec import Struct

# A file of any other kind is not served: a licence text or a source map is not for the page.
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}


class Asset(Struct, frozen=True):
    """One file and what it is."""

    body: bytes
    media_type: str


def read_assets() -> dict[str, Asset]:
    """Every static file by its path below `static/`, `/` separators."""
    return dict(_iter_assets(resources.files("sessionizer.views.page").joinpath("static"), ""))


def _iter_assets(directory: Traversable, prefix: str) -> Iterator[tuple[str, Asset]]:
    if not directory.is_dir():
        return
    for entry in sorted(directory.iterdir(), key=lambda one: one.name):
        path = prefix + entry.name
        if entry.is_dir():
            yield from _iter_assets(entry, f"{path}/")
        elif media_type := MEDIA_TYPES.get(_suffix(entry.name)):
            yield path, Asset(entry.read_bytes(), media_type)


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2] if "." in name else ""
