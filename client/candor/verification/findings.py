"""What a check has found, in words for people and with a name for programs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

# It holds; it does not; it could not be told; it is for whoever reads to judge.
State = Literal["right", "wrong", "unknown", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`about`: what was looked at, a word that stays the same."""

    state: State
    about: str
    words: str


@dataclass(slots=True)
class Findings:
    """All that was found, in the order in which it was looked at."""

    all: list[Finding] = field(default_factory=list)

    def right(self, about: str, words: str) -> None:
        self.all.append(Finding("right", about, words))

    def wrong(self, about: str, words: str) -> None:
        self.all.append(Finding("wrong", about, words))

    def unknown(self, about: str, words: str) -> None:
        self.all.append(Finding("unknown", about, words))

    def note(self, about: str, words: str) -> None:
        self.all.append(Finding("note", about, words))

    def expect(self, holds: bool, about: str, right: str, wrong: str) -> bool:
        """One finding or the other; returns whether it holds."""
        (self.right if holds else self.wrong)(about, right if holds else wrong)
        return holds

    def all_of(self, about: str, right: str, problems: Iterable[str]) -> bool:
        """Each problem by itself, or the one sentence where there is none."""
        found = list(dict.fromkeys(problems))
        for problem in found:
            self.wrong(about, problem)
        if not found:
            self.right(about, right)
        return not found

    @property
    def verdict(self) -> State:
        states = {each.state for each in self.all}
        if "wrong" in states:
            return "wrong"
        return "unknown" if "unknown" in states or not states else "right"
