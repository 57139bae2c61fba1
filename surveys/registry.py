"""A registry of objects by name, for kinds of question and families of devices."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Protocol, TypeVar


class Named(Protocol):
    @property
    def name(self) -> str: ...


Item = TypeVar("Item", bound=Named)


class Registry(Mapping[str, Item]):
    """Objects by name, in the order of their registration, which is the order for authors.

    `revision`: how often any registry has changed, so that a cache can tell.
    """

    revision: ClassVar[int] = 0

    def __init__(self, *items: Item) -> None:
        self._items: dict[str, Item] = {}
        for item in items:
            self.add(item)

    def __getitem__(self, name: str) -> Item:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def add(self, item: Item) -> None:
        """Add an object; raises ValueError if its name is taken."""
        if item.name in self._items:
            raise ValueError(f"{item.name!r} is registered already")
        self._items[item.name] = item
        Registry.revision += 1

    def remove(self, name: str) -> None:
        del self._items[name]
        Registry.revision += 1
