"""Help pages, generated from the flag tables.

The text is the same on every Python version and terminal width, so that pages in docs/ can
be compared with it.
"""

from collections.abc import Iterator, Sequence

from sessionizer.cli.command import Command, Program
from sessionizer.cli.flags import Flag, Positional

_WIDTH = 88
_INDENT = "      "


def render_program_help(program: Program) -> Iterator[str]:
    """`asz --help`: every command with its one-line summary, then the shared flags."""
    yield f"usage: {program.name} COMMAND [flags] [arguments]"
    yield ""
    yield from _wrap(program.summary, "")
    yield ""
    yield "commands:"
    width = max(len(name) for name, _ in program.commands)
    for name, summary in program.commands:
        yield f"  {name:<{width}}  {summary}"
    yield ""
    yield "flags of every command:"
    for flag in program.shared:
        yield from _render_flag(flag)
    yield ""
    yield f"`{program.name} COMMAND --help` documents a command, with examples."


def render_command_help(program: Program, name: str, command: Command) -> Iterator[str]:
    """`asz collect --help`: usage, what it does, arguments, flags, examples."""
    yield usage_line(program, name, command)
    yield ""
    for paragraph in command.DESCRIPTION.split("\n\n"):
        yield from _wrap(" ".join(paragraph.split()), "")
        yield ""
    if command.POSITIONALS:
        yield "arguments:"
        for positional in command.POSITIONALS:
            yield from _render_positional(positional)
        yield ""
    for title, flags in (("flags:", command.FLAGS), ("flags of every command:", program.shared)):
        if flags:
            yield title
            for flag in flags:
                yield from _render_flag(flag)
            yield ""
    yield "examples:"
    for example, purpose in command.EXAMPLES:
        yield f"  {example}"
        yield from _wrap(purpose, _INDENT)


def usage_line(program: Program, name: str, command: Command) -> str:
    """`usage: csift search PATTERN [PATH...] [flags]`."""
    words = [positional.spelling() for positional in command.POSITIONALS]
    return " ".join(["usage:", program.name, name, *words, "[flags]"])


def _render_flag(flag: Flag) -> Iterator[str]:
    yield f"  {flag.spelling()}"
    notes = [flag.help]
    if flag.choices:
        notes.append(f"One of {', '.join(flag.choices)}.")
    if flag.repeatable:
        notes.append("May be repeated.")
    if flag.metavar is not None and flag.default not in (None, (), ""):
        notes.append(f"Default {flag.default}.")
    if flag.conflicts:
        notes.append(f"Not beside {', '.join(flag.conflicts)}.")
    yield from _wrap(" ".join(notes), _INDENT)


def _render_positional(positional: Positional) -> Iterator[str]:
    yield f"  {positional.spelling()}"
    yield from _wrap(positional.help, _INDENT)


def _wrap(text: str, indent: str) -> Sequence[str]:
    lines: list[str] = []
    line = indent
    for word in text.split():
        if len(line) + len(word) + 1 > _WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    lines.append(line.rstrip())
    return lines
