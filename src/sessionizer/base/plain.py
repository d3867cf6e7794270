"""Values for the modules that a start loads before it may load msgspec.

Importing msgspec takes longer than the interpreter needs to start, typing half as long.
A `Plain` value is what a frozen struct is, at the price of writing its `__init__`.
"""


class Plain:
    """An immutable value: equal and hashed by class and fields.

    A subclass names its fields in `__slots__` and sets all of them, once, by `_set`.
    """

    __slots__: tuple[str, ...] = ()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setstate__(self, state: tuple[None, dict[str, object]]) -> None:
        """Come back from another process."""
        self._set(**state[1])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name}")

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"
