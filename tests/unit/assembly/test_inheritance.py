"""Records that also stand in another session (R33, R34)."""

from msgspec.structs import replace

from sessionizer.assembly.inheritance import Inherited, share_records, survey_session
from sessionizer.assembly.usage import Tokens
from sessionizer.landing.record import Row, Usage
from tests.build.drawing import assembled, edges, ids, node
from tests.build.rows import SESSION, Landing, agent, document, human, reset, row

OLD = "00000000-0000-4000-8000-00000000000b"
OTHER = "00000000-0000-4000-8000-00000000000a"


def uuid(number: int) -> str:
    return f"01234567-89ab-4cde-8f01-{number:012d}"


# Two records that an older session wrote and a fork repeats.
SHARED = (
    human(uuid(1), "-", "10:00:00", "p1"),
    agent(uuid(2), uuid(1), "10:00:01", "m1", "Done", usage=Usage(output=5), finished=True),
)


def naming(session: str) -> tuple[Row, ...]:
    return tuple(replace(built, copied_from=session) for built in SHARED)


def own(number: int, at: str) -> Row:
    return human(uuid(number), "-", at, f"p{number}")


def shared(**sessions: tuple[Row, ...]) -> dict[str, tuple[Inherited, ...]]:
    """Owners by session, of sessions given as `old`, `other` and `this`."""
    names = {"old": OLD, "other": OTHER, "this": SESSION}
    surveys = [
        survey_session(names[name], Landing(names[name]).main(*rows).entries)
        for name, rows in sessions.items()
    ]
    return {session: table.owners for session, table in share_records(surveys).items()}


def test_the_session_that_the_copies_name_is_the_owner() -> None:
    """A fork says where each record comes from, whatever the times say."""
    assert shared(old=(*SHARED, own(8, "12:00:00")), this=(own(9, "09:00:00"), *naming(OLD))) == {
        SESSION: (Inherited(OLD, 2, "exact_unique"),)
    }


def test_a_copy_of_a_copy_belongs_to_the_first_session() -> None:
    """The named session is followed to its end."""
    assert shared(old=SHARED, other=naming(OLD), this=naming(OTHER)) == {
        OTHER: (Inherited(OLD, 2, "exact_unique"),),
        SESSION: (Inherited(OLD, 2, "exact_unique"),),
    }


def test_sessions_that_name_each_other_end_somewhere() -> None:
    """A damaged file must not hang us; the smaller id is taken."""
    assert shared(old=naming(OTHER), other=naming(OLD)) == {
        OLD: (Inherited(OTHER, 2, "exact_unique"),)
    }


def test_without_a_name_the_session_with_the_oldest_own_records_is_the_owner() -> None:
    """Records without an id count for this too."""
    early = row("", "-", "08:00:00", document("{}"))

    assert shared(other=(*SHARED, own(9, "09:00:00")), this=(*SHARED, early)) == {
        OTHER: (Inherited(SESSION, 2, "strong_inference"),)
    }


def test_without_any_ground_the_smallest_id_is_the_owner() -> None:
    """One must be chosen, and the quality says that it was."""
    assert shared(old=SHARED, other=SHARED) == {OLD: (Inherited(OTHER, 2, "exact_ambiguous"),)}


def test_ids_that_repeat_by_chance_are_not_compared() -> None:
    """Edited files hold ids such as `u1`."""
    rows = (human("u1", "-", "10:00:00", "p1"),)

    assert shared(old=rows, this=rows) == {}


def test_a_session_alone_inherits_nothing() -> None:
    """The usual case."""
    assert shared(this=(*SHARED, own(9, "09:00:00"))) == {}


def test_a_record_named_by_a_reset_may_stand_elsewhere() -> None:
    """R38: then nothing is missing."""
    surveys = [
        survey_session(OLD, Landing(OLD).main(*SHARED).entries),
        survey_session(SESSION, Landing().main(reset("b1", "11:00:00", uuid(2))).entries),
    ]

    assert share_records(surveys)[SESSION].elsewhere == {uuid(2)}


def test_inherited_talks_and_calls_are_shown_and_not_counted() -> None:
    """Their tokens were spent once, by the older session."""
    landing = Landing().main(
        *SHARED,
        own(9, "11:00:00"),
        agent(uuid(10), uuid(9), "11:00:01", "m2", "New", usage=Usage(output=7), finished=True),
    )
    surveys = [
        survey_session(OLD, Landing(OLD).main(*SHARED, own(7, "08:00:00")).entries),
        survey_session(SESSION, landing.entries),
    ]

    whole = assembled(landing, inheritance=share_records(surveys)[SESSION])

    assert node(whole, "call/m1").attrs["inherited_from"] == OLD
    assert "inherited_from" not in node(whole, "call/m2").attrs
    assert node(whole, "talk/main/p1").attrs["inherited_from"] == OLD
    assert (whole.summary.talks, whole.summary.talks_inherited) == (1, 1)
    assert whole.summary.tokens == Tokens(output=7)
    assert whole.summary.tokens_inherited == Tokens(output=5)


def test_the_older_session_is_a_node_and_an_edge_leads_to_it() -> None:
    """No relation dangles; the evidence is the first and the last record taken over."""
    landing = Landing().main(*SHARED, own(9, "11:00:00"))
    surveys = [
        survey_session(OLD, Landing(OLD).main(*SHARED, own(7, "08:00:00")).entries),
        survey_session(SESSION, landing.entries),
    ]

    whole = assembled(landing, inheritance=share_records(surveys)[SESSION])

    assert ids(whole, "session") == [f"session/{OLD}", f"session/{SESSION}"]
    assert node(whole, f"session/{OLD}").attrs == {"elsewhere": True}
    assert edges(whole, "continues") == [
        f"rel/continues/session_{SESSION}/session_{OLD} strong_inference"
        " | records copied from an older session | 1/1,1/2"
    ]
