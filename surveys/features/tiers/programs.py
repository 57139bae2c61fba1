"""The readers of tiers for programs: listed, added by a name in full, and removed."""

from typing import Annotated

import msgspec
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.changing import changing
from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.keys import user_of
from surveys.api.problems import not_found
from surveys.api.resources.readers import ReaderFacts, ReaderOrder, reader_facts
from surveys.api.serving import serves
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.co_authors import count_search, person_called

router = Router(tags=["co-authors"])
ALL = "/{survey_id}/tiers"
READERS = ALL + "/{number}/readers"


class TierFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`number`: from 1, the lowest first. `share`: of every epsilon, a decimal."""

    number: int
    name: str
    share: str
    readers: tuple[ReaderFacts, ...]


class TierList(msgspec.Struct, frozen=True, kw_only=True):
    """None in a survey without tiers."""

    items: tuple[TierFacts, ...]


def _tiers(survey: Survey) -> list[Tier]:
    tiers = Tier.objects.filter(survey=survey).order_by("position", "pk")
    return list(tiers.prefetch_related("readers"))


def _tier(survey: Survey, number: int) -> Tier:
    """The tier with this number; raises Refusal where there is none."""
    tiers = _tiers(survey)
    if number > len(tiers):
        raise not_found()
    return tiers[number - 1]


def _facts(number: int, tier: Tier) -> TierFacts:
    readers = sorted(tier.readers.all(), key=User.get_username)
    return TierFacts(
        number=number,
        name=tier.name,
        share=str(tier.share.normalize()),
        readers=tuple(map(reader_facts, readers)),
    )


@serves(
    router,
    "GET",
    ALL,
    scope=Scope.PEOPLE,
    answers={200: document(TierList)},
    title="List the tiers, and who is named to read the results of each",
)
def list_tiers(request: HttpRequest, survey_id: Key) -> HttpResponse:
    tiers = _tiers(survey_of(request, survey_id, Access.EDIT))
    return answer(TierList(items=tuple(_facts(*each) for each in enumerate(tiers, start=1))))


@serves(
    router,
    "POST",
    READERS,
    scope=Scope.PEOPLE,
    answers={201: document(ReaderFacts)},
    title="Let somebody read the results of a tier",
)
def create_tier_reader(
    request: HttpRequest,
    survey_id: Key,
    number: Key,
    order: Annotated[ReaderOrder, Bridge(ReaderOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    tier = _tier(survey, number)
    count_search(user_of(request))
    person = person_called(order.person.strip())
    message = _("Added %(person)s to the readers of %(tier)s.")
    with changing(request, survey, message % {"person": person_label(person), "tier": tier.name}):
        tier.readers.add(person)
    return answer(reader_facts(person), 201, {"Location": f"{request.path}/{person.pk}"})


@serves(
    router,
    "DELETE",
    READERS + "/{reader_id}",
    scope=Scope.PEOPLE,
    answers={204: None},
    title="Take somebody off the readers of a tier",
)
def delete_tier_reader(
    request: HttpRequest, survey_id: Key, number: Key, reader_id: Key
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    tier = _tier(survey, number)
    person = tier.readers.filter(pk=reader_id).first()
    if person is None:
        raise not_found()
    message = _("Took %(person)s off the readers of %(tier)s.")
    with changing(request, survey, message % {"person": person_label(person), "tier": tier.name}):
        tier.readers.remove(person)
    return no_content()
