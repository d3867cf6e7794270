"""Text for people: white space, clipping, and characters a terminal would act on.

All lengths are code points.
"""

import re

# The Unicode White_Space set. `str.split()` also splits at U+001C to U+001F, which are not in it.
_WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_WHITE_RUN = re.compile(f"[{_WHITE}]+")
# C0, DEL, C1 and the bidirectional controls: they can rewrite what a terminal shows.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def normalise(text: str) -> str:
    """Every run of white space becomes one space; the ends are trimmed."""
    return _WHITE_RUN.sub(" ", text).strip(" ")


def truncate(text: str, limit: int) -> str:
    """The first `limit` characters, and how many were cut: `… (+N chars)`."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (+{len(text) - limit} chars)"


def visible(text: str, *, keep: str = "") -> str:
    r"""Show control and bidirectional characters as `\x1b`, `\u202e`; `keep` stays as it is."""

    def spell(match: re.Match[str]) -> str:
        character = match.group()
        if character in keep:
            return character
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

    return _UNSAFE.sub(spell, text)


def clip_utf8(text: str, limit_bytes: int) -> str:
    """The longest prefix of at most `limit_bytes` UTF-8 bytes, cut between characters."""
    body = text.encode("utf-8", "surrogatepass")
    if len(body) <= limit_bytes:
        return text
    return body[:limit_bytes].decode("utf-8", "ignore")
