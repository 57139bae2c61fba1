"""The expected errors, each with a stable code; `surveys.views.errors` turns codes into HTTP."""

from dataclasses import dataclass


class SurveyError(Exception):
    """The base of all expected errors. `code` is stable; `message` is for people."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code


class WrongStateError(SurveyError):
    """A transition that the survey's state does not allow."""

    code = "wrong_state"


class ChangedMeanwhileError(WrongStateError):
    """Somebody else has changed what a program wants to change."""

    code = "changed_meanwhile"


class NotConfirmedError(WrongStateError):
    """A launch that its author has to confirm first. `lines` says what there is to read."""

    code = "not_confirmed"

    def __init__(self, lines: list[str]) -> None:
        super().__init__(" ".join(lines))
        self.lines = lines


class NotReadyError(SurveyError):
    """Lint found errors, so the survey cannot be launched. `problems` lists them."""

    code = "not_ready"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class UnfitDeclarationError(SurveyError):
    """A declaration of an author that does not fit the survey. `problems` lists why."""

    code = "unfit_declaration"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class ThrottledError(SurveyError):
    """Somebody has asked for so much that they have to wait `seconds`."""

    code = "too_many_requests"

    def __init__(self, message: str, *, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class CollaborationError(SurveyError):
    """A co-author or a comment that cannot be added, or that is no longer there."""

    code = "collaboration"


class NotAcceptingError(SurveyError):
    """The survey is not open for responses now."""

    code = "not_accepting"


class StaleDigestError(SurveyError):
    """The response was made for other parameters than those in force."""

    code = "stale_digest"


class AlreadyAnsweredError(SurveyError):
    """Somebody who is told from others has answered already."""

    code = "already_answered"


class OverBudgetError(SurveyError):
    """All that somebody has answered would add up to more than the budget."""

    code = "over_budget"


class UnknownSenderError(SurveyError):
    """The survey knows nobody with this key of a response; its `code` says which key that is."""

    code = "unknown_sender"


class UnusedFeatureError(SurveyError):
    """The survey does not use the feature that is asked for; its `code` says which that is."""

    code = "unused_feature"


class AudienceError(SurveyError):
    """An address asks for results by a parameter, `field`, in a way that it cannot have."""

    def __init__(self, message: str, *, code: str, field: str) -> None:
        super().__init__(message, code=code)
        self.field = field


class UnknownAudienceError(AudienceError):
    """The survey has no results for such readers."""


class AudienceRefusedError(AudienceError):
    """Somebody who is not the survey's author asked for the results of others."""


class BelowThresholdError(SurveyError):
    """Too few responses are in the results for anything to be shown of them."""

    code = "below_threshold"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One refused field: where, a stable code, and what rule was broken."""

    field: str
    code: str
    message: str


class InvalidSubmissionError(SurveyError):
    """A response that does not fit the frozen parameters; `fields` says where and why."""

    code = "invalid"

    def __init__(self, fields: list[FieldError]) -> None:
        super().__init__(" ".join(f"{error.field}: {error.message}" for error in fields))
        self.fields = fields
