from sessionizer.adapters.claude_code_local.claims import assign_claims, unify_case
from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.landing.record import TRANSCRIPT

PLACE = ("streams/a1", "transcript")


def source(src: str, stream: str = "a1") -> Source:
    return Source(file=src, src=src, kind=TRANSCRIPT, directory=f"streams/{stream}", stream=stream)


A, B, C = source("-a/x.jsonl"), source("-b/x.jsonl"), source("-c/x.jsonl")


def generations(*claimed: str) -> dict[tuple[str, str], tuple[str, ...]]:
    return {PLACE: claimed}


def test_the_first_by_path_gets_a_free_place() -> None:
    """Each further one is refused, and told by whom."""
    first, second = assign_claims([A, B], {})

    assert (first.source, first.generation, first.owner) == (A, 1, None)
    assert (second.source, second.generation, second.owner) == (B, None, A)


def test_who_lands_there_keeps_the_place() -> None:
    """A copy that sorts first does not push out the source that was followed so far."""
    first, second = assign_claims([A, B], generations(B.src))

    assert (first.generation, first.owner) == (None, B)
    assert second.generation == 1


def test_a_source_follows_its_newest_generation() -> None:
    """After a conflict only the new generation is read on."""
    (claim,) = assign_claims([A], generations(A.src, A.src))
    assert claim.generation == 2


def test_two_accepted_sources_each_follow_their_own() -> None:
    """The second was accepted as generation 2; the first conflicted later and has 3."""
    first, second, third = assign_claims([A, B, C], generations(A.src, B.src, A.src))

    assert (first.generation, second.generation) == (3, 2)
    assert (third.generation, third.owner) == (None, A)


def test_a_source_that_moved_takes_its_place_along() -> None:
    """Nobody that is still there holds it; whether the bytes fit is checked when reading."""
    (claim,) = assign_claims([B], generations(A.src))
    assert claim.generation == 1


def test_names_that_differ_in_case_are_one_where_the_disk_says_so() -> None:
    """On such a disk they would land in one directory; the spelling that exists stays."""
    upper = source("-b/y.jsonl", stream="A1")

    assert [claim.generation for claim in assign_claims([A, upper], {})] == [1, 1]
    united = unify_case([A, upper], [])
    assert [each.directory for each in united] == ["streams/a1", "streams/a1"]
    assert [claim.generation for claim in assign_claims(united, {})] == [1, None]
    assert unify_case([A], ["streams/A1"])[0].directory == "streams/A1"
