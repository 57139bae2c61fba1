"""The interface of a feature: one class for each room, which answers “nothing” throughout.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from decimal import Decimal

    from django.forms import Field, Form, ModelForm
    from django.http import QueryDict
    from django.urls import URLPattern

    from surveys.admin.overview import Tool
    from surveys.admin.routes import Pages
    from surveys.authoring.checks.epsilon import Finding
    from surveys.devices.chance_strata import ChanceStratum
    from surveys.drafts import AskedQuestion, Draft
    from surveys.models import Question, Survey
    from surveys.parameters import Parameters
    from surveys.parameters import Question as FrozenQuestion
    from surveys.parameters.types import Problem
    from surveys.results.launch_strata import Source
    from surveys.results_document.devices import UsedDevice
    from surveys.results_document.questions import QuestionResults
    from surveys.views.parts import Shown


class DocumentPart:
    """The section of a feature in the frozen document, and its rules.

    `section`: the type of its value, as msgspec reads it: a list, which is empty where nothing uses
    the feature. `question_key`, `question_section`: key and type of a value that each question has
    instead; None there where a question does not use the feature.
    `wrong_stratum`: code and message for a report to a stratum into which chance has not put its
    sender.
    """

    section: Any = None
    question_key: str = ""
    question_section: Any = None
    wrong_stratum: tuple[str, str] = ("", "")

    def problems(self, parameters: "Parameters") -> "Iterator[Problem]":
        """Yield the rules that a document breaks; static/js/features/ has the twin."""
        yield from ()

    def asked_alike(self, question: "FrozenQuestion") -> bool:
        """Whether everybody has to be asked a question in the same way."""
        return False

    def strata(self, parameters: "Parameters") -> Mapping[str, int]:
        """Return of how many people in a hundred chance puts into each stratum, the page's first.

        Nothing where the feature has everybody asked alike.
        """
        return {}


class DraftPart:
    """The part for drafts: what a feature makes of a question that is not launched yet."""

    def strata(self, draft: "Draft") -> "Sequence[ChanceStratum]":
        """Return the strata besides the page's of a question, as they would be frozen."""
        return ()

    def why_alike(self, question: "AskedQuestion | Draft") -> str:
        """Return why everybody has to be asked a question in the same way; empty where not."""
        return ""

    def epsilons(self, question: "AskedQuestion | Draft") -> "Iterable[Decimal]":
        """Yield the other epsilons with which some people are asked a question, as typed."""
        return ()


class AuthorPart:
    """The part for authors: what they are told before launch, and what a launch freezes.

    `has_panel_text`: whether the panel of a question has a line for it.
    """

    has_panel_text = False

    def freeze(self, survey: "Survey", questions: "Sequence[Question]") -> Any:
        """Return the value of the section; empty where nothing uses the feature."""
        return ()

    def freeze_question(self, question: "Question") -> Any:
        """Return the value of a question; None where it does not use the feature."""
        return None

    def findings(self, survey: "Survey", questions: "Sequence[Question]") -> "Iterator[Finding]":
        """Yield what stands against a launch, or is worth a warning."""
        yield from ()

    def panel_text(self, draft: "Draft") -> str:
        """Return what the panel of a question says of it; empty where there is nothing to say."""
        return ""

    def trial_text(self, parameters: "Parameters") -> str:
        """Return what a test fill does not show of it; empty where it shows all."""
        return ""

    def refit(self, question: "Question") -> bool:
        """Take away what a changed question can no longer have; return whether there was any."""
        return False

    def refit_words(self, names: Sequence[str]) -> str:
        """Return the warning that these questions lost something by `refit`."""
        return ""


class DeskPart:
    """The pages, forms and buttons of a feature in the admin."""

    @property
    def pages(self) -> "Pages":
        """Return its pages about one survey: their tails and views, by name."""
        return {}

    def tools(self, survey: "Survey") -> "list[Tool]":
        """Return its buttons in the ribbon of a survey."""
        return []

    def question_fields(self) -> "dict[str, Field]":
        """Return its fields in the form of a question, by name."""
        return {}

    def question_initial(self, question: "Question") -> dict[str, Any]:
        """Return what these fields show of a stored question."""
        return {}

    def clean_question(self, form: "Form", cleaned: dict[str, Any]) -> None:
        """Mend what was typed, and add errors to the fields that do not go with it."""

    def store_question(self, question: "Question", cleaned: Mapping[str, Any]) -> None:
        """Set what was typed; the question is saved later."""

    def survey_problems(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: "Survey"
    ) -> Iterator[tuple[str, str]]:
        """Yield the fields of the survey's form that do not go with it, each with why."""
        yield from ()

    def question_problems(
        self, asked: "Sequence[ModelForm]"
    ) -> "Iterator[tuple[ModelForm, str, str]]":
        """Yield the fields of questions that do not go with it, each with its form and why."""
        yield from ()

    def launch_facts(
        self, survey: "Survey", questions: "Sequence[Question]"
    ) -> list[tuple[str, list[str]]]:
        """Return what of it freezes at launch: labels, each with lines."""
        return []

    def launch_warning(
        self, survey: "Survey", questions: "Sequence[Question]"
    ) -> tuple[str, list[str]] | None:
        """Return what an author reads first on the page of the launch: a heading, and lines."""
        return None

    def confirmation(self, survey: "Survey", posted: "QueryDict | None") -> "Form | None":
        """Return the form with which an author confirms `launch_warning`; None without one."""
        return None

    def confirmed_words(self) -> str:
        """Return what the history of a survey says of a launch that was confirmed."""
        return ""


class AnswersPart:
    """The part for answers: what a feature adds to the acceptance of a response."""

    def strata_of(self, parameters: "Parameters", digest: str, submission: UUID) -> Sequence[str]:
        """Return the strata into which chance may have put a response, the likeliest first.

        It is asked only where the feature has strata.
        """
        return ()


class PagePart:
    """The part for the respondent's page: what it shows of a feature, and which addresses it asks.

    `texts`: whether its scripts have a catalogue of texts of their own, which has its name.
    """

    texts = False
    urls: "Sequence[URLPattern]" = ()
    # The ends of its addresses whose answers are read by scripts.
    json_endings: tuple[str, ...] = ()

    def shown(
        self, parameters: "Parameters", survey: "Survey", preview: "QueryDict | None"
    ) -> "Shown | None":
        """Return what a page shows of it; None where the document does not use it.

        `preview`: what the author of a preview has asked for; None on the page of respondents.
        """
        return None


class ResultsPart:
    """The part for results: what a feature adds to the results document and to its page.

    `question_key`, `question_section`: key and type of what it finds of a question, as msgspec
    reads it; absent of a question of which it finds nothing.
    `notes`: its codes of notes on a question, with the sentences.
    """

    question_key: str = ""
    question_section: Any = None
    notes: "Mapping[str, Any]" = {}

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
