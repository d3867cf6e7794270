"""Fixed texts that Claude Code writes, and small questions about them.

All of them stand here and nowhere else: when a version changes a wording, this is the
module to change. Kept free of msgspec and typing.

Source: docs/formats/transcript.md, "Markers".
"""

import re

# Words of single fields.
SYNTHETIC_MODEL = "<synthetic>"  # an assistant record that the client made itself
ORIGIN_HUMAN = "human"
ORIGIN_NOTIFICATION = "task-notification"
PROMPT_SOURCE_SDK = "sdk"  # a program's prompt in headless use
PROMPT_SOURCE_SYSTEM = "system"
COMMAND_MODE_PROMPT = "prompt"
STATUS_LAUNCHED = "async_launched"
STATUS_FORKED = "forked"
STATUS_COMPLETED = "completed"
STATUS_TEAMMATE = "teammate_spawned"
QUEUE_ENQUEUE = "enqueue"
QUEUE_DEQUEUE = "dequeue"
QUEUE_REMOVE = "remove"
QUEUE_POP_ALL = "popAll"

# Whole texts.
INTERRUPT_USER = "[Request interrupted by user]"
INTERRUPT_TOOL = "[Request interrupted by user for tool use]"
CONTINUATION = "Continue from where you left off."

# Tags.
NOTIFICATION_TAG = "task-notification"
TEAMMATE_TAG = "teammate-message"
AGENT_TAG = "agent-message"
PEER_TAGS = (TEAMMATE_TAG, AGENT_TAG)
NOTIFICATION_OPEN = "<task-notification>"
NOTIFICATION_CLOSE = "</task-notification>"
TEAMMATE_OPEN = "<teammate-message"
TEAMMATE_CLOSE = "</teammate-message>"
AGENT_OPEN = "<agent-message"
AGENT_CLOSE = "</agent-message>"
SECTION_CLOSES = (NOTIFICATION_CLOSE, TEAMMATE_CLOSE, AGENT_CLOSE)

# Openings.
LOCAL_STDOUT = "<local-command-stdout>"
LOCAL_STDERR = "<local-command-stderr>"
LOCAL_CAVEAT = "<local-command-caveat>"
BASH_INPUT = "<bash-input>"  # what a person typed after `!`
BASH_STDOUT = "<bash-stdout>"
BASH_STDERR = "<bash-stderr>"
SYSTEM_REMINDER = "<system-reminder>"
INTERRUPT_OPENING = "[Request interrupted"
OLD_CAVEAT = "Caveat: The messages below"
SLASH_WRAPPERS = ("<command-name>", "<command-message>")  # both tag orders exist
RELAY_PREAMBLES = (
    "Another Claude session sent a message:",
    "Another Claude session sent a message while you were working:",
    "A peer session sent a message while you were working:",
)
ANSWER_OPENINGS = (
    "User has answered your questions",
    "Your questions have been answered",
    "The user answered:",
    "The user responded:",
)
LAUNCH_OPENING = "Async agent launched successfully"
LOOP_CHECK_OPENING = "# Autonomous loop check"
LOOP_TICK_OPENING = "# Autonomous loop tick"
STOP_HOOK_OPENING = "Stop hook feedback:"
IMAGE_OPENING = "[Image: source:"
PERSISTED_OPENING = "Full output saved to: "

# Texts that stand somewhere inside.
REJECTION = "The user doesn't want to proceed with this tool use"
REJECTION_REASON = "To tell you how to proceed, the user said:\n"
DYNAMIC_LOOP = "<<autonomous-loop-dynamic>>"
TIMER_CALL = "You're being invoked on a timer"
LOOP_CALL = "Run the autonomous check"
EDIT_FAILED = "The last Edit failed because the target file was modified"

# What a `user` record opens with when no person wrote it.
MACHINE_OPENINGS = (
    NOTIFICATION_OPEN,
    LOCAL_STDOUT,
    LOCAL_STDERR,
    BASH_STDOUT,
    BASH_STDERR,
    SYSTEM_REMINDER,
    LOCAL_CAVEAT,
    INTERRUPT_OPENING,
    OLD_CAVEAT,
    TEAMMATE_OPEN,
    AGENT_OPEN,
)

INTERNAL_AGENT_PREFIXES = ("acompact-", "aprompt_suggestion-", "aside_question-")

# What the summary of a notification begins with, in lower case, and the kind it tells of.
NOTIFICATION_KINDS = (
    ("background command", "background-command"),
    ("dynamic workflow", "workflow"),
    ("workflow", "workflow"),
    ("monitor", "monitor"),
    ("scheduled", "monitor"),
    ("cron", "monitor"),
    ("agent", "agent"),
)

_AGENTS_STOPPED = re.compile(r"\d+ background agents? (?:was|were) stopped by the user", re.ASCII)
_ONE_AGENT_STOPPED = 'Background agent "'
_BY_THE_USER = " was stopped by the user"


def tag_value(text: str, tag: str) -> str | None:
    """The trimmed text between the first `<tag>` and the `</tag>` after it; None without one."""
    _, opened, rest = text.partition(f"<{tag}>")
    value, closed, _ = rest.partition(f"</{tag}>")
    return value.strip() if opened and closed else None


def tag_values(text: str, tag: str) -> tuple[str, ...]:
    """The trimmed texts of every `<tag>...</tag>`, in order."""
    values: list[str] = []
    while True:
        _, opened, text = text.partition(f"<{tag}>")
        value, closed, text = text.partition(f"</{tag}>")
        if not (opened and closed):
            return tuple(values)
        values.append(value.strip())


def opens_with_machine_text(text: str) -> bool:
    """Whether the text of a user record begins, after white space, as no person's does."""
    return text.lstrip().startswith(MACHINE_OPENINGS)


def is_slash_wrapper(text: str) -> bool:
    """Whether the text is the wrapper in which a typed slash command is recorded."""
    return text.startswith(SLASH_WRAPPERS)


def command_name(text: str) -> str | None:
    """`/word` of a slash command's wrapper; None for any other text, or without a name."""
    if not is_slash_wrapper(text.lstrip()):
        return None
    name = tag_value(text, "command-name")
    return f"/{name.removeprefix('/')}" if name else None


def command_arguments(text: str) -> str | None:
    """What was typed after the command in a slash command's wrapper; None without any."""
    return (tag_value(text, "command-args") or None) if is_slash_wrapper(text.lstrip()) else None


def is_internal_agent(agent_id: str) -> bool:
    """Whether the runtime started this agent for itself: no person's work, no tool's child."""
    return agent_id.startswith(INTERNAL_AGENT_PREFIXES)


def tells_agents_stopped(text: str) -> bool:
    """Whether the text is the runtime's notice that a person stopped background agents."""
    text = text.lstrip()
    if text.startswith(_ONE_AGENT_STOPPED):
        return _BY_THE_USER in text
    return _AGENTS_STOPPED.match(text) is not None
