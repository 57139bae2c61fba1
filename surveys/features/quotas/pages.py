"""The page on which an author sees how full the quotas of a launched survey are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.page import render_page, survey_page, to_change_page
from surveys.features.quotas.progress import full_quotas, released_counts
from surveys.features.quotas.section import Quota, quotas_of
from surveys.models import Launch, Survey
from surveys.parameters import Parameters
from surveys.responses.batches import batch_of

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@dataclass(frozen=True, slots=True)
class QuotaRow:
    """`people`: the answers of those whom it is about. `counted`: fewer than the threshold are not
    said.
    """

    people: str
    wanted: str
    counted: str
    state: str


@survey_page("GET")
def quotas(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.is_draft:
        return to_change_page(survey)
    launch = survey.current_launch()
    context: dict[str, Any] = {
        "title": _("Quotas"),
        "rows": rows_of(launch),
        "waiting": numbers.count(launch.waiting()),
        "overshoot": overshoot_words(batch_of(launch)),
    }
    return render_page(model_admin, request, survey, "features/quotas/quotas.html", **context)


def rows_of(launch: Launch) -> list[QuotaRow]:
    parameters, full = launch.parameters, set(full_quotas(launch))
    pairs = zip(quotas_of(parameters), released_counts(launch), strict=True)
    return [
        _row(quota, count, parameters, is_full=place in full)
        for place, (quota, count) in enumerate(pairs)
    ]


def _row(quota: Quota, count: int, parameters: Parameters, *, is_full: bool) -> QuotaRow:
    threshold = parameters.release_threshold
    said = numbers.count(count) if count >= threshold else _("fewer than %s") % threshold
    if not quota.wanted:
        return QuotaRow(people_of(quota, parameters), "0", "–", _("not asked"))
    state = _("full") if is_full else _("open")
    return QuotaRow(people_of(quota, parameters), numbers.count(quota.wanted), said, state)


def people_of(quota: Quota, parameters: Parameters) -> str:
    """Return the answers of the people whom a quota is about, as respondents read them."""
    labels = [
        " | ".join(parameters.question(x.question).categories[place] for place in x.answers)
        for x in quota.given
    ]
    return "; ".join(labels)


def full_words(survey: Survey) -> str:
    """Return the sentence on the quotas of a launched survey that are full."""
    launch = survey.current_launch()
    wanted = sum(1 for quota in quotas_of(launch.parameters) if quota.wanted)
    full = len(full_quotas(launch))
    words = ngettext(
        "%(full)s of %(count)s quota is full.", "%(full)s of %(count)s quotas are full.", wanted
    )
    return words % {"full": numbers.count(full), "count": numbers.count(wanted)}


def overshoot_words(batch: int) -> str:
    """Return how many more than are wanted can come."""
    most = 2 * batch - 1 if batch > 1 else 0
    words = _(
        "A quota counts responses once they are in the results. So up to %(most)s more may be "
        "stored than are wanted, and the responses of everybody who had begun by then: whatever "
        "is sent is taken."
    )
    return words % {"most": numbers.count(most)}
