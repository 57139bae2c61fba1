"""Surveys with questions that are for some people only, and what their people report."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

Values = dict[str, Any]


def question(name: str, *, only_if: str = "", **values: Any) -> Values:
    """The values of a question, with a filter where one is given."""
    features = {"features": {"filters": {"only_if": only_if}}} if only_if else {}
    return {
        "name": name,
        "text": f"{name.capitalize()}?",
        "epsilon": Decimal(1),
        **values,
        **features,
    }


CONTRACT = question(
    "contract",
    kind="single_choice",
    options=["Permanent", "For a time", "None"],
    randomized=False,
    epsilon=None,
)
AGE = question(
    "age",
    kind="bounded_number",
    scale={"lower": "15", "upper": "74", "step": "1", "unit": "years", "bins": [0, 15, 30, 45]},
)
DRUG = question("drug", prefer_not=True)
OFTEN = question(
    "often",
    only_if="drug = Yes",
    kind="scale",
    options=["Once", "Some times", "Often"],
    prefer_not=True,
    epsilon=Decimal("1.5"),
)
# Behind a filter that is behind another.
CAUGHT = question("caught", only_if="often = Some times | Often and age > 17")
# Direct behind a direct filter: others are not asked.
HOURS = question(
    "hours",
    only_if="contract = Permanent | For a time",
    kind="scale",
    options=["Few", "Usual", "Many"],
    randomized=False,
    epsilon=None,
)
STOLEN = question("stolen", only_if="contract ≠ None or drug = Yes")

SURVEY: Values = {
    "questions": [CONTRACT, AGE, DRUG, OFTEN, CAUGHT, HOURS, STOLEN],
    "budget": Decimal(9),
    "linkage": "together",
}


def asked_of(answers: Mapping[str, Any]) -> dict[str, bool]:
    """Whom the questions of SURVEY are for, written down by hand."""
    contract, drug, often = answers.get("contract"), answers.get("drug"), answers.get("often")
    age = answers.get("age")
    return {
        "often": drug == 1,
        "caught": often in (1, 2) and age is not None and age > 17,
        "hours": contract in (0, 1),
        "stolen": contract in (0, 1) or drug == 1,
    }
