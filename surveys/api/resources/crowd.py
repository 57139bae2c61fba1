"""Statistics of the crowd: of the pooled distribution of a release, and of nobody in it."""

from math import isfinite

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router

from surveys.api.documents import answer, document
from surveys.api.finding import Key, results_of
from surveys.api.forms import check
from surveys.api.problems import Broken, Refusal, shown_value
from surveys.api.serving import serves
from surveys.exports.crowd import released_crowd
from surveys.forms.crowd import CrowdForm
from surveys.models.api_token import Scope
from surveys.results.crowd.distribution import Crowd
from surveys.results.crowd.presentation import LEVEL
from surveys.results.crowd.statistics import STATISTICS, compute
from surveys.services.audiences import release_shown

router = Router(tags=["results"])


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """A value with its interval; null where it is not defined.

    `fitted`: that of the distribution from which synthetic data are drawn.
    """

    label: str
    estimate: float | None
    lower: float | None
    upper: float | None
    fitted: float | None


class Statistic(msgspec.Struct, frozen=True, kw_only=True):
    """`n`: the fewest people who reported on what is related. `notes`: codes of its limits."""

    statistic: str
    fields: dict[str, str]
    level: float
    n: int
    values: tuple[Value, ...]
    notes: tuple[str, ...]


@serves(
    router,
    "GET",
    "/{survey_id}/crowd/{statistic}",
    scope=Scope.RESULTS_READ,
    answers={200: document(Statistic)},
    title="Compute a statistic of the crowd; its fields are those of the page, as parameters",
)
def get_crowd(request: HttpRequest, survey_id: Key, statistic: str) -> HttpResponse:
    audience = results_of(request, survey_id)
    release_shown(audience)
    crowd = released_crowd(audience.launch, audience.step)
    possible = [name for name, each in STATISTICS.items() if each.is_possible(crowd)]
    if statistic not in possible:
        rule = _("one of: %s") % ", ".join(possible) if possible else _("none is possible here")
        broken = Broken(field="statistic", value=shown_value(statistic), rule=rule)
        raise Refusal(422, "invalid", _("There is no such statistic."), errors=[broken])
    form = CrowdForm(request.GET, crowd=crowd, statistic=statistic)
    check(form)
    return answer(_computed(crowd, statistic, form.chosen))


def _computed(crowd: Crowd, name: str, chosen: dict[str, str]) -> Statistic:
    found = compute(crowd, name, chosen)
    lower, upper = found.interval(LEVEL).T
    columns = zip(found.labels, found.values, lower, upper, found.fitted, strict=True)
    values = [
        Value(
            label=label,
            estimate=_finite(value),
            lower=_finite(low),
            upper=_finite(high),
            fitted=_finite(fitted),
        )
        for label, value, low, high, fitted in columns
    ]
    return Statistic(
        statistic=name,
        fields=chosen,
        level=LEVEL,
        n=found.n,
        values=tuple(values),
        notes=tuple(note.code for note in found.notes),
    )


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
