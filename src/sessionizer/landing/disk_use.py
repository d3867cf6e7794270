"""How much of the disk a storage root takes. Reads names and sizes; follows no link."""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from sessionizer.landing.names import RAW_SUFFIX, SD_SUFFIX
from sessionizer.landing.zone import Zone

_BLOCK = 512  # the unit of `st_blocks`, whatever the file system's own is


class DiskUse(Struct, frozen=True, kw_only=True):
    """Sizes of files, in bytes.

    Attributes:
        state: Cursors, state files, locks, and whatever else lies there.
        files: How many files.
        allocated: What the file system sets aside for them; None where it does not say.
    """

    raw: int
    session_data: int
    index: int
    rounds: int
    state: int
    files: int
    allocated: int | None

    @property
    def total(self) -> int:
        """All sizes together."""
        return self.raw + self.session_data + self.index + self.rounds + self.state


def measure_disk_use(zone: Zone) -> DiskUse:
    """Add up what lies below the root; nothing when it does not exist."""
    sizes = dict.fromkeys(("raw", "session_data", "index", "rounds", "state"), 0)
    files = allocated = 0
    for entry in _iter_files(zone.root):
        stat = entry.stat(follow_symlinks=False)
        sizes[_kind(Path(entry.path), zone)] += stat.st_size
        files += 1
        allocated += getattr(stat, "st_blocks", 0) * _BLOCK
    return DiskUse(**sizes, files=files, allocated=allocated or None)


def _kind(path: Path, zone: Zone) -> str:
    if zone.conversations_directory in path.parents:
        return "rounds"
    if path.name.endswith(RAW_SUFFIX):
        return "raw"
    if path.name.endswith(SD_SUFFIX):
        return "session_data"
    return "index" if path.parent.name == "index" else "state"


def _iter_files(directory: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _iter_files(Path(entry.path))
        else:
            yield entry
