"""Batteries: what is set, frozen, refused and proposed, and what results and files say of them."""

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.parameters import check, digest_of, read
from tests.builders import launched, make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEM = "In the last year, have you taken from work"
ITEMS = [
    {"text": "pens or paper?", "battery": 1, "battery_text": STEM},
    {"text": "food?", "battery": 1},
    {"text": "money?", "battery": 1},
]
FROZEN = [{"text": STEM, "questions": ["q1", "q2", "q3"]}]


def findings(survey):
    return {(finding.code, finding.question) for finding in lint_survey(survey) if finding.blocks}


def test_what_is_frozen_is_read_back_under_the_same_digest():
    launch = launched(questions=[*ITEMS, {"text": "Anything else?"}], budget=9)
    assert launch.document["batteries"] == FROZEN
    assert digest_of(check(read(launch.document))) == launch.digest
    assert "batteries" not in launched(slug="none").document
    assert findings(make_survey(slug="draft", questions=ITEMS, budget=9)) == set()
