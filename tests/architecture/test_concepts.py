"""The pages about concepts tell of the sample as it is."""

import re
from pathlib import Path

import pytest

from sessionizer.asz.parsing import ParsedConversation, Parser
from sessionizer.model import kinds
from tests.build.collecting import Archive

CONCEPTS = Path(__file__).parents[2] / "docs" / "concepts"
SESSION = "c93e7a40-15bd-4f62-8d7e-6b04f2a1c8d9"
ID = re.compile(r"(?:call|tool|stream|talk|input|msg|rel)/[A-Za-z0-9_/:.-]+")


def words(page: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", (CONCEPTS / page).read_text(encoding="utf-8")))


@pytest.fixture
def example(sample: Path, tmp_path: Path) -> ParsedConversation:
    archive = Archive(sample / "projects", tmp_path / "root")
    archive.collect()
    (found,) = Parser(archive.zone).parse((SESSION,), now_ns=1)
    assert isinstance(found, ParsedConversation)
    return found


def test_every_id_of_the_example_is_there(example: ParsedConversation) -> None:
    """A reader may look each of them up with `--history`."""
    named = {word for page in CONCEPTS.glob("*.md") for word in words(page.name)}
    named = {word for word in named if ID.fullmatch(word)}

    assert len(named) == 7
    assert named - example.folded.nodes.keys() - example.folded.relations.keys() == set()


def test_the_numbers_of_the_example_are_right(example: ParsedConversation) -> None:
    """As the three pages state them."""
    nodes, relations = example.folded.nodes, example.folded.relations
    summary = example.folded.summary
    assert summary is not None
    assert summary.tokens is not None

    assert (len(nodes), len(relations)) == (32, 5)
    assert (summary.tokens.output, summary.at_least, summary.calls) == (396, 8, 8)
    states = [node.attrs["usage_state"] for node in nodes.values() if node.kind == "llm.call"]
    assert (states.count("partial"), states.count("stub")) == (7, 1)
    assert nodes["call/msg_011MXg1TyJnxYjjEneFVSkAN"].attrs["tokens"]["out"] == 129
    starts = {edge.target: edge.via for edge in relations.values() if edge.type == "starts"}
    assert starts == {
        "stream/a5ee2de": "progress of the call",
        "stream/c8eb0b7e": "parent tool result",
    }
    assert example.assembly is not None
    assert example.assembly.coverage.total == 24


def test_every_word_of_qualification_is_explained() -> None:
    """The page is the place to look them up in context."""
    known = {*kinds.QUALITIES, *kinds.CLAIM_STATES, *kinds.CONTENT_STATES, *kinds.USAGE_STATES}

    assert known - words("qualification.md") == set()
