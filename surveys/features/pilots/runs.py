"""Estimating which questions of a pilot depend on each other: an author starts and stops it."""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys import jobs
from surveys.engine_words import EngineError, refusal
from surveys.exceptions import WrongStateError
from surveys.features.pilots.dependence import dependence_content, measured_pairs
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.settings import is_pilot
from surveys.models import Launch, Question, Survey
from surveys.parameters import picked_questions
from surveys.responses import tallies

State = DependenceRun.State
MOST_RUNS = 20

# Stored in English and translated where they are shown (`Job.message_text`).
TOO_FEW = gettext_noop(
    "There are fewer responses than the release threshold, so nothing is estimated yet."
)
PAIRS_TOO_FEW = gettext_noop(
    "No pair has as many responses as the release threshold, so nothing is estimated yet."
)
LOST = gettext_noop("Its worker was stopped three times. Start it again.")
STOPPED = gettext_noop("Stopped on request.")
OUT_OF_TIME = gettext_noop("Stopped when its time was up.")


@transaction.atomic
def start_run(*, survey: Survey, user: User) -> DependenceRun:
    """Queue an estimate from the responses that are in the results; one at a time."""
    # Because of the lock a second click waits here, and then finds the first run.
    list(Survey.objects.select_for_update().filter(pk=survey.pk).values_list("pk"))
    launch = survey.current_launch()
    if launch is None or not is_pilot(survey):
        raise WrongStateError(_("Only a launched pilot has pairs to estimate from."))
    if launch.dependence_runs.filter(state__in=DependenceRun.UNFINISHED).exists():
        raise WrongStateError(_("An estimate is under way. Wait for it, or stop it first."))
    run = DependenceRun.objects.create(launch=launch, digest=launch.digest, created_by=user)
    _forget_oldest(launch)
    jobs.request(DEPENDENCE, launch.pk)
    return run


def picked_rows(launch: Launch) -> list[Question]:
    """The questions of a pilot of which chance picks two, in their order."""
    rows = {row.name: row for row in launch.survey.questions.all()}
    return [rows[question.id] for question in picked_questions(launch.parameters)]


def stop_run(*, run: DependenceRun) -> None:
    """End a queued estimate at once, or a running one at its next pair."""
    jobs.cancel(run)


def _forget_oldest(launch: Launch) -> None:
    oldest = (
        DependenceRun.objects.filter(launch=launch)
        .order_by("-pk")
        .values_list("pk", flat=True)[MOST_RUNS:]
    )
    DependenceRun.objects.filter(pk__in=list(oldest)).delete()


def _estimate(run: jobs.Run) -> jobs.Outcome | None:
    key = DependenceRun.objects.only("pk").get(launch=run.subject, holder=run.holder).pk
    launch, counts = tallies.snapshot(run.subject)
    if launch.aggregated < launch.parameters.release_threshold:
        return jobs.Outcome(State.FAILED, TOO_FEW)
    try:
        content = dependence_content(launch.parameters, counts, run.report)
    except EngineError as error:
        return jobs.Outcome(State.FAILED, refusal(error))
    if content is None:
        return None
    if not measured_pairs(content):
        return jobs.Outcome(State.FAILED, PAIRS_TOO_FEW)
    found = {"revision": launch.revision, "responses": launch.aggregated, "content": content}
    with run.holding(ending=jobs.Outcome()):
        DependenceRun.objects.filter(pk=key).update(**found)
    return jobs.Outcome()


DEPENDENCE = jobs.register(
    jobs.JobKind(
        name=DependenceRun.KIND,
        run=_estimate,
        queue=settings.SEARCH_QUEUE,
        longest=settings.SEARCH_SECONDS,
        pending_seconds=30,
        cancelled=STOPPED,
        out_of_time=OUT_OF_TIME,
        gave_up=LOST,
        without_broker="estimates of dependence will wait",
    )
)
