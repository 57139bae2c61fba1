"""The programs that recompute every estimate of a survey from its downloads, as files.

They are the same for every survey, and import nothing of Candor but, where it is there, the
library: a reader runs them far from here.
"""

from pathlib import Path

# By ending: the type of the file.
PROGRAMS = {"py": "text/x-python; charset=utf-8", "R": "text/x-r; charset=utf-8"}


def program_text(ending: str) -> str:
    return (Path(__file__).parent / f"recompute.{ending}").read_text(encoding="utf-8")
