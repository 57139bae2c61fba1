"""The work to do on all reports of a release: when it is due, and from which people."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from surveys import jobs
from surveys.exports.snapshot import MovingError, take_snapshot
from surveys.models import Result, Survey
from surveys.models.analysis import ReleaseFit
from surveys.results.regression.frame import Frame, columns_of, frame_of
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.release import Release
from surveys.results_document.document import FORMAT as RESULT_FORMAT

# A declared fit is computed again once there are this many times the responses, or when the survey
# closes: all fits together then read each response a bounded number of times.
GROWTH = 1.1
# Seconds between two fits of one row, as a multiple of how long a fit took.
PAUSE_SHARE, LONGEST_PAUSE = 10.0, 600.0
LONGEST_SECONDS = 600
# Attempts after which a row is given up whose workers were stopped, or whose database did not
# answer, each time.
MOST_ATTEMPTS = 5

logger = logging.getLogger(__name__)

Fit = TypeVar("Fit", bound=ReleaseFit)
# Computes the content from a release and the people who answered the named questions.
Compute = Callable[[Release, Callable[[Sequence[str]], Frame]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for which rows of a model are computed again.

    `declared`: those that follow the releases. `format`: that of contents that this program reads.
    """

    declared: Q
    format: int


def due(fits: QuerySet[Fit], rule: Rule) -> Iterator[int]:
    """The rows that a worker should compute.

    One that failed waits for a release that is as much larger, or for somebody who asks again.
    """
    results = Result.objects.filter(
        launch=OuterRef("launch"), step=OuterRef("step"), content__format=RESULT_FORMAT
    )
    rows = fits.annotate(
        newest=Subquery(results.values("revision")[:1]),
        people=Subquery(results.values("responses")[:1]),
        least=Subquery(results.values(least=KT("content__release_threshold"))[:1]),
    )
    asked = Q(asked__gt=F("revision"))
    # In a later wave reports replace others, which the revision counts and the people do not.
    grown = Q(people__gte=F("responses") * GROWTH) | Q(newest__gte=F("revision") * GROWTH)
    closed = Q(launch__survey__state=Survey.State.CLOSED)
    behind = Q(newest__gt=F("revision")) & (asked | (rule.declared & (grown | closed)))
    # Content of another version of the program is not read by this one; a refusal has no content.
    foreign = Q(content__has_key="format") & ~Q(content__format=rule.format)
    ended = closed & Q(newest__gt=F("failed"))
    untried = ended | Q(newest__gte=F("failed") * GROWTH)
    found = rows.filter(untried, behind | foreign).values_list("pk", "people", "least")
    yield from (key for key, responses, threshold in found if responses >= int(threshold))


def computed_values(fit: ReleaseFit, compute: Compute) -> dict[str, Any]:
    """The fields of a row for the newest release; raises MovingError if the results lag behind."""
    snapshot = take_snapshot(fit.launch, fit.step)
    release = snapshot.release
    values = {
        "digest": release.digest,
        "revision": release.revision,
        "failed": 0,
        "responses": release.responses,
        "content": {},
        "refusal": "",
    }

    def people(names: Sequence[str]) -> Frame:
        waves = release.waves()
        columns = columns_of(waves, names, release.suppressed)
        marked = release.base.mark(snapshot.contents, waves)
        contents = (content for content, is_in_base in marked if is_in_base)
        return frame_of(contents, waves, columns)

    try:
        if release.content is None:
            raise AnalysisRefused("too_few_people")
        if release.base.withheld:
            raise AnalysisRefused("few_left_out")
        return {**values, "content": compute(release, people)}
    except AnalysisRefused as refused:
        return {**values, "refusal": refused.stored}
    finally:
        snapshot.close()


def _nothing(_fit: Any) -> None:
    """Tell nobody."""


def register(
    name: str,
    model: type[Fit],
    rule: Rule,
    values: Callable[[Fit], dict[str, Any]],
    lost: str,
    stored: Callable[[Fit], None] = _nothing,
) -> jobs.JobKind:
    """Register the kind of job that computes the rows of a model.

    `values`: the fields of a row for the newest release. `lost`: what waits without a broker.
    `stored`: called in the transaction in which a row is stored.
    """

    def lagging() -> Iterator[int]:
        return due(model._default_manager.all(), rule)

    def is_lagging(key: int) -> bool:
        return any(due(model._default_manager.filter(pk=key), rule))

    def run(run: jobs.Run) -> jobs.Outcome:
        fit = model._default_manager.select_related("launch__survey").get(pk=run.subject)
        try:
            computed = _values_or_failure(run, fit, values)
        except MovingError:
            # Responses come in while they are read: try again after the pause.
            return jobs.Outcome(more=True)
        with run.holding(ending=jobs.Outcome()):
            model._default_manager.filter(pk=fit.pk).update(**computed)
            stored(fit)
        return jobs.Outcome()

    return jobs.register(
        jobs.JobKind(
            name=name,
            run=run,
            queue=settings.SEARCH_QUEUE,
            longest=LONGEST_SECONDS,
            lagging=lagging,
            is_lagging=is_lagging,
            about=model,
            pause=_pause_after,
            without_broker=f"{lost} will wait",
        )
    )


def request_due(kind: jobs.JobKind, fits: QuerySet[Fit], rule: Rule) -> None:
    """Send a worker to the rows that a new release makes due."""
    for key in due(fits, rule):
        jobs.request(kind, key)


def ask_all(kind: jobs.JobKind, fits: QuerySet[Fit], revision: int) -> None:
    """Have all these rows computed from the release of this revision."""
    fits.update(asked=revision, failed=0)
    for key in fits.values_list("pk", flat=True):
        jobs.request(kind, key)


def newest_revision(fit: ReleaseFit) -> int:
    """The revision of the newest release of a row's launch and step; 0 without any."""
    results = Result.objects.filter(launch=fit.launch_id, step=fit.step)
    return results.values_list("revision", flat=True).first() or 0


def _values_or_failure(
    run: jobs.Run, fit: Fit, values: Callable[[Fit], dict[str, Any]]
) -> dict[str, Any]:
    """The computed fields; or, where that would fail again and again, that it has failed."""
    attempted = newest_revision(fit)
    if run.attempt() > MOST_ATTEMPTS:
        logger.error("%s is given up after %s attempts", run, MOST_ATTEMPTS)
        return {"failed": attempted}
    try:
        return values(fit)
    except (MovingError, DatabaseError, jobs.LeaseLostError):
        raise
    except Exception:
        logger.exception("%s failed, and is not tried again with this release", run)
        return {"failed": attempted}


def ask_again(kind: jobs.JobKind, fit: ReleaseFit) -> None:
    """Have a row computed from the newest release, also where that has failed."""
    fit.asked, fit.failed = newest_revision(fit), 0
    rows = type(fit)._default_manager.filter(pk=fit.pk)
    rows.update(asked=fit.asked, failed=fit.failed)
    jobs.request(kind, fit.pk)


def _pause_after(seconds: float) -> float:
    return min(PAUSE_SHARE * seconds, LONGEST_PAUSE)
