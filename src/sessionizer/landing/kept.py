"""The kept bytes of one growing source, joined from its deltas.

Source: docs/formats/storage.md, "Kept bytes first".
"""

from collections.abc import Iterable, Iterator

from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.raw import iter_body, read_label
from sessionizer.landing.zone import RawFile


def iter_kept(raws: Iterable[RawFile]) -> Iterator[bytes]:
    """The bytes that deltas hold together, each byte once, in pieces. `raws` are by seq.

    Raises:
        DamagedFileError: A raw file can not be read, or begins behind a gap.
    """
    reach = 0
    for raw in raws:
        label = read_label(raw.path)
        if label.off > reach:
            raise DamagedFileError(raw.path, f"byte gap: it begins at {label.off}, not {reach}")
        position = label.off
        for piece in iter_body(raw.path):
            end = position + len(piece)
            if end > reach:
                yield piece[max(0, reach - position) :]
                reach = end
            position = end
