"""Fitting analyses in a worker: declared ones as releases come, others when somebody asks."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from surveys.exceptions import SurveyError, WrongStateError
from surveys.features import analyses_of, weighting_of
from surveys.models import AnalysisFit, Launch, Survey
from surveys.parameters import Analysis, to_json
from surveys.parameters.analyses import analyses_of_json
from surveys.parameters.canonical import canonical_json
from surveys.results.regression.content import analysis_content
from surveys.results.regression.fitting import fit_analysis
from surveys.results.regression.frame import Frame
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.regression.weights import margin_groups, raked_sample
from surveys.results.release import Release
from surveys.results_document.document import plain
from surveys.results_document.fits import FORMAT
from surveys.services import release_fits
from surveys.services.audiences import Audience
from surveys.services.webhooks import note_fit

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

MOST_EXPLORATORY = 100
RULE = release_fits.Rule(declared=Q(declared__isnull=False), format=FORMAT)


class TooManyAnalysesError(SurveyError):
    """A launch has as many exploratory analyses as are kept."""

    code = "too_many_analyses"


def key_of(analysis: Analysis) -> str:
    """Return the key that analyses share if they ask the same, whatever they are called."""
    facts = {**to_json(analysis), "name": ""}
    return hashlib.sha256(canonical_json(facts)).hexdigest()


def add_declared(launch: Launch) -> None:
    """One row for each analysis that a new launch declares, and each step."""
    AnalysisFit.objects.bulk_create(
        AnalysisFit(
            launch=launch,
            step=step,
            number=place + 1,
            declared=place,
            specification=to_json(analysis),
            key=key_of(analysis),
        )
        for step in launch.steps
        for place, analysis in enumerate(analyses_of(launch.parameters))
    )


@transaction.atomic
def ask_analysis(*, launch: Launch, step: int, analysis: Analysis, user: User) -> AnalysisFit:
    """The row of this analysis, and a worker that fits it to the newest release.

    An analysis that was asked for before, or was declared, is the same row.
    """
    # Because of the lock a second click waits here, and then finds the first row.
    list(Launch.objects.select_for_update().filter(pk=launch.pk).values_list("pk"))
    rows = AnalysisFit.objects.filter(launch=launch, step=step)
    fit = rows.filter(key=key_of(analysis)).first()
    if fit is None or fit.deleted:
        _check_room(rows)
    if fit is None:
        newest = rows.aggregate(newest=Max("number"))["newest"] or 0
        fit = AnalysisFit.objects.create(
            launch=launch,
            step=step,
            number=newest + 1,
            specification=to_json(analysis),
            key=key_of(analysis),
            created_by=user,
        )
    elif fit.deleted:
        fit.deleted, fit.created_by = False, user
        fit.save(update_fields=["deleted", "created_by"])
    ask_again(fit)
    return fit


def _check_room(rows: QuerySet[AnalysisFit]) -> None:
    if rows.filter(declared__isnull=True, deleted=False).count() >= MOST_EXPLORATORY:
        message = _("A survey keeps at most %(most)s analyses. Delete one first.")
        raise TooManyAnalysesError(message % {"most": MOST_EXPLORATORY})


def ask_again(fit: AnalysisFit) -> None:
    """Fit it to the newest release, unless that has been done."""
    if fit.failed or release_fits.newest_revision(fit) > fit.revision:
        release_fits.ask_again(ANALYSIS, fit)


def delete_analysis(fit: AnalysisFit) -> None:
    """Delete an exploratory analysis; a declared one stays."""
    if fit.is_declared:
        raise WrongStateError(_("A declared analysis cannot be deleted."))
    AnalysisFit.objects.filter(pk=fit.pk).update(
        deleted=True,
        revision=0,
        asked=0,
        failed=0,
        responses=0,
        digest="",
        content={},
        refusal="",
    )


def may_delete(fit: AnalysisFit, user: "User | AnonymousUser") -> bool:
    """Whether somebody may delete it: whoever asked for it, or the author of the survey."""
    if fit.is_declared or not user.is_authenticated:
        return False
    surveys = Survey.objects.editable_by(user)
    return fit.created_by_id == user.pk or surveys.filter(pk=fit.launch.survey_id).exists()


def analyses_of_audience(audience: Audience) -> QuerySet[AnalysisFit]:
    """The analyses that an audience sees: declared ones first, in their order."""
    rows = AnalysisFit.objects.filter(launch=audience.launch, step=audience.step, deleted=False)
    return rows.order_by(F("declared").asc(nulls_last=True), "number")


def analysis_of(fit: AnalysisFit) -> Analysis:
    (analysis,) = analyses_of_json([fit.specification])
    return analysis


def request_declared(launch_id: int) -> None:
    """Send a worker to the declared analyses of a launch that a new release makes due."""
    release_fits.request_due(ANALYSIS, AnalysisFit.objects.filter(launch=launch_id), RULE)


def fitted_values(fit: AnalysisFit) -> dict[str, Any]:
    """The fields of a fit to the newest release; raises MovingError if the results lag behind."""
    return release_fits.computed_values(fit, partial(_content, analysis_of(fit)))


def _content(
    analysis: Analysis, release: Release, people: Callable[[Sequence[str]], Frame]
) -> dict[str, Any]:
    threshold = max(release.threshold, 1)
    if release.content is None:
        raise AnalysisRefused("too_few_people")
    recodings = release.content.recodings
    weighting = weighting_of(release.parameters) if analysis.weighted else None
    margins = weighting.margins if weighting else ()
    frame = people([*analysis.questions, *(margin.question for margin in margins)])
    sample_of = (lambda some: raked_sample(some, weighting, recodings)) if weighting else None
    fitted = fit_analysis(analysis, frame, recodings, threshold, sample_of)
    shares = [[each.question, *margin_groups(each, recodings)] for each in margins]
    return plain(analysis_content(fitted, threshold, release.content.left_out.people, shares))


ANALYSIS = release_fits.register("analysis", AnalysisFit, RULE, fitted_values, "analyses", note_fit)
