"""Wednesday: an overloaded service, an interrupt, texts that must be escaped, an open command."""

from sample import agents, ids, tidebook
from sample.story import SESSION, Story, bash
from sample.transcript import Transcript, text, thinking
from sample.workspace import Answer, shell


def tell_second_day(story: Story) -> None:
    """Talks 6 to 10; the last command has no result yet."""
    _meet_overload(story)
    _compare_with_gauges(story)
    _be_interrupted(story)
    _escape_notices(story)
    _start_migration(story)


def _meet_overload(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.set("2026-09-09T08:50:09+00:00")
    began = clock.now
    words = (
        "Good morning. Give Sandness its key and a test, then compare our predictions with the "
        "gauges of the last two days."
    )
    story.type("sandness", words)
    for attempt in (1, 2):
        main.system(
            "api_error",
            level="error",
            error={
                "message": "Overloaded",
                "status": 529,
                "requestId": ids.request_id(f"overload-{attempt}"),
                "formatted": "529 Overloaded",
                "connection": None,
                "isNetworkDown": False,
                "rateLimits": None,
            },
            retryInMs=600 * attempt,
            retryAttempt=attempt,
            maxRetries=2,
            seconds=2.0 * attempt,
        )
    _speak_for_the_model(main)
    main.turn_duration(began)
    story.last_prompt(words)


def _speak_for_the_model(main: Transcript) -> None:
    """The runtime's own words in place of an answer: model `<synthetic>`, no tokens."""
    message = {
        "id": ids.uuid_of("synthetic"),
        "model": "<synthetic>",
        "role": "assistant",
        "type": "message",
        "stop_reason": "stop_sequence",
        "stop_sequence": "",
        "content": [text("API Error: 529 Overloaded. Try again in a moment.")],
        "usage": {
            "input_tokens": 0,
            "output_tokens": 0,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "service_tier": None,
        },
    }
    late = {"error": "server_error", "isApiErrorMessage": True, "apiErrorStatus": 529}
    main.chained("assistant", {"message": message, "late": late}, seconds=0.3)


def _compare_with_gauges(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.pass_seconds(95)
    began = clock.now
    prompt = story.type("again", "Try again, please.")
    story.snapshot(prompt)
    sandness = tidebook.SANDNESS
    main.answer(
        "sandness",
        {"type": "redacted_thinking", "data": ids.signature_of("redacted")},
        text("Sandness first; its file has the same source line as Kelmouth's had."),
        story.read("read-sandness", "data/ports/sandness.toml", 1, 6),
        story.edit(
            "edit-sandness",
            "data/ports/sandness.toml",
            sandness.split("\n")[3] + "\n",
            sandness.split("\n")[3] + '\nphase_reference = "local"\n',
        ),
        story.edit(
            "edit-port-test",
            "tests/test_harmonics.py",
            "def test_a_day_has_two_high_waters(",
            '@pytest.mark.parametrize("slug", ["kelmouth", "sandness"])\n'
            "def test_table_b_means_local_lags(slug: str) -> None:\n"
            "    port = load_port(slug)\n"
            '    assert (port.source[-7:], port.phase_reference) == ("table B", "local")\n\n\n'
            "def test_a_day_has_two_high_waters(",
        ),
        story.edit(
            "edit-port-import",
            "tests/test_harmonics.py",
            "from tidebook.harmonics import Constituent, local_phase\n",
            "from tidebook.harmonics import Constituent, local_phase\n"
            "from tidebook.ports import load_port\n",
        ),
        interleave=False,
    )
    log = tidebook.gauge_log()
    stored = agents.stored_result_path("gauges")
    story.files[agents.below_home(stored)] = log
    preview = log[:2000].rsplit("\n", 1)[0]
    size = len(log.encode())
    main.answer(
        "gauges",
        thinking("", ids.signature_of("gauges")),
        bash(
            "pytest-3",
            "uv run pytest -q tests/test_harmonics.py",
            "Run the tests of this module",
            shell("......                                           [100%]\n6 passed in 0.44s\n"),
            2.9,
        ),
        bash(
            "gauges",
            "uv run python -m tidebook.compare --hours 28 --all",
            "Compare predictions with the gauges of all ports",
            Answer(
                f"<persisted-output>\nOutput too large ({size / 1024:.1f}KB). Full output saved "
                f"to: {stored}\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>",
                {
                    **shell(preview).structured,
                    "persistedOutputPath": stored,
                    "persistedOutputSize": size,
                },
                failed=False,
            ),
            5.1,
        ),
        bash(
            "worst",
            r"uv run python -m tidebook.compare --hours 28 --all | grep -oE '[+-][0-9.]+$' "
            "| sort | uniq -c",
            "Count the differences by size",
            shell(tidebook.count_differences(log)),
            5.0,
        ),
    )
    main.answer(
        "gauges-said",
        text(
            "Both keys are in, six tests pass. Over 28 hours and fourteen ports no prediction is "
            "more than **3 cm** from its gauge, and the differences lean neither early nor late. "
            "The twelve minutes are gone; the full comparison was too long to show here and is "
            "stored beside this session."
        ),
    )
    main.bare(
        "pr-link",
        sessionId=SESSION,
        prNumber=41,
        prUrl="https://git.example.invalid/tidebook/pull/41",
        prRepository="tidebook/tidebook",
        timestamp=clock.stamp(),
    )
    main.turn_duration(began)
    story.last_prompt("Try again, please.")


def _be_interrupted(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.pass_seconds(140)
    words = "Now let pages.py print the mark."
    story.type("pages", words)
    main.answer(
        "rewrite",
        text(
            "I will first turn `render_day` into a class, so that a month of heights can be kept "
            "between two days, and then move the"
        ),
        isAbortedMidStream=True,
    )
    main.records[-1]["message"]["stop_reason"] = None
    main.user(
        [{"type": "text", "text": "[Request interrupted by user]"}],
        seconds=3.0,
        interruptedMessageId=ids.message_id("main/rewrite"),
    )
    story.last_prompt(words)


def _escape_notices(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.pass_seconds(50)
    began = clock.now
    words = (
        "No classes. Leave pages.py for now, something is more urgent: yesterday's notice came in "
        'as "<b>Low water & fog</b>: keep clear of the bar", another as 潮汐表 は 明日 更新 🌊, '
        "and the page went bold to the bottom. Notices are plain text. Whatever they contain."
    )
    story.type("notices", words)
    story.title("custom-title", "Tide tables: one lag, applied once")
    main.answer(
        "escape",
        thinking(
            "show_day joins raw text into HTML. Escape at that one place; quotes too, since the "
            "text may move into an attribute one day. `<b>` must come out as &lt;b&gt;.",
            ids.signature_of("escape"),
        ),
        story.grep("grep-notice", r"notice", "tidebook/"),
        {
            "type": "citation_map",
            "entries": [{"claim": "notices are joined as HTML", "path": "tidebook/web.py"}],
        },
        story.edit(
            "edit-web-import",
            "tidebook/web.py",
            "from datetime import date\n\n",
            "from datetime import date\nfrom html import escape\n\n",
        ),
        story.edit(
            "edit-web",
            "tidebook/web.py",
            '    notices = "".join(f"<p class=notice>{text}</p>" '
            "for text in read_notices(port, day))\n",
            '    notices = "".join(\n'
            '        f"<p class=notice>{escape(text)}</p>" for text in read_notices(port, day)\n'
            "    )\n",
        ),
    )
    # A prompt that was typed, queued and taken back: it exists in these two lines only.
    main.queue("enqueue", "And tell the office they may use emoji again 😀", seconds=4.0)
    main.queue("popAll", "And tell the office they may use emoji again 😀", seconds=6.0)
    main.bare(
        "session-beacon",
        sessionId=SESSION,
        beacon={"kind": "a record type no version is known to write", "sequence": 7},
    )
    main.answer(
        "escape-check",
        bash(
            "curl-page",
            "curl -s localhost:8000/kelmouth/2026-09-09 | grep -o '<p class=notice>.*</p>'",
            "Look at the notices as the page has them",
            shell(
                "<p class=notice>&lt;b&gt;Low water &amp; fog&lt;/b&gt;: keep clear of the "
                "bar</p>\n<p class=notice>潮汐表 は 明日 更新 🌊</p>\n"
            ),
            0.7,
        ),
    )
    main.answer(
        "escaped",
        text(
            "Notices are escaped where they enter the page, so `<b>` shows as `<b>` and nothing "
            "in a notice can open a tag. 潮汐表 and 🌊 arrive as they are: the page is UTF-8 and "
            "says so.\n\n"
            "```html\n<p class=notice>&lt;b&gt;Low water &amp; fog&lt;/b&gt;: …</p>\n```"
        ),
    )
    main.turn_duration(began)
    main.system(
        "away_summary",
        content=(
            "Notices are escaped in tidebook/web.py and checked on the running page. "
            "`pages.py` still has to print springs and neaps."
        ),
        level="info",
        isMeta=False,
        seconds=180.0,
    )
    story.last_prompt(words)


def _start_migration(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.set("2026-09-09T09:31:20+00:00")
    words = "Then bring it to staging: run the migration there and show me what it prints."
    prompt = story.type("staging", words)
    story.snapshot(prompt)
    story.cost_state()
    main.answer(
        "migrate",
        thinking("", ids.signature_of("migrate")),
        text("I run it on staging with a dry run first; it stops by itself if a table is locked."),
        bash(
            "migrate",
            "ssh staging 'cd tidebook && uv run python -m tidebook.migrate --dry-run && "
            "uv run python -m tidebook.migrate'",
            "Run the migration on staging",
            None,
        ),
    )
    story.last_prompt(words)
    story.cost_state()
    story.files[f"sessions/{PROCESS}.json"] = registry_entry(story)


# Above the largest process id of common systems, so that no real process is meant.
PROCESS = 4194204


def registry_entry(story: Story) -> str:
    """The runtime's note that this session's process was at work when last seen."""
    now = story.clock.millis()
    return (
        f'{{"pid":{PROCESS},"sessionId":"{SESSION}","cwd":"{tidebook.ROOT}",'
        f'"startedAt":{now - 2_478_000},"procStart":"543621664","version":"2.1.284",'
        '"peerProtocol":1,"kind":"interactive","entrypoint":"cli",'
        '"pidDomain":"linux:0123456789abcdef:pid:[4026531836]",'
        '"name":"Tide tables: one lag, applied once","nameSource":"user",'
        f'"status":"busy","updatedAt":{now},"statusUpdatedAt":{now}}}'
    )
