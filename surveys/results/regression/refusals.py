"""Why an analysis is not fitted: a code and the questions it is about, in words for readers."""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

from surveys.engine_words import EngineError

SENTENCES = {
    "few_left_out": gettext_noop(
        "Fewer people than the release threshold left out some question, and too few are like them "
        "in what they answered: subtracting this from other numbers would tell what these few "
        "said. So nothing is shown about several answers together."
    ),
    "small_cells": gettext_noop(
        "Some combination of answers to direct questions is that of fewer people than the release "
        "threshold. Leave out one of: %(names)s."
    ),
    "one_category": gettext_noop(
        "All people gave the same answer to %(names)s. Leave it out: it can explain nothing."
    ),
    "one_outcome": gettext_noop(
        "Only one answer to %(names)s is left to compare: all others are rare."
    ),
    "event_divides": gettext_noop(
        "Rare answers to %(names)s count together. Choose an event that takes all of them or none."
    ),
    "reports_do_not_group": gettext_noop(
        "The device of %(names)s tells the answers apart in a way that does not allow to put some "
        "of them together. Choose the model that tells all answers apart."
    ),
    "too_few_people": gettext_noop(
        "Fewer people than the release threshold have answered %(names)s."
    ),
    "collinear": gettext_noop(
        "These predictors say the same, so that their effects cannot be told apart: leave out one "
        "of: %(names)s."
    ),
    "constant_outcome": gettext_noop(
        "All people sent the same report to %(names)s: nothing can explain it."
    ),
    "too_many_cells": gettext_noop(
        "The randomized predictors have too many combinations of answers. Leave out one of: "
        "%(names)s."
    ),
    "link_needs_known_predictors": gettext_noop(
        "With a randomized predictor the model can be logistic or probit, of two outcomes. Leave "
        "out: %(names)s."
    ),
    "weights_not_met": gettext_noop(
        "No weights meet the margins: nobody gave an answer that some margin asks for. See: "
        "%(names)s."
    ),
    "not_estimable": gettext_noop("This model could not be estimated from these answers."),
}
# The engine's codes for the same.
_OF_THE_ENGINE = {
    "collinear": "collinear",
    "constant_outcome": "constant_outcome",
    "groups_report_differently": "reports_do_not_group",
    "too_many_cells": "too_many_cells",
    "too_many_truths": "too_many_cells",
}


class AnalysisRefused(Exception):
    """`code`: one of SENTENCES; `names`: variable names of questions."""

    def __init__(self, code: str, names: Sequence[str] = ()) -> None:
        super().__init__(code, tuple(names))
        self.code, self.names = code, tuple(names)

    @property
    def stored(self) -> str:
        """The text that a job stores: the code, then the names on a line of their own."""
        return f"{self.code}\n{', '.join(self.names)}"


def refused_by_engine(
    error: EngineError, outcome: str, predictors: Sequence[str]
) -> AnalysisRefused:
    """The refusal for an error of the engine, with the questions that it may be about."""
    code = _OF_THE_ENGINE.get(error.code, "not_estimable")
    about_outcome = code in ("constant_outcome", "reports_do_not_group")
    return AnalysisRefused(code, [outcome] if about_outcome else predictors)


def refusal_text(stored: str) -> str:
    """A stored refusal in the reader's language; any other message is translated as it is."""
    code, _line, names = stored.partition("\n")
    if code not in SENTENCES:
        return gettext(stored) if stored else ""
    return gettext(SENTENCES[code]) % {"names": names}
