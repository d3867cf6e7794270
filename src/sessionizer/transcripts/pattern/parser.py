"""Parse RE2's syntax: the one place that decides what a pattern may hold.

Refusals, smart case, needles and the other engine all read the tree that comes out. What
passes here still goes through the engine, which checks what only it knows (names of Unicode
classes, its size limit).

Source: docs/commands/csift-search.md, "Patterns".
"""

import re

from msgspec import Struct

from sessionizer.transcripts.errors import PatternError
from sessionizer.transcripts.pattern import escapes
from sessionizer.transcripts.pattern.syntax import (
    UNBOUNDED,
    Alternation,
    Concatenation,
    Group,
    Literal,
    Node,
    Opaque,
    Repetition,
    Tree,
)

MAX_REPETITION = 1000
MAX_DEPTH = 200

_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF

_HEADS = (
    ("(?=", "look-ahead"),
    ("(?!", "look-ahead"),
    ("(?<=", "look-behind"),
    ("(?<!", "look-behind"),
    ("(?>", "atomic group"),
    ("(?(", "conditional"),
    ("(?#", "comment (?#"),
    ("(?|", "branch reset"),
    ("(?P=", "back-reference"),
    ("(?P>", "recursion"),
    ("(?&", "recursion"),
    ("(?R", "recursion"),
)


class Flags(Struct, frozen=True):
    """The flags in force at a place of the pattern."""

    folded: bool = False
    multiline: bool = False
    dot_all: bool = False
    swapped: bool = False


def parse_pattern(pattern: str, *, folded: bool = False, multiline: bool = False) -> Tree:
    """The tree of a pattern.

    Args:
        pattern: As it was typed.
        folded: Case does not count, unless a flag inside says otherwise.
        multiline: `.` matches a newline, `^` and `$` match at line ends.

    Raises:
        PatternError: A construct that RE2 does not have, broken syntax, or what is no text.
    """
    _refuse_what_is_no_text(pattern)
    parser = _Parser(pattern)
    root = parser.parse(Flags(folded=folded, multiline=multiline, dot_all=multiline))
    return Tree(root, parser.has_uppercase)


def _refuse_what_is_no_text(pattern: str) -> None:
    """The engine would read half a character as a question mark, which repeats."""
    found = _SURROGATE.search(pattern)
    if found is None:
        return
    code = ord(found[0])
    reason = f"U+{code:04X} is half of a character"
    if _FIRST_BYTE <= code <= _LAST_BYTE:  # how the interpreter hands on what is not UTF-8
        reason = f"the byte \\x{code - _FIRST_BYTE + 0x80:02x} is not UTF-8"
    raise PatternError(pattern, reason, found.start())


class _Parser:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.depth = 0
        self.has_uppercase = False

    def parse(self, flags: Flags) -> Node:
        root, _ = self.alternation(flags)
        if self.position < len(self.pattern):
            raise self.refuse("unexpected )")
        return root

    # Where we are.

    def refuse(self, reason: str, at: int | None = None) -> PatternError:
        return PatternError(self.pattern, reason, self.position if at is None else at)

    def peek(self, length: int = 1) -> str:
        return self.pattern[self.position : self.position + length]

    def take(self, length: int = 1) -> str:
        taken = self.peek(length)
        self.position += length
        return taken

    def starts(self, text: str) -> bool:
        return self.pattern.startswith(text, self.position)

    # The grammar.

    def alternation(self, flags: Flags) -> tuple[Node, Flags]:
        """Branches up to the end or a closing parenthesis; flags set inside stay in force."""
        branches = []
        while True:
            branch, flags = self.concatenation(flags)
            branches.append(branch)
            if self.peek() != "|":
                break
            self.take()
        return (branches[0] if len(branches) == 1 else Alternation(tuple(branches))), flags

    def concatenation(self, flags: Flags) -> tuple[Node, Flags]:
        parts: list[Node] = []
        while self.position < len(self.pattern) and self.peek() not in "|)":
            if self.starts(r"\Q"):
                parts.extend(self.quoted(flags))
                continue
            changed = self.flag_group(flags)
            if changed is not None:
                flags = changed
                continue
            parts.append(self.repeated(self.atom(flags), flags))
        return Concatenation(tuple(parts)), flags

    def repeated(self, part: Node, flags: Flags) -> Node:
        found = self.quantifier()
        if found is None:
            return part
        start, least, most = found
        lazy = self.peek() == "?"
        if lazy:
            self.take()
        if self.peek() == "+" and not lazy:
            raise self.refuse("possessive quantifier", start)
        if self.quantifier() is not None:
            raise self.refuse("doubled quantifier", start)
        return Repetition(part, least, most, lazy != flags.swapped)

    def quantifier(self) -> tuple[int, int, int] | None:
        """Where it begins, least, most; None when none stands here. A lone `{` is a letter."""
        start = self.position
        mark = self.peek()
        simple = {"*": (0, UNBOUNDED), "+": (1, UNBOUNDED), "?": (0, 1)}.get(mark)
        if simple is not None:
            self.take()
            return start, *simple
        if mark != "{":
            return None
        close = self.pattern.find("}", start)
        least_text, comma, most_text = self.pattern[start + 1 : max(close, start)].partition(",")
        if close < 0 or not _is_number(least_text):
            return None
        if most_text and not _is_number(most_text):
            return None
        least = int(least_text)
        most = least if not comma else int(most_text) if most_text else UNBOUNDED
        if max(least, most) > MAX_REPETITION:
            raise self.refuse(f"repetition above {MAX_REPETITION}", start)
        if most not in (UNBOUNDED, least) and most < least:
            raise self.refuse("repetition whose end is before its start", start)
        self.position = close + 1
        return start, least, most

    def atom(self, flags: Flags) -> Node:
        start = self.position
        mark = self.peek()
        if mark in "*+?":
            raise self.refuse(f"nothing to repeat before {mark}")
        if mark == "{" and self.quantifier() is not None:
            raise self.refuse("nothing to repeat before {", start)
        if mark == "(":
            return self.group(flags)
        if mark == "[":
            return self.bracket(flags)
        if mark == "\\":
            return self.escape(flags)
        self.take()
        if mark == ".":
            return Opaque("(?s:.)" if flags.dot_all else r"[^\n]")
        if mark == "^":
            return Opaque(r"(?m:^)" if flags.multiline else r"\A")
        if mark == "$":
            return Opaque(r"(?=\n|\Z)" if flags.multiline else r"\Z")
        return self.literal(mark, flags)

    def literal(self, character: str, flags: Flags) -> Literal:
        self.has_uppercase = self.has_uppercase or character.isupper()
        return Literal(character, flags.folded)

    def quoted(self, flags: Flags) -> list[Node]:
        r"""`\Q...\E`: a quantifier behind it belongs to the last character."""
        self.take(2)
        close = self.pattern.find(r"\E", self.position)
        stop = len(self.pattern) if close < 0 else close
        parts: list[Node] = [
            self.literal(character, flags) for character in self.pattern[self.position : stop]
        ]
        self.position = len(self.pattern) if close < 0 else close + 2
        if parts:
            parts[-1] = self.repeated(parts[-1], flags)
        return parts

    # Groups.

    def flag_group(self, flags: Flags) -> Flags | None:
        """`(?i)`: flags for the rest of the group. None when none stands here."""
        if not self.starts("(?"):
            return None
        close = self.position + 2
        while close < len(self.pattern) and (
            self.pattern[close].isalpha() or self.pattern[close] == "-"
        ):
            close += 1
        letters = self.pattern[self.position + 2 : close]
        if close >= len(self.pattern) or self.pattern[close] != ")" or not letters:
            return None
        changed = self.read_flags(letters, flags)
        self.position = close + 1
        return changed

    def read_flags(self, letters: str, flags: Flags) -> Flags:
        on, dash, off = letters.partition("-")
        if dash and not off:
            raise self.refuse("flag group without flags behind -")
        values = {name: getattr(flags, name) for name in flags.__struct_fields__}
        for part, value in ((on, True), (off, False)):
            for letter in part:
                name = _FLAGS.get(letter)
                if name is None:
                    raise self.refuse(f"flag (?{letter})")
                values[name] = value
        return Flags(**values)

    def group(self, flags: Flags) -> Node:
        start = self.position
        for head, name in _HEADS:
            if self.starts(head):
                raise self.refuse(name)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refuse(f"groups nested more than {MAX_DEPTH} deep")
        self.take()
        name, captures = "", True
        if self.peek() == "?":
            self.take()
            name, captures, flags = self.group_head(flags, start)
        inner, _ = self.alternation(flags)
        if self.take() != ")":
            raise self.refuse("missing )", start)
        self.depth -= 1
        return Group(inner, name, captures)

    def group_head(self, flags: Flags, start: int) -> tuple[str, bool, Flags]:
        for opening in ("P<", "<"):
            if self.starts(opening):
                self.take(len(opening))
                name, close = "", self.pattern.find(">", self.position)
                if close >= 0:
                    name = self.pattern[self.position : close]
                if not name or not all(letter.isalnum() or letter == "_" for letter in name):
                    raise self.refuse("group name", start)
                self.position = close + 1
                return name, True, flags
        close = self.pattern.find(":", self.position)
        letters = self.pattern[self.position : close] if close >= 0 else "?"
        if letters and not all(letter.isalpha() or letter == "-" for letter in letters):
            raise self.refuse(f"group head (?{self.peek()}", start)
        if letters:
            flags = self.read_flags(letters, flags)
        self.position = close + 1
        return "", False, flags

    # Escapes.

    def escape(self, flags: Flags) -> Node:
        start = self.position
        self.take()
        mark = self.take()
        if not mark:
            raise self.refuse("backslash at the end", start)
        if mark in escapes.CLASSES:
            return Opaque(escapes.CLASSES[mark][0])
        if mark in escapes.PLACES:
            return Opaque(escapes.PLACES[mark])
        if mark in "pP":
            return Opaque(self.property(mark, start).translated())
        return Literal(self.escaped_character(mark, start), flags.folded)

    def escaped_character(self, mark: str, start: int) -> str:
        if mark in escapes.CHARACTERS:
            return escapes.CHARACTERS[mark]
        if mark == "x":
            return self.hexadecimal(start)
        if mark in escapes.OCTAL:
            return self.octal(mark, start)
        if mark in escapes.REFUSED:
            raise self.refuse(escapes.REFUSED[mark], start)
        if mark.isascii() and not mark.isalnum():
            return mark
        if mark.isdigit():
            raise self.refuse("back-reference", start)
        raise self.refuse(f"unknown escape \\{mark}", start)

    def hexadecimal(self, start: int) -> str:
        if self.peek() == "{":
            close = self.pattern.find("}", self.position)
            digits = self.pattern[self.position + 1 : close] if close >= 0 else ""
            self.position = close + 1
        else:
            digits = self.take(2)
            if len(digits) != 2:
                digits = ""
        if not digits or any(digit not in escapes.HEX for digit in digits):
            raise self.refuse(r"escape \x without hex digits", start)
        code = int(digits, 16)
        if code > escapes.MAX_CODE:
            raise self.refuse(r"escape \x beyond Unicode", start)
        return chr(code)

    def octal(self, mark: str, start: int) -> str:
        """A single digit but 0 would be a back-reference; more are a character."""
        if mark != "0" and (not self.peek() or self.peek() not in escapes.OCTAL):
            raise self.refuse("back-reference", start)
        digits = mark
        while len(digits) < 3 and self.peek() and self.peek() in escapes.OCTAL:
            digits += self.take()
        return chr(int(digits, 8))

    def property(self, mark: str, start: int) -> escapes.Property:
        negated = mark == "P"
        if self.peek() == "{":
            close = self.pattern.find("}", self.position)
            if close < 0:
                raise self.refuse(f"unclosed \\{mark}{{", start)
            name = self.pattern[self.position + 1 : close]
            self.position = close + 1
        else:
            name = self.take()
        if name.startswith("^"):
            name, negated = name[1:], not negated
        if not name or not all(letter.isalnum() or letter == "_" for letter in name):
            raise self.refuse(f"name of a Unicode class behind \\{mark}", start)
        return escapes.Property(name, negated)

    # Brackets.

    def bracket(self, flags: Flags) -> Node:
        start = self.position
        self.take()
        negated = self.peek() == "^"
        if negated:
            self.take()
        translated: list[str] = []
        singles: list[str] = []
        first = True
        while self.peek() != "]" or first:
            if self.position >= len(self.pattern):
                raise self.refuse("missing ]", start)
            first = False
            piece = self.bracket_class()
            if piece is not None:
                translated.append(piece)
                singles.append("")
                continue
            low = self.bracket_character(start)
            high = low
            if self.peek() == "-" and self.peek(2) not in ("-", "-]"):
                self.take()
                high = self.bracket_character(start)
                if high < low:
                    raise self.refuse("range whose end is before its start", start)
            singles.append(low if low == high else "")
            translated.append(_spell_range(low, high))
        self.take()
        if len(singles) == 1 and singles[0] and not negated:
            return Literal(singles[0], flags.folded)
        body = f"[{'^' if negated else ''}{''.join(translated)}]"
        return Opaque(f"(?i-f:{body})" if flags.folded else body)

    def bracket_class(self) -> str | None:
        r"""`[:alpha:]`, `\d`, `\pL` inside brackets; None for a plain character."""
        if self.starts("[:"):
            close = self.pattern.find(":]", self.position + 2)
            name = self.pattern[self.position + 2 : close] if close >= 0 else ""
            negated = name.startswith("^")
            known = escapes.POSIX.get(name.removeprefix("^"))
            if known is None:
                if close < 0:
                    return None
                raise self.refuse(f"class [:{name}:]", self.position)
            self.position = close + 2
            return f"[^{known}]" if negated else known
        if self.peek() != "\\":
            return None
        mark = self.peek(2)[1:]
        if mark in escapes.CLASSES and mark:
            self.take(2)
            inner = escapes.CLASSES[mark][1]
            return f"[^{escapes.INVERSES[mark]}]" if inner is None else inner
        if mark in ("p", "P"):
            at = self.position
            self.take(2)
            return self.property(mark, at).translated()
        return None

    def bracket_character(self, start: int) -> str:
        at = self.position
        character = self.take()
        if not character:
            raise self.refuse("missing ]", start)
        if character != "\\":
            self.has_uppercase = self.has_uppercase or character.isupper()
            return character
        mark = self.take()
        if not mark:
            raise self.refuse("missing ]", start)
        if mark in escapes.CLASSES or mark in "pP":
            raise self.refuse("class as the end of a range", at)
        if mark == "b":
            raise self.refuse(r"\b inside brackets", at)
        return self.escaped_character(mark, at)


_FLAGS = {"i": "folded", "m": "multiline", "s": "dot_all", "U": "swapped"}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _spell_range(low: str, high: str) -> str:
    return _spell(low) if low == high else f"{_spell(low)}-{_spell(high)}"


def _spell(character: str) -> str:
    r"""A class member as `\xNN` or `\UNNNNNNNN`, which needs no further escaping."""
    if character.isascii() and character.isalnum():
        return character
    return f"\\U{ord(character):08x}"
