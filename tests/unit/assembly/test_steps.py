"""Which step a record gives when it could give several, and what a child handed back."""

from msgspec.structs import replace

from tests.build.drawing import assembled, edges, ids, node, spell_all
from tests.build.rows import Landing, agent, call, document, human, note, result, row, user

ASKED = human("u1", "-", "10:00:00", "p1")


def test_the_output_of_a_child_is_its_last_response() -> None:
    """Not its first, and not what the client put in its mouth after it."""
    landing = (
        Landing()
        .main(ASKED)
        .child(
            "c1",
            agent("b1", "-", "10:00:01", "m1", "I begin"),
            agent("b2", "b1", "10:00:02", "m2", "That is all"),
            agent("b3", "b2", "10:00:03", "m3", "No response requested.", flags=("synthetic",)),
        )
    )

    output = node(assembled(landing), "output/c1")

    assert spell_all(output.refs) == "2/2"
    assert edges(assembled(landing), "ends_with")[0].endswith("| 2/2")


def test_a_child_that_never_answered_has_no_output() -> None:
    """What the client said in its role is no answer."""
    silent = agent("b1", "-", "10:00:01", "m1", "Interrupted", flags=("synthetic",))

    assert ids(assembled(Landing().main(ASKED).child("c1", silent)), "agent.output") == []


def test_an_acknowledgement_is_no_notification() -> None:
    """It says that a child began, whatever set the record going."""
    acknowledged = note("n1", "u1", "10:00:05", "p1", flags=("launch_ack",))

    whole = assembled(Landing().main(ASKED, acknowledged))

    assert ids(whole, "agent.launch_ack", "runtime.notification") == ["ack/1/2"]
    assert whole.statistics.notifications == 0


def test_input_of_a_person_that_was_injected_is_input() -> None:
    """The harness puts a queued prompt into the context; a person wrote it all the same."""
    both = replace(ASKED, flags=("external_input", "injected"))

    assert ids(assembled(Landing().main(both)), "message.external", "context.injection") == [
        "input/1/1"
    ]


def test_of_several_runtime_statements_the_first_that_applies_is_the_step() -> None:
    """An error is an error, also when it is told as a notice."""
    told = row("e1", "u1", "10:00:01", document("{}"), flags=("notice", "error"))

    whole = assembled(Landing().main(ASKED, told))

    assert ids(whole, "error.api", "control.notice") == ["error/1/2"]


def test_the_first_launch_of_a_batch_is_the_one_its_children_hang_on() -> None:
    """A resumed batch answers again, under another call."""
    landing = (
        Landing()
        .main(
            ASKED,
            agent("a1", "u1", "10:00:01", "m1", call("t1"), call("t2")),
            user("r1", "a1", "10:00:02", "", result("t1"), batch="wf"),
            user("r2", "a1", "10:00:03", "", result("t2"), batch="wf"),
        )
        .child("c1", agent("b1", "-", "10:00:04", "m2", "Done"))
        .journal("wf", row("", "-", "", document("{}"), child="c1"))
    )

    assert [edge.split()[0] for edge in edges(assembled(landing), "starts")] == [
        "rel/starts/tool_t1/stream_c1"
    ]
