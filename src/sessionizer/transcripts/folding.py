"""Fold exchanges that are copies of another file's. Pure.

An exchange folds when each of its hits stands in an older file with the same id, time and
text. The older hit then tells where else it stands.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from sessionizer.transcripts.searching import Entry


class Folding(Struct, frozen=True):
    """What is left, and what was folded.

    Attributes:
        kept: Entries to show, in their order.
        folded: Entries that are copies, in their order.
    """

    kept: tuple[Entry, ...]
    folded: tuple[Entry, ...]


def find_shared_files(entries: Iterable[Entry]) -> tuple[int, ...]:
    """The files that share a hit with another one, in order."""
    holders: dict[int, set[int]] = {}
    for entry in entries:
        for digest in entry.digests:
            if digest:
                holders.setdefault(digest, set()).add(entry.file)
    return tuple(sorted({file for files in holders.values() if len(files) > 1 for file in files}))


def fold_copies(entries: Sequence[Entry], ages: Mapping[int, int]) -> Folding:
    """Split `entries` into originals and copies.

    Args:
        entries: In any order.
        ages: Rank of each file that shares a hit, the oldest first.
    """
    oldest: dict[int, int] = {}
    for entry in entries:
        for digest in entry.digests:
            if digest and entry.file in ages:
                rank = ages[entry.file]
                oldest[digest] = min(rank, oldest.get(digest, rank))
    kept: list[Entry] = []
    folded: list[Entry] = []
    for entry in entries:
        age = ages.get(entry.file)
        is_copy = age is not None and all(
            digest and oldest[digest] < age for digest in entry.digests
        )
        (folded if is_copy else kept).append(entry)
    return Folding(tuple(kept), tuple(folded))
