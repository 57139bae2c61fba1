"""Notes on a fitted model, under stable codes."""

from collections.abc import Mapping

from rr_engine.estimation.notes import Note

TEXTS = {
    "separation": "The likelihood does not fall however large some coefficients become: these have "
    "no finite estimate, and their standard errors are infinite.",
    "higher_at_infinity": "The likelihood is higher where some coefficients are infinite: there "
    "are few reports for what the devices hide. The estimate is the highest finite maximum.",
    "not_converged": "The iterations ended before the estimate settled.",
    "few_reports": "There are fewer than ten reports for each coefficient: normal intervals and "
    "tests are rough.",
    "indefinite": "The observed information is not positive definite: the standard errors are "
    "those of the expected information.",
    "share_at_border": "The share of those who do not follow the device is estimated at the end of "
    "its range; standard errors are only a guide there, judge by the interval and the test.",
    "share_unknown": "These reports do not tell how many do not follow the device.",
    "nobody_follows": "Reports look as if nobody followed the device: the trait cannot be told.",
    "share_ruled_out": "At some of the assumed shares the reports have no estimate: so many cannot "
    "have left the device aside.",
    "shares_exceed_one": "Honest carriers and cheaters come to more than everybody for some "
    "respondents: take the trait among followers instead.",
    "no_group_variance": "Groups differ no more than chance explains: the standard deviation of "
    "their intercepts is estimated as 0, and has no standard error.",
    "few_nodes": "The quadrature over the groups' intercepts has too few nodes: twice as many "
    "change the log-likelihood by more than 0.001.",
    "few_groups": "There are fewer than ten groups: how much groups differ is hardly known, and "
    "standard errors are rough.",
    "outside_range": "Fitted probabilities lie below 0 or above 1, as a straight line's can.",
}


def remarks(conditions: Mapping[str, bool]) -> tuple[Note, ...]:
    """Return the notes whose conditions hold."""
    return tuple(Note(code, TEXTS[code]) for code, holds in conditions.items() if holds)
