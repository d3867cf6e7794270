r"""Lone surrogate escapes: mended only where a decoder refuses them."""

import msgspec
import pytest

from sessionizer.base.surrogates import decode_mended, replace_lone_surrogates

_ANY: msgspec.json.Decoder[object] = msgspec.json.Decoder()


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        (rb'"\ud83d"', rb'"\ufffd"'),
        (rb'"\uDE00x"', rb'"\ufffdx"'),
        (rb'"\ud83d\ud83d\ude00"', rb'"\ufffd\ud83d\ude00"'),
        (rb'"\ud83d\ude00"', rb'"\ud83d\ude00"'),
        (rb'"\\ud83d"', rb'"\\ud83d"'),  # a backslash, then plain letters
        (rb'"\\\ud83d"', rb'"\\\ufffd"'),
        (rb'"\u0041\ud7ff\ue000"', rb'"\u0041\ud7ff\ue000"'),
        (b"no escapes", b"no escapes"),
    ],
)
def test_only_lone_surrogates_are_respelled(body: bytes, mended: bytes) -> None:
    assert replace_lone_surrogates(body) == mended
    assert len(mended) == len(body)


def test_only_what_is_refused_is_mended() -> None:
    """A whole pair is text; a lone half reads as a replacement."""
    assert decode_mended(_ANY, rb'["\ud83d\ude00","a\ud800b"]') == ["\U0001f600", "a\ufffdb"]


@pytest.mark.parametrize("body", [b'{"a":', rb'{"a":"\ud800"', rb'"\x"'])
def test_other_damage_is_refused_as_ever(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_mended(_ANY, body)
