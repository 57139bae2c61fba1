"""What a feature adds for authors: launch checks, what a launch freezes, and the admin.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django.contrib.admin.options import InlineModelAdmin
    from django.forms import BaseInlineFormSet, Field, Form, ModelForm
    from django.http import QueryDict
    from django_stubs_ext import StrOrPromise

    from surveys.admin.overview import Tool
    from surveys.admin.routes import Pages
    from surveys.authoring.checks.epsilon import Finding
    from surveys.drafts import Draft
    from surveys.models import Question, Survey
    from surveys.parameters import Device, Parameters


class Selection(NamedTuple):
    """The part of the sensitive questions that one person is asked, where it is not all of them.

    `most`: how many. `words`: the sentence on the budget, for which it has a place, and what is
    said of them.
    """

    most: int
    words: str


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


class AuthorPart:
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

    def freeze(self, survey: "Survey", questions: "Sequence[Question]") -> Any:
        """Return the value of the section; empty where nothing uses the feature."""
        return ()

    def freeze_more(self, survey: "Survey", questions: "Sequence[Question]") -> Mapping[str, Any]:
        """Return the values of its further sections, by key."""
        return {}

    def freeze_question(self, question: "Question") -> Any:
        """Return the value of a question; None where it does not use the feature."""
        return None

    def devices(
        self, survey: "Survey", questions: "Sequence[Question]", section: Any
    ) -> "Sequence[Device]":
        """Return the devices of a draft where the feature makes them otherwise; none elsewhere.

        `section`: the value of its section, as it would be frozen.
        """
        return ()

    def selection(self, survey: "Survey") -> Selection | None:
        """Return the part of its questions that one person is asked; None where it is all."""
        return None

    def clone(self, survey: "Survey", copy: "Survey") -> None:
        """Give a new copy of a survey the rows that the feature has of it."""

    def findings(self, survey: "Survey", questions: "Sequence[Question]") -> "Iterator[Finding]":
        """Yield what stands against a launch, or is worth a warning."""
        yield from ()

    def why_no_members(self) -> str:
        """Return how an author tells a survey whom it asks about each other; empty elsewhere."""
        return ""

    def panel_text(self, draft: "Draft", section: Any = None) -> str:
        """Return what the panel of a question says of it; empty where there is nothing to say.

        `section`: what is frozen of the survey, or typed into its fields; None of a stored draft.
        Raises EngineError where a device cannot be made.
        """
        return ""

    def plan_text(self, survey: "Survey", questions: "Sequence[Question]") -> str:
        """Return what the planned number of people means for it; empty where there is nothing."""
        return ""

    def draw_words(self, questions: "Sequence[Question]", planned_n: int) -> Sequence[DrawWords]:
        """Return what is said of the questions of a draft that share a draw, of each draw."""
        return ()

    def panels_above(
        self, questions: "Sequence[Question]", planned_n: int, deadline: float
    ) -> Sequence[Any]:
        """Return what the page of a draft shows above questions that share something.

        Each is a dataclass of plain JSON types, `pending` where it is not finished: after the
        deadline, a time of `time.monotonic`, all but the first. The questions are in their order.
        """
        return ()

    def labels_above(self, questions: "Sequence[Question]") -> Mapping[int, str]:
        """Return what stands above launched questions, by the place of the first of each."""
        return {}

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
    """The pages, forms and buttons of a feature in the admin.

    `survey_field`: the field of the survey's form that says whether it is used, if one does.
    `draw_field`: the field of a question in which those have the same number that share one draw.
    `cards_template`, `cards_script`: what the page of a draft has for the cards of its questions:
    markup and texts, once, and the script that puts its part into static/js/admin/card_parts.js.
    `rows`: relations of a survey that its page reads, so that it reads them once.
    """

    survey_field = ""
    draw_field = ""
    cards_template = ""
    cards_script = ""
    rows: tuple[str, ...] = ()

    @property
    def pages(self) -> "Pages":
        """Return its pages about one survey: their tails and views, by name."""
        return {}

    def survey_fields(self) -> "dict[str, Field]":
        """Return its fields in the form of a survey, by name."""
        return {}

    def survey_initial(self, survey: "Survey") -> dict[str, Any]:
        """Return what these fields show of a stored survey."""
        return {}

    def declared(self, survey: "Survey") -> str:
        """Return what stands in place of these fields once a survey is launched."""
        return ""

    def store_survey(self, survey: "Survey", cleaned: Mapping[str, Any]) -> None:
        """Set what was typed of a survey, which is saved later."""

    def save_survey(self, survey: "Survey", cleaned: Mapping[str, Any]) -> None:
        """Store what was typed of a survey, which is saved already."""

    def inlines(self, survey: "Survey") -> "list[type[InlineModelAdmin]]":
        """Return the forms of its rows on the page of a survey."""
        return []

    def ribbon_words(self, survey: "Survey") -> "list[StrOrPromise]":
        """Return what the ribbon of a survey says of it."""
        return []

    def frozen_chips(self, question: "Question") -> list[str]:
        """Return what marks a launched question, each in a word or two."""
        return []

    def frozen_question(
        self, survey: "Survey", question: "Question", parameters: "Parameters"
    ) -> dict[str, Any] | None:
        """Return what is shown of a launched sensitive question; None where the device says it."""
        return None

    def tools(self, survey: "Survey") -> "list[Tool]":
        """Return its buttons in the ribbon of a survey."""
        return []

    def launched_tools(self, survey: "Survey") -> "list[Tool]":
        """Return its buttons that change a launched survey."""
        return []

    def tools_of_members(self, survey: "Survey") -> "list[Tool]":
        """Return its buttons about the people whom a survey knows: they stand first."""
        return []

    def tool_for_sending(self, survey: "Survey") -> "Tool | None":
        """Return the button for what each person is sent; None where all get one link."""
        return None

    def links_of_ties(self, survey: "Survey") -> "list[Tool]":
        """Return what stands below the fields of a question about members."""
        return []

    def launched(self, survey: "Survey") -> tuple[str, str] | None:
        """Return what an author reads after the launch, and the page for it; None for “share”."""
        return None

    def cloned_words(self, survey: "Survey") -> str:
        """Return what a copy of a survey lacks; empty where it has all."""
        return ""

    def deleted_words(self, survey: "Survey") -> str:
        """Return what else goes with a survey that is deleted; empty where nothing does."""
        return ""

    def question_fields(self) -> "dict[str, Field]":
        """Return its fields in the form of a question, by name."""
        return {}

    def question_initial(self, question: "Question") -> dict[str, Any]:
        """Return what these fields show of a stored question."""
        return {}

    def question_choices(self, questions: "BaseInlineFormSet") -> dict[str, Any]:
        """Return the choices of its fields that follow from all questions of a page, by name."""
        return {}

    def clean_question(self, form: "Form", cleaned: dict[str, Any]) -> None:
        """Mend what was typed, and add errors to the fields that do not go with it."""

    def store_question(self, question: "Question", cleaned: Mapping[str, Any]) -> None:
        """Set what was typed; the question is saved later."""

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: "Survey"
    ) -> bool:
        """Whether a survey would use it, once its form is saved; False where that cannot tell."""
        return bool(cleaned.get(self.survey_field))

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

    def frozen_links(self, survey: "Survey") -> "list[Tool]":
        """Return links to pages that show what of it freezes."""
        return []

    def share_template(self, survey: "Survey") -> str:
        """Return what stands on the page “Share” instead of the link for everybody; empty: that."""
        return ""

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
