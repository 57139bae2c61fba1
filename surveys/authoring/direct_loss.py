"""What people lose who are asked directly, in the words of the page that adds them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.arm_figures import people_of
from surveys.models import Question, Survey
from surveys.parameters.arms import DIRECTLY


def direct_loss(survey: Survey, questions: Sequence[Question], share: int) -> list[str]:
    """One sentence for each thing that they lose; `share`: of how many people in a hundred."""
    people = people_of({DIRECTLY: share}, survey.planned_n)[DIRECTLY]
    names = ", ".join(question.name for question in questions)
    asked = ngettext(
        "Of %(share)s in 100 people, about %(people)s in all, the real answer to %(count)s "
        "sensitive question is sent, stored and downloaded as it is: %(names)s.",
        "Of %(share)s in 100 people, about %(people)s in all, the real answers to %(count)s "
        "sensitive questions are sent, stored and downloaded as they are: %(names)s.",
        len(questions),
    )
    values = {
        "share": numbers.count(share),
        "people": numbers.count(people),
        "count": numbers.count(len(questions)),
        "names": names,
    }
    together = _(
        "These answers stand beside everything else that the same person answers, so whoever "
        "knows a person by the one finds the other."
    )
    kept = survey.linkage == Survey.Linkage.TOGETHER
    return [
        asked % values,
        _(
            "No chance and no epsilon protects them: whoever gets at the data, by right, by "
            "mistake or by order of a court, reads what they said."
        ),
        *([together] if kept else []),
        _(
            "Everybody reads in the label, before consenting, that this can happen to them. Some "
            "will not take part because of it, and some will answer less honestly."
        ),
    ]
