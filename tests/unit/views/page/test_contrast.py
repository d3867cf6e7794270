"""Colours of the page reach the contrast they promise, computed from the tokens."""

import re
from pathlib import Path

import pytest

import sessionizer.views.page

TOKENS = Path(sessionizer.views.page.__file__).parent / "static" / "css" / "tokens.css"
GROUNDS = ("bg", "s1", "s2", "s3", "sel", "term")
TEXTS = ("text", "muted", "faint", "blue", "green", "teal", "orange", "purple", "pink", "red")
FILLS = (
    "blue-f",
    "green-f",
    "teal-f",
    "orange-f",
    "purple-f",
    "pink-f",
    "red-f",
    "edge",
    "hatch",
)
TERMINAL_GROUNDS = ("red", "green", "orange", "blue", "purple", "teal", "text")


def read_themes() -> dict[str, dict[str, str]]:
    """Colours by theme and token name; light takes from dark what it does not set."""
    text = TOKENS.read_text(encoding="utf-8")
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", text)
    colours = [
        (selector, dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body)))
        for selector, body in blocks
    ]
    dark = next(found for selector, found in colours if selector.strip() == ":root")
    light = next(found for selector, found in colours if "light" in selector)
    return {"dark": dark, "light": dark | light}


def contrast(one: str, other: str) -> float:
    """WCAG 2 ratio of two `#rrggbb` colours."""

    def luminance(colour: str) -> float:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
            for value in channels
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_text_colour_reads_on_every_ground(theme: str) -> None:
    """4.5:1, the selected row and the terminal included."""
    colours = read_themes()[theme]
    low = [
        (text, ground)
        for text in TEXTS
        for ground in GROUNDS
        if contrast(colours[text], colours[ground]) < 4.5
    ]
    assert low == []


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_fill_and_meaningful_edge_is_seen(theme: str) -> None:
    """3:1 on the grounds that fills stand on."""
    colours = read_themes()[theme]
    low = [
        (fill, ground)
        for fill in FILLS
        for ground in ("bg", "s1", "s2")
        if contrast(colours[fill], colours[ground]) < 3
    ]
    assert low == []


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_text_on_colour_reads(theme: str) -> None:
    """Changed lines, the pill, and terminal output on a coloured ground."""
    colours = read_themes()[theme]
    for ground in ("add", "add-w", "del", "del-w", "find"):
        assert contrast(colours["text"], colours[ground]) >= 4.5, ground
    for ground in TERMINAL_GROUNDS[:-1]:
        assert contrast(colours["on-fill"], colours[ground]) >= 4.5, ground
    assert contrast(colours["bg"], colours["text"]) >= 4.5


def test_a_computed_contrast_is_the_known_one() -> None:
    """Black on white is 21, so the numbers above mean something."""
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48
