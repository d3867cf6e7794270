"""The faults of the mutation check can still be planted."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    path = REPOSITORY / "tools" / "mutate_assembly.py"
    spec = importlib.util.spec_from_file_location("mutate_assembly", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_fault_changes_one_place(tool: ModuleType) -> None:
    """A change of the code must not leave a fault behind that is never planted."""
    stale = [
        fault.name
        for fault in tool.FAULTS
        if (REPOSITORY / "src" / "sessionizer" / fault.path).read_text().count(fault.old) != 1
        or fault.old == fault.new
    ]

    assert stale == []
    assert len({fault.name for fault in tool.FAULTS}) == len(tool.FAULTS) >= 30


def test_the_page_lists_every_fault_with_what_noticed_it(tool: ModuleType) -> None:
    """The result of the last run over all of them."""
    page = (REPOSITORY / "docs" / "mutation-check.md").read_text(encoding="utf-8")

    assert [fault.name for fault in tool.FAULTS if f"| {fault.name} | `test_" not in page] == []
    assert f"{len(tool.FAULTS)} of {len(tool.FAULTS)} faults are noticed." in page
