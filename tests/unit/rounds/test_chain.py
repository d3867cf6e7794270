"""Reading a chain: what joins on, and what does not."""

from pathlib import Path

import pytest

from sessionizer.rounds.chain import continue_chain, read_chain, read_head
from sessionizer.rounds.errors import BrokenChainError, RefusedRoundError
from sessionizer.rounds.frames import Header
from sessionizer.rounds.round import EncodedRound, Round, decode_round, encode_round
from sessionizer.rounds.store import conversation_ids
from sessionizer.rounds.verify import verify_chains
from tests.build.rounds import SESSION, entities, node, publish, write_round

HERE = Path(__file__).parent
F2 = (HERE / "r000001-07c925618c53.sf").read_bytes()
F3 = (HERE / "r000002-1932f1ad9e0e.sf").read_bytes()
F2_DIGEST = "07c925618c53b99df1092e09218993df09df54ab496f834b7548fd10e9ac13fd"


def second_round(**fields: object) -> EncodedRound:
    """F3's round with some header fields changed, and a digest that fits."""
    header = decode_round(F3, name="f3").header
    changed = {name: getattr(header, name) for name in Header.__struct_fields__} | fields
    return encode_round(Round(header=Header(**changed)))


def conversation(tmp_path: Path, *rounds: bytes) -> Path:
    directory = tmp_path / SESSION
    for body in rounds:
        checked = decode_round(body, name="r")
        write_round(directory, checked.header.round, EncodedRound(body, checked.digest))
    return directory


def test_the_acceptance_chain_folds(tmp_path: Path) -> None:
    """F2 and F3: an empty round moves the watermark and keeps the entities."""
    folded = read_chain(conversation(tmp_path, F2, F3)).folded

    assert (folded.round, folded.through_seq, len(folded.nodes)) == (2, 2, 13)
    assert folded.digest.startswith("1932f1ad9e0e")
    assert (folded.session, folded.conversation, folded.parser) == (SESSION, SESSION, "v1")


def test_an_empty_chain_folds_to_round_zero(tmp_path: Path) -> None:
    """A conversation nobody built yet is not an error."""
    assert read_chain(tmp_path / "none").folded.round == 0
    assert read_head(tmp_path / "none") is None


def test_a_renamed_round_is_refused(tmp_path: Path) -> None:
    """F5: the name says which digest the content must have."""
    directory = conversation(tmp_path, F2)
    file = next((directory / "rounds").iterdir())
    file.rename(file.with_name("r000001-000000000000.sf"))

    with pytest.raises(BrokenChainError, match="digest 000000000000"):
        read_chain(directory)


def test_a_round_under_another_number_is_refused(tmp_path: Path) -> None:
    """The header's number counts, and the name must agree."""
    directory = tmp_path / SESSION
    write_round(directory, 1, EncodedRound(F3, "1932f1ad9e0e"))

    with pytest.raises(BrokenChainError, match="expected round 1"):
        read_chain(directory)


def test_a_chain_without_its_first_round_is_refused(tmp_path: Path) -> None:
    """F5."""
    with pytest.raises(BrokenChainError, match="expected round 1"):
        read_chain(conversation(tmp_path, F3))


def test_two_files_of_one_number_are_refused(tmp_path: Path) -> None:
    """There is no telling which one is meant."""
    directory = conversation(tmp_path, F2)
    (directory / "rounds" / "r000001-000000000000.sf").write_bytes(F2)

    with pytest.raises(BrokenChainError, match=r"round 1 is there twice"):
        read_chain(directory)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"previous": "00" * 32}, "previous"),
        ({"from_seq": 3, "through_seq": 3}, "skipped"),
        ({"from_seq": 1}, "skipped"),
        ({"session": "other"}, "session"),
        ({"parser": "v2"}, "parser"),
        ({"policy": "v1+idle=5m0s"}, "policy"),
        ({"dialect": "claude-code/1"}, "dialect"),
    ],
)
def test_a_round_that_does_not_join_on_is_refused(
    tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    """F5: sound by itself, and not the one that follows."""
    directory = conversation(tmp_path, F2, second_round(**fields).body)

    with pytest.raises(BrokenChainError, match=words) as refused:
        read_chain(directory)

    assert "r000002-" in str(refused.value)
    assert refused.value.number == 2


def test_the_first_round_begins_at_the_first_landed_file(tmp_path: Path) -> None:
    """Evidence before it would never have been looked at."""
    first = second_round(round=1, previous="", from_seq=2)

    with pytest.raises(BrokenChainError, match="skipped"):
        read_chain(conversation(tmp_path, first.body))


def test_other_files_among_the_rounds_are_ignored(tmp_path: Path) -> None:
    """A left-over of an interrupted write, a note of a person."""
    directory = conversation(tmp_path, F2)
    for name in (".tmp-x", "r000002-07c925618c53.sf.bak", "r2-07c925618c53.sf", "README"):
        (directory / "rounds" / name).write_bytes(b"?")

    assert read_chain(directory).folded.round == 1


def test_a_directory_in_place_of_a_round_is_refused(tmp_path: Path) -> None:
    """Damage of the file system is an error with a name, not a traceback."""
    directory = tmp_path / SESSION
    (directory / "rounds" / "r000001-07c925618c53.sf").mkdir(parents=True)

    with pytest.raises(RefusedRoundError, match="cannot be read"):
        read_chain(directory)


def test_conversations_are_directories_with_a_round(tmp_path: Path) -> None:
    """Sorted by id; anything else below is no conversation."""
    publish(tmp_path / "b", entities(node("tool/a")), 1)
    publish(tmp_path / "a", entities(node("tool/a")), 1)
    publish(tmp_path / "empty", entities(), 0)
    (tmp_path / "_x").mkdir()
    (tmp_path / "file").write_bytes(b"")

    assert conversation_ids(tmp_path) == ("a", "b")
    assert conversation_ids(tmp_path / "none") == ()


def test_verify_reports_each_broken_chain_and_goes_on(tmp_path: Path) -> None:
    """One damaged conversation must not hide another."""
    for name in ("a", "b", "c"):
        publish(tmp_path / name, entities(node("tool/a")), 1)
        publish(tmp_path / name, entities(node("tool/b")), 2)
    damaged = sorted((tmp_path / "b" / "rounds").iterdir())[1]
    damaged.chmod(0o600)
    damaged.write_bytes(damaged.read_bytes().replace(b"tool/b", b"tool/c"))

    reports = list(verify_chains(tmp_path))

    assert [(one.conversation, one.rounds) for one in reports] == [("a", 2), ("b", 1), ("c", 2)]
    assert [one.problem is None for one in reports] == [True, False, True]
    assert "digest" in str(reports[1].problem)
    assert damaged.name in str(reports[1].problem)
    assert [one.conversation for one in verify_chains(tmp_path, conversation="c")] == ["c"]


def test_a_chain_is_continued_without_reading_old_rounds(tmp_path: Path) -> None:
    """A page that follows a session must not read everything at each look."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)
    chain = read_chain(directory)
    publish(directory, entities(node("tool/a"), node("tool/b")), 2)
    first = next(path for path in (directory / "rounds").iterdir() if "r000001" in path.name)
    first.chmod(0o600)
    first.write_bytes(b"")

    now = continue_chain(directory, chain)

    assert list(now.folded.nodes) == ["tool/a", "tool/b"]
    assert len(now.rounds) == 2


def test_a_chain_that_was_replaced_is_read_from_the_start(tmp_path: Path) -> None:
    """Also when a newer program opened another generation."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)
    chain = read_chain(directory)
    publish(directory, entities(node("tool/b")), 1, parser="v3")

    now = continue_chain(directory, chain)

    assert (now.generation, list(now.folded.nodes)) == (2, ["tool/b"])
