"""What every test can rely on: an empty home, UTC, the two programs, the sample."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import hypothesis
import platformdirs
import pytest

from tests.build.guard import HANDED_ON, RULE, Guard, install_guard
from tests.build.home import Home
from tests.build.program import InProcess, Installed, Program

Asz = Program
Csift = Program

_GUARD = pytest.StashKey[Guard]()
_EMPTY = pytest.StashKey[Path]()
# Set when the tests themselves run inside an agent: they would name a real session.
_AGENT_VARIABLES = ("CLAUDE", "CODEX", "ASZ", "CSIFT", "SESSIONIZER")

_KEPT = ("SESSIONIZER_REAL_DATA", HANDED_ON)

hypothesis.settings.register_profile(
    "ci", derandomize=True, max_examples=40, deadline=None, print_blob=True
)
hypothesis.settings.register_profile("deep", max_examples=2_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--installed` and `--update-golden`."""
    parser.addoption(
        "--installed", action="store_true", help="run asz and csift as installed scripts"
    )
    parser.addoption("--update-golden", action="store_true", help="accept the outputs as they are")


def pytest_configure(config: pytest.Config) -> None:
    """Watch the real home, then put an empty one in its place for the whole process."""
    config.stash[_GUARD] = install_guard()
    empty = Path(tempfile.mkdtemp(prefix="empty-home-"))
    config.stash[_EMPTY] = empty
    browsers = platformdirs.user_cache_path("ms-playwright")
    if browsers.is_dir():
        os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
    for name in list(os.environ):
        if name.startswith(_AGENT_VARIABLES) and name not in _KEPT:
            del os.environ[name]
    os.environ.update(_home_variables(empty))
    os.environ["TZ"] = "UTC"
    if hasattr(time, "tzset"):
        time.tzset()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the empty home."""
    shutil.rmtree(config.stash[_EMPTY], ignore_errors=True)


@pytest.fixture(autouse=True)
def _private_home_is_untouched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test that looked at the developer's home, or wrote into the shared empty one."""
    guard, empty = request.config.stash[_GUARD], request.config.stash[_EMPTY]
    guard.attempts.clear()
    yield
    assert guard.attempts == [], RULE
    left = [name for name in (".claude", ".config/claude") if (empty / name).exists()]
    left += [str(path) for path in empty.glob("**/sessionizer")]
    assert left == [], f"a program wrote to the default home; ask for the `home` fixture: {left}"


@pytest.fixture
def guard(request: pytest.FixtureRequest) -> Guard:
    """The guard of this process."""
    return request.config.stash[_GUARD]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A user's home of this test alone; its `.claude` is what the programs read by default."""
    user = tmp_path / "user"
    user.mkdir()
    for name, value in _home_variables(user).items():
        monkeypatch.setenv(name, value)
    return Home(user / ".claude")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A writable copy of the bundled sample home."""
    copy = tmp_path / "sample"
    with resources.as_file(resources.files("sessionizer.sample")) as bundled:
        shutil.copytree(bundled, copy, ignore=shutil.ignore_patterns("__pycache__", "__init__.py"))
    return copy


@pytest.fixture
def real_data() -> Path:
    """The folder of real transcripts, or a visible skip."""
    folder = os.environ.get("SESSIONIZER_REAL_DATA")
    if not folder:
        pytest.skip("SESSIONIZER_REAL_DATA is unset")
    return Path(folder)


@pytest.fixture
def asz(request: pytest.FixtureRequest) -> Asz:
    """Runs `asz`."""
    return _program(request, "asz")


@pytest.fixture
def csift(request: pytest.FixtureRequest) -> Csift:
    """Runs `csift`."""
    return _program(request, "csift")


def _program(request: pytest.FixtureRequest, name: str) -> Program:
    return Installed(name) if request.config.getoption("--installed") else InProcess(name)


def _home_variables(user: Path) -> dict[str, str]:
    return {
        "HOME": str(user),
        "USERPROFILE": str(user),
        "APPDATA": str(user / "AppData" / "Roaming"),
        "LOCALAPPDATA": str(user / "AppData" / "Local"),
        "CLAUDE_CONFIG_DIR": str(user / ".claude"),
        "XDG_CONFIG_HOME": str(user / ".config"),
        "XDG_DATA_HOME": str(user / ".local" / "share"),
        "XDG_STATE_HOME": str(user / ".local" / "state"),
        "XDG_CACHE_HOME": str(user / ".cache"),
    }
