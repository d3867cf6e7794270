"""What one run of `asz` works on, resolved from flags, environment and configuration."""

import os
from pathlib import Path

import platformdirs
from msgspec import Struct

from sessionizer.asz import configuration
from sessionizer.asz.configuration import Adapter, Configuration
from sessionizer.asz.flags import SharedArguments
from sessionizer.claude_code.home import read_home
from sessionizer.cli.context import Context

_APPLICATION = "sessionizer"


class Source(Struct, frozen=True):
    """An enabled adapter and the directory it reads, resolved."""

    adapter: Adapter
    projects_root: Path


class Settings(Struct, frozen=True):
    """The storage root and the sources to collect from.

    Attributes:
        root: Absolute. Need not exist.
        sources: In the order of the configuration; empty when every adapter is disabled.
        conversations: Sessions by name, for conversations of several.
        note: One line about all of it, for the page; empty for a user's own data.
    """

    root: Path
    sources: tuple[Source, ...]
    conversations: dict[str, tuple[str, ...]] = {}
    note: str = ""


def read_settings(args: SharedArguments, context: Context) -> Settings:
    """Resolve what this run works on. Flags win over the file, the file over defaults."""
    config = _read_configuration(args.config)
    for name in config.skipped_adapters:
        context.note(f"skipping unknown adapter {name!r}")
    return Settings(
        root=_storage_root(args.root, config),
        sources=tuple(
            Source(adapter, _projects_root(adapter, args.claude_home, context))
            for adapter in config.adapters
            if adapter.enabled
        ),
        conversations=config.conversations,
    )


def sample_settings(home: Path, root: Path) -> Settings:
    """Settings for the home at `home`, kept in `root`, whatever is configured."""
    return Settings(
        root=root,
        sources=(Source(Adapter(), home / "projects"),),
        note="sample data, invented",
    )


def read_root(args: SharedArguments) -> Path:
    """The storage root alone, for commands that read nothing else."""
    return _storage_root(args.root, _read_configuration(args.config))


def read_conversations(args: SharedArguments) -> dict[str, tuple[str, ...]]:
    """The conversations of several sessions that the configuration lists, by name."""
    return _read_configuration(args.config).conversations


def default_root() -> Path:
    """The user's data directory."""
    return Path(platformdirs.user_data_dir(_APPLICATION, appauthor=False))


def _read_configuration(given: str | None) -> Configuration:
    user_directory = Path(platformdirs.user_config_dir(_APPLICATION, appauthor=False))
    path = configuration.find_configuration(given, user_directory=user_directory)
    if path is None:
        return Configuration()
    return configuration.parse_configuration(
        path.read_text(encoding="utf-8", errors="replace"), where=str(path)
    )


def _storage_root(flag: str | None, config: Configuration) -> Path:
    chosen = flag or config.storage_root
    return Path(chosen).expanduser().absolute() if chosen else default_root()


def _projects_root(adapter: Adapter, flag: str | None, context: Context) -> Path:
    """The flag names a home; `source_root` names the directory of projects itself."""
    if flag is None and adapter.source_root is not None:
        return Path(adapter.source_root).expanduser().absolute()
    home = read_home(flag)
    for other in home.others:
        context.note(f"{home.source} names several homes; not read in this run: {other}")
    return Path(os.path.abspath(home.path)) / "projects"  # noqa: PTH100 - keeps symlinks
