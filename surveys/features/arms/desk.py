"""The buttons and pages of arms in the admin, and what its forms ask about them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.forms import Form, ModelForm
from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.admin.routes import Pages
from surveys.features.arms import pages
from surveys.features.arms.allowed import (
    asked_directly,
    has_arms,
    obstacles,
    physical_words,
    public_words,
)
from surveys.features.arms.forms import DirectArmForm, keeps_arms, keeps_direct_arm
from surveys.features.arms.settings import arms_of_question, shares_of_survey
from surveys.features.arms.words import arm_rows, direct_loss
from surveys.features.parts import DeskPart
from surveys.models import Question, Survey


class ArmsAtDesk(DeskPart):
    @property
    def pages(self) -> Pages:
        return {
            "arms": ("arms/", pages.arms),
            "split_add": ("arms/split-sample/", pages.split_add),
            "split_remove": ("arms/split-sample/remove/", pages.split_remove),
            "direct_add": ("arms/asked-directly/", pages.direct_add),
            "direct_remove": ("arms/asked-directly/remove/", pages.direct_remove),
        }

    def tools(self, survey: Survey) -> list[Tool]:
        """Return the page of arms, and in a draft what adds a split sample or takes an arm away.

        What asks people directly is on the page of arms alone, behind a page of its own.
        """
        questions = list(survey.questions.all())
        asked = list(map(arms_of_question, questions))
        split = any(arms.split_epsilon is not None for arms in asked)
        direct = any(arms.asked_directly for arms in asked)
        page = tool_of(survey, "arms", _("Arms"))
        if not survey.is_draft:
            return [page] if split or direct else []
        if not (split or direct) and any(obstacles(survey, questions)):
            return [page]
        clicks = [
            ("split_remove", _("Remove the split sample"))
            if split
            else ("split_add", _("Add a split sample")),
            *([("direct_remove", _("Remove the direct arm"))] if direct else []),
        ]
        return [page, *(tool_of(survey, name, label, post=True) for name, label in clicks)]

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return keeps_arms(posted, survey)

    def survey_problems(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> Iterator[tuple[str, str]]:
        """Yield that there are public results where somebody is asked directly."""
        if cleaned.get("results_public") and keeps_direct_arm(posted, survey):
            yield "results_public", public_words()

    def question_problems(self, asked: Sequence[ModelForm]) -> Iterator[tuple[ModelForm, str, str]]:
        """Yield each physical randomizer: in a survey with arms nothing is drawn by hand."""
        if not any(has_arms(form.instance) for form in asked):
            return
        for form in asked:
            if form.instance.randomized and form.instance.physical_device:
                yield form, "physical_device", physical_words(form.instance.name)

    def launch_facts(
        self, survey: Survey, questions: Sequence[Question]
    ) -> list[tuple[str, list[str]]]:
        message = _("%(label)s: %(share)s, about %(people)s people")
        rows = arm_rows(survey, questions)
        lines = [
            message % {"label": row.label, "share": row.share, "people": row.people} for row in rows
        ]
        return [(_("Arms"), lines)] if lines else []

    def launch_warning(
        self, survey: Survey, questions: Sequence[Question]
    ) -> tuple[str, list[str]] | None:
        asked = list(filter(asked_directly, questions))
        if not asked:
            return None
        loss = direct_loss(survey, asked, shares_of_survey(survey).direct)
        return _("What people lose who are asked directly"), loss

    def confirmation(self, survey: Survey, posted: QueryDict | None) -> Form | None:
        asks_directly = any(map(asked_directly, survey.questions.all()))
        return DirectArmForm(posted) if asks_directly else None

    def confirmed_words(self) -> str:
        return _("Launched; confirmed what people who are asked directly lose.")
