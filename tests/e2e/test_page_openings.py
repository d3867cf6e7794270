"""What the page says that a talk began with."""

from pathlib import Path

import pytest
from msgspec import structs

from sessionizer.asz.words import page_words
from sessionizer.views.library import Library
from tests.build.home import S1, Home, txt, use
from tests.build.reading import Root

COMMAND = (
    "<command-message>map:draw</command-message>\n<command-name>/map:draw</command-name>\n"
    "<command-args>the harbour, with <depths></command-args>"
)


@pytest.fixture
def root(home: Home, tmp_path: Path) -> Root:
    """An empty root beside an empty home, whose page knows the mark of typed arguments."""
    found = Root(home, tmp_path / "root")
    words = structs.replace(page_words(), command_arguments="command-args")
    found.library = Library(found.path, words=words)
    return found


def test_a_queued_message_never_outranks_the_command_that_began_the_talk(
    home: Home, root: Root
) -> None:
    """It was written later, and stands in the talk at its own time."""
    transcript = home.transcript().user(COMMAND, promptId="p1", at="10:00:00")
    transcript.assistant(use("t1", "Bash", command="ls"), at="10:00:05")
    transcript.queue("enqueue", "use blue for the water", at="10:00:10").queue("remove")
    transcript.result("t1", "a").assistant(txt("Drawn."))
    root.update()
    reader = root.reader()

    (talk,) = reader.json(f"/api/c/{S1}")["talks"]
    nodes = reader.talk(S1, talk["id"])

    assert talk["label"] == "/map:draw the harbour, with <depths>"
    (queued,) = (node for node in nodes.values() if node["kind"] == "message.external")
    assert queued["text"] == "use blue for the water"
    assert queued["at"] - talk["from"] == 10_000


def test_a_message_before_a_command_names_the_talk(home: Home, root: Root) -> None:
    """The first of both counts, and a command after the agent's answer began nothing."""
    transcript = home.transcript().user("draw a map", promptId="p1").assistant(txt("Of what?"))
    transcript.user(COMMAND, promptId="p1").assistant(txt("Drawn."))
    root.update()

    (talk,) = root.reader().json(f"/api/c/{S1}")["talks"]

    assert talk["label"] == "draw a map"


def test_a_command_without_a_known_mark_is_its_name(home: Home, tmp_path: Path) -> None:
    """The views know no agent's marks by themselves."""
    home.transcript().user(COMMAND, promptId="p1").assistant(txt("Drawn."))
    root = Root(home, tmp_path / "root")
    root.library = Library(root.path, words=structs.replace(page_words(), command_arguments=""))
    root.update()

    (talk,) = root.reader().json(f"/api/c/{S1}")["talks"]

    assert talk["label"] == "/map:draw"
