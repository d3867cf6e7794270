"""Keep exchanges out of memory until they are shown: a search may find more than fits.

Up to 32 MiB stay in memory; beyond that they go to a file without a name, which the system
removes when the program ends, however it ends.
"""

import tempfile
from typing import IO

import msgspec
from msgspec import Struct

from sessionizer.transcripts.exchanges import Exchange

MEMORY_BYTES = 32 * 1024 * 1024

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Exchange)


class Slot(Struct, frozen=True, gc=False):
    """Where an exchange is kept, in bytes."""

    offset: int
    size: int


class Spool:
    """Exchanges, written one after the other and read in any order.

    Args:
        shared: Keep everything in a file, which a forked process can write to as well.
    """

    def __init__(self, *, shared: bool = False) -> None:
        self._file: IO[bytes] = (
            tempfile.TemporaryFile() if shared else tempfile.SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115
        )
        self._end = 0

    def write(self, exchange: Exchange) -> Slot:
        """Keep an exchange."""
        body = _ENCODER.encode(exchange)
        self._file.seek(self._end)
        self._file.write(body)
        slot = Slot(self._end, len(body))
        self._end += len(body)
        return slot

    def flush(self) -> None:
        """Hand what was written to the system, so that another process can read it."""
        self._file.flush()

    def read(self, slot: Slot) -> Exchange:
        """An exchange that was kept."""
        self._file.seek(slot.offset)
        return _DECODER.decode(self._file.read(slot.size))

    def close(self) -> None:
        """Let go of what was kept."""
        self._file.close()
