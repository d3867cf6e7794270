"""A working directory's path as the name of its project directory."""

import pytest

from sessionizer.claude_code.directory_names import (
    NAME_CAP,
    encode_directory,
    is_windows_path,
    normalise_windows,
    truncated_prefix,
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/work/my_app.v2", "-work-my-app-v2"),
        ("/home/u/.claude/x", "-home-u--claude-x"),
        ("C:\\Users\\x", "C--Users-x"),
        ("\\\\srv\\share", "--srv-share"),
        ("/w/my app", "-w-my-app"),
        ("/w/\u00fcber", "-w--ber"),
        ("/w/u\u0308ber", "-w--ber"),  # the same name, decomposed as macOS stores it
        ("/w/\u4e2d\u6587", "-w---"),
        ("/w/\U0001f600", "-w---"),  # one character, two UTF-16 units
        ("/W/CamelCase", "-W-CamelCase"),
        ("/w/\u0663", "-w--"),  # a digit, but no ASCII one
    ],
)
def test_every_utf16_unit_outside_ascii_letters_and_digits_is_a_dash(path: str, name: str) -> None:
    """The writer is JavaScript, which counts UTF-16 units (BR-36)."""
    assert encode_directory(path) == name


def test_a_name_over_the_cap_is_known_by_its_beginning() -> None:
    """The writer cuts it and appends a hash that cannot be computed here."""
    assert truncated_prefix("a" * NAME_CAP) is None
    assert truncated_prefix("a" * NAME_CAP + "b") == "a" * NAME_CAP + "-"


@pytest.mark.parametrize("text", ["C:\\", "c:/work", "\\\\srv\\share", "\\\\"])
def test_a_drive_or_server_begins_a_windows_path_on_every_host(text: str) -> None:
    assert is_windows_path(text)


@pytest.mark.parametrize("text", ["C--Users-x", "C:", "/c/work", "work\\x", "CC:\\x", "1:\\x", ""])
def test_other_texts_are_no_windows_paths(text: str) -> None:
    assert not is_windows_path(text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("C:/work/my_app/", "C:\\work\\my_app"),
        ("C:\\work\\.\\x\\..\\my_app", "C:\\work\\my_app"),
        ("\\\\srv\\share\\a\\", "\\\\srv\\share\\a"),
        ("C:\\", "C:\\"),
    ],
)
def test_windows_paths_are_normalised_as_text(text: str, normal: str) -> None:
    assert normalise_windows(text) == normal
