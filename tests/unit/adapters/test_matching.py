import pytest

from sessionizer.adapters.claude_code_local.matching import is_collected, parse_patterns


def collected(primary: str | None, *projects: str, include: str = "", exclude: str = "") -> bool:
    return is_collected(
        primary=primary,
        projects=projects,
        include=parse_patterns([include]),
        exclude=parse_patterns([exclude]),
    )


@pytest.mark.parametrize(
    ("primary", "projects", "include", "exclude", "expected"),
    [
        ("-home-dev-app", ("-home-dev-app", "-private-tmp-x"), "", "/private/tmp/**", True),
        ("-private-tmp-x", ("-home-dev-app", "-private-tmp-x"), "", "/private/tmp/**", False),
        (None, ("-home-dev-app", "-private-tmp-x"), "", "/private/tmp/**", True),
        (None, ("-private-tmp-x", "-private-tmp-y"), "", "/private/tmp/**", False),
        ("-private-tmpfoo", (), "", "/private/tmp/**", True),
        ("-home-dev-app", (), "/srv/**", "", False),
        ("-home-dev-my-app", (), "/home/dev/my_app", "", True),
        ("-home-dev-app", (), "/home/dev/**", "-home-dev-a*", False),
    ],
)
def test_the_primary_directory_decides(
    primary: str | None, projects: tuple[str, ...], include: str, exclude: str, expected: bool
) -> None:
    """P2: all sources of a session are collected, or none."""
    assert collected(primary, *projects, include=include, exclude=exclude) is expected


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("/private/tmp/**", "-private-tmp", "-private-tmpfoo"),
        ("/private/tmp/**", "-private-tmp-a-b", "-private"),
        ("/home/dev/my.app", "-home-dev-my-app", "-home-dev-my-app-sub"),
        ("-home-*", "-home-dev-x", "-srv-x"),
        ("/srv/my_app", "-srv-my_app", "-srv-my"),
        ("/srv/my_app", "-srv-my-app", "-srv-myapp"),
        ("-home-dev-?", "-home-dev-x", "-home-dev-xy"),
        ("-home-[ab]*", "-home-b1", "-home-c1"),
        ("-home-[ab", "-home-[ab", "-home-a"),
        (r"C:\Users\me\app", "C--Users-me-app", "C--Users-me"),
        ("D:/work/**", "D--work-x", "D--workx"),
        ("  /srv/x  ", "-srv-x", "-srv-xx"),
        ("-srv-x/**", "-srv-x-y", "-srv-xy"),
    ],
)
def test_a_pattern_matches_names_of_directories(pattern: str, matching: str, other: str) -> None:
    """Paths in both spellings, subtrees, globs, and a broken glob as a plain name."""
    assert collected(matching, include=pattern)
    assert not collected(other, include=pattern)


def test_a_directory_name_that_was_cut_still_matches_its_path() -> None:
    """The writer cuts long names and adds a hash that nobody else can compute."""
    path = "/srv/" + "deep/" * 60 + "app"
    cut = path.replace("/", "-")[:200] + "-1a2b3c"

    assert collected(cut, include=path)
    assert collected(cut, include="/srv/deep/**")
    assert not collected(cut, include="/srv/deep")


def test_empty_patterns_are_no_patterns() -> None:
    """An include list of blanks includes everything."""
    assert collected("-x", include=" ", exclude="")
