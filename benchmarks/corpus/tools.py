"""Tool uses: what the model asks for, what comes back, and the structured copy of that."""

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.corpus.documented import FAILED_RESULTS, RESULTS_WITH_ERROR_FLAG
from benchmarks.corpus.workshop import Workshop

Json = dict[str, Any]


class Output(NamedTuple):
    """What a tool returned.

    Attributes:
        content: The result block's content: a string or a list of blocks.
        structured: The record's `toolUseResult`; main transcripts and failures only.
        failed: Whether the tool failed.
    """

    content: str | list[Json]
    structured: Json | str
    failed: bool = False


class Tool(NamedTuple):
    """A tool: how often it is used, whether it returns text, what makes input and output."""

    name: str
    weight: int
    returns_text: bool
    make_input: Callable[[Workshop, str], Json]
    make_output: Callable[[Workshop, Json, str], Output]


def result_block(shop: Workshop, tool_use: str, output: Output) -> Json:
    """The result block for a use; `is_error` is left out as often as the runtime does."""
    flag: Json = {}
    shop.ledger.tally["tool_results"] += 1
    if output.failed or shop.chance(RESULTS_WITH_ERROR_FLAG):
        flag = {"is_error": output.failed}
        shop.ledger.tally["tool_results_with_error_flag"] += 1
    return {
        "tool_use_id": tool_use,
        "type": "tool_result",
        "content": output.content,
        **flag,
    }


def run_tool(shop: Workshop, tool: Tool, tool_input: Json, *, plants: bool) -> Output:
    """What a use of `tool` returns; a failure's structured copy is a bare string."""
    failed = shop.chance(FAILED_RESULTS)
    if not (failed or tool.returns_text):
        return tool.make_output(shop, tool_input, "")
    write = shop.write_log if tool.name == "Bash" else shop.write_code
    body = write(shop.size(300 if failed else 850, 1.5, "tool_result"))
    if plants:
        body = shop.plant(body)
    if failed:
        body = f"Error: Exit code 1\n{body}"
        return Output(body, body, failed=True)
    return tool.make_output(shop, tool_input, body)


def _input_size(shop: Workshop, median: float) -> float:
    return shop.size(median, 1.0, "tool_input")


def _bash_input(shop: Workshop, cwd: str) -> Json:
    return {
        "command": f"cd {cwd} && {shop.write_log(_input_size(shop, 260))}",
        "description": shop.prose.text(shop.random, 45),
    }


def _bash_output(_shop: Workshop, _input: Json, body: str) -> Output:
    return Output(
        body,
        {
            "stdout": body,
            "stderr": "",
            "interrupted": False,
            "isImage": False,
            "noOutputExpected": False,
        },
    )


def _read_input(shop: Workshop, cwd: str) -> Json:
    window: Json = {"offset": shop.random.randrange(900), "limit": 80} if shop.chance(0.4) else {}
    return {"file_path": shop.path(cwd), **window}


def _read_output(_shop: Workshop, tool_input: Json, body: str) -> Output:
    lines = body.split("\n")
    numbered = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(lines, 1))
    file = {
        "filePath": tool_input["file_path"],
        "content": body,
        "numLines": len(lines),
        "startLine": 1,
        "totalLines": len(lines),
    }
    return Output(numbered, {"type": "text", "file": file})


def _edit_input(shop: Workshop, cwd: str) -> Json:
    size = _input_size(shop, 420)
    return {
        "file_path": shop.path(cwd),
        "old_string": shop.write_code(size),
        "new_string": shop.write_code(size * 1.2),
        "replace_all": False,
    }


def _edit_output(shop: Workshop, tool_input: Json, _body: str) -> Output:
    path, old, new = (tool_input[key] for key in ("file_path", "old_string", "new_string"))
    lines = [*(f"-{line}" for line in old.split("\n")), *(f"+{line}" for line in new.split("\n"))]
    hunk = {"oldStart": 12, "oldLines": 7, "newStart": 12, "newLines": 9, "lines": lines}
    return Output(
        f"The file {path} has been updated successfully.",
        {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": shop.write_code(shop.size(2_400, 0.9, "tool_use_result")),
            "structuredPatch": [hunk],
            "userModified": False,
            "replaceAll": False,
        },
    )


def _write_input(shop: Workshop, cwd: str) -> Json:
    return {"file_path": shop.path(cwd), "content": shop.write_code(_input_size(shop, 2_600))}


def _write_output(_shop: Workshop, tool_input: Json, _body: str) -> Output:
    path = tool_input["file_path"]
    return Output(
        f"File created successfully at: {path}",
        {
            "type": "create",
            "filePath": path,
            "content": tool_input["content"],
            "structuredPatch": [],
            "originalFile": None,
        },
    )


def _grep_input(shop: Workshop, cwd: str) -> Json:
    return {"pattern": shop.word(), "path": cwd, "output_mode": "content", "-n": True}


def _grep_output(_shop: Workshop, _input: Json, body: str) -> Output:
    found: Json = {"mode": "content", "numFiles": 0, "filenames": [], "content": body}
    return Output(body, {**found, "numLines": body.count("\n") + 1})


def _page_input(shop: Workshop, _cwd: str) -> Json:
    question = shop.write_prose(_input_size(shop, 220))
    return {"url": f"https://docs.example/{shop.word()}/{shop.word()}", "prompt": question}


def _page_output(shop: Workshop, tool_input: Json, body: str) -> Output:
    answer = {"bytes": len(body), "code": 200, "codeText": "OK", "result": body}
    duration = shop.random.randrange(300, 9_000)
    return Output(body, {**answer, "durationMs": duration, "url": tool_input["url"]})


def _query_input(shop: Workshop, _cwd: str) -> Json:
    return {"table": shop.word(), "query": shop.write_prose(_input_size(shop, 120))}


def _query_output(_shop: Workshop, _input: Json, body: str) -> Output:
    blocks = [{"type": "text", "text": body}]
    return Output(blocks, {"content": blocks, "structuredContent": None})


TOOLS = (
    Tool("Bash", 52, True, _bash_input, _bash_output),
    Tool("Read", 24, True, _read_input, _read_output),
    Tool("Edit", 12, False, _edit_input, _edit_output),
    Tool("Grep", 6, True, _grep_input, _grep_output),
    Tool("Write", 4, False, _write_input, _write_output),
    Tool("WebFetch", 1, True, _page_input, _page_output),
    Tool("mcp__atlas__query", 1, True, _query_input, _query_output),
)


def choose_tool(shop: Workshop) -> Tool:
    """One of `TOOLS`, by weight."""
    return shop.random.choices(TOOLS, [tool.weight for tool in TOOLS])[0]
