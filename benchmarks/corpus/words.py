"""Invented words and the texts made of them.

Words use sixteen consonants and five vowels and never the letters q, w, x, y, z: the
planted needles do, so no text can hold one by accident.
"""

from collections.abc import Sequence
from itertools import chain
from operator import add
from random import Random
from struct import unpack
from typing import NamedTuple

CONSONANTS = "bcdfghjklmnprstv"
SYLLABLES = [consonant + vowel for consonant in CONSONANTS for vowel in "aeiou"]
ENDS = (*CONSONANTS, "")
UNIT_COUNT = 1 << 16
"""As many as two bytes can tell apart."""

PAIR_COUNT = 1 << 14
"""Few enough for a processor's cache: four times as many take twice as long."""

WORD_COUNT = 20_000
COMMON_WEIGHT = 7_000
"""The word of rank r (from 0) stands in the population about COMMON_WEIGHT / (r + 8) times."""

FOREIGN_WORDS = ("naïf", "garçon", "Übung", "смена", "žába", "🦊", "→", "…", "日誌", "작업")
HAN = "山川草木日月水火土石田竹米虫貝走車門雨青音風魚鳥"
PROSE_JOINTS = (*(" ",) * 14, ", ", ", ", ". ", ". ", ".\n\n", ": ", "; ", "-", "\n- ", " `")
CODE_JOINTS = (
    *(" ",) * 6,
    *("_",) * 4,
    *(".", "(", ") ", " = ", ", ", '"', '["', '"] '),
    *("\n    ", "\n        ", ":\n        ", "\n", "\n\n", " # ", "\t", "\\n", "{", "}\n"),
)
LOG_JOINTS = (
    *(" ",) * 8,
    *("/", "/", "/", ".", "=", ": ", ":"),
    *("\n", "\n", "\n  ", ".py:41\n", " 200 ", " 0x7f3a ", " [ok] ", " 12.5% ", '"'),
)
HAN_JOINTS = (*("",) * 6, "，", "，", "。", "、", "\n")


class Texture(NamedTuple):
    """Pairs of words, each word with what follows it, and the mean bytes of a pair.

    Pairs bring the corpus near the compressibility of real transcripts: zstd -19 takes those
    to 1/4.3, pairs to 1/3.9, single words to 1/3.2.
    """

    units: Sequence[str]
    mean: float

    def text(self, random: Random, size: float) -> str:
        """Text of about `size` bytes in UTF-8, at least one pair."""
        count = max(1, round(size / self.mean))
        # Two random bytes choose a unit: `random.choices` takes three times as long.
        drawn = unpack(f"<{count}H", random.randbytes(2 * count))
        return "".join(map(self.units.__getitem__, drawn)).rstrip()


def make_texture(random: Random, population: Sequence[str], joints: Sequence[str]) -> Texture:
    """A texture of pairs from `population`, each word followed by one of `joints`."""
    words = random.choices(population, k=2 * PAIR_COUNT)
    ends = random.choices(joints, k=2 * PAIR_COUNT)
    pieces = list(map(add, words, ends))
    pairs = list(map(add, pieces[::2], pieces[1::2]))
    mean = sum(len(pair.encode()) for pair in pairs) / PAIR_COUNT
    return Texture(pairs * (UNIT_COUNT // PAIR_COUNT), mean)


def make_words(random: Random, count: int) -> list[str]:
    """`count` distinct words of one to four syllables, short ones first."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = 1 + int(4 * random.random() ** 0.7)
        word = "".join(random.choices(SYLLABLES, k=syllables)) + random.choice(ENDS)
        words[word] = None
    return sorted(words, key=len)


def make_population(words: Sequence[str]) -> list[str]:
    """`words` repeated by rank, so that drawing evenly gives a natural skew."""
    ranked = chain.from_iterable(
        (word,) * max(1, COMMON_WEIGHT // (rank + 8)) for rank, word in enumerate(words)
    )
    return [*ranked, *FOREIGN_WORDS * 6]


def make_han_population() -> list[str]:
    """Every pair of two different characters of `HAN`."""
    return [first + second for first in HAN for second in HAN if first != second]


def insert_word(random: Random, text: str, word: str) -> str:
    """`text` with `word` put between two of its words, with a blank on each side."""
    at = text.find(" ", int(random.random() * len(text)))
    if at < 0:
        return f"{text} {word}"
    return f"{text[:at]} {word}{text[at:]}"
