"""What a launch freezes of quotas, and what stands against a launch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.features.feature import FEATURES
from surveys.features.parts import AuthorPart
from surveys.features.quotas.reading import UnreadableQuotaError, read_quotas
from surveys.features.quotas.section import NAME, Quota
from surveys.features.quotas.settings import lines_of
from surveys.models import Question, Survey


def quotas_of_draft(survey: Survey, questions: Sequence[Question]) -> tuple[Quota, ...]:
    """Return the quotas of a draft; none where they cannot be read."""
    try:
        return read_quotas(lines_of(survey), questions)
    except UnreadableQuotaError:
        return ()


class QuotasForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(lines_of(survey))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        quotas = quotas_of_draft(survey, questions)
        return {NAME: quotas} if quotas else {}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        try:
            quotas = read_quotas(lines_of(survey), questions)
        except UnreadableQuotaError as error:
            yield Finding("unreadable_quota", _("Quotas: %s") % error, blocks=True)
            return
        if not quotas:
            return
        names = {each.question for quota in quotas for each in quota.given}
        for place, question in enumerate(questions):
            if question.name in names:
                yield from _of_question(question, questions[:place], questions[place + 1 :])
        yield from _of_numbers(survey, quotas)
        if survey.layout == Survey.Layout.ALL:
            message = _(
                "A survey with quotas asks one question at a time: whether somebody is still asked "
                "follows from the first answers."
            )
            yield Finding("quotas_one_by_one", message, blocks=False)


def _of_question(
    question: Question, before: Sequence[Question], after: Sequence[Question]
) -> Iterator[Finding]:
    if not question.required:
        message = _("There are quotas on it, so everybody has to answer it. Make it required.")
        yield Finding.of(question, "quota_optional", message, blocks=True)
    scrambled = [each.name for each in before if each.randomized]
    if scrambled:
        message = _(
            "There are quotas on it, and “%s” is scrambled and stands before it. Nobody should "
            "answer a sensitive question for nothing: put it before all scrambled questions."
        )
        yield Finding.of(question, "quota_too_late", message % scrambled[0], blocks=True)
    moving = [
        each.name
        for each in after
        if each.randomized
        and any(
            x.author.may_come_first([*before, question, *after], each, question)
            for x in FEATURES.values()
        )
    ]
    if moving:
        message = _(
            "There are quotas on it, and chance may ask “%s”, which is scrambled, before it. Put "
            "it where chance does not change its place."
        )
        yield Finding.of(question, "quota_too_late", message % moving[0], blocks=True)


def _of_numbers(survey: Survey, quotas: Sequence[Quota]) -> Iterator[Finding]:
    if any(len(quota.given) > 1 for quota in quotas) and survey.linkage != Survey.Linkage.TOGETHER:
        message = _(
            "Quotas on two questions count the answers of one person together. Store them "
            "together, or write quotas on one question each."
        )
        yield Finding("quotas_apart", message, blocks=True)
    if any(0 < quota.wanted < survey.release_threshold for quota in quotas):
        message = _(
            "Whoever opens the survey learns which quotas are full, so none may be about fewer "
            "people than the release threshold (%s): want more of them, or nobody (0)."
        )
        threshold = numbers.count(survey.release_threshold)
        yield Finding("quota_too_small", message % threshold, blocks=True)
