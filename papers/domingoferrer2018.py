"""Domingo-Ferrer, Mulero-Vellido & Soria-Comas (2018): Table 1 and figures 1 to 3."""

from pathlib import Path

from papers import domingoferrer2018_clusters, domingoferrer2018_pairs
from papers.domingoferrer2018_clusters import ATTRIBUTES, SIZES
from papers.populations import Records, adult_records


def reproduce(folder: Path, records: Records | None = None) -> None:
    """Write Table 1, and with the Adult data the clusters and figures too."""
    domingoferrer2018_clusters.reproduce(folder, records)
    if records is not None:
        domingoferrer2018_pairs.reproduce(folder, records)


def read(path: Path) -> Records:
    """Read the nine attributes.

    Raises
    ------
    ValueError
        For other numbers of levels than the paper's.
    KeyError
        For a file without one of them.
    """
    records = adult_records(path, ATTRIBUTES)
    if records.sizes != SIZES:
        found = ", ".join(map(str, records.sizes))
        expected = ", ".join(map(str, SIZES))
        raise ValueError(f"{path} has {found} levels; those of the paper are {expected}")
    return records
