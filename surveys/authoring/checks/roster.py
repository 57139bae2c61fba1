"""Whether a roster is large enough to hide in, and whether the epsilon of a tie tells something
without telling too much; `checks.personal_links` has what such a survey must have at all.

docs/decisions/0039-rosters-too-small-to-hide-in.md argues the thresholds.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.rosters.figures import NetworkGuess, network_figures
from surveys.authoring.rosters.network_texts import share_margin
from surveys.authoring.rosters.panel import roster_problem
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.kinds import KINDS
from surveys.kinds.network_disclosure import LEAST_PEOPLE
from surveys.models import Question, Survey
from surveys.parameters import PERSONAL
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT
from surveys.parameters.rosters import LEAST_MEMBERS

# With fewer members those who compare notes, up to half of them, leave fewer than five others.
FEW_MEMBERS = 2 * LEAST_PEOPLE


def roster(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """Whether the members can hide among each other; `personal_links` has the rest of its rules."""
    if survey.mode != PERSONAL:
        return
    if survey.roster_size:
        yield from _size(survey)
    yield from _of_survey(survey)


def ties(survey: Survey, question: Question) -> Iterator[Finding]:
    """Yield what a tie's epsilon and the expected ties mean for one question about the roster."""
    if not is_about_members(question) or survey.roster_size < LEAST_MEMBERS:
        return
    draft = replace(Draft.of(question), planned_n=survey.planned_n)
    if problem := roster_problem(draft):
        yield _of(question, "more_ties_than_others", problem, blocks=True)
        return
    try:
        guess = NetworkGuess.of(draft)
        yield from _density(question, guess)
    except EngineError:
        # The check of the device says what is wrong.
        return
    yield from _levels(question, guess)


def is_about_members(question: Question) -> bool:
    kind = KINDS.get(question.kind)
    return kind is not None and kind.about_members


def _size(survey: Survey) -> Iterator[Finding]:
    members = survey.roster_size
    if members < FEW_MEMBERS:
        message = _(
            "The roster has %(members)s members. With fewer than %(few)s, those who know each "
            "other’s answers leave fewer than %(least)s others, at whom every statistic points. "
            "Ask a larger group, or none of this."
        )
        values = {"members": members, "few": FEW_MEMBERS, "least": LEAST_PEOPLE}
        yield Finding("small_roster", message % _counts(values), blocks=False)
    yield from _small_groups(survey)
    yield from _threshold(survey)
    if survey.planned_n > members:
        message = _(
            "%(planned)s respondents are planned, and the roster has %(members)s members. Plan for "
            "as many of them as you expect to answer."
        )
        values = {"planned": survey.planned_n, "members": members}
        yield Finding("planned_above_roster", message % _counts(values), blocks=False)


def _small_groups(survey: Survey) -> Iterator[Finding]:
    sizes = Counter(survey.members.exclude(group="").values_list("group", flat=True))
    small = [name for name, size in sizes.items() if size < LEAST_PEOPLE]
    if small:
        message = _(
            "These groups of the roster have fewer than %(least)s members: %(groups)s. Results "
            "leave them out, and the smallest of the others where these could be told from the "
            "rest. Put them together with another group."
        )
        values = {"least": numbers.count(LEAST_PEOPLE), "groups": ", ".join(map(str, small))}
        yield Finding("small_groups", message % values, blocks=False)


def _threshold(survey: Survey) -> Iterator[Finding]:
    """Results that wait for nearly everybody say who is missing, or never come."""
    members, threshold = survey.roster_size, survey.release_threshold
    values = _counts(
        {
            "threshold": threshold,
            "members": members,
            "rest": members - threshold,
            "fits": max(members - LEAST_PEOPLE, LEAST_PEOPLE),
            "least": LEAST_PEOPLE,
        }
    )
    if threshold > members:
        message = _(
            "The release threshold (%(threshold)s) is above the number of members (%(members)s), "
            "so results would never show. Lower it to %(fits)s or less."
        )
        yield Finding("threshold_above_roster", message % values, blocks=True)
    elif members - threshold < LEAST_PEOPLE < members:
        message = _(
            "Results wait for %(threshold)s of %(members)s members. Once they show, at most "
            "%(rest)s are missing, and who waits for them will ask who that is. Lower the release "
            "threshold to %(fits)s or less."
        )
        yield Finding("threshold_near_roster", message % values, blocks=False)


def _of_survey(survey: Survey) -> Iterator[Finding]:
    """Yield what a survey in which it is known who answers cannot have."""
    if survey.embed_origins:
        message = _(
            "Other sites may show the form in a frame: %(sites)s. A site that does so for a "
            "personal link knows the link, and could answer in that person’s name. Allow none."
        )
        sites = " ".join(survey.embed_origins.split())
        yield Finding("links_embedded", message % {"sites": sites}, blocks=False)


def _density(question: Question, guess: NetworkGuess) -> Iterator[Finding]:
    """Whether not even the number of ties will be known."""
    figures = network_figures(guess)
    margin = figures.margin("density")
    if margin < guess.density:
        return
    wanted, epsilon = figures.wanted[0]
    message = _(
        "The density is expected to be %(density)s and would be known to %(margin)s only, so that "
        "there may be no ties at all. An epsilon of %(epsilon)s would tell it to %(wanted)s; so "
        "would more people."
    )
    values = {
        "density": numbers.percent(guess.density, 1),
        "margin": share_margin(margin),
        "epsilon": numbers.fixed_decimals(epsilon, 2),
        "wanted": share_margin(wanted),
    }
    yield _of(question, "density_unknown", message % values, blocks=False)


def _levels(question: Question, guess: NetworkGuess) -> Iterator[Finding]:
    """Yield what is promised for a tie, and what is not promised for a person."""
    values = {
        "tie": numbers.decimal(guess.epsilon),
        "twice": numbers.decimal(2 * guess.epsilon),
        "names": numbers.count(guess.names),
        "person": numbers.decimal(guess.person_epsilon),
    }
    if guess.person_epsilon > PERSON_LIMIT:
        message = _(
            "One tie has an epsilon of %(tie)s, the ties of one member with all %(names)s others "
            "together %(person)s. Single ties are protected, whole lists of names hardly: "
            "respondents read both numbers. Lower the epsilon, or ask about fewer people, if a "
            "list as a whole is sensitive."
        )
        yield _of(question, "person_level", message % values, blocks=False)
    if not guess.directed and 2 * guess.epsilon > QUESTION_LIMIT >= guess.epsilon:
        message = _(
            "Both ends report a tie, so that the two reports can reveal as much as an epsilon of "
            "%(twice)s about it, not %(tie)s."
        )
        yield _of(question, "reported_twice", message % values, blocks=False)


def _of(question: Question, code: str, message: str, *, blocks: bool) -> Finding:
    return Finding(code, f"{question.name}: {message}", blocks, question.name)


def _counts(values: dict[str, int]) -> dict[str, str]:
    return {name: numbers.count(value) for name, value in values.items()}
