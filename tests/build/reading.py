"""A storage root with published conversations, and a reader's requests to its page."""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from sessionizer.assembly.pipeline import assemble
from sessionizer.asz.words import page_words
from sessionizer.index.session_index import load_index
from sessionizer.landing.session_data import digest_of_file
from sessionizer.rounds.publish import Published, publish_round
from sessionizer.views.library import Library
from sessionizer.views.page.application import build_application
from sessionizer.views.page.guard import open_door
from tests.build.collecting import Archive
from tests.build.home import Home

ADDRESS = "http://127.0.0.1:8787"


class Root:
    """What is kept of a home below `path`, and its page."""

    def __init__(self, home: Home, path: Path) -> None:
        self.path = path
        self.archive = Archive(home.projects, path)
        self.zone = self.archive.zone
        self.library = Library(path, words=page_words())

    def update(self) -> tuple[Published, ...]:
        """Collect what is new and publish a round of every session."""
        self.archive.collect()
        return tuple(self._publish(session) for session in self.zone.session_ids())

    def conversation(self, session: str) -> Path:
        """The directory of a conversation."""
        return self.zone.conversation_directory(session)

    def reader(self, host: str = "127.0.0.1", **options: Any) -> "Reader":
        """A browser before the page; `options` go to the application."""
        application = build_application(self.library, open_door(host), **options)
        return Reader(httpx.ASGITransport(application, raise_app_exceptions=False))

    def _publish(self, session: str) -> Published:
        index = load_index(self.zone, session)
        assembly = assemble(
            index.entries, session=session, conversation=session, through=index.indexed_seq
        )
        return publish_round(
            self.conversation(session),
            entities=assembly.entities,
            session=session,
            conversation=session,
            through_seq=index.indexed_seq,
            landed_digests=tuple(
                (file.seq, digest_of_file(file.path)) for file in self.zone.landed(session)
            ),
            dialect=index.dialect,
            summary=assembly.summary,
        )


class Reader:
    """Requests to the page, one after the other, each in an event loop of its own."""

    def __init__(self, transport: httpx.ASGITransport) -> None:
        self._transport = transport

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer to a request; redirects are not followed."""

        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url=ADDRESS) as client:
                return await client.request(method, path, **options)

        return asyncio.run(ask())

    def get(self, path: str, **headers: str) -> httpx.Response:
        """The answer to a GET; `_` in the name of a header stands for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request("GET", path, headers=named)

    def json(self, path: str, *, status: int = 200) -> Any:
        """The JSON answer to a GET of `path`."""
        answer = self.get(path)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/json; charset=utf-8"
        return answer.json()

    def talk(self, session: str, talk: str) -> dict[str, dict[str, Any]]:
        """The nodes of a talk's tree, by id."""
        return flatten(self.json(f"/api/c/{session}/talk/{talk}"))


def flatten(tree: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every node of a tree, by id."""
    found = {tree["id"]: tree}
    for child in tree.get("children", []):
        found |= flatten(child)
    return found
