"""Every real sample, of every version, through the page."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.build.home import Home
from tests.build.reading import Root, flatten

pytestmark = pytest.mark.real_data


def samples(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if (path / "projects").is_dir())


def test_every_talk_of_every_sample_can_be_read(real_data: Path, tmp_path: Path) -> None:
    """Each step of the flow stands once in a talk or outside, and each leads to its record."""
    homes = list(samples(real_data))
    assert homes
    for home in homes:
        root = Root(Home(home), tmp_path / home.name)
        root.update()
        reader = root.reader()
        for row in reader.json("/api/conversations"):
            assert "error" not in row
            base = f"/api/c/{row['id']}"
            steps = {}
            for talk in reader.json(base)["talks"]:
                tree = flatten(reader.json(f"{base}/talk/{quote(talk['id'])}"))
                steps |= {node["id"]: node for node in tree.values()}
            steps |= {node["id"]: node for node in reader.json(f"{base}/outside")}
            flow = reader.json(f"{base}/flow")
            assert len(flow) == row["steps"]
            for step in flow:
                shown = steps[step["id"]]
                assert len(shown.get("text", "").encode()) <= 2000
                assert "ref" in shown
            for node in list(steps.values())[:20]:
                if ref := node.get("ref"):
                    reader.json(f"{base}/record/{ref['seq']}/{ref['row']}")
