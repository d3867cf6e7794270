"""Which call, child and batch a record is about."""

import pytest

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.convert import convert_snapshot
from sessionizer.landing.record import AGENT_META, Row
from tests.build.conversion import CHILD, MAIN, RUN_JOURNAL, line, row, user, written

A = "a1111111111111111"
NOTE = f"<task-notification><task-id>{A}</task-id><tool-use-id>t1</tool-use-id></task-notification>"
STATED = {"origin": {"kind": "task-notification"}}


def note(content: object, **fields: object) -> Row:
    """The row of a notification of run p2."""
    return row(user(content, promptId="p2", **{**STATED, **fields}))


@pytest.mark.parametrize(
    ("content", "tool", "child"),
    [
        (NOTE, "t1", A),
        (
            f"<task-notification><task-id>b12</task-id><task-id>{A}</task-id></task-notification>",
            "",
            A,
        ),
        (
            "<task-notification><task-id>wabc</task-id><tool-use-id> t2 </tool-use-id>"
            "<status>completed</status></task-notification>",
            "t2",
            "",
        ),
        ([{"type": "text", "text": NOTE}], "", ""),
        ("<task-notification></task-notification>", "", ""),
        ("<task-notification><task-id>aab12cd</task-id>", "", "aab12cd"),
        ("<task-notification><task-id>aName-0123ab</task-id>", "", "aName-0123ab"),
        ("<task-notification><tool-use-id>t1", "", ""),
    ],
)
def test_a_notification_names_a_call_and_a_child(content: object, tool: str, child: str) -> None:
    """P4. A task id is a generic handle: only one of an agent's shape is a child."""
    made = note(content)

    assert (made.trigger, made.tool, made.child) == ("notification", tool, child)


def test_a_person_may_paste_a_notification() -> None:
    """P4, last row: it tells of nothing that ended here."""
    made = note(NOTE, origin={"kind": "human"})

    assert (made.trigger, made.tool, made.child) == ("external", "", "")


def test_a_notification_that_came_as_an_attachment_names_the_same() -> None:
    """Over a quarter of the origins stand on the attachment, and so do its words."""

    def attach(prompt: object) -> Row:
        attachment = {"type": "queued_command", "prompt": prompt, **STATED}
        return row(line(type="attachment", uuid="t1", attachment=attachment))

    for prompt in (NOTE, [{"type": "text", "text": NOTE}]):
        made = attach(prompt)
        assert (made.trigger, made.tool, made.child) == ("notification", "t1", A)
        assert made.flags == ("injected",)


def test_a_launch_is_acknowledged_without_a_result() -> None:
    """P5, row 3."""
    block = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
    body = line(
        type="user",
        uuid="r1",
        parentUuid="a1",
        promptId="p1",
        message={"content": [block]},
        toolUseResult={"status": "async_launched", "agentId": A},
    )

    assert written(row(body)).startswith(
        f'{{"id":"r1","parent":"a1","run":"p1","child":"{A}","from":"external",'
        '"flags":["launch_ack"],"parts":'
    )


def test_a_notification_record_has_no_flags() -> None:
    """P5, row 5."""
    made = note(NOTE)

    assert (made.tool, made.child, made.trigger, made.flags) == ("t1", A, "notification", ())


@pytest.mark.parametrize(
    ("status", "flags"),
    [("completed", ("child_result",)), ("async_launched", ("launch_ack",)), ("forked", ())],
)
def test_the_status_of_an_outcome_sets_its_flag(status: str, flags: tuple[str, ...]) -> None:
    """P7. A fork is neither a launch nor a return."""
    made = row(user("x", toolUseResult={"status": status, "agentId": A, "toolUseId": "t1"}))

    assert (made.tool, made.child, made.flags) == ("t1", A, flags)


def test_a_workflow_launch_names_its_batch() -> None:
    """P6. There is no child yet."""
    outcome = {"status": "async_launched", "runId": "wf_abc-1", "taskId": "w1"}

    made = row(user("x", toolUseResult=outcome))

    assert (made.batch, made.child, made.flags) == ("wf_abc-1", "", ("launch_ack",))


def test_a_journal_tells_of_children() -> None:
    """P6. The runtime writes it, and it states no time; a null result is none."""
    child = "a2222222222222222"
    started = row(line(type="started", key="k1", agentId=child), RUN_JOURNAL)
    ended = row(line(type="result", agentId=child, result={"summary": "Clean"}), RUN_JOURNAL)
    nothing = row(line(type="result", agentId=child, result=None), RUN_JOURNAL)
    launched = row(line(type="launched"), RUN_JOURNAL)

    assert [(made.child, made.flags) for made in (started, ended, nothing, launched)] == [
        (child, ()),
        (child, ("child_result",)),
        (child, ()),
        ("", ()),
    ]
    for made in (started, ended, nothing, launched):
        assert (made.batch, made.origin, made.time, made.tool) == ("wf_abc-1", "runtime", "", "")


def test_nobody_speaks_to_a_journal() -> None:
    """Whatever type a line of it claims, the runtime wrote it."""
    made = row(user("Do it", origin={"kind": "human"}), RUN_JOURNAL)

    assert (made.origin, made.flags) == ("runtime", ())


def test_a_sidecar_is_about_its_child() -> None:
    """P5, P7. The call stands at its top level; the child is the stream's unless it is named."""

    def sidecar(**fields: object) -> Row:
        source = SourceContext(kind=AGENT_META, stream="K")
        (made,) = convert_snapshot(source, line(**fields))
        return made

    plain = sidecar(agentType="general-purpose", description="Look around", toolUseId="t1")
    nested = sidecar(description="Deeper", parentAgentId="P")
    named = sidecar(agentId="L")

    assert (plain.tool, plain.child, plain.label) == ("t1", "K", "Look around")
    assert written(nested).startswith('{"child":"K","label":"Deeper","started_by":"P","from"')
    assert named.child == "L"


def test_a_sidechain_record_of_an_old_main_file_leaves_the_main_stream() -> None:
    """R20. With a child's id it goes to that stream, without one the flag says so."""
    named = row(user("look", isSidechain=True, agentId=A))
    nameless = row(user("look", isSidechain=True))
    odd = row(user("look", isSidechain=True, agentId="../x"))

    assert [(made.stream, made.flags) for made in (named, nameless, odd)] == [
        (A, ()),
        ("", ("sidechain",)),
        ("", ("sidechain",)),
    ]


def test_a_sidechain_record_is_never_a_persons_input() -> None:
    """R20. Even where its origin says so, it was given to a child."""
    stated = row(user("look", isSidechain=True, origin={"kind": "human"}))
    shaped = row(user("look", isSidechain=True))

    assert (stated.trigger, stated.flags) == ("external", ("sidechain",))
    assert (shaped.trigger, shaped.flags) == ("", ("sidechain",))


def test_in_a_childs_own_file_every_record_is_a_sidechain() -> None:
    """R20. There it says nothing."""
    body = user("look", isSidechain=True, agentId=A)

    assert (row(body, CHILD).stream, row(body, CHILD).flags) == ("", ())
    assert row(body, MAIN).stream == A
