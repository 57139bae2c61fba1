"""What respondents are shown of sections where no script runs, and how their page begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.features.sections.section import Section, frozen_sections
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/sections"
SLOTS = {name: f"{FOLDER}/{name}.html" for name in ("above_question", "after_questions")}


@dataclass(frozen=True, slots=True)
class SectionsShown:
    """`heads`: what stands above a question, by its name. `last`: what stands after all of them."""

    heads: Mapping[str, list[Section]]
    last: list[Section]


def shown_sections(parameters: Parameters) -> SectionsShown:
    heads: dict[str, list[Section]] = {}
    waiting: list[Section] = []
    for section in frozen_sections(parameters):
        # A statement just before may have said the title.
        before = waiting[-1].title if waiting else ""
        if section.text or section.title != before:
            waiting.append(section)
        if section.questions:
            heads[section.questions[0]] = waiting
            waiting = []
    return SectionsShown(heads, waiting)


class SectionsOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        if not frozen_sections(parameters):
            return None
        return Shown(SLOTS, shown_sections(parameters))

    def needs_all(self, parameters: Parameters) -> bool:
        sections = frozen_sections(parameters)
        first = next((x for x in sections if x.questions), None)
        has_several = first is not None and first.together and len(first.questions) > 1
        return has_several or any(section.is_ordered_by_chance for section in sections)
