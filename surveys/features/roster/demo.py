"""The demonstration of a network: colleagues in three teams, whose ties and answers are made up."""

from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from django.contrib.auth.models import User

from surveys.authoring.planning.simulated_networks import SimulatedNetwork
from surveys.authoring.planning.simulation import SimulatedRespondents, simulated_responses
from surveys.features.parts import DemoPart, Filling
from surveys.features.roster.changes import replace_roster
from surveys.features.roster.links import make_links
from surveys.features.roster.reading import RosterRow, members_of
from surveys.features.roster.section import KEY, PERSONAL
from surveys.kinds.drawn_networks import network_of_groups, without_oneself
from surveys.kinds.network_estimates import EXTRAPOLATED, UNDIRECTED
from surveys.models import Launch, Question, Survey
from surveys.services.launches import launch_survey

SLUG = "talk-of-leaving"
# What is kept of the links for visitors.
LINKS = "links"

TEAMS = {
    "Support": (
        "Ada Moreau, Ben Okafor, Carla Rossi, Dev Patel, Elin Berg, Farid Haddad, Greta Vogel, "
        "Hugo Silva, Ines Costa, Jonas Lind, Kaya Demir, Liam Byrne, Mei Tanaka, Noor Aziz"
    ),
    "Warehouse": (
        "Olga Petrova, Pavel Novak, Quinn Harper, Rosa Jimenez, Samir Khan, Tess de Vries, "
        "Umar Diallo, Vera Kovacs, Will Turner, Xenia Pappas, Yusuf Kaya, Zoe Martin, "
        "Anton Weber, Bella Fischer"
    ),
    "Office": (
        "Chloe Dubois, Daniel Cohen, Emma Larsen, Felix Braun, Gloria Mensah, Henrik Dahl, "
        "Isla Murray, Jakub Wolski, Karin Huber, Luca Conti, Mona Saleh, Nils Keller"
    ),
}
# The chance of a tie within a team, and between two.
WITHIN, BETWEEN = 0.3, 0.05
SEED = 0
# Their links are left for visitors. No tie and no third colleague connects them, so that the truth
# of the reports that are in is that of all.
LEFT = ("Noor Aziz", "Nils Keller")
TIES, APPLIED = "talk", "applied"
# How many of them have applied.
APPLICANTS = 14

SURVEY = {
    "slug": SLUG,
    "title": "Talk of leaving",
    "introduction": (
        "A demonstration of personal links: who talks with whom about leaving, among 40 colleagues "
        "in three teams. All of them are made up. The answers of 38 are simulated, so that the "
        "results can show the truth beside the estimate; the links of the other two were printed "
        "when Candor was started."
    ),
    "consent": "Taking part is voluntary. You can stop at any time before you send.",
    "contact": "This is a demonstration on your own machine; nobody else receives anything.",
    "budget": Decimal("3"),
    "planned_n": sum(len(names.split(", ")) for names in TEAMS.values()),
    "mode": PERSONAL,
    "linkage": Survey.Linkage.TOGETHER,
    "population": Survey.Population.FIXED,
    "precision_reason": (
        "The ties are what it is about. The question beside them shows what 40 people cannot tell."
    ),
    # Two can still answer, so that what they send shows when both have.
    "release_batch": 2,
    "results_public": True,
}

QUESTIONS: list[dict[str, Any]] = [
    {
        "name": TIES,
        "kind": "roster_ties",
        "design": "tie_bits",
        "design_parameters": {"expected_ties": 5},
        "directed": False,
        "text": "With which of your colleagues have you talked about leaving this company?",
        "help_text": "Tick everybody with whom you have, whoever began.",
        "epsilon": Decimal("2"),
    },
    {
        "name": APPLIED,
        "text": "Have you applied for another job in the past 12 months?",
        "epsilon": Decimal("1"),
    },
]


def roster_rows() -> list[RosterRow]:
    return [
        RosterRow(f"{team[0].lower()}{number:02}", name, team)
        for team, names in TEAMS.items()
        for number, name in enumerate(names.split(", "), start=1)
    ]


@cache
def true_ties() -> npt.NDArray[np.bool_]:
    """Return who is tied to whom, of shape (members, members); the same at every start."""
    teams = [row.group for row in roster_rows()]
    return network_of_groups(teams, WITHIN, BETWEEN, np.random.default_rng(SEED))


def simulated_truth() -> dict[str, Any]:
    """The statistics of the true network by name, and the shares of the other question."""
    everybody = np.ones(len(true_ties()), dtype=bool)
    found = SimulatedNetwork(true_ties(), everybody, directed=False).truths()
    statistics = {name: float(getattr(found, name).value) for name in UNDIRECTED}
    share = APPLICANTS / len(everybody)
    return {
        TIES: statistics | {f"{name}_of_everybody": statistics[name] for name in EXTRAPOLATED},
        APPLIED: [1 - share, share],
    }


def launch_network_demo(*, owner: User) -> Launch:
    survey = Survey.objects.create(**SURVEY, owner=owner, simulated_truth=simulated_truth())
    replace_roster(survey=survey, rows=roster_rows())
    for position, question in enumerate(QUESTIONS, start=1):
        Question.objects.create(survey=survey, position=position, **question)
    return launch_survey(survey=survey, actor=owner)


def network_demo_launch() -> Launch | None:
    """The launch of this demo, while it is still the demo and still open."""
    surveys = Survey.objects.accepting_responses()
    survey = surveys.filter(slug=SLUG, mode=PERSONAL).first()
    return survey.current_launch() if survey is not None and survey.simulated_truth else None


def simulated_members(launch: Launch) -> SimulatedRespondents:
    """All members in their order."""
    count = members_of(launch.survey).count()
    applied = np.random.default_rng(SEED).permutation(count) < APPLICANTS
    answers = {TIES: without_oneself(true_ties()), APPLIED: applied.astype(np.int64)}
    nobody = np.zeros(count, dtype=bool)
    return SimulatedRespondents(answers, physical=nobody, pairs=nobody.astype(np.int64))


def new_links(launch: Launch) -> tuple[dict[int, str], dict[str, str]]:
    """New links: by place for those whose answers are still to be simulated, by name for visitors.

    Nothing for visitors once everybody else has answered: their links have been printed then.
    """
    waiting = members_of(launch.survey).filter(answered=False)
    if not waiting.exclude(name__in=LEFT).exists():
        return {}, {}
    links = make_links(survey=launch.survey, members=waiting)
    to_send = {member.place: link for member, link in links if member.name not in LEFT}
    return to_send, {member.name: link for member, link in links if member.name in LEFT}


class NetworkDemo(DemoPart):
    def launch(self, owner: User) -> None:
        launch_network_demo(owner=owner)

    def fill(self, filling: Filling) -> None:
        """Send the answers of all members but those whose links are left to try."""
        launch = network_demo_launch()
        links, left = new_links(launch) if launch else ({}, {})
        if launch is None or not links:
            return
        filling.keep(LINKS, left)
        filling.say(f"Sending {len(links)} simulated responses to the demo of a network ...")
        responses = simulated_responses(launch.parameters, simulated_members(launch))
        keys = [{KEY.name: link} for link in links.values()]
        filling.send(launch, [responses[place] for place in links], keys)

    def lines(self, url: str, filling: Filling) -> list[str]:
        """Return where the results of the network are, and the links to answer it with."""
        launched = Survey.objects.exclude(state=Survey.State.DRAFT)
        survey = launched.filter(slug=SLUG).first()
        if survey is None:
            return []
        address = f"{url}/s/{SLUG}/"
        waiting = members_of(survey).filter(answered=False)
        unanswered = set(waiting.values_list("name", flat=True))
        links = filling.kept(LINKS, {}).items()
        unused = [(name, link) for name, link in links if name in unanswered]
        lines = [f"  personal link {address}#{link}  (of {name})" for name, link in unused]
        return [f"  network       {address}results/", *lines]
