"""What stands after a backslash: which escapes RE2 knows, and which it must refuse. Pure."""

from msgspec import Struct

CHARACTERS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
# The Perl classes are ASCII in RE2. The second form stands inside brackets.
CLASSES = {
    "d": ("[0-9]", "0-9"),
    "D": ("[^0-9]", None),
    "w": ("[0-9A-Za-z_]", "0-9A-Za-z_"),
    "W": ("[^0-9A-Za-z_]", None),
    "s": (r"[\t\n\f\r ]", r"\t\n\f\r "),
    "S": (r"[^\t\n\f\r ]", None),
}
INVERSES = {"D": "0-9", "W": "0-9A-Za-z_", "S": r"\t\n\f\r "}
_WORD = "[0-9A-Za-z_]"
BOUNDARY = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
NO_BOUNDARY = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
PLACES = {"A": r"\A", "z": r"\Z", "b": BOUNDARY, "B": NO_BOUNDARY}

REFUSED = {
    "C": r"\C (a single byte can split a character)",
    "Z": r"\Z (write \z for the end of the text)",
    "u": r"\u (write \x{...})",
    "N": r"\N",
    "h": r"\h",
    "H": r"\H",
    "R": r"\R",
    "X": r"\X",
    "K": r"\K",
    "G": r"\G",
    "k": "a back-reference",
    "g": "a back-reference",
}
OCTAL = "01234567"
HEX = "0123456789abcdefABCDEF"
MAX_CODE = 0x10FFFF


class Property(Struct, frozen=True):
    r"""`\pL`, `\p{Greek}`, `\P{Lu}`: a Unicode class by its name, or its complement."""

    name: str
    negated: bool

    def translated(self) -> str:
        """How the `regex` package writes it."""
        letter = "P" if self.negated else "p"
        if self.name == "Any":
            return r"[^\s\S]" if self.negated else r"[\s\S]"
        if len(self.name) <= 2:
            return rf"\{letter}{{{self.name}}}"
        return rf"\{letter}{{Script={self.name}}}"


POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
