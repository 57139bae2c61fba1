"""`python -m papers`: write each figure as a CSV and a page into var/papers."""

import argparse
from pathlib import Path

from papers import (
    domingoferrer2018,
    domingoferrer2018_pooled,
    holohan2017,
    optrr2008,
    pan2024,
    pan2024_rappor,
    wang2016,
    wang2016_networks,
)
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
        help=f"of OptRR's search; the paper has {optrr2008.GENERATIONS_OF_PAPER:,}",
    )
    options = parser.parse_args()
    if options.generations < 1:
        parser.error("--generations: at least 1")
    if options.adult is not None and not options.adult.is_file():
        parser.error(f"--adult: there is no file {options.adult}")
    try:
        records = domingoferrer2018.read(options.adult) if options.adult else None
    except (KeyError, ValueError) as wrong:
        parser.error(f"--adult: {wrong}")
    populations = [synthetic()] + ([adult(options.adult)] if options.adult else [])
    for population in populations:
        wang2016.reproduce(population, options.out)
    wang2016_networks.reproduce(options.out)
    holohan2017.reproduce(options.out)
    domingoferrer2018_pooled.reproduce(options.out)
    pan2024_rappor.reproduce(options.out)
    pan2024.reproduce(options.out)
    domingoferrer2018.reproduce(options.out, records)
    adult_population = populations[1] if options.adult else None
    optrr2008.reproduce(options.out, options.generations, adult_population)
    print(f"All figures are in {options.out}")


if __name__ == "__main__":
    main()
