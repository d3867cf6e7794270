"""Write sessions as older versions of the runtime laid them out."""

from benchmarks.corpus.calls import Use, write_call
from benchmarks.corpus.conversation import write_prompt, write_reply, write_tool_call
from benchmarks.corpus.documented import PROGRESS_SHARE_OF_RECORDS
from benchmarks.corpus.tools import Json, Output
from benchmarks.corpus.transcript import FIRST, Transcript

CALLS_OF_CHILD = 4
TURNS_BETWEEN_CHILDREN = 3


def write_old_session(main: Transcript, budget: int) -> None:
    """Fill a main transcript of an older era, and its children, with about `budget` bytes."""
    shop = main.shop
    end = shop.ledger.all_bytes + budget
    main.note("summary", {"summary": shop.prose.text(shop.random, 40), "leafUuid": shop.ids.uuid()})
    turns = 0
    while shop.ledger.all_bytes < end:
        write_prompt(main, shop.write_prose(shop.size(240, 0.8)))
        for _ in range(1 + int(shop.random.expovariate(0.3))):
            write_tool_call(main)
            _write_hook_progress(main)
        if turns % TURNS_BETWEEN_CHILDREN == 0:
            _write_task_call(main)
        write_call(main, [], write_reply(main, plants=False))
        turns += 1


def _write_task_call(main: Transcript) -> None:
    """Write a call of `Task`; its child's records come before the result."""
    shop = main.shop
    prompt = shop.write_prose(shop.size(600, 0.6))
    tool_input = {"description": shop.word(), "prompt": prompt, "subagent_type": "general-purpose"}

    def run() -> Output:
        write = _write_inline_child if main.session.era is FIRST else _write_child_beside
        return write(main, prompt)

    write_call(main, [Use(shop.ids.tool_use(), "Task", tool_input, run)])


def _write_inline_child(main: Transcript, prompt: str) -> Output:
    """A child whose records stand in the main file and carry no agent id."""
    with main.inside_child():
        answer = _write_child(main, prompt)
    main.shop.ledger.tally["inline_children"] += 1
    blocks = [{"type": "text", "text": answer}]
    return Output(blocks, {"content": blocks, "totalDurationMs": 42_000})


def _write_child_beside(main: Transcript, prompt: str) -> Output:
    """A child in a file beside the sessions, whose messages the main file repeats."""
    shop, tool_use = main.shop, main.last_tool_use
    agent = shop.ids.hexadecimal(8)
    path = main.session.project / f"agent-{agent}.jsonl"
    with Transcript(shop, main.session, path, main.now, agent=agent) as child:
        answer = _write_child(child, prompt)
    main.now = child.now
    for record in child.recent:
        kept = {key: record[key] for key in ("type", "message", "uuid", "timestamp")}
        data = {"message": kept, "normalizedMessages": [], "type": "agent_progress"}
        _write_progress(main, tool_use, {**data, "prompt": prompt, "agentId": agent})
    blocks = [{"type": "text", "text": answer}]
    facts = {"status": "completed", "prompt": prompt, "agentId": agent}
    return Output(blocks, {**facts, "content": blocks, "totalDurationMs": 42_000})


def _write_child(stream: Transcript, prompt: str) -> str:
    """Write a short child; return its last words."""
    write_prompt(stream, prompt)
    for _ in range(CALLS_OF_CHILD):
        write_tool_call(stream)
    answer = write_reply(stream, plants=False)
    write_call(stream, [], answer)
    return answer


def _write_hook_progress(main: Transcript) -> None:
    """Write reports of hooks until they are as common as they were."""
    while main.session.era.progress and main.progress < PROGRESS_SHARE_OF_RECORDS * main.lines:
        event = main.shop.random.choice(("PreToolUse", "PostToolUse"))
        data = {"hookEvent": event, "hookName": f"{event}:Bash", "command": "callback"}
        _write_progress(main, main.last_tool_use, {"type": "hook_progress", **data})


def _write_progress(main: Transcript, tool_use: str, data: Json) -> None:
    main.progress += 1
    main.add("progress", {"data": data, "toolUseID": tool_use, "parentToolUseID": tool_use})
