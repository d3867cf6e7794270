"""The page's files keep the strict policy: no inline script or style, no foreign address."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sessionizer.views.page

STATIC = Path(sessionizer.views.page.__file__).parent / "static"
PAGES = {"index.html": "js/list_page.js", "conversation.html": "js/conversation_page.js"}
OWN_SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
STYLES = sorted((STATIC / "css").glob("*.css"))
# An import in a comment names a type only.
IMPORT = re.compile(r'(?:^|;)\s*(?:import|export)\b[^;"]*"([^"]+)"', re.MULTILINE)


class Elements(HTMLParser):
    """Start tags with their attributes, and text by the tag it stands in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and data.strip():
            self.inside.append((self.tags[-1][0], data))


def imported(entry: str) -> set[str]:
    """Paths below static/ of all modules that `entry` needs, itself included."""
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for name in IMPORT.findall((STATIC / path).read_text(encoding="utf-8")):
            if name.startswith("."):
                target = (STATIC / path).parent / name
                waiting.append(target.resolve().relative_to(STATIC.resolve()).as_posix())
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_inline_script_or_style(page: str) -> None:
    """The policy would block it, and the block would be the only notice."""
    elements = Elements((STATIC / page).read_text(encoding="utf-8"))
    assert [tag for tag, _ in elements.inside if tag in ("script", "style")] == []
    for tag, attributes in elements.tags:
        assert tag != "style"
        assert tag != "script" or attributes.get("src")
        assert not [name for name in attributes if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_a_page_exists_here(page: str) -> None:
    """Nothing is loaded from another host."""
    elements = Elements((STATIC / page).read_text(encoding="utf-8"))
    addresses = [
        address
        for _, attributes in elements.tags
        for name in ("src", "href")
        if (address := attributes.get(name))
    ]
    assert addresses
    for address in addresses:
        assert address.startswith("/static/"), address
        assert (STATIC / address.removeprefix("/static/")).is_file(), address


@pytest.mark.parametrize(("page", "entry"), PAGES.items())
def test_a_page_preloads_exactly_the_modules_that_it_needs(page: str, entry: str) -> None:
    """Without the list the browser finds them one level after the other."""
    elements = Elements((STATIC / page).read_text(encoding="utf-8"))
    preloaded = {
        str(attributes.get("href")).removeprefix("/static/")
        for _, attributes in elements.tags
        if attributes.get("rel") == "modulepreload"
    }
    assert preloaded == imported(entry) - {entry}


def test_every_module_is_used() -> None:
    """A module that no page imports is dead; `shapes.js` holds types only."""
    used = set().union(*(imported(entry) for entry in PAGES.values()))
    own = {path.relative_to(STATIC).as_posix() for path in OWN_SCRIPTS}
    assert own - used == {"js/shapes.js", "js/theme_start.js"}


@pytest.mark.parametrize("path", OWN_SCRIPTS, ids=lambda path: path.name)
def test_a_script_makes_no_html_and_no_code_from_text(path: Path) -> None:
    """Text from a transcript may only become text nodes and attributes."""
    text = path.read_text(encoding="utf-8")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "dangerouslySetInnerHTML",
        "document.write",
        "createContextualFragment",
        "eval(",
        "new Function",
        "setAttribute(",
        ".srcdoc",
    ):
        assert word not in text, word


@pytest.mark.parametrize("path", [*OWN_SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_no_file_names_another_host(path: Path) -> None:
    """No font, picture or script comes from elsewhere."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|url\(", text)


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_a_style_writes_no_text_in_a_fill_colour(path: Path) -> None:
    """Fills reach 3:1 only; text needs 4.5:1."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w-])color:\s*var\(--(?:\w+-f|kf)\)", text)
    assert not re.search(r"font-size:\s*(?:[0-9]|10)px", text)
