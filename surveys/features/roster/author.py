"""The part of rosters for authors: what a launch freezes, and what stands against one.

That is whether a roster is large enough to hide in, and whether the epsilon of a tie tells
something without telling too much; at the end what a survey by personal link must have at all.
docs/decisions/0039-rosters-too-small-to-hide-in.md argues the thresholds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.networks.figures import NetworkGuess, network_figures
from surveys.authoring.networks.panel import network_problem
from surveys.authoring.networks.texts import share_margin
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.features.parts import AuthorPart
from surveys.features.roster.models import Member
from surveys.features.roster.reading import has_roster, roster_of
from surveys.features.roster.section import NAME, PERSONAL
from surveys.kinds import is_about_members
from surveys.kinds.network_disclosure import LEAST_PEOPLE
from surveys.models import Question, Survey
from surveys.models.survey import label_of_mode
from surveys.parameters import OPEN
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT
from surveys.parameters.members import LEAST_MEMBERS

# The most other surveys of the author that a finding names.
MOST_NAMED = 3
# With fewer members those who compare notes, up to half of them, leave fewer than five others.
FEW_MEMBERS = 2 * LEAST_PEOPLE


class RosterForAuthors(AuthorPart):
    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: roster_of(survey) if survey.mode == PERSONAL else None}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        yield from _asked_elsewhere(survey, questions)
        yield from _links(survey, questions)
        if survey.mode == PERSONAL:
            if survey.member_count:
                yield from _size(survey)
            yield from _frames(survey)
        for question in questions:
            yield from findings_of_ties(survey, question)


def findings_of_ties(survey: Survey, question: Question) -> Iterator[Finding]:
    """Yield what a tie's epsilon and the expected ties mean for one question about the roster."""
    if not is_about_members(question) or survey.member_count < LEAST_MEMBERS:
        return
    draft = replace(Draft.of(question), planned_n=survey.planned_n)
    if problem := network_problem(draft):
        yield Finding.of(question, "more_ties_than_others", problem, blocks=True)
        return
    try:
        guess = NetworkGuess.of(draft)
        yield from _density(question, guess)
    except EngineError:
        # The check of the device says what is wrong.
        return
    yield from _levels(question, guess)


def _size(survey: Survey) -> Iterator[Finding]:
    members = survey.member_count
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
    sizes = Counter(
        Member.objects.filter(survey=survey).exclude(group="").values_list("group", flat=True)
    )
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
    members, threshold = survey.member_count, survey.release_threshold
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


def _frames(survey: Survey) -> Iterator[Finding]:
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
    yield Finding.of(question, "density_unknown", message % values, blocks=False)


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
        yield Finding.of(question, "person_level", message % values, blocks=False)
    if not guess.directed and 2 * guess.epsilon > QUESTION_LIMIT >= guess.epsilon:
        message = _(
            "Both ends report a tie, so that the two reports can reveal as much as an epsilon of "
            "%(twice)s about it, not %(tie)s."
        )
        yield Finding.of(question, "reported_twice", message % values, blocks=False)


def _counts(values: dict[str, int]) -> dict[str, str]:
    return {name: numbers.count(value) for name, value in values.items()}


# --- what such a survey must have, and only it may have ------------------------------------------


def _links(survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
    about = [question for question in questions if is_about_members(question)]
    if survey.mode != PERSONAL:
        yield from _without_links(survey, about)
        return
    if not survey.member_count:
        message = _("There is no roster. Upload the people who may answer, under “Roster”.")
        yield Finding("no_roster", message, blocks=True)
    if not about:
        message = _(
            "Nothing is asked about the people on the roster, so nobody has to be known. Add a "
            "question about them, or choose “%s”."
        )
        yield Finding("links_for_nothing", message % label_of_mode(OPEN), blocks=True)
    if survey.linkage == Survey.Linkage.APART:
        message = _(
            "With personal links the answers of one person are kept together, under their code. "
            "Choose “%s” under “answers of one person”."
        )
        yield Finding("links_apart", message % Survey.Linkage.TOGETHER.label, blocks=True)
    for question in questions:
        yield from _direct(question)


def _without_links(survey: Survey, about: Sequence[Question]) -> Iterator[Finding]:
    for question in about:
        message = _(
            "“%(name)s” asks about the people on a roster, so it must be known whose answer it is. "
            "Choose “%(mode)s”."
        )
        values = {"name": question.name, "mode": label_of_mode(PERSONAL)}
        yield Finding("links_needed", message % values, True, question.name)
    if has_roster(survey):
        message = _(
            "A roster is stored, and the survey is not by personal link. Remove the roster under "
            "“Roster”, or choose “%s”."
        )
        yield Finding("idle_roster", message % label_of_mode(PERSONAL), blocks=True)


def _direct(question: Question) -> Iterator[Finding]:
    if not question.randomized:
        message = _(
            "“%(name)s” would be sent as it is, by people who are known. With personal links every "
            "question must be sensitive."
        )
        yield Finding("links_direct", message % {"name": question.name}, True, question.name)


def _asked_elsewhere(survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
    """The budget is that of one survey: people who answer two of them spend both.

    Only of a roster it is known that the same people are asked: they stand on both lists, under the
    same code and name. What an open link reaches nobody can know.
    """
    if survey.member_count == 0 or not any(question.randomized for question in questions):
        return
    people = set(Member.objects.filter(survey=survey).exclude(name="").values_list("code", "name"))
    others = Survey.objects.filter(owner=survey.owner_id, simulated_truth__isnull=True)
    others = others.filter(state__in=[Survey.State.OPEN, Survey.State.CLOSED])
    others = others.exclude(pk=survey.pk).filter(questions__randomized=True)
    again: dict[str, set[tuple[str, str]]] = {}
    listed = Member.objects.filter(survey__in=others).exclude(name="")
    for title, *person in listed.order_by("survey_id").values_list("survey__title", "code", "name"):
        if tuple(person) in people:
            again.setdefault(title, set()).add((person[0], person[1]))
    if not again:
        return
    titles = [_("“%s”") % title for title in list(again)[: MOST_NAMED + 1]]
    if len(titles) > MOST_NAMED:
        titles[MOST_NAMED:] = [_("others")]
    count = len(set.union(*again.values()))
    message = ngettext(
        "%(count)s person on this roster was asked sensitive questions before: %(surveys)s. What "
        "they reveal in both adds up, and each budget is counted apart. Lower epsilon so that the "
        "sum is what you mean; do not ask the same question again.",
        "%(count)s people on this roster were asked sensitive questions before: %(surveys)s. What "
        "they reveal in both adds up, and each budget is counted apart. Lower epsilon so that the "
        "sum is what you mean; do not ask the same question again.",
        count,
    )
    values = {"count": numbers.count(count), "surveys": ", ".join(titles)}
    yield Finding("asked_elsewhere", message % values, blocks=False)
