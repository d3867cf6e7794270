"""What every part of the generator draws from: chance, words, identifiers, the account."""

import math
from base64 import b64encode
from random import Random

from benchmarks.corpus import needles, words
from benchmarks.corpus.documented import expected_events
from benchmarks.corpus.identifiers import Identifiers
from benchmarks.corpus.ledger import Ledger
from benchmarks.corpus.schedule import Schedule

LARGEST_TEXT = 480_000
"""Bytes; a text stands twice in a main result, so the longest line is near 1 MB."""

SMALLEST_LARGEST_TEXT = 40_000


class Workshop:
    """One seeded source of everything; the order of its use decides the bytes."""

    def __init__(self, seed: int, target_bytes: int) -> None:
        self.random = Random(seed)
        self.ids = Identifiers(self.random)
        self.ledger = Ledger(target_bytes)
        # One text must not upset the shares of a small corpus.
        self.largest_text = min(LARGEST_TEXT, max(SMALLEST_LARGEST_TEXT, target_bytes // 150))
        counted = {needle.name: needle.exactly or 0 for needle in needles.COUNTED}
        self.schedule = Schedule({**expected_events(target_bytes), **counted})
        self.words = words.make_words(self.random, words.WORD_COUNT)
        population = words.make_population(self.words)
        self.prose = words.make_texture(self.random, population, words.PROSE_JOINTS)
        self.code = words.make_texture(self.random, population, words.CODE_JOINTS)
        self.log = words.make_texture(self.random, population, words.LOG_JOINTS)
        self.han = words.make_texture(self.random, words.make_han_population(), words.HAN_JOINTS)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def is_due(self, event: str) -> bool:
        """Whether the schedule has this event coming up now; counted as made when it has."""
        return self.schedule.take(event, self.ledger.progress)

    def size(self, median: float, spread: float, part: str | None = None) -> float:
        """A length in bytes with a heavy tail (log-normal), steered by the share of `part`."""
        drawn = median * math.exp(spread * self.random.gauss(0.0, 1.0))
        if part is not None:
            drawn *= self.ledger.pressure(part)
        return min(drawn, self.largest_text)

    def write_prose(self, size: float) -> str:
        """Plain sentences; one in fifty in Chinese characters."""
        texture = self.han if self.chance(0.02) else self.prose
        return texture.text(self.random, size)

    def write_code(self, size: float) -> str:
        """Something with the punctuation of a program."""
        return self.code.text(self.random, size)

    def write_log(self, size: float) -> str:
        """Something with the punctuation of program output."""
        return self.log.text(self.random, size)

    def plant(self, text: str) -> str:
        """`text`, perhaps with a needle in it.

        Only for texts that no other line repeats, or a count of records would be wrong.
        """
        for needle in needles.COUNTED:
            if self.is_due(needle.name):
                return words.insert_word(self.random, text, needle.text)
        if self.chance(needles.FREQUENT_CHANCE):
            return words.insert_word(self.random, text, needles.FREQUENT.text)
        return text

    def word(self) -> str:
        """One word."""
        return self.random.choice(self.words)

    def path(self, root: str = "") -> str:
        """An invented file path below `root`."""
        folder, stem = self.word(), self.word()
        suffix = self.random.choice((".py", ".go", ".ts", ".md", ".rs", ".yaml"))
        return f"{root}/src/{folder}/{stem}{suffix}"

    def base64(self, size: float) -> str:
        """Random bytes, `size` characters or up to three less."""
        return b64encode(self.random.randbytes(max(3, int(size) // 4 * 3))).decode("ascii")
