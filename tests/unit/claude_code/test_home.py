"""Where the home is: a pure function of flag, environment and platform."""

import pytest

from sessionizer.claude_code.home import HomeChoice, NoHomeError, list_homes, resolve_home


def resolve(
    environ: dict[str, str],
    *,
    flag: str | None = None,
    platform: str = "linux",
    directories: tuple[str, ...] = (),
) -> HomeChoice:
    return resolve_home(
        flag=flag, environ=environ, platform=platform, is_dir=lambda path: path in directories
    )


def test_the_flag_wins_over_everything() -> None:
    """What was typed is what is meant, even when it does not exist."""
    choice = resolve({"CLAUDE_CONFIG_DIR": "/config", "HOME": "/home/u"}, flag="/given")

    assert choice == HomeChoice("/given", "flag")


def test_the_variable_wins_over_the_default() -> None:
    choice = resolve({"CLAUDE_CONFIG_DIR": "/config", "HOME": "/home/u"})

    assert choice == HomeChoice("/config", "CLAUDE_CONFIG_DIR")


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_variable_counts_as_unset(value: str) -> None:
    choice = resolve({"CLAUDE_CONFIG_DIR": value, "HOME": "/home/u"})

    assert choice == HomeChoice("/home/u/.claude", "default")


def test_the_xdg_place_is_taken_only_when_the_usual_one_has_no_projects() -> None:
    """Some set-ups keep the home below ~/.config (BR-82)."""
    both = ("/home/u/.claude/projects", "/home/u/.config/claude/projects")

    assert resolve({"HOME": "/home/u"}, directories=both).path == "/home/u/.claude"
    assert resolve({"HOME": "/home/u"}, directories=both[1:]) == HomeChoice(
        "/home/u/.config/claude", "XDG_CONFIG_HOME"
    )


def test_xdg_config_home_names_the_xdg_place() -> None:
    environ = {"HOME": "/home/u", "XDG_CONFIG_HOME": "/etc/u"}

    assert resolve(environ, directories=("/etc/u/claude/projects",)).path == "/etc/u/claude"


def test_without_any_projects_the_usual_place_is_named() -> None:
    """The error that follows then names the place where files are expected."""
    assert resolve({"HOME": "/home/u"}) == HomeChoice("/home/u/.claude", "default")


@pytest.mark.parametrize(
    ("environ", "flag"),
    [({"HOME": "/home/u"}, "~/x"), ({"HOME": "/home/u", "CLAUDE_CONFIG_DIR": "~/x"}, None)],
)
def test_a_leading_tilde_is_the_users_directory(environ: dict[str, str], flag: str | None) -> None:
    assert resolve(environ, flag=flag).path == "/home/u/x"


def test_a_bare_tilde_is_the_users_directory() -> None:
    assert resolve({"HOME": "/home/u"}, flag="~").path == "/home/u"


def test_a_missing_user_directory_matters_only_when_it_is_needed() -> None:
    assert resolve({}, flag="/given").path == "/given"
    assert resolve({"CLAUDE_CONFIG_DIR": "/config"}).path == "/config"
    with pytest.raises(NoHomeError) as refused:
        resolve({})
    assert refused.value.variable == "HOME"
    assert "--claude-home" in str(refused.value.hint)


def test_windows_takes_userprofile_and_ignores_home() -> None:
    """A Unix-like shell on Windows sets HOME to a place Claude Code does not use."""
    environ = {"HOME": "/c/Users/u", "USERPROFILE": "C:\\Users\\u"}

    assert resolve(environ, platform="win32").path == "C:\\Users\\u\\.claude"
    assert resolve({**environ, "CLAUDE_CONFIG_DIR": "~\\x"}, platform="win32").path == (
        "C:\\Users\\u\\x"
    )
    with pytest.raises(NoHomeError) as refused:
        resolve({"HOME": "/c/Users/u"}, platform="win32")
    assert refused.value.variable == "USERPROFILE"


def test_of_several_homes_the_first_is_read_and_the_others_are_named() -> None:
    """Whoever calls can say which were left out (BR-82)."""
    choice = resolve({"CLAUDE_CONFIG_DIR": "/one, ~/two,,", "HOME": "/home/u"})

    assert choice == HomeChoice("/one", "CLAUDE_CONFIG_DIR", ("/home/u/two",))


def test_a_directory_whose_name_holds_a_comma_is_one_home() -> None:
    choice = resolve({"CLAUDE_CONFIG_DIR": "/a,b"}, directories=("/a,b",))

    assert choice == HomeChoice("/a,b", "CLAUDE_CONFIG_DIR")


def test_a_trailing_comma_names_no_further_home() -> None:
    assert resolve({"CLAUDE_CONFIG_DIR": "/one,"}) == HomeChoice("/one", "CLAUDE_CONFIG_DIR")


def test_every_home_with_projects_is_listed_once() -> None:
    """In the order of the rules; a rule that cannot be followed gives none."""
    present = {"/a/projects", "/u/.claude/projects", "/x/claude/projects"}

    def homes(**environ: str) -> tuple[str, ...]:
        return list_homes(environ=environ, platform="linux", is_dir=present.__contains__)

    assert homes(HOME="/u", XDG_CONFIG_HOME="/x", CLAUDE_CONFIG_DIR="/a,/b,~/.claude") == (
        "/a",
        "/u/.claude",
        "/x/claude",
    )
    assert homes(HOME="/u") == ("/u/.claude",)
    assert homes(CLAUDE_CONFIG_DIR="/a") == ("/a",)
    assert homes() == ()
