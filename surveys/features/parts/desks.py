"""What a feature adds to the admin: to the forms of a survey and its questions, and their pages.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django.forms import Field, Form
    from django_stubs_ext import StrOrPromise

    from surveys.admin.overview import Tool
    from surveys.admin.routes import Pages
    from surveys.models import Question, Survey
    from surveys.parameters import Parameters

# What freezes: labels, each with lines.
Facts = list[tuple[str, list[str]]]


class FurtherLink(NamedTuple):
    """A link for respondents that says something of them: what, and what stands behind its #."""

    words: str
    fragment: str


class Place(StrEnum):
    """Where a button or a link stands on the pages about a survey."""

    # First in the ribbon: about the people whom a survey knows.
    MEMBERS = auto()
    # In the ribbon, before the preview.
    LOOKING = auto()
    # In the ribbon of a launched survey, before what changes it.
    CHANGING = auto()
    # Below the fields of a question about members.
    TIES = auto()
    # Below what freezes.
    FROZEN = auto()


class Moment(StrEnum):
    """When an author reads a sentence: in the ribbon, or after or before something is done."""

    RIBBON = auto()
    # On the page of the copy.
    CLONED = auto()
    # Before a survey is deleted.
    DELETED = auto()
    # Below a test fill of a document that uses the feature.
    TRIED = auto()


def _nothing(*_given: Any) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field in the form of a survey or of a question.

    `read`: what it shows of a stored one. `store`: sets what was typed. A column of the model,
    whose name it has, needs neither. `text`: what stands in its place once a survey is launched.
    `rows`: the relation in which a survey has it, if it is not stored in the survey itself: pages
    read it once, and it is stored after the survey. `choices`: those of a question that follow from
    the other questions of its survey.
    """

    name: str
    make: "Callable[[], Field]"
    read: Callable[[Any], Any] = _nothing
    store: Callable[[Any, Any], None] = _nothing
    text: Callable[[Any], str] = str
    rows: str = ""
    choices: "Callable[[Question], Any] | None" = None


class TypedSurvey(NamedTuple):
    """A survey as its form would save it: its own fields, and what is stored."""

    cleaned: Mapping[str, Any]
    survey: "Survey"


class SurveyFormPart:
    """What a feature adds to the form of a survey.

    `survey_field`: its field there, which says whether it is used. `further_fields`: the others.
    """

    survey_field: OwnField | None = None
    further_fields: Sequence[OwnField] = ()

    def is_typed(self, typed: TypedSurvey) -> bool:
        """Whether a survey would use it; False where its form cannot tell."""
        return self.survey_field is not None and bool(typed.cleaned.get(self.survey_field.name))

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        """Yield the fields that do not go with it, each with why."""
        yield from ()


class QuestionFormPart:
    """What a feature adds to the form of a question.

    `question_field`: its field there, which says first whether it is used.
    `further_question_fields`: the others. `draw_field`: the field in which questions that share one
    draw have the same number. `above_template`: what stands above the first of several questions
    on the page of a draft, for each of the panels that the part for authors makes.
    `head_template`: what stands above a question there of which `head_of` returns something.
    `option_template`: what stands below its fields, for what `option_of` returns.
    """

    question_field: OwnField | None = None
    further_question_fields: Sequence[OwnField] = ()
    draw_field = ""
    above_template = ""
    head_template = ""
    option_template = ""

    def line_words(self, question: "Question") -> str:
        """Return a few words on the line of a question in its draft; empty where it has none."""
        return ""

    def head_of(self, question: "Question") -> Any:
        """Return what `head_template` reads of a question; None where nothing stands above it."""
        return None

    def option_of(self, question: "Question", asked: "Sequence[Question]") -> Any:
        """Return what `option_template` reads; `asked`: all questions of the draft, in order."""
        return None

    def clean_question(self, form: "Form", cleaned: dict[str, Any]) -> None:
        """Mend what was typed, and add errors to the fields that do not go with it."""

    def question_problems(self, asked: "Sequence[Question]") -> Iterator[tuple[int, str, str]]:
        """Yield the fields of all questions that do not go with it, each with its place and why."""
        yield from ()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What an author reads first on the page of the launch, and confirms.

    `form`: has one field, `understood`. `history`: what that of the survey says of the launch.
    """

    heading: str
    lines: list[str]
    form: "type[Form]"
    history: str = ""


class DeskPart(SurveyFormPart, QuestionFormPart):
    """The part for the admin: of its forms, and of the pages about one survey.

    `pages`: its own, each by its name with the tail of its address and its view. `added_on`: the
    name of the one on which it is added to a survey; `added_by`: of the one that adds it at once.
    """

    pages: "Pages" = {}
    added_on = ""
    added_by = ""

    def tools(self, survey: "Survey") -> "Iterable[Tool]":
        """Return its buttons and links, each with its place."""
        return ()

    def words(self, survey: "Survey", moment: Moment) -> "Iterable[StrOrPromise]":
        """Return what an author reads of it."""
        return ()

    def launch_facts(self, survey: "Survey", questions: "Sequence[Question]") -> Facts:
        """Return what of it freezes at launch."""
        return []

    def further_links(self, parameters: "Parameters") -> "Sequence[FurtherLink]":
        """Return links of a launched survey that say something of whom they are sent to."""
        return ()

    def confirmation(
        self, survey: "Survey", questions: "Sequence[Question]"
    ) -> Confirmation | None:
        """Return what an author confirms before the launch; None where there is nothing."""
        return None

    def frozen_questions(
        self, survey: "Survey", questions: "Sequence[Question]", parameters: "Parameters"
    ) -> Mapping[str, Mapping[str, Any]]:
        """Return what frozen_questions.html shows because of it, by the names of questions.

        `label_above`: above the first of several. `heads`: titles and texts above a question.
        `chips`: marks of a word or two. `epsilon`, `device_label` and `device_note`: in
        place of what follows from the device of a question.
        """
        return {}
