"""A proposal for the epsilons of a draft is taken: computed anew, compared, and written."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.advice.proposal import NoProposalError, Proposal
from surveys.authoring.advice.survey import advise, fingerprint
from surveys.authoring.advice.wishes import Wish
from surveys.authoring.draft_merge import without_typed
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.models import Question, Survey
from surveys.services.transitions import lock_draft


@dataclass(frozen=True, slots=True)
class Taking:
    """What an author takes of a proposal. `seen`: the fingerprint of what it was computed from.

    `fields`: those of the survey that follow the wish, "budget" and "planned_n" or one of them.
    `accepts_worse`: whether questions may become less precise than they are, and than is needed.
    """

    wish: Wish
    seen: str
    fields: Collection[str] = ()
    accepts_worse: bool = False


@transaction.atomic
def take_advice(*, survey: Survey, taking: Taking) -> Proposal:
    """Write the proposal for a wish; raises an error, and changes nothing, where it may not be.

    What is written is what the page has shown: the proposal is computed again from the same draft.
    """
    survey = lock_draft(survey, _("Only a draft can be changed."))
    questions = list(survey.questions.all())
    if fingerprint(survey, questions) != taking.seen:
        message = _("The draft has changed since this was proposed. Look at the new proposal.")
        raise WrongStateError(message, code="changed")
    try:
        proposal = advise(survey, questions, taking.wish)
    except NoProposalError as error:
        raise NotReadyError([error.message]) from error
    if proposal.worse and not taking.accepts_worse:
        raise WrongStateError(_("Say that questions may become less precise, or change the wish."))
    if "budget" in taking.fields:
        survey.budget = taking.wish.limit
    if "planned_n" in taking.fields:
        survey.planned_n = taking.wish.planned_n
    if proposal.total > survey.budget:
        raise WrongStateError(_("The proposal takes more than the budget. Change the budget too."))
    _save(survey, questions, proposal, taking.fields)
    return proposal


def _save(
    survey: Survey, questions: Sequence[Question], proposal: Proposal, fields: Collection[str]
) -> None:
    epsilons: dict[str, Decimal] = {}
    for share in proposal.shares:
        if share.is_changed:
            epsilons |= zip(share.spender.keys, share.spender.parts(share.epsilon), strict=True)
    try:
        for question in questions:
            if str(question.pk) in epsilons:
                question.epsilon = epsilons[str(question.pk)]
                question.full_clean(exclude={"survey"})
                question.typed = without_typed(question.typed, "epsilon")
                question.save(update_fields=["epsilon", "typed"])
        if fields:
            survey.full_clean(exclude={f.name for f in survey._meta.fields} - set(fields))
            survey.save(update_fields=sorted(fields))
    except ValidationError as error:
        raise NotReadyError(error.messages) from error
