"""`python -m benchmarks.page_surveys`: surveys for benchmarks of pages in a stack's database."""

from decimal import Decimal
from typing import Any

from tests.system.answering_process import answer_by

SENSITIVE = {"text": "Have you ever used a drug at work?", "epsilon": Decimal("1.1")}
KINDS = [
    SENSITIVE,
    {"kind": "single_choice", "options": ["Nothing", "Alcohol", "Cannabis"]},
    {"kind": "scale", "options": ["Never", "Rarely", "Sometimes", "Often", "Always"]},
    {"kind": "multiple_choice", "options": ["Paper", "Tools", "Food"], "design": "per_option"},
    {"kind": "single_choice", "options": list("abcde"), "design": "cards"},
    {"kind": "short_text", "design": "rappor", "epsilon": "4"},
    {"randomized": False, "required": False},
]


def _launched(slug: str, **values: Any) -> dict[str, Any]:
    from tests.builders import launched

    given = {
        "slug": slug,
        "budget": Decimal("12"),
        "consent": "Taking part is voluntary.",
        **values,
    }
    return launched(**given).document


def coded() -> dict[str, Any]:
    from tests.waves import coded_launch

    return coded_launch(slug="coded", questions=[SENSITIVE]).document


def thirty() -> dict[str, Any]:
    from tests.released import thirty as released

    return released(slug="thirty").document


def template(name: str) -> dict[str, Any]:
    """A survey that authors can start from, launched as it is."""
    from surveys.services.definitions import import_definition
    from surveys.services.launches import launch_survey
    from surveys.survey_templates import template_in
    from tests.builders import owner

    actor = owner()
    found = import_definition(definition=template_in(name, "en").definition, owner=actor)
    return launch_survey(survey=found.survey, actor=actor).document


COMMANDS = {
    "template": template,
    "simplest": lambda: _launched("simplest", questions=[SENSITIVE]),
    "simplest_german": lambda: _launched("einfach", questions=[SENSITIVE], language="de"),
    "kinds": lambda: _launched("kinds", questions=KINDS),
    "arms": lambda: _launched("arms", questions=[{"asked_directly": True}], direct_share=30),
    "groups": lambda: _launched(
        "groups", questions=[{"group": 1, "epsilon": Decimal("0.9")} for _ in range(2)]
    ),
    "coded": coded,
    "thirty": thirty,
}

if __name__ == "__main__":
    answer_by(COMMANDS)
