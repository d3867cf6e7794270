"""`asz conversation` as one JSON document, on one line.

Its fields are a contract: docs/formats/conversation-document.md.
"""

from collections.abc import Iterator

import msgspec

from sessionizer.cli.envelope import escape_unsafe
from sessionizer.views.document import ConversationDocument
from sessionizer.views.revisions import EntityHistory


def render(document: ConversationDocument | EntityHistory) -> Iterator[str]:
    """Yield the document."""
    yield escape_unsafe(msgspec.json.encode(document).decode())
