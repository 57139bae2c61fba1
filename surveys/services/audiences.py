"""The results that somebody sees: of several versions that of these readers, else the only one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict
from django.utils.translation import ngettext

from surveys.exceptions import BelowThresholdError
from surveys.features import FEATURES
from surveys.languages import LANGUAGE_KEY
from surveys.models import Launch, Survey
from surveys.parameters import keys_asked_directly
from surveys.results.release import Release, release_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


@dataclass(frozen=True, slots=True)
class Audience:
    """Those who read a step; `chosen`: its number where the address names it, by `key`.

    `launch`: in their language, where the address names one that there is.
    """

    launch: Launch
    step: int
    key: str = ""
    chosen: int | None = None

    @property
    def values(self) -> dict[str, str]:
        """What the addresses of the same results say of them."""
        own = {self.key: str(self.chosen)} if self.chosen else {}
        language = self.launch.language
        return own | ({LANGUAGE_KEY: language} if language else {})

    @property
    def query(self) -> str:
        """The end of the addresses of the same results."""
        return f"?{urlencode(self.values)}" if self.values else ""

    @property
    def more(self) -> str:
        """The end of an address that has other parameters."""
        return f"&{urlencode(self.values)}" if self.values else ""


def audience_of(
    launch: Launch, user: "User | AnonymousUser", query: QueryDict | None = None
) -> Audience:
    """The audience that somebody who may see the results belongs to.

    Raises AudienceError for a `query` that asks for other results than there are, or than they may
    choose.
    """
    launch = launch.in_language(query.get(LANGUAGE_KEY, "") if query else "")
    for feature in FEATURES.values():
        key = feature.readers.key
        asked: Sequence[str] = query.getlist(key) if key and query else ()
        step, chosen = feature.readers.step_of(launch, user, asked)
        if step or chosen:
            return Audience(launch, step, key, chosen)
    return Audience(launch, 0)


def launch_shown_to(user: "User | AnonymousUser", **key: Any) -> Launch | None:
    """Return the launch whose results somebody sees of the survey with this key or address.

    None where there is none, and for whoever may not see them.
    """
    survey = Survey.objects.results_visible_to(user).filter(**key).first()
    launch: Launch | None = survey.current_launch() if survey else None
    return launch if launch is not None and sees_results(launch, user) else None


def release_shown(audience: Audience) -> Release:
    """Return the release that an audience sees; raises BelowThresholdError where there is none."""
    release = release_of(audience.launch, audience.step)
    if release.content is None:
        message = ngettext(
            "Nothing is shown before a response is in the results.",
            "Nothing is shown before %(threshold)s responses are in the results.",
            release.threshold,
        )
        raise BelowThresholdError(message % {"threshold": release.threshold})
    return release


def sees_results(launch: Launch, user: "User | AnonymousUser") -> bool:
    """Whether somebody to whom the survey shows its results may see those of this launch.

    Of people who were asked something sensitive directly only those whom the author names see any:
    under an open link a stranger could send all answers of a batch but one, and subtract them.
    """
    return not keys_asked_directly(launch.parameters) or reads_reports(launch, user)


def reads_reports(launch: Launch, user: "User | AnonymousUser") -> bool:
    """Whether somebody may have the reports, one row a person or an answer: who was named by the
    author as a researcher or a reader, and who edits the survey.

    Whoever sees the results because they are public gets estimates and tables, in every mode.
    """
    if not user.is_authenticated:
        return False
    survey = Survey.objects.filter(pk=launch.survey_id)
    named = Q(researchers=user.pk)
    for feature in FEATURES.values():
        named |= feature.readers.surveys_of(user) or Q()
    return survey.filter(named).exists() or survey.editable_by(user).exists()
