"""What a feature adds for readers: who sees which results, and what these show.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User
    from django.db.models import Model, Q
    from django_stubs_ext import StrOrPromise

    from surveys.models import Launch, Survey
    from surveys.parameters import Parameters
    from surveys.parameters import Question as FrozenQuestion
    from surveys.results.launch_strata import Source
    from surveys.results.release import Release
    from surveys.results_document.devices import UsedDevice
    from surveys.results_document.parts import Share
    from surveys.results_document.questions import QuestionResults


class Terms(NamedTuple):
    """What others may do with the data of a survey: an identifier of SPDX, the name, and where the
    text stands; empty where it stands nowhere.
    """

    identifier: str
    name: str
    address: str


class ReadersPart:
    """The part for readers: who is one, and of several results which they see.

    `key`: the parameter of an address that asks for one of several, which names of files have too;
    empty where there is none.
    `named_in`: the fields in which an author names people, each with its model.
    """

    key = ""
    named_in: "tuple[tuple[type[Model], str], ...]" = ()

    def surveys_of(self, user: "User") -> "Q | None":
        """Return which surveys somebody reads because of the feature; None for none."""
        return None

    def people_of(self, survey_id: Any) -> "Q | None":
        """Return who reads a survey because of the feature; None for nobody."""
        return None

    def step_of(
        self, launch: "Launch", user: "User | AnonymousUser", asked: Sequence[str]
    ) -> tuple[int, int | None]:
        """Return the step that somebody sees, and the number in the address if that names one.

        Raises AudienceError for a number that names no step, or that this person may not choose.
        """
        return 0, None


class ResultsPart:
    """The part for results: what a feature adds to the results document and to its page.

    `question_sections`: the types of what it finds of a question by their keys, as msgspec reads
    them; absent of a question of which it finds nothing.
    `notes`: its codes of notes on a question, with the sentences.
    `share_of`: whose shares `shares` returns, by what the file of estimates calls them.
    `below_questions`: whether what it shows on the page stands below the questions, not above.
    """

    question_sections: Mapping[str, Any] = {}
    notes: "Mapping[str, Any]" = {}
    share_of: "Mapping[str, StrOrPromise]" = {}
    below_questions = False

    def page_context(self, release: "Release", *, may_choose: bool) -> Any:
        """Return what templates/features/<name>/results.html shows; None for nothing.

        `may_choose`: whether the reader may look at the results of others.
        """
        return None

    def terms(self, survey: "Survey") -> Terms | None:
        """Return under which terms others may use the data; None where nothing is said."""
        return None

    def printed(self, release: "Release") -> list[str]:
        """Return the sentences that say the same on the title page of the printed summary."""
        return []

    def of_question(
        self,
        found: "QuestionResults",
        question: "FrozenQuestion",
        parameters: "Parameters",
        sources: "Sequence[Source]",
    ) -> "QuestionResults":
        """Return the results of a question with what the feature found."""
        return found

    def above_threshold(self, question: "QuestionResults", threshold: int) -> "QuestionResults":
        """Return the results of a question without what rests on too few people."""
        return question

    def device_heading(self, question: "QuestionResults", device: "UsedDevice") -> str:
        """Return how a device of a question is called; empty where another rule says it."""
        return ""

    def shares(self, question: "QuestionResults") -> "Iterable[tuple[str, str, Share]]":
        """Return shares of answers beside those of everybody: whose, the answer, and the share."""
        return ()

    def sentences(self, question: "QuestionResults", frozen: "FrozenQuestion") -> list[str]:
        """Return sentences that can be quoted beside that on the answers of everybody."""
        return []

    def question_context(
        self,
        question: "QuestionResults",
        others: "Mapping[str, QuestionResults]",
        parameters: "Parameters",
    ) -> Any:
        """Return what templates/features/<name>/question.html shows; None for nothing.

        `others`: the results of all questions, by id.
        """
        return None
