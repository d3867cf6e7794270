"""A person's words, told from what programs and the runtime put in their place."""

import pytest

from sessionizer.landing.record import Row
from tests.build.conversion import CHILD, line, row, user

BY_SHAPE = ("external_input", "by_shape")
COMMAND = "<command-name>/clear</command-name>\n<command-message>clear</command-message>"


def judged(made: Row) -> tuple[str, str, tuple[str, ...]]:
    """Trigger, run and flags."""
    return made.trigger, made.run, made.flags


@pytest.mark.parametrize(
    ("kind", "trigger", "flags"),
    [
        ("human", "external", ("external_input",)),
        ("task-notification", "notification", ()),
        ("peer", "unknown", ()),
        ("", "external", BY_SHAPE),
    ],
)
def test_a_stated_origin_decides(kind: str, trigger: str, flags: tuple[str, ...]) -> None:
    """Where it states one, the shape is not asked."""
    made = row(user("Do it", promptId="p1", origin={"kind": kind}))

    assert judged(made) == (trigger, "p1", flags)


def test_an_older_prompt_is_told_by_its_shape() -> None:
    """P13. It starts a run under its own id."""
    assert judged(row(user("Fix it"))) == ("external", "u1", BY_SHAPE)


def test_an_older_prompt_keeps_the_run_it_states() -> None:
    """R23. `{"type":"user","uuid":"u1","promptId":"p1","message":{"content":"Fix it"}}`."""
    assert judged(row(user("Fix it", promptId="p1"))) == ("external", "p1", BY_SHAPE)


def test_an_image_alone_is_a_prompt() -> None:
    """X2. A person may paste nothing but a picture."""
    image = {"type": "image", "source": {"media_type": "image/png", "data": "aGk="}}

    assert judged(row(user([image]))) == ("external", "u1", BY_SHAPE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        " <local-command-stdout></local-command-stdout>",
        "<local-command-stderr>x",
        "<bash-stdout>x",
        "<bash-stderr>x",
        "<system-reminder>x",
        "<local-command-caveat>x",
        "Caveat: The messages below were generated",
        '<teammate-message from="x">',
        '<agent-message from="x">',
    ],
)
@pytest.mark.parametrize("as_blocks", [False, True])
def test_what_the_runtime_writes_is_no_prompt(text: str, *, as_blocks: bool) -> None:
    """P13, R23. An interrupt, output of a command, a reminder: no person typed it."""
    content = [{"type": "text", "text": text}] if as_blocks else text

    assert judged(row(user(content))) == ("", "", ())


@pytest.mark.parametrize(
    "fields",
    [
        {"isCompactSummary": True},
        {"isSidechain": True},
        {"isMeta": True},
        {"toolUseResult": {"a": 1}},
        {"promptSource": "typed"},
        {"origin": {"kind": "peer"}},
    ],
)
def test_a_record_that_says_what_it_is_is_not_judged_by_shape(fields: dict[str, object]) -> None:
    """X2. Each of these tells that something else is going on."""
    assert "by_shape" not in row(user("Fix it", **fields)).flags


def test_a_result_is_no_prompt() -> None:
    """X2. Not even with a text beside it."""
    blocks = [
        {"type": "text", "text": "Here"},
        {"type": "tool_result", "tool_use_id": "t1", "content": "ok"},
    ]

    assert judged(row(user(blocks))) == ("", "", ())
    assert judged(row(user(blocks, promptSource="sdk"))) == ("", "", ())


def test_a_childs_prompt_is_its_parents() -> None:
    """R27. Whatever its shape."""
    assert judged(row(user("Fix it"), CHILD)) == ("", "", ())
    assert judged(row(user("Fix it", promptSource="sdk"), CHILD)) == ("", "", ())
    assert judged(row(user(COMMAND), CHILD)) == ("", "", ())
    assert judged(row(user("Fix it", origin={"kind": "human"}), CHILD)) == ("external", "", ())


def test_an_older_notification_is_told_by_its_tag() -> None:
    """X3. It has no run of its own."""
    text = "<task-notification>\n<task-id>b7b788a</task-id>"

    assert judged(row(user(text))) == ("notification", "", ())
    assert judged(row(user(text, promptId="p1"))) == ("notification", "p1", ())
    assert judged(row(user([{"type": "text", "text": text}]))) == ("", "", ())


def test_a_person_who_quotes_a_notification_is_still_a_person() -> None:
    """X2 before X3: only what opens with it is one."""
    made = row(user("What is <task-notification>?"))

    assert judged(made) == ("external", "u1", BY_SHAPE)


def test_a_headless_prompt_is_external() -> None:
    """P14. A program gave it; the source says so, and no shape is judged."""
    sdk = {"promptId": "p1", "promptSource": "sdk"}

    assert judged(row(user("Summarise", **sdk))) == ("external", "p1", ("external_input",))
    assert judged(row(user("Summarise", **sdk, isMeta=True))) == ("", "p1", ("injected",))
    note = {"origin": {"kind": "task-notification"}}
    assert judged(row(user("Summarise", **sdk, **note))) == ("notification", "p1", ())


def test_a_scheduled_prompt_is_no_person() -> None:
    """R23. It states a source, and not who that is."""
    made = row(user("check the build", promptId="p1", promptSource="system"))

    assert judged(made) == ("unknown", "p1", ())


def test_a_typed_command_is_a_command_and_no_input() -> None:
    """R23. `/clear` starts something, but says nothing to the agent."""
    made = row(user(COMMAND))

    assert judged(made) == ("external", "u1", ("command", "by_shape"))
    assert made.parts[0].name == "/clear"


def test_a_typed_command_with_a_run_needs_no_trigger() -> None:
    """P10, row 9: a run that states no trigger starts a talk."""
    made = row(user("<command-name>/model</command-name>", promptId="p3"))

    assert judged(made) == ("", "p3", ("command",))
    assert made.parts[0].name == "/model"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "<command-message>go</command-message>\n<command-name>/gsd:debug</command-name>",
            "/gsd:debug",
        ),
        ("<command-name>init</command-name>", "/init"),
        ("<command-message>init is analyzing</command-message>", ""),
    ],
)
def test_a_command_is_named_as_it_was_typed(text: str, name: str) -> None:
    """R23. Both orders of the tags exist; without the name nothing is guessed."""
    assert row(user(text)).parts[0].name == name


def test_a_command_given_by_a_program_is_external() -> None:
    """X1 and R23 together."""
    made = row(user(COMMAND, promptId="p1", promptSource="sdk"))

    assert judged(made) == ("external", "p1", ("command",))


def test_a_command_with_a_stated_person_is_theirs() -> None:
    """R23. The flag takes the place of `external_input`, the trigger stays."""
    made = row(user(COMMAND, promptId="p1", origin={"kind": "human"}))

    assert judged(made) == ("external", "p1", ("command",))


@pytest.mark.parametrize(
    "content", ["refresh the page", [{"type": "text", "text": "refresh the page"}]]
)
def test_a_queued_prompt_is_a_persons_message(content: object) -> None:
    """R22. It may stand nowhere else."""
    made = row(line(type="queue-operation", operation="enqueue", content=content, timestamp="T"))

    assert (made.origin, made.trigger, made.flags) == ("external", "external", ("queued",))
    assert (made.queue, made.time) == ("enqueue", "T")
    assert [(part.k, part.text, part.name) for part in made.parts] == [
        ("text", "refresh the page", "")
    ]


def test_a_queued_command_names_its_first_word() -> None:
    """R22. So that it can be found again when it is carried out."""
    made = row(line(type="queue-operation", operation="enqueue", content="/mcp list all"))

    assert (made.parts[0].text, made.parts[0].name) == ("/mcp list all", "/mcp")


@pytest.mark.parametrize(
    ("operation", "content"),
    [
        ("enqueue", "<task-notification>\n<task-id>b7b788a</task-id>"),
        ("enqueue", " <agent-message from='x'>"),
        ("enqueue", " \n"),
        ("enqueue", None),
        ("enqueue", []),
        ("enqueue", 5),
        ("dequeue", None),
        ("remove", "refresh the page"),
        ("popAll", None),
    ],
)
def test_any_other_queue_line_is_kept_whole(operation: str, content: object) -> None:
    """R22. An enqueued notification is not a second notification."""
    body = line(type="queue-operation", operation=operation, content=content)

    made = row(body)

    assert (made.origin, made.queue) == ("runtime", operation)
    assert judged(made) == ("", "", ())
    assert (made.tool, made.child) == ("", "")
    assert [(part.k, bytes(part.data)) for part in made.parts] == [("data", body)]


def test_a_queue_line_of_a_child_is_no_persons_message() -> None:
    """R27."""
    body = line(type="queue-operation", operation="enqueue", content="look")

    assert (row(body, CHILD).origin, row(body, CHILD).flags) == ("runtime", ())
