"""Run one command line: the only place where errors become exit codes."""

import os
import sys
from importlib import import_module

from sessionizer.base.errors import SessionizerError, UsageError
from sessionizer.cli.command import Command, Program
from sessionizer.cli.context import Context
from sessionizer.cli.parsing import parse_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import cast
else:

    def cast(_kind: object, value: object) -> object:
        """What `typing.cast` does, without its import."""
        return value


INTERRUPTED = 130
DEBUG_VARIABLE = "SESSIONIZER_DEBUG"


def run_program(program: Program, argv: list[str]) -> int:
    """Run `argv` (without the program's name) and return the exit code.

    0 done; 1 an error found by the program; 2 a wrong command line; 130 after ctrl-c. An
    error is one line on standard error. A defect is one line too; with SESSIONIZER_DEBUG=1
    in the environment it is a traceback.
    """
    context = Context(program.name)
    try:
        return _dispatch(program, argv, context)
    except UsageError as error:
        context.say(_one_line(program, error))
        context.say(_usage(program, argv))
        return error.exit_code
    except SessionizerError as error:
        context.say(_one_line(program, error))
        return error.exit_code
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        where = f": {error.filename}" if error.filename else ""
        context.say(f"{program.error_prefix}{error.strerror or error}{where}")
        return 1
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        context.say(
            f"{program.error_prefix}this is a defect of {program.name}: "
            f"{type(error).__name__}: {' '.join(str(error).split())[:300]} "
            f"({DEBUG_VARIABLE}=1 shows where; please report it)"
        )
        return 1


def _dispatch(program: Program, argv: list[str], context: Context) -> int:
    name, tokens = _split_command(program, argv)
    if name is None:
        if "--version" in tokens:
            from sessionizer.cli.version import describe_version

            context.write([describe_version(program.name, verbose="--verbose" in tokens)])
            return 0
        if "--help" in tokens or "-h" in tokens:
            from sessionizer.cli.help import render_program_help

            context.write(render_program_help(program))
            return 0
        raise UsageError("no command is given")
    known = [command for command, _ in program.commands]
    if name in program.hidden:
        raise SessionizerError(program.hidden[name])
    if name not in known:
        raise UsageError(f"unknown command {name!r} (known: {', '.join(known)})")
    command = _load(program, name)
    before_words = tokens[: tokens.index("--")] if "--" in tokens else tokens
    if "--help" in before_words or "-h" in before_words:
        from sessionizer.cli.help import render_command_help

        context.write(render_command_help(program, name, command))
        return 0
    values = parse_tokens(
        tokens,
        (*command.FLAGS, *program.shared),
        command.POSITIONALS,
        dash_positionals=program.dash_positionals,
    )
    return command.run(command.Args(values), context)


def _load(program: Program, name: str) -> Command:
    return cast("Command", import_module(f"{program.package}.{name}.command"))


def _split_command(program: Program, argv: list[str]) -> tuple[str | None, list[str]]:
    """The command's name, and the line without it. Shared flags may stand before the name."""
    values = {flag.name for flag in program.shared if flag.takes_next}
    index = 0
    while index < len(argv):
        token = argv[index]
        if not token.startswith("-"):
            return token, argv[:index] + argv[index + 1 :]
        if token == "--":
            break
        index += 2 if token in values else 1
    return None, argv


def _one_line(program: Program, error: SessionizerError) -> str:
    from sessionizer.base.text import normalise, visible

    hint = f"; {error.hint}" if error.hint else ""
    return visible(normalise(f"{program.error_prefix}{error}{hint}"))


def _usage(program: Program, argv: list[str]) -> str:
    name, _ = _split_command(program, argv)
    if name is not None and name in dict(program.commands):
        from sessionizer.cli.help import usage_line

        return usage_line(program, name, _load(program, name))
    return f"usage: {program.name} COMMAND [flags] [arguments]   ({program.name} --help lists them)"


def _drop_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush cannot fail."""
    if sys.stdout is None:  # closed before the start
        return
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(sink)
