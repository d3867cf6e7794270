"""Refresh or check the third-party modules of the page.

`python tools/vendor_page.py` fetches the pinned packages with `npm pack`, takes one module
and the licence of each, makes the imports relative and writes them with `manifest.json`.
`python tools/vendor_page.py --check` compares the files with the manifest and fetches nothing.

The page has no build step and a strict Content-Security-Policy without an inline import map,
so a bare import ("preact") would not resolve in the browser.
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

VENDOR = (
    Path(__file__).resolve().parents[1] / "src" / "sessionizer" / "views" / "page" / "static"
) / "vendor"
MANIFEST = "manifest.json"


class Module(NamedTuple):
    """One file taken from a package: the name a bare import uses, and where it goes."""

    bare_name: str
    member: str
    file: str


class Pin(NamedTuple):
    """One package at one version."""

    name: str
    version: str
    licence: str
    licence_file: str
    modules: tuple[Module, ...]


PINS = (
    Pin(
        "preact",
        "11.2.0",
        "MIT",
        "preact-LICENSE.txt",
        (
            Module("preact", "dist/preact.mjs", "preact.js"),
            Module("preact/hooks", "hooks/dist/hooks.mjs", "preact-hooks.js"),
        ),
    ),
    Pin(
        "htm",
        "3.1.1",
        "Apache-2.0",
        "htm-LICENSE.txt",
        (Module("htm", "dist/htm.mjs", "htm.js"),),
    ),
    Pin(
        "@preact/signals-core",
        "1.14.5",
        "MIT",
        "signals-core-LICENSE.txt",
        (Module("@preact/signals-core", "dist/signals-core.mjs", "signals-core.js"),),
    ),
    Pin(
        "@preact/signals",
        "2.11.4",
        "MIT",
        "signals-LICENSE.txt",
        (Module("@preact/signals", "dist/signals.mjs", "signals.js"),),
    ),
)

_IMPORT = re.compile(r'(\bfrom\s*|\bimport\s*)"([^"]+)"')
_SOURCE_MAP = re.compile(r"\n?//# sourceMappingURL=\S+\s*$")


class VendorError(Exception):
    """A package does not hold what is pinned, or a vendored file is not what was vendored."""


def rewrite_imports(source: str, files_by_name: dict[str, str]) -> str:
    """`source` with every bare import made relative, and without its source map line.

    Raises:
        VendorError: An import names a module that is not vendored.
    """

    def relative(match: re.Match[str]) -> str:
        name = match.group(2)
        if name.startswith("."):
            return match.group(0)
        if name not in files_by_name:
            raise VendorError(f"import of {name!r}, which is not vendored")
        return f'{match.group(1)}"./{files_by_name[name]}"'

    return _SOURCE_MAP.sub("\n", _IMPORT.sub(relative, source))


def read_package(pin: Pin, folder: Path) -> dict[str, str]:
    """The members of the pinned package that are needed: member name to text."""
    subprocess.run(
        ["npm", "pack", "--silent", f"{pin.name}@{pin.version}"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    archive = folder / f"{pin.name.removeprefix('@').replace('/', '-')}-{pin.version}.tgz"
    texts: dict[str, str] = {}
    with tarfile.open(archive) as package:
        for member in ("LICENSE", *(module.member for module in pin.modules)):
            reader = package.extractfile(f"package/{member}")
            if reader is None:
                raise VendorError(f"{pin.name} {pin.version} has no file {member}")
            texts[member] = reader.read().decode("utf-8")
    return texts


def write_vendored(folder: Path) -> list[dict[str, str]]:
    """Fetch all pins and write their files into `folder`. Returns the manifest rows."""
    files_by_name = {module.bare_name: module.file for pin in PINS for module in pin.modules}
    rows: list[dict[str, str]] = []
    for pin in PINS:
        with tempfile.TemporaryDirectory() as scratch:
            texts = read_package(pin, Path(scratch))
        contents = [(pin.licence_file, texts["LICENSE"])]
        contents += [
            (module.file, rewrite_imports(texts[module.member], files_by_name))
            for module in pin.modules
        ]
        for file, text in contents:
            raw = text.encode("utf-8")
            (folder / file).write_bytes(raw)
            rows.append(
                {
                    "name": pin.name,
                    "version": pin.version,
                    "licence": pin.licence,
                    "file": file,
                    "sha256": hashlib.sha256(raw).hexdigest(),
                }
            )
    (folder / MANIFEST).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return rows


def verify_vendored(folder: Path) -> list[str]:
    """Problems of the vendored files, one line each; empty when all is as the manifest says."""
    rows = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    problems: list[str] = []
    for row in rows:
        path = folder / row["file"]
        if not path.is_file():
            problems.append(f"{row['file']}: missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != row["sha256"]:
            problems.append(f"{row['file']}: differs from the manifest")
    listed = {row["file"] for row in rows} | {MANIFEST}
    problems += [
        f"{path.name}: not in the manifest"
        for path in sorted(folder.iterdir())
        if path.name not in listed
    ]
    pinned = {(pin.name, pin.version) for pin in PINS}
    if {(row["name"], row["version"]) for row in rows} != pinned:
        problems.append("manifest and pins name different packages or versions")
    return problems


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: vendor_page.py [--check]", file=sys.stderr)
        return 2
    if not arguments:
        VENDOR.mkdir(parents=True, exist_ok=True)
        print(f"{len(write_vendored(VENDOR))} files written")
    problems = verify_vendored(VENDOR)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
