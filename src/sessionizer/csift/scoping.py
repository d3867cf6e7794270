"""From what the user typed to the transcripts that a command reads."""

# ruff: noqa: PTH100, PTH123

import os
import sys

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


class SessionsFileError(SessionizerError):
    """The file with the list of sessions cannot be read.

    Attributes:
        path: As it was given.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read the list of sessions {path}: {reason}")
        self.path = path


def read_scope(args: "SpanningArguments", context: Context) -> Scope:
    """Resolve positionals, `--sessions-from` and span; notes go to standard error.

    Raises:
        SessionizerError: A target that names nothing, or several things.
    """
    tokens = list(parse_targets(args.path))
    if args.sessions_from is not None:
        tokens += _read_ids(args.sessions_from)
    home = read_home(args.claude_home)
    if home.source == "XDG_CONFIG_HOME":
        context.note(f"reading {home.path}")
    if home.others:
        context.note(f"CLAUDE_CONFIG_DIR names several homes; not read: {', '.join(home.others)}")
    scope = resolve_scope(
        tokens,
        home=os.path.abspath(home.path),
        environ=context.environ,
        subagents=not args.no_subagents,
        nothing_is_everything=args.sessions_from is None,
    )
    for note in scope.notes:
        context.note(note)
    return scope


def _read_ids(path: str) -> list[Token]:
    try:
        if path == "-":
            text = sys.stdin.read()
        else:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
    except OSError as error:
        raise SessionsFileError(path, error.strerror or str(error)) from error
    return [parse_id(word) for word in text.split()]
