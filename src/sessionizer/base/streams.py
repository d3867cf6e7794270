"""Write temporaries of files that are too big to hold in memory."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from sessionizer.base.files import PRIVATE_FILE, TEMPORARY_PREFIX


def write_temporary_stream(
    directory: Path, pieces: Iterable[bytes], *, mode: int = PRIVATE_FILE
) -> Path:
    """Write `pieces` durably to a new `.tmp-*` file in `directory` and return its path.

    When the pieces fail, no file is left and the error passes.
    """
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=directory)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        path.chmod(mode)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path
