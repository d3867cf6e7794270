"""Several sessions in one conversation, by command line and configuration (R40)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import S1, S2, S3, Home, txt, use
from tests.conftest import Asz

FAMILY = (
    "dcce4143-4609-43c5-a0e3-ea883f6c959b",
    "493c22a8-b700-4b88-aab8-0fafb602c3be",
    "e0a6db83-6641-4699-ac03-2286e8aa073f",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def frames(root: Path, conversation: str) -> list[list[dict[str, Any]]]:
    """The frames of each round, in order."""
    files = sorted((root / "_conversations" / conversation / "rounds").glob("*.sf"))
    return [[json.loads(line) for line in file.read_bytes().splitlines()] for file in files]


def ranges(header: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(one["session"], one["from_seq"], one["through_seq"]) for one in header["sessions"]]


def two_sessions(home: Home) -> None:
    home.transcript(S1).human("p1", "first").assistant(txt("one"))
    home.transcript(S2).human("p2", "second").assistant(use("t2", "Bash", command="ls"))


def test_a_list_of_sessions_is_one_chain(home: Home, asz: Asz, root: Path) -> None:
    """Every session has a range of its own, and positions outside the first say where."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)

    result = asz("parse", "--conversation", "both", S1, S2, "--root", root)

    assert result.exit_code == 0
    assert f"both is of 2 session(s): {S1} through 1, {S2} through 1" in result.stdout
    ((header, *found, _),) = frames(root, "both")
    assert (header["conversation"], header["session"]) == ("both", S1)
    assert ranges(header) == [(S1, 1, 1), (S2, 1, 1)]
    tool = next(frame for frame in found if frame["id"] == "tool/t2")
    assert tool["ref"] == {"seq": 1, "row": 2, "block": 0, "session": S2}
    assert tool["stream"] == f"{S2}:main"


def test_later_passes_keep_to_the_list(home: Home, asz: Asz, root: Path) -> None:
    """The newest round is the mapping; no session of it gets a chain of its own."""
    two_sessions(home)
    home.transcript(S3).human("p3", "third")
    asz("collect", "--once", "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)
    home.transcript(S2).human("p4", "more")
    asz("collect", "--once", "--root", root)

    everything = asz("parse", "--root", root)
    by_session = asz("parse", S2, "--root", root)

    assert everything.exit_code == by_session.exit_code == 0
    assert sorted(path.name for path in (root / "_conversations").iterdir()) == [S3, "both"]
    assert ranges(frames(root, "both")[1][0]) == [(S1, 2, 1), (S2, 2, 2)]
    assert by_session.stdout.splitlines()[1].split()[:2] == ["both", "-"]


def test_a_further_session_is_appended(home: Home, asz: Asz, root: Path) -> None:
    """The order given at first stays; a round with an empty first range tells of the new one."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)
    home.transcript(S3).human("p3", "third")
    asz("collect", "--once", "--root", root)

    asz("parse", "--conversation", "both", S3, "--root", root)

    assert ranges(frames(root, "both")[1][0]) == [(S1, 2, 1), (S2, 2, 1), (S3, 1, 1)]


def test_a_session_that_has_its_own_chain_may_join(home: Home, asz: Asz, root: Path) -> None:
    """Everybody has parsed everything before the wish comes up. The own chain ends there."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)
    home.transcript(S1).human("p4", "more")
    asz("collect", "--once", "--root", root)

    asz("parse", "--root", root)

    assert len(frames(root, S1)) == 1
    assert len(frames(root, "both")) == 2


def test_a_session_may_take_others_into_its_own_conversation(
    home: Home, asz: Asz, root: Path
) -> None:
    """Its chain goes on, with more sessions."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)
    asz("parse", S1, "--root", root)

    asz("parse", "--conversation", S1, S1, S2, "--root", root)

    assert ranges(frames(root, S1)[1][0]) == [(S1, 2, 1), (S2, 1, 1)]


def test_a_session_is_in_one_conversation_only(home: Home, asz: Asz, root: Path) -> None:
    two_sessions(home)
    asz("collect", "--once", "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)

    result = asz("parse", "--conversation", "other", S2, "--root", root)

    assert result.exit_code == 1
    assert f"session {S2} is part of conversation both" in result.stderr
    assert not (root / "_conversations" / "other").exists()


@pytest.mark.parametrize("members", [(S1,), (S1, S2)])
def test_the_id_of_another_session_is_no_name(
    home: Home, asz: Asz, root: Path, members: tuple[str, ...]
) -> None:
    """That session's own conversation would lie there."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)

    result = asz("parse", "--conversation", S2, *members, "--root", root)

    assert result.exit_code == 1
    assert f"conversation {S2}: that is the id of another session" in result.stderr
    assert not (root / "_conversations" / S2).exists()


@pytest.mark.parametrize("name", ["../up", ".hidden", "a/b", ""])
def test_a_name_that_names_no_directory_is_refused(
    home: Home, asz: Asz, root: Path, name: str
) -> None:
    two_sessions(home)
    asz("collect", "--once", "--root", root)

    result = asz("parse", "--conversation", name, S1, "--root", root)

    assert result.exit_code == 1
    assert "not usable as a conversation id" in result.stderr


def test_a_new_conversation_needs_its_sessions(home: Home, asz: Asz, root: Path) -> None:
    two_sessions(home)
    asz("collect", "--once", "--root", root)

    result = asz("parse", "--conversation", "both", "--root", root)

    assert result.exit_code == 2
    assert "give its sessions" in result.stderr


def test_the_configuration_lists_conversations(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    """A session that is not kept yet joins when it is, and this is said."""
    two_sessions(home)
    config = tmp_path / "asz.yaml"
    config.write_text(f"conversations:\n  both: [{S1}, {S3}, {S2}]\n")
    asz("collect", "--once", "--root", root, "--config", config)

    first = asz("parse", "--root", root, "--config", config)
    home.transcript(S3).human("p3", "third")
    asz("collect", "--once", "--root", root, "--config", config)
    asz("parse", "--root", root, "--config", config)

    assert f"conversation both: session {S3} is not kept" in first.stderr
    headers = [found[0] for found in frames(root, "both")]
    assert [[one["session"] for one in header["sessions"]] for header in headers] == [
        [S1, S2],
        [S1, S2, S3],
    ]
    assert [path.name for path in (root / "_conversations").iterdir()] == ["both"]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("conversations: [a]", "must be a mapping"),
        ("conversations: {a: x}", "conversations.a must be a list"),
        ("conversations: {a: []}", "lists no session"),
        ("conversations: {a: [1]}", "must be text"),
        ("conversations: {a: [x], b: [x]}", "session x stands in conversations.a already"),
        ("conversation: {}", "did you mean conversations?"),
    ],
)
def test_a_wrong_list_in_the_configuration_is_named(
    asz: Asz, root: Path, tmp_path: Path, written: str, words: str
) -> None:
    config = tmp_path / "asz.yaml"
    config.write_text(written)

    result = asz("parse", "--root", root, "--config", config)

    assert result.exit_code == 1
    assert words in result.stderr


def test_verifying_a_session_verifies_the_conversation_that_holds_it(
    home: Home, asz: Asz, root: Path
) -> None:
    """Its own chain, if it had one, and the one that goes on."""
    two_sessions(home)
    asz("collect", "--once", "--root", root)
    asz("parse", S2, "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)

    sound = asz("verify", S2, "--root", root)
    (newest,) = (root / "_conversations" / "both" / "rounds").iterdir()
    newest.chmod(0o600)
    newest.write_bytes(newest.read_bytes().replace(b"second", b"sekond").replace(b"Bash", b"Bush"))
    broken = asz("verify", S2, "--root", root)

    assert sound.exit_code == 0
    assert "checked 2 conversation chain(s), 2 round(s)" in sound.stdout
    assert broken.exit_code == 1
    assert "conversation both: 1 problem(s)" in broken.stdout


@pytest.mark.real_data
def test_the_fork_family_is_one_conversation(real_data: Path, asz: Asz, root: Path) -> None:
    """Three files of the same records: 12 calls, 7,984 output tokens, nothing dangles."""
    home = real_data / "v2.1.2xx-fork-family"
    asz("collect", "--once", "--root", root, "--claude-home", home)

    asz("parse", "--conversation", "family", *FAMILY, "--root", root)

    ((header, *found, _),) = frames(root, "family")
    nodes = {frame["id"]: frame for frame in found if frame["t"] == "node"}
    relations = [frame for frame in found if frame["t"] == "relation"]
    calls = [frame for frame in nodes.values() if frame["kind"] == "llm.call"]
    assert len(calls) == 12
    assert sum(call["attrs"].get("tokens", {}).get("out", 0) for call in calls) == 7_984
    assert header["summary"]["tokens"]["out"] == 7_984
    assert "tokens_inherited" not in header["summary"]
    sessions = [frame["id"] for frame in nodes.values() if frame["kind"] == "session"]
    assert sessions == sorted(f"session/{session}" for session in FAMILY)
    assert all(edge[end] in nodes for edge in relations for end in ("from", "to"))
    assert {(edge["from"], edge["to"]) for edge in relations if edge["type"] == "continues"} == {
        (f"session/{FAMILY[1]}", f"session/{FAMILY[0]}"),
        (f"session/{FAMILY[1]}", f"session/{FAMILY[2]}"),
        (f"session/{FAMILY[2]}", f"session/{FAMILY[0]}"),
    }
