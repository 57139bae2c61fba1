"""Fitting analyses in a worker: declared ones as releases come, others when somebody asks."""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.exceptions import SurveyError, WrongStateError
from surveys.exports.snapshot import take_snapshot
from surveys.models import AnalysisFit, Launch, Result, Survey
from surveys.parameters import Analysis, Parameters
from surveys.parameters.analyses import analyses_of_json
from surveys.parameters.canonical import canonical_json
from surveys.results.document import FORMAT as RESULT_FORMAT
from surveys.results.regression.content import analysis_content, specification
from surveys.results.regression.fitting import fit_analysis
from surveys.results.regression.frame import columns_of, few_left_out, frame_of
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.regression.weights import margin_groups, raked_sample
from surveys.results.release import Release
from surveys.services.audiences import Audience

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

MOST_EXPLORATORY = 100
# A declared analysis is fitted again once there are this many times the responses, or when the
# survey closes: all fits together then read each response a bounded number of times.
GROWTH = 1.1
# Seconds between two fits of one analysis, as a multiple of how long a fit took.
PAUSE_SHARE, LONGEST_PAUSE = 10.0, 600.0
LONGEST_SECONDS = 600


class TooManyAnalysesError(SurveyError):
    """A launch has as many exploratory analyses as are kept."""

    code = "too_many_analyses"


def key_of(analysis: Analysis) -> str:
    """What two analyses have in common that ask the same, whatever they are called."""
    facts = {**specification(analysis), "name": ""}
    return hashlib.sha256(canonical_json(facts)).hexdigest()


def add_declared(launch: Launch) -> None:
    """One row for each analysis that a new launch declares, and each rung."""
    AnalysisFit.objects.bulk_create(
        AnalysisFit(
            launch=launch,
            rung=rung,
            number=place + 1,
            declared=place,
            specification=specification(analysis),
            key=key_of(analysis),
        )
        for rung in launch.rungs
        for place, analysis in enumerate(launch.parameters.analyses)
    )


@transaction.atomic
def ask_analysis(*, launch: Launch, rung: int, analysis: Analysis, user: User) -> AnalysisFit:
    """The row of this analysis, and a worker that fits it to the newest release.

    An analysis that was asked for before, or was declared, is the same row.
    """
    # Because of the lock a second click waits here, and then finds the first row.
    list(Launch.objects.select_for_update().filter(pk=launch.pk).values_list("pk"))
    rows = AnalysisFit.objects.filter(launch=launch, rung=rung)
    fit = rows.filter(key=key_of(analysis)).first()
    if fit is None:
        if rows.filter(declared__isnull=True).count() >= MOST_EXPLORATORY:
            message = _("A survey keeps at most %(most)s analyses. Delete one first.")
            raise TooManyAnalysesError(message % {"most": MOST_EXPLORATORY})
        newest = rows.aggregate(newest=Max("number"))["newest"] or 0
        fit = AnalysisFit.objects.create(
            launch=launch,
            rung=rung,
            number=newest + 1,
            specification=specification(analysis),
            key=key_of(analysis),
            created_by=user,
        )
    ask_again(fit)
    return fit


def ask_again(fit: AnalysisFit) -> None:
    """Fit it to the newest release, unless that has been done."""
    revision = _newest_revision(fit)
    if revision > fit.revision:
        AnalysisFit.objects.filter(pk=fit.pk).update(asked=revision)
        fit.asked = revision
        jobs.request(ANALYSIS, fit.pk)


def delete_analysis(fit: AnalysisFit) -> None:
    """Delete an exploratory analysis; a declared one stays."""
    if fit.is_declared:
        raise WrongStateError(_("A declared analysis cannot be deleted."))
    fit.delete()


def may_delete(fit: AnalysisFit, user: "User | AnonymousUser") -> bool:
    """Whether somebody may delete it: whoever asked for it, or the author of the survey."""
    if fit.is_declared or not user.is_authenticated:
        return False
    surveys = Survey.objects.editable_by(user)
    return fit.created_by_id == user.pk or surveys.filter(pk=fit.launch.survey_id).exists()


def analyses_of_audience(audience: Audience) -> QuerySet[AnalysisFit]:
    """The analyses that an audience sees: declared ones first, in their order."""
    rows = AnalysisFit.objects.filter(launch=audience.launch, rung=audience.rung)
    return rows.order_by(F("declared").asc(nulls_last=True), "number")


def analysis_of(fit: AnalysisFit) -> Analysis:
    (analysis,) = analyses_of_json([fit.specification])
    return analysis


def request_declared(launch_id: int) -> None:
    """Send a worker to the declared analyses of a launch that a new release makes due."""
    for key in _due(AnalysisFit.objects.filter(launch=launch_id)):
        jobs.request(ANALYSIS, key)


def _newest_revision(fit: AnalysisFit) -> int:
    results = Result.objects.filter(launch=fit.launch_id, rung=fit.rung)
    return results.values_list("revision", flat=True).first() or 0


def _due(fits: QuerySet[AnalysisFit]) -> Iterator[int]:
    """The analyses that a worker should fit."""
    results = Result.objects.filter(
        launch=OuterRef("launch"), rung=OuterRef("rung"), content__format=RESULT_FORMAT
    )
    rows = fits.annotate(
        newest=Subquery(results.values("revision")[:1]),
        people=Subquery(results.values("responses")[:1]),
        least=Subquery(results.values(least=KT("content__release_threshold"))[:1]),
    )
    behind = rows.filter(newest__gt=F("revision"))
    asked = Q(asked__gt=F("revision"))
    grown = Q(people__gte=F("responses") * GROWTH)
    closed = Q(launch__survey__state=Survey.State.CLOSED)
    declared = Q(declared__isnull=False) & (grown | closed)
    due = behind.filter(asked | declared).values_list("pk", "people", "least")
    yield from (key for key, responses, threshold in due if responses >= int(threshold))


def _all_due() -> Iterator[int]:
    return _due(AnalysisFit.objects.all())


def _is_due(key: int) -> bool:
    return any(_due(AnalysisFit.objects.filter(pk=key)))


def _fit(run: jobs.Run) -> jobs.Outcome | None:
    fit = AnalysisFit.objects.select_related("launch__survey").get(pk=run.subject)
    values = fitted_values(fit)
    with run.holding(ending=jobs.Outcome()):
        AnalysisFit.objects.filter(pk=fit.pk).update(**values)
    return jobs.Outcome()


def fitted_values(fit: AnalysisFit) -> dict[str, Any]:
    """The fields of a fit to the newest release; raises MovingError if the results lag behind."""
    snapshot = take_snapshot(fit.launch, fit.rung)
    release = snapshot.release
    values = {
        "digest": release.digest,
        "revision": release.revision,
        "responses": release.responses,
        "content": {},
        "refusal": "",
    }
    try:
        content = _content(analysis_of(fit), release, snapshot.contents)
    except AnalysisRefused as refused:
        return {**values, "refusal": refused.stored}
    finally:
        snapshot.close()
    return {**values, "content": content}


def _content(
    analysis: Analysis, release: Release, contents: Iterator[dict[str, Any]]
) -> dict[str, Any]:
    if release.content is None:
        raise AnalysisRefused("too_few_people", [analysis.outcome])
    threshold = max(release.threshold, 1)
    waves = _waves(release)
    weighting = release.parameters.weighting if analysis.weighted else None
    margins = [margin.question for margin in weighting.margins] if weighting else []
    columns = columns_of(waves, [*analysis.questions, *margins], release.suppressed)
    answered = few_left_out(release.content, threshold)
    frame = frame_of(contents, waves, columns, answered)
    recodings = release.content["recodings"]
    sample_of = (lambda people: raked_sample(people, weighting, recodings)) if weighting else None
    fitted = fit_analysis(analysis, frame, recodings, threshold, sample_of)
    weighed = weighting.margins if weighting else ()
    shares = [[each.question, *margin_groups(each, recodings)] for each in weighed]
    return analysis_content(fitted, threshold, answered, shares)


def _waves(release: Release) -> list[tuple[str, Parameters]]:
    launch = release.launch
    return [
        (launch.source_of(wave.wave), wave.parameters_at(release.rung)) for wave in launch.waves()
    ]


def _pause_after(seconds: float) -> float:
    return min(PAUSE_SHARE * seconds, LONGEST_PAUSE)


ANALYSIS = jobs.register(
    jobs.Kind(
        name="analysis",
        run=_fit,
        queue=settings.SEARCH_QUEUE,
        longest=LONGEST_SECONDS,
        lagging=_all_due,
        is_lagging=_is_due,
        about=AnalysisFit,
        pause=_pause_after,
        without_broker="analyses will wait",
    )
)
