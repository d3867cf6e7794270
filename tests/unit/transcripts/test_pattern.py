"""The pattern language: what is refused, when case counts, what every match holds."""

import pytest

from sessionizer.transcripts.errors import PatternError
from sessionizer.transcripts.pattern.compiled import compile_pattern
from sessionizer.transcripts.pattern.engine import Match
from sessionizer.transcripts.pattern.needles import Needle, find_needles
from sessionizer.transcripts.pattern.parser import parse_pattern


def find(pattern: str, text: str, *, multiline: bool = False) -> Match | None:
    compiled = compile_pattern(pattern, ignore_case=False, multiline=multiline)
    return compiled.engine.search(text)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("x(?=y)", "look-ahead"),
        ("x(?!y)", "look-ahead"),
        ("(?<=x)y", "look-behind"),
        ("(?<!x)y", "look-behind"),
        (r"(a)\1", "back-reference"),
        (r"(?P<a>x)(?P=a)", "back-reference"),
        (r"\k<a>", "back-reference"),
        ("(?>a)", "atomic group"),
        ("(?(1)a|b)", "conditional"),
        ("a++", "possessive quantifier"),
        ("a*+", "possessive quantifier"),
        ("a{2}+", "possessive quantifier"),
        ("a**", "doubled quantifier"),
        ("a{2}{3}", "doubled quantifier"),
        (r"a\Z", r"\z"),
        (r"\u0041", r"\u"),
        (r"\N{DASH}", r"\N"),
        (r"\h", r"\h"),
        (r"\R", r"\R"),
        (r"\X", r"\X"),
        (r"\K", r"\K"),
        (r"\C", r"\C"),
        ("(?x)a", "(?x)"),
        ("(?#note)a", "(?#"),
        ("a{1001}", "1000"),
        ("*a", "nothing to repeat"),
        ("(a", "missing )"),
        ("a)", "unexpected )"),
        ("[a", "missing ]"),
        ("[b-a]", "range"),
        ("[[:nosuch:]]", "[:nosuch:]"),
        ("a\\", "backslash"),
        (r"\q", r"\q"),
        ("a\udcff", r"the byte \xff is not UTF-8 at offset 1"),
        ("a\ud800", "U+D800 is half of a character at offset 1"),
    ],
)
def test_what_is_not_linear_or_not_known_is_refused(pattern: str, reason: str) -> None:
    """R8: one line that names the construct and where it stands."""
    with pytest.raises(PatternError) as refused:
        compile_pattern(pattern, ignore_case=False, multiline=False)

    assert reason in str(refused.value)


def test_a_name_that_only_the_engine_knows_is_refused_by_it() -> None:
    with pytest.raises(PatternError):
        compile_pattern(r"\p{Nosuch}", ignore_case=False, multiline=False)


@pytest.mark.parametrize(
    ("pattern", "sensitive"),
    [
        ("foo", False),
        ("Foo", True),
        ("(?P<Word>foo)", False),
        ("[A-C]x", True),
        ("[[:upper:]]x", False),
        (r"\QFoo\E", True),
        (r"\Qfoo\E", False),
        (r"\W\S\D", False),
        (r"\p{Lu}", False),
        (r"\x4A", False),
        ("é", False),
        ("É", True),
        ("(?U)a+", False),
    ],
)
def test_smart_case(pattern: str, sensitive: bool) -> None:
    """R8: escapes, names and classes by name are no uppercase letters."""
    assert parse_pattern(pattern).has_uppercase is sensitive


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        (r"\d", "٣4", (1, 2)),
        (r"\bfoo\b", "中foo中", (1, 4)),
        (r"\s", "a\x0bb\u2003c", None),
        ("(?i)k", "\u212a", (0, 1)),
        ("(?i)\u017f", "S", (0, 1)),
        ("a$", "a\n", None),
        (r"a\z", "a\n", None),
        ("a.b", "a\nb", None),
        ("a.b", "a\rb", (0, 3)),
        ("(?-i)foo", "FOO", None),
        ("(?i)Foo", "fOO", (0, 3)),
        ("a{,2}", "a{,2}", (0, 5)),
        (r"\Qa.b*\E+", "a.b**", (0, 5)),
        ("a|ab", "ab", (0, 1)),
        (r"\pL+", "\u00e9a1", (0, 2)),
        (r"\p{Greek}", "aα", (1, 2)),
        (r"[^\d\s]+", "1 ab2", (2, 4)),
        ("[]a]+", "x]a]", (1, 4)),
        (r"\101", "A", (0, 1)),
        (r"\x{1F642}", "\U0001f642", (0, 1)),
        ("(?U)a+", "aaa", (0, 1)),
        ("", "x", (0, 0)),
    ],
)
def test_meanings_are_those_of_re2(pattern: str, text: str, span: tuple[int, int] | None) -> None:
    """R7."""
    found = find(pattern, text)

    assert (None if found is None else (found.start, found.stop)) == span


def test_multiline_is_a_pair_of_flags() -> None:
    """R7: `(?ms)`."""
    assert find("^b$", "a\nb\nc") is None
    assert find("^b$", "a\nb\nc", multiline=True) == Match(2, 3)
    assert find("a.b", "a\nb", multiline=True) == Match(0, 3)


def test_an_inline_flag_beats_smart_case_in_its_part() -> None:
    """R8."""
    assert find("foo(?-i:bar)", "FOObar") == Match(0, 6)
    assert find("foo(?-i:bar)", "fooBAR") is None
    assert find("Foo(?i:bar)", "FooBAR") == Match(0, 6)


def needles(pattern: str, *, folded: bool = False) -> set[str]:
    found = find_needles(parse_pattern(pattern, folded=folded).root)
    return {needle.text for needle in found or ()}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("foobar", {"foobar"}),
        ("hello world", {"hello"}),
        ('say "so" now', {"say"}),
        ("a/longer/path", {"longer"}),
        ("(?:foo|barbaz)x", {"foo", "barbaz"}),
        ("foo|ba", set()),
        ("x?food+", {"foo"}),
        ("(?:longer)?foo", {"foo"}),
        ("(?:longer)+", {"longer"}),
        ("(?:longer){0,2}", set()),
        ("foo.*barbaz", {"barbaz"}),
        ("foo[0-9]+bar", {"foo"}),
        ("12.50", set()),
        ("v12345", {"v12345"}),
        ("[f]oo", {"foo"}),
        (r"foo\.bar", {"foo.bar"}),
        ("|".join(f"needle{letter}" for letter in "abcdefgh"), {f"needle{x}" for x in "abcdefgh"}),
        ("|".join(f"needle{letter}" for letter in "abcdefghi"), set()),
        ("caf\ufffdhouse", {"house"}),
    ],
)
def test_needles_are_what_every_match_holds(pattern: str, expected: set[str]) -> None:
    """R11: cut where JSON or normalisation may write it otherwise."""
    assert needles(pattern) == expected


def test_folded_needles_are_ascii_or_without_case() -> None:
    """R11."""
    assert needles("naïvety", folded=True) == {"vety"}
    assert needles("修复错误abc", folded=True) == {"修复错误"}
    found = find_needles(parse_pattern("修复错误", folded=True).root)
    assert found == (Needle("修复错误", folded=False),)
