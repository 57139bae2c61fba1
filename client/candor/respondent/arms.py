"""Arms (section 15 of the protocol)."""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from candor.respondent.devices import devices_of
from candor.respondent.rules import is_plain_name, require, whole
from candor.respondent.together import is_drawn_pair
from candor.respondent.values import Json

MOST_ARMS, EVERYBODY = 4, 100
ARM = {"stratum": is_plain_name, "share": whole(1, EVERYBODY - 1)}


def other_arms(document: Json) -> set[str]:
    """The arms besides that of the page."""
    return {arm["stratum"] for arm in document["arms"]} - {"page"}


def check_arms(document: Json, questions: Mapping[str, Json]) -> None:
    arms, devices = document["arms"], document["devices"]
    if not arms:
        return
    strata = [arm["stratum"] for arm in arms]
    require(len(arms) >= 2 and strata[0] == "page", "the page's arm comes first, and another")
    require(len(set(strata)) == len(strata), "no arm comes twice")
    require(not any(name.startswith("pair_") for name in strata), "an arm is not named as a pair")
    require(sum(arm["share"] for arm in arms) == EVERYBODY, "the shares add up to a hundred")
    require(document["mode"] == "open", "arms are for an open survey")
    require(not document["tiers"], "tiers are for everybody alike")
    require(not any(map(is_drawn_pair, devices)), "no random pairs beside arms")
    require(not any(device["instructions"] for device in devices), "only the client draws")
    for stratum in strata[1:]:
        own = [device for device in devices if device["stratum"] == stratum]
        require(len({device["epsilon"] is None for device in own}) == 1, "all scramble, or none")
        for device in own:
            question = questions[device["questions"][0]]
            require(question["control"] in ("yes_no", "list", "scale"), "one answer is true")
            require(question["randomized"], "arms are for what is scrambled on the page")
            require(question["known"] is None, "a control item is in no arm")


@dataclass(frozen=True)
class Assigned:
    """A submission id that was drawn, and the arm that the server has put it into."""

    submission: str
    arm: str


def new_submission() -> str:
    return str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))


def asked_directly(document: Json, arm: str) -> list[str]:
    """Return what is sent as it is in an arm, though not on the page: the person must be told."""
    own = [device for device in document["devices"] if device["stratum"] == arm != "page"]
    return [device["questions"][0] for device in own if device["epsilon"] is None]


def devices_in_arm(document: Json, question: Json, arm: str) -> list[Json]:
    """The devices of a question for the people in an arm."""
    own = devices_of(document["devices"], question, arm)
    return own or devices_of(document["devices"], question, "page")
