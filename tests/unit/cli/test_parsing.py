"""Command lines against a flag table."""

import pytest

from sessionizer.base.errors import UsageError
from sessionizer.cli.flags import Flag, Positional, signed_number, whole_number
from sessionizer.cli.parsing import parse_tokens

FLAGS = (
    Flag("--ignore-case", short="-i", help="h"),
    Flag("--count-only", short="-c", help="h", conflicts=("--raw",)),
    Flag("--raw", help="h"),
    Flag("--label", "SEL", short="-t", repeatable=True, help="h"),
    Flag("--max-count", "N", signed_number, default=50, help="h"),
    Flag("--budget", "N", whole_number, help="h"),
    Flag("--format", "F", choices=("text", "json"), default="text", help="h"),
    Flag("--archive", "ROOT", attached=True, help="h"),
    Flag("--turn", "RANGE", help="h"),
)
POSITIONALS = (Positional("PATTERN", least=1, help="h"), Positional("PATH", most=None, help="h"))


def parse(*tokens: str, dash_positionals: bool = True) -> dict[str, object]:
    return parse_tokens(tokens, FLAGS, POSITIONALS, dash_positionals=dash_positionals)


def refuse(*tokens: str, dash_positionals: bool = True) -> str:
    with pytest.raises(UsageError) as refused:
        parse(*tokens, dash_positionals=dash_positionals)
    return str(refused.value)


def test_flags_may_stand_anywhere_and_defaults_fill_the_rest() -> None:
    values = parse("--max-count", "3", "needle", "-i", "@s1", "-t", "user", "-t", "agent")

    assert values == {
        "ignore_case": True,
        "count_only": False,
        "raw": False,
        "label": ("user", "agent"),
        "max_count": 3,
        "budget": None,
        "format": "text",
        "archive": None,
        "turn": None,
        "pattern": ("needle",),
        "path": ("@s1",),
    }


@pytest.mark.parametrize("token", ["-work-demo", "-tmp-x", "-tuser", "-"])
def test_a_token_with_one_dash_is_an_argument_unless_declared(token: str) -> None:
    """Directories of projects start with a dash; attached one-letter values do not exist."""
    assert parse("needle", token)["path"] == (token,)


def test_a_cluster_is_made_of_letters_without_a_value() -> None:
    values = parse("-ic", "needle")

    assert values["ignore_case"] is True
    assert values["count_only"] is True


def test_a_value_may_start_with_a_dash() -> None:
    values = parse("needle", "--max-count", "-5", "--turn", "-3..")

    assert values["max_count"] == -5
    assert values["turn"] == "-3.."


def test_an_attached_value_never_takes_the_next_token() -> None:
    """`csift search --archive foo` searches foo."""
    assert parse("--archive", "foo") == {**parse("foo"), "archive": ""}
    assert parse("--archive=/kept", "foo")["archive"] == "/kept"


def test_two_dashes_end_the_flags() -> None:
    assert parse("--", "--raw", "-i")["pattern"] == ("--raw",)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (("needle", "--max-cuont", "1"), "did you mean --max-count?"),
        (("needle", "--max-count"), "needs a value"),
        (("needle", "--turn", "--raw"), "needs a value"),
        (("needle", "-t"), "needs a value"),
        (("needle", "--raw=1"), "takes no value"),
        (("needle", "--turn", "1", "--turn", "2"), "given twice"),
        (("needle", "--raw", "-c"), "exclude each other"),
        (("needle", "--format", "xml"), "text, json"),
        (("needle", "--budget", "-1"), "whole number"),
        (("needle", "--max-count", "many"), "expected a number"),
        (("--raw",), "PATTERN is missing"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong(tokens: tuple[str, ...], expected: str) -> None:
    assert expected in refuse(*tokens)


def test_where_no_argument_starts_with_a_dash_the_right_spelling_is_named() -> None:
    """`asz collect -once` was the reference's form."""
    assert "write --raw" in refuse("needle", "-raw", dash_positionals=False)
    assert "unknown flag -x" in refuse("needle", "-x", dash_positionals=False)


def test_surplus_arguments_are_named() -> None:
    with pytest.raises(UsageError, match="unexpected argument 'b'"):
        parse_tokens(("a", "b"), (), (Positional("X", help="h"),), dash_positionals=True)
