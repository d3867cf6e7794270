"""Cut a document into chunks of whole lines. Pure."""

from collections.abc import Iterable, Iterator


def slice_lines(lines: Iterable[str], width: int) -> Iterator[str]:
    """Chunks of at most `width` characters that join to the document.

    A line that is longer is cut; its rest begins the next chunk.

    Args:
        lines: Without their ends.
        width: At least 1.
    """
    chunk = ""
    for line in lines:
        whole = f"{line}\n"
        if chunk and len(chunk) + len(whole) > width:
            yield chunk
            chunk = ""
        while len(whole) > width:
            yield whole[:width]
            whole = whole[width:]
        chunk += whole
    if chunk:
        yield chunk
