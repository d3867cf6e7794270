"""No request makes the page fail, or answer with anything but its own shapes."""

import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.build.home import S1, Home, txt
from tests.build.reading import Reader, Root


def quote_text(text: str) -> str:
    """`text` as part of a path, also a lone surrogate."""
    return quote(text.encode("utf-8", "surrogatepass"))


WORD = st.sampled_from(
    [
        "api",
        "c",
        "static",
        "conversations",
        "glossary",
        "head",
        "flow",
        "outside",
        "talk",
        "main",
        "p1",
        "record",
        "1",
        "2",
        "0",
        "-1",
        "..",
        ".",
        "%2e%2e",
        "%2f",
        "%00",
        "%ff",
        "%",
        "index.html",
        "js",
        "api.js",
        S1,
    ]
)
SEGMENT = WORD | st.binary(max_size=6).map(quote) | st.text(max_size=6).map(quote_text)
PATH = st.lists(SEGMENT, max_size=7).map(lambda parts: "/" + "/".join(parts))
QUERY = st.sampled_from(["", "?session=x", f"?session={S1}", "?session=%ff&session", "?token=1"])


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The page of one small conversation."""
    home = Home(tmp_path_factory.mktemp("home"))
    home.transcript().user("first", promptId="p1").assistant(txt("one"))
    root = Root(home, tmp_path_factory.mktemp("root"))
    root.update()
    return root.reader()


@given(PATH | PATH.map(lambda path: f"/api/c/{S1}{path}"), QUERY)
def test_no_path_makes_the_page_fail(reader: Reader, path: str, query: str) -> None:
    """Whatever is asked for is there, or is not there."""
    answer = reader.get(path + query)

    assert answer.status_code in (200, 404)
    if answer.status_code == 404 and not path.startswith("/c/"):
        assert list(answer.json()) == ["error"]


@given(st.sampled_from(["HEAD", "POST", "PUT", "GET"]), PATH)
def test_reading_is_all_that_any_path_allows(reader: Reader, method: str, path: str) -> None:
    """The method decides before the path does."""
    answer = reader.request(method, path)

    assert answer.status_code in ((200, 404) if method in ("GET", "HEAD") else (405,))


@given(st.binary(max_size=40), st.integers(0, 400))
def test_damaged_landed_files_never_make_the_page_fail(body: bytes, at: int) -> None:
    """Content is read as it is asked for, and what cannot be read has no words."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.transcript().user("first", promptId="p1").assistant(txt("one"))
        root = Root(home, Path(folder) / "root")
        root.update()
        path = root.zone.landed(S1)[0].path
        path.chmod(0o600)
        whole = path.read_bytes()
        path.write_bytes(whole[:at] + body + whole[at + len(body) :])
        reader = root.reader()

        talks = reader.json(f"/api/c/{S1}")["talks"]
        assert [talk["id"] for talk in talks] == ["talk/main/p1"]
        reader.json(f"/api/c/{S1}/talk/talk/main/p1")
        for row in range(4):
            assert reader.get(f"/api/c/{S1}/record/1/{row}").status_code in (200, 404)
