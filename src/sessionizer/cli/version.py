"""What `--version` prints."""

from importlib.metadata import version


def describe_version(program: str, *, verbose: bool) -> str:
    """`csift 0.1.0`; verbose adds the versions that decide how it behaves."""
    line = f"{program} {version('sessionizer')}"
    if not verbose:
        return line
    import platform

    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("msgspec", "google-re2", "zstandard")
    )
    return f"{line} ({platform.python_implementation()} {platform.python_version()}; {libraries})"
