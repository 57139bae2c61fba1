"""What pages say of questions that are for some people only, beside what scripts do with them.

The form without scripts says for whom a question is, and the preview of one has links to how it is
asked of whom.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from surveys.features.feature import whole_text
from surveys.features.filters.page_words import Source, otherwise_words, whom_words
from surveys.features.filters.section import Filter, filters_of
from surveys.features.parts import Audience, PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

# How a page may ask a question: of somebody whom it is for, or is not, or of whom it does not know.
WAYS: Final = {
    "asked": _("It is for them"),
    "passed": _("It is not for them"),
    "offered": _("After a reload"),
}


@dataclass(frozen=True, slots=True)
class Previewed:
    """`questions`: those that are for some people only, by their names. `asking`: of `ways`, that
    which the preview shows.
    """

    questions: list[str]
    ways: list[tuple[str, str]]
    asking: str


class FiltersOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        for_some = [each.id for each in parameters.questions if each.not_applicable]
        if preview is None or not for_some:
            return None
        asked = preview.get("asking", "")
        asking = asked if asked in WAYS else next(iter(WAYS))
        told = Previewed(for_some, [(way, str(words)) for way, words in WAYS.items()], asking)
        return Shown({"preview": "features/filters/preview.html"}, told, {"asking": asking})

    def audiences(self, parameters: Parameters, given: Mapping[str, int]) -> Mapping[str, Audience]:
        """Whoever reads the form finds out for themselves whom a question is for."""
        return {
            each.question: _audience(each, parameters, given)
            for each in filters_of(parameters)
            # What everybody here has to be asked needs no words.
            if () not in each.left(given)
        }


def _audience(each: Filter, parameters: Parameters, given: Mapping[str, int]) -> Audience:
    question, left = parameters.question(each.question), each.left(given)
    compared = {comparison.question for every in left for comparison in every}
    sources = {name: _source(name, parameters) for name in compared}
    label = "" if question.inapplicable is None else question.categories[question.inapplicable]
    return Audience(
        words=whom_words(left, sources),
        otherwise=otherwise_words(label),
        rests_on=frozenset(compared),
        reports=not each.unasked,
        nobody=not left,
    )


def _source(name: str, parameters: Parameters) -> Source:
    question = parameters.question(name)
    return Source(whole_text(question, parameters), question.categories)
