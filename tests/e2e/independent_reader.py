"""Print every record below a storage root, by docs/formats/storage.md and session-data.md alone."""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

NAME = re.compile(r"(.+-(\d{6,}))(?:\.d(\d+))?\.sd", re.DOTALL)


def list_deltas(session: Path) -> list[tuple[Path, Path]]:
    newest: dict[tuple[int, Path], tuple[int, Path]] = {}
    for path in session.rglob("*.sd"):
        if (match := NAME.fullmatch(path.name)) and int(match[3] or 0) <= 1:
            key = (int(match[2]), path.with_name(match[1] + ".raw.zst"))
            newest[key] = max(newest.get(key, (0, path)), (int(match[3] or 0), path))
    return [(path, raw) for (_, raw), (_, path) in sorted(newest.items())]


def iter_records(path: Path, raw: Path) -> Iterator[dict[str, Any]]:
    header, *rows, end = path.read_bytes().splitlines(keepends=True)
    digest = hashlib.sha256(b"".join([header, *rows])).hexdigest()
    assert json.loads(end) == {"t": "end", "records": len(rows), "digest": digest}
    body = (frame := zstandard.ZstdDecompressor().decompressobj()).decompress(raw.read_bytes())
    label = json.loads(frame.unused_data[8:])
    for row in map(json.loads, rows):
        kept = body[row["off"] - label["off"] :][: row["bytes"]]
        assert hashlib.sha256(kept).hexdigest()[:12] == row["sha"]
        texts = [part["text"] for part in row["parts"] if part["k"] == "text" and "text" in part]
        yield {**json.loads(header), "row": row, "kept": kept.hex(), "texts": texts}


for directory in sorted(Path(sys.argv[1]).glob("[!_.]*/")):
    for record in (row for delta in list_deltas(directory) for row in iter_records(*delta)):
        print(json.dumps(record))
