"""Run `asz` or `csift` and keep what they print, in this process or as installed."""

import importlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

import msgspec


class Result(msgspec.Struct, frozen=True):
    """What one run left: exit code and both output streams, as text and as bytes."""

    exit_code: int
    stdout_bytes: bytes
    stderr_bytes: bytes

    @property
    def stdout(self) -> str:
        """Standard output; anything but UTF-8 fails the test."""
        return self.stdout_bytes.decode()

    @property
    def stderr(self) -> str:
        """Standard error; anything but UTF-8 fails the test."""
        return self.stderr_bytes.decode()

    def rows(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The JSON lines of standard output, of one `type` (or `kind`) or all."""
        rows = [json.loads(line) for line in self.stdout.split("\n") if line]
        if kind is None:
            return rows
        return [row for row in rows if kind in (row.get("type"), row.get("kind"))]


class Program(Protocol):
    """A call runs the program once. `env` adds variables, None removes one."""

    def __call__(
        self,
        *arguments: str | Path,
        stdin: str | bytes = b"",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
    ) -> Result:
        """Run with `arguments` and wait for the end."""


class InProcess:
    """The program as a function call: fast, and seen by coverage and the guard."""

    def __init__(self, name: str, main: Callable[[list[str]], int] | None = None) -> None:
        self.name = name
        self._main = main

    def __call__(
        self,
        *arguments: str | Path,
        stdin: str | bytes = b"",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
    ) -> Result:
        """Run `sessionizer.<name>.main.main`, or the given function, with its own streams."""
        main = self._main or importlib.import_module(f"sessionizer.{self.name}.main").main
        given = [str(argument) for argument in arguments]
        source, out, err = io.BytesIO(_encoded(stdin)), io.BytesIO(), io.BytesIO()
        before = Path.cwd()
        with (
            patch.dict(os.environ, _environment(env), clear=True),
            patch.object(sys, "argv", [self.name, *given]),
            patch.object(sys, "stdin", io.TextIOWrapper(source, "utf-8")),
            patch.object(sys, "stdout", _text_stream(out)),
            patch.object(sys, "stderr", _text_stream(err)),
        ):
            try:
                if cwd is not None:
                    os.chdir(cwd)
                code = main(given)
            except SystemExit as ended:
                code = _exit_code(ended)
            finally:
                os.chdir(before)
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
            return Result(code or 0, out.getvalue(), err.getvalue())


class Installed:
    """The console script beside this interpreter, in a process of its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(
        self,
        *arguments: str | Path,
        stdin: str | bytes = b"",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
    ) -> Result:
        """Run the script; a run over 120 s fails the test."""
        script = Path(sys.executable).with_name(self.name)
        done = subprocess.run(
            [str(script), *(str(argument) for argument in arguments)],
            input=_encoded(stdin),
            env=_environment(env),
            cwd=cwd,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _environment(changes: Mapping[str, str | None] | None) -> dict[str, str]:
    merged: dict[str, str | None] = {**os.environ, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def _text_stream(target: io.BytesIO) -> io.TextIOWrapper:
    # write_through: bytes written to .buffer and text stay in the order they were written.
    return io.TextIOWrapper(target, "utf-8", newline="\n", write_through=True)


def _exit_code(ended: SystemExit) -> int:
    if ended.code is None or isinstance(ended.code, int):
        return ended.code or 0
    sys.stderr.write(f"{ended.code}\n")  # as the interpreter does
    return 1
