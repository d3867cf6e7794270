"""Questions to the person and what was answered, as one text."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sessionizer.base.text import normalise
from sessionizer.claude_code.markers import ANSWER_OPENINGS
from sessionizer.claude_code.values import decode_value
from sessionizer.transcripts.openers import tool_results
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.tool_texts import result_text


def answer_text(one: TranscriptRecord) -> str:
    """The questions, their options, the answers and notes of an answering record, in one line."""
    value = decode_value(one.record.tool_use_result)
    result = value if isinstance(value, dict) else {}
    return normalise("\n".join(_lines(result)) or f"[AskUserQuestion] {_spoken(one)}")


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    questions = [one for one in _list(result.get("questions")) if isinstance(one, dict)]
    answers = result.get("answers")
    answers = answers if isinstance(answers, dict) else {}
    response = result.get("response")
    freeform = isinstance(response, str) and response.strip() != "" and not answers
    if not questions and not answers and not freeform:
        return
    count = len(questions) or len(answers)
    yield f"[AskUserQuestion · {count} question{'' if count == 1 else 's'}]"
    if not questions:
        for number, (question, answer) in enumerate(answers.items(), start=1):
            yield f"Q{number}: {question}"
            yield f"A{number}: {_answer(answer)}"
    for number, question in enumerate(questions, start=1):
        yield _question_line(number, question, bare=freeform)
        if not freeform:
            yield from _reply_lines(number, question, answers, result.get("annotations"))
    if freeform:
        yield f"response: {response}"


def _question_line(number: int, question: Mapping[str, Any], *, bare: bool) -> str:
    text, header = _text(question.get("question")), _text(question.get("header"))
    return f"Q{number} ({header}): {text}" if header and not bare else f"Q{number} {text}"


def _reply_lines(
    number: int, question: Mapping[str, Any], answers: Mapping[str, Any], annotations: Any
) -> Iterator[str]:
    for option in _list(question.get("options")):
        if isinstance(option, dict):
            label, description = _text(option.get("label")), _text(option.get("description"))
            yield f"  - {label}: {description}" if description else f"  - {label}"
        elif isinstance(option, str):
            yield f"  - {option}"
    text = _text(question.get("question"))
    if text in answers:
        yield f"A{number}: {_answer(answers[text])}"
    note = annotations.get(text) if isinstance(annotations, dict) else None
    if isinstance(note, dict) and _text(note.get("notes")):
        yield f"   note: {_text(note.get('notes'))}"


def _spoken(one: TranscriptRecord) -> str:
    texts = [result_text(block) for block in tool_results(one)]
    return next((text for text in texts if text.lstrip().startswith(ANSWER_OPENINGS)), "")


def _answer(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_answer, value))
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
