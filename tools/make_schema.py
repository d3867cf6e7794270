"""Write the JSON Schema files of docs/formats/ from the values they describe, or check them.

Run without arguments to rewrite, with `--check` to compare.
"""

import json
import sys
from pathlib import Path

import msgspec

from sessionizer.views.document import ConversationDocument
from sessionizer.views.revisions import EntityHistory

FORMATS = Path(__file__).parent.parent / "docs" / "formats"
DOCUMENTS = {
    "conversation-document.schema.json": ConversationDocument,
    "entity-history.schema.json": EntityHistory,
}


def main() -> int:
    """Rewrite or check; the exit code says whether everything was fresh."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name, document in DOCUMENTS.items():
        path = FORMATS / name
        fresh = render_schema(document)
        if path.exists() and path.read_text(encoding="utf-8") == fresh:
            continue
        stale.append(path)
        if not check:
            path.write_text(fresh, encoding="utf-8")
    for path in stale if check else ():
        print(f"{path}: stale; run `make docs`", file=sys.stderr)
    return 1 if check and stale else 0


def render_schema(document: type[msgspec.Struct]) -> str:
    """The schema as it stands in the file."""
    schema = msgspec.json.schema(document, schema_hook=_anything)
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _anything(kind: type) -> dict[str, object]:
    """What a record or an attribute holds may be any JSON value."""
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(kind)


if __name__ == "__main__":
    sys.exit(main())
