"""Which part of a gallery is asked for."""

from collections.abc import Iterable


class Chosen:
    """What a pattern asks for: `walk`, `walk/state` or `state`, each a part of its name.

    Which states a walk has is only known at its end: for a state alone, every walk is walked.
    """

    def __init__(self, pattern: str, walks: Iterable[str]) -> None:
        names = list(walks)
        walk, _, self._state = pattern.lower().partition("/")
        self.walks = [name for name in names if walk in name.lower()]
        if not self.walks and not self._state:
            self.walks, self._state = names, walk

    def has(self, walk: str, state: str) -> bool:
        return walk in self.walks and self._state in state.lower()
