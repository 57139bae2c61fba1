"""What the form without scripts says of questions that are for some people only."""

from collections.abc import Mapping

from surveys.features.feature import whole_text
from surveys.features.filters.page_words import Source, otherwise_words, whom_words
from surveys.features.filters.section import Filter, filters_of
from surveys.features.parts import Audience, PagePart
from surveys.parameters import Parameters


class FiltersOnPage(PagePart):
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
