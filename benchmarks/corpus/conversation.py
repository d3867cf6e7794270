"""Write what happens in a stream: turns made of calls, and what stands beside them."""

from functools import partial

from benchmarks.corpus.calls import Use, write_call
from benchmarks.corpus.documented import (
    ATTACHMENT_SHARE_OF_RECORDS,
    UNNAMED_SHARE_OF_MAIN_LINES,
)
from benchmarks.corpus.injected import make_attachment, write_metadata_line
from benchmarks.corpus.rare_events import RARE_EVENTS
from benchmarks.corpus.tools import Json, choose_tool, run_tool
from benchmarks.corpus.transcript import Transcript

TOOL_USES_OF_MAIN_CALL = (0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)
TOOL_USES_OF_CHILD_CALL = (0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 5)
"""Drawn from evenly."""

TEXT_CHANCE = 0.15


def write_tool_call(stream: Transcript) -> None:
    """Write a call that uses ordinary tools, perhaps none."""
    shop, era = stream.shop, stream.session.era
    choices = TOOL_USES_OF_MAIN_CALL if stream.is_main else TOOL_USES_OF_CHILD_CALL
    uses = []
    for _ in range(shop.random.choice(choices)):
        tool = choose_tool(shop)
        tool_input = tool.make_input(shop, stream.session.cwd)
        run = partial(run_tool, shop, tool, tool_input, plants=era.plants)
        uses.append(Use(shop.ids.tool_use(), tool.name, tool_input, run))
    text = None
    if not uses or shop.chance(TEXT_CHANCE):
        text = write_reply(stream, plants=era.plants)
    write_call(stream, uses, text)


def write_reply(stream: Transcript, *, plants: bool) -> str:
    """What an agent says; with needles only when no other line will repeat it."""
    text = stream.shop.write_prose(stream.shop.size(420, 0.9, "text"))
    return stream.shop.plant(text) if plants else text


def write_prompt(stream: Transcript, text: str, *, origin: str | None = None) -> str:
    """Write a user record that starts something; return its uuid."""
    body: Json = {"message": {"role": "user", "content": text}}
    stream.prompt_id = stream.shop.ids.uuid()
    if origin and stream.session.era.steering:
        source = "typed" if origin == "human" else "system"
        body |= {
            "permissionMode": "acceptEdits",
            "origin": {"kind": origin},
            "promptSource": source,
        }
    return stream.add("user", body)


def write_turn(main: Transcript, prompt: str, origin: str, calls: int) -> None:
    """Write a turn of a main transcript: the prompt, `calls` calls, and the end of the turn."""
    started = main.now
    main.last_prompt = prompt
    write_prompt(main, prompt, origin=origin)
    write_companions(main)
    for _ in range(calls - 1):
        write_tool_call(main)
        write_companions(main)
    end_turn(main, started)


def end_turn(main: Transcript, started: int) -> None:
    """Write the last words of a turn and its duration; `started` in milliseconds."""
    write_call(main, [], write_reply(main, plants=main.session.era.plants))
    if main.session.era.steering:
        duration = {"subtype": "turn_duration", "durationMs": main.now - started, "isMeta": False}
        main.add("system", duration)
    write_companions(main)


def write_companions(stream: Transcript) -> None:
    """Write what stands beside the conversation: injected context, metadata, rare events."""
    if not stream.session.era.attachments:
        return
    ledger = stream.shop.ledger
    if ledger.kinds["attachment"] < ATTACHMENT_SHARE_OF_RECORDS * ledger.lines:
        stream.add("attachment", {"attachment": make_attachment(stream)})
    if not stream.is_main:
        return
    while stream.unnamed < UNNAMED_SHARE_OF_MAIN_LINES * stream.lines:
        write_metadata_line(stream)
    for name, write in RARE_EVENTS.items():
        if stream.shop.is_due(name):
            write(stream)
