"""The grammar of targets: what a token on the command line may mean. Pure.

A token's form says what to look for; whether it exists is found out by `resolve`.
Kept free of msgspec and typing: every start comes through here.
"""

import re
from itertools import pairwise

from sessionizer.base.plain import Plain
from sessionizer.claude_code.directory_names import is_windows_path
from sessionizer.claude_code.ids import is_session_id
from sessionizer.transcripts.errors import ACCEPTED_FORMS, MarkerError, TargetError

# Kinds of tokens.
MAIN = "main"  # the calling session
TRAP = "trap"  # the transcript whose own command carries the marker
SESSION = "session"  # a whole session id
NAME = "name"  # an agent id, or the beginning of an id
FILE = "file"  # one transcript by its path
DIRECTORY = "directory"  # an encoded project directory
DRIVE = "drive"  # an encoded directory, or else a path: `C--work`
PATH = "path"  # a working directory
WINDOWS = "windows"  # a working directory on Windows

_TRANSCRIPT = ".jsonl"
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SHORT_PREFIX = re.compile(r"[0-9a-fA-F]{4,11}")
_TOO_SHORT = re.compile(r"[0-9a-fA-F]{1,3}")
_HEX_AGENT = re.compile(r"[0-9a-fA-F]{12,}")
_TEAMMATE = re.compile(r"a[A-Za-z0-9-]+-[0-9a-fA-F]{12,}")
_ENCODED = re.compile(r"-[A-Za-z0-9-]*|[A-Za-z]--[A-Za-z0-9-]*")
_DRIVE = re.compile(r"[A-Za-z]--[A-Za-z0-9-]*")
_DASHES = (8, 13, 18, 23)

_WORD = "[A-Z][a-z]{2,}"
_MARKER = re.compile(rf"{_WORD}{_WORD}{_WORD}([0-9]{{4}})")
_RESERVED_MARKER = "JollyShinyBrook4283"
_MARKER_RULE = (
    "a marker is three words, each a capital and two or more small letters, then four digits "
    "that are no run like 1234 or 2468"
)


class Token(Plain):
    """One target: what it is by its form, and the part that names something.

    Attributes:
        kind: One of the kinds above.
        value: The id, name, path or marker, without `@`.
        text: As it was typed, for messages.
    """

    __slots__ = ("kind", "text", "value")
    kind: str
    text: str
    value: str

    def __init__(self, kind: str, value: str, text: str) -> None:
        self._set(kind=kind, value=value, text=text)

    @property
    def is_project(self) -> bool:
        """Whether it names a project directory and not one transcript."""
        return self.kind in (DIRECTORY, DRIVE, PATH, WINDOWS)


def parse_token(text: str) -> Token:
    """What `text` is by its form.

    Raises:
        TargetError: No accepted form.
        MarkerError: A marker that breaks its grammar.
    """
    if text.startswith("@"):
        return _parse_reference(text)
    if text.endswith(_TRANSCRIPT):
        return Token(FILE, text, text)
    if is_windows_path(text):
        return Token(WINDOWS, text, text)
    if _DRIVE.fullmatch(text):
        return Token(DRIVE, text, text)
    if text.startswith("-") and _ENCODED.fullmatch(text):
        return Token(DIRECTORY, text, text)
    if not text:
        raise TargetError(text, "an empty target names nothing", hint=ACCEPTED_FORMS)
    return Token(PATH, text, text)


def parse_id(text: str) -> Token:
    """A word of a list of ids: like a target, with the `@` optional.

    Raises:
        TargetError: Neither a session id, a prefix, nor an agent id.
    """
    name = text.removeprefix("@")
    if is_session_id(name):
        return Token(SESSION, name, f"@{name}")
    if _NAME.fullmatch(name) and not _ENCODED.fullmatch(name):
        return Token(NAME, name, f"@{name}")
    raise TargetError(text, f"{text!r} in the list of sessions is no session or agent id")


def is_prefix(name: str) -> bool:
    """Whether `name` may be the beginning of an id: 4-11 hex, or 12-35 of a uuid's form."""
    return _SHORT_PREFIX.fullmatch(name) is not None or _is_uuid_beginning(name)


def is_agent_shaped(name: str) -> bool:
    """Whether `name` has the form of an agent's id, so that it needs no file to be one."""
    return _HEX_AGENT.fullmatch(name) is not None or _TEAMMATE.fullmatch(name) is not None


def is_id_shaped(text: str) -> bool:
    """Whether a token without `@` was probably meant as an id."""
    return is_session_id(text) or is_prefix(text) or is_agent_shaped(text)


def is_too_short(name: str) -> bool:
    """Whether `name` is hex, but shorter than a prefix may be."""
    return _TOO_SHORT.fullmatch(name) is not None


def is_encoded(name: str) -> bool:
    """Whether `name` may be an encoded directory: it begins with a dash, or `C--`."""
    return _ENCODED.fullmatch(name) is not None


def _parse_reference(text: str) -> Token:
    name = text[1:]
    if name == "main":
        return Token(MAIN, name, text)
    if name.startswith("trap:"):
        return Token(TRAP, _parse_marker(name.removeprefix("trap:")), text)
    if is_session_id(name):
        return Token(SESSION, name, text)
    if is_too_short(name):
        raise TargetError(
            text, f"{text} is too short: a prefix needs 4-11 hex digits", hint=ACCEPTED_FORMS
        )
    if _NAME.fullmatch(name):
        return Token(NAME, name, text)
    raise TargetError(text, f"{text} is no target", hint=ACCEPTED_FORMS)


def _parse_marker(marker: str) -> str:
    match = _MARKER.fullmatch(marker)
    if match is None:
        raise MarkerError(f"{marker!r} is no marker", hint=_MARKER_RULE)
    digits = [int(digit) for digit in match[1]]
    steps = {after - before for before, after in pairwise(digits)}
    if len(steps) == 1 and abs(steps.pop()) <= 2:
        raise MarkerError(f"the digits of {marker!r} are a run", hint=_MARKER_RULE)
    if marker == _RESERVED_MARKER:
        raise MarkerError(
            f"the marker {marker!r} is the example of the manual", hint="invent another one"
        )
    return marker


def _is_uuid_beginning(name: str) -> bool:
    if not 12 <= len(name) <= 35:
        return False
    return all(
        (character == "-") if index in _DASHES else character in "0123456789abcdefABCDEF"
        for index, character in enumerate(name)
    )
