"""Third-party modules of the page: what lies here is what was vendored, with its licence."""

import hashlib
import importlib.util
import json
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

import sessionizer.views.page

VENDOR = Path(sessionizer.views.page.__file__).parent / "static" / "vendor"
TOOL = Path(__file__).parents[4] / "tools" / "vendor_page.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vendor_page", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_has_the_digest_of_the_manifest() -> None:
    """A local change of a library would never be noticed otherwise."""
    rows = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    digests = {row["file"]: row["sha256"] for row in rows}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "manifest.json"
    }
    assert found == digests


def test_every_package_comes_with_its_licence() -> None:
    """The licences ask for it, and the distribution lists these files."""
    rows = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    licensed = {row["name"] for row in rows if "LICENSE" in row["file"]}
    assert licensed == {row["name"] for row in rows}
    assert all(row["version"] and row["licence"] for row in rows)


def test_no_module_has_a_bare_import_or_a_source_map() -> None:
    """The policy forbids an inline import map; a source map would be a request for nothing."""
    for path in VENDOR.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert all(
            name.startswith("./") for name in re.findall(r'(?:from|import)\s*"([^"]+)"', text)
        )
        assert "sourceMappingURL" not in text


def test_the_tool_finds_a_changed_a_missing_and_a_stray_file(
    tool: ModuleType, tmp_path: Path
) -> None:
    """`--check` is what a release runs."""
    copy = tmp_path / "vendor"
    shutil.copytree(VENDOR, copy)
    assert tool.verify_vendored(copy) == []
    (copy / "htm.js").write_text("changed", encoding="utf-8")
    (copy / "signals.js").unlink()
    (copy / "other.js").write_text("", encoding="utf-8")
    assert tool.verify_vendored(copy) == [
        "htm.js: differs from the manifest",
        "signals.js: missing",
        "other.js: not in the manifest",
    ]


def test_the_tool_rewrites_imports_and_refuses_unknown_ones(tool: ModuleType) -> None:
    """A library that starts to import another must not reach the page unnoticed."""
    source = 'import{h}from"preact";export*from "./near.js";\n//# sourceMappingURL=x.map\n'
    assert tool.rewrite_imports(source, {"preact": "preact.js"}) == (
        'import{h}from"./preact.js";export*from "./near.js";\n'
    )
    with pytest.raises(tool.VendorError, match="preact/compat"):
        tool.rewrite_imports('import"preact/compat"', {"preact": "preact.js"})
