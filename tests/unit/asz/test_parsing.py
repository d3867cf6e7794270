"""What a parser remembers between passes, and when it assembles again."""

from pathlib import Path

import pytest

from sessionizer.assembly.pipeline import assemble_sessions
from sessionizer.asz import parsing
from sessionizer.asz.parsing import FailedConversation, ParsedConversation, Parser
from tests.build.collecting import Archive
from tests.build.home import S1, S2, S3, Home, txt

SHARED = "01234567-89ab-4cde-8f01-000000000001"


@pytest.fixture
def archive(home: Home, tmp_path: Path) -> Archive:
    return Archive(home.projects, tmp_path / "root")


@pytest.fixture
def assembled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Conversations that were assembled, in order."""
    names: list[str] = []

    def watch(*given: object, conversation: str) -> object:
        names.append(conversation)
        return assemble_sessions(*given, conversation=conversation)

    monkeypatch.setattr(parsing, "assemble_sessions", watch)
    return names


def parse(parser: Parser, *sessions: str) -> dict[str, int | str | None]:
    """Rounds written, or what went wrong, by conversation."""
    return {
        found.conversation: found.round if isinstance(found, ParsedConversation) else found.message
        for found in parser.parse(sessions or None, now_ns=1)
    }


def test_what_has_not_changed_is_not_assembled(
    home: Home, archive: Archive, assembled: list[str]
) -> None:
    """Neither in the same process nor in the next."""
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    archive.collect()
    parser = Parser(archive.zone)

    assert parse(parser) == {S1: 1, S2: 1}
    home.transcript(S1).assistant(txt("more"))
    archive.collect()
    assert parse(parser) == {S1: 2, S2: None}
    assert parse(Parser(archive.zone)) == {S1: None, S2: None}

    assert assembled == [S1, S2, S1]


def test_a_session_whose_table_changed_is_parsed_too(home: Home, archive: Archive) -> None:
    """A fork lands later: whose records they are changes for the session nobody touched."""
    home.transcript(S2).user("hello", uuid=SHARED, at="10:00:00")
    archive.collect()
    parser = Parser(archive.zone)
    parse(parser)
    older = home.transcript(S1).user("before", at="09:00:00")
    older.user("hello", uuid=SHARED, at="10:00:00")
    archive.collect()

    assert parse(parser, S1) == {S1: 1, S2: 2}
    assert parse(parser) == {S1: None, S2: None}


def test_a_gap_that_another_session_fills_is_closed(home: Home, archive: Archive) -> None:
    """Nothing is inherited, so only the table can tell; also when nobody remembers the old one."""
    home.transcript(S1).compact(after=SHARED, uuid="b1")
    archive.collect()
    parse(Parser(archive.zone))
    home.transcript(S2).user("hello", uuid=SHARED)
    archive.collect()

    assert parse(Parser(archive.zone)) == {S1: 2, S2: 1}
    assert parse(Parser(archive.zone)) == {S1: None, S2: None}


def test_what_is_inherited_otherwise_is_noticed_though_the_counts_agree(
    home: Home, archive: Archive, assembled: list[str]
) -> None:
    """The header counts owners; which record belongs to whom is in the table alone."""
    one, two = SHARED, SHARED[:-1] + "2"
    home.transcript(S1).user("a", uuid=one, at="09:00:00").user("own", at="08:00:00")
    home.transcript(S2).user("b", uuid=two, at="09:00:00").user("own", at="08:30:00")
    home.transcript(S3).user("a", uuid=one, at="09:00:00").user("b", uuid=two, at="09:00:00")
    home.transcript(S3).user("own", at="12:00:00")
    archive.collect()
    parse(Parser(archive.zone))
    assembled.clear()

    parse(Parser(archive.zone))

    assert assembled == [S3]


def test_a_session_that_cannot_be_read_fails_alone(home: Home, archive: Archive) -> None:
    """It is named, the others go on, and it is read when it can be."""
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    archive.collect()
    (landed,) = archive.zone.landed(S1)
    body = landed.path.read_bytes()
    landed.path.chmod(0o600)
    landed.path.write_bytes(body[:-20])
    parser = Parser(archive.zone)

    before = parse(parser)
    landed.path.write_bytes(body)
    after = parse(parser)

    assert before[S2] == 1
    assert landed.path.name in str(before[S1])
    assert after == {S1: 1, S2: None}


def test_a_session_that_moved_to_a_conversation_is_not_continued_alone(
    home: Home, archive: Archive
) -> None:
    """The parser of a running program hears of it from the rounds."""
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    archive.collect()
    parser = Parser(archive.zone)
    parse(parser)
    parse(Parser(archive.zone, {"both": (S1, S2)}))
    home.transcript(S1).assistant(txt("more"))
    archive.collect()

    assert parse(parser, S1) == {"both": 2}


def test_sessions_of_different_dialects_are_not_mixed() -> None:
    """A chain holds one dialect; both are named."""
    with pytest.raises(parsing.MixedDialectsError, match=f"{S2} in claude-code/2"):
        parsing._common_dialect({S1: "claude-code/1", S2: "claude-code/2"})


def test_a_session_of_which_nothing_landed_is_named(home: Home, archive: Archive) -> None:
    """It was asked for, so silence would be an answer."""
    home.transcript(S1).user("one")
    archive.collect()

    found = tuple(Parser(archive.zone).parse((S2,), now_ns=1))

    assert [one.conversation for one in found if isinstance(one, FailedConversation)] == [S2]
    assert len(found) == 1
