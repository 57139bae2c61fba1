"""How far from the best possible a device is: in words, and as a file that others can check."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.models import Launch
from surveys.parameters import PAGE, to_json

FORMAT = 1
# A gap below this is not told from none.
SMALLEST = 0.001


def certificate_words(question: Mapping[str, Any]) -> list[str]:
    """Sentences for the results page; none where nothing is known."""
    certificate = question["certificate"]
    if certificate is None:
        return []
    if certificate["kind"] == "minimax":
        return [_minimax(certificate, _page_epsilon(question))]
    return _searched(certificate)


def _page_epsilon(question: Mapping[str, Any]) -> str:
    return next(
        numbers.epsilon(device["epsilon"])
        for device in question["devices"]
        if device["stratum"] == PAGE
    )


def _minimax(certificate: Mapping[str, Any], epsilon: str) -> str:
    if certificate["excess"] < SMALLEST:
        return _(
            "No device that keeps ε = %(epsilon)s has a smaller error in its worst case, whatever "
            "the true shares are."
        ) % {"epsilon": epsilon}
    return _(
        "In the worst case its squared error is %(excess)s above the smallest that any device "
        "which keeps ε = %(epsilon)s can have."
    ) % {"epsilon": epsilon, "excess": numbers.percent(certificate["excess"], 1)}


def _searched(certificate: Mapping[str, Any]) -> list[str]:
    """What was proved before launch, and where the reports point the same with today's shares."""
    said = _(
        "Searched for before launch: for the shares that were guessed then, its squared error is "
        "within %(gap)s of the smallest that any device of the same privacy can have."
    ) % {"gap": _gap(certificate["gap"])}
    now = certificate["at_estimate"]
    if now is None:
        return [said]
    text = _("For the shares estimated now it is within %(gap)s.") % {"gap": _gap(now["gap"])}
    return [said, text]


def _gap(gap: float) -> str:
    """Rounded up: it is said to be within this."""
    return numbers.percent(max(math.ceil(gap / SMALLEST), 1) * SMALLEST, 1)


# --- the file -----------------------------------------------------------------------------------


def certificates_file(launch: Launch) -> dict[str, Any] | None:
    """The proofs of a launch's searched devices; None where there is none.

    They stand beside the frozen parameters, not among them (the questions of a launched survey do
    not change either): whoever checks one needs no trust in where it came from.
    """
    frozen = {
        device.id: to_json(device.search) for device in launch.parameters.devices if device.search
    }
    kept = launch.survey.questions.filter(name__in=frozen) if frozen else []
    proofs = {
        question.name: {
            "search": frozen[question.name],
            "certificate": question.design_parameters["certificate"],
        }
        for question in kept
        if question.design_parameters.get("certificate")
    }
    if not proofs:
        return None
    head = {"format": FORMAT, "survey": launch.survey.slug, "digest": launch.digest}
    return {**head, "questions": proofs}
