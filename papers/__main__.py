"""`python -m papers`: each figure as a CSV and a page, into var/papers."""

import argparse
from pathlib import Path

from papers import holohan2017, optrr2008, wang2016
from papers.files import FOLDER
from papers.populations import adult, synthetic


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m papers", description=__doc__)
    parser.add_argument("--adult", type=Path, help="CSV of the Adult data, with a header line")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the figures")
    parser.add_argument(
        "--generations",
        type=int,
        default=optrr2008.GENERATIONS,
        help=f"of OptRR's search; the paper ran {optrr2008.THEIRS:,}",
    )
    given = parser.parse_args()
    if given.generations < 1:
        parser.error("--generations: at least 1")
    if given.adult is not None and not given.adult.is_file():
        parser.error(f"--adult: there is no file {given.adult}")
    populations = [synthetic()] + ([adult(given.adult)] if given.adult else [])
    for population in populations:
        wang2016.reproduce(population, given.out)
    holohan2017.reproduce(given.out)
    people = populations[1] if given.adult else None
    optrr2008.reproduce(given.out, given.generations, people)
    print(f"All in {given.out}")


if __name__ == "__main__":
    main()
