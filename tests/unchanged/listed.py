"""The surveys whose publications are compared, each launched, answered and computed."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

from surveys.features.languages import demo as demo_questionnaire
from surveys.features.pilots.models import DependenceRun
from surveys.features.return_codes import demo
from surveys.features.roster import demo as demo_network
from surveys.models import Launch
from tests import analyses, arm_reports, arms, filtered, released, rosters, tiers, waves
from tests.app import pilots
from tests.app.contract.cases import FITTING, Case, register_for_cases
from tests.app.contract.launches import launch_of, send_every_report
from tests.builders import launched, owner
from tests.searched import searched_question
from tests.unchanged import people

# Makes a survey; returns its launches, in their order.
Make = Callable[[], list[Launch]]

PEOPLE = 150
TOGETHER: dict[str, Any] = {"linkage": "together", "release_threshold": 20, "results_public": True}
PLACE = {
    "name": "place",
    "kind": "single_choice",
    "text": "Where do you work?",
    "options": ["Office", "Shop", "At home"],
    "randomized": False,
}
HOURS = {
    "name": "hours",
    "kind": "bounded_number",
    "text": "How many hours did you work last week?",
    "scale": {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []},
    "design": "one_bit",
}
AGE = {
    "name": "age",
    "kind": "bounded_number",
    "text": "How old are you?",
    "scale": {"lower": "18", "upper": "99", "step": "1", "unit": "", "bins": [0, 12, 47]},
    "prefer_not": True,
    "required": False,
}
WORDS = {
    "name": "substance",
    "kind": "short_text",
    "design": "rappor",
    "text": "What did you take last?",
    "epsilon": Decimal(4),
    "prefer_not": True,
    "required": False,
}
TEXTS = {"substance": ("Cannabis", "Cocaine", "Heroin", "Ecstasy")}
ITEM = {"name": "born", "text": "Were you born on 30 February?", "known_share": Decimal(0)}
CARDS = {
    "name": "reason",
    "kind": "single_choice",
    "text": "Why?",
    "options": [f"Reason {number}" for number in range(1, 9)],
    "design": "cards",
}


def _fill(launch: Launch, count: int = PEOPLE, **how: Any) -> list[Launch]:
    return [people.fill(launch, count, **how)]


def _again(**epsilons: str) -> Callable[[Launch], Launch]:
    return lambda launch: waves.next_wave(launch, **epsilons)


def _in_waves(first: Launch, returning: int = 60, **epsilons: str) -> list[Launch]:
    answering = people.people_of(first, PEOPLE)
    second = people.come_back(first, _again(**epsilons), answering, returning)
    first.refresh_from_db()
    return [first, second]


# --- the demonstration --------------------------------------------------------------------------


def _demo() -> list[Launch]:
    first = demo.launch_demo(owner=owner())
    answering = demo.respondents_of(first, 6 * PEOPLE, seed=people.SEED)
    second = people.come_back(first, demo.launch_second_wave, answering, 2 * PEOPLE)
    demo.fit_all(second)
    return [first, people.computed(second)]


def _demo_of_a_network() -> list[Launch]:
    launch = demo_network.launch_network_demo(owner=owner())
    sent, keys = people.sent_by(launch, demo_network.simulated_members(launch))
    # All but two, as `make run` leaves them.
    people.send(launch, sent[:-2], keys[:-2])
    return [people.computed(launch)]


def _demo_of_a_questionnaire() -> list[Launch]:
    launch = demo_questionnaire.launch_questionnaire(owner=owner())
    answering = demo_questionnaire.respondents_of(launch, 6 * PEOPLE, seed=people.SEED)
    people.send(launch, *people.sent_by(launch, answering))
    return [people.computed(launch)]


# --- features -----------------------------------------------------------------------------------


def _rich(linkage: str, count: int, physical: int, **values: Any) -> list[Launch]:
    return [people.computed(released.rich(count, physical, linkage=linkage, **values))]


def _weighted() -> list[Launch]:
    values = {"weighting": analyses.regional(), "analyses": [analyses.ANALYSIS]}
    return _fill(launched(questions=analyses.QUESTIONS, budget=8, **TOGETHER, **values))


def _analysed() -> list[Launch]:
    """Every link, and scores; of nobody is anything weighted."""
    scored = {"predictors": [{"question": "mood", "scored": True}], "weighted": False}
    declared = [
        {**analyses.ANALYSIS, **scored, "name": f"By {link}", "link": link}
        for link in ("logit", "probit")
    ]
    direct = {
        **analyses.ANALYSIS,
        "name": "Where the large firms are",
        "outcome": "size",
        "weighted": False,
    }
    values = {"questions": analyses.QUESTIONS, "analyses": [*declared, direct], "budget": 8}
    return _fill(launched(**values, **TOGETHER), 2 * PEOPLE)


def _tiers(**values: Any) -> list[Launch]:
    return [people.computed(tiers.filled(PEOPLE, results_public=True, **values))]


def _filters(**values: Any) -> list[Launch]:
    return _fill(launched(**{**TOGETHER, **filtered.SURVEY, **values}), 2 * PEOPLE)


def _arms(**values: Any) -> list[Launch]:
    return _fill(arm_reports.arms_survey(**values), 2 * PEOPLE)


def _few_in_an_arm() -> list[Launch]:
    """Five people are asked directly, under a threshold of 20."""
    launch = arm_reports.arms_survey(release_threshold=20)
    return [people.computed(arm_reports.store(launch, arm_reports.everybody(100, 60, 5)))]


def _pilot() -> list[Launch]:
    launch = pilots.answered(pilots.pilot_launch(linkage="together"), 4 * PEOPLE)
    assert pilots.run_now(launch).state == DependenceRun.State.DONE
    return [launch]


def _network(members: int, **values: Any) -> list[Launch]:
    launch = rosters.launched_network(
        rosters.roster_rows(members), release_threshold=10, results_public=True, **values
    )
    return _fill(launch, members)


def _texts(**values: Any) -> list[Launch]:
    question = {**WORDS, "candidates": list(TEXTS["substance"][:3])}
    asked = {"questions": [question, PLACE], "planned_n": 600, "budget": 8}
    return _fill(launched(**asked, **{**TOGETHER, **values}), 2 * PEOPLE, texts=TEXTS)


def _numbers(**values: Any) -> list[Launch]:
    asked = {"questions": [HOURS, AGE, PLACE], "budget": 4}
    return _fill(launched(**asked, **{**TOGETHER, **values}))


def _rankings(**values: Any) -> list[Launch]:
    asked = {"kind": "ranked_items", "text": "What matters most?", "epsilon": Decimal(3)}
    items = ["Pay", "Hours", "People", "The work", "Food"]
    few = {**asked, "name": "few", "options": items[:3], "design": "all_orders"}
    refused = {**few, "name": "refused", "options": items[:4], "prefer_not": True}
    many = {**asked, "name": "many", "options": items, "design": "near_orders"}
    questions = [few, refused, {**many, "prefer_not": True}]
    return _fill(launched(questions=questions, budget=9, **{**TOGETHER, **values}))


def _control_items() -> list[Launch]:
    drug = {"name": "drug", "text": "Have you taken a drug?"}
    some = {**ITEM, "name": "may", "text": "Were you born in May?", "known_share": Decimal("0.08")}
    values = {"questions": [drug, ITEM, some, PLACE], "budget": 9}
    return _fill(launched(**values, **TOGETHER))


def _cards_and_searched() -> list[Launch]:
    by_digits = {**CARDS, "physical_device": "phone_digits", "epsilon": "1.7"}
    values = {
        "questions": [by_digits, searched_question(), PLACE],
        "cross_tables": [["reason", "place"]],
        "budget": 6,
    }
    return _fill(launched(**values, **TOGETHER), 2 * PEOPLE, physical=0.3)


def _few() -> list[Launch]:
    """Fewer answer than the threshold asks for."""
    return _fill(launched(questions=released.QUESTIONS, budget=4, **TOGETHER), 12)


def _waves(**values: Any) -> list[Launch]:
    given = {"results_public": True, "cross_tables": [["drug", "permanent"]]}
    return _in_waves(waves.coded_launch(**{**given, **values}), drug="1.5")


def _waves_with_groups() -> list[Launch]:
    values = {"questions": released.WITH_GROUP, "budget": Decimal(7), "results_public": True}
    return _in_waves(waves.coded_launch(**values), team="2")


def _sections() -> list[Launch]:
    drug = {"name": "drug", "text": "Have you taken a drug?", "section_title": "At work"}
    place = {**PLACE, "section_title": "About you", "section_text": "Almost done."}
    values = {"questions": [drug, {**AGE, "section_together": True}, place], "budget": 6}
    return _fill(launched(**{**TOGETHER, **values, "last_page_title": "Before you send"}))


def _batteries() -> list[Launch]:
    item = {"battery": 1, "epsilon": Decimal("0.8"), "prefer_not": True}
    stem = "Have you ever taken from work"
    items = [
        {**item, "text": "pens or paper?", "name": "pens", "battery_text": stem},
        {**item, "text": "food?", "name": "food"},
    ]
    return _fill(launched(**{**TOGETHER, "questions": [*items, AGE], "budget": 6}))


FEATURES: dict[str, Make] = {
    "demo": _demo,
    "demo of a network": _demo_of_a_network,
    "demo of a questionnaire": _demo_of_a_questionnaire,
    "rich, together": lambda: _rich("together", 300, 60),
    "rich, apart": lambda: _rich("apart", 300, 60),
    "rich, few with a die": lambda: _rich("together", 300, 7),
    "rich, fixed population": lambda: _rich("together", 200, 0, population="fixed"),
    "rich, in German": lambda: _rich("together", 200, 30, language="de"),
    "rich, in batches": lambda: _rich("together", 200, 30, release_batch=30),
    "weights and an analysis": _weighted,
    "analyses": _analysed,
    "tiers": _tiers,
    "tiers, apart": lambda: _tiers(linkage="apart"),
    "arms": _arms,
    "arms, apart": lambda: _arms(linkage="apart"),
    "arms, all sorts of questions": lambda: _fill(arms.arms_launch(release_threshold=10)),
    "arms, few in one": _few_in_an_arm,
    "filters": _filters,
    "filters, apart": lambda: _filters(linkage="apart"),
    "filters, fixed population": lambda: _filters(population="fixed"),
    "a group": lambda: [people.computed(released.with_groups(200, **TOGETHER))],
    "a group, apart": lambda: [people.computed(released.with_groups(200))],
    "pilot": _pilot,
    "network": lambda: _network(24),
    "network, weaker": lambda: _network(40, budget=Decimal(6)),
    "texts": _texts,
    "texts, apart": lambda: _texts(linkage="apart"),
    "numbers": _numbers,
    "numbers, apart": lambda: _numbers(linkage="apart"),
    "rankings": _rankings,
    "rankings, apart": lambda: _rankings(linkage="apart"),
    "rankings, fixed population": lambda: _rankings(population="fixed"),
    "control items": _control_items,
    "cards, digits and a searched table": _cards_and_searched,
    "few": _few,
    "sections": _sections,
    "batteries": _batteries,
    "waves": _waves,
    "waves, in German": lambda: _waves(language="de"),
    "waves with a group": _waves_with_groups,
}


# --- every device for every kind ----------------------------------------------------------------


def _case(case: Case) -> list[Launch]:
    launch = launch_of(case)
    roster = launch.parameters.members
    if roster or case.kind.free_text:
        texts = {"q1": TEXTS["substance"]}
        return _fill(launch, roster.size if roster else PEOPLE, texts=texts)
    send_every_report(case, launch)
    return [people.computed(launch)]


def listed() -> Iterator[tuple[str, Make]]:
    """Return all surveys by name; they are made while the next is not asked for."""
    yield from FEATURES.items()
    with register_for_cases():
        for case in FITTING:
            yield str(case), partial(_case, case)
