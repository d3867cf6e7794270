"""Write provider calls: a record per content block, and the results of the tools they use."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.corpus.documented import (
    CHILD_CALLS_WITHOUT_END,
    LINEAR_BATCHES,
    OLD_CALLS_WITH_END,
)
from benchmarks.corpus.tools import Json, Output, result_block
from benchmarks.corpus.transcript import FIRST, Transcript

MAIN_MODEL = "claude-opus-5"
CHILD_MODEL = "claude-sonnet-5"
THINKING_CHANCE = 0.55


class Use(NamedTuple):
    """One tool use of a call: the block's id, tool and input, and what runs the tool.

    `run` is called when the result is due, and may write records of its own before it.
    """

    id: str
    tool: str
    input: Json
    run: Callable[[], Output]


def write_call(stream: Transcript, uses: Sequence[Use], text: str | None = None) -> None:
    """Write one provider call, a record per block, and the results of its tools.

    Parallel uses stand in one of two layouts: each followed by its own result, in one line
    of descent; or all uses first, which forks the chain.
    """
    shop, era = stream.shop, stream.session.era
    blocks: list[Json] = []
    if shop.chance(THINKING_CHANCE) and era is not FIRST:
        blocks.append(_thinking(stream))
    if text is not None:
        blocks.append({"type": "text", "text": text})
    caller = {"caller": {"type": "direct"}} if era.steering else {}
    blocks += [
        {"type": "tool_use", "id": use.id, "name": use.tool, "input": use.input, **caller}
        for use in uses
    ]
    fragments = _Fragments(stream, len(blocks), bool(uses))
    linear = shop.chance(LINEAR_BATCHES)
    pending: list[tuple[Use, str]] = []
    by_id = {use.id: use for use in uses}
    interleaved = False
    for number, block in enumerate(blocks, 1):
        uuid = fragments.write(block)
        if block["type"] == "tool_use":
            pending.append((by_id[block["id"]], uuid))
            if linear:
                _write_results(stream, pending)
                interleaved |= number < len(blocks)
    _write_results(stream, pending)
    tally = shop.ledger.tally
    tally["calls"] += 1
    tally["single_fragment_calls"] += len(blocks) == 1
    tally["interleaved_calls"] += interleaved
    tally["parallel_calls"] += len(uses) > 1


def _thinking(stream: Transcript) -> Json:
    shop = stream.shop
    text = shop.write_prose(shop.size(160, 0.8)) if stream.session.era.thinking_text else ""
    signature = shop.base64(shop.size(1_500, 0.9, "signature"))
    return {"type": "thinking", "thinking": text, "signature": signature}


def _write_results(stream: Transcript, pending: list[tuple[Use, str]]) -> None:
    """Run the tools that are due, write their results, and empty `pending`."""
    tally = stream.shop.ledger.tally
    for use, assistant in pending:
        stream.last_tool_use = use.id
        output = use.run()
        block = result_block(stream.shop, use.id, output)
        body: Json = {"message": {"role": "user", "content": [block]}}
        if stream.is_main or output.failed:
            tally["tool_use_results"] += 1
            tally["string_tool_use_results"] += isinstance(output.structured, str)
            body["toolUseResult"] = output.structured
        if stream.session.era.steering:
            body["sourceToolAssistantUUID"] = assistant
        stream.add("user", body, parent=assistant)
    pending.clear()


def _chance_of_end(stream: Transcript) -> float:
    if not stream.session.era.final_usage:
        return OLD_CALLS_WITH_END
    return 1.0 if stream.is_main else 1.0 - CHILD_CALLS_WITHOUT_END


class _Fragments:
    """Writes the blocks of one call as records that share a message id."""

    def __init__(self, stream: Transcript, count: int, uses_tools: bool) -> None:
        shop = stream.shop
        self._stream = stream
        self._left = count
        self._message = shop.ids.message()
        self._request = shop.ids.request()
        self._output = 20 + int(shop.random.expovariate(1 / 400))
        self._cached = 20_000 + 90 * stream.lines
        self._created = int(shop.random.expovariate(1 / 1_500))
        self._stop = "tool_use" if uses_tools else "end_turn"
        self._ends = shop.chance(_chance_of_end(stream))
        self._written = 0

    def write(self, block: Json) -> str:
        self._left -= 1
        self._written += 1
        stream, era = self._stream, self._stream.session.era
        final = self._ends and (self._left == 0 or (stream.is_main and era.final_usage))
        message: Json = {
            "model": MAIN_MODEL if stream.is_main else CHILD_MODEL,
            "id": self._message,
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": self._stop if final else None,
            "stop_sequence": None,
            "usage": self._usage(final=final),
        }
        if era.steering:
            message |= {"stop_details": None, "container": None, "context_management": None}
        return stream.add("assistant", {"message": message, "requestId": self._request})

    def _usage(self, *, final: bool) -> Json:
        usage: Json = {
            "input_tokens": 4,
            "cache_creation_input_tokens": self._created,
            "cache_read_input_tokens": self._cached,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 0,
                "ephemeral_1h_input_tokens": self._created,
            },
            "output_tokens": self._output if final else self._written,
            "service_tier": "standard",
            "inference_geo": "not_available",
        }
        if final and self._stream.session.era.steering:
            counters = {key: usage[key] for key in ("input_tokens", "output_tokens")}
            cached = {"cache_read_input_tokens": self._cached, "type": "message"}
            usage["server_tool_use"] = {"web_search_requests": 0, "web_fetch_requests": 0}
            usage["iterations"] = [{**counters, **cached}]
            usage["speed"] = "standard"
        return usage
