"""What a program and a command are, for the code that runs them."""

from collections.abc import Mapping, Sequence

from sessionizer.cli.context import Context
from sessionizer.cli.flags import Arguments, Flag, Positional

# `typing` costs a tenth of the start-up budget, so it is seen by the type checker only.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Command(Protocol):
        """The module `<program>/commands/<name>/command.py`.

        Attributes:
            DESCRIPTION: Paragraphs, separated by blank lines.
            POSITIONALS: In order.
            FLAGS: The command's own flags; shared ones are the program's.
            EXAMPLES: A command line to copy, and what it is for.
            Args: The class of `run`'s first argument.
        """

        DESCRIPTION: str
        POSITIONALS: tuple[Positional, ...]
        FLAGS: tuple[Flag, ...]
        EXAMPLES: tuple[tuple[str, str], ...]
        Args: type[Arguments]

        def run(self, args: Arguments, context: Context) -> int:
            """Do it, print it, and return the exit code."""
            ...

else:
    Command = object


class Program:
    """One of the two programs.

    Attributes:
        name: As typed, `asz`.
        summary: What it is for, for `--help`.
        error_prefix: What stands before the message of an error.
        commands: Name and one-line summary of each, in the order of `--help`.
        hidden: Commands that work and are not listed.
        shared: Flags that every command accepts, before or after its name.
        package: Where commands lie: `<package>.<name>.command`.
        dash_positionals: Whether arguments may start with one dash.
    """

    __slots__ = (
        "commands",
        "dash_positionals",
        "error_prefix",
        "hidden",
        "name",
        "package",
        "shared",
        "summary",
    )

    def __init__(
        self,
        *,
        name: str,
        summary: str,
        error_prefix: str,
        commands: Sequence[tuple[str, str]],
        shared: Sequence[Flag],
        package: str,
        dash_positionals: bool,
        hidden: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.summary = summary
        self.error_prefix = error_prefix
        self.commands = tuple(commands)
        self.shared = tuple(shared)
        self.package = package
        self.dash_positionals = dash_positionals
        self.hidden = dict(hidden or {})
