"""Count any number of transcripts, on as many processors as there are."""

from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec import Struct

from sessionizer.transcripts.counting import Asked, count_file
from sessionizer.transcripts.family import Families
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.forking import run_forked
from sessionizer.transcripts.searching import choose_processes, share_out, size_of
from sessionizer.transcripts.tallies import Tally


class Counted(Struct, frozen=True, kw_only=True):
    """What one file gave.

    Attributes:
        file: Which of the files, from 0.
        tally: Its counts; None when it could not be read.
        unreadable: Why it could not; empty when it could.
    """

    file: int
    tally: Tally | None = None
    unreadable: str = ""


_DECODER = msgspec.msgpack.Decoder(list[Counted])


def count_files(
    files: Sequence[TranscriptFile],
    families: Families,
    asked: Asked,
    *,
    processes: int | None = None,
) -> tuple[Counted, ...]:
    """Count all files, in order. One that cannot be read is reported, the others are counted.

    Args:
        files: The transcripts.
        families: What is known of their sessions.
        asked: Which records count.
        processes: How many to use; None for one per processor, if there is enough to read.
    """
    sizes = [size_of(file.path) for file in files]
    shares = share_out(sizes, choose_processes(sizes) if processes is None else processes)

    def work(share: Sequence[int]) -> bytes:
        counted = [_count(position, files[position], families, asked) for position in share]
        return msgspec.msgpack.encode(counted)

    answers = run_forked([partial(work, share) for share in shares])
    found = [counted for answer in answers for counted in _DECODER.decode(answer)]
    return tuple(sorted(found, key=lambda one: one.file))


def _count(position: int, file: TranscriptFile, families: Families, asked: Asked) -> Counted:
    try:
        return Counted(file=position, tally=count_file(file, families.of(file), asked))
    except OSError as error:
        return Counted(file=position, unreadable=error.strerror or type(error).__name__)
