"""Queries over several models."""

from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, DateTimeField, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from surveys.models import Comment, Launch, Question, Result, Submission, Survey


class Counts(TypedDict):
    """The annotations of a survey in the list of surveys."""

    received: int
    updated_at: datetime | None
    digest: str | None
    asked: int
    sensitive: int
    unresolved: int
    released: int | None
    margin: float | None


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    CountedSurvey = WithAnnotations[Survey, Counts]


def with_counts(surveys: QuerySet[Survey]) -> "QuerySet[CountedSurvey]":
    """Each survey with `received` (in the tallies or waiting), `updated_at` and `digest`.

    `asked`, `sensitive`: how many questions it has; `unresolved`: the comments that are open.
    `released`, `margin`: how many people are in the results of the wave in force, and half the
    width of their widest interval.
    Subqueries instead of joins: two joined sums would multiply each other.
    """
    launches = Launch.objects.filter(survey=OuterRef("pk")).order_by()
    aggregated = launches.values("survey").annotate(total=Sum("aggregated")).values("total")
    inbox = Submission.objects.waiting().filter(launch__survey=OuterRef("pk")).order_by()
    waiting_counts = inbox.values("launch__survey").annotate(total=Count("*")).values("total")
    results = Result.objects.filter(launch__survey=OuterRef("pk")).order_by("-computed_at")
    newest = Result.objects.filter(launch__survey=OuterRef("pk"), step=0).order_by(
        "-launch__version", "-launch__wave"
    )
    questions = Question.objects.filter(survey=OuterRef("pk")).order_by()
    comments = Comment.objects.unresolved().filter(survey=OuterRef("pk")).order_by()
    return surveys.annotate(
        received=Coalesce(Subquery(aggregated), Value(0))
        + Coalesce(Subquery(waiting_counts), Value(0)),
        updated_at=Subquery(results.values("computed_at")[:1], output_field=DateTimeField()),
        digest=Subquery(launches.order_by("-version", "-wave").values("digest")[:1]),
        asked=_count(questions),
        sensitive=_count(questions.filter(randomized=True)),
        unresolved=_count(comments),
        released=Subquery(newest.values("responses")[:1]),
        margin=Subquery(newest.values("widest_margin")[:1]),
    )


def _count(rows: QuerySet[Question] | QuerySet[Comment]) -> Coalesce:
    counts = rows.values("survey").annotate(total=Count("*")).values("total")
    return Coalesce(Subquery(counts), Value(0))
