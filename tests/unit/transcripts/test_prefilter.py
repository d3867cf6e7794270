"""Which lines may hold a match: each rule of the needle law, seen alone (R11)."""

import pytest

from sessionizer.transcripts.gates import ALL_GATES, Gates
from sessionizer.transcripts.pattern.compiled import compile_pattern
from sessionizer.transcripts.prefilter import LineFilter, make_filter
from tests.build.home import U, encode_line


def filter_of(pattern: str, gates: Gates | None = None) -> LineFilter:
    found = compile_pattern(pattern, ignore_case=False, multiline=False)
    made = make_filter(found.needles, gates or Gates())
    assert made is not None, "the pattern has no needle"
    return made


def user(text: str) -> bytes:
    return U("u1", "-", "10:00:00", text).encode()


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("Foobar", "a Foobar here"),
        ("foobar", "a FOOBAR here"),
        ("foo bar", "foo\n  bar"),
        ("kelvin", "\u212aelvin"),
        ("missing", "mi\u017fsing"),
        ("織雪", "x織雪y"),
        ("naïve test", "Naïve TEST"),
        ("agent b1 completed", "<task-notification><summary>Agent x</summary>"),
        ("background-command", "<task-notification><summary>Background command</summary>"),
        ("subagent", "2 background agents were stopped by the user"),
    ],
)
def test_a_line_with_a_match_may_match(pattern: str, text: str) -> None:
    """By its letters, their partners under folding, or words that the program adds."""
    assert filter_of(pattern).may_match(user(text))


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("Foobar", rb'{"role":"user","x":"Foo\u0062ar"}'),
        ("foobar", rb'{"role":"user","x":"foo\u0042ar"}'),
        ("foobar", rb'{"role":"user","x":"\u0066oobar"}'),
        ("(?-i)naïve", rb'{"role":"user","x":"na\u00efve"}'),
        ("織雪", rb'{"role":"user","x":"\u7e54\u96ea"}'),
        ("kelvin", rb'{"role":"user","x":"\u212aelvin"}'),
        ("Nfoo", rb'{"role":"assistant","input":"\u000afoo"}'),
    ],
)
def test_an_escape_may_spell_a_letter(pattern: str, line: bytes) -> None:
    r"""The last one: in a tool's input `\u000a` is written anew as `\n`."""
    assert filter_of(pattern).may_match(line)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("Foobar", user("nothing here")),
        ("Foobar", user("foobar")),
        ("Foobar", rb'{"role":"user","x":"\u001b[31m red"}'),
        ("missing", user("kelvin \u212a")),
        ("zebra", user("<task-notification><summary>Agent x</summary>")),
        ("zebra", encode_line({"type": "system", "subtype": "compact_boundary"}).encode()),
    ],
)
def test_other_lines_are_passed_over(pattern: str, line: bytes) -> None:
    """Otherwise the filter would be true and useless."""
    assert not filter_of(pattern).may_match(line)


def test_lines_that_are_numbers_throughout_always_may_match() -> None:
    """`1m 5s` stands in no line; it is made of `durationMs`."""
    line = encode_line({"type": "system", "subtype": "turn_duration"}).encode()

    assert filter_of("zebra", ALL_GATES).may_match(line)


def test_a_refusal_may_borrow_the_path_of_its_plan() -> None:
    line = user("To tell you how to proceed, the user said:")

    assert filter_of("zebra").may_borrow(line)
    assert not filter_of("zebra").may_borrow(user("anything else"))


@pytest.mark.parametrize(
    "pattern", ["", "a|b", "[abc]+", ".*", "12345", "ab", "a.b.c", "x?y?z?", "(?i)ÄÖÜ", "foo|"]
)
def test_some_patterns_have_no_needle(pattern: str) -> None:
    """Then every line is decoded."""
    found = compile_pattern(pattern, ignore_case=False, multiline=False)

    assert make_filter(found.needles, Gates()) is None
