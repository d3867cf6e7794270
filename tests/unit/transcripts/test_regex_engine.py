"""The other engine: the `regex` package, where google-re2 has no wheel (R9)."""

import pytest

from sessionizer.transcripts.pattern.compiled import compile_pattern
from sessionizer.transcripts.pattern.engine import RegexEngine, UndecidedError
from sessionizer.transcripts.pattern.parser import parse_pattern

pytest.importorskip("regex", reason="the regex package is not installed")


def other(pattern: str, *, deadline_s: float = 5.0) -> RegexEngine:
    folded = not parse_pattern(pattern).has_uppercase
    root = parse_pattern(pattern, folded=folded).root
    return RegexEngine(pattern, root, deadline_s=deadline_s)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\d+", "٣4"),
        (r"\bfoo\b", "中foo中"),
        (r"[\w-]+", "a-b é"),
        (r"[^\W_]+", "_é9"),
        ("(?i)[k]", "\u212a"),
        ("k", "\u212a"),
        ("a$", "a\n"),
        (r"a\z", "a\n"),
        ("^b", "a\nb"),
        ("(?m)^b$", "a\nb\nc"),
        ("a.b", "a\rb"),
        (r"[[:alpha:]]+|\p{Greek}", "1α"),
        (r"\PL+", "a1é2"),
        (r"\Qa.b\E", "a.b"),
        ("(?P<x>a|b)+?c", "abac"),
        ("[^a-c]", "abd"),
        (r"[\]\-^]", "a^"),
        ("straße", "STRASSE straße"),
        ("a{2,3}?", "aaaa"),
        ("(?U)a+", "aaa"),
        ("x{,3}", "x{,3}"),
        ("(a|ab)(c|bcd)", "abcd"),
        ("", "x"),
    ],
)
def test_both_engines_give_the_same_match(pattern: str, text: str) -> None:
    compiled = compile_pattern(pattern, ignore_case=False, multiline=False)

    assert other(pattern).search(text) == compiled.engine.search(text)


def test_a_text_that_takes_too_long_is_undecided() -> None:
    """The caller counts and discloses it; nothing hangs."""
    with pytest.raises(UndecidedError):
        other("(a+)+$", deadline_s=0.2).search("a" * 40_000 + "b")
