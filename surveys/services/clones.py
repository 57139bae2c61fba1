"""A new draft with the same texts and questions."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.features import FEATURES
from surveys.models import Question, Survey


@transaction.atomic
def clone_survey(*, survey: Survey, owner: User) -> Survey:
    questions = list(survey.questions.all())
    copy = blank_copy(survey, owner)
    copy.title = _("Copy of %s") % survey.title[:140]
    copy.slug = free_slug(survey.slug)
    copy.save()
    for question in questions:
        question.pk = None
        question.survey = copy
    Question.objects.bulk_create(questions)
    for feature in FEATURES.values():
        feature.author.clone(survey, copy)
    return copy


def blank_copy(survey: Survey, owner: User) -> Survey:
    """An unsaved draft of the same texts and settings, without questions; it needs an address."""
    copy = Survey.objects.get(pk=survey.pk)
    copy.pk = None
    copy._state.adding = True
    copy.state = Survey.State.DRAFT
    copy.owner = owner
    copy.opens_at = copy.closes_at = copy.simulated_truth = None
    copy.results_public = False
    return copy


def free_slug(slug: str) -> str:
    """`slug-2`, or the next number that is free."""
    stem = slug[:58].rstrip("-")
    slugs = set(Survey.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 2
    while f"{stem}-{number}" in slugs:
        number += 1
    return f"{stem}-{number}"
