"""The page's pure modules, called in the browser: text in, text out."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.invented.answers import answers
from tests.browser.invented.page_server import PageServer

pytestmark = pytest.mark.browser

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def call(browser: Browser) -> Iterator[Call]:
    """Calls an exported function of a module with JSON values."""
    site = PageServer(answers())
    context = browser.new_context(timezone_id="UTC")
    page = context.new_page()
    page.goto(site.url)

    def call_function(module: str, function: str, *values: Any) -> Any:
        return page.evaluate(
            "async ([module, name, values]) => "
            "(await import(`/static/js/${module}.js`))[name](...values)",
            [module, function, list(values)],
        )

    call_function.page = page  # type: ignore[attr-defined]
    yield call_function
    context.close()
    site.close()


def test_colours_of_terminal_output_are_read_and_their_codes_gone(call: Call) -> None:
    """Eight colours and weight; 256 colours and true colours are skipped whole."""
    pieces = call(
        "ansi", "parseAnsi", "a\x1b[1;31mb\x1b[0m\x1b[38;5;200mc\x1b[38;2;1;2;3md\x1b[7me"
    )
    assert [(piece["text"], piece["style"]["ink"]) for piece in pieces] == [
        ("a", ""),
        ("b", "red"),
        ("c", ""),
        ("d", ""),
        ("e", ""),
    ]
    assert pieces[1]["style"]["bold"] and not pieces[2]["style"]["bold"]
    assert pieces[4]["style"]["inverse"]


def test_no_other_terminal_sequence_is_carried_out_or_lost(call: Call) -> None:
    """A link, a title, a cursor move: they stay in the text and show as symbols."""
    text = "\x1b]8;;http://x\x07here\x1b[2K\x1b[10A"
    assert call("ansi", "parseAnsi", text)[0]["text"] == text
    shown = call("visible_text", "visible", text)
    assert "\x1b" not in shown
    assert shown == "⟦ESC⟧]8;;http://x⟦BEL⟧here⟦ESC⟧[2K⟦ESC⟧[10A"


def test_every_hidden_character_shows(call: Call) -> None:
    """Controls, bidi controls, zero widths, separators, tag characters, lone halves."""
    hidden = "\x00\x7f\x9b\u00ad\u200b\u200e\u2028\u202e\u2066\ufeff\U000e0041"
    shown = call("visible_text", "visible", f"a{hidden}b\tc\nd\r\ne")
    assert not set(hidden) & set(shown)
    assert shown.count("⟦") == len(hidden)
    assert shown.endswith("b\tc\nd\ne")
    lone = call.page.evaluate(  # type: ignore[attr-defined]
        "async () => (await import('/static/js/visible_text.js')).visible('x\\ud800y')"
    )
    assert lone == "x⟦U+D800⟧y"


def test_ordinary_text_of_all_scripts_stays_as_it_is(call: Call) -> None:
    """Joiners belong to emoji and to Persian; nothing there is hidden."""
    text = "Grüße 👩‍👩‍👧 می‌خواهم עברית 漢字\n\tend"
    assert call("visible_text", "visible", text) == text


def test_a_difference_of_two_texts_holds_both(call: Call) -> None:
    """What stays and goes is the text before, what stays and comes is the text after."""
    cases = [
        ("a\nb\nc", "a\nx\nc\nd"),
        ("", "new"),
        ("old", ""),
        ("a\na\nb\na", "a\nb\nb\na\na"),
        ("one line", "one line"),
        ("\n".join(map(str, range(900))), "\n".join(map(str, range(0, 1800, 2)))),
    ]
    for before, after in cases:
        lines = call("steps/diff_lines", "linesOfTexts", before, after)
        old = [line["text"] for line in lines if line["type"] in ("same", "del")]
        new = [line["text"] for line in lines if line["type"] in ("same", "add")]
        assert "\n".join(old) == before
        assert "\n".join(new) == after


def test_the_changed_words_of_a_pair_of_lines_are_marked(call: Call) -> None:
    """Only where as many lines came as went."""
    lines = call(
        "steps/diff_lines", "linesOfTexts", "if (age > limit) stop", "if (age > most) stop"
    )
    assert [line["text"][line["from"] : line["to"]] for line in lines] == ["limit", "most"]
    assert all("from" not in line for line in call("steps/diff_lines", "linesOfTexts", "a", "b\nc"))


def test_a_patch_of_an_unknown_shape_is_no_patch(call: Call) -> None:
    """The card then falls back to the request."""
    for patch in (None, {}, "text", [None], [{"lines": 3}]):
        assert call("steps/diff_lines", "linesOfPatch", patch) == []


def test_only_a_wholly_numbered_listing_is_read_as_one(call: Call) -> None:
    """Output that merely begins with a number keeps its text."""
    listing = call("steps/numbered_file", "parseNumbered", "     9→a\n    10→  b\n")
    assert listing == {"numbers": [9, 10], "lines": ["a", "  b"]}
    assert call("steps/numbered_file", "parseNumbered", "1→a\nplain") is None
    assert call("steps/numbered_file", "parseNumbered", "12 apples") is None


def test_the_first_and_last_lines_of_a_text(call: Call) -> None:
    """A line without an end does not count as one line for ever."""
    assert call("steps/clip", "headLength", "a\nb\nc\n", 2) == 3
    assert call("steps/clip", "headLength", "a\nb", 5) == 3
    assert call("steps/clip", "headLength", "x" * 9000, 5) == 2000
    assert call("steps/clip", "tailOf", "a\nb\nc\n", 2) == "b\nc"
    assert call("steps/clip", "tailOf", "a", 2) == "a"


def test_pages_of_a_text_lose_nothing(call: Call) -> None:
    """They begin where the one before ended, at a line end where there is one near."""
    text = "".join(f"line {number}\n" for number in range(40_000))
    starts = call("inspector/paged_text", "pageStarts", text)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert all(text[start - 1] == "\n" for start in starts[1:])
    assert max(b - a for a, b in zip(starts, [*starts[1:], len(text)], strict=True)) <= 48_000


def test_prose_is_laid_out_and_keeps_its_words(call: Call) -> None:
    """Lists, code and headings are told apart; an open fence takes the rest."""
    blocks = call("prose", "parseProse", "# H\ntext\n- a\n  more\n  - b\n1. c\n\n```py\nx\n")
    assert [block["type"] for block in blocks] == ["heading", "text", "list", "code"]
    assert [(item["level"], item["lines"]) for item in blocks[2]["items"]] == [
        (0, ["a", "more"]),
        (1, ["b"]),
        (0, ["c"]),
    ]
    assert blocks[3]["lines"] == ["x", ""]
    assert call("prose", "parseProse", "") == []


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0 ms"),
        (412, "412 ms"),
        (4_190, "4.1 s"),
        (59_999, "59.9 s"),
        (922_000, "15 m 22 s"),
        (11_460_000, "3 h 11 m"),
        (190_800_000, "2 d 5 h"),
        (1_040_000_000, "12 d"),
        (-1, "unavailable"),
        (None, "unavailable"),
    ],
)
def test_durations_in_words(call: Call, ms: int | None, words: str) -> None:
    """Never rounded up to more than was."""
    assert call("times", "duration", ms) == words


def test_an_unknown_time_is_never_a_date(call: Call) -> None:
    """0 and what is no number both mean that nobody knows."""
    for function in ("clock", "day", "dayAndClock", "utc", "shortClock"):
        assert call("times", function, 0) == "time unknown"
        assert call("times", function, None) == "time unknown"
    assert call("times", "spanText", 0, 5) == "time unknown"
    assert call("times", "clock", 1_773_151_331_000) == "14:02:11"


def test_numbers_in_words(call: Call) -> None:
    """Sizes say their unit; lower bounds say so; a missing number is no zero."""
    assert call("sizes", "bytes", 311_400) == "311 KB"
    assert call("sizes", "partOfBytes", 600, 311_000) == "0.6 of 311 KB"
    assert call("sizes", "tokenText", {"in": 4_000_000, "out": 100_000}, 2) == "≥ 4.1 M"
    assert call("sizes", "tokenText", None, 0) == "unknown"
    assert call("sizes", "count", 1_234_567) == "1,234,567"


def test_the_rows_of_a_talk_account_for_every_step(call: Call) -> None:
    """Shown or counted as hidden, at every depth."""
    kinds = ["message.external", "context.injection", "llm.call", "thinking", "tool"]
    kinds += ["turn.duration", "control.notice", "a.new.kind", "message.assistant"]
    steps = [
        {"id": f"s{number}", "kind": kind, "at": 0, "ref": {"seq": 1, "row": number}}
        for number, kind in enumerate(kinds, 1)
    ]
    talk = {"id": "t", "stream": "main", "reply": "r", "from": 0, "to": 0, "steps": len(steps)}
    for depth, least in (("messages", 0), ("tools", 4), ("everything", 7)):
        rows = call.page.evaluate(  # type: ignore[attr-defined]
            """async ([talk, steps, depth]) => {
              const { buildRows } = await import('/static/js/transcript_rows.js');
              return buildRows({
                talks: [talk], outside: [], loaded: new Map([['t', { status: 'ready', steps }]]),
                unfolded: new Set(['t']), depth, unresolved: [],
              });
            }""",
            [talk, steps, depth],
        )
        shown = [row for row in rows if row["type"] == "step"]
        hidden = sum(row["number"] for row in rows if row["type"] == "hidden")
        assert len(shown) + hidden == len(steps) - 2
        assert len(shown) == least
        assert len({row["key"] for row in rows}) == len(rows)


def test_streams_that_open_each_other_are_all_listed_once(call: Call) -> None:
    """Parents that lead in a circle, or name nobody, lose no stream."""
    streams = [
        {"id": name, "name": name, "role": role, "parent": parent}
        for name, role, parent in (
            ("main", "main", ""),
            ("a", "child", "b"),
            ("b", "child", "a"),
            ("c", "child", "gone"),
            ("d", "child", "d"),
            ("e", "child", "main"),
        )
    ]
    ordered = call("streams_tree", "orderStreams", streams)
    assert sorted(each["row"]["name"] for each in ordered) == ["a", "b", "c", "d", "e", "main"]
    assert [each["row"]["name"] for each in ordered[:2]] == ["main", "e"]


def test_what_began_a_talk_is_never_a_queued_message(call: Call) -> None:
    """A command opens a talk only when nothing but what the program put in came before it."""
    queued = {"kind": "message.external", "id": "q", "attrs": {"queue": "removed"}}
    message = {"kind": "message.external", "id": "m"}
    command = {"kind": "control.command", "id": "c"}
    injection = {"kind": "context.injection", "id": "i"}
    call_ = {"kind": "llm.call", "id": "l"}

    def opening(*steps: dict[str, Any]) -> str | None:
        found = call("talk_tree", "openingOf", list(steps))
        return found and found["id"]

    assert opening(injection, command, call_, queued, message) == "c"
    assert opening(queued, message, command) == "m"
    assert opening(call_, command) is None
    assert opening(call_, queued) is None


def test_a_command_shows_as_it_was_typed(call: Call) -> None:
    """Marks of the record are no words of the person; a text without marks is shown whole."""
    marked = "<command-name>/draw</command-name>\n<command-args>a <b>\nmap</command-args>"
    assert call("agent_words", "typedCommand", marked, "/draw") == "/draw a <b>\nmap"
    assert call("agent_words", "typedCommand", marked[:-19], "/draw") == "/draw a <b>"
    bare = "<command-name>/clear</command-name>\n<command-args></command-args>"
    assert call("agent_words", "typedCommand", bare, "/clear") == "/clear"
    assert call("agent_words", "typedCommand", '{"content":"x"}', "/cost") == "/cost"
    assert call("agent_words", "typedCommand", "/draw it", "/draw") == "/draw it"
