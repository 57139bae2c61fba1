"""What a reader of a fitted model has to be told, under stable codes."""

from collections.abc import Mapping

from rr_engine.estimation.notes import Note

TEXTS = {
    "separation": "The likelihood does not fall however large some coefficients become: these have "
    "no finite estimate, and their standard errors are infinite.",
    "not_converged": "The iterations ended before the estimate settled.",
    "few_reports": "There are fewer than ten reports for each coefficient: normal intervals and "
    "tests are rough.",
    "indefinite": "The observed information is not positive definite: the standard errors are "
    "those of the expected information.",
    "no_group_variance": "Groups differ no more than chance explains: the standard deviation of "
    "their intercepts is estimated as 0, and has no standard error.",
    "few_groups": "There are fewer than ten groups: how much groups differ is hardly known, and "
    "standard errors are rough.",
    "outside_range": "Fitted probabilities lie below 0 or above 1, as a straight line's can.",
}


def remarks(conditions: Mapping[str, bool]) -> tuple[Note, ...]:
    """Return the notes whose conditions hold."""
    return tuple(Note(code, TEXTS[code]) for code, holds in conditions.items() if holds)
