"""The bundled sample home, as a directory."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path


@contextmanager
def sample_home() -> Iterator[Path]:
    """The sample home while the block runs; unpacked first when the package is zipped."""
    with resources.as_file(resources.files("sessionizer.sample")) as home:
        yield home
