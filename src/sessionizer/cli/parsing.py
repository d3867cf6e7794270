"""Read a command line against a flag table.

The grammar is that of docs/commands/README.md: GNU long flags; a token that starts with
one dash is a flag only when the table says so, since directory names of projects start
with a dash.
"""

from collections.abc import Sequence

from sessionizer.base.errors import UsageError
from sessionizer.cli.flags import Flag, Positional


def parse_tokens(
    tokens: Sequence[str],
    flags: Sequence[Flag],
    positionals: Sequence[Positional],
    *,
    dash_positionals: bool,
) -> dict[str, object]:
    """The value of every flag and positional, by attribute name.

    Args:
        tokens: The command line without program and command name.
        flags: The table, shared flags included.
        positionals: In order; only the last may take any number.
        dash_positionals: Whether an undeclared token with one leading dash is a positional
            (project directories look like that). Otherwise it is an error, and names the
            flag with two dashes if there is one.

    Raises:
        UsageError: An unknown flag, a missing, surplus or refused value, a flag given twice,
            two flags that exclude each other, too few or too many positionals.
    """
    given, words = _split(tokens, flags, dash_positionals=dash_positionals)
    _refuse_conflicts(given, flags)
    values: dict[str, object] = {flag.field: flag.default for flag in flags}
    for flag in flags:
        if flag.name in given:
            found = given[flag.name]
            values[flag.field] = tuple(found) if flag.repeatable else found[0]
    values.update(_assign(words, positionals))
    return values


def _split(
    tokens: Sequence[str], flags: Sequence[Flag], *, dash_positionals: bool
) -> tuple[dict[str, list[object]], list[str]]:
    by_spelling = {flag.name: flag for flag in flags}
    by_letter = {flag.short[1]: flag for flag in flags if flag.short}
    given: dict[str, list[object]] = {}
    words: list[str] = []
    rest = list(reversed(tokens))

    def take(flag: Flag, text: str | None) -> None:
        if flag.name in given and not flag.repeatable:
            raise UsageError(f"{flag.name} is given twice")
        given.setdefault(flag.name, []).append(_value(flag, text))

    while rest:
        token = rest.pop()
        if token == "--":
            words.extend(reversed(rest))
            break
        if token.startswith("--"):
            name, equals, attached = token.partition("=")
            flag = by_spelling.get(name)
            if flag is None:
                raise UsageError(f"unknown flag {name}{_nearest(name, by_spelling)}")
            if equals:
                if flag.metavar is None:
                    raise UsageError(f"{name} takes no value")
                take(flag, attached)
            elif flag.takes_next:
                if not rest or rest[-1] in by_spelling:
                    raise UsageError(f"{name} needs a value: {name} {flag.metavar}")
                take(flag, rest.pop())
            else:
                take(flag, None)
        elif len(token) == 2 and token[0] == "-" and token[1] in by_letter:
            flag = by_letter[token[1]]
            if flag.takes_next and not rest:
                raise UsageError(f"{token} needs a value: {token} {flag.metavar}")
            take(flag, rest.pop() if flag.takes_next else None)
        elif _is_cluster(token, by_letter):
            for letter in token[1:]:
                take(by_letter[letter], None)
        elif token.startswith("-") and token != "-" and not dash_positionals:
            double = f"-{token.partition('=')[0]}"
            if double in by_spelling:
                raise UsageError(f"{token}: write {double} (long flags have two dashes)")
            raise UsageError(f"unknown flag {token}")
        else:
            words.append(token)
    return given, words


def _is_cluster(token: str, by_letter: dict[str, Flag]) -> bool:
    return (
        len(token) > 2
        and token[0] == "-"
        and all(letter in by_letter and by_letter[letter].metavar is None for letter in token[1:])
    )


def _value(flag: Flag, text: str | None) -> object:
    if flag.metavar is None:
        return True
    if text is None:
        return ""
    if flag.choices and text not in flag.choices:
        raise UsageError(f"{flag.name}: expected one of {', '.join(flag.choices)}; found {text!r}")
    try:
        return flag.parse(text)
    except ValueError as error:
        raise UsageError(f"{flag.name}: {error}") from error


def _refuse_conflicts(given: dict[str, list[object]], flags: Sequence[Flag]) -> None:
    for flag in flags:
        if flag.name in given:
            for other in flag.conflicts:
                if other in given:
                    raise UsageError(f"{flag.name} and {other} exclude each other")


def _assign(words: list[str], positionals: Sequence[Positional]) -> dict[str, object]:
    values: dict[str, object] = {}
    for positional in positionals:
        most = len(words) if positional.most is None else positional.most
        taken, words = words[:most], words[most:]
        if len(taken) < positional.least:
            raise UsageError(f"{positional.name} is missing")
        values[positional.field] = tuple(taken)
    if words:
        raise UsageError(f"unexpected argument {words[0]!r}")
    return values


def _nearest(name: str, known: dict[str, Flag]) -> str:
    """A suggestion for a mistyped flag; imported only when there is a mistake to explain."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
