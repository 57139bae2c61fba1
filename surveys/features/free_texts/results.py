"""The part of texts for results: how many people wrote something, and nothing of what."""

from dataclasses import dataclass

from django.db.models import Count

from surveys.features.free_texts.models import WrittenText
from surveys.features.free_texts.section import FreeText, frozen_texts
from surveys.features.parts import ResultsPart
from surveys.results.release import Release


@dataclass(frozen=True, slots=True)
class Written:
    """`count`: None of fewer people than results are shown of."""

    question: FreeText
    count: int | None


class TextsInResults(ResultsPart):
    below_questions = True

    def page_context(self, release: Release, *, may_choose: bool) -> list[Written] | None:
        launch = release.launch
        texts = frozen_texts(launch.parameters)
        if not texts or release.content is None:
            return None
        written = WrittenText.objects.filter(launch=launch).order_by()
        rows = written.values_list("question").annotate(Count("pk"))
        counts = dict(rows)
        least = launch.parameters.release_threshold
        found = {each.id: counts.get(each.id, 0) for each in texts}
        return [Written(x, found[x.id] if found[x.id] >= least else None) for x in texts]
