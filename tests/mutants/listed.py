"""The mutants: rules of the product broken on purpose, each with the tests that must notice."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Mutant:
    """`instead` takes the place of `text`, which stands once; one of `tests` must then fail."""

    room: str
    name: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]

    def occurrences(self, root: Path = ROOT) -> int:
        return (root / self.file).read_text(encoding="utf-8").count(self.text)

    def write(self, root: Path) -> None:
        """Break the rule in a copy of the tree."""
        path = root / self.file
        source = path.read_text(encoding="utf-8")
        path.write_text(source.replace(self.text, self.instead), encoding="utf-8")


def mutants() -> Iterator[Mutant]:
    """All of them, room by room."""
    for path in sorted(LISTS.glob("*.toml")):
        with path.open("rb") as file:
            rows = tomllib.load(file)["mutant"]
        for row in rows:
            tests = tuple(row["tests"])
            yield Mutant(path.stem, row["name"], row["file"], row["text"], row["instead"], tests)
