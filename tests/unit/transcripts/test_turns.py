"""Where a turn begins, what belongs to it, and what stands outside: acceptance cases K13 to K20."""

from pathlib import Path

import pytest

from tests.build.home import A, Home, R, U, encode_line, txt, use
from tests.build.views import Read

QUESTIONS = {
    "questions": [
        {
            "question": "Which env?",
            "header": "Env",
            "options": [{"label": "staging", "description": "safe"}, {"label": "prod"}],
        }
    ],
    "answers": {"Which env?": "staging"},
    "annotations": {"Which env?": {"notes": "after lunch"}},
}
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nuse the other file"
)


def read(home: Home, *lines: str) -> Read:
    return Read(home.transcript().lines(*lines).path)


def asked(home: Home, **answer: object) -> Read:
    """An AskUserQuestion and what came back."""
    return read(
        home,
        U("u1", "-", "10:00:00", "start"),
        A("a1", "u1", "10:00:01", use("q1", "AskUserQuestion", {"questions": []})),
        R("r1", "a1", "10:00:09", "q1", **answer),  # type: ignore[arg-type]
        A("a2", "r1", "10:00:10", txt("ok")),
    )


def test_an_interrupt_stays_in_the_running_turn(home: Home) -> None:
    """K13."""
    found = read(
        home,
        U("u1", "-", "10:00:00", "first"),
        A("a1", "u1", "10:00:01", use("t1", "Bash", {"command": "ls"})),
        R("r1", "a1", "10:00:02", "t1", "out"),
        U("u2", "a1", "10:00:03", "[Request interrupted by user]"),
        U("u3", "a1", "10:00:04", "second"),
    )

    assert found.turns == [[1, 2, 3, 4], [5]]
    assert found.labels(4) == ["harness.interrupt.user"]


def test_an_answer_opens_a_turn_and_tells_the_whole_question(home: Home) -> None:
    """K14."""
    found = asked(home, content="User has answered your questions: ..", tur=QUESTIONS)

    assert found.turns == [[1, 2], [3, 4]]
    assert found.labels(3) == ["user.answer", "agent.tool.result"]
    assert found.texts(3) == [
        "[AskUserQuestion · 1 question] Q1 (Env): Which env? - staging: safe - prod "
        "A1: staging note: after lunch"
    ]


def test_a_failed_question_is_no_answer(home: Home) -> None:
    """K14."""
    found = asked(home, content="User has answered your questions: ..", tur=QUESTIONS, err=True)

    assert found.turns == [[1, 2, 3, 4]]
    assert found.labels(3) == ["agent.tool.result"]


def test_a_free_answer_is_an_answer(home: Home) -> None:
    """K14: structured answers may be empty when the person wrote instead."""
    result = {"questions": [{"question": "Which env?"}], "answers": {}, "response": "neither"}
    found = asked(home, content="ok", tur=result)

    assert found.turns == [[1, 2], [3, 4]]
    assert found.texts(3) == ["[AskUserQuestion · 1 question] Q1 Which env? response: neither"]


def test_a_time_out_is_no_answer(home: Home) -> None:
    """K14."""
    found = asked(
        home, content="No response after 60s", tur={"answers": {}, "afkTimeoutMs": 60_000}
    )

    assert found.turns == [[1, 2, 3, 4]]


def test_a_response_of_another_tool_opens_no_turn(home: Home) -> None:
    """Any tool may call a field `response`."""
    found = asked(home, content="200", tur={"response": "<html>"})

    assert found.turns == [[1, 2, 3, 4]]


@pytest.mark.parametrize(
    ("tool", "given", "text"),
    [
        ("Edit", {}, "use the other file"),
        (
            "ExitPlanMode",
            {"planFilePath": "/p/plan.md"},
            "use the other file [plan: /p/plan.md]",
        ),
    ],
)
def test_a_rejection_with_a_reason_opens_a_turn(
    home: Home, tool: str, given: dict[str, str], text: str
) -> None:
    """K15."""
    found = read(
        home,
        U("u1", "-", "10:00:00", "go"),
        A("a1", "u1", "10:00:01", use("t1", tool, given)),
        R("r1", "a1", "10:00:02", "t1", REJECTED, err=True),
    )

    assert found.turns == [[1, 2], [3]]
    assert found.labels(3) == ["user.rejection", "agent.tool.result"]
    assert found.texts(3) == [text]


def test_a_bare_rejection_opens_none(home: Home) -> None:
    """K15."""
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    found = read(
        home,
        U("u1", "-", "10:00:00", "go"),
        A("a1", "u1", "10:00:01", use("t1", "Edit", {})),
        R("r1", "a1", "10:00:02", "t1", text, err=True),
    )

    assert found.turns == [[1, 2, 3]]
    assert found.labels(3) == ["agent.tool.result"]


def test_a_message_of_another_agent_opens_a_turn(home: Home) -> None:
    """K16."""
    text = (
        "Another Claude session sent a message:\n"
        '<teammate-message teammate_id="lead">please rebase</teammate-message>\n\nfooter'
    )
    found = read(home, U("u1", "-", "10:00:00", text))
    (view,) = found.views(1)

    assert found.turns == [[1]]
    assert found.labels(1) == ["agent.communication.inbox"]
    assert (view.text, view.sender, view.receiver) == ("please rebase", "lead", "self")


def test_a_question_about_tags_is_prose(home: Home) -> None:
    """K16: a tag counts only where the harness puts one."""
    found = read(home, U("u1", "-", "10:00:00", "why does <teammate-message appear here?"))

    assert found.labels(1) == ["user.message"]


def test_a_slash_command_opens_no_turn(home: Home) -> None:
    """K17."""
    wrapper = (
        "<command-message>demo</command-message>\n<command-name>/demo</command-name>\n"
        "<command-args>the docs</command-args>"
    )
    bare = wrapper.replace("the docs", "")
    found = read(home, U("u1", "-", "10:00:00", wrapper), U("u2", "u1", "10:00:01", bare))

    assert found.turns == [[1, 2]]
    assert found.labels(1) == ["user.message", "harness.command.invocation"]
    assert found.texts(1) == ["/demo the docs"]
    assert found.labels(2) == ["harness.command.invocation"]


def drafts(home: Home) -> Path:
    return (
        home.transcript()
        .lines(
            U("u1", "-", "10:00:00", "begin"),
            A("a1", "u1", "10:00:01", txt("ready")),
            U("u2", "a1", "10:00:05", "fix teh bug"),
            U("u3", "a1", "10:00:20", "fix the bug"),
            A("a2", "u3", "10:00:25", txt("done")),
        )
        .path
    )


def test_a_message_sent_again_makes_the_first_one_a_draft(home: Home) -> None:
    """K18."""
    found = Read(drafts(home))

    assert found.turns == [[1, 2], [4, 5]]
    assert found.labels(3) == ["user.unsent"]
    assert found.turn_of(3) is None


def test_progress_between_parents_is_looked_through(home: Home) -> None:
    """Progress records are parents of ordinary ones up to 2.1.67."""
    progress = {"type": "progress", "data": {"type": "hook_progress"}}
    found = read(
        home,
        U("u1", "-", "10:00:00", "begin"),
        A("a1", "u1", "10:00:01", txt("ready")),
        encode_line({**progress, "uuid": "p1", "parentUuid": "a1"}),
        U("u2", "p1", "10:00:05", "fix teh bug"),
        encode_line({**progress, "uuid": "p2", "parentUuid": "a1"}),
        U("u3", "p2", "10:00:20", "fix the bug"),
    )

    assert found.labels(4) == ["user.unsent"]


def test_null_parents_are_never_grouped(home: Home) -> None:
    found = read(home, U("u1", "-", "10:00:00", "one"), U("u2", "-", "10:00:01", "two"))

    assert found.turns == [[1], [2]]


def test_a_repeated_opener_is_no_draft(home: Home) -> None:
    """The same uuid, parent and message again is a copy: no view, no turn."""
    line = U("u2", "a1", "10:00:05", "again")
    found = read(
        home,
        U("u1", "-", "10:00:00", "begin"),
        A("a1", "u1", "10:00:01", txt("ready")),
        line,
        line,
    )

    assert found.turns == [[1, 2], [3]]
    assert found.labels(4) == []
    assert found.account.facts.copy_of == {(4, None, 0): 3}


def test_a_uuid_with_another_message_is_a_record_of_its_own(home: Home) -> None:
    """R27."""
    found = read(home, A("a1", "-", "10:00:00", txt("one")), A("a1", "-", "10:00:01", txt("two")))

    assert found.texts(2) == ["two"]


def test_a_notification_opens_a_turn_and_is_labelled_harness(home: Home) -> None:
    """K19."""
    text = (
        "<task-notification><task-id>b1</task-id><event>READY</event>"
        "<summary>Monitor event: build</summary></task-notification>"
    )
    found = read(home, U("u1", "-", "10:00:00", text))

    assert found.turns == [[1]]
    assert found.labels(1) == ["harness.notification.monitor"]
    assert found.texts(1) == ["[monitor b1 READY] Monitor event: build"]


def test_a_result_in_a_notification_is_a_second_view(home: Home) -> None:
    """K19: and a quoted tag inside it adds nothing."""
    text = (
        "<task-notification><task-id>b1</task-id><status>completed</status>"
        '<summary>Agent "x" completed</summary>'
        "<result>all green, no <teammate-message here</result></task-notification>"
    )
    found = read(home, U("u1", "-", "10:00:00", text))
    first, second = found.views(1)

    assert found.labels(1) == ["harness.notification.subagent", "agent.communication.inbox"]
    assert first.text == '[agent b1 completed] Agent "x" completed'
    assert second.text == "all green, no <teammate-message here"
    assert (second.sender, second.receiver) == ("?", "self")


def test_records_before_the_first_opener_belong_to_the_first_turn(home: Home) -> None:
    """K20."""
    found = read(home, A("a0", "-", "10:00:00", txt("hm")), U("u1", "a0", "10:00:01", "hi"))

    assert found.turns == [[1, 2]]


def test_a_file_without_opener_is_one_turn(home: Home) -> None:
    found = read(home, A("a0", "-", "10:00:00", txt("one")), A("a1", "a0", "10:00:01", txt("two")))

    assert found.turns == [[1, 2]]
