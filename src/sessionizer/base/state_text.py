"""Small state files: one `key value` pair per line (asz formats, section 11)."""

from collections.abc import Mapping


def parse_state(text: str) -> dict[str, str]:
    """Read `key value` lines. Blank lines and lines starting with `#` are ignored.

    A key ends at the first space; further spaces before the value are padding. A key
    without a value has the empty string. The last of equal keys counts.
    """
    pairs: dict[str, str] = {}
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition(" ")
        pairs[key] = value.lstrip(" ")
    return pairs


def parse_number(text: str | None) -> int:
    """A non-negative decimal number; 0 when `text` is absent or is not one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 20 else 0


def format_state(pairs: Mapping[str, str | int | None]) -> bytes:
    """Write pairs in order, padded so that the values stand below each other.

    A pair whose value is None is left out. Line ends inside a value become spaces, since a
    line is a pair.
    """
    present = {key: value for key, value in pairs.items() if value is not None}
    width = max(map(len, present), default=0)
    lines = []
    for key, value in present.items():
        text = value if isinstance(value, str) else str(value)
        if "\n" in text or "\r" in text:
            text = text.replace("\n", " ").replace("\r", " ")
        lines.append(f"{key.ljust(width)} {text}".rstrip() + "\n")
    return "".join(lines).encode()
