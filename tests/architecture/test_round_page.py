"""The page about rounds has every key that the code writes, and no other."""

import re
from pathlib import Path

import msgspec

from sessionizer.model.nodes import Reference
from sessionizer.rounds import frames

PAGE = (Path(__file__).parents[2] / "docs" / "formats" / "round.md").read_text(encoding="utf-8")


def keys(struct: type[msgspec.Struct]) -> list[str]:
    """As they are written, in order, the tag first."""
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    tag = [] if info.tag_field is None else [info.tag_field]
    return tag + [field.encode_name for field in info.fields]


def section(title: str) -> str:
    """The text below a heading, up to the next one of any level."""
    return re.split(r"^#+ ", PAGE.split(f"# {title}\n", 1)[1], flags=re.MULTILINE)[0]


def words(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", text)


def test_the_header_has_these_keys_in_this_order() -> None:
    """The first column of the table."""
    column = re.findall(r"^\| `(\w+)` \|", section("header"), re.MULTILINE)

    assert column == keys(frames.Header)


def test_the_summary_has_these_keys_in_this_order() -> None:
    """Those of the sentence, token counters among them."""
    sentence = section("header").split("`summary` has these keys", 1)[1]
    named = list(dict.fromkeys(words(sentence)))
    counters = keys(frames.Tokens)

    assert [word for word in named if word in keys(frames.Summary)] == keys(frames.Summary)
    assert [word for word in named if word in counters] == counters


def test_the_lists_of_the_header_have_these_keys() -> None:
    """Written as `{a, b, c}` in the table."""
    lists = [word.strip("{}").split(", ") for word in words(section("header")) if word[0] == "{"]

    assert lists == [keys(frames.Inherited), keys(frames.SessionRange)]


def test_entities_have_these_keys() -> None:
    """The common ones in the sentence, the others in the table."""
    text = section("Entities")
    named = set(words(text))

    for struct in (frames.NodeFrame, frames.RelationFrame, frames.UnresolvedFrame, Reference):
        assert set(keys(struct)) - named == set()


def test_the_commit_has_these_keys() -> None:
    """Counts are those of the three entities."""
    named = words(section("commit"))

    assert [word for word in named if word in keys(frames.Commit)] == keys(frames.Commit)
    assert set(keys(frames.Counts)) <= set(named)
