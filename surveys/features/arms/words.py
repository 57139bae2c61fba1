"""Texts for authors on arms: how many people are in each, what they lose, what they consent to."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.drafts import Draft
from surveys.features.arms.allowed import frozen_arms
from surveys.features.arms.figures import people_of
from surveys.features.arms.section import DIRECTLY, SPLIT
from surveys.features.arms.settings import arms_of_question, shares_of_its_survey
from surveys.models import Question, Survey
from surveys.parameters import EVERYBODY, PAGE


def arm_label(stratum: str) -> str:
    """An arm for its author: as the questions say, or how it differs from that."""
    labels = {
        PAGE: _("As the questions say"),
        SPLIT: _("Split sample: with another epsilon"),
        DIRECTLY: _("Direct arm: asked as it is"),
    }
    return labels.get(stratum, stratum)


def arm_words(draft: Draft) -> str:
    """Return how many of 100 people are asked otherwise; empty without arms.

    The text also says that the figures count it in.
    """
    arms, shares, parts = arms_of_question(draft), shares_of_its_survey(draft), []
    if arms.split_epsilon is not None and shares.split:
        text = _("%(share)s of 100 people are asked this with an epsilon of %(epsilon)s.")
        epsilon = numbers.decimal(arms.split_epsilon)
        parts.append(text % {"share": numbers.count(shares.split), "epsilon": epsilon})
    if arms.asked_directly and shares.direct:
        text = _("%s of 100 people are asked this directly, and no estimate uses what they say.")
        parts.append(text % numbers.count(shares.direct))
    if parts:
        parts.append(_("The margin and the numbers of respondents count that in."))
    return " ".join(parts)


@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm in words; `share`: of all people, `people`: how many are expected in it."""

    label: str
    share: str
    people: str


def arm_rows(survey: Survey, questions: Sequence[Question]) -> list[ArmRow]:
    """The page's arm and those that some question has; none where everybody is asked alike."""
    arms = frozen_arms(survey, questions)
    shares = {arm.stratum: arm.share for arm in arms}
    others = {name: share for name, share in shares.items() if name != PAGE}
    people = people_of(others, survey.planned_n)
    return [
        ArmRow(
            label=arm_label(name),
            share=numbers.chosen_percent(share / EVERYBODY),
            people=numbers.count(people[name]),
        )
        for name, share in shares.items()
    ]


def direct_loss(survey: Survey, questions: Sequence[Question], share: int) -> list[str]:
    """One sentence for each thing that they lose; `share`: of how many people in a hundred."""
    people = people_of({DIRECTLY: share}, survey.planned_n)[DIRECTLY]
    names = ", ".join(question.name for question in questions)
    asked = ngettext(
        "Of %(share)s in 100 people, about %(people)s in all, the real answer to %(count)s "
        "sensitive question is sent, stored and downloaded as it is: %(names)s.",
        "Of %(share)s in 100 people, about %(people)s in all, the real answers to %(count)s "
        "sensitive questions are sent, stored and downloaded as they are: %(names)s.",
        len(questions),
    )
    values = {
        "share": numbers.count(share),
        "people": numbers.count(people),
        "count": numbers.count(len(questions)),
        "names": names,
    }
    together = _(
        "These answers stand beside everything else that the same person answers, so whoever "
        "knows a person by the one finds the other."
    )
    kept = survey.linkage == Survey.Linkage.TOGETHER
    return [
        asked % values,
        _(
            "No chance and no epsilon protects them: whoever gets at the data, by right, by "
            "mistake or by order of a court, reads what they said."
        ),
        *([together] if kept else []),
        _(
            "Everybody reads in the label, before consenting, that this can happen to them. Some "
            "will not take part because of it, and some will answer less honestly."
        ),
    ]


# --- the consent text -----------------------------------------------------------------------------

# The sentence about people who are asked directly is fixed, so that a launch can tell whether it is
# there; authors write around it what they like.


def consent_sentence(language: str) -> str:
    """Return the sentence in the language that respondents read."""
    with translation.override(language):
        return _(
            "Chance picks some people, who are asked sensitive questions directly. If I am one of "
            "them, my real answers to these are sent and stored as they are, and I may leave them "
            "out."
        )


def has_sentence(survey: Survey) -> bool:
    """Whether the consent text says it, however its lines are broken."""
    return _words(consent_sentence(survey.language)) in _words(survey.consent)


def with_sentence(survey: Survey) -> str:
    """The consent text with the sentence, at its end unless it is there."""
    if has_sentence(survey):
        return survey.consent
    return f"{survey.consent.rstrip()}\n\n{consent_sentence(survey.language)}".strip()


def without_sentence(survey: Survey) -> str:
    """The consent text without the sentence, where it stands as it was added."""
    sentence = consent_sentence(survey.language)
    return survey.consent.replace(f"\n\n{sentence}", "").replace(sentence, "").strip()


def _words(text: str) -> str:
    return " ".join(text.split())
