"""The page's part of rosters: what members are told, and the address that says whose link it is."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path, reverse
from django.utils.html import json_script
from django.views.decorators.http import require_POST

from surveys.features.parts import PagePart
from surveys.features.roster.assignment import names_of, person_of
from surveys.features.roster.page_words import roster_words
from surveys.features.roster.section import KEY, frozen_roster
from surveys.models import Survey
from surveys.models.launch import InForce
from surveys.parameters import Parameters
from surveys.responses.envelope import parse_own_key
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

    def parse(body: bytes) -> str:
        return parse_own_key(body, KEY, "it is not whole.")

    return look_up(request, slug, parse, roster)


class RosterOnPage(PagePart):
    asks_first = True
    scripts = ("link",)
    urls = (path("s/<slug:slug>/person/", person, name="person"),)
    after = ("trouble",)

    def parts(self, parameters: Parameters) -> dict[str, bool]:
        return {"trouble": frozen_roster(parameters) is not None}

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        roster = frozen_roster(parameters)
        if roster is None:
            return None
        words: dict[str, Any] = roster_words(parameters)
        slots = {
            "known": f"{FOLDER}/welcome.html",
            "more": f"{FOLDER}/more.html",
            "withdrawal": f"{FOLDER}/withdrawal.html",
        }
        data = {}
        if preview is None:
            data["person"] = words["person"] = reverse("person", args=[survey.slug])
            slots["frame_head"] = f"{FOLDER}/frame_head.html"
        else:
            slots["end"] = f"{FOLDER}/names.html"
            # Names for the author, or codes once they were deleted; respondents get them by links.
            names = names_of(survey.pk) or roster.codes
            words["names"] = json_script(names, "roster-names", encoder=Compact)
        strength = {key: words[key] for key in ("guesses", "budget")}
        return Shown(slots, words, data, strength)
