"""What a response reveals where some questions are for some people only, by exact enumeration.

Every real answer to every question is followed through the filters to the true answers of the
devices, and every response has its chance, as a fraction of the integers that are served.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import log, prod

import pytest

from surveys.features.filters.section import filters_of
from surveys.parameters import Parameters
from surveys.parameters.budget import spent
from surveys.parameters.tables import Coded, columns_of
from tests.builders import launched
from tests.filtered import DRUG, OFTEN, question

pytestmark = pytest.mark.django_db

PLAIN = {**DRUG, "prefer_not": False}
CAUGHT = question("caught", only_if="often = Some times | Often")
STOLEN = question("stolen", only_if="drug = Yes or caught ≠ No")
SURVEYS = {
    "one filter": [PLAIN, OFTEN],
    "a filter behind a filter": [PLAIN, OFTEN, CAUGHT],
    "a filter on two questions": [
        PLAIN,
        CAUGHT | {"features": {"filters": {"only_if": "drug = No"}}},
        STOLEN,
    ],
}
NOTHING = 1e-9

Truths = tuple[int, ...]


def truths_of_everybody(parameters: Parameters) -> dict[tuple[int, ...], Truths]:
    """The true answers of the devices of each person, by what they would answer to everything."""
    filters = {each.question: each for each in filters_of(parameters)}
    questions = parameters.questions
    found = {}
    for said in product(*(range(each.answer_count + each.prefer_not) for each in questions)):
        real: dict[str, int] = {}
        for asked, answer in zip(questions, said, strict=True):
            each = filters.get(asked.id)
            refuses = answer == asked.answer_count
            given = len(asked.categories) - 1 if refuses else answer
            real[asked.id] = given if each is None or each.holds(real) else asked.inapplicable or 0
        found[said] = tuple(real.values())
    return found


def law(parameters: Parameters, truths: Truths) -> dict[Truths, Fraction]:
    """The chance of each response of somebody with these true answers."""
    columns = []
    for device, truth in zip(parameters.devices, truths, strict=True):
        assert isinstance(device.table, Coded)
        column = columns_of(device.table)[truth]
        columns.append([Fraction(entry, device.table.denominator) for entry in column])
    return {
        reports: prod(
            (column[u] for column, u in zip(columns, reports, strict=True)), start=Fraction(1)
        )
        for reports in product(*(range(len(column)) for column in columns))
    }


@pytest.mark.parametrize("name", SURVEYS)
def test_a_response_reveals_no_more_than_the_devices_say(name):
    parameters = launched(questions=SURVEYS[name], budget=9).parameters
    people = truths_of_everybody(parameters)
    laws = {truths: law(parameters, truths) for truths in set(people.values())}
    epsilons = [float(device.epsilon or 0) for device in parameters.devices]
    most = 0.0
    for one, other in product(laws, repeat=2):
        declared = sum(
            epsilon for v, w, epsilon in zip(one, other, epsilons, strict=True) if v != w
        )
        worst = max(log(laws[one][u] / laws[other][u]) for u in laws[one])
        assert worst <= declared + NOTHING
        most = max(most, worst)
    # All of a person together: as much as without a filter, and no more than is declared.
    assert most <= float(spent(parameters.devices)) + NOTHING
    assert float(spent(parameters.devices)) == pytest.approx(sum(epsilons))


@pytest.mark.parametrize("name", SURVEYS)
def test_everybody_reports_to_every_device(name):
    parameters = launched(questions=SURVEYS[name], budget=9).parameters
    for truths in set(truths_of_everybody(parameters).values()):
        chances = law(parameters, truths)
        assert sum(chances.values()) == 1
        # Whatever somebody sends, anybody may have sent.
        assert all(chance > 0 for chance in chances.values())


def test_whom_a_question_is_for_changes_the_true_answers_that_there_are():
    parameters = launched(questions=SURVEYS["a filter behind a filter"], budget=9).parameters
    found = set(truths_of_everybody(parameters).values())
    # No: nothing applies. Yes: once, or a refusal, and the last does not; or more, and it does.
    assert found == {(0, 3, 2), (1, 0, 2), (1, 4, 2), *product([1], [1, 2], [0, 1])}


def test_the_budget_of_a_survey_is_the_same_with_filters_and_without():
    asked = SURVEYS["a filter behind a filter"]
    plain = [{**each, "features": {}} for each in asked]
    with_filters = launched(questions=asked, budget=9).parameters
    without = launched(slug="plain", questions=plain, budget=9).parameters
    assert spent(with_filters.devices) == spent(without.devices) == Decimal("3.5")
