"""The page's part of rosters: what members are told, and the address that says whose link it is."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path, reverse
from django.utils.html import json_script
from django.views.decorators.http import require_POST

from surveys.features.parts import PagePart
from surveys.features.roster.answers import KEY, names_of, person_of
from surveys.features.roster.section import frozen_roster
from surveys.features.roster.senders import is_personal_link
from surveys.features.roster.words import roster_words
from surveys.models import Survey
from surveys.models.launch import InForce
from surveys.parameters import Parameters
from surveys.responses.envelope import invalid, only_value
from surveys.throttle import throttle_posts
from surveys.views.origin import same_origin_only
from surveys.views.parts import Shown
from surveys.views.respond import Compact
from surveys.views.wire import Answer, look_up, slow_down

FOLDER = "features/roster"


@same_origin_only
@require_POST
@throttle_posts("person", "SUBMIT_RATE", refuse=slow_down)
def person(request: HttpRequest, slug: str) -> HttpResponse:
    """The roster of a survey, to whoever has a personal link to it."""

    def roster(launch: InForce, link: str) -> Answer:
        found = person_of(launch=launch, link=link)
        return found.as_json(), found.padding

    return look_up(request, slug, parse_link, roster)


def parse_link(body: bytes) -> str:
    """The personal link in the body of a request for the roster that it belongs to."""
    link = only_value(body, KEY)
    if not is_personal_link(link):
        raise invalid(KEY, "not_a_link", "This is no personal link: it is not whole.")
    return str(link)


class RosterOnPage(PagePart):
    texts = True
    urls = (path("s/<slug:slug>/person/", person, name="person"),)
    json_endings = ("/person/",)

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        roster = frozen_roster(parameters)
        if roster is None:
            return None
        words: dict[str, Any] = roster_words(parameters)
        slots = {"style": f"{FOLDER}/style.html", "known": f"{FOLDER}/welcome.html"}
        data = {}
        if preview is None:
            data["person"] = reverse("person", args=[survey.slug])
        else:
            slots["end"] = f"{FOLDER}/names.html"
            # Names for the author, or codes once they were deleted; respondents get them by links.
            names = names_of(survey.pk) or roster.codes
            words["names"] = json_script(names, "roster-names", encoder=Compact)
        strength = {key: words[key] for key in ("guesses", "budget")}
        return Shown(slots, words, data, strength)
