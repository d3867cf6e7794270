"""The import contracts hold, and each one fails on a planted violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent.parent

# Contract, the file that breaks it, and the line that does.
PLANTS = {
    "flow": ("model/planted.py", "from sessionizer.cli import flags"),
    "neutral": ("landing/planted.py", "from sessionizer.claude_code import home"),
    "search-side": ("transcripts/planted.py", "from sessionizer.rounds import frames"),
    "collector-side": ("asz/planted.py", "from sessionizer.transcripts import resolve"),
    "landed-files": ("rounds/planted.py", "from sessionizer.landing import record"),
    "pure": ("assembly/planted.py", "import pathlib"),
    "command-shape": (
        "csift/commands/list/query.py",
        "from sessionizer.csift.commands.list import command",
    ),
    "commands-apart": (
        "csift/commands/list/planted.py",
        "from sessionizer.csift.commands.search import query",
    ),
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(
        REPOSITORY / "src" / "sessionizer",
        folder / "sessionizer",
        ignore=shutil.ignore_patterns("__pycache__", "static", "projects"),
    )
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    return folder


def lint(folder: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    chosen = [word for contract in contracts for word in ("--contract", contract)]
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.path.insert(0, '.');"
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
            *chosen,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(folder), "PATH": "", "COLUMNS": "200"},
    )


def test_every_contract_is_planted_against() -> None:
    """A new contract must come with a violation that shows it works."""
    import tomllib

    tables = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    assert {table["id"] for table in tables["tool"]["importlinter"]["contracts"]} == set(PLANTS)


def test_all_contracts_hold(checkout: Path) -> None:
    """The code as it stands breaks none of them."""
    result = lint(checkout)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize("contract", PLANTS)
def test_a_planted_violation_is_found(checkout: Path, contract: str) -> None:
    """A contract that nothing can break protects nothing."""
    place, line = PLANTS[contract]
    path = checkout / "sessionizer" / place
    before = path.read_text() if path.exists() else None
    path.write_text(f"{before or ''}\n{line}\n")
    try:
        result = lint(checkout, contract)
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_text(before)

    assert result.returncode == 1, result.stdout + result.stderr
    assert "1 broken" in result.stdout


def test_a_new_top_level_package_must_be_placed(checkout: Path) -> None:
    """The list of layers is exhaustive, so nobody adds a package beside it."""
    package = checkout / "sessionizer" / "planted"
    package.mkdir()
    (package / "__init__.py").write_text("")
    try:
        result = lint(checkout, "flow")
    finally:
        shutil.rmtree(package)

    assert result.returncode == 1
    assert "planted" in result.stdout
