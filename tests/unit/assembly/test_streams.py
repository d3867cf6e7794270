"""Which stream a record belongs to, and what each stream is."""

from msgspec.structs import replace

from sessionizer.landing.record import Row
from tests.build.drawing import assembled, edges, gaps, ids, node, spell
from tests.build.rows import Landing, agent, call, document, human, result, row, text, user

UUID = "01234567-89ab-4cde-8f01-23456789abc%d"
SIDE = ("sidechain",)


def test_marked_records_form_a_stream_of_their_own() -> None:
    """R20: old builds wrote a child into the main file, with nothing but a mark."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        agent("a1", "u1", "10:00:01", "m1", call("t1", "Task")),
        user("s1", "-", "10:00:02", "", "look", flags=SIDE),
        agent("s2", "s1", "10:00:03", "m2", "Found", flags=SIDE),
        user("r1", "a1", "10:00:04", "p1", result("t1")),
    )

    whole = assembled(landing)

    assert node(whole, "stream/main").attrs["records"] == 3
    assert node(whole, "stream/side-s1").attrs == {"records": 2, "role": "child"}
    assert ids(whole, "talk") == ["talk/main/p1", "talk/side-s1"]
    assert node(whole, "call/m2").stream == "side-s1"


def test_two_side_chains_are_two_streams() -> None:
    """Each goes back to its own first record; one without an id is named by its place."""
    landing = Landing().main(
        user("s1", "-", "10:00:00", "", "one", flags=SIDE),
        user("s9", "-", "10:00:01", "", "two", flags=SIDE),
        agent("s2", "s1", "10:00:02", "m2", "1", flags=SIDE),
        agent("s8", "s9", "10:00:03", "m3", "2", flags=SIDE),
        user("", "-", "10:00:04", "", "three", flags=SIDE),
        user("", "s8", "10:00:05", "", "four", flags=SIDE),
    )

    assert ids(assembled(landing), "stream") == [
        "stream/side-1_5",
        "stream/side-s1",
        "stream/side-s9",
    ]
    assert node(assembled(landing), "stream/side-s9").attrs["records"] == 3


def test_marked_records_whose_parents_lead_in_a_circle_are_one_stream() -> None:
    """A circle has no first record; which record comes first in the file must not matter."""
    one = user("s1", "s2", "10:00:00", "", "one", flags=SIDE)
    two = user("s2", "s1", "10:00:01", "", "two", flags=SIDE)

    assert ids(assembled(Landing().main(one, two)), "stream") == ["stream/side-s1"]
    assert ids(assembled(Landing().main(two, one)), "stream") == ["stream/side-s1"]


def carried(built: Row, name: str = "c1") -> Row:
    return replace(built, carried=True, stream=name)


def test_a_child_that_only_its_parent_carries_is_a_stream() -> None:
    """R19: calls and tool joins hold as if it had a file."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        agent("a1", "u1", "10:00:01", "m1", call("t1", "Task")),
        row("g1", "a1", "10:00:02", document("{}"), flags=("progress",), tool="t1", child="c1"),
        carried(agent(UUID % 1, "-", "10:00:02", "m2", call("t2"))),
        row("g2", "g1", "10:00:03", document("{}"), flags=("progress",), tool="t1", child="c1"),
        carried(user(UUID % 2, UUID % 1, "10:00:03", "", result("t2"))),
    )

    whole = assembled(landing)

    assert node(whole, "stream/c1").attrs == {"records": 2, "role": "child", "carried": "parent"}
    assert node(whole, "tool/t2").attrs["result_join"] == "exact_unique"
    assert edges(whole, "starts") == [
        "rel/starts/tool_t1/stream_c1 exact_unique | progress of the call | 1/3"
    ]
    assert whole.coverage.counts == {"node": 4, "progress": 2}


def test_the_file_of_a_carried_child_takes_its_place() -> None:
    """The nodes move to the file's positions, and the mark goes."""
    message = agent(UUID % 1, "-", "10:00:02", "m2", "Found")
    landing = Landing().main(human("u1", "-", "10:00:00", "p1"), carried(message))
    landing.child("c1", user(UUID % 0, "-", "10:00:01", "", "look"), message)

    whole = assembled(landing)

    assert "carried" not in node(whole, "stream/c1").attrs
    assert spell(node(whole, "call/m2").ref) == "2/2"
    assert whole.statistics.duplicates == 1


def test_the_run_passes_through_progress_records() -> None:
    """R18: they are parents of ordinary messages."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        row("g1", "u1", "10:00:01", document("{}"), flags=("progress",)),
        row("g2", "g1", "10:00:02", document("{}"), flags=("progress",)),
        agent("a1", "g2", "10:00:03", "m1", "Done"),
    )

    assert node(assembled(landing), "call/m1").parent == "run/talk_main_p1/p1"
    assert assembled(landing).statistics.steps == 2


def internal() -> Landing:
    return Landing().child(
        "acompact-9",
        user("i1", "u1", "10:01:00", "", result("t1")),
        agent("i2", "i1", "10:01:01", "m9", "Summary"),
        role="internal",
    )


def test_an_internal_agent_needs_no_call() -> None:
    """R35: the runtime runs it for itself; it is nobody's child, and its results are echoes."""
    whole = assembled(internal())

    assert node(whole, "stream/acompact-9").attrs["role"] == "internal"
    assert gaps(whole) == []
    assert whole.statistics.echoed_results == 1
    assert whole.statistics.children_orphan == 0
    assert ids(whole, "message.external", "agent.output") == []


def test_an_internal_agent_hangs_on_the_stream_of_its_first_parent() -> None:
    """When that record has landed; it also lends its run."""
    landing = internal().main(
        human("u1", "-", "10:00:00", "p1"),
        agent("a1", "u1", "10:00:01", "m1", call("t1")),
        user("r1", "a1", "10:00:02", "p1", result("t1")),
    )

    whole = assembled(landing)

    assert edges(whole, "starts") == [
        "rel/starts/stream_main/stream_acompact-9 exact_unique | first parent | 1/1"
    ]
    assert spell(node(whole, "tool/t1").refs[1]) == "2/3:0"
    assert ids(whole, "run") == ["run/talk_acompact-9/p1", "run/talk_main_p1/p1"]


def test_a_result_an_internal_agent_asked_for_is_a_result() -> None:
    """Only what answers another stream is an echo."""
    landing = Landing().child(
        "acompact-9",
        agent("i1", "-", "10:01:00", "m9", call("t5")),
        user("i2", "i1", "10:01:01", "", result("t5")),
        role="internal",
    )

    whole = assembled(landing)

    assert node(whole, "tool/t5").attrs["result_join"] == "exact_unique"
    assert whole.statistics.echoed_results == 0


def test_titles_by_a_person_win() -> None:
    """R24: the last of a person, else the file, else the runtime's, else a summary of ours."""

    def line(label: str, *flags: str, continues: str = "") -> Row:
        return row("", "-", "", document("{}"), label=label, flags=flags, continues=continues)

    summary = line("Ours", "summary_title", continues="u1")
    foreign = line("Theirs", "summary_title", continues="elsewhere")
    rows = [human("u1", "-", "10:00:00", "p1"), foreign]

    def title(*more: Row, file: str = "") -> tuple[object, object]:
        landing = Landing().main(*rows, *more)
        if file:
            landing.land("session_title", "s/custom-title.json", line(file, "custom_title"))
        attrs = node(assembled(landing), f"session/{landing.session}").attrs
        return attrs.get("title"), attrs.get("title_by")

    assert title() == (None, None)
    assert title(summary) == ("Ours", "summary")
    assert title(line("Made"), summary) == ("Made", "runtime")
    assert title(line("Made"), line("Made later")) == ("Made later", "runtime")
    assert title(line("Made"), file="Filed") == ("Filed", "custom")
    assert title(line("Given", "custom_title"), line("Made"), file="Filed") == ("Given", "custom")


def test_a_label_of_a_record_is_no_title() -> None:
    """A manifest and a record with an id have labels too."""
    landing = (
        Landing()
        .main(human("u1", "-", "10:00:00", "p1"), row("x1", "u1", "", text("a"), label="No"))
        .manifest("wf", "sweep")
        .sidecar("a1", label="Look")
    )

    assert "title" not in node(assembled(landing), f"session/{landing.session}").attrs
