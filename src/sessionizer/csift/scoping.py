"""From what the user typed to the transcripts that a command reads."""

# ruff: noqa: PTH100, PTH123

import os
import sys
from collections.abc import Sequence

from sessionizer.base.errors import SessionizerError
from sessionizer.claude_code.home import read_home
from sessionizer.cli.context import Context
from sessionizer.transcripts.resolve import parse_targets, resolve_scope
from sessionizer.transcripts.scope import Scope
from sessionizer.transcripts.targets import Token, parse_id

# `typing` costs a tenth of the start-up budget, so it is seen by the type checker only.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class SpanningArguments(Protocol):
        """The arguments of a command that reads any number of transcripts."""

        claude_home: str | None
        path: tuple[str, ...]
        sessions_from: str | None
        no_subagents: bool

    class OneTranscriptArguments(Protocol):
        """The arguments of a command that reads exactly one transcript."""

        claude_home: str | None
        target: tuple[str, ...]


class NotOneTranscriptError(SessionizerError):
    """A target names no transcript, or several, where one is needed.

    Attributes:
        target: As it was typed.
        count: How many it names.
    """

    def __init__(self, target: str, count: int) -> None:
        super().__init__(
            f"{target} names {count} top-level transcripts; this command reads exactly one",
            hint="csift list shows their ids; a session is written @<uuid>, an agent @<agent id>",
        )
        self.target, self.count = target, count


class SessionsFileError(SessionizerError):
    """The file with the list of sessions cannot be read.

    Attributes:
        path: As it was given.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read the list of sessions {path}: {reason}")
        self.path = path


def read_scope(
    args: "SpanningArguments", context: Context, *, subagents: bool | None = None
) -> Scope:
    """Resolve positionals, `--sessions-from` and span; notes go to standard error.

    Args:
        args: What was typed.
        context: Where notes go.
        subagents: Whether agents are in the span; None for what `--no-subagents` says.

    Raises:
        SessionizerError: A target that names nothing, or several things.
    """
    tokens = list(parse_targets(args.path))
    if args.sessions_from is not None:
        tokens += _read_ids(args.sessions_from)
    return _resolve(
        tokens,
        args.claude_home,
        context,
        subagents=not args.no_subagents if subagents is None else subagents,
        nothing_is_everything=args.sessions_from is None,
    )


def read_transcript_scope(args: "OneTranscriptArguments", context: Context) -> Scope:
    """Resolve one target to one transcript: a session's own, or one agent's alone.

    Raises:
        NotOneTranscriptError: It names none, or several.
        SessionizerError: It names nothing.
    """
    (target,) = args.target
    scope = _resolve(parse_targets((target,)), args.claude_home, context, subagents=False)
    if len(scope.files) != 1:
        raise NotOneTranscriptError(target, len(scope.files))
    return scope


def _resolve(
    tokens: Sequence[Token],
    claude_home: str | None,
    context: Context,
    *,
    subagents: bool,
    nothing_is_everything: bool = False,
) -> Scope:
    home = read_home(claude_home)
    if home.source == "XDG_CONFIG_HOME":
        context.note(f"reading {home.path}")
    if home.others:
        context.note(f"CLAUDE_CONFIG_DIR names several homes; not read: {', '.join(home.others)}")
    scope = resolve_scope(
        tokens,
        home=os.path.abspath(home.path),
        environ=context.environ,
        subagents=subagents,
        nothing_is_everything=nothing_is_everything,
        on_unread=lambda thing: context.warn(f"could not read {thing.path}: {thing.reason}"),
    )
    for note in scope.notes:
        context.note(note)
    return scope


def _read_ids(path: str) -> list[Token]:
    try:
        if path == "-":
            if sys.stdin is None:
                raise SessionsFileError(path, "standard input is closed")
            text = sys.stdin.read()
        else:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
    except OSError as error:
        raise SessionsFileError(path, error.strerror or str(error)) from error
    return [parse_id(word) for word in text.split()]
