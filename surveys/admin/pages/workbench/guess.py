"""A guessed distribution taken from the estimates of a closed survey."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any

from surveys.forms.planning.search import share_names
from surveys.models import Launch, Survey
from surveys.results.release import release_of
from surveys.services.audiences import audience_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# The number of surveys that are searched, the latest first.
MOST_SURVEYS = 50
# No share may be zero: a smaller estimate is raised to this value.
FLOOR = Decimal("0.01")
_STEP = Decimal("0.0001")
# `_STEP` in percent, the unit of the fields.
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Source:
    """A question of a closed survey; `shares` are parts of one, above zero, of sum one."""

    launch: Launch
    question: str
    text: str
    responses: int
    shares: tuple[Decimal, ...]

    @property
    def key(self) -> str:
        return f"{self.launch.pk}:{self.question}"

    @property
    def title(self) -> str:
        return self.launch.survey.title

    def origin(self) -> dict[str, Any]:
        return {
            "kind": "survey",
            "slug": self.launch.survey.slug,
            "title": self.title,
            "version": self.launch.version,
            "question": self.question,
            "responses": self.responses,
        }

    def start(self) -> dict[str, Any]:
        """Values of the form's fields, in percent."""
        names = share_names(len(self.shares))
        percents = [(100 * share).quantize(_CENT) for share in self.shares]
        values = dict(zip(names, percents, strict=True))
        return {**values, "origin": self.key}


def sources_for(user: "User", answers: int) -> list[Source]:
    """Questions with this number of answers and released results that this person may see."""
    surveys = Survey.objects.results_visible_to(user).filter(state=Survey.State.CLOSED)
    sources: list[Source] = []
    for survey in surveys.order_by("-created_at", "-pk")[:MOST_SURVEYS]:
        sources += _sources_of(user, survey, answers)
    return sources


def source_at(user: "User", key: str, answers: int) -> Source | None:
    """The source with this `Source.key`, if this person may see it."""
    number, _colon, name = key.partition(":")
    if not number.isdecimal():
        return None
    visible = Survey.objects.results_visible_to(user).filter(state=Survey.State.CLOSED)
    survey = visible.filter(launches__pk=int(number)).first() if len(number) < 19 else None
    sources = _sources_of(user, survey, answers) if survey else iter(())
    return next((source for source in sources if source.key == f"{number}:{name}"), None)


def smooth_shares(shares: Sequence[float]) -> tuple[Decimal, ...]:
    """Shares with four decimals that sum to one, none below FLOOR.

    Shares above FLOOR are reduced in proportion to their excess.

    The remainder of rounding down is added to the largest share.
    """
    excesses = [max(Decimal(0), Decimal(repr(share)) - FLOOR) for share in shares]
    room = (1 - FLOOR * len(excesses)) / (sum(excesses) or 1)
    parts = [(FLOOR + share * room).quantize(_STEP, rounding=ROUND_DOWN) for share in excesses]
    parts[parts.index(max(parts))] += 1 - sum(parts)
    return tuple(parts)


def _sources_of(user: "User", survey: Survey, answers: int) -> Iterator[Source]:
    launch = survey.current_launch()
    fits = {
        question.id
        for question in launch.parameters.questions
        if len(question.categories) == answers and not question.several
    }
    # The results of a survey are read only if one of its questions can be a source.
    content = release_of(launch, audience_of(launch, user).step).content if fits else None
    for question in content.questions if content else ():
        likeliest = [row.maximum_likelihood for row in question.categories]
        shares = [share for share in likeliest if share is not None]
        if question.id in fits and len(shares) == len(likeliest) == answers:
            yield Source(launch, question.id, question.text, question.n, smooth_shares(shares))
