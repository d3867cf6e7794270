"""The 35 labels, in their order, and what a selector selects. Pure.

Kept free of msgspec and typing, so that a wrong selector is refused before anything is read.

Source: docs/formats/labels.md.
"""

from collections.abc import Iterable, Sequence

from sessionizer.base.plain import Plain
from sessionizer.transcripts.errors import EmptySelectionError, SelectorError

USER_MESSAGE = "user.message"
USER_ANSWER = "user.answer"
USER_REJECTION = "user.rejection"
USER_UNSENT = "user.unsent"
USER_QUEUED = "user.queued"
AGENT_MESSAGE = "agent.message"
THINKING = "agent.thinking"
NARRATION = "agent.thinking.narration"
TOOL_USE = "agent.tool.use"
TOOL_RESULT = "agent.tool.result"
INBOX = "agent.communication.inbox"
SENT = "agent.communication.sent"
SIGNAL = "agent.communication.signal"
NOTIFIED_WORKFLOW = "harness.notification.workflow"
NOTIFIED_MONITOR = "harness.notification.monitor"
NOTIFIED_SUBAGENT = "harness.notification.subagent"
NOTIFIED_COMMAND = "harness.notification.background-command"
NOTIFIED_TASK = "harness.notification.task"
SUMMARY = "harness.compaction.summary"
BOUNDARY = "harness.compaction.boundary"
INVOCATION = "harness.command.invocation"
STDOUT = "harness.command.stdout"
INTERRUPT_USER = "harness.interrupt.user"
INTERRUPT_TOOL = "harness.interrupt.tool"
WAKEUP = "harness.schedule.wakeup"
CONTINUATION = "harness.schedule.continuation"
HOOK = "harness.meta.hook"
LOOP = "harness.meta.loop"
ATTACHMENT = "harness.meta.attachment"
TURN_DURATION = "harness.meta.turn-duration"
AWAY_SUMMARY = "harness.meta.away-summary"
STOP_HOOKS = "harness.meta.stop-hooks"
SNAPSHOT = "harness.meta.snapshot"
SYSTEM = "harness.meta.system"
PROGRESS = "harness.meta.progress"

LABELS = (
    USER_MESSAGE,
    USER_ANSWER,
    USER_REJECTION,
    USER_UNSENT,
    USER_QUEUED,
    AGENT_MESSAGE,
    THINKING,
    NARRATION,
    TOOL_USE,
    TOOL_RESULT,
    INBOX,
    SENT,
    SIGNAL,
    NOTIFIED_WORKFLOW,
    NOTIFIED_MONITOR,
    NOTIFIED_SUBAGENT,
    NOTIFIED_COMMAND,
    NOTIFIED_TASK,
    SUMMARY,
    BOUNDARY,
    INVOCATION,
    STDOUT,
    INTERRUPT_USER,
    INTERRUPT_TOOL,
    WAKEUP,
    CONTINUATION,
    HOOK,
    LOOP,
    ATTACHMENT,
    TURN_DURATION,
    AWAY_SUMMARY,
    STOP_HOOKS,
    SNAPSHOT,
    SYSTEM,
    PROGRESS,
)
ORDER = {label: number for number, label in enumerate(LABELS)}
COMMUNICATION = frozenset({INBOX, SENT, SIGNAL})
NOTIFICATIONS = {
    "workflow": NOTIFIED_WORKFLOW,
    "monitor": NOTIFIED_MONITOR,
    "agent": NOTIFIED_SUBAGENT,
    "background-command": NOTIFIED_COMMAND,
    "task": NOTIFIED_TASK,
}

# Leaves of lines that are read only when a selector reaches them.
GATED = (TURN_DURATION, AWAY_SUMMARY, STOP_HOOKS, SNAPSHOT, SYSTEM, PROGRESS)
# Leaves that were never sent to a model; a bare role leaves them out.
INVISIBLE = frozenset({USER_UNSENT, BOUNDARY, ATTACHMENT, *GATED})

ROLES = ("user", "agent", "harness")
_LEGACY = {"thinking": THINKING, "tool": "agent.tool", "tool-response": TOOL_RESULT}


def _list_prefixes() -> tuple[str, ...]:
    found: dict[str, None] = {}
    for label in LABELS:
        parts = label.split(".")
        for length in range(1, len(parts) + 1):
            found[".".join(parts[:length])] = None
    return tuple(found)


PREFIXES = _list_prefixes()


class Selection(Plain):
    """Which labels are asked for.

    Attributes:
        included: The selectors of `-t`, as typed.
        excluded: The selectors of `-T`, as typed.
        labels: The leaves that are selected.
        reached: The leaves that some `-t` names, bare roles aside: their lines are read.
    """

    __slots__ = ("excluded", "included", "labels", "reached", "without_excluded")
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    labels: frozenset[str]
    reached: frozenset[str]
    without_excluded: frozenset[str]

    def __init__(
        self,
        *,
        included: tuple[str, ...],
        excluded: tuple[str, ...],
        labels: frozenset[str],
        reached: frozenset[str],
        without_excluded: frozenset[str],
    ) -> None:
        self._set(
            included=included,
            excluded=excluded,
            labels=labels,
            reached=reached,
            without_excluded=without_excluded,
        )

    @property
    def is_filter(self) -> bool:
        """Whether any selector was given."""
        return bool(self.included or self.excluded)


def select_labels(included: Iterable[str], excluded: Iterable[str]) -> Selection:
    """What `-t` and `-T` select together; each value may be a comma list.

    Raises:
        SelectorError: A selector that names nothing.
        EmptySelectionError: `-T` takes away all that `-t` selects.
    """
    wanted, unwanted = _split(included), _split(excluded)
    out = frozenset(label for selector in unwanted for label in expand_selector(selector))
    chosen = frozenset(label for selector in wanted for label in expand_selector(selector))
    labels = (chosen if wanted else frozenset(LABELS)) - out
    if wanted and not labels:
        raise EmptySelectionError(
            f"-T excludes every label the -t selection includes: -t {','.join(wanted)} "
            f"-T {','.join(unwanted)}"
        )
    explicit = frozenset(
        label for selector in wanted if selector not in ROLES for label in expand_selector(selector)
    )
    return Selection(
        included=wanted,
        excluded=unwanted,
        labels=labels,
        reached=explicit - out,
        without_excluded=frozenset(LABELS) - out,
    )


def expand_selector(selector: str) -> tuple[str, ...]:
    """The leaves a selector selects, in their order.

    Raises:
        SelectorError: It names nothing.
    """
    if selector in ROLES:
        leaves = (leaf for leaf in LABELS if leaf.startswith(f"{selector}."))
        return tuple(leaf for leaf in leaves if leaf not in INVISIBLE)
    prefix = selector.removesuffix(".*")
    if prefix in PREFIXES:
        return tuple(leaf for leaf in LABELS if leaf == prefix or leaf.startswith(f"{prefix}."))
    if selector in _LEGACY:
        raise SelectorError(f"{selector!r} selects no label; use {_LEGACY[selector]}")
    raise SelectorError(f"{selector!r} selects no label; valid: {', '.join(PREFIXES)}")


def _split(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(","))


def join_selectors(selectors: Sequence[str]) -> str:
    """Selectors as a footer prints them; `all` for none."""
    return ",".join(selectors) or "all"
