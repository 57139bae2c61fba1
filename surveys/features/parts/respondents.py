"""What a feature adds for respondents: to their page and to the acceptance of answers.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from django.http import QueryDict
    from django.urls import URLPattern

    from surveys.models import Launch, Survey
    from surveys.parameters import Parameters
    from surveys.responses.counting import Content
    from surveys.views.parts import Shown


class Condition(NamedTuple):
    """`devices`: those of one question; `holds`: whether it is asked of somebody with reports, of
    which those to the devices in `compared` decide.
    """

    devices: frozenset[str]
    compared: frozenset[str]
    holds: "Callable[[Mapping[str, Any]], bool]"


class Audience(NamedTuple):
    """Whom a question is for where no script finds it out: in words of the active language.

    `words`: a sentence on whom; `otherwise`: what others do. `rests_on`: the earlier questions
    whose answers say whom. `reports`: whether others report like everybody; else they leave it out.
    `nobody`: whether it is for none of those who answer there.
    """

    words: str
    otherwise: str
    rests_on: frozenset[str]
    reports: bool
    nobody: bool


# What is wrong with a value: the field, a code and a message.
Problems = list[tuple[str, str, str]]


class Beside(NamedTuple):
    """What a response has under a key of its own, beside its reports.

    `problems`: of a value, or of None where there is none. `columns`: what the file of reports has
    of it.
    """

    problems: "Callable[[Any], Problems]"
    columns: "Sequence[BesideColumn]"


class BesideColumn(NamedTuple):
    """A column of codes in the file of reports: `names` is what each code means, from 0 on."""

    name: str
    label: str
    names: Sequence[str]
    read: "Callable[[Any], int]"


class AnswersPart:
    """The part for answers: what a feature adds to the acceptance of a response.

    `key`: under which some responses have something beside their reports.
    """

    key = ""

    def beside(self, parameters: "Parameters") -> Beside | None:
        """Return what a response has under this key; None in a survey where it has nothing."""
        return None

    def strata_of(self, parameters: "Parameters", digest: str, submission: UUID) -> Sequence[str]:
        """Return the strata into which chance may have put a response, the likeliest first.

        It is asked only where the feature has strata.
        """
        return ()

    def conditions(self, parameters: "Parameters") -> "Sequence[Condition]":
        """Return of which devices something is reported on a condition only, which all can see."""
        return ()

    def stored_apart(self, launch: "Launch", contents: "Sequence[Content]") -> "Sequence[Content]":
        """Store what is kept apart from the reports of a batch, and return what is left of them."""
        return contents

    def people_lost(self) -> dict[int, int]:
        """Return the people who answered and of whom nothing is stored, by launch.

        It is for surveys in which receipts are more than responses: people come back there.
        """
        return {}

    def cut_off(self, before: datetime) -> "Iterable[tuple[str, str]]":
        """Return whom the loss of the secrets of before a moment would shut out.

        Each survey, open or closed, by the end of its address, and in words who and how many.
        """
        return ()

    def countable(
        self, contents: "Iterable[Content]", parameters: "Parameters"
    ) -> "Iterable[Content]":
        """Return those of the responses that can be counted as their senders'."""
        return contents

    def not_to_be_counted(
        self, launch: "Launch", contents: "Mapping[UUID, Content]"
    ) -> Sequence[UUID]:
        """Return the responses that wait and cannot be counted, for what these here say."""
        return ()

    def why_closed(self, survey: "Survey") -> str:
        """Return why a closed survey cannot be opened again; empty where it can."""
        return ""


class PagePart:
    """The part for the respondent's page: what it shows of a feature, and which addresses it asks.

    `urls`: these addresses, below that of a survey: their answers are read by scripts.
    `scripts`: the modules of its folder that its templates run beside the page: they import none.
    `asks_first`: whether its page.js decides whether anything is asked, so that nobody can agree
    before it has come, unless its door.js has said that they may; one feature of a survey can.
    `after`: the modules of `parts` that its page.js loads once the first question is shown, or
    where something comes up.
    `request`: the template that says which requests a page makes because of it, for those who
    check what leaves their browser.
    """

    scripts: Sequence[str] = ()
    asks_first = False
    after: Sequence[str] = ()
    request = ""
    urls: "Sequence[URLPattern]" = ()

    def parts(self, parameters: "Parameters") -> Mapping[str, bool]:
        """Return the modules that its page.js loads later, and whether it does for a document."""
        return {}

    def needs_all(self, parameters: "Parameters") -> bool:
        """Whether any question may be asked first, or several on the first page."""
        return False

    def given(self, parameters: "Parameters") -> Mapping[str, int]:
        """Return the questions that nobody is asked, each with its answer where no script runs."""
        return {}

    def audiences(
        self, parameters: "Parameters", given: Mapping[str, int]
    ) -> Mapping[str, Audience]:
        """Return whom those questions are for that are not for everybody, by their names.

        `given`: the questions that nobody is asked where no script runs, each with its answer.
        """
        return {}

    def at_rest(self, parameters: "Parameters") -> "Parameters":
        """Return a document with its texts as they are before a script changes them."""
        return parameters

    def shown(
        self, parameters: "Parameters", survey: "Survey", preview: "QueryDict | None"
    ) -> "Shown | None":
        """Return what a page shows of it; None where the document does not use it.

        `preview`: what the author of a preview has asked for; None on the page of respondents.
        """
        return None
