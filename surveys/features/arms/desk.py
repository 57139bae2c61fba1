"""The buttons and pages of arms in the admin, and what its forms ask about them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.features.arms import pages as views
from surveys.features.arms.allowed import (
    asked_directly,
    has_arms,
    obstacles,
    physical_words,
    public_words,
)
from surveys.features.arms.forms import DirectArmForm, asks_directly, uses_arms
from surveys.features.arms.settings import arms_of_question, shares_of_survey
from surveys.features.arms.words import arm_rows, direct_loss
from surveys.features.parts import Confirmation, DeskPart, Facts, Moment, TypedSurvey
from surveys.models import Question, Survey


class ArmsAtDesk(DeskPart):
    added_on = "arms"
    pages = {
        "arms": ("arms/", views.arms),
        "split_add": ("arms/split-sample/", views.split_add),
        "split_remove": ("arms/split-sample/remove/", views.split_remove),
        "direct_add": ("arms/asked-directly/", views.direct_add),
        "direct_remove": ("arms/asked-directly/remove/", views.direct_remove),
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

    def words(self, survey: Survey, moment: Moment) -> Iterator[str]:
        if moment is Moment.TRIED:
            yield _(
                "Here only those answer whom the page's own devices ask; results pool the split "
                "sample with them, and are a little more exact."
            )

    def is_typed(self, typed: TypedSurvey) -> bool:
        return uses_arms(typed.survey)

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        """Yield that there are public results where somebody is asked directly."""
        if typed.cleaned.get("results_public") and asks_directly(typed.survey):
            yield "results_public", public_words()

    def question_problems(self, asked: Sequence[Question]) -> Iterator[tuple[int, str, str]]:
        """Yield each physical randomizer: in a survey with arms nothing is drawn by hand."""
        if not any(map(has_arms, asked)):
            return
        for place, question in enumerate(asked):
            if question.randomized and question.physical_device:
                yield place, "physical_device", physical_words(question.name)

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        message = _("%(label)s: %(share)s, about %(people)s people")
        rows = arm_rows(survey, questions)
        lines = [
            message % {"label": row.label, "share": row.share, "people": row.people} for row in rows
        ]
        return [(_("Arms"), lines)] if lines else []

    def confirmation(self, survey: Survey, questions: Sequence[Question]) -> Confirmation | None:
        asked = list(filter(asked_directly, questions))
        if not asked:
            return None
        return Confirmation(
            _("What people lose who are asked directly"),
            direct_loss(survey, asked, shares_of_survey(survey).direct),
            DirectArmForm,
            history=_("Launched; confirmed what people who are asked directly lose."),
        )
