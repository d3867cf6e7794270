"""Publishing: the acceptance chain, what writes a round and what does not, what refuses."""

import stat
from pathlib import Path

import pytest
from msgspec.structs import fields

from sessionizer.assembly import summary as assembly
from sessionizer.base.locks import exclusive_lock
from sessionizer.base.state_text import parse_state
from sessionizer.model.nodes import Entities, Reference, Unresolved
from sessionizer.rounds.chain import read_chain, read_members
from sessionizer.rounds.errors import (
    BrokenChainError,
    ChainLockedError,
    ConversationNameError,
    InterpretationError,
    LostEvidenceError,
    MovedHeadError,
    OtherSessionsError,
)
from sessionizer.rounds.frames import Inherited, Summary, Tokens
from sessionizer.rounds.input_digest import Evidence
from sessionizer.rounds.interpretation import Interpretation
from sessionizer.rounds.publish import Draft, append_round, open_chain
from sessionizer.rounds.verify import verify_chains
from tests.build.rounds import (
    F1_DIGEST,
    F3_DIGEST,
    SESSION,
    V1,
    at,
    digest_of,
    entities,
    f2_entities,
    landed,
    node,
    publish,
)

HERE = Path(__file__).parent
F2 = (HERE / "r000001-07c925618c53.sf").read_bytes()
F3 = (HERE / "r000002-1932f1ad9e0e.sf").read_bytes()
GAP = Unresolved(id="unres/tool_result/t", kind="tool_result", ref="t", reason="none yet")


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in (directory / "rounds").iterdir())


def publish_f2(directory: Path) -> None:
    publish(
        directory,
        f2_entities(),
        1,
        landed_digests=((1, F1_DIGEST),),
        dialect="",
        parser=V1.parser,
    )


def test_the_acceptance_entities_give_the_acceptance_bytes(tmp_path: Path) -> None:
    """F2: name, bytes, digest and input digest, from values alone."""
    directory = tmp_path / SESSION

    publish_f2(directory)

    assert names(directory) == ["r000001-07c925618c53.sf"]
    assert (directory / "rounds" / "r000001-07c925618c53.sf").read_bytes() == F2


def test_new_evidence_that_changes_nothing_gives_an_empty_round(tmp_path: Path) -> None:
    """F3: the watermark moves, and a third parse writes nothing."""
    directory = tmp_path / SESSION
    publish_f2(directory)
    both = {"landed_digests": ((1, F1_DIGEST), (2, F3_DIGEST)), "dialect": "", "parser": "v1"}

    second = publish(directory, f2_entities(), 2, **both)
    third = publish(directory, f2_entities(), 2, **both)

    assert second.path is not None
    assert second.path.read_bytes() == F3
    assert third.round is None
    assert names(directory) == ["r000001-07c925618c53.sf", "r000002-1932f1ad9e0e.sf"]


def test_a_published_round_never_changes_and_is_private(tmp_path: Path) -> None:
    """Rounds are read-only; directories and state are for their owner alone."""
    publish(tmp_path / "c", entities(node("tool/a")), 1)

    modes = {
        path.relative_to(tmp_path).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in tmp_path.rglob("*")
    }
    round_file = next(name for name in modes if name.endswith(".sf"))
    assert modes == {
        "c": 0o700,
        "c/.lock": 0o600,
        "c/rounds": 0o700,
        "c/conversation.state": 0o600,
        round_file: 0o444,
    }


def test_removed_entities_get_tombstones_and_gaps_are_resolved(tmp_path: Path) -> None:
    """Absence means unchanged, so removal has to be said."""
    directory = tmp_path / "c"
    before = entities(node("tool/a"), node("tool/b"), unresolved=(GAP,))
    publish(directory, before, 1)

    published = publish(directory, entities(node("tool/b")), 1)

    assert published.path is not None
    lines = published.path.read_text().split("\n")
    assert lines[1:3] == [
        '{"t":"node","id":"tool/a","revision":2,"tombstone":true,"kind":""}',
        '{"t":"unresolved","id":"unres/tool_result/t","revision":2,"kind":"tool_result",'
        '"ref":"t","reason":"none yet","state":"resolved"}',
    ]
    folded = read_chain(directory).folded
    assert (list(folded.nodes), folded.open_unresolved) == (["tool/b"], ())
    assert folded.unresolved[GAP.id].state == "resolved"


def test_a_gap_may_open_again(tmp_path: Path) -> None:
    """A resolved entry in the fold is not an open one in the assembly."""
    directory = tmp_path / "c"
    publish(directory, entities(unresolved=(GAP,)), 1)
    publish(directory, entities(), 1)

    assert publish(directory, entities(), 1).round is None
    assert publish(directory, entities(unresolved=(GAP,)), 1).round == 3
    assert read_chain(directory).folded.open_unresolved == (GAP,)


def test_equal_means_equal_bytes(tmp_path: Path) -> None:
    """True equals 1 in Python, and is another text in the file."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a", attrs={"failed": True, "gates": ["x"]})), 1)

    same = publish(directory, entities(node("tool/a", attrs={"gates": ("x",), "failed": True})), 1)
    other = publish(directory, entities(node("tool/a", attrs={"failed": 1, "gates": ["x"]})), 1)

    assert (same.round, other.round) == (None, 2)


def test_a_change_of_the_summary_alone_writes_nothing(tmp_path: Path) -> None:
    """It is not an entity."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1, summary=Summary(title="one"))

    assert publish(directory, entities(node("tool/a")), 1, summary=Summary(title="2")).round is None
    summary = read_chain(directory).folded.summary
    assert summary is not None
    assert summary.title == "one"


def test_a_change_of_what_is_inherited_writes_a_round(tmp_path: Path) -> None:
    """It changes by what other sessions hold, without new evidence of this one."""
    directory = tmp_path / "c"
    inherits = (Inherited("s9", 1, "exact_unique"), Inherited("s1", 2, "exact_unique"))
    publish(directory, entities(node("tool/a")), 1)

    changed = publish(directory, entities(node("tool/a")), 1, inherits=inherits)
    again = publish(directory, entities(node("tool/a")), 1, inherits=inherits)

    assert (changed.round, again.round) == (2, None)
    assert [one.session for one in changed.folded.inherits] == ["s1", "s9"]


def test_what_an_assembly_sums_up_becomes_the_header_s_summary(tmp_path: Path) -> None:
    """Neither package knows the other; their values have the same fields."""
    summary = assembly.Summary(
        title="Count", ask=at(1, 1), calls=2, tokens=assembly.Tokens(input=50, output=30)
    )

    folded = publish(tmp_path / "c", entities(node("tool/a")), 1, summary=summary).folded

    assert folded.summary == Summary(
        title="Count", ask=at(1, 1), calls=2, tokens=Tokens(input=50, output=30)
    )
    assert {field.name for field in fields(assembly.Summary)} == {
        field.name for field in fields(Summary)
    }


def test_nothing_at_all_writes_nothing(tmp_path: Path) -> None:
    """An empty session has no conversation."""
    assert publish(tmp_path / "c", entities(), 0).round is None
    assert not (tmp_path / "c" / "rounds").exists()


@pytest.mark.parametrize("damage", ["missing", "stale", "binary"])
def test_the_state_file_is_a_cache(tmp_path: Path, damage: str) -> None:
    """P12: without it nothing is written but the file itself."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)
    state = directory / "conversation.state"
    right = parse_state(state.read_text())
    state.unlink()
    if damage != "missing":
        state.write_bytes(b"head 7\nhead_digest 00\n" if damage == "stale" else b"\xff\0\n")

    published = publish(directory, entities(node("tool/a")), 1)

    assert published.round is None
    found = parse_state(state.read_text())
    assert {**found, "updated_at": ""} == {**right, "updated_at": ""}
    assert right["head"] == "1"
    assert right["parser"] == "v2"


def test_landed_files_may_have_holes_in_their_numbers(tmp_path: Path) -> None:
    """A number that was taken and never used is legal."""
    directory = tmp_path / "c"

    published = publish(directory, entities(node("tool/a")), 9, landed_digests=((9, digest_of(9)),))

    assert published.folded.through_seq == 9


def test_files_are_digested_in_the_order_of_their_digests(tmp_path: Path) -> None:
    """So the order of a directory listing plays no part."""
    one = publish(tmp_path / "a", entities(), 3, landed_digests=landed(3))
    two = publish(tmp_path / "b", entities(), 3, landed_digests=landed(3)[::-1])

    assert one.folded.input_digest == two.folded.input_digest


def test_fewer_landed_files_than_the_chain_covers_are_refused(tmp_path: Path) -> None:
    """The evidence was lost; a chain can not go back."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 5)

    with pytest.raises(LostEvidenceError, match=r"5.*4"):
        publish(directory, entities(node("tool/a")), 4)


def test_a_chain_is_about_its_own_session(tmp_path: Path) -> None:
    """References name a file by number only, so sessions must not mix."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)

    with pytest.raises(OtherSessionsError, match=SESSION):
        publish(directory, entities(node("tool/a")), 1, session="other")


def test_a_locked_chain_is_not_waited_for(tmp_path: Path) -> None:
    """Two builders at once would write one number twice."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)
    with (
        exclusive_lock(directory / ".lock"),
        pytest.raises(ChainLockedError, match="locked by another builder"),
    ):
        publish(directory, entities(node("tool/b")), 1)

    assert publish(directory, entities(node("tool/b")), 1).round == 2


def test_a_round_that_appears_while_the_lock_is_held_is_not_written_over(tmp_path: Path) -> None:
    """The lock is advisory: somebody may copy files in."""
    directory, twin = tmp_path / "c", tmp_path / "twin" / "c"
    program = Interpretation("v2", "v1+idle=10m0s", "claude-code/1")
    draft = Draft(
        conversation="c",
        evidence=(Evidence(session=SESSION, through_seq=1, landed=landed(1)),),
        entities=entities(node("tool/a")),
        interpretation=program,
    )
    other = publish(twin, entities(node("tool/b")), 1)
    assert other.path is not None

    with open_chain(directory, interpretation=program) as chain:
        (directory / "rounds").mkdir()
        (directory / "rounds" / other.path.name).write_bytes(other.path.read_bytes())
        with pytest.raises(MovedHeadError):
            append_round(chain, draft)

    assert names(directory) == [other.path.name]


@pytest.mark.parametrize("name", ["_x", ".x", "a b", "ä", "a" * 129])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    """An id becomes a directory."""
    with pytest.raises(ConversationNameError) as refused:
        publish(tmp_path / name, entities(), 1)

    assert name in str(refused.value)
    assert not (tmp_path / name).exists()


def test_a_conversation_lies_in_the_directory_of_its_name(tmp_path: Path) -> None:
    """A chain that was moved under another name would answer for the wrong one."""
    publish(tmp_path / "c", entities(node("tool/a")), 1)
    (tmp_path / "c").rename(tmp_path / "d")

    with pytest.raises(BrokenChainError, match=r"'c'.*'d'"):
        read_chain(tmp_path / "d")


# ------------------------------------------------------------------ generations


def test_a_newer_program_starts_a_new_generation_beside_the_old(tmp_path: Path) -> None:
    """A chain is never converted in place; both stay readable and both are verified."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 2)
    before = {path: path.read_bytes() for path in (directory / "rounds").iterdir()}

    newer = publish(directory, entities(node("tool/b")), 2, parser="v3")

    assert newer.path is not None
    assert newer.path.parent == directory / "g2" / "rounds"
    assert newer.path.name.startswith("r000001-")
    assert {path: path.read_bytes() for path in before} == before
    chain = read_chain(directory)
    assert (chain.generation, list(chain.folded.nodes)) == (2, ["tool/b"])
    assert chain.rounds[0].header.from_seq == 1
    assert [(one.generation, one.rounds, one.problem) for one in verify_chains(tmp_path)] == [
        (1, 1, None),
        (2, 1, None),
    ]
    assert publish(directory, entities(node("tool/b")), 2, parser="v3").round is None


def test_an_older_program_refuses_and_names_both_versions(tmp_path: Path) -> None:
    """P12: it would undo what the newer one found."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)

    with pytest.raises(InterpretationError) as refused:
        publish(directory, entities(node("tool/a")), 1, parser="v1")

    assert "v1" in str(refused.value)
    assert "v2" in str(refused.value)
    assert "one interpretation" in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"policy": "v1+idle=5m0s"},
        {"dialect": "other-agent/1"},
        {"parser": "v3", "dialect": "claude-code/0"},
        {"parser": "nightly"},
    ],
)
def test_an_interpretation_that_is_neither_newer_nor_older_is_refused(
    tmp_path: Path, change: dict[str, str]
) -> None:
    """There is no telling which one should replace the other."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)

    with pytest.raises(InterpretationError):
        publish(directory, entities(node("tool/a")), 1, **change)


def test_a_newer_dialect_alone_starts_a_generation(tmp_path: Path) -> None:
    """Rows made anew may differ, so what was built on the old ones is another chain."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1)

    assert publish(directory, entities(), 1, dialect="claude-code/2").generation == 2


# ------------------------------------------------------------------ several sessions


def more(through_seq: int, session: str = "s2") -> tuple[Evidence, ...]:
    return (Evidence(session=session, through_seq=through_seq, landed=landed(through_seq)),)


def test_a_second_session_joins_with_a_range_of_its_own(tmp_path: Path) -> None:
    """Its files are counted from 1 again; the first range of that round is empty."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 2)
    there = node("tool/b", ref=Reference(3, 1, session="s2"))

    joined = publish(directory, entities(node("tool/a"), there), 2, more=more(3))
    grown = publish(directory, entities(node("tool/a"), there), 2, more=more(4))
    same = publish(directory, entities(node("tool/a"), there), 2, more=more(4))

    headers = [checked.header for checked in read_chain(directory).rounds]
    ranges = [
        [(one.session, one.from_seq, one.through_seq) for one in header.ranges]
        for header in headers
    ]
    assert ranges == [
        [(SESSION, 1, 2)],
        [(SESSION, 3, 2), ("s2", 1, 3)],
        [(SESSION, 3, 2), ("s2", 4, 4)],
    ]
    assert (joined.round, grown.round, same.round) == (2, 3, None)
    assert read_members(tmp_path) == {"c": (SESSION, "s2")}


def test_a_session_that_joined_may_not_be_left_out(tmp_path: Path) -> None:
    """The newest round is the mapping; sessions are only appended."""
    directory = tmp_path / "c"
    publish(directory, entities(node("tool/a")), 1, more=more(1))

    with pytest.raises(OtherSessionsError):
        publish(directory, entities(node("tool/a")), 1)
    with pytest.raises(OtherSessionsError):
        publish(directory, entities(node("tool/a")), 1, more=(*more(1, "s3"), *more(1)))
    assert publish(directory, entities(), 1, more=(*more(1), *more(1, "s3"))).round == 2


def test_an_empty_assembly_is_still_compared(tmp_path: Path) -> None:
    """Everything that was there gets a tombstone."""
    directory = tmp_path / "c"
    publish(directory, f2_entities(), 1)

    published = publish(directory, Entities(), 1)

    assert (published.counts.nodes, published.counts.relations) == (13, 1)
    assert published.folded.entities == Entities()


def test_a_reference_beyond_the_range_is_not_published(tmp_path: Path) -> None:
    """What our own reader would refuse is a fault of the caller, and leaves no file."""
    with pytest.raises(Exception, match="2/1"):
        publish(tmp_path / "c", entities(node("tool/a", ref=at(2, 1))), 1)

    assert not (tmp_path / "c" / "rounds").exists()
