"""The order in which counts are shown. Pure."""

from collections.abc import Mapping


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """The largest count first, equal ones by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
