"""Certificates of how near a device is to the best possible: in words, and as a file."""

from typing import Any

from surveys import numbers
from surveys.devices import served_family
from surveys.models import Launch
from surveys.parameters import PAGE, to_json
from surveys.results_document.questions import QuestionResults

FORMAT = 1


def certificate_words(question: QuestionResults) -> list[str]:
    """Sentences for the results page; none if no bound is known."""
    if question.certificate is None:
        return []
    device = next(device for device in question.devices if device.stratum == PAGE)
    epsilon = numbers.epsilon(device.epsilon or "0")
    return served_family(device.family).certificate_words(question.certificate, epsilon)


# --- the file -----------------------------------------------------------------------------------


def certificates_file(launch: Launch, step: int = 0) -> dict[str, Any] | None:
    """The certificates of the searched devices of a launch, or of one step; None without any.

    They are kept beside the frozen parameters, not among them; the questions of a launched survey
    do not change either. A check of a certificate does not depend on its origin.
    """
    devices = launch.parameters_at(step).devices
    searches = {device.id: to_json(device.search) for device in devices if device.search}
    questions = launch.survey.questions.filter(name__in=searches) if searches else []
    certificates = {
        question.name: {
            "search": searches[question.name],
            "certificate": question.design_parameters["certificate"],
        }
        for question in questions
        if question.design_parameters.get("certificate")
    }
    if not certificates:
        return None
    head = {"format": FORMAT, "survey": launch.survey.slug, "digest": launch.digest_at(step)}
    return {**head, "questions": certificates}
