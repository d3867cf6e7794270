"""The configuration file `asz.yaml`: where it is, what it may say, what it means.

Keys and defaults: docs/configuration.md.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

import msgspec
from msgspec import Struct, field

from sessionizer.asz.errors import ConfigurationError

ADAPTER_NAME = "claude-code-local"
FILE_NAME = "asz.yaml"
DEFAULT_EXCLUDE = ("/private/tmp/**",)
DEFAULT_WINDOW = 8 * 1024 * 1024

_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
_SIZES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


class Collector(Struct, frozen=True, kw_only=True):
    """How an adapter's sources are read.

    Attributes:
        mode: `watch` or `once`.
        interval_ms: Pause between two passes.
        max_delta_bytes: Largest window of one source that is read at a time.
    """

    mode: str = "watch"
    interval_ms: int = 5_000
    max_delta_bytes: int = DEFAULT_WINDOW


class Adapter(Struct, frozen=True, kw_only=True):
    """One home to collect from.

    Attributes:
        source_root: The directory of project directories; None means: resolve the home.
        include, exclude: Patterns over a session's primary project directory.
    """

    name: str = ADAPTER_NAME
    enabled: bool = True
    source_root: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    collector: Collector = field(default_factory=Collector)


class Configuration(Struct, frozen=True, kw_only=True):
    """What the file, or the absence of one, says.

    Attributes:
        storage_root: None means the data directory.
        conversations: Session ids in order by conversation name; no id stands twice.
    """

    storage_root: str | None = None
    conversations: dict[str, tuple[str, ...]] = {}
    adapters: tuple[Adapter, ...] = (Adapter(),)
    skipped_adapters: tuple[str, ...] = ()


def find_configuration(given: str | None, *, user_directory: Path) -> Path | None:
    """The file to read: `given`, else `./asz.yaml`, else the user's; None when there is none.

    Raises:
        ConfigurationError: `given` is not a file.
    """
    if given is not None:
        path = Path(given)
        if not path.is_file():
            problem = "not a file" if path.exists() else "no such file"
            raise ConfigurationError(given, problem, hint="--config takes a YAML file")
        return path
    for path in (Path(FILE_NAME), user_directory / FILE_NAME):
        if path.is_file():
            return path
    return None


def parse_configuration(text: str, *, where: str) -> Configuration:
    """Read the text of a configuration file.

    Raises:
        ConfigurationError: Not YAML, an unknown key (with the nearest known one), a value of
            another type, an unknown mode, a name given twice.
    """
    import yaml

    try:
        document = yaml.safe_load(text)
    except RecursionError as error:
        raise ConfigurationError(where, "nested too deep to be read") from error
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        raise ConfigurationError(where, f"not valid YAML: {problem}") from error
    top = _mapping({} if document is None else document, where, "the document")
    _refuse_unknown(top, ("storage", "adapters", "conversations"), where, "")
    storage = _mapping(top.get("storage", {}), where, "storage")
    _refuse_unknown(storage, ("root",), where, "storage.")
    root = _text(storage.get("root"), where, "storage.root") if "root" in storage else None
    if root is not None and not root.strip():
        raise ConfigurationError(where, "storage.root is empty")
    conversations = _conversations(top.get("conversations", {}), where)
    if "adapters" not in top:
        return Configuration(storage_root=root, conversations=conversations)
    entries = _list(top["adapters"], where, "adapters")
    adapters = tuple(_adapter(entry, where, number) for number, entry in enumerate(entries, 1))
    names = [adapter.name for adapter in adapters]
    roots = {(adapter.name, adapter.source_root) for adapter in adapters}
    if len(roots) < len(names):
        raise ConfigurationError(where, f"adapters: duplicate entry {names[-1]!r}")
    return Configuration(
        storage_root=root,
        conversations=conversations,
        adapters=tuple(adapter for adapter in adapters if adapter.name == ADAPTER_NAME),
        skipped_adapters=tuple(name for name in names if name != ADAPTER_NAME),
    )


def _conversations(value: object, where: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    holder: dict[str, str] = {}
    for name, entry in _mapping(value, where, "conversations").items():
        at = f"conversations.{_text(name, where, 'a name under conversations')}"
        sessions = tuple(_text(one, where, at) for one in _list(entry, where, at))
        if not sessions:
            raise ConfigurationError(where, f"{at} lists no session")
        for session in sessions:
            if session in holder:
                raise ConfigurationError(
                    where,
                    f"{at}: session {session} stands in {holder[session]} already",
                    hint="a session is in one conversation only",
                )
            holder[session] = at
        found[name] = sessions
    return found


def _adapter(entry: object, where: str, number: int) -> Adapter:
    at = f"adapters[{number}]"
    keys = _mapping(entry, where, at)
    allowed = ("name", "enabled", "source_root", "include", "exclude", "collector")
    _refuse_unknown(keys, allowed, where, f"{at}.")
    if not keys.get("name"):
        raise ConfigurationError(where, f"{at} has no name")
    values: dict[str, object] = {"name": _text(keys["name"], where, f"{at}.name")}
    if "enabled" in keys:
        values["enabled"] = _boolean(keys["enabled"], where, f"{at}.enabled")
    if keys.get("source_root"):
        values["source_root"] = _text(keys["source_root"], where, f"{at}.source_root")
    for name in ("include", "exclude"):
        if keys.get(name) is not None:
            patterns = _list(keys[name], where, f"{at}.{name}")
            values[name] = tuple(_text(one, where, f"{at}.{name}") for one in patterns)
    if keys.get("collector") is not None:
        values["collector"] = _collector(keys["collector"], where, f"{at}.collector")
    return msgspec.convert(values, Adapter)


def _collector(entry: object, where: str, at: str) -> Collector:
    keys = _mapping(entry, where, at)
    _refuse_unknown(keys, ("mode", "interval", "max_delta_bytes"), where, f"{at}.")
    mode = _text(keys.get("mode", "watch"), where, f"{at}.mode")
    if mode not in ("watch", "once"):
        raise ConfigurationError(where, f"{at}.mode is {mode!r}; it must be watch or once")
    interval = _interval_ms(keys.get("interval", "5s"), where, f"{at}.interval")
    window = _size(keys.get("max_delta_bytes", DEFAULT_WINDOW), where, f"{at}.max_delta_bytes")
    return Collector(mode=mode, interval_ms=interval, max_delta_bytes=window)


def _interval_ms(value: object, where: str, at: str) -> int:
    """`5s`, `1m30s`, `250ms`; at least 100 ms."""
    import re

    text = _text(value, where, at).strip()
    if not re.fullmatch(r"(?:\d+(?:ms|s|m|h))+", text):
        raise ConfigurationError(where, f"{at} is {text!r}; write it like 5s, 1m30s or 250ms")
    parts = re.findall(r"(\d+)(ms|s|m|h)", text)
    interval = sum(int(number) * _UNITS_MS[unit] for number, unit in parts)
    if interval < 100:
        raise ConfigurationError(where, f"{at} is {text!r}; the least is 100ms")
    return interval


def _size(value: object, where: str, at: str) -> int:
    """Bytes: a number, or one with KiB, MiB or GiB. 0 or less means the default."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value > 0 else DEFAULT_WINDOW
    text = _text(value, where, at).replace(" ", "")
    for suffix, factor in _SIZES.items():
        number = text.removesuffix(suffix)
        if number != text and number.isascii() and number.isdigit():
            return int(number) * factor or DEFAULT_WINDOW
    raise ConfigurationError(where, f"{at} is {text!r}; write bytes, or a number and KiB or MiB")


def _refuse_unknown(
    keys: Mapping[str, object], allowed: Iterable[str], where: str, prefix: str
) -> None:
    known = list(allowed)
    for key in keys:
        if key not in known:
            close = get_close_matches(str(key), known, n=1)
            hint = f"did you mean {prefix}{close[0]}?" if close else f"known: {', '.join(known)}"
            raise ConfigurationError(where, f"unknown key {prefix}{key}", hint=hint)


def _mapping(value: object, where: str, at: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigurationError(where, f"{at} must be a mapping of keys")
    return value


def _list(value: object, where: str, at: str) -> list[object]:
    if not isinstance(value, list):
        raise ConfigurationError(where, f"{at} must be a list")
    return value


def _text(value: object, where: str, at: str) -> str:
    if not isinstance(value, str):
        raise ConfigurationError(where, f"{at} must be text, found {value!r}")
    return value


def _boolean(value: object, where: str, at: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigurationError(where, f"{at} must be true or false, found {value!r}")
    return value
