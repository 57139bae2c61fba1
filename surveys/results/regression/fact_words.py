"""Words for the facts of a fit: its notes, its standard errors, and what was put together."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.results_document.fits import FitResults

STANDARD_ERRORS: dict[str, Promise] = {
    "observed": gettext_lazy("from the observed information"),
    "expected": gettext_lazy("from the expected information"),
    "robust": gettext_lazy("robust (sandwich)"),
}
# The engine's notes on a model.
NOTES: dict[str, Promise] = {
    "separation": gettext_lazy(
        "Some coefficients have no finite estimate: a predictor, or several together, foretell the "
        "reports without fail. They are shown as “–”. Leave a predictor out, or let it count as a "
        "number."
    ),
    "not_converged": gettext_lazy(
        "The estimates had not settled when the iterations ended: do not go by them. Leave a "
        "predictor out."
    ),
    "few_reports": gettext_lazy(
        "There are fewer than ten reports for each coefficient: intervals and tests are rough."
    ),
    "indefinite": gettext_lazy(
        "The likelihood is not curved downwards everywhere at the estimate, so standard errors are "
        "those of the expected information."
    ),
    "outside_range": gettext_lazy(
        "Some fitted probabilities lie below 0 or above 1, as those of a straight line can. Choose "
        "the logistic model to keep them inside."
    ),
}
OTHER_NOTE = gettext_lazy("The engine reports: %(code)s (docs/methods/regression.md).")


def note_words(codes: Sequence[str]) -> list[str]:
    """The notes of a fit; one that has no words yet is named."""
    return [
        str(NOTES[code]) if code in NOTES else str(OTHER_NOTE) % {"code": code} for code in codes
    ]


def recoded_words(content: FitResults) -> list[str]:
    """Return which answers were put together, a sentence for each question."""
    return [
        _("%(question)s: %(answers)s")
        % {"question": name, "answers": ", ".join(_("“%s”") % label for label in labels)}
        for name, labels in content.recoded.items()
    ]
