"""Describe the machine and the programs a run used; no name of a person or host, no path."""

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("sessionizer", "msgspec", "google-re2", "zstandard", "stringzilla", "hyperscan")


def describe_machine() -> tuple[str, ...]:
    """Lines about processor, cores, memory, kernel and Python."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"{_find_processor()}, {_count_cores()} cores, {_find_memory()}",
        f"{platform.system()} {platform.release()} ({platform.machine()}), {python}",
    )


def describe_versions(settings: Mapping[str, str | None]) -> tuple[str, ...]:
    """`name version` of the packages and foreign programs that are here."""
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    for program in ("rg", "grep", "find", "cp"):
        path = settings.get(program)
        if path is not None:
            found.append(f"{program} {_ask_version(path)}")
    return tuple(found)


def describe_commit(repository: Path) -> str | None:
    """The short commit of `repository`, with `+` when tracked files differ from it."""
    try:
        shown = subprocess.run(
            ("git", "describe", "--always", "--dirty=+", "--exclude=*"),
            cwd=repository,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return shown.stdout.strip()


def _find_processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown processor"
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return model[1] if model else platform.machine()


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _find_memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "unknown memory"
    return f"{size / 2**30:.0f} GiB"


def _ask_version(program: str) -> str:
    try:
        shown = subprocess.run(
            (program, "--version"), capture_output=True, text=True, check=False, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return "of unknown version"
    number = re.search(r"\d+(\.\d+)+", shown.stdout)
    return number[0] if number else "of unknown version"
