"""How a working directory becomes the name of its project directory. There is no way back.

Kept free of msgspec and typing: `csift list --help` loads this module.

Source: docs/formats/transcript.md, "Project directories".
"""

import ntpath
import re
import unicodedata

NAME_CAP = 200

_OTHER = re.compile(r"[^A-Za-z0-9]")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def encode_directory(path: str) -> str:
    """The name Claude Code gives to the project directory of the absolute `path`.

    Every UTF-16 unit outside A-Z, a-z, 0-9 becomes one dash, so a character outside the
    basic plane becomes two. Nothing is collapsed or folded. Longer names than `NAME_CAP`
    are cut by the writer: see `truncated_prefix`.
    """
    return _OTHER.sub(_spell_dashes, unicodedata.normalize("NFC", path))


def truncated_prefix(encoded: str) -> str | None:
    """What the directory's name begins with when `encoded` is too long; else None.

    What follows is a hash that cannot be computed here.
    """
    return encoded[:NAME_CAP] + "-" if len(encoded) > NAME_CAP else None


def is_windows_path(text: str) -> bool:
    r"""Whether `text` is an absolute Windows path: `C:\...`, `C:/...` or `\\server\...`."""
    return text.startswith("\\\\") or _DRIVE.match(text) is not None


def normalise_windows(text: str) -> str:
    r"""The same Windows path with `\` between its parts and without `.`, `..`, a last `\`."""
    return ntpath.normpath(text)


def _spell_dashes(character: re.Match[str]) -> str:
    return "--" if character.group() > "\uffff" else "-"
