"""The page's part of arms: what respondents are told, and the address that says which is theirs."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from surveys.features.arms.assignment import arm_of, longest_arm
from surveys.features.arms.section import Arm, arms_of
from surveys.features.arms.words import arm_label
from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.models.launch import InForce
from surveys.parameters import PAGE, Parameters
from surveys.parameters.chance_strata import LEAST_DIRECT_BATCH
from surveys.responses.envelope import Draw, parse_draw
from surveys.throttle import throttle_posts
from surveys.views.origin import same_origin_only
from surveys.views.parts import Shown
from surveys.views.wire import Answer, look_up, slow_down

# The places of the page that say something of arms, and those that only a direct arm changes.
ALWAYS = ("welcome", "no_script", "stored", "more")
WHERE_DIRECT = ("label_seen", "label_sent", "label_leak", "readers", "picture", "kept")


@dataclass(frozen=True, slots=True)
class ToldArm:
    """How many questions some people are asked in this way, and of how many in a hundred."""

    questions: int
    share: int


@dataclass(frozen=True, slots=True)
class ToldArms:
    """The questions asked otherwise than on the page: by another device, or directly.

    `direct_batch`: counts of the people who are asked directly change by so many of them, or not
    at all. `links`: the arms that a preview can show, with their labels; `previewed`: that which it
    shows.
    """

    split: ToldArm | None
    directly: ToldArm | None
    direct_batch: int
    links: list[tuple[str, str]]
    previewed: str


def _told(parameters: Parameters, arms: tuple[Arm, ...], preview: QueryDict | None) -> ToldArms:
    previewed = preview.get("arm", PAGE) if preview is not None else PAGE
    strata = [arm.stratum for arm in arms]
    return ToldArms(
        split=_told_arm(parameters, arms, directly=False),
        directly=_told_arm(parameters, arms, directly=True),
        direct_batch=max(parameters.release_batch, LEAST_DIRECT_BATCH),
        links=[(stratum, arm_label(stratum)) for stratum in strata],
        previewed=previewed if previewed in strata else PAGE,
    )


def _told_arm(parameters: Parameters, arms: tuple[Arm, ...], *, directly: bool) -> ToldArm | None:
    strata = {arm.stratum for arm in arms if arm.stratum != PAGE}
    devices = [
        device
        for device in parameters.devices
        if device.stratum in strata and device.direct == directly
    ]
    used = {device.stratum for device in devices}
    share = sum(arm.share for arm in arms if arm.stratum in used)
    return ToldArm(len({device.id for device in devices}), share) if devices else None


@same_origin_only
@require_POST
@throttle_posts("arm", "SUBMIT_RATE", refuse=slow_down)
def arm(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the arm that chance puts a response into, to whoever has drawn its id."""

    def assigned(launch: InForce, draw: Draw) -> Answer:
        name = arm_of(launch=launch, draw=draw)
        return {"arm": name}, longest_arm(draw.digest) - len(name)

    return look_up(request, slug, parse_draw, assigned)


class ArmsOnPage(PagePart):
    urls = (path("s/<slug:slug>/arm/", arm, name="arm"),)

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        arms = arms_of(parameters)
        if not arms:
            return None
        told = _told(parameters, arms, preview)
        places = [*ALWAYS, *(WHERE_DIRECT if told.directly else ())]
        if preview is None:
            data = {"arms": reverse("arm", args=[survey.slug])}
        else:
            places, data = ["preview", *places], {"arm": told.previewed}
        return Shown({place: f"features/arms/{place}.html" for place in places}, told, data)
