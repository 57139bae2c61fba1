"""Risks that epsilon does not cover: single arrivals, other surveys, silence, direct answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.disclosure_risk import LEAST_PER_COMBINATION, risk_of_draft
from surveys.kinds import KINDS
from surveys.models import Question, Survey


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: `blocks` says whether it stops the launch, `question` whose it is (or None)."""

    code: str
    message: str
    blocks: bool
    question: str | None = None

    @classmethod
    def of(cls, question: Question, code: str, message: str, *, blocks: bool) -> Self:
        """Return a remark on one question, which its name begins."""
        return cls(code, f"{question.name}: {message}", blocks, question.name)


def batch(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """The size of a release: small ones single people out, large ones lose responses at the close.

    See `surveys.responses.batches`.
    """
    if survey.release_batch == 1 and questions:
        message = _(
            "Results are released in batches of 1: whoever looks before and after somebody "
            "answered sees what that person sent. Choose 5 or more, unless nothing here is "
            "sensitive."
        )
        yield Finding("batch_of_one", message, blocks=False)
    if survey.release_batch > survey.planned_n:
        message = _(
            "The batch (%(batch)s) is above the planned number of respondents (%(planned)s), so "
            "results may never show."
        ) % {
            "batch": numbers.count(survey.release_batch),
            "planned": numbers.count(survey.planned_n),
        }
        yield Finding("batch_above_planned", message, blocks=False)
    elif survey.release_batch > survey.release_threshold:
        message = _(
            "The batch (%(batch)s) is above the release threshold (%(threshold)s): the first "
            "results wait for the batch, and up to %(rest)s responses may stay out at the end."
        ) % {
            "batch": numbers.count(survey.release_batch),
            "threshold": numbers.count(survey.release_threshold),
            "rest": numbers.count(survey.release_batch - 1),
        }
        yield Finding("batch_above_threshold", message, blocks=False)


def optional(survey: Survey, question: Question) -> Iterator[Finding]:
    """Epsilon does not cover whether a question was answered, which is sent as it is.

    If a refusal is one of the answers, nobody needs to leave the question out.
    """
    kind = KINDS.get(question.kind)
    if question.randomized and not question.required and not question.prefer_not:
        message = _(
            "It may be left out, and who leaves it out is seen: epsilon does not cover that. Offer "
            "“prefer not to say”, which is scrambled like every other answer."
        )
        if kind is not None and not kind.refusable:
            message = _(
                "It may be left out, and who leaves it out is seen: epsilon does not cover that. "
                "Make it required: whoever ticks nobody sends an answer like every other."
            )
        yield Finding.of(question, "optional_sensitive", message, blocks=False)


def singled_out(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """Direct answers shared by few people; respondents see the same numbers before they start."""
    risk = risk_of_draft(survey, questions)
    if risk is None:
        return
    several = _(
        "The direct questions %(names)s are kept together. Their answers have %(combinations)s "
        "combinations, for %(planned)s planned respondents: fewer than %(least)s people share one "
        "on average, so whoever knows a person may find that person's answers. Respondents are "
        "told. Merge options, ask less of this, or store every answer apart."
    )
    single = _(
        "The direct question %(names)s has %(combinations)s possible answers, for %(planned)s "
        "planned respondents: fewer than %(least)s people share one on average, so a rare answer "
        "may give a person away. Respondents are told. Merge options, or ask it as a sensitive "
        "question."
    )
    values = {
        "names": ", ".join(risk.names),
        "combinations": risk.combinations_text(),
        "planned": risk.planned_text(),
        "least": numbers.count(LEAST_PER_COMBINATION),
    }
    message = (several if len(risk.names) > 1 else single) % values
    yield Finding("singled_out", message, blocks=False)
