"""What a feature adds for authors: launch checks, what a launch freezes, and what panels say.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from surveys.authoring.checks.epsilon import Finding
    from surveys.drafts import Draft
    from surveys.features.parts.documents import Said
    from surveys.models import Question, Survey
    from surveys.parameters import Device, Parameters, Texts


class Selection(NamedTuple):
    """The part of the sensitive questions that one person is asked, where it is not all of them.

    `most`: how many. `words`: the sentence on the budget, for which it has a place, and what is
    said of them. `plan`: what a planned number of people means for these questions; perhaps empty.
    """

    most: int
    words: str
    plan: "Callable[[Sequence[Question], int], str]"


class Run(NamedTuple):
    """Questions of a draft that are asked one after the other, perhaps in an order `by_chance`."""

    questions: "Sequence[Question]"
    by_chance: bool = False


class DrawWords(NamedTuple):
    """What an author reads of questions of a draft that share one draw.

    `places`: theirs among all questions, from 0 on. `problems`: what stands against the draw.
    `too_many`: why it tells more combinations of answers apart than people are planned; `thin`: why
    their table will be coarse. Both are empty where they are not true.
    """

    places: Sequence[int]
    problems: Sequence[str]
    too_many: str
    thin: str


class FreezingPart:
    """What a launch freezes."""

    def freeze(self, survey: "Survey", questions: "Sequence[Question]") -> Mapping[str, Any]:
        """Return the values of its sections, by key."""
        return {}

    def freeze_question(self, question: "Question") -> Mapping[str, Any]:
        """Return the values of its sections in a question, by key."""
        return {}

    def translations(
        self,
        survey: "Survey",
        questions: "Sequence[Question]",
        parameters: "Parameters",
        *,
        complete: bool = True,
    ) -> Mapping[str, "Texts"]:
        """Return the texts of a draft in other languages, by language.

        `complete`: only of languages in which nothing is missing, as a launch needs them.
        """
        return {}

    def devices(
        self, survey: "Survey", questions: "Sequence[Question]", section: Any
    ) -> "Sequence[Device]":
        """Return the devices of a draft where the feature makes them otherwise; none elsewhere.

        `section`: the value of its section, as it would be frozen.
        """
        return ()


class AuthorPart(FreezingPart):
    """The part for authors: what they are told before launch, and what a launch freezes.

    `has_panel_text`: whether the panel of a question has a line for it.
    """

    has_panel_text = False

    def is_used_by(self, question: "Question") -> bool:
        """Whether a question of a draft uses the feature; False for one of whole surveys."""
        return False

    def is_used(self, survey: "Survey", questions: "Sequence[Question]") -> bool:
        """Whether a draft uses the feature."""
        return any(map(self.is_used_by, questions))

    def selection(self, survey: "Survey") -> Selection | None:
        """Return the part of its questions that one person is asked; None where it is all."""
        return None

    def texts(self, survey: "Survey", questions: "Sequence[Question]") -> Sequence[str]:
        """Return what respondents read of it that the author has written, beside the questions."""
        return ()

    def runs(self, questions: "Sequence[Question]") -> Sequence[Run]:
        """Return the questions of a draft in the parts in which they are asked; none if not so."""
        return ()

    def asked_together(self, questions: "Sequence[Question]") -> "Sequence[Sequence[Question]]":
        """Return questions of a draft that stand on one page and in one order, in lists."""
        return ()

    def why_alike(self, question: "Question") -> str:
        """Return why everybody has to be asked a question in the same way; empty where not."""
        return ""

    def may_come_first(
        self, questions: "Sequence[Question]", later: "Question", earlier: "Question"
    ) -> bool:
        """Whether chance may ask the later one of two questions before the earlier one."""
        return False

    def values_beside(self, questions: "Sequence[Question]") -> Mapping[str, int]:
        """Return how many values each has that a response says as it is beside its reports."""
        return {}

    def leaves_out(self, question: "Question") -> bool:
        """Whether some people are not asked a question of a draft, and report nothing."""
        return False

    def knows_answer(self, question: "Question") -> bool:
        """Whether nobody is asked a question of a draft, because something else answers it."""
        return False

    def rests_on(self, questions: "Sequence[Question]") -> Mapping[str, frozenset[str]]:
        """Return the earlier questions whose answers say whom a question of a draft is for.

        By the names of those that are not for everybody; `questions` are all of the draft.
        """
        return {}

    def said(self, survey: "Survey", questions: "Sequence[Question]") -> "Sequence[Said]":
        """Return what a draft says of it at one place of the survey each."""
        return ()

    def findings(self, survey: "Survey", questions: "Sequence[Question]") -> "Iterator[Finding]":
        """Yield what stands against a launch, or is worth a warning."""
        yield from ()

    def panel_text(self, draft: "Draft", section: Any = None) -> str:
        """Return what the panel of a question says of it; empty where there is nothing to say.

        `section`: what is frozen of the survey, or typed into its fields; None of a stored draft.
        Raises EngineError where a device cannot be made.
        """
        return ""

    def draw_words(self, questions: "Sequence[Question]", planned_n: int) -> Sequence[DrawWords]:
        """Return what is said of the questions of a draft that share a draw, of each draw."""
        return ()

    def panels_above(
        self, questions: "Sequence[Question]", planned_n: int, deadline: float
    ) -> Sequence[Any]:
        """Return what the page of a draft shows above questions that share something.

        Each is a dataclass of plain JSON types with the `place` of the first of them among all,
        from 0 on, and `pending` where it is not finished: after the deadline, a time of
        `time.monotonic`, all but the first. The questions are in their order.
        """
        return ()

    def texts_rest_on(
        self, survey: "Survey", questions: "Sequence[Question]"
    ) -> Mapping[str, frozenset[str]]:
        """Return the earlier questions whose answers texts say, by the questions at these texts."""
        return {}

    def stand_alone(self, question: "Question", shown: "Sequence[Question]") -> None:
        """Take away what rests on other questions than those that a question is shown with."""

    def refit(self, question: "Question") -> str:
        """Take away what a changed question can no longer have; empty where it has all of it.

        Otherwise return the warning, with a place for the names of all questions that it is about.
        """
        return ""
