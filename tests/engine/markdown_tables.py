"""Tables of docs/methods, which the programs of this folder write row by row."""

import sys


def row(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def head(*names: str) -> None:
    sys.stdout.write("\n")
    row(*names)
    row(*["---"] * len(names))
