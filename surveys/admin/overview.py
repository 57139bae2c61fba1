"""The context of the pages about one survey: its ribbon, tools, findings and questions."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.features import FEATURES, Sending, mode_of
from surveys.features.parts import Moment, Place
from surveys.kinds import KINDS
from surveys.models import CoAuthor, Survey
from surveys.services.co_authors import OWNER, role_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Roles that read the texts of a survey, and neither change nor analyse it.
READING = (CoAuthor.Role.COMMENT, CoAuthor.Role.READ)


@dataclass(frozen=True, slots=True)
class Tool:
    """A button of the ribbon; `style` is plain, main or danger, `post` sends a form.

    `place`: where it stands, if a feature has it. `folded`: under “More”, with what is needed less.
    """

    label: "StrOrPromise"
    url: str
    style: str = "plain"
    post: bool = False
    new_window: bool = False
    place: Place = Place.LOOKING
    folded: bool = False


def placed_tools(survey: Survey) -> dict[Place, list[Tool]]:
    """Return the buttons and links of features, by their places."""
    tools = [tool for feature in FEATURES.values() for tool in feature.desk.tools(survey)]
    return {place: [tool for tool in tools if tool.place is place] for place in Place}


def tools_of(survey: Survey, placed: Mapping[Place, list[Tool]], role: str) -> list[Tool]:
    """The tools that this role has now, in the order in which they are usually used."""
    if role in READING:
        return _tools_for_readers(survey)
    delete = Tool(
        _("Delete"), reverse("admin:surveys_survey_delete", args=[survey.pk]), style="danger"
    )
    is_open = survey.state == Survey.State.OPEN
    results_style = "plain" if is_open else "main"
    results = Tool(_("Results"), reverse("results", args=[survey.slug]), style=results_style)
    about_members, changing = placed[Place.MEMBERS], placed[Place.CHANGING]
    share, looking = _tools_for_sharing(survey), _tools_for_looking(survey)
    more = _folded([*placed[Place.LOOKING], *([] if survey.is_draft else looking)])
    copies = _folded(_tools_for_copies(survey))
    close = tool_of(survey, "close", _("Close"), style="danger")
    reopen = tool_of(survey, "reopen", _("Reopen"))
    gone = _folded([delete]) if role == OWNER else []
    advice = tool_of(survey, "advice", _("What should I choose?"))
    tools: dict[str, list[Tool]] = {
        Survey.State.DRAFT: [*about_members, *looking, *_folded([advice]), *more, *copies, *gone],
        Survey.State.OPEN: [*share, results, *about_members, *changing, *more, *copies, close],
        Survey.State.CLOSED: [
            *(results, *share, *about_members, reopen, *changing),
            *(*more, *copies, *gone),
        ],
    }
    return tools.get(survey.state, [])


def _folded(tools: Iterable[Tool]) -> list[Tool]:
    return [dataclasses.replace(tool, folded=True) for tool in tools]


def _tools_for_copies(survey: Survey) -> list[Tool]:
    """Return what shows a survey to others, or at another time, and what is made of it."""
    history = Tool(_("History"), reverse("admin:surveys_survey_history", args=[survey.pk]))
    return [
        tool_of(survey, "comments", _("Comments")),
        tool_of(survey, "people", _("Co-authors")),
        tool_of(survey, "review", _("Review")),
        history,
        tool_of(survey, "clone", _("Clone"), post=True),
        tool_of(survey, "definition", _("Export")),
    ]


def _tools_for_readers(survey: Survey) -> list[Tool]:
    """Return the pages of those who read a survey, or comment on it."""
    return [
        tool_of(survey, "read", _("Read"), style="main"),
        tool_of(survey, "comments", _("Comments")),
        tool_of(survey, "people", _("Co-authors")),
    ]


def tool_of(survey: Survey, name: str, label: "StrOrPromise", **how: Any) -> Tool:
    """Return the button that leads to a page about this survey."""
    return Tool(label, reverse(f"admin:survey_{name}", args=[survey.pk]), **how)


def sending_of(survey: Survey) -> Sending | None:
    """Return how each person gets a link of their own; None where there is one for everybody."""
    mode = mode_of(survey.mode)
    return mode.sending if mode else None


def _tools_for_sharing(survey: Survey) -> list[Tool]:
    """Return how people get to a launched survey."""
    sending = sending_of(survey)
    pages = [(sending.page, sending.label)] if sending else []
    first, *others = (tool_of(survey, *page) for page in (*pages, ("share", _("Share"))))
    style = "main" if survey.state == Survey.State.OPEN else "plain"
    return [dataclasses.replace(first, style=style), *others]


def _tools_for_looking(survey: Survey) -> list[Tool]:
    """Return the tools for looking at the form, before them that for lists of candidates."""
    has_lists = not survey.is_draft and _takes_text(survey)
    lists = [tool_of(survey, "candidates", _("Candidates"))] if has_lists else []
    preview = tool_of(survey, "preview", _("Preview"), new_window=True)
    return [*lists, preview, tool_of(survey, "trial", _("Test fill"))]


def _takes_text(survey: Survey) -> bool:
    kinds = [kind.name for kind in KINDS.values() if kind.free_text]
    return survey.questions.filter(kind__in=kinds).exists()


def survey_context(survey: Survey, user: User) -> dict[str, Any]:
    """The context of the ribbon on every page about this survey, for this person.

    How many have answered is not for those who read the texts only: they see no results.
    """
    launch, role = survey.current_launch(), role_of(survey, user)
    responses = launch.received_count() if launch and role not in READING else 0
    placed = placed_tools(survey)
    return {
        "survey": survey,
        "launch": launch,
        "responses": responses,
        "responses_shown": numbers.count(responses),
        "role": role,
        "reads_only": role in READING,
        "comment_words": open_comments_words(survey.open_comments),
        "tools": tools_of(survey, placed, role),
        "placed_tools": placed,
        "ribbon_words": [] if role in READING else words_of(survey, Moment.RIBBON),
    }


def open_comments_words(number: int) -> str:
    """Return how many comments are open; "" for none."""
    if not number:
        return ""
    words = ngettext("%s open comment", "%s open comments", number)
    return words % numbers.count(number)


def words_of(survey: Survey, moment: Moment) -> "list[StrOrPromise]":
    """Return what features tell an author."""
    return [words for x in FEATURES.values() for words in x.desk.words(survey, moment)]
